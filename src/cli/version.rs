//! `lectern --version`

use std::io::Write as _;
use std::path::Path;

use super::Config;
use crate::platform::config::ConfigError;
use crate::platform::db;
use crate::platform::system_user::{self, SystemUser};

/// Prints the version, and with `--verbose` the files and the user of the commands.
pub(super) fn print(
    is_verbose: bool,
    file: Result<Option<&Path>, &ConfigError>,
    load: impl FnOnce() -> Result<Config, ConfigError>,
) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "lectern {}", env!("CARGO_PKG_VERSION"))?;
    if !is_verbose {
        return Ok(());
    }
    let line = |name: &str, value: &str| format!("{name:<14} {value}");
    writeln!(out, "{}", line("schema", &format!("V{}, SQLite {}", db::newest_version(), rusqlite::version())))?;
    writeln!(out, "{}", line("platform", &format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)))?;
    let configuration = match file {
        Ok(file) => configuration(file),
        Err(error) => error.to_string(),
    };
    writeln!(out, "{}", line("configuration", &configuration))?;
    let loaded = file.is_ok().then(load);
    match &loaded {
        Some(Ok(config)) => {
            let path = &config.database.path;
            let state = if path.exists() { "" } else { " (does not exist yet)" };
            writeln!(out, "{}", line("database", &format!("{}{state}", absolute(path))))?;
            writeln!(out, "{}", line("user", &user(path)))?;
        }
        Some(Err(error)) => writeln!(out, "{}", line("database", &format!("unknown: {error}")))?,
        None => {}
    }
    Ok(())
}

/// The file that is read, or where one is looked for.
pub(super) fn configuration(file: Option<&Path>) -> String {
    use crate::platform::config::{DEFAULT_FILE, SYSTEM_FILE};

    match file {
        Some(file) => absolute(file),
        None if system_user::is_root() => format!("none: {SYSTEM_FILE} does not exist"),
        None => format!("none: neither {} nor {SYSTEM_FILE} exists", absolute(Path::new(DEFAULT_FILE))),
    }
}

/// The user under which commands open the database.
fn user(database: &Path) -> String {
    match system_user::owner_of(database).filter(|_| system_user::is_root()) {
        Some(owner) => format!("{owner} (root runs commands as the owner of the database)"),
        None => system_user::current_name(),
    }
}

/// The path for a reader who does not know the working directory.
pub(super) fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// The message for the log of a server that root has started.
pub(super) fn became(user: &SystemUser, database: &Path) -> String {
    format!("started by root; running as the user {user}, who owns {}", absolute(database))
}
