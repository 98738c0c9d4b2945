//! `lectern log`

use std::io::Write as _;
use std::str::FromStr;

use chrono::NaiveDate;
use clap::Args;

use super::{Config, connect_migrated};
use crate::features::activity::{self, Filter, LogEntry};
use crate::platform::db;

/// Show the activity log: who changed what, and when
///
/// One line per change, newest last, times in UTC. Works while the server runs and changes nothing.
#[derive(Args, Debug)]
pub(super) struct Log {
    /// Only changes of the event with this id
    #[arg(long, value_name = "ID", value_parser = number::<i64>)]
    event: Option<i64>,
    /// Only changes since this day (UTC, yyyy-MM-dd)
    #[arg(long, value_name = "yyyy-MM-dd", value_parser = day)]
    since: Option<NaiveDate>,
    /// Maximum number of changes, the latest ones
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u32>)]
    limit: u32,
    /// Print a JSON array with the values of every field before and after
    #[arg(long)]
    json: bool,
}

fn day(text: &str) -> Result<NaiveDate, String> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| "a day is written like 2026-03-10".to_owned())
}

fn number<T: FromStr + Default + PartialOrd>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number > T::default());
    number.ok_or_else(|| "it must be a whole number of at least 1".to_owned())
}

impl Log {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let connection = connect_migrated(config, db::connect_to_read)?;
        let since = self.since.map(|day| day.format("%Y-%m-%d").to_string());
        let mut entries = activity::latest(&connection, &Filter { event: self.event, since }, self.limit)?;
        entries.reverse();

        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&entries)?)?;
        } else if entries.is_empty() {
            writeln!(out, "{}", self.no_changes())?;
        }
        if !self.json {
            for entry in &entries {
                writeln!(out, "{}", format_entry(entry))?;
            }
        }
        Ok(())
    }

    fn no_changes(&self) -> String {
        let of = self.event.map(|id| format!(" of event {id}")).unwrap_or_default();
        let since = self.since.map(|day| format!(" since {day}")).unwrap_or_default();
        format!("No changes{of} are recorded{since}.")
    }
}

/// `2026-11-20 23:51:00  ada@example.com  changed event 12 “Reading a rent roll”: title, date`
fn format_entry(entry: &LogEntry) -> String {
    let LogEntry { entry, subject, subject_id, name } = entry;
    let at = entry.at.replace('T', " ").replace('Z', "");
    let number = subject_id.map(|id| format!(" {id}")).unwrap_or_default();
    // All fields of a created or deleted entity differ.
    let fields = match entry.action {
        activity::ActivityAction::Changed => entry.changes.iter().map(field_label).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let colon = if fields.is_empty() { "" } else { ": " };
    let line = format!(
        "{at}  {}  {} {subject}{number} “{name}”{colon}{}",
        entry.who,
        entry.action.as_str(),
        fields.join(", ")
    );
    // A name may contain control characters, which a terminal would interpret.
    line.replace(char::is_control, " ")
}

/// The field's name, or what became of the event. An event that is no longer hidden is `shown again`; `hidden` was a
/// field of earlier releases.
fn field_label(change: &activity::ActivityChange) -> &str {
    match (change.field.as_str(), change.before.as_deref(), change.after.as_deref()) {
        ("hidden", _, None) | ("status", Some("hidden"), Some("published")) => "shown again",
        ("status", _, Some("draft")) => "made a draft",
        ("status", _, Some(status)) => status,
        (field, ..) => field,
    }
}
