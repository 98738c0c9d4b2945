//! Loads the configuration. Precedence: flags, environment variables, file, defaults.

use std::path::{Path, PathBuf};

use toml::Table;
use toml::de::DeTable;

use super::error::{ConfigError, reword};
use super::{Config, Domain, Listen, environment};

/// Read if it exists and no other file is named.
pub const DEFAULT_FILE: &str = "config.toml";

/// Settings from the command line; they take precedence over the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--database`
    pub database: Option<PathBuf>,
    /// `--listen`
    pub listen: Option<Listen>,
    /// `--https`; empty if it is not given.
    pub https: Vec<Domain>,
    /// Whether the key of the S3 storage may be missing: only the environment of the server may have it, and most
    /// commands do not need it.
    pub without_s3_key: bool,
}

/// Loads the configuration with the variables of the environment.
///
/// # Errors
/// The file can't be read, or the file or a variable contains an unknown key or an invalid value.
pub fn load(
    overrides: &Overrides,
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<Config, ConfigError> {
    let file = match &overrides.config {
        Some(path) => read(path)?,
        None if Path::new(DEFAULT_FILE).exists() => read(Path::new(DEFAULT_FILE))?,
        None => Table::new(),
    };
    let mut config = environment::apply(file, &variables.into_iter().collect())?;
    config.backup.check(!overrides.without_s3_key).map_err(|problem| ConfigError::Invalid(format!("{problem}.")))?;
    if let Some(listen) = overrides.listen {
        config.server.listen = listen;
    }
    if let Some(path) = &overrides.database {
        config.database.path.clone_from(path);
    }
    if !overrides.https.is_empty() {
        config.https.domains.clone_from(&overrides.https);
    }
    config.https.check(&config.server).map_err(|problem| ConfigError::Invalid(format!("{problem}.")))?;
    Ok(config)
}

fn read(path: &Path) -> Result<Table, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    parse(&text, &path.display().to_string())
}

/// Parses and checks TOML. Errors name the file as `name`, the line, the key and the allowed values.
fn parse(text: &str, name: &str) -> Result<Table, ConfigError> {
    let reader = toml::Deserializer::parse(text).map_err(|error| {
        let line = line_of(text, &error);
        let key = line.and_then(|line| key_on(text.lines().nth(line - 1)?)).unwrap_or_default();
        let message = error.message();
        // Missing quotes are the most frequent mistake, which TOML's messages do not mention.
        let hint = if message == "duplicate key" { "" } else { "; strings must be in double quotes" };
        config_error(name, line, key, &format!("this is not TOML ({message}){hint}"))
    })?;
    serde_path_to_error::deserialize::<_, Config>(reader).map_err(|error| {
        let key = error.path().to_string();
        let message = reword(error.inner().message());
        let line = line_of_named_key(text, &key, &message).or_else(|| line_of(text, error.inner()));
        config_error(name, line, &key, &message)
    })?;
    text.parse().map_err(|error: toml::de::Error| config_error(name, line_of(text, &error), "", error.message()))
}

fn line_of(text: &str, error: &toml::de::Error) -> Option<usize> {
    error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1)
}

/// The line of a key that a message about its section names.
fn line_of_named_key(text: &str, section: &str, message: &str) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let mut table = file.get_ref();
    for name in section.split('.') {
        table = table.get(name)?.get_ref().as_table()?;
    }
    let mut words = message.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let (key, _) = words.find_map(|word| table.get_key_value(word))?;
    Some(text[..key.span().start].matches('\n').count() + 1)
}

/// The key that a line sets, without the value, which may be a secret.
fn key_on(line: &str) -> Option<&str> {
    let key = line.split_once('=')?.0.trim();
    (!key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')).then_some(key)
}

fn config_error(name: &str, line: Option<usize>, key: &str, message: &str) -> ConfigError {
    let line = line.map_or_else(String::new, |line| format!(", line {line}"));
    let key = if key.is_empty() || key == "." { String::new() } else { format!("{key}: ") };
    let message = message.trim().replace('\n', " ");
    ConfigError::Invalid(format!("{name}{line}: {key}{message}."))
}
