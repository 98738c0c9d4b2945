//! `[backup]`: backups of the database on a schedule.

use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use rusty_s3::{Bucket, Credentials, UrlStyle};
use serde::{Deserialize, Deserializer, de::Error as _};
use url::Url;

use super::values::{HttpUrl, Secret, or_blank, secret_or_blank, text_or_blank};

/// `[backup]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Backup {
    /// The folder of the backups; without it there is no schedule.
    #[serde(deserialize_with = "folder")]
    pub dir: Option<PathBuf>,
    /// The time between two backups.
    #[serde(deserialize_with = "interval")]
    pub every: Duration,
    /// Which backups are kept.
    pub keep: Keep,
    /// Storage that receives each backup.
    pub s3: S3,
}

impl Default for Backup {
    fn default() -> Self {
        Self { dir: None, every: Duration::from_hours(24), keep: Keep::default(), s3: S3::default() }
    }
}

impl Backup {
    /// Whether a backup of this instant is too old: two intervals have passed since.
    pub fn is_overdue(&self, taken_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        let every = TimeDelta::from_std(self.every).unwrap_or(TimeDelta::MAX);
        now - taken_at > every * 2
    }

    /// Checks the settings that depend on each other, which variables and credentials set one after the other.
    ///
    /// # Errors
    /// A message about what is missing.
    pub(super) fn check(&self, needs_key: bool) -> Result<(), String> {
        let s3 = &self.s3;
        if s3.bucket.is_none() {
            return Ok(());
        }
        let missing: Vec<&str> = [
            ("backup.dir", self.dir.is_none()),
            ("backup.s3.endpoint", s3.endpoint.is_none()),
            ("backup.s3.access_key", needs_key && s3.access_key.is_none()),
            ("backup.s3.secret_key", needs_key && s3.secret_key.is_none()),
        ]
        .into_iter()
        .filter_map(|(key, is_missing)| is_missing.then_some(key))
        .collect();
        if !missing.is_empty() {
            return Err(format!(
                "backup.s3.bucket is set without {}; set what is missing, or leave backup.s3.bucket blank",
                missing.join(", ")
            ));
        }
        match s3.to_bucket() {
            Some(_) => Ok(()),
            None => {
                Err("backup.s3.endpoint and backup.s3.bucket do not form a host name; set backup.s3.path_style = true \
                         or correct them"
                    .to_owned())
            }
        }
    }
}

/// `[backup.keep]`: of how many days, weeks and months the newest backup is kept. The newest of all always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keep {
    /// Days (UTC) with a backup.
    pub daily: u32,
    /// Weeks (ISO 8601) with a backup.
    pub weekly: u32,
    /// Months with a backup.
    pub monthly: u32,
}

impl Default for Keep {
    fn default() -> Self {
        Self { daily: 7, weekly: 4, monthly: 12 }
    }
}

/// `[backup.s3]`: S3-compatible storage that receives each backup.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct S3 {
    /// The URL of the storage, such as `https://s3.eu-central-1.amazonaws.com`; required with a bucket.
    #[serde(deserialize_with = "endpoint")]
    pub endpoint: Option<HttpUrl>,
    /// The bucket; without it there are no backups in S3.
    #[serde(deserialize_with = "bucket")]
    pub bucket: Option<String>,
    /// The region, which is part of a signature.
    #[serde(deserialize_with = "super::values::not_blank")]
    pub region: String,
    /// The folder in the bucket; blank, or with a slash at its end.
    #[serde(deserialize_with = "prefix")]
    pub prefix: String,
    /// The access key id.
    #[serde(deserialize_with = "secret_or_blank")]
    pub access_key: Option<Secret>,
    /// The secret access key, with which requests are signed.
    #[serde(deserialize_with = "secret_or_blank")]
    pub secret_key: Option<Secret>,
    /// Whether the bucket is in the path of URLs, not in the host name.
    pub path_style: bool,
}

impl Default for S3 {
    fn default() -> Self {
        Self {
            endpoint: None,
            bucket: None,
            region: "us-east-1".to_owned(),
            prefix: String::new(),
            access_key: None,
            secret_key: None,
            path_style: true,
        }
    }
}

impl S3 {
    /// The bucket and the key to it; `None` if they are not set.
    pub fn target(&self) -> Option<(Bucket, Credentials)> {
        let key = Credentials::new(self.access_key.as_ref()?.reveal(), self.secret_key.as_ref()?.reveal());
        Some((self.to_bucket()?, key))
    }

    /// Whether there is a bucket, but not the key to it, which only the environment of the server may have.
    pub fn lacks_key(&self) -> bool {
        self.bucket.is_some() && (self.access_key.is_none() || self.secret_key.is_none())
    }

    fn to_bucket(&self) -> Option<Bucket> {
        let endpoint = Url::parse(self.endpoint.as_ref()?.as_str()).ok()?;
        let style = if self.path_style { UrlStyle::Path } else { UrlStyle::VirtualHost };
        Bucket::new(endpoint, style, self.bucket.clone()?, self.region.clone()).ok()
    }
}

/// A URL without a user name, which would be a secret in messages, and without a query.
fn endpoint<'de, D: Deserializer<'de>>(from: D) -> Result<Option<HttpUrl>, D::Error> {
    let text = String::deserialize(from)?;
    let url = Url::parse(text.trim()).ok();
    if url.as_ref().is_some_and(|url| !url.username().is_empty() || url.password().is_some()) {
        return Err(D::Error::custom("an endpoint has no user name and no password; use access_key and secret_key"));
    }
    if url.is_some_and(|url| url.query().is_some() || url.fragment().is_some()) {
        return Err(D::Error::custom(format!("`{text}` contains more than a host and a path")));
    }
    or_blank(serde::de::value::StringDeserializer::<D::Error>::new(text))
}

fn bucket<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let Some(name) = text_or_blank(from)? else { return Ok(None) };
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.len() <= 255;
    if is_name {
        Ok(Some(name))
    } else {
        Err(D::Error::custom(format!("`{name}` is not a valid bucket name; use letters, digits, dots and hyphens")))
    }
}

fn prefix<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = text_or_blank(from)?.unwrap_or_default();
    let folder = text.trim_matches('/');
    if folder.is_empty() {
        return Ok(String::new());
    }
    if folder.split('/').any(|part| matches!(part, "" | "." | "..")) || folder.contains(char::is_control) {
        return Err(D::Error::custom(format!("`{text}` is not a valid prefix; use one such as `sites/lectern`")));
    }
    Ok(format!("{folder}/"))
}

fn folder<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(text_or_blank(from)?.map(PathBuf::from))
}

/// `30 minutes`, `6 hours` or `1 day`, at most a year.
fn interval<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(from)?;
    let parse = || {
        let (number, unit) = text.trim().split_once(' ')?;
        let seconds = match unit.trim().trim_end_matches('s') {
            "minute" => 60,
            "hour" => 60 * 60,
            "day" => 24 * 60 * 60,
            _ => return None,
        };
        let seconds = number.parse::<u64>().ok()?.checked_mul(seconds)?;
        (60..=366 * 24 * 60 * 60).contains(&seconds).then(|| Duration::from_secs(seconds))
    };
    parse().ok_or_else(|| {
        D::Error::custom(format!(
            "`{text}` is not an interval; use a number and a unit such as `30 minutes`, `6 hours` or `1 day`"
        ))
    })
}
