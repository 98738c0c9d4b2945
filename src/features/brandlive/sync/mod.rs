//! The sync: fetch the list, plan the changes, apply them in short transactions.

mod apply;
mod lock;
mod merge;
mod report;

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

pub use report::{ChangedEvent, FieldChange, SyncAction, SyncReport, needs_admin};

use super::client::{self, FetchState, FetchedList, Interruption, ProviderError, Secrets};
use super::mapping::{Item, ItemStatus, ListEntry, SyncFailure};
use super::types::PendingRemoval;
use super::{NOT_CONFIGURED, store};
use crate::features::events::{self, SyncedField};
use crate::platform::clock::timestamp;
use crate::platform::config::Config;
use crate::platform::db::Db;
use crate::platform::error::{AppError, ErrorChain};
use merge::SyncStep;

/// The number of events that a message names.
const MAX_NAMED: usize = 5;

/// Why a sync failed.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// There is no API key.
    #[error("{NOT_CONFIGURED}; whoever runs this server can set api_key and api_secret under [brandlive]")]
    NotConfigured,
    /// Another sync has the lock.
    #[error("Another Brandlive sync is running")]
    Running,
    /// The lock file can't be used.
    #[error("The lock file next to the database can't be used: {0}")]
    LockFile(#[source] std::io::Error),
    /// The list could not be fetched.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The list is empty although synced events are upcoming.
    #[error(
        "Brandlive lists no events at all, which is implausible; nothing was changed (if it is true, confirm it in the \
         portal or with --accept-removals)"
    )]
    EmptyList {
        /// The events that would be hidden.
        pending_removals: Vec<PendingRemoval>,
    },
    /// A read or a write of the database failed.
    #[error(transparent)]
    Storage(#[from] AppError),
}

impl From<SyncError> for AppError {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::NotConfigured | SyncError::LockFile(_) => Self::Unavailable(error.to_string()),
            SyncError::Running => Self::Conflict { message: error.to_string(), field: None },
            SyncError::Provider(_) | SyncError::EmptyList { .. } => {
                Self::Upstream { message: error.to_string(), source: error.into() }
            }
            SyncError::Storage(error) => error,
        }
    }
}

/// The progress of a sync.
#[derive(Clone, Copy, Debug)]
pub enum SyncProgress {
    /// The number of items fetched.
    Fetched(usize),
    /// The number of changes stored, and of all changes.
    Stored(usize, usize),
}

/// Receives the progress of a sync.
pub type OnProgress = Arc<dyn Fn(SyncProgress) + Send + Sync>;

/// Syncs the provider's events.
///
/// # Errors
/// No event was changed, except with [`SyncError::Storage`], after which the next run continues. The state from which
/// the next sync continues may have been stored.
pub async fn run(
    db: &Db,
    config: &Config,
    now: DateTime<Utc>,
    accept_removals: bool,
    on_progress: OnProgress,
) -> Result<SyncReport, SyncError> {
    check_configured(config)?;
    let _lock = lock::acquire(db.path())?;
    let state = db.read(fetch_state).await?;
    let former = state.resume_state.clone();
    let (brandlive, network) = (config.brandlive.clone(), config.network.clone());
    let progress = Arc::clone(&on_progress);
    let fetched = tokio::task::spawn_blocking(move || {
        client::fetch(&brandlive, &network, &state, &|count| progress(SyncProgress::Fetched(count)))
    });
    let (resume_state, list) = fetched.await.map_err(AppError::internal)?;
    let save_resume_state = async {
        if resume_state != former {
            db.write(move |transaction| store::save_resume_state(transaction, &resume_state)).await?;
        }
        Ok::<_, AppError>(())
    };
    let list = match list {
        Ok(list) => list,
        Err(error) => {
            save_resume_state.await?;
            return Err(error.into());
        }
    };
    if let Some(problem) = &list.problem {
        tracing::warn!("the Brandlive list is not complete: {}", ErrorChain(problem));
    }
    let listing = Arc::new(Listing::from(list));
    let plan = {
        let (listing, options) = (Arc::clone(&listing), PlanOptions { accept_removals, with_changes: false });
        db.read(move |connection| Ok(plan(connection, &listing, &timestamp(now), options))).await?
    };
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => {
            tracing::warn!(%error, "the Brandlive sync changed nothing");
            save_resume_state.await?;
            return Err(error);
        }
    };
    let mut report = apply::apply(db, &listing, plan, now, &on_progress).await?;
    report.redact(&listing.secrets);
    save_resume_state.await?;
    for note in &report.notes {
        tracing::warn!("{note}");
    }
    tracing::info!(message = report.message, "the Brandlive sync finished");
    Ok(report)
}

/// Reports what a sync would change, and writes nothing. Its requests are not counted for later syncs, which also
/// ignore a wait that the provider requests during the dry run. Blocks the thread.
///
/// # Errors
/// Those of [`run`] except [`SyncError::Running`] and [`SyncError::LockFile`], because it takes no lock.
pub fn dry_run(
    connection: &Connection,
    config: &Config,
    now: DateTime<Utc>,
    accept_removals: bool,
    on_progress: &OnProgress,
) -> Result<SyncReport, SyncError> {
    check_configured(config)?;
    let state = fetch_state(connection)?;
    let on_fetched = |count| on_progress(SyncProgress::Fetched(count));
    let (_, list) = client::fetch(&config.brandlive, &config.network, &state, &on_fetched);
    let listing = Listing::from(list?);
    let options = PlanOptions { accept_removals, with_changes: true };
    let plan = plan(connection, &listing, &timestamp(now), options)?;
    let mut report = SyncReport { dry_run: true, ..plan.report.finish() };
    report.redact(&listing.secrets);
    Ok(report)
}

fn check_configured(config: &Config) -> Result<(), SyncError> {
    if config.brandlive.is_configured() { Ok(()) } else { Err(SyncError::NotConfigured) }
}

fn fetch_state(connection: &Connection) -> Result<FetchState, AppError> {
    Ok(FetchState { update_times: store::update_times(connection)?, resume_state: store::resume_state(connection)? })
}

/// The provider's list, split into items that can be synced and those that can't.
struct Listing {
    items: Vec<Item>,
    failed: Vec<SyncFailure>,
    /// The ids of all items, also of those that can't be synced.
    ids: HashSet<String>,
    /// Whether an id outside of `ids` is really missing.
    is_complete: bool,
    is_empty: bool,
    deferred: usize,
    problem: Option<String>,
    notes: Vec<String>,
    /// What the report must not show.
    secrets: Secrets,
}

impl From<FetchedList> for Listing {
    fn from(list: FetchedList) -> Self {
        let mut notes = Vec::new();
        if let Some(interruption) = list.interruption {
            let limit = match interruption {
                Interruption::RequestLimit => "request limit",
                Interruption::Time => "time limit",
            };
            if list.problem.is_none() {
                notes.push(format!(
                    "The list is incomplete, because this sync reached its {limit}; the next sync continues it"
                ));
            }
        } else if !list.is_complete && list.problem.is_none() && list.unreadable.is_empty() {
            notes.push("Whether the list is complete is uncertain, so no missing event is hidden".to_owned());
        }
        for setting in &list.unreadable {
            let (name, _) = setting.split_once(' ').unwrap_or((setting, ""));
            notes.push(format!(
                "The value of {setting} can't be read, so whether the list is complete is uncertain and no missing event is \
                 hidden; check {name} under [brandlive.paging]"
            ));
        }
        if let Some(path) = &list.no_details_at {
            notes.push(format!("The provider has no details at {path}; set brandlive.detail_path = \"\""));
        }
        let mut listing = Self {
            items: Vec::new(),
            failed: Vec::new(),
            ids: list.ids,
            is_complete: list.is_complete,
            is_empty: list.is_empty,
            deferred: list.resume_state.details(),
            problem: list.problem.map(|problem| problem.to_string()),
            notes,
            secrets: list.secrets,
        };
        for ListEntry(entry) in list.entries {
            match entry {
                Ok(item) if item.status == ItemStatus::Skipped => {}
                Ok(item) => listing.items.push(item),
                Err(failure) => listing.failed.push(failure),
            }
        }
        let unknown: Vec<&str> =
            listing.items.iter().filter(|item| item.has_unknown_zone).map(|item| item.id.as_str()).collect();
        if !unknown.is_empty() {
            listing.notes.push(format!(
                "The time zone of {} can't be read, so their times are shown in the zone of [brandlive.defaults]; see \
                 timezone under [brandlive.mapping]",
                listed(&unknown, ", ")
            ));
        }
        listing
    }
}

/// The first of these texts, and the number of the others.
fn listed<T: AsRef<str>>(texts: &[T], separator: &str) -> String {
    let mut first: Vec<&str> = texts.iter().take(MAX_NAMED).map(AsRef::as_ref).collect();
    let more = format!("and {} more", texts.len().saturating_sub(MAX_NAMED));
    if texts.len() > MAX_NAMED {
        first.push(&more);
    }
    first.join(separator)
}

/// What a plan depends on besides the list and the database.
#[derive(Clone, Copy, Debug)]
struct PlanOptions {
    /// Whether events are hidden however many they are.
    accept_removals: bool,
    /// Whether the report keeps the changes of listed items, for a dry run. To apply a plan, they are not needed.
    with_changes: bool,
}

/// How a plan treats events that are to be hidden.
#[derive(Clone, Copy, Debug)]
struct RemovalPolicy {
    /// Hide them however many they are.
    accept_removals: bool,
    /// Hide none of them before an admin confirms it, because they are too many.
    needs_confirmation: bool,
}

impl RemovalPolicy {
    /// Whether a step waits for an admin.
    fn defers(self, step: &SyncStep) -> bool {
        self.needs_confirmation && step.hides()
    }
}

/// A step that hides an event.
struct Removal {
    /// The provider's id.
    id: String,
    step: SyncStep,
    /// The position in the items of the listing; `None` for an event outside of the list.
    position: Option<usize>,
}

/// The items that change something, as of the moment of planning.
struct SyncPlan {
    /// Positions in the items of the listing.
    items: Vec<usize>,
    /// Ids of synced events outside of the list.
    missing: Vec<String>,
    report: SyncReport,
    removal_policy: RemovalPolicy,
}

/// Plans a sync at the instant `now` (UTC, RFC 3339): compares the list with the database and writes nothing.
///
/// # Errors
/// [`SyncError::EmptyList`] for an empty list although synced events are upcoming, unless removals are accepted;
/// [`SyncError::Storage`].
fn plan(
    connection: &Connection,
    listing: &Listing,
    now: &str,
    PlanOptions { accept_removals, with_changes }: PlanOptions,
) -> Result<SyncPlan, SyncError> {
    let linked = store::linked(connection)?;
    let upcoming = count_upcoming(connection, &linked, now)?;
    if listing.is_empty && listing.problem.is_none() && upcoming > 0 && !accept_removals {
        return Err(SyncError::EmptyList { pending_removals: removals_of_empty_list(connection, linked, now)? });
    }
    let mut plan = SyncPlan::new(listing, accept_removals);
    let mut removals = plan.add_listed(connection, listing, now, with_changes)?;
    let cancelled = removals.len();
    if listing.is_complete {
        removals.extend(plan.add_missing(connection, listing, linked, now)?);
    }
    // To hide more than a third is implausible; a single explicit cancellation never is.
    let is_implausible = removals.len() * 3 > upcoming && (removals.len(), cancelled) != (1, 1);
    plan.removal_policy.needs_confirmation = is_implausible && !accept_removals;
    plan.add_removals(removals, listing, upcoming);
    Ok(plan)
}

/// The number of public events that are upcoming and synced.
fn count_upcoming(connection: &Connection, linked: &[(String, i64)], now: &str) -> Result<usize, AppError> {
    let synced: HashSet<i64> = linked.iter().map(|(_, event)| *event).collect();
    let public = events::upcoming_public_synced(connection, now)?;
    Ok(public.into_iter().filter(|event| synced.contains(event)).count())
}

/// The events that an empty list would hide if an admin accepted it.
fn removals_of_empty_list(
    connection: &Connection,
    linked: Vec<(String, i64)>,
    now: &str,
) -> Result<Vec<PendingRemoval>, AppError> {
    let mut pending_removals = Vec::new();
    for (id, _) in linked {
        let step = merge::step_for_missing(&id, &store::find(connection, &id)?, now, true);
        pending_removals.extend(pending_removal(id, &step));
    }
    Ok(pending_removals)
}

impl SyncPlan {
    /// A plan without a step, whose report contains what the fetched list says about itself.
    fn new(listing: &Listing, accept_removals: bool) -> Self {
        let report = SyncReport {
            failed: listing.failed.clone(),
            deferred: listing.deferred,
            problem: listing.problem.clone(),
            notes: listing.notes.clone(),
            ..SyncReport::default()
        };
        let removal_policy = RemovalPolicy { accept_removals, needs_confirmation: false };
        Self { items: Vec::new(), missing: Vec::new(), report, removal_policy }
    }

    /// Adds the steps for the items of the list, except for the cancellations, which are returned.
    fn add_listed(
        &mut self,
        connection: &Connection,
        listing: &Listing,
        now: &str,
        with_changes: bool,
    ) -> Result<Vec<Removal>, AppError> {
        let mut removals = Vec::new();
        for (position, item) in listing.items.iter().enumerate() {
            let step = merge::step_for_listed(item, &store::find(connection, &item.id)?, now);
            if step.hides() {
                removals.push(Removal { id: item.id.clone(), step, position: Some(position) });
                continue;
            }
            if step != SyncStep::Skip {
                self.items.push(position);
            }
            self.report.add(&item.id, &step, Some(item));
            if !with_changes {
                self.report.changes.clear();
            }
        }
        Ok(removals)
    }

    /// Adds the steps for the synced events outside of a complete list, except for those that hide one, which are
    /// returned.
    fn add_missing(
        &mut self,
        connection: &Connection,
        listing: &Listing,
        linked: Vec<(String, i64)>,
        now: &str,
    ) -> Result<Vec<Removal>, AppError> {
        let is_accepted = self.removal_policy.accept_removals;
        let mut removals = Vec::new();
        for (id, _) in linked.into_iter().filter(|(id, _)| !listing.ids.contains(id)) {
            let step = merge::step_for_missing(&id, &store::find(connection, &id)?, now, is_accepted);
            if step.hides() {
                removals.push(Removal { id, step, position: None });
            } else if step != SyncStep::Skip {
                self.missing.push(id);
            }
        }
        Ok(removals)
    }

    /// Adds the steps that hide events. If they need a confirmation, only the report contains them, with a note that
    /// names the number of upcoming synced events.
    fn add_removals(&mut self, removals: Vec<Removal>, listing: &Listing, upcoming: usize) {
        for Removal { id, step, position } in removals {
            if self.removal_policy.needs_confirmation {
                self.report.pending_removals.extend(pending_removal(id, &step));
                self.report.unchanged += usize::from(position.is_some());
                continue;
            }
            self.report.add(&id, &step, position.map(|position| &listing.items[position]));
            match position {
                Some(position) => self.items.push(position),
                None => self.missing.push(id),
            }
        }
        if !self.report.pending_removals.is_empty() {
            self.report.notes.push(format!(
                "Hiding {} of the {upcoming} upcoming synced events is implausible and waits for an admin ({}); \
                 confirm it in the portal or with --accept-removals",
                self.report.pending_removals.len(),
                named(&self.report.pending_removals)
            ));
        }
    }
}

/// The first of the events by id and title, and the number of the others.
fn named(removals: &[PendingRemoval]) -> String {
    let names: Vec<String> = removals.iter().map(|event| format!("{}: {}", event.id, event.title)).collect();
    listed(&names, "; ")
}

/// The event that a step hides; `None` for any other step.
fn pending_removal(id: String, step: &SyncStep) -> Option<PendingRemoval> {
    let SyncStep::Update(update) = step else { return None };
    update.hides().then(|| PendingRemoval { id, title: update.after.get(SyncedField::Title).to_owned() })
}
