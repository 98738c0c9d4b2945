//! `/metrics` for Prometheus, on a separate address. Everything except counters and histograms is read when it is
//! requested.

use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use chrono::{DateTime, Utc};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use http::{Method, Request};

use crate::features::auth::sessions::{self, Lifetime};
use crate::features::brandlive::{self, LastSync};
use crate::platform::db::{self, Disk};
use crate::platform::error::AppError;
use crate::platform::health::Status;
use crate::platform::http_server::MAX_CONNECTIONS;
use crate::platform::memory;
use crate::platform::metrics::{self, Exposition};
use crate::platform::state::AppState;

use super::health;

/// The path; all other paths are 404.
pub const PATH: &str = "/metrics";
/// Time to read the database.
const TIMEOUT: Duration = Duration::from_secs(10);
const MICROSECONDS_PER_SECOND: f64 = 1e6;

/// Responds to a request on the address for metrics. `connections` of visitors are open.
pub async fn respond<B>(app: AppState, connections: usize, request: &Request<B>) -> Response {
    if request.uri().path() != PATH {
        return AppError::NotFound("Page").into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return AppError::MethodNotAllowed.into_response();
    }
    let mut response = Response::new(Body::from(text(app, connections).await));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(metrics::CONTENT_TYPE));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// All metrics, except those of a storage that does not respond.
async fn text(app: AppState, connections: usize) -> String {
    let mut text = Exposition::default();
    text.begin("lectern_build_info", "gauge", "The version of the program and of its schema; always 1.");
    let schema = db::newest_version().to_string();
    text.value("lectern_build_info", &[("version", env!("CARGO_PKG_VERSION")), ("schema", &schema)], 1);
    if let Some(requests) = &app.metrics {
        requests.write(&mut text);
    }
    let help = format!("Open connections to the site, of at most {MAX_CONNECTIONS}; further ones wait.");
    text.single("lectern_http_connections", "gauge", &help, connections);
    write_queues(&app, &mut text);
    write_s3_backups(&app, &mut text);
    app.cache_purges.write(&mut text);
    write_certificate(&app, &mut text);
    write_process(&mut text);

    let stored = tokio::time::timeout(TIMEOUT, read_stored(&app)).await;
    if let Ok(Ok(stored)) = stored {
        stored.write(&mut text);
    }
    let files = {
        let app = app.clone();
        tokio::task::spawn_blocking(move || Files::read(&app))
    };
    if let Ok(Ok(files)) = tokio::time::timeout(TIMEOUT, files).await {
        files.write(&mut text);
    }
    text.into_string()
}

fn write_queues(app: &AppState, text: &mut Exposition) {
    let (cached, weight) = app.responses.size();
    text.single("lectern_cache_responses", "gauge", "Cached responses.", cached);
    text.single("lectern_cache_size_bytes", "gauge", "Size of the cached responses that can be evicted.", weight);

    let workers = app.db.metrics();
    let (reads, writes) = workers.queue_lengths();
    let name = "lectern_queue_length";
    text.begin(name, "gauge", "Jobs that wait for a thread; for passwords, uploads and imports with those that run.");
    let queues = [
        ("reads", reads),
        ("writes", writes),
        ("passwords", app.passwords.queue_length()),
        ("uploads", app.image_uploads.len()),
        ("imports", app.imports.len()),
    ];
    for (queue, length) in queues {
        text.value(name, &[("queue", queue)], length);
    }

    let name = "lectern_writes_per_commit";
    text.begin(name, "histogram", "Writes that were committed together.");
    text.histogram(name, &[], &workers.writes_per_commit, 1.0);
    text.single("lectern_writes_total", "counter", "Writes.", workers.writes_per_commit.sum());
    let name = "lectern_commit_duration_seconds";
    text.begin(name, "histogram", "Time of a commit with all its writes.");
    text.histogram(name, &[], &workers.commit_microseconds, MICROSECONDS_PER_SECOND);
    let failed = workers.failed_commits.load(std::sync::atomic::Ordering::Relaxed);
    text.single("lectern_commit_failures_total", "counter", "Commits that failed.", failed);
}

/// The backups in S3, if a bucket is set.
fn write_s3_backups(app: &AppState, text: &mut Exposition) {
    if app.config.backup.s3.bucket.is_none() {
        return;
    }
    let name = "lectern_backup_remote_failures_total";
    text.single(name, "counter", "Failed uploads of backups to S3.", app.s3_backups.failures());
    if let Some(backup) = app.s3_backups.last() {
        let (at, age) = (backup.taken_at.timestamp(), (app.clock.now() - backup.taken_at).num_seconds());
        let help = "When the last backup in S3 was made.";
        text.single("lectern_backup_remote_last_timestamp_seconds", "gauge", help, at);
        text.single("lectern_backup_remote_age_seconds", "gauge", "Time since the last backup in S3.", age);
        text.single("lectern_backup_remote_size_bytes", "gauge", "Size of the last backup in S3.", backup.bytes);
    }
}

/// The certificate of HTTPS, if this server has one.
fn write_certificate(app: &AppState, text: &mut Exposition) {
    let Some(tls) = &app.tls else { return };
    let help = "Failed attempts to get a certificate, and certificate files that could not be used.";
    text.single("lectern_certificate_failures_total", "counter", help, tls.failures());
    let certificate = tls.certificate();
    if !certificate.is_temporary() {
        let help = "The expiry of the certificate in use.";
        let at = certificate.not_after.timestamp();
        text.single("lectern_certificate_expiry_timestamp_seconds", "gauge", help, at);
    }
}

/// The standard metrics of Prometheus clients about the process.
fn write_process(text: &mut Exposition) {
    if let Ok(memory) = memory::usage() {
        text.single("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", memory.resident);
        text.single("process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes.", memory.mapped);
        text.single("lectern_peak_memory_bytes", "gauge", "The largest resident memory size so far.", memory.peak);
    }
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0));
    text.single("process_cpu_seconds_total", "counter", "Processor time in seconds.", seconds.as_secs_f64());
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        text.single("process_open_fds", "gauge", "Open file descriptors.", files.count());
    }
    if let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        text.single("process_max_fds", "gauge", "The most file descriptors that can be open.", limit);
    }
}

/// Metrics from the database.
struct Stored {
    sessions: i64,
    last_sync: Option<LastSync>,
}

async fn read_stored(app: &AppState) -> Result<Stored, AppError> {
    let now = app.clock.now();
    let lifetime = Lifetime::new(&app.config.auth);
    app.db
        .read(move |connection| {
            let sessions = sessions::count_active(connection, &lifetime, now)?;
            Ok(Stored { sessions, last_sync: brandlive::last_sync(connection)? })
        })
        .await
}

impl Stored {
    fn write(&self, text: &mut Exposition) {
        text.single("lectern_sessions", "gauge", "Sessions of admins that have not expired.", self.sessions);
        let help = "Finished syncs, including those from the command line.";
        text.single("lectern_sync_runs_total", "counter", help, self.last_sync.as_ref().map_or(0, |sync| sync.number));
        if let Some(sync) = &self.last_sync {
            let help = "The end of the last of these syncs.";
            text.single("lectern_sync_last_run_timestamp_seconds", "gauge", help, sync.ended_at.timestamp());
        }
    }
}

/// Metrics from the file system, and the problems.
struct Files {
    sizes: [(&'static str, u64); 3],
    disk: Option<Disk>,
    backup: Option<BackupAge>,
    problems: Vec<Status>,
}

struct BackupAge {
    at: DateTime<Utc>,
    seconds: i64,
    bytes: u64,
}

impl Files {
    fn read(app: &AppState) -> Self {
        let now = app.clock.now();
        let backup = app.config.backup.dir.as_ref().and_then(|dir| db::last_backup(dir, app.db.path(), now));
        let (problems, disk) = health::problems(app);
        Self {
            sizes: app.db.file_sizes(),
            disk,
            backup: backup.map(|backup| BackupAge {
                at: backup.taken_at,
                seconds: (now - backup.taken_at).num_seconds(),
                bytes: backup.bytes,
            }),
            problems: problems.into_iter().map(|problem| problem.status).collect(),
        }
    }

    fn write(&self, text: &mut Exposition) {
        let name = "lectern_database_size_bytes";
        text.begin(name, "gauge", "Sizes of the files of the database.");
        for (file, bytes) in self.sizes {
            text.value(name, &[("file", file)], bytes);
        }
        if let Some(disk) = self.disk {
            let help = "Free space of the file system of the database.";
            text.single("lectern_disk_free_bytes", "gauge", help, disk.free_bytes);
        }
        if let Some(backup) = &self.backup {
            let help = "When the last backup was made.";
            text.single("lectern_backup_last_timestamp_seconds", "gauge", help, backup.at.timestamp());
            text.single("lectern_backup_age_seconds", "gauge", "Time since the last backup.", backup.seconds);
            text.single("lectern_backup_size_bytes", "gauge", "Size of the last backup.", backup.bytes);
        }
        let name = "lectern_problems";
        text.begin(name, "gauge", "Known problems; with one that is down, /healthz is 503.");
        for (label, status) in [("degraded", Status::Degraded), ("down", Status::Down)] {
            let count = self.problems.iter().filter(|problem| **problem == status).count();
            text.value(name, &[("status", label)], count);
        }
    }
}
