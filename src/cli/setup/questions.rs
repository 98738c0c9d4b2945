//! Questions on a terminal, which are repeated with the reason until the answer is valid.

use std::io::{BufRead as _, Write as _};

use anyhow::{anyhow, bail};

use crate::features::auth;

const STOPPED: &str = "The questions were not answered; nothing was changed";

/// Checks an answer and normalizes it; the error is the reason to ask again.
type Check<'q> = Box<dyn Fn(&str) -> Result<String, String> + 'q>;

/// A question, and the option with which it is not asked.
pub(super) struct Question<'q> {
    option: &'static str,
    text: &'static str,
    /// The answer for a blank line; `None` if there must be another one.
    default: Option<&'q str>,
    check: Check<'q>,
}

impl<'q> Question<'q> {
    /// A question with a default.
    pub(super) fn new(option: &'static str, text: &'static str, default: &'q str) -> Self {
        Self { option, text, default: Some(default), check: Box::new(|text| Ok(text.to_owned())) }
    }

    /// A question without a default.
    pub(super) fn required(option: &'static str, text: &'static str) -> Self {
        Self { option, text, default: None, check: Box::new(|text| Ok(text.to_owned())) }
    }

    /// Checks answers; the error is the reason to ask again.
    pub(super) fn checked(self, check: impl Fn(&str) -> Result<String, String> + 'q) -> Self {
        Self { check: Box::new(check), ..self }
    }

    /// The answer of the option, or of the terminal, or the default.
    ///
    /// # Errors
    /// Without a terminal: the answer is missing or invalid.
    pub(super) fn answer(&self, given: Option<&str>, is_interactive: bool) -> anyhow::Result<String> {
        match (given.or(self.default.filter(|_| !is_interactive)), is_interactive) {
            (Some(given), false) => (self.check)(given.trim()).map_err(|reason| anyhow!("{}: {reason}", self.option)),
            (None, false) => bail!("{} is missing; see 'lectern setup --help'", self.option),
            (Some(given), true) => match (self.check)(given.trim()) {
                Ok(answer) => Ok(answer),
                Err(reason) => {
                    print(&format!("{}: {reason}.\n", self.option))?;
                    self.ask()
                }
            },
            (None, true) => self.ask(),
        }
    }

    fn ask(&self) -> anyhow::Result<String> {
        let default = self.default.filter(|default| !default.is_empty());
        let default = default.map(|default| format!(" [{default}]")).unwrap_or_default();
        loop {
            let line = line_after(&format!("{}{default}: ", self.text))?;
            let line = if line.is_empty() { self.default.unwrap_or_default() } else { &line };
            match (self.check)(line) {
                Ok(answer) => return Ok(answer),
                Err(reason) => print(&format!("{reason}.\n"))?,
            }
        }
    }
}

/// Asks a question that is answered with yes or no, by default no.
pub(super) fn confirm(text: &str) -> anyhow::Result<bool> {
    loop {
        match line_after(&format!("{text} [y/N]: "))?.to_ascii_lowercase().as_str() {
            "" | "n" | "no" => return Ok(false),
            "y" | "yes" => return Ok(true),
            _ => print("Please answer y or n.\n")?,
        }
    }
}

/// Prompts for a new password twice without showing it.
pub(super) fn new_password() -> anyhow::Result<String> {
    loop {
        let first = rpassword::prompt_password("Password of the account: ")?;
        if let Err(reason) = auth::check_new_password(&first) {
            print(&format!("{reason}.\n"))?;
            continue;
        }
        if first == rpassword::prompt_password("Repeat the password: ")? {
            return Ok(first);
        }
        print("The two passwords differ.\n")?;
    }
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    printed.map_err(|error| anyhow!("The questions can't be shown ({error})"))
}

fn line_after(prompt: &str) -> anyhow::Result<String> {
    print(prompt)?;
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line)? == 0 {
        bail!(STOPPED);
    }
    Ok(line.trim().to_owned())
}
