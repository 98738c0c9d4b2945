//! `lectern completions`

use std::io::Write as _;

use clap::{Args, CommandFactory as _, ValueEnum};

use super::{Cli, help};

/// Print shell completions, or the man page
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// What to print
    #[arg(value_enum)]
    kind: Kind,
    /// With man: the page of this command
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
    Man,
}

impl Completions {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        use clap_complete::Shell;

        let mut command = Cli::command();
        // Written to memory first, because clap's generator panics if stdout is closed.
        let mut out = Vec::new();
        let shell = match self.kind {
            Kind::Bash => Shell::Bash,
            Kind::Elvish => Shell::Elvish,
            Kind::Fish => Shell::Fish,
            Kind::Powershell => Shell::PowerShell,
            Kind::Zsh => Shell::Zsh,
            Kind::Man => {
                help::man_page(command, self.command.as_deref(), &mut out)?;
                return print(&out);
            }
        };
        clap_complete::generate(shell, &mut command, "lectern", &mut out);
        print(&out)
    }
}

fn print(bytes: &[u8]) -> anyhow::Result<()> {
    Ok(std::io::stdout().write_all(bytes)?)
}
