//! Loads the configuration. Precedence: flags, environment variables, file, defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_path_to_error::Segment;
use toml::Table;
use toml::de::{DeArray, DeTable};

use super::error::{ConfigError, reword};
use super::{Config, Domain, Listen, environment};

/// Read if it exists and no other file is named, but not by root.
pub const DEFAULT_FILE: &str = "config.toml";
/// Read if there is no other. Commands read it in any folder, so its paths are absolute.
pub const SYSTEM_FILE: &str = "/etc/lectern/config.toml";

/// Settings from the command line; they take precedence over the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--config`, or the file that [`default_file`] found.
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
    /// Whether the server reads it, which needs the tokens with which it purges caches.
    pub is_server: bool,
}

/// The file to read if none is named: that of the working directory, else that of the system. Root reads only the
/// latter, because anyone may have put a file into the folder where root runs a command.
///
/// # Errors
/// Root's working directory has a file, and the system has none.
pub fn default_file(as_root: bool) -> Result<Option<PathBuf>, ConfigError> {
    find_file(as_root, Path::new(DEFAULT_FILE), Path::new(SYSTEM_FILE))
}

fn find_file(as_root: bool, local: &Path, system: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let file = [local, system].into_iter().find(|file| file.exists() && (!as_root || *file == system));
    if file.is_none() && local.exists() {
        let name = local.display();
        return Err(ConfigError::Invalid(format!(
            "Root does not read the {name} of a folder, because anyone may have put it there; if it is yours, name it \
             with --config {name}, otherwise see 'lectern setup --help'."
        )));
    }
    Ok(file.map(Path::to_owned))
}

/// Loads the configuration with the variables of the environment.
///
/// # Errors
/// The file can't be read, or the file or a variable contains an unknown key or an invalid value, or a path of the
/// system's file is relative.
pub fn load(
    overrides: &Overrides,
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<Config, ConfigError> {
    let variables = variables.into_iter().collect();
    let (file, table) = match &overrides.config {
        Some(path) => read(path).map(|(file, table)| (Some(file), table))?,
        None => (None, Table::new()),
    };
    let mut config = environment::apply(table, &variables)?;
    let sources = Sources { file: file.as_ref(), variables: &variables, overrides };
    if overrides.config.as_deref() == Some(Path::new(SYSTEM_FILE)) {
        check_absolute(&config, overrides.database.is_some()).map_err(|problem| sources.error(&problem))?;
    }
    config.backup.check(!overrides.without_s3_key).map_err(|problem| sources.error(&problem))?;
    config.cache.check(overrides.is_server).map_err(|problem| sources.error(&problem))?;
    if let Some(listen) = overrides.listen {
        config.server.listen = listen;
    }
    if let Some(path) = &overrides.database {
        config.database.path.clone_from(path);
    }
    if !overrides.https.is_empty() {
        config.https.domains.clone_from(&overrides.https);
    }
    config.https.check(&config.server).map_err(|problem| sources.error(&problem))?;
    Ok(config)
}

/// Where settings come from.
struct Sources<'a> {
    file: Option<&'a File>,
    variables: &'a BTreeMap<String, String>,
    overrides: &'a Overrides,
}

impl Sources<'_> {
    /// The error about a problem that begins with the key of a setting, and ends without a full stop. Names the flag, the
    /// variable, or the file and the line that set it.
    fn error(&self, problem: &str) -> ConfigError {
        let key = problem.split([' ', ':']).next().unwrap_or_default();
        let place = match self.file {
            _ if key == "https.domains" && !self.overrides.https.is_empty() => "--https: ".to_owned(),
            file => match (environment::source_of(key, self.variables), file) {
                (Some(variable), _) => format!("{variable}: "),
                (None, Some(file)) => {
                    let line = line_of_key(&file.text, key).map_or_else(String::new, |line| format!(", line {line}"));
                    format!("{}{line}: ", file.name)
                }
                (None, None) => String::new(),
            },
        };
        ConfigError::Invalid(format!("{place}{problem}."))
    }
}

/// Checks that the paths do not depend on the working directory.
fn check_absolute(config: &Config, database_named: bool) -> Result<(), String> {
    let database = Some(config.database.path.as_path()).filter(|_| !database_named);
    let paths = [("database.path", database), ("backup.dir", config.backup.dir.as_deref())];
    match paths.into_iter().find(|(_, path)| path.is_some_and(Path::is_relative)) {
        Some((key, _)) => Err(format!(
            "{key}: this must be an absolute path, such as \"/var/lib/lectern/{}\", because this file is read in any \
             folder",
            if key == "database.path" { "lectern.db" } else { "backups" },
        )),
        None => Ok(()),
    }
}

/// A configuration file.
struct File {
    /// Its name in messages.
    name: String,
    text: String,
}

/// Whether a configuration file contains a secret itself; one that can't be read does not.
pub fn contains_secret(file: &Path) -> bool {
    read(file).is_ok_and(|(_, table)| environment::contains_secret(table))
}

fn read(path: &Path) -> Result<(File, Table), ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    let name = path.display().to_string();
    let table = parse(&text, &name)?;
    Ok((File { name, text }, table))
}

/// Parses and checks TOML. Errors name the file as `name`, the line, the key and the allowed values.
fn parse(text: &str, name: &str) -> Result<Table, ConfigError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = line_of(text, &error);
        let key = line.and_then(|line| key_on(text.lines().nth(line - 1)?)).unwrap_or_default();
        let message = error.message();
        // Missing quotes are the most frequent mistake, which TOML's messages do not mention. The library has no kinds of
        // errors, and for a key that is set twice the hint would be wrong.
        let hint = if message == "duplicate key" { "" } else { "; strings must be in double quotes" };
        config_error(name, line, key, &format!("this is not TOML ({message}){hint}"))
    })?;
    environment::config_of(table.clone()).map_err(|error| {
        let key = error.path().to_string();
        let message = reword(error.inner().message());
        let line = line_of_named_key(text, &key, &message).or_else(|| line_of_value(text, error.path()));
        config_error(name, line, &key, &message)
    })?;
    Ok(table)
}

fn line_of(text: &str, error: &toml::de::Error) -> Option<usize> {
    error.span().map(|span| line_at(text, span.start.min(text.len())))
}

/// The number of the line that contains a position in bytes.
fn line_at(text: &str, position: usize) -> usize {
    text[..position].matches('\n').count() + 1
}

/// The line of the value at a path.
fn line_of_value(text: &str, path: &serde_path_to_error::Path) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let mut start = file.span().start;
    let mut table = Some(file.get_ref());
    let mut list = None;
    for segment in path {
        let value = match segment {
            Segment::Map { key } => table?.get(key.as_str())?,
            Segment::Seq { index } => list.and_then(|list: &DeArray<'_>| list.get(*index))?,
            // Of an enum, or unknown.
            Segment::Enum { .. } | Segment::Unknown => break,
        };
        start = value.span().start;
        (table, list) = (value.get_ref().as_table(), value.get_ref().as_array());
    }
    Some(line_at(text, start))
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
    Some(line_at(text, key.span().start))
}

/// The line of a key such as `https.listen`, or of its section if that does not set it.
fn line_of_key(text: &str, key: &str) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let mut table = Some(file.get_ref());
    let mut start = None;
    for name in key.split('.') {
        let Some((found, value)) = table.and_then(|table| table.get_key_value(name)) else { break };
        start = Some(found.span().start);
        table = value.get_ref().as_table();
    }
    start.map(|start| line_at(text, start))
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

#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_has_precedence_over_the_system_but_root_reads_the_system_only() {
        let folder = tempfile::tempdir().unwrap();
        let (local, system) = (folder.path().join("config.toml"), folder.path().join("system.toml"));
        let find = |as_root| find_file(as_root, &local, &system);
        assert_eq!((find(false).unwrap(), find(true).unwrap()), (None, None));
        std::fs::write(&local, "").unwrap();
        assert_eq!(find(false).unwrap().as_ref(), Some(&local));
        let refused = find(true).unwrap_err().to_string();
        assert!(refused.contains("anyone may have put it there") && refused.contains("--config"), "{refused}");
        std::fs::write(&system, "").unwrap();
        assert_eq!(find(false).unwrap().as_ref(), Some(&local));
        assert_eq!(find(true).unwrap().as_ref(), Some(&system));
        std::fs::remove_file(&local).unwrap();
        assert_eq!(find(false).unwrap().as_ref(), Some(&system));
    }

    #[test]
    fn the_paths_of_the_systems_file_are_absolute() {
        let mut config = Config::default();
        let message = check_absolute(&config, false).unwrap_err();
        assert!(message.starts_with("database.path: ") && message.contains("lectern.db\""), "{message}");
        check_absolute(&config, true).unwrap();
        config.database.path = "/var/lib/lectern/lectern.db".into();
        check_absolute(&config, false).unwrap();
        config.backup.dir = Some("backups".into());
        assert!(check_absolute(&config, false).unwrap_err().starts_with("backup.dir: "));
    }
}
