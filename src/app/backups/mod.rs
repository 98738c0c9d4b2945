//! Backups on a schedule: in a folder, and from there in S3.

mod s3;

use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::platform::backoff::Backoff;
use crate::platform::clock::minute_utc;
use crate::platform::config::Backup;
use crate::platform::db::{self, Db};
use crate::platform::error::ErrorChain;
use crate::platform::health::Problem;
use crate::platform::progress::ProgressMonitor;
use crate::platform::state::AppState;

pub use s3::upload_on_schedule;

/// The longest time until the clock is read again, which may be set in between.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// The delays between attempts after failures.
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(30), Duration::from_hours(1));
/// The time without progress after which a backup or an upload is reported; a large file may take long to flush.
const STALL_LIMIT: Duration = Duration::from_mins(2);
/// A problem with this topic replaces the one reported before.
const TOPIC: &str = "backup";

#[derive(Debug)]
struct FailedBackup {
    last: LastBackup,
    error: String,
}

/// The last good backup.
#[derive(Clone, Copy, Debug)]
enum LastBackup {
    /// It could not be determined.
    Unknown,
    Missing,
    At(DateTime<Utc>),
}

impl From<Option<DateTime<Utc>>> for LastBackup {
    fn from(at: Option<DateTime<Utc>>) -> Self {
        at.map_or(Self::Missing, Self::At)
    }
}

/// Makes backups until the server stops, the first one at once if no backup is recent enough.
pub async fn back_up_on_schedule(app: AppState) {
    let config = app.config.backup.clone();
    if config.dir.is_none() {
        return;
    }
    let mut failures = 0_u32;
    loop {
        let (db, settings, now) = (app.db.clone(), config.clone(), app.clock.now());
        let stalled = || app.health.report(TOPIC, Some(Problem::degraded("The backup hangs: it makes no progress")));
        let result = run(STALL_LIMIT, stalled, move |monitor| back_up_if_due(&db, &settings, now, monitor)).await;
        let wait = match result {
            Ok(left) => {
                app.health.report(TOPIC, None);
                app.s3_backups.notify_backup();
                failures = 0;
                left.min(MAX_WAIT)
            }
            Err(FailedBackup { last, error }) => {
                tracing::error!(error, "the backup failed");
                app.health.report(TOPIC, Some(problem("The backup fails", last, &config, now)));
                failures = failures.saturating_add(1);
                BACKOFF.delay(failures)
            }
        };
        tokio::time::sleep(wait).await;
    }
}

/// Runs blocking work and reports when it makes no progress. When this future is dropped, the work is cancelled.
async fn run<T: Send + 'static>(
    limit: Duration,
    stalled: impl Fn(),
    work: impl FnOnce(&ProgressMonitor) -> Result<T, FailedBackup> + Send + 'static,
) -> Result<T, FailedBackup> {
    let monitor = ProgressMonitor::default();
    let job = {
        let monitor = monitor.clone();
        tokio::task::spawn_blocking(move || work(&monitor))
    };
    let result = monitor.watch(limit, job, stalled).await;
    result.unwrap_or_else(|panic| Err(FailedBackup { last: LastBackup::Unknown, error: panic.to_string() }))
}

/// Makes a backup if the last one is older than the interval. Returns the time until the next one.
fn back_up_if_due(
    db: &Db,
    config: &Backup,
    now: DateTime<Utc>,
    monitor: &ProgressMonitor,
) -> Result<Duration, FailedBackup> {
    let folder = config.dir.as_deref().unwrap_or(Path::new("."));
    let last = db::last_backup(folder, db.path(), now).map(|backup| backup.taken_at);
    let every = TimeDelta::from_std(config.every).unwrap_or(TimeDelta::MAX);
    let left = last.and_then(|last| (every - (now - last)).to_std().ok()).filter(|left| !left.is_zero());
    if let Some(left) = left {
        return Ok(left);
    }
    match db.backup_into(folder, config.keep, now, monitor) {
        Ok(backup) => {
            tracing::info!(backup = %backup.display(), "a backup was made");
            Ok(config.every)
        }
        Err(error) => Err(FailedBackup { last: last.into(), error: ErrorChain(&error).to_string() }),
    }
}

/// The message about backups that fail, with the last good one.
fn problem(what: &str, last: LastBackup, config: &Backup, now: DateTime<Utc>) -> Problem {
    let shown = |at: DateTime<Utc>| minute_utc(at);
    Problem::degraded(match last {
        LastBackup::Unknown => what.to_owned(),
        LastBackup::Missing => format!("{what}, and there is no earlier one"),
        LastBackup::At(at) if config.is_overdue(at, now) => {
            format!("{what}; the last good one is too old: {}", shown(at))
        }
        LastBackup::At(at) => format!("{what}; the last good one is from {}", shown(at)),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[tokio::test]
    async fn work_that_hangs_is_reported_while_it_does() {
        let reported = AtomicBool::new(false);
        let stalled = || reported.store(true, Ordering::Relaxed);
        let hang = |_: &ProgressMonitor| {
            std::thread::sleep(Duration::from_millis(600));
            Ok(7)
        };
        assert_eq!(run(Duration::from_millis(100), stalled, hang).await.expect("a result"), 7);
        assert!(reported.load(Ordering::Relaxed));
    }
}
