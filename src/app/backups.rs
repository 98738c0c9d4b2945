//! Copies of the database on a schedule.

use std::time::Duration;

use chrono::TimeDelta;

use crate::platform::config::Backup;
use crate::platform::db;
use crate::platform::error::with_cause;
use crate::platform::health::Problem;
use crate::platform::state::AppState;

/// The longest time until the clock is read again, which may be set in between.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// The first interval between two attempts after a failure; it doubles up to an hour.
const FIRST_RETRY: Duration = Duration::from_secs(30);
const LAST_RETRY: Duration = Duration::from_hours(1);
/// The topic of the problems.
const TOPIC: &str = "backup";

/// Makes copies until the server stops, the first one at once if there is none that is recent enough.
pub async fn back_up_on_schedule(app: AppState) {
    let Backup { dir: Some(dir), every, keep } = app.config.backup.clone() else { return };
    let mut retry = FIRST_RETRY;
    loop {
        let now = app.clock.now();
        let newest = db::last_backup(&dir, app.db.path(), now).map(|copy| copy.taken_at);
        let every_delta = TimeDelta::from_std(every).unwrap_or(TimeDelta::MAX);
        let age = newest.map(|at| now - at);
        if let Some(left) = age.and_then(|age| (every_delta - age).to_std().ok()).filter(|left| !left.is_zero()) {
            tokio::time::sleep(left.min(MAX_WAIT)).await;
            continue;
        }
        let (db, folder) = (app.db.clone(), dir.clone());
        let copy = tokio::task::spawn_blocking(move || db.backup_into(&folder, keep, now)).await;
        let error = match copy {
            Ok(Ok(copy)) => {
                tracing::info!(copy = %copy.display(), "a backup was made");
                app.health.report(TOPIC, None);
                retry = FIRST_RETRY;
                continue;
            }
            Ok(Err(error)) => with_cause(&error),
            Err(panic) => panic.to_string(),
        };
        tracing::error!(error, "the backup failed");
        let is_old = age.is_none_or(|age| age > every_delta * 2);
        app.health.report(
            TOPIC,
            Some(Problem::degraded(match (newest, is_old) {
                (None, _) => "The backup fails, and there is no earlier one".to_owned(),
                (Some(at), true) => {
                    format!("The backup fails; the last good one is too old: {}", at.format("%Y-%m-%d %H:%M UTC"))
                }
                (Some(at), false) => {
                    format!("The backup fails; the last good one is of {}", at.format("%Y-%m-%d %H:%M UTC"))
                }
            })),
        );
        tokio::time::sleep(retry).await;
        retry = (retry * 2).min(LAST_RETRY);
    }
}
