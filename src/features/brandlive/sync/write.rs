//! What a plan says, in writes that are small enough for visitors to write in between.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

use super::super::store;
use super::merge::{self, Step};
use super::report::Report;
use super::{Listed, Plan, Progress, Tell, changed};
use crate::features::activity::{self, Actor, Change, Fields, Subject};
use crate::features::events::{self, Event};
use crate::platform::clock::timestamp;
use crate::platform::db::{Db, Transaction};
use crate::platform::error::AppError;

/// Who changed it, in the log.
const WHO: &str = "Brandlive sync";
/// How long one write keeps the others waiting.
const SLICE: Duration = Duration::from_millis(60);

/// Does what the plan says. Each item is looked at again inside of its write, because an editor may
/// have saved in between; each is written whole or not at all, and what a crash leaves undone is
/// done by the next run.
pub(super) async fn all(
    db: &Db,
    listed: &Arc<Listed>,
    plan: Plan,
    now: DateTime<Utc>,
    tell: &Tell,
) -> Result<Report, AppError> {
    let total = plan.items.len() + plan.gone.len();
    let mut report =
        Report { failed: plan.report.failed, unchanged: listed.items.len() - plan.items.len(), ..Report::default() };
    let todo = Arc::new((plan.items, plan.gone));
    let mut done = 0;
    while done < total {
        let (listed, todo) = (Arc::clone(listed), Arc::clone(&todo));
        let (next, part) = db
            .write(move |transaction| {
                let begun = Instant::now();
                let mut part = Report::default();
                let mut next = done;
                while next < total && begun.elapsed() < SLICE {
                    one(transaction, &listed, &todo, next, now, &mut part)?;
                    next += 1;
                }
                Ok((next, part))
            })
            .await?;
        report.unchanged += part.unchanged;
        part.changes.into_iter().for_each(|changed| report.note(changed));
        done = next;
        tell(Progress::Stored(done, total));
    }
    let report = report.finish();
    if total > 0 || !report.failed.is_empty() {
        // A run that found nothing to do leaves no trace at all.
        let (begun, ended, message) = (timestamp(now), timestamp(Utc::now()), report.message.clone());
        db.write(move |transaction| store::note_run(transaction, &begun, &ended, &message)).await?;
    }
    Ok(report)
}

fn one(
    transaction: &Transaction<'_>,
    listed: &Listed,
    (items, gone): &(Vec<usize>, Vec<String>),
    number: usize,
    now: DateTime<Utc>,
    report: &mut Report,
) -> Result<(), AppError> {
    let item = items.get(number).map(|place| &listed.items[*place]);
    let id = item.map_or_else(|| gone[number - items.len()].as_str(), |item| item.id.as_str());
    let known = store::known(transaction, id)?;
    let stamp = timestamp(now);
    let step = match item {
        Some(item) => merge::of_listed(item, &known, &stamp),
        None => merge::of_gone(id, &known, &stamp),
    };
    match (&step, item) {
        (Step::Create, Some(item)) => {
            let event = store::create(transaction, item, instant(&item.values)?)?;
            let created = Logged::find(transaction, event, false)?;
            activity::record(transaction, &Actor::named(WHO), &Change::Created(&created))?;
        }
        (Step::Change(change), _) => {
            let was_hidden = known.event.as_ref().is_some_and(|event| event.hidden_at.is_some());
            let before = Logged::find(transaction, change.event_id, was_hidden)?;
            if change.touches_fields() {
                store::change(transaction, change.event_id, &change.after, instant(&change.after)?)?;
            }
            if let Some(hide) = change.hide {
                store::set_hidden(transaction, change.event_id, hide.then_some(now))?;
            }
            store::remember(transaction, id, change.event_id, &change.snapshot, change.missed)?;
            let after = Logged::find(transaction, change.event_id, change.hide.unwrap_or(was_hidden))?;
            activity::record(transaction, &Actor::named(WHO), &Change::Changed(&before, &after))?;
        }
        _ => {}
    }
    match changed(id, &step, item) {
        Some(changed) => report.note(changed),
        None if item.is_some() => report.unchanged += 1,
        None => {}
    }
    Ok(())
}

/// An event as the log tells of it: also whether it is hidden from the public.
struct Logged {
    event: Event,
    hidden: bool,
}

impl Logged {
    fn find(transaction: &Transaction<'_>, id: i64, hidden: bool) -> Result<Self, AppError> {
        let event = events::find(transaction, id)?.ok_or(AppError::NotFound("Event"))?;
        Ok(Self { event, hidden })
    }
}

impl Subject for Logged {
    const KIND: &'static str = Event::KIND;

    fn number(&self) -> Option<i64> {
        self.event.number()
    }

    fn name(&self) -> String {
        self.event.name()
    }

    fn fields(&self) -> Fields {
        self.event.fields().with("hidden", self.hidden.then_some("yes"))
    }
}

fn instant(values: &super::super::mapping::Values) -> Result<DateTime<Utc>, AppError> {
    merge::starts_at(values).ok_or_else(|| AppError::internal("an imported event has no start"))
}
