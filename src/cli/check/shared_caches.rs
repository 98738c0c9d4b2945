//! Shared caches in `lectern check`: which are purged, and whether their purges succeed.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use super::{Config, Finding, note, ok, problem};
use crate::features::cache_purge::{self, PendingChanges, PurgeFailure, Target};
use crate::platform::clock::{minute_utc, parse_timestamp};
use crate::platform::error::AppError;

/// The topic of the findings.
const TOPIC: &str = "cache";
/// A change that waits for longer is a problem: a purge takes a second, and a cache may take some to respond.
const LONGEST_WAIT: TimeDelta = TimeDelta::minutes(1);

/// How long shared caches may store responses, and which are purged.
pub(super) fn settings(config: &Config) -> Option<Finding> {
    let (seconds, caches) = (config.cache.seconds(), Target::all(&config.cache.purge, &config.network));
    let names: Vec<&str> = caches.iter().map(Target::name).collect();
    let stored = format!("shared caches may store responses for {seconds} seconds");
    match (seconds, names.as_slice()) {
        (0, []) => None,
        (0, names) => Some(note(TOPIC, format!("{} has purges configured, but cache.seconds is 0", names.join(", ")))),
        (_, []) => Some(note(TOPIC, format!("{stored}, and no purge is configured; see [cache.purge]"))),
        (_, names) => Some(note(TOPIC, format!("{stored}; purged after changes: {}", names.join(", ")))),
    }
}

/// Whether the purges of the configured caches succeed, and the changes that wait for them.
///
/// # Errors
/// The database can't be read.
pub(super) fn purges(config: &Config, connection: &Connection, now: DateTime<Utc>) -> Result<Vec<Finding>, AppError> {
    let caches = Target::all(&config.cache.purge, &config.network);
    if caches.is_empty() {
        return Ok(Vec::new());
    }
    let (failures, pending) = (cache_purge::failures(connection)?, cache_purge::pending_changes(connection)?);
    let mut findings: Vec<Finding> = caches
        .iter()
        .filter_map(|cache| Some((cache, failures.iter().find(|failure| failure.cache == cache.name())?)))
        .map(|(cache, failure)| failed(cache, failure))
        .collect();
    findings.extend(waiting(&pending, !findings.is_empty(), now));
    if findings.is_empty() {
        findings.push(ok(TOPIC, "no change waits for a purge"));
    }
    Ok(findings)
}

fn failed(cache: &Target, PurgeFailure { message, since, .. }: &PurgeFailure) -> Finding {
    problem(TOPIC, format!("{message}; purges at {} have failed since {}", cache.origin(), shown(since)))
}

/// The changes that wait; `None` if there are none.
fn waiting(pending: &PendingChanges, has_failures: bool, now: DateTime<Utc>) -> Option<Finding> {
    let what = match pending.keys {
        0 => return None,
        1 => "1 key of changed content waits for a purge".to_owned(),
        count => format!("{count} keys of changed content wait for a purge"),
    };
    let since = pending.since.as_deref();
    let text = since.map_or_else(|| what.clone(), |since| format!("{what}, the oldest since {}", shown(since)));
    let is_overdue = since.and_then(parse_timestamp).is_some_and(|since| now - since > LONGEST_WAIT);
    Some(match (has_failures, is_overdue) {
        (true, _) => problem(TOPIC, format!("{text}; until then caches may send visitors what it was before")),
        (false, true) => problem(TOPIC, format!("{text}; start the server, which purges, or see its log")),
        (false, false) => note(TOPIC, text),
    })
}

/// `2026-11-20 23:51 UTC`
fn shown(timestamp: &str) -> String {
    parse_timestamp(timestamp).map_or_else(|| timestamp.to_owned(), minute_utc)
}
