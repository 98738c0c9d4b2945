//! Purges shared caches after changes, each at most once a second.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use rusqlite::Connection;
use tokio::time::{Instant, sleep, sleep_until};

use crate::features::cache_purge::{self, ChangedKeys, PurgeError, PurgeRequest, Purged, Target};
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, ErrorChain};
use crate::platform::health::Problem;
use crate::platform::state::AppState;

/// The interval at which the content version is compared. A write by another process is not announced.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The shortest interval between two requests to a cache; the changes in between are collected.
const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// The interval between attempts while the database can't be read or written.
const STORAGE_RETRY: Duration = Duration::from_secs(5);
/// The time before the first purge. A cache whose last connection was refused may not try again at once (Varnish, by
/// `backend_remote_error_holddown`, after 0.25 s) and would have nothing to send until then.
const START_DELAY: Duration = Duration::from_secs(1);
/// A problem with this topic replaces the one reported before.
const TOPIC: &str = "shared caches";

/// How far each cache was purged, and which can't be.
struct Progress {
    /// What was purged, by cache.
    purged: Vec<Purged>,
    /// The names of those that can't be purged.
    failing: BTreeMap<usize, String>,
}

/// One cache, and how far it was purged.
struct Purger<'a> {
    app: &'a AppState,
    index: usize,
    target: Target,
    progress: &'a Mutex<Progress>,
    /// Whether everything must be purged first: with another release or configuration, responses differ.
    must_purge_everything: bool,
    /// The sequence number of the last purged change.
    purged_until: i64,
    /// The failures in a row.
    failures: u32,
    /// The last failure that was logged.
    logged_failure: Option<String>,
    /// The failure in the database, also one from before the start, for `lectern check`.
    stored_failure: Option<String>,
}

/// Purges shared caches after changes until the server stops, first everything once, a second after the start. Changes
/// that are not purged yet are in the database.
pub async fn purge_shared_caches(app: AppState) {
    let targets = Target::all(&app.config.cache.purge, &app.config.network);
    let is_needed = !targets.is_empty();
    let stored = loop {
        match prepare(&app, &targets, is_needed).await {
            Ok(stored) => break stored,
            Err(error) => {
                tracing::debug!(error = %ErrorChain(&error), "the triggers that record changes could not be turned on or off");
            }
        }
        sleep(STORAGE_RETRY).await;
    };
    sleep(START_DELAY).await;
    let progress = Mutex::new(Progress { purged: vec![Purged::default(); targets.len()], failing: BTreeMap::new() });
    let purgers = targets.into_iter().zip(stored).enumerate().map(|(index, (target, stored))| {
        Purger {
            app: &app,
            index,
            target,
            progress: &progress,
            must_purge_everything: true,
            purged_until: 0,
            failures: 0,
            logged_failure: None,
            stored_failure: stored,
        }
        .run()
    });
    join_all(purgers).await;
}

/// Begins or ends the recording of changes by the triggers of the database. Returns the stored failure of each cache, and
/// deletes those of other caches.
async fn prepare(app: &AppState, targets: &[Target], is_needed: bool) -> Result<Vec<Option<String>>, AppError> {
    let read = |connection: &Connection| Ok((cache_purge::is_enabled(connection)?, cache_purge::failures(connection)?));
    let (is_enabled, failures) = app.db.read(read).await?;
    let is_configured = |cache: &str| targets.iter().any(|target| target.name() == cache);
    let stored = |target: &Target| {
        failures.iter().find(|failure| failure.cache == target.name()).map(|failure| failure.message.clone())
    };
    let stored = targets.iter().map(stored).collect();
    let obsolete: Vec<String> =
        failures.into_iter().map(|failure| failure.cache).filter(|cache| !is_configured(cache)).collect();
    if is_enabled != is_needed || !obsolete.is_empty() {
        let write = move |transaction: &Transaction<'_>| {
            if is_enabled != is_needed {
                cache_purge::enable(transaction, is_needed)?;
            }
            obsolete.iter().try_for_each(|cache| cache_purge::delete_failure(transaction, cache))
        };
        app.db.write(write).await?;
    }
    Ok(stored)
}

impl Purger<'_> {
    async fn run(mut self) {
        let mut seen = None;
        loop {
            let version = self.app.db.version();
            if seen == Some(version) {
                sleep(POLL_INTERVAL).await;
                continue;
            }
            let (purged_until, limit) = (self.purged_until, self.target.max_keys() + 1);
            let changes =
                self.app.db.read(move |connection| cache_purge::changes_after(connection, purged_until, limit)).await;
            let changes = match changes {
                Ok(changes) => changes,
                Err(error) => {
                    tracing::debug!(error = %ErrorChain(&error), "the changes for shared caches could not be read");
                    sleep(STORAGE_RETRY).await;
                    continue;
                }
            };
            if !self.must_purge_everything && changes.keys.is_empty() {
                seen = Some(version);
                continue;
            }
            let next = self.purge(changes).await;
            sleep_until(next).await;
        }
    }

    /// Sends one purge. Returns the time of the next.
    async fn purge(&mut self, changes: ChangedKeys) -> Instant {
        // This process must send the new content by then, because a cache may request it at once.
        while self.app.db.version() < changes.version {
            sleep(Duration::from_millis(1)).await;
        }
        let had_keys = !changes.keys.is_empty();
        let purge = if self.must_purge_everything {
            PurgeRequest::Everything
        } else {
            PurgeRequest::new(changes.keys, self.target.max_keys())
        };
        let purges_everything = purge == PurgeRequest::Everything;
        let (started, target) = (Instant::now(), self.target.clone());
        let sent = tokio::task::spawn_blocking(move || target.send(&purge)).await;
        match sent {
            Ok(Ok(())) => {
                self.succeeded(Purged { sequence: changes.sequence, read_at: changes.read_at }, had_keys).await;
                started + MIN_INTERVAL
            }
            Ok(Err(error)) => self.failed(&error, purges_everything).await,
            Err(panic) => {
                tracing::error!(error = %panic, "a purge of a shared cache panicked");
                self.failures = self.failures.saturating_add(1);
                Instant::now() + cache_purge::retry_delay(self.failures, None)
            }
        }
    }

    async fn succeeded(&mut self, purged: Purged, had_keys: bool) {
        self.app.cache_purges.count(self.target.label(), true);
        (self.must_purge_everything, self.purged_until, self.failures) = (false, purged.sequence, 0);
        if self.logged_failure.take().is_some() {
            tracing::info!(cache = self.target.name(), origin = self.target.origin(), "the cache can be purged again");
        }
        let purged_by_all = {
            let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.purged[self.index] = purged;
            progress.failing.remove(&self.index);
            self.report(&progress);
            progress.purged.iter().min().cloned().unwrap_or_default()
        };
        let had_failed = self.stored_failure.is_some();
        if had_keys || had_failed {
            let cache = self.target.name().to_owned();
            let write = move |transaction: &Transaction<'_>| {
                if had_failed {
                    cache_purge::delete_failure(transaction, &cache)?;
                }
                cache_purge::delete_purged(transaction, &purged_by_all)
            };
            match self.app.db.write(write).await {
                Ok(()) => self.stored_failure = None,
                // They are deleted after the next purge.
                Err(error) => tracing::debug!(error = %ErrorChain(&error), "purged changes could not be deleted"),
            }
        }
    }

    async fn failed(&mut self, error: &PurgeError, purges_everything: bool) -> Instant {
        self.app.cache_purges.count(self.target.label(), false);
        self.failures = self.failures.saturating_add(1);
        let delay = cache_purge::retry_delay(self.failures, error.retry_after);
        // A delay that a cache requests once is no problem.
        if error.is_rate_limit && self.failures == 1 {
            return Instant::now() + delay;
        }
        let everything = if purges_everything { "; everything that it stores waits for a purge" } else { "" };
        let text = format!("{error}{everything}");
        if self.logged_failure.as_ref() != Some(&text) {
            tracing::warn!(
                error = text,
                origin = self.target.origin(),
                "a shared cache could not be purged; this is repeated"
            );
            self.logged_failure = Some(text.clone());
        }
        {
            let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.failing.insert(self.index, self.target.name().to_owned());
            self.report(&progress);
        }
        let next = Instant::now() + delay;
        self.store_failure(text).await;
        next
    }

    /// Stores why the last purge failed, for commands.
    async fn store_failure(&mut self, text: String) {
        if self.stored_failure.as_ref() == Some(&text) {
            return;
        }
        let (cache, message) = (self.target.name().to_owned(), text.clone());
        match self.app.db.write(move |transaction| cache_purge::record_failure(transaction, &cache, &message)).await {
            Ok(()) => self.stored_failure = Some(text),
            // It is stored after the next failure.
            Err(error) => tracing::debug!(error = %ErrorChain(&error), "the failure of a purge could not be stored"),
        }
    }

    fn report(&self, progress: &Progress) {
        let names: Vec<&str> = progress.failing.values().map(String::as_str).collect();
        let text = (!names.is_empty()).then(|| cache_purge::problem(&names, self.app.config.cache.seconds()));
        self.app.health.report(TOPIC, text.map(Problem::degraded));
    }
}
