//! The error of an invalid configuration.

use std::io;
use std::path::{Path, PathBuf};

/// Names of settings in earlier releases, which are still accepted but not suggested.
const EARLIER_NAMES: [&str; 3] = ["`call_seconds`", "`way`", "`form`"];

/// How a message about a value of another type begins.
pub(super) const WRONG_TYPE: &str = "this must be ";
/// What such a message calls a list.
pub(super) const LIST: &str = "a list in square brackets";

/// A configuration error: a message that names the file or the variable, the line and the key.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A setting is unknown or has an invalid value.
    #[error("{0}")]
    Invalid(String),
    /// The file can't be read.
    #[error("The configuration {} can't be read: {}{}.", path.display(), reason(source), hint(path, source))]
    Unreadable { path: PathBuf, source: io::Error },
    /// The file of a secret can't be read.
    #[error("{variable}: {} can't be read: {}.", path.display(), reason(source))]
    UnreadableSecret {
        /// The variable that names the file, or the file of a credential.
        variable: String,
        path: PathBuf,
        source: io::Error,
    },
}

/// Only root and the server's user may read the system's file.
fn hint(path: &Path, error: &io::Error) -> &'static str {
    let is_denied = error.kind() == io::ErrorKind::PermissionDenied && path == Path::new(super::SYSTEM_FILE);
    if is_denied { "; run the command as root, such as with sudo" } else { "" }
}

/// An error of the file system in words for the operator.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::InvalidData => "it is not a text file (UTF-8)".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "its permissions do not allow it".to_owned(),
        _ => error.to_string(),
    }
}

/// Rewords a message of serde without Rust terms.
pub(super) fn reword(message: &str) -> String {
    if let Some((_, allowed)) = message.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", expected ")) {
        let allowed: Vec<&str> = allowed.trim_start_matches("one of ").split(", ").collect();
        let current = allowed.into_iter().filter(|name| !EARLIER_NAMES.contains(name)).collect::<Vec<_>>();
        return format!("unknown setting; expected {}", current.join(", "));
    }
    if let Some((found, allowed)) =
        message.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected "))
    {
        let allowed = allowed.trim_start_matches("one of ");
        let allowed =
            allowed.rsplit_once(", ").map_or(allowed.to_owned(), |(first, last)| format!("{first} or {last}"));
        return format!("{WRONG_TYPE}{allowed}, not {found}");
    }
    if let Some(key) = message.strip_prefix("missing field ") {
        return format!("{key} is missing");
    }
    let found = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, expected)) = found.and_then(|rest| rest.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let expected = match expected {
        "u32" => "a whole number of 0 or more",
        "i64" => "a whole number",
        "a string" => "a string in double quotes",
        "a boolean" => "true or false",
        "a sequence" => LIST,
        other if other == "a map" || other.starts_with("struct ") => "a section with its own settings",
        other => other,
    };
    let found = match found {
        "sequence" => "a list",
        "map" => "a section",
        other => other.trim_start_matches("integer ").trim_start_matches("string ").trim_start_matches("boolean "),
    };
    format!("{WRONG_TYPE}{expected}, not {found}")
}
