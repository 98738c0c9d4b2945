//! Settings from environment variables, and secrets from files.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use super::Config;
use super::error::{ConfigError, LIST, WRONG_TYPE, reword};

/// Short names of settings. `LECTERN_LISTEN`, `LECTERN_DATABASE` and `LECTERN_CONFIG` belong to flags of the command
/// line.
const SHORT_NAMES: [(&str, &str); 5] = [
    ("LECTERN_BASE_URL", "server.base_url"),
    ("LECTERN_LOG", "log.level"),
    ("LECTERN_PLACES_SERVER_KEY", "places.server_key"),
    ("LECTERN_BRANDLIVE_API_KEY", "brandlive.api_key"),
    ("LECTERN_BRANDLIVE_API_SECRET", "brandlive.api_secret"),
];
/// Settings that may be in files of their own.
const SECRETS: [&str; 8] = [
    "backup.s3.access_key",
    "backup.s3.secret_key",
    "cache.purge.fastly.token",
    "cache.purge.cloudflare.token",
    "cache.purge.url.token",
    "places.server_key",
    "brandlive.api_key",
    "brandlive.api_secret",
];
/// Where systemd puts credentials (`systemd.exec`, `LoadCredential=`).
const CREDENTIALS: &str = "CREDENTIALS_DIRECTORY";

/// A value and its source.
struct Setting {
    source: String,
    path: String,
    text: String,
}

/// Whether a configuration file has one of the settings that may be in files of their own.
pub(super) fn contains_secret(file: Table) -> bool {
    let file = Value::Table(file);
    SECRETS.iter().any(|path| path.split('.').try_fold(&file, |value, key| value.get(key)).is_some())
}

/// Replaces settings of a configuration file by those of the environment.
///
/// # Errors
/// A variable names no setting or has an invalid value, or a file of a secret can't be read.
pub(super) fn apply(file: Table, variables: &BTreeMap<String, String>) -> Result<Config, ConfigError> {
    let mut table = file;
    for Setting { source, path, text } in settings(variables)? {
        let replace = |value| with(&table, &path, value);
        // A string may look like a number, so the setting decides what it takes.
        let in_toml = toml_value(&text);
        let has_brackets = in_toml.as_ref().is_some_and(Value::is_array);
        table = replace(Value::String(text.clone()))
            .or_else(|error| in_toml.map_or(Err(error), replace))
            .or_else(|error| {
                // Without brackets, the error of a list is about one of its values.
                let is_of_list = !has_brackets && error.contains(LIST);
                replace(list(&text))
                    .map_err(|of_value| if is_of_list && !of_value.starts_with(WRONG_TYPE) { of_value } else { error })
            })
            .map_err(|reason| ConfigError::Invalid(format!("{source}: {reason}.")))?;
    }
    config(table).map_err(|reason| ConfigError::Invalid(format!("{reason}.")))
}

/// The settings of the environment. Those of variables follow credentials and take precedence.
fn settings(variables: &BTreeMap<String, String>) -> Result<Vec<Setting>, ConfigError> {
    let mut settings = Vec::new();
    if let Some(folder) = variables.get(CREDENTIALS) {
        for secret in SECRETS {
            let file = Path::new(folder).join(secret);
            if file.exists() {
                let source = file.display().to_string();
                settings.push(Setting { text: read(&source, &file)?, source, path: secret.to_owned() });
            }
        }
    }
    for (source, text) in variables.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let secret = source.strip_suffix("_FILE").and_then(path_of).filter(|path| SECRETS.contains(&path.as_str()));
        if let Some(path) = secret {
            settings.push(Setting { source: source.clone(), path, text: read(source, Path::new(text))? });
        } else if let Some(path) = path_of(source) {
            settings.push(Setting { source: source.clone(), path, text: text.clone() });
        }
    }
    Ok(settings)
}

/// The variable, or the file of a credential, that sets a key; `None` if none does.
pub(super) fn source_of(key: &str, variables: &BTreeMap<String, String>) -> Option<String> {
    settings(variables).ok()?.into_iter().rfind(|setting| setting.path == key).map(|setting| setting.source)
}

/// The setting of a variable, such as `site.contact.phone` of `LECTERN_SITE__CONTACT__PHONE`.
fn path_of(variable: &str) -> Option<String> {
    if let Some((_, path)) = SHORT_NAMES.iter().find(|(name, _)| *name == variable) {
        return Some((*path).to_owned());
    }
    let path = variable.strip_prefix("LECTERN_").filter(|path| path.contains("__"))?;
    Some(path.replace("__", ".").to_ascii_lowercase())
}

/// Whether a variable sets something. `LECTERN_LISTEN`, `LECTERN_DATABASE` and `LECTERN_CONFIG` belong to flags,
/// `LECTERN_ADMIN_PASSWORD` to `lectern setup` and `lectern create-admin`.
pub fn is_known(variable: &str) -> bool {
    let file = |name: &str| path_of(name).is_some_and(|path| SECRETS.contains(&path.as_str()));
    ["LECTERN_LISTEN", "LECTERN_DATABASE", "LECTERN_CONFIG", "LECTERN_ADMIN_PASSWORD"].contains(&variable)
        || path_of(variable).is_some()
        || variable.strip_suffix("_FILE").is_some_and(file)
}

fn read(source: &str, file: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(file).map(|text| text.trim_end().to_owned()).map_err(|error| {
        ConfigError::UnreadableSecret { variable: source.to_owned(), path: file.to_owned(), source: error }
    })
}

/// A value in TOML's syntax, such as `3` or `["a", "b"]`.
fn toml_value(text: &str) -> Option<Value> {
    toml::from_str::<Table>(&format!("value = {text}")).ok()?.remove("value")
}

/// Values that are separated by commas.
fn list(text: &str) -> Value {
    Value::Array(text.split(',').map(|item| Value::String(item.trim().to_owned())).collect())
}

/// The table with another value at `path`, if that is a valid configuration.
fn with(table: &Table, path: &str, value: Value) -> Result<Table, String> {
    let mut changed = table.clone();
    let (sections, key) = path.rsplit_once('.').ok_or("this names no setting")?;
    let mut section = &mut changed;
    for name in sections.split('.') {
        let entry = section.entry(name.to_owned()).or_insert_with(|| Value::Table(Table::new()));
        section = entry.as_table_mut().ok_or("this names no setting")?;
    }
    section.insert(key.to_owned(), value);
    config(changed.clone()).map(|_| changed)
}

/// The configuration in a table. The only place that reads one, because the code for it is large.
pub(super) fn config_of(table: Table) -> Result<Config, serde_path_to_error::Error<toml::de::Error>> {
    serde_path_to_error::deserialize(Value::Table(table))
}

fn config(table: Table) -> Result<Config, String> {
    config_of(table).map_err(|error| reword(error.inner().message().trim()))
}
