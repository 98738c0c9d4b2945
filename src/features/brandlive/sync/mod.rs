//! The sync itself: the whole listing first, then what it changes, in small writes.

mod lock;
mod merge;
mod report;
mod write;

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

pub use report::{Action, Changed, Difference, Report};

use super::client::{self, Listing};
use super::mapping::{Entry, Item, State};
use super::types::ImportedField;
use super::{NOT_CONFIGURED, store};
use crate::platform::clock::timestamp;
use crate::platform::config::Brandlive;
use crate::platform::db::Db;
use crate::platform::error::AppError;
use merge::Step;

/// Why a sync did nothing.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// There is no key.
    #[error("{NOT_CONFIGURED}")]
    NotConfigured,
    /// Another one runs.
    #[error("Another Brandlive sync is running")]
    Running,
    /// The provider did not answer as it should, or what it says is not to be believed.
    #[error("{0}")]
    Provider(String),
    /// The database.
    #[error("{0}")]
    Storage(AppError),
}

impl From<AppError> for SyncError {
    fn from(error: AppError) -> Self {
        Self::Storage(error)
    }
}

impl From<SyncError> for AppError {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::NotConfigured => Self::Unavailable(NOT_CONFIGURED.to_owned()),
            SyncError::Running => Self::Conflict { message: error.to_string(), field: None },
            SyncError::Provider(said) => Self::Upstream(said),
            SyncError::Storage(error) => error,
        }
    }
}

/// How far a sync is.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// So many items are here.
    Fetched(usize),
    /// So many of so many changes are stored.
    Stored(usize, usize),
}

/// Who is told how far it is.
pub type Tell = Arc<dyn Fn(Progress) + Send + Sync>;

/// Imports what the provider lists. With `dry_run` it only says what that would change.
///
/// # Errors
/// Nothing was changed by then, save for [`SyncError::Storage`], after which the next run goes on.
pub async fn run(
    db: &Db,
    config: &Brandlive,
    now: DateTime<Utc>,
    dry_run: bool,
    tell: Tell,
) -> Result<Report, SyncError> {
    if !config.is_configured() {
        return Err(SyncError::NotConfigured);
    }
    // Nobody is kept from looking at a difference.
    let _turn = if dry_run { None } else { Some(lock::take(db.path())?) };
    let listing = fetch(config, &tell).await?;
    let listed = Arc::new(Listed::of(listing));
    let plan = {
        let listed = Arc::clone(&listed);
        db.read(move |connection| plan(connection, &listed, &timestamp(now))).await?
    };
    if let Some(said) = plan.doubt {
        tracing::warn!("{said}");
        return Err(SyncError::Provider(said));
    }
    if dry_run {
        return Ok(Report { dry_run: true, ..plan.report.finish() });
    }
    let report = write::all(db, &listed, plan, now, &tell).await?;
    tracing::info!(message = report.message, "Brandlive was synced");
    Ok(report)
}

async fn fetch(config: &Brandlive, tell: &Tell) -> Result<Listing, SyncError> {
    let (config, tell) = (config.clone(), Arc::clone(tell));
    tokio::task::spawn_blocking(move || client::fetch(&config, &|count| tell(Progress::Fetched(count))))
        .await
        .map_err(AppError::internal)?
        .map_err(SyncError::Provider)
}

/// The listing, sorted out.
struct Listed {
    items: Vec<Item>,
    failed: Vec<super::mapping::Failure>,
    /// Every id that is there, whether it can be imported or not.
    ids: HashSet<String>,
    /// Whether an id that is missing really is missing.
    complete: bool,
    empty: bool,
}

impl Listed {
    fn of(listing: Listing) -> Self {
        let mut listed = Self {
            items: Vec::new(),
            failed: Vec::new(),
            ids: HashSet::new(),
            complete: true,
            empty: listing.entries.is_empty(),
        };
        for entry in listing.entries {
            // An item without an id may be any of those that seem to be missing.
            listed.complete &= entry.id().is_some();
            match entry {
                Entry(Ok(item)) if item.state == State::Skipped => {}
                Entry(Ok(item)) => {
                    listed.ids.insert(item.id.clone());
                    listed.items.push(item);
                }
                Entry(Err(failure)) => {
                    listed.ids.extend(failure.id.clone());
                    listed.failed.push(failure);
                }
            }
        }
        listed
    }
}

/// What is to be done, as the database stood when it was looked at.
struct Plan {
    /// Items by their place in the list.
    items: Vec<usize>,
    /// Ids that the listing does not hold.
    gone: Vec<String>,
    report: Report,
    /// Why nothing may be changed.
    doubt: Option<String>,
}

fn plan(connection: &Connection, listed: &Listed, now: &str) -> Result<Plan, AppError> {
    let mut plan = Plan { items: Vec::new(), gone: Vec::new(), report: Report::default(), doubt: None };
    let ahead = store::ahead(connection, now)?;
    if listed.empty && ahead > 0 {
        plan.doubt = Some("Brandlive lists no events at all, which is not believed; nothing was changed".to_owned());
        return Ok(plan);
    }
    for (place, item) in listed.items.iter().enumerate() {
        let step = merge::of_listed(item, &store::known(connection, &item.id)?, now);
        if step != Step::Nothing {
            plan.items.push(place);
        }
        match changed(&item.id, &step, Some(item)) {
            Some(changed) => plan.report.note(changed),
            None => plan.report.unchanged += 1,
        }
    }
    // The listing's items hide what is cancelled; what it does not hold comes below.
    let cancelled = plan.report.hidden;
    if listed.complete {
        for id in store::imported_ids(connection)?.into_iter().filter(|id| !listed.ids.contains(id)) {
            let step = merge::of_gone(&id, &store::known(connection, &id)?, now);
            if step == Step::Nothing {
                continue;
            }
            if let Some(changed) = changed(&id, &step, None) {
                plan.report.note(changed);
            }
            plan.gone.push(id);
        }
    }
    plan.report.failed.clone_from(&listed.failed);
    plan.doubt = doubt(plan.report.hidden, cancelled, ahead);
    Ok(plan)
}

/// A listing that would hide more than a third is not believed; one event that was cancelled in so
/// many words is, however small the calendar.
fn doubt(hidden: usize, cancelled: usize, ahead: usize) -> Option<String> {
    let in_so_many_words = hidden == 1 && cancelled == 1;
    (hidden * 3 > ahead && !in_so_many_words).then(|| {
        format!(
            "What Brandlive lists would hide {hidden} of the {ahead} imported events ahead, which is not believed; \
             nothing was changed (delete here what is really gone)"
        )
    })
}

fn changed(id: &str, step: &Step, item: Option<&Item>) -> Option<Changed> {
    match (step, item) {
        (Step::Create, Some(item)) => {
            let fields = ImportedField::ALL.into_iter().filter(|field| !item.values.get(*field).is_empty());
            let fields = fields.map(|field| Difference {
                field,
                before: String::new(),
                after: item.values.get(field).to_owned(),
            });
            Some(Changed {
                action: Action::Created,
                id: id.to_owned(),
                title: item.values.get(ImportedField::Title).to_owned(),
                fields: fields.collect(),
            })
        }
        (Step::Change(change), _) => report::of_change(id, change),
        _ => None,
    }
}
