//! Where settings come from: flags, then the environment, then the file, then the defaults.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Config, Listen, Secret, WebAddress};

/// The file that is read where none is named and this one exists.
const DEFAULT_FILE: &str = "config.toml";

/// What the command line says; each stands above the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--database`
    pub database: Option<PathBuf>,
    /// `--listen`
    pub listen: Option<Listen>,
}

/// Why the settings can't be used: one sentence that names the file, the line and the key.
#[derive(Debug)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

/// Reads the settings. `environment` answers for a variable's name.
///
/// # Errors
/// The file can't be read, holds an unknown key or a bad value, or a variable does.
pub fn load(overrides: &Overrides, environment: impl Fn(&str) -> Option<String>) -> Result<Config, ConfigError> {
    let mut config = match &overrides.config {
        Some(path) => read(path)?,
        None if Path::new(DEFAULT_FILE).exists() => read(Path::new(DEFAULT_FILE))?,
        None => Config::default(),
    };
    let variable = |name: &str| environment(name).filter(|value| !value.trim().is_empty());
    if let Some(text) = variable("LECTERN_BASE_URL") {
        let address: WebAddress = text.parse().map_err(|reason| ConfigError(format!("LECTERN_BASE_URL: {reason}.")))?;
        config.server.base_url = Some(address);
    }
    let secret = |name: &str, slot: &mut Option<Secret>| {
        if let Some(text) = variable(name) {
            *slot = Secret::new(&text);
        }
    };
    secret("LECTERN_PLACES_SERVER_KEY", &mut config.places.server_key);
    secret("LECTERN_BRANDLIVE_API_KEY", &mut config.brandlive.api_key);
    secret("LECTERN_BRANDLIVE_API_SECRET", &mut config.brandlive.api_secret);
    if let Some(listen) = overrides.listen {
        config.server.listen = listen;
    }
    if let Some(path) = &overrides.database {
        config.database.path.clone_from(path);
    }
    Ok(config)
}

fn read(path: &Path) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::InvalidData => "it is not a text file".to_owned(),
            _ => error.to_string(),
        };
        ConfigError(format!("The configuration {} can't be read: {reason}.", path.display()))
    })?;
    parse(&text, &path.display().to_string())
}

/// Reads settings from TOML; `name` is what the file is called in an error.
///
/// # Errors
/// An unknown key or a bad value, with its line and what is allowed.
pub fn parse(text: &str, name: &str) -> Result<Config, ConfigError> {
    let reader = toml::Deserializer::parse(text).map_err(|error| at_line(text, name, &error, ""))?;
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let key = error.path().to_string();
        at_line(text, name, error.inner(), &key)
    })
}

fn at_line(text: &str, name: &str, error: &toml::de::Error, key: &str) -> ConfigError {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let place = line.map_or_else(String::new, |line| format!(", line {line}"));
    let key = if key.is_empty() || key == "." { String::new() } else { format!("{key}: ") };
    let message = error.message().trim().replace('\n', " ");
    ConfigError(format!("{name}{place}: {key}{message}."))
}
