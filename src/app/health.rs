//! `/healthz`: whether visitors can be served and writes can be stored.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use tokio::task::JoinError;

use crate::platform::clock::timestamp;
use crate::platform::db::{Disk, MIN_FREE_BYTES, StorageProblem};
use crate::platform::error::{AppError, ErrorChain};
use crate::platform::extract::NoStoreJson;
use crate::platform::health::{Problem, Status};
use crate::platform::https::Tls;
use crate::platform::state::AppState;

/// The time between two probes of the storage.
pub const PROBE_INTERVAL: Duration = Duration::from_secs(5);
/// A probe that takes longer is a failure of the storage. A write waits up to 5 s for other processes.
const PROBE_LIMIT: Duration = Duration::from_secs(30);
/// Writes are probed for this long after a request for `/healthz`. A site without monitoring writes no probes.
const MONITOR_TIMEOUT: Duration = Duration::from_mins(2);
/// Responses that read all public tables, but only a few of the events: the cost must not grow with their number.
const PROBED_PATHS: [&str; 3] = ["/", "/api/speakers", "/api/page-content/home"];

/// A problem that nothing logs where it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum UnloggedProblem {
    #[error("Less than {} MiB of disk space is free", MIN_FREE_BYTES >> 20)]
    DiskFull,
    #[error("The file system of the database is read-only")]
    DiskReadOnly,
    #[error("{}", StorageProblem::LockLost)]
    LockLost,
}

impl UnloggedProblem {
    fn from_disk(disk: Disk) -> impl Iterator<Item = Self> {
        let full = disk.is_full().then_some(Self::DiskFull);
        full.into_iter().chain(disk.is_read_only.then_some(Self::DiskReadOnly))
    }

    /// All problems that nothing logs where they occur. It blocks its thread.
    fn all(app: &AppState) -> Vec<Self> {
        let lock_lost = app.db.problem().filter(|problem| *problem == StorageProblem::LockLost);
        let disk = Disk::from_file(app.db.path()).into_iter().flat_map(Self::from_disk);
        lock_lost.map(|_| Self::LockLost).into_iter().chain(disk).collect()
    }
}

/// The body of `/healthz`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    status: Status,
    version: &'static str,
    schema_version: Option<u32>,
    free_disk_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate_expires_at: Option<String>,
    problems: Vec<String>,
}

/// The known problems of all components and of the disk of the database. It blocks its thread.
pub(super) fn problems(app: &AppState) -> (Vec<Problem>, Option<Disk>) {
    let mut problems = app.health.problems(PROBE_LIMIT);
    problems.extend(app.db.problem().map(|problem| Problem::down(problem.to_string())));
    let disk = Disk::from_file(app.db.path());
    let disk_problems = disk.into_iter().flat_map(UnloggedProblem::from_disk);
    problems.extend(disk_problems.map(|problem| Problem::down(problem.to_string())));
    (problems, disk)
}

/// Checks that panicked are a problem: nothing is known about the storage.
fn failed_checks(error: &JoinError) -> (Vec<Problem>, Option<Disk>) {
    tracing::error!(%error, "the health checks failed");
    (vec![Problem::down("The health checks failed")], None)
}

/// 200, or 503 with the reasons.
pub(super) async fn report(State(app): State<AppState>) -> NoStoreJson<Report> {
    app.health.record_request();
    // On the blocking pool, because a storage that hangs must not block the threads that serve from memory.
    let state = app.clone();
    let checks = tokio::task::spawn_blocking(move || problems(&state)).await;
    let (mut problems, disk) = checks.unwrap_or_else(|error| failed_checks(&error));
    // From the cache if it is there, because visitors get that response, too.
    let home = app.responses.respond("/", &HeaderMap::new()).await;
    if !home.is_ok_and(|page| page.status().is_success()) {
        problems.push(Problem::down("The home page can't be built"));
    }
    let mut lines: Vec<String> = Vec::with_capacity(problems.len());
    for problem in &problems {
        if !lines.contains(&problem.text) {
            lines.push(problem.text.clone());
        }
    }
    let status = problems.iter().map(|problem| problem.status).max().unwrap_or(Status::Ok);
    let code = if status == Status::Down { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    let (version, schema_version) = (env!("CARGO_PKG_VERSION"), app.db.schema_version());
    let free_disk_bytes = disk.map(|disk| disk.free_bytes);
    let certificate = app.tls.as_ref().map(Tls::certificate).filter(|certificate| !certificate.is_temporary());
    let certificate_expires_at = certificate.map(|certificate| timestamp(certificate.not_after));
    let report = Report { status, version, schema_version, free_disk_bytes, certificate_expires_at, problems: lines };
    NoStoreJson(code, report)
}

/// Probes the storage until the server stops, so that failures are detected and logged without requests.
pub async fn run_probes(app: AppState) {
    let mut known = Vec::new();
    loop {
        app.health.record_probe();
        // First, because a probe would compete with the first requests.
        tokio::time::sleep(PROBE_INTERVAL).await;
        probe(&app).await;
        log_changes(&app, &mut known).await;
    }
}

/// Logs when a problem begins or has ended that nothing else logs.
async fn log_changes(app: &AppState, known: &mut Vec<UnloggedProblem>) {
    let state = app.clone();
    let Ok(now) = tokio::task::spawn_blocking(move || UnloggedProblem::all(&state)).await else { return };
    for problem in now.iter().filter(|problem| !known.contains(problem)) {
        tracing::warn!("{problem}");
    }
    for problem in known.iter().filter(|problem| !now.contains(problem)) {
        tracing::info!("this problem has ended: {problem}");
    }
    *known = now;
}

/// Builds public responses and, if `/healthz` is monitored, stores a write.
async fn probe(app: &AppState) {
    let (db, responses) = (app.db.clone(), Arc::clone(&app.responses));
    let read = move || db.probe_read(|connection| responses.try_build(&PROBED_PATHS, connection));
    let result = tokio::task::spawn_blocking(read).await;
    let db = app.db.clone();
    // Not awaited, because the check of a large database takes longer than the interval of the probes.
    drop(tokio::task::spawn_blocking(move || db.check_suspected_damage()));
    let unreadable = match result {
        // The storage reports its own errors.
        Ok(Ok(()) | Err(AppError::StorageUnavailable(_) | AppError::DatabaseBusy(_) | AppError::Unavailable(_))) => {
            None
        }
        Ok(Err(error)) => Some(ErrorChain(&error).to_string()),
        Err(panic) => Some(panic.to_string()),
    };
    if let Some(error) = &unreadable {
        tracing::error!(error, "public responses can't be built");
    }
    app.health.report("content", unreadable.map(|_| Problem::down("The content that visitors get can't be built")));
    if app.health.requested_within(MONITOR_TIMEOUT) {
        // The storage records errors. A lock of another process is not a problem.
        let _ = app.db.probe_write(PROBE_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::panic, reason = "the checks must fail")]

    use super::*;

    #[tokio::test]
    async fn checks_that_panic_are_a_problem_for_visitors() {
        let checks = tokio::task::spawn_blocking(|| panic!("a check failed")).await;
        let error = checks.expect_err("the task panicked");

        let (problems, disk) = failed_checks(&error);

        assert_eq!(problems.iter().map(|problem| problem.status).collect::<Vec<_>>(), [Status::Down]);
        assert!(disk.is_none());
    }
}
