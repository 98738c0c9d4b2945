//! Applies a plan in short transactions, between which visitors can write.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

use super::super::store::{self, ListingStatus};
use super::merge::{self, SyncStep};
use super::report::SyncReport;
use super::{Listing, OnProgress, RemovalPolicy, SyncPlan, SyncProgress};
use crate::features::activity::{self, Actor, Change};
use crate::features::events::{self, Event, NewSyncedEvent, SyncedValues};
use crate::platform::clock::timestamp;
use crate::platform::db::{self, Db, Transaction};
use crate::platform::error::AppError;

/// The actor in the activity log.
const ACTOR: &str = "Brandlive sync";
/// The longest time that one transaction delays other writes.
const MAX_TRANSACTION: Duration = Duration::from_millis(60);

/// More changes are a bulk change, during which visitors don't wait for each of its transactions.
const MAX_SINGLE_CHANGES: usize = 20;

/// Applies a plan. Each step is computed again inside of its transaction, because an admin may have saved
/// in between. After a crash the next run applies the remaining steps.
pub(super) async fn apply(
    db: &Db,
    listing: &Arc<Listing>,
    plan: SyncPlan,
    now: DateTime<Utc>,
    on_progress: &OnProgress,
) -> Result<SyncReport, AppError> {
    let total = plan.items.len() + plan.missing.len();
    let mut report = SyncReport { created: 0, updated: 0, hidden: 0, changes: Vec::new(), ..plan.report };
    let planned: HashSet<usize> = plan.items.iter().copied().collect();
    report.unchanged = listing
        .items
        .iter()
        .enumerate()
        .filter(|(position, item)| item.is_current && !planned.contains(position))
        .count();
    let targets = Arc::new(Targets { items: plan.items, missing: plan.missing, removal_policy: plan.removal_policy });
    let mut done = 0;
    while done < total {
        let (listing, targets) = (Arc::clone(listing), Arc::clone(&targets));
        let (next, part) = db
            .write(move |transaction| {
                if total > MAX_SINGLE_CHANGES {
                    db::mark_bulk_change(transaction)?;
                }
                let started = Instant::now();
                let mut part = SyncReport::default();
                let mut next = done;
                while next < total && started.elapsed() < MAX_TRANSACTION {
                    apply_one(transaction, &listing, &targets, next, now, &mut part)?;
                    next += 1;
                }
                Ok((next, part))
            })
            .await?;
        report.append(part);
        done = next;
        on_progress(SyncProgress::Stored(done, total));
    }
    let report = report.finish();
    // Also a run without a change, so that monitoring sees that syncs run.
    let (started_at, finished_at, message) = (timestamp(now), timestamp(Utc::now()), report.message.clone());
    db.write(move |transaction| {
        db::end_bulk_change(transaction)?;
        store::insert_sync(transaction, &started_at, &finished_at, &message)
    })
    .await?;
    Ok(report)
}

/// What a plan changes.
struct Targets {
    /// Positions in the items of the listing.
    items: Vec<usize>,
    /// Ids of synced events outside of the list.
    missing: Vec<String>,
    removal_policy: RemovalPolicy,
}

fn apply_one(
    transaction: &Transaction<'_>,
    listing: &Listing,
    Targets { items, missing, removal_policy }: &Targets,
    index: usize,
    now: DateTime<Utc>,
    report: &mut SyncReport,
) -> Result<(), AppError> {
    let item = items.get(index).map(|position| &listing.items[*position]);
    let id = item.map_or_else(|| missing[index - items.len()].as_str(), |item| item.id.as_str());
    let stored = store::find(transaction, id)?;
    let instant = timestamp(now);
    let step = match item {
        Some(item) => merge::step_for_listed(item, &stored, &instant),
        None => merge::step_for_missing(id, &stored, &instant, removal_policy.accept_removals),
    };
    if removal_policy.defers(&step) {
        return Ok(());
    }
    match (&step, item) {
        (SyncStep::Create, Some(item)) => {
            let Some(values) = &item.values else { return Ok(()) };
            let event_id = events::insert_synced(
                transaction,
                &NewSyncedEvent {
                    brandlive_id: id,
                    kind: &item.kind,
                    series: item.series.as_deref(),
                    values,
                    starts_at: starts_at(values)?,
                },
            )?;
            store::save(transaction, id, event_id, values, ListingStatus::Listed, item.details_updated_at.as_deref())?;
            let created = find(transaction, event_id, now)?;
            activity::record(transaction, &Actor::named(ACTOR), &Change::Created(&created))?;
        }
        (SyncStep::Update(update), _) => {
            let before = find(transaction, update.event_id, now)?;
            if update.changes_fields() {
                // A draft may lack its date.
                let starts_at = merge::starts_at(&update.after);
                events::update_synced_values(transaction, update.event_id, &update.after, starts_at)?;
            }
            if let Some(hide) = update.hide {
                events::set_hidden(transaction, update.event_id, hide.then_some(now))?;
            }
            let details_updated_at = update.details_updated_at.as_deref();
            store::save(transaction, id, update.event_id, &update.base, update.status, details_updated_at)?;
            let after = find(transaction, update.event_id, now)?;
            activity::record(transaction, &Actor::named(ACTOR), &Change::Changed(&before, &after))?;
        }
        _ => {}
    }
    report.add(id, &step, item);
    Ok(())
}

fn find(transaction: &Transaction<'_>, id: i64, now: DateTime<Utc>) -> Result<Event, AppError> {
    events::find(transaction, id, now)?.ok_or(AppError::NotFound("Event"))
}

fn starts_at(values: &SyncedValues) -> Result<DateTime<Utc>, AppError> {
    merge::starts_at(values).ok_or_else(|| AppError::internal("a synced event has no start"))
}
