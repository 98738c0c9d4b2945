//! Uploads of the copies to S3.

use chrono::{DateTime, TimeDelta, Utc};

use super::{FIRST_RETRY, Failed, LAST_RETRY, LastGood, MAX_WAIT, STALL_LIMIT, problem, run};
use crate::platform::config::Backup;
use crate::platform::db::{self, RemoteCopies, RemoteCopy};
use crate::platform::error::Chain;
use crate::platform::health::Problem;
use crate::platform::progress::Progress;
use crate::platform::state::AppState;

/// The topic of the problems.
const TOPIC: &str = "backup in S3";

/// Uploads the newest local copy until the server stops, whenever it is newer than those in S3.
pub async fn upload_on_schedule(app: AppState) {
    let config = app.config.backup.clone();
    let Some(copies) = RemoteCopies::new(&config, &app.config.network, app.db.path(), &app.clock) else { return };
    let mut retry = FIRST_RETRY;
    loop {
        let (work, now) = ((app.clone(), config.clone(), copies.clone()), app.clock.now());
        let stalled = || {
            app.health
                .report(TOPIC, Some(Problem::degraded("The upload of the backup to S3 hangs: it makes no progress")));
        };
        let upload = move |progress: &Progress| upload_if_new(&work.0, &work.1, &work.2, now, progress);
        let wait = match run(STALL_LIMIT, stalled, upload).await {
            Ok(last) => {
                app.health.report(TOPIC, too_old(last.as_ref(), &config, now));
                app.remote_backups.succeeded(last);
                retry = FIRST_RETRY;
                MAX_WAIT
            }
            Err(Failed { last, error }) => {
                tracing::error!(error, "the upload of the backup to S3 failed");
                app.remote_backups.failed();
                app.health
                    .report(TOPIC, Some(problem("The upload of the backup to S3 fails", last, config.every, now)));
                let wait = retry;
                retry = (retry * 2).min(LAST_RETRY);
                tokio::time::sleep(wait).await;
                continue;
            }
        };
        // An error of the timeout means that the time is over.
        let _ = tokio::time::timeout(wait, app.remote_backups.local_copy()).await;
    }
}

/// Uploads the newest local copy unless it is there. Returns the newest copy in S3.
fn upload_if_new(
    app: &AppState,
    config: &Backup,
    copies: &RemoteCopies,
    now: DateTime<Utc>,
    progress: &Progress,
) -> Result<Option<RemoteCopy>, Failed> {
    let last = match app.remote_backups.last() {
        Some(last) => Some(last),
        None => copies.last().map_err(|error| Failed { last: LastGood::Unknown, error: error.to_string() })?,
    };
    let last_at = last.as_ref().map(|copy| copy.taken_at);
    let local = config.dir.as_deref().and_then(|dir| db::last_backup(dir, app.db.path(), now));
    match local {
        Some(local) if last_at.is_none_or(|at| at < local.taken_at) => match copies.upload(&local.path, progress) {
            Ok(copy) => {
                tracing::info!(copy = copy.name, bucket = copies.bucket(), "the backup was uploaded to S3");
                Ok(Some(copy))
            }
            Err(error) => Err(Failed { last: last_at.into(), error: Chain(&error).to_string() }),
        },
        _ => Ok(last),
    }
}

/// Uploads succeed, but there has been nothing new for long.
fn too_old(last: Option<&RemoteCopy>, config: &Backup, now: DateTime<Utc>) -> Option<Problem> {
    let at = last?.taken_at;
    let every = TimeDelta::from_std(config.every).unwrap_or(TimeDelta::MAX);
    (now - at > every * 2)
        .then(|| Problem::degraded(format!("The last backup in S3 is too old: {}", at.format("%Y-%m-%d %H:%M UTC"))))
}
