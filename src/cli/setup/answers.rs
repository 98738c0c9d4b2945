//! The answers of `lectern setup`: their rules, and the configuration that they result in.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};

use super::Setup;
use super::questions::{self, Question};
use crate::cli::create_admin::{self, PASSWORD_VARIABLE};
use crate::features::auth;
use crate::features::site_settings::check_company_name;
use crate::platform::messages::TIME_ZONES;
use crate::platform::zone;

/// What the packages install as the configuration.
pub(super) const PACKAGED: &str = include_str!("../../../packaging/config.toml");
const HEADER: &str = "# Written by \"lectern setup\". config.example.toml describes every setting; a key that is not\n\
                      # here has its default.\n";

/// What handles HTTPS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TlsTermination {
    /// The server itself, with certificates of an authority.
    Lectern,
    /// A proxy on this machine.
    Proxy,
}

/// Valid answers.
#[derive(Debug)]
pub(super) struct Answers {
    /// The domain; `None` if only this machine reaches the site.
    pub(super) domain: Option<String>,
    pub(super) https: TlsTermination,
    pub(super) name: String,
    pub(super) timezone: String,
    /// The e-mail address of the first account.
    pub(super) email: String,
    /// The password of a new account; `None` if there are accounts already.
    pub(super) password: Option<String>,
}

impl Answers {
    /// Takes the answers from the options, and asks for the others on a terminal.
    ///
    /// # Errors
    /// Without a terminal: an answer is missing or invalid.
    pub(super) fn collect(options: &Setup, admin: Option<&str>, is_interactive: bool) -> anyhow::Result<Self> {
        let answer =
            |question: Question<'_>, option: &Option<String>| question.answer(option.as_deref(), is_interactive);
        let domain = answer(
            Question::new("--domain", "Domain of the site, such as events.example.com (blank: only this machine)", "")
                .checked(check_domain),
            &options.domain,
        )?;
        let domain = Some(domain).filter(|domain| !domain.is_empty());
        if options.behind_proxy && domain.is_none() {
            bail!("--behind-proxy needs the public name of the site: --domain events.example.com");
        }
        let is_behind_proxy = options.behind_proxy
            || domain.is_some()
                && is_interactive
                && options.domain.is_none()
                && questions::confirm("Does a proxy such as nginx or Caddy handle HTTPS?")?;
        let name = Question::required("--name", "Name of the company")
            .checked(|text| check_company_name(text).map(str::to_owned));
        let name = answer(name, &options.name)?;
        let zone = Question::new("--timezone", "Time zone of events", zone::DEFAULT.name()).checked(check_timezone);
        let timezone = answer(zone, &options.timezone)?;
        let (email, password) = if let Some(admin) = admin {
            (admin.to_owned(), None)
        } else {
            let email = Question::required("--email", "E-mail address of the first account")
                .checked(|text| auth::check_email(text).map(|()| text.to_owned()).map_err(str::to_owned));
            (answer(email, &options.email)?, Some(password(options, is_interactive)?))
        };
        let https = if is_behind_proxy { TlsTermination::Proxy } else { TlsTermination::Lectern };
        Ok(Self { domain, https, name, timezone, email, password })
    }

    /// The public URL of the site.
    pub(super) fn base_url(&self) -> String {
        match &self.domain {
            Some(domain) => format!("https://{domain}"),
            None => "http://127.0.0.1:8080".to_owned(),
        }
    }

    /// The text of the configuration. That of the system extends the one of the packages.
    pub(super) fn configuration(&self, is_system: bool, database: Option<&Path>) -> String {
        let mut text = if is_system { PACKAGED.to_owned() } else { HEADER.to_owned() };
        let mut add = |section: &str, keys: &[(&str, String)]| {
            let _ = write!(text, "\n[{section}]\n");
            for (key, value) in keys {
                let _ = writeln!(text, "{key} = {value}");
            }
        };
        match &self.domain {
            Some(domain) if self.https == TlsTermination::Lectern => {
                add("https", &[("domains", format!("[{}]", quoted(domain))), ("email", quoted(&self.email))]);
            }
            Some(_) => {
                let proxies = "[\"127.0.0.1\", \"::1\"]".to_owned();
                add("server", &[("base_url", quoted(&self.base_url())), ("trusted_proxies", proxies)]);
            }
            None => {}
        }
        if let Some(path) = database.filter(|_| !is_system) {
            add("database", &[("path", quoted(&path.display().to_string()))]);
        }
        add("brandlive.defaults", &[("timezone", quoted(&self.timezone))]);
        match database.filter(|_| is_system) {
            Some(path) => text.replace(&quoted(super::SYSTEM_DATABASE), &quoted(&path.display().to_string())),
            None => text,
        }
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Checks a domain and returns it in lower case and in ASCII; blank is allowed.
fn check_domain(text: &str) -> Result<String, String> {
    let domain = text.trim();
    let domain = domain.strip_prefix("https://").or_else(|| domain.strip_prefix("http://")).unwrap_or(domain);
    let domain = domain.strip_suffix('/').unwrap_or(domain);
    if domain.is_empty() {
        return Ok(String::new());
    }
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    match url::Host::parse(domain) {
        Ok(url::Host::Domain(name)) if name.contains('.') && name.len() <= 253 && name.split('.').all(is_label) => {
            Ok(name)
        }
        _ => Err(format!("`{domain}` is not a domain; use one such as events.example.com, without a port or a path")),
    }
}

/// Checks a time zone and returns its IANA name. The abbreviations of the event form are accepted as well.
fn check_timezone(text: &str) -> Result<String, String> {
    let text = text.trim();
    let listed = TIME_ZONES.iter().find(|(_, _, abbreviation)| abbreviation.eq_ignore_ascii_case(text));
    let name = listed.map(|(name, _, _)| *name).or_else(|| zone::find_in_any_case(text).map(chrono_tz::Tz::name));
    name.map(str::to_owned).ok_or_else(|| format!("`{text}` is not a time zone; use one such as America/Denver"))
}

/// The password of the first account, from where the options say, or from a prompt.
fn password(options: &Setup, is_interactive: bool) -> anyhow::Result<String> {
    let given = if options.password_stdin {
        create_admin::password_from_stdin()?
    } else if let Some(file) = &options.password_file {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("The password in {} can't be read", file.display()))?;
        text.lines().next().unwrap_or_default().to_owned()
    } else if let Some(password) = create_admin::password_from_environment() {
        password
    } else if is_interactive {
        return questions::new_password();
    } else {
        bail!(
            "The password of the first account is missing; name where it is with --password-stdin or --password-file, or \
             set {PASSWORD_VARIABLE}"
        );
    };
    auth::check_new_password(&given).map_err(anyhow::Error::msg)?;
    Ok(given)
}

#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_normalized() {
        for (text, domain) in [
            ("", ""),
            (" Events.Example.COM ", "events.example.com"),
            ("https://events.example.com/", "events.example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
        ] {
            assert_eq!(check_domain(text).as_deref(), Ok(domain));
        }
        for text in
            ["localhost", "192.0.2.1", "a b.example", "events.example.com:8443", "events.example.com/x", "a..b", "-a.b"]
        {
            assert!(check_domain(text).is_err_and(|reason| reason.contains("is not a domain")), "{text}");
        }
    }

    #[test]
    fn time_zones_are_iana_names_or_those_of_the_event_form() {
        assert_eq!(check_timezone("america/denver").as_deref(), Ok("America/Denver"));
        assert_eq!(check_timezone("PT").as_deref(), Ok("America/Los_Angeles"));
        assert!(
            check_timezone("Mars/Olympus").is_err_and(|reason| reason.contains("`Mars/Olympus` is not a time zone"))
        );
    }

    #[test]
    fn every_configuration_that_setup_writes_is_valid_toml_with_the_answers() {
        for (domain, https, is_system) in [
            (None, TlsTermination::Lectern, false),
            (Some("events.example.com"), TlsTermination::Lectern, true),
            (Some("events.example.com"), TlsTermination::Proxy, true),
        ] {
            let answers = Answers {
                domain: domain.map(str::to_owned),
                https,
                name: "A \"fine\" company".to_owned(),
                timezone: "America/Denver".to_owned(),
                email: "ada@example.com".to_owned(),
                password: None,
            };
            let text = answers.configuration(is_system, Some(Path::new("/srv/l.db")));
            let table: toml::Table = text.parse().unwrap();
            assert_eq!(table["database"]["path"].as_str(), Some("/srv/l.db"), "{text}");
            assert_eq!(table["brandlive"]["defaults"]["timezone"].as_str(), Some("America/Denver"));
            assert_eq!(table.contains_key("https"), domain.is_some() && https == TlsTermination::Lectern, "{text}");
            assert_eq!(table.contains_key("server"), domain.is_some() && https == TlsTermination::Proxy, "{text}");
            assert_eq!(table.contains_key("backup"), is_system, "{text}");
        }
    }
}
