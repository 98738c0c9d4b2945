//! Rejects inconsistent settings in the sections of `[brandlive]` when the file is read.

use http::HeaderName;
use serde::{Deserialize, Deserializer};

use super::super::Secret;
use super::types::{CredentialsMode, PagingMode, Pointer};
use super::{Brandlive, Credentials, Mapping, Paging, Status};

/// Checks that concern several sections.
pub(in super::super) fn brandlive<'de, D: Deserializer<'de>>(from: D) -> Result<Brandlive, D::Error> {
    let section = Brandlive::deserialize(from)?;
    let (credentials, paging) = (&section.credentials, &section.paging);
    let is_sent = |name: &String| match paging.mode {
        PagingMode::None => false,
        PagingMode::Next => *name == paging.size_parameter,
        PagingMode::Page | PagingMode::Offset | PagingMode::Cursor => {
            *name == paging.parameter || *name == paging.size_parameter
        }
    };
    let names = [("key_name", &credentials.key_name), ("secret_name", &credentials.secret_name)];
    let clash = names.into_iter().find(|(_, name)| !name.is_empty() && is_sent(name));
    let problem = clash.filter(|_| credentials.mode == CredentialsMode::Query).map(|(setting, name)| {
        format!("{setting} under [brandlive.credentials] and a parameter under [brandlive.paging] are both `{name}`")
    });
    let problem = problem.or_else(|| {
        let modes = [CredentialsMode::Headers, CredentialsMode::Bearer, CredentialsMode::BasicPlain];
        let is_sendable = |key: &Secret| key.reveal().bytes().all(|byte| matches!(byte, b' '..=b'~'));
        let keys = [("api_key", &section.api_key), ("api_secret", &section.api_secret)];
        let unsendable = keys.into_iter().find(|(_, key)| key.as_ref().is_some_and(|key| !is_sendable(key)));
        unsendable.filter(|_| modes.contains(&credentials.mode)).map(|(setting, _)| {
            format!(
                "{setting} contains characters beyond ASCII, which the mode under [brandlive.credentials] can't send"
            )
        })
    });
    let problem = problem.or_else(|| {
        let query = section.list_path.0.split_once('?').map_or("", |(_, query)| query);
        let mut names = url::form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name.into_owned());
        let name = names.find(is_sent)?;
        Some(format!("list_path and a parameter under [brandlive.paging] both set `{name}`"))
    });
    let problem = problem.or_else(|| {
        let is_basic = matches!(credentials.mode, CredentialsMode::Basic | CredentialsMode::BasicPlain);
        let key = section.api_key.as_ref().filter(|_| is_basic)?;
        let has_colon = key.reveal().contains(':');
        has_colon.then(|| "api_key contains a colon, which ends it in the modes basic and basic_plain".to_owned())
    });
    result(section, problem.as_deref())
}

/// Headers that describe the request and the connection, not its sender.
const RESERVED_HEADERS: [&str; 9] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "te",
    "transfer-encoding",
    "upgrade",
];

pub(super) fn credentials<'de, D: Deserializer<'de>>(from: D) -> Result<Credentials, D::Error> {
    let section = Credentials::deserialize(from)?;
    let problem = match section.mode {
        CredentialsMode::Headers | CredentialsMode::Query if section.key_name.trim().is_empty() => {
            Some("key_name is blank, and this mode sends the key under that name")
        }
        CredentialsMode::Headers if !is_header(&section.key_name) => Some("key_name is not a header name"),
        CredentialsMode::Headers if !section.secret_name.is_empty() && !is_header(&section.secret_name) => {
            Some("secret_name is not a header name")
        }
        CredentialsMode::Headers if is_reserved(&section.key_name) => {
            Some("key_name is a header that every request has already")
        }
        CredentialsMode::Headers if is_reserved(&section.secret_name) => {
            Some("secret_name is a header that every request has already")
        }
        CredentialsMode::Query if section.key_name.contains(char::is_control) => {
            Some("key_name contains control characters")
        }
        CredentialsMode::Query if section.secret_name.contains(char::is_control) => {
            Some("secret_name contains control characters")
        }
        CredentialsMode::Query if !section.secret_name.is_empty() && section.secret_name.trim().is_empty() => {
            Some("secret_name is blank")
        }
        CredentialsMode::Headers if section.key_name.eq_ignore_ascii_case(&section.secret_name) => {
            Some("key_name and secret_name are the same header")
        }
        CredentialsMode::Query if section.key_name == section.secret_name => {
            Some("key_name and secret_name are the same")
        }
        CredentialsMode::Token if section.token_path.0.is_empty() => {
            Some("token_path is blank, and this mode requests a token there")
        }
        CredentialsMode::Token if section.token.is_empty() => {
            Some("token is empty, and this mode reads the token with these pointers")
        }
        CredentialsMode::Token if !section.token_body.contains("{key}") => {
            Some("token_body has no {key} in it, and this mode sends the key there")
        }
        CredentialsMode::Token if !is_json_or_form(&section.token_body) => {
            Some("token_body is neither JSON nor a form; in JSON, {key} and {secret} are in double quotes")
        }
        _ => None,
    };
    result(section, problem)
}

/// A form such as `id={key}` has no white space, braces or quotes but those of its placeholders.
fn is_json_or_form(body: &str) -> bool {
    let form = body.replace("{key}", "").replace("{secret}", "");
    serde_json::from_str::<serde_json::Value>(body).is_ok()
        || (form.contains('=') && !form.contains(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '"')))
}

fn is_reserved(header: &str) -> bool {
    RESERVED_HEADERS.iter().any(|reserved| reserved.eq_ignore_ascii_case(header))
}

fn is_header(name: &str) -> bool {
    HeaderName::try_from(name).is_ok()
}

pub(super) fn paging<'de, D: Deserializer<'de>>(from: D) -> Result<Paging, D::Error> {
    let section = Paging::deserialize(from)?;
    let problem = match section.mode {
        PagingMode::Page | PagingMode::Offset | PagingMode::Cursor if section.parameter.trim().is_empty() => {
            Some("parameter is blank, and this mode requests the pages with it")
        }
        _ if section.parameter.contains(char::is_control) => Some("parameter contains control characters"),
        _ if section.size_parameter.contains(char::is_control) => Some("size_parameter contains control characters"),
        PagingMode::Cursor | PagingMode::Next if section.next.is_empty() => {
            Some("next is empty, and this mode finds the next page with these pointers")
        }
        PagingMode::Cursor | PagingMode::Next if section.next.iter().all(|pointer| pointer.0.is_empty()) => {
            Some("next refers to the whole response, which is not a cursor")
        }
        PagingMode::Page | PagingMode::Offset | PagingMode::Cursor if section.parameter == section.size_parameter => {
            Some("parameter and size_parameter are the same")
        }
        _ => {
            let refers_to_all = |pointers: &[Pointer]| pointers.iter().any(|pointer| pointer.0.is_empty());
            let lists = [("more", &section.more), ("total", &section.total), ("total_pages", &section.total_pages)];
            let blank = lists.into_iter().find(|(_, pointers)| refers_to_all(pointers));
            let problem =
                blank.map(|(field, _)| format!("a pointer in {field} is blank, which refers to the whole response"));
            return result(section, problem.as_deref());
        }
    };
    result(section, problem)
}

pub(super) fn mapping<'de, D: Deserializer<'de>>(from: D) -> Result<Mapping, D::Error> {
    let section = Mapping::deserialize(from)?;
    let has_start = !section.starts_at.is_empty() || !(section.date.is_empty() || section.time.is_empty());
    let blank = section.fields().into_iter().find(|(_, pointers)| pointers.iter().any(|pointer| pointer.0.is_empty()));
    let problem = match blank {
        Some((field, _)) => Some(format!("a pointer in {field} is blank, which refers to the whole item")),
        None => (!has_start).then(|| "an event needs starts_at, or both date and time".to_owned()),
    };
    result(section, problem.as_deref())
}

pub(super) fn status<'de, D: Deserializer<'de>>(from: D) -> Result<Status, D::Error> {
    let section = Status::deserialize(from)?;
    let words = || section.live.iter().chain(&section.skipped).chain(&section.cancelled);
    let is_cancelled = |word: &&String| {
        section.cancelled.iter().any(|other| other.trim().to_lowercase() == word.trim().to_lowercase())
    };
    let problem = if words().any(|word| word.trim().is_empty()) {
        Some("a status word is blank".to_owned())
    } else {
        section.live.iter().find(is_cancelled).map(|word| format!("`{}` is both in live and in cancelled", word.trim()))
    };
    result(section, problem.as_deref())
}

fn result<T, E: serde::de::Error>(section: T, problem: Option<&str>) -> Result<T, E> {
    problem.map_or(Ok(section), |problem| Err(E::custom(problem)))
}
