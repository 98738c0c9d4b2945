//! The sync: fetch the whole listing, plan the changes, apply them in short transactions.

mod apply;
mod lock;
mod merge;
mod report;

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

pub use report::{Action, ChangedEvent, FieldChange, Report};

use super::client::{self, ListingEntry, ProviderError};
use super::mapping::{Failure, Item, ItemStatus};
use super::{NOT_CONFIGURED, store};
use crate::features::events;
use crate::platform::clock::timestamp;
use crate::platform::config::Brandlive;
use crate::platform::db::Db;
use crate::platform::error::AppError;
use merge::Step;

/// Why a sync failed.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// There is no API key.
    #[error("{NOT_CONFIGURED}")]
    NotConfigured,
    /// Another sync holds the lock.
    #[error("Another Brandlive sync is running")]
    Running,
    /// The listing could not be fetched.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The listing is empty although imported events are upcoming.
    #[error("Brandlive lists no events at all, which is implausible; nothing was changed")]
    EmptyListing,
    /// The listing would hide more than a third of the upcoming events.
    #[error(
        "Brandlive's list would hide {hidden} of the {upcoming} imported events ahead, which is implausible; nothing was \
         changed (delete here what is really gone)"
    )]
    TooManyRemovals {
        /// Events that it would hide.
        hidden: usize,
        /// Imported public events that are upcoming.
        upcoming: usize,
    },
    /// The database.
    #[error(transparent)]
    Storage(#[from] AppError),
}

impl From<SyncError> for AppError {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::NotConfigured => Self::Unavailable(error.to_string()),
            SyncError::Running => Self::Conflict { message: error.to_string(), field: None },
            SyncError::Provider(_) | SyncError::EmptyListing | SyncError::TooManyRemovals { .. } => {
                Self::Upstream(error.to_string())
            }
            SyncError::Storage(error) => error,
        }
    }
}

/// The progress of a sync.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// The number of items fetched.
    Fetched(usize),
    /// The number of changes stored, and of all changes.
    Stored(usize, usize),
}

/// Receives the progress of a sync.
pub type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// Imports the provider's events. With `dry_run` it reports the changes and writes nothing.
///
/// # Errors
/// Nothing was written, except with [`SyncError::Storage`], after which the next run continues.
pub async fn run(
    db: &Db,
    config: &Brandlive,
    now: DateTime<Utc>,
    dry_run: bool,
    on_progress: OnProgress,
) -> Result<Report, SyncError> {
    if !config.is_configured() {
        return Err(SyncError::NotConfigured);
    }
    // A dry run writes nothing, so it needs no lock.
    let _lock = if dry_run { None } else { Some(lock::acquire(db.path())?) };
    let listing = Arc::new(Listing::from(fetch(config, &on_progress).await?));
    let plan = {
        let listing = Arc::clone(&listing);
        db.read(move |connection| Ok(plan(connection, &listing, &timestamp(now)))).await?
    };
    let plan = plan.inspect_err(|error| tracing::warn!(%error, "the Brandlive sync changed nothing"))?;
    if dry_run {
        return Ok(Report { dry_run: true, ..plan.report.finish() });
    }
    let report = apply::apply(db, &listing, plan, now, &on_progress).await?;
    tracing::info!(message = report.message, "the Brandlive sync finished");
    Ok(report)
}

async fn fetch(config: &Brandlive, on_progress: &OnProgress) -> Result<Vec<ListingEntry>, SyncError> {
    let (config, on_progress) = (config.clone(), Arc::clone(on_progress));
    let fetched =
        tokio::task::spawn_blocking(move || client::fetch_all(&config, &|count| on_progress(Progress::Fetched(count))));
    Ok(fetched.await.map_err(AppError::internal)??)
}

/// The provider's list, sorted by what can be imported.
struct Listing {
    items: Vec<Item>,
    failed: Vec<Failure>,
    /// The ids of all items, importable or not.
    ids: HashSet<String>,
    /// Whether an id outside of `ids` is really missing.
    is_complete: bool,
    is_empty: bool,
}

impl From<Vec<ListingEntry>> for Listing {
    fn from(entries: Vec<ListingEntry>) -> Self {
        let mut listing = Self {
            items: Vec::new(),
            failed: Vec::new(),
            ids: HashSet::new(),
            is_complete: true,
            is_empty: entries.is_empty(),
        };
        for entry in entries {
            // An item without an id may be any of those that seem to be missing.
            listing.is_complete &= entry.id().is_some();
            match entry {
                ListingEntry(Ok(item)) if item.status == ItemStatus::Skipped => {}
                ListingEntry(Ok(item)) => {
                    listing.ids.insert(item.id.clone());
                    listing.items.push(item);
                }
                ListingEntry(Err(failure)) => {
                    listing.ids.extend(failure.id.clone());
                    listing.failed.push(failure);
                }
            }
        }
        listing
    }
}

/// The items that change something, as of the moment of planning.
struct Plan {
    /// Positions in the listing's items.
    items: Vec<usize>,
    /// Ids of imported events outside of the listing.
    missing: Vec<String>,
    report: Report,
}

fn plan(connection: &Connection, listing: &Listing, now: &str) -> Result<Plan, SyncError> {
    let linked = store::linked(connection)?;
    let upcoming = {
        let imported: HashSet<i64> = linked.iter().map(|(_, event)| *event).collect();
        let public = events::upcoming_public_imports(connection, now)?;
        public.into_iter().filter(|event| imported.contains(event)).count()
    };
    if listing.is_empty && upcoming > 0 {
        return Err(SyncError::EmptyListing);
    }
    let mut plan = Plan { items: Vec::new(), missing: Vec::new(), report: Report::default() };
    for (position, item) in listing.items.iter().enumerate() {
        let step = merge::of_listed(item, &store::find(connection, &item.id)?, now);
        if step != Step::Skip {
            plan.items.push(position);
        }
        plan.report.add(&item.id, &step, Some(item));
    }
    // The items of the listing hide only what is cancelled.
    let cancelled = plan.report.hidden;
    if listing.is_complete {
        for (id, _) in linked.into_iter().filter(|(id, _)| !listing.ids.contains(id)) {
            let step = merge::of_missing(&id, &store::find(connection, &id)?, now);
            if step != Step::Skip {
                plan.report.add(&id, &step, None);
                plan.missing.push(id);
            }
        }
    }
    plan.report.failed.clone_from(&listing.failed);
    // A listing that hides more than a third is implausible; a single explicit cancellation never is.
    let hidden = plan.report.hidden;
    if hidden * 3 > upcoming && (hidden, cancelled) != (1, 1) {
        return Err(SyncError::TooManyRemovals { hidden, upcoming });
    }
    Ok(plan)
}
