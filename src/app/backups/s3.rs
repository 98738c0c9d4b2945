//! Uploads of the backups to S3.

use chrono::{DateTime, Utc};

use super::{BACKOFF, FailedBackup, LastBackup, MAX_WAIT, STALL_LIMIT, problem, run};
use crate::platform::clock::minute_utc;
use crate::platform::config::Backup;
use crate::platform::db::{self, S3Backup, S3Backups};
use crate::platform::error::ErrorChain;
use crate::platform::health::Problem;
use crate::platform::progress::ProgressMonitor;
use crate::platform::state::AppState;

/// A problem with this topic replaces the one reported before.
const TOPIC: &str = "backup in S3";

/// Uploads the newest local backup until the server stops, whenever it is newer than those in S3.
pub async fn upload_on_schedule(app: AppState) {
    let config = app.config.backup.clone();
    let Some(backups) = S3Backups::new(&config, &app.config.network, app.db.path(), &app.clock) else { return };
    let mut failures = 0_u32;
    loop {
        let (work, now) = ((app.clone(), config.clone(), backups.clone()), app.clock.now());
        let stalled = || {
            app.health
                .report(TOPIC, Some(Problem::degraded("The upload of the backup to S3 hangs: it makes no progress")));
        };
        let upload = move |monitor: &ProgressMonitor| upload_if_new(&work.0, &work.1, &work.2, now, monitor);
        match run(STALL_LIMIT, stalled, upload).await {
            Ok(last) => {
                app.health.report(TOPIC, overdue(last.as_ref(), &config, now));
                app.s3_backups.succeeded(last);
                failures = 0;
                // An error means that the time limit is reached.
                let _ = tokio::time::timeout(MAX_WAIT, app.s3_backups.wait_for_backup()).await;
            }
            Err(FailedBackup { last, error }) => {
                tracing::error!(error, "the upload of the backup to S3 failed");
                app.s3_backups.failed();
                app.health.report(TOPIC, Some(problem("The upload of the backup to S3 fails", last, &config, now)));
                failures = failures.saturating_add(1);
                tokio::time::sleep(BACKOFF.delay(failures)).await;
            }
        }
    }
}

/// Uploads the newest local backup unless it is there. Returns the newest backup in S3.
fn upload_if_new(
    app: &AppState,
    config: &Backup,
    backups: &S3Backups,
    now: DateTime<Utc>,
    monitor: &ProgressMonitor,
) -> Result<Option<S3Backup>, FailedBackup> {
    let local = config.dir.as_deref().and_then(|dir| db::last_backup(dir, app.db.path(), now));
    // What has the name of the local backup and another size was not uploaded completely.
    let is_complete = |backup: &S3Backup| {
        let same =
            local.as_ref().filter(|local| local.path.file_name().is_some_and(|name| name == backup.name.as_str()));
        same.is_none_or(|local| local.bytes == backup.bytes)
    };
    let last = match app.s3_backups.last() {
        Some(last) => Some(last),
        None => backups
            .last(is_complete)
            .map_err(|error| FailedBackup { last: LastBackup::Unknown, error: ErrorChain(&error).to_string() })?,
    };
    let last_at = last.as_ref().map(|backup| backup.taken_at);
    match &local {
        Some(local) if last_at.is_none_or(|at| at < local.taken_at) => match backups.upload(&local.path, monitor) {
            Ok(backup) => {
                tracing::info!(backup = backup.name, bucket = backups.bucket(), "the backup was uploaded to S3");
                Ok(Some(backup))
            }
            Err(error) => Err(FailedBackup { last: last_at.into(), error: ErrorChain(&error).to_string() }),
        },
        _ => Ok(last),
    }
}

/// The problem that uploads succeed, but there has been no new backup for long.
fn overdue(last: Option<&S3Backup>, config: &Backup, now: DateTime<Utc>) -> Option<Problem> {
    let at = last?.taken_at;
    config
        .is_overdue(at, now)
        .then(|| Problem::degraded(format!("The last backup in S3 is too old: {}", minute_utc(at))))
}
