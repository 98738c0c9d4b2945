//! Endpoints that change several events at once, create an event on several dates, and undo both.

use std::collections::{BTreeSet, HashMap};

use axum::extract::State;
use chrono::{DateTime, Utc};
use rusqlite::Connection;

use crate::features::activity::{self, Action, Actor, Change};
use crate::features::auth::Admin;
use crate::features::events::rules::{self, CheckedChanges};
use crate::features::events::store::{self, changes};
use crate::features::events::types::{
    AppliedChanges, ChangeEvents, ChangesPreview, Event, EventChanges, EventToChange, PlannedChange, RecentChange,
    RepeatDates, RepeatEvent, RepeatRule, RepeatedEvents, UndoneChanges,
};
use crate::features::idempotency::{self, Created, IdempotentJson};
use crate::features::speakers;
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{Id, Json, NoBody, NoStoreJson};
use crate::platform::messages::limits;
use crate::platform::state::AppState;

const CHANGES: &str = "/api/events/changes";
const REPEATS: &str = "/api/events/repeats";

const NO_EVENTS: &str = "Choose at least one event";
const TOO_MANY_EVENTS: &str = "At most 2,000 events can be changed at once";
const NOTHING_CHANGES: &str = "Nothing was saved, because all of these events are already like this";

/// What a change of several events would do to each. Nothing is saved.
#[utoipa::path(post, path = "/api/events/changes/preview", tag = "events", request_body = ChangeEvents,
    security(("session" = [])),
    responses((status = 200, body = ChangesPreview), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn preview_changes(
    _: Admin,
    State(app): State<AppState>,
    Json(input): Json<ChangeEvents>,
) -> Result<NoStoreJson<ChangesPreview>, AppError> {
    let now = app.clock.now();
    app.db
        .read(move |connection| {
            let planned = plan(connection, input, now)?.events;
            Ok(ChangesPreview { events: planned.into_iter().map(|one| one.planned).collect() })
        })
        .await
        .map(NoStoreJson::ok)
}

/// Change several events, all or none. The change can be undone as a whole for 24 hours. A repeated request with the
/// same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = CHANGES, tag = "events", request_body = ChangeEvents, security(("session" = [])),
    responses((status = 201, body = AppliedChanges), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_changes(
    admin: Admin,
    State(app): State<AppState>,
    IdempotentJson(input, key): IdempotentJson<ChangeEvents>,
) -> Result<Created<AppliedChanges>, AppError> {
    let (actor, admin_id, email) = (Actor::from(&admin), admin.user.id, admin.user.email.clone());
    let now = app.clock.now();
    let created = idempotency::create(&app, key, (admin_id, CHANGES), move |transaction| {
        let plan = plan(transaction, input, now)?;
        reject_errors(&plan.events)?;
        apply(transaction, &plan, &actor, &email, now)
    })
    .await?;
    if let Some(change) = &created.new {
        tracing::info!(admin = admin_id, change = change.id, events = change.count, "events were changed at once");
    }
    Ok(created)
}

/// The changes of several events in the last 24 hours that can be undone, newest first, at most 10.
#[utoipa::path(get, path = CHANGES, tag = "events", security(("session" = [])),
    responses((status = 200, body = Vec<RecentChange>), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn list_changes(_: Admin, State(app): State<AppState>) -> Result<NoStoreJson<Vec<RecentChange>>, AppError> {
    let now = app.clock.now();
    app.db.read(move |connection| changes::recent(connection, now)).await.map(NoStoreJson::ok)
}

/// Undo a change of several events, all or none. It is rejected after 24 hours, and if one of the events was changed
/// since.
#[utoipa::path(post, path = "/api/events/changes/{id}/undo", tag = "events", params(("id" = i64, Path)),
    security(("session" = [])),
    responses((status = 200, body = UndoneChanges), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn undo_changes(
    admin: Admin,
    State(app): State<AppState>,
    Id(id): Id,
    _: NoBody,
) -> Result<NoStoreJson<UndoneChanges>, AppError> {
    let (actor, now) = (Actor::from(&admin), app.clock.now());
    let undone = app.db.write(move |transaction| undo(transaction, id, &actor, now)).await?;
    tracing::info!(admin = admin.user.id, change = id, "a change of several events was undone");
    Ok(NoStoreJson::ok(undone))
}

/// The dates of a rule by which an event repeats. Nothing is saved.
#[utoipa::path(post, path = "/api/events/repeats/dates", tag = "events", request_body = RepeatRule,
    security(("session" = [])),
    responses((status = 200, body = RepeatDates), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody)))]
pub async fn preview_repeats(_: Admin, Json(rule): Json<RepeatRule>) -> Result<NoStoreJson<RepeatDates>, AppError> {
    rules::dates_of(rule).map(NoStoreJson::ok)
}

/// Create an event on several dates, all or none. It can be undone as a whole for 24 hours. A repeated request with the
/// same `Idempotency-Key` header gets the same response.
#[utoipa::path(post, path = REPEATS, tag = "events", request_body = RepeatEvent, security(("session" = [])),
    responses((status = 201, body = RepeatedEvents), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn create_repeats(
    admin: Admin,
    State(app): State<AppState>,
    IdempotentJson(input, key): IdempotentJson<RepeatEvent>,
) -> Result<Created<RepeatedEvents>, AppError> {
    let new = rules::check_repeated(input)?;
    let (actor, admin_id, email) = (Actor::from(&admin), admin.user.id, admin.user.email.clone());
    let now = app.clock.now();
    let created = idempotency::create(&app, key, (admin_id, REPEATS), move |transaction| {
        let id = changes::insert_change(transaction, &email, Action::Created, now)?;
        let mut ids = Vec::with_capacity(new.len());
        for event in &new {
            let event_id = store::insert(transaction, event)?;
            changes::insert_item(transaction, id, event_id, None)?;
            ids.push(event_id);
        }
        let events = store::find_many(transaction, &ids, now)?;
        for event in &events {
            activity::record(transaction, &actor, &Change::Created(event))?;
        }
        Ok(RepeatedEvents { id, undo_until: changes::undo_until(now), events })
    })
    .await?;
    if let Some(change) = &created.new {
        tracing::info!(admin = admin_id, change = change.id, events = change.events.len(), "events were created");
    }
    Ok(created)
}

/// The events of a request, and what happens to them.
struct Plan {
    changes: CheckedChanges,
    events: Vec<PlannedEvent>,
}

struct PlannedEvent {
    planned: PlannedChange,
    before: Event,
    after: Event,
}

fn plan(connection: &Connection, input: ChangeEvents, now: DateTime<Utc>) -> Result<Plan, AppError> {
    let rejected = |message: &str| AppError::Validation(vec![("events".to_owned(), message.to_owned())]);
    if input.events.is_empty() {
        return Err(rejected(NO_EVENTS));
    }
    if input.events.len() > limits::CHANGED {
        return Err(rejected(TOO_MANY_EVENTS));
    }
    let named = named_speakers(&input.changes);
    let speakers = speakers::find_all(connection, &named)?;
    let speakers = speakers.iter().map(|(id, speaker)| (*id, speaker.into())).collect();
    let changes = rules::check_changes(input.changes, &speakers)?;
    let ids: BTreeSet<i64> = input.events.iter().map(|event| event.id).collect();
    let events = store::find_many(connection, &ids.iter().copied().collect::<Vec<_>>(), now)?;
    if events.len() < ids.len() {
        let message = match ids.len() - events.len() {
            1 => "One of these events was deleted in the meantime. Nothing was saved: choose again.".to_owned(),
            gone => format!("{gone} of these events were deleted in the meantime. Nothing was saved: choose again."),
        };
        return Err(AppError::Conflict { message, field: Some("events") });
    }
    reject_other_revisions(&input.events, &events)?;
    let events = events
        .into_iter()
        .map(|before| {
            let (planned, after) = rules::plan(&before, &changes);
            PlannedEvent { planned, before, after }
        })
        .collect();
    Ok(Plan { changes, events })
}

fn named_speakers(changes: &EventChanges) -> Vec<i64> {
    let Some(speakers) = &changes.speakers else { return Vec::new() };
    speakers.add.iter().copied().chain(speakers.replace.map(|both| both.to)).collect()
}

fn reject_other_revisions(requested: &[EventToChange], events: &[Event]) -> Result<(), AppError> {
    let expected: HashMap<i64, i64> = requested.iter().filter_map(|one| Some((one.id, one.revision?))).collect();
    let is_other = |event: &&Event| expected.get(&event.id).is_some_and(|revision| *revision != event.revision);
    let titles: Vec<&str> = events.iter().filter(is_other).map(|event| event.title.as_str()).collect();
    if titles.is_empty() {
        return Ok(());
    }
    let (subject, verb) = named(&titles);
    let message =
        format!("{subject} {verb} changed by somebody else in the meantime. Nothing was saved: preview again.");
    Err(AppError::Conflict { message, field: Some("events") })
}

/// The titles of a few events in quotes, with the verb that follows.
fn named(titles: &[&str]) -> (String, &'static str) {
    const MAX_NAMED: usize = 3;
    let list = titles.iter().take(MAX_NAMED).map(|title| format!("“{title}”")).collect::<Vec<_>>().join(", ");
    match titles.len() {
        1 => (list, "was"),
        count if count > MAX_NAMED => (format!("{list} and {} more", count - MAX_NAMED), "were"),
        _ => (list, "were"),
    }
}

fn reject_errors(events: &[PlannedEvent]) -> Result<(), AppError> {
    let wrong: Vec<&PlannedChange> =
        events.iter().map(|event| &event.planned).filter(|event| !event.errors.is_empty()).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let message = |event: &PlannedChange| format!("“{}”: {}", event.title, event.errors.join(". "));
    Err(AppError::Validation(wrong.iter().map(|event| (format!("events.{}", event.id), message(event))).collect()))
}

fn apply(
    transaction: &Transaction<'_>,
    plan: &Plan,
    actor: &Actor,
    email: &str,
    now: DateTime<Utc>,
) -> Result<AppliedChanges, AppError> {
    let is_deletion = plan.changes.is_deletion;
    let changed: Vec<&PlannedEvent> =
        plan.events.iter().filter(|event| is_deletion || !event.planned.changes.is_empty()).collect();
    if changed.is_empty() {
        return Err(AppError::Validation(vec![("changes".to_owned(), NOTHING_CHANGES.to_owned())]));
    }
    let action = if is_deletion { Action::Deleted } else { Action::Changed };
    let id = changes::insert_change(transaction, email, action, now)?;
    for PlannedEvent { before, after, .. } in &changed {
        if is_deletion {
            store::delete(transaction, before.id, now)?;
            changes::insert_item(transaction, id, before.id, None)?;
            activity::record(transaction, actor, &Change::Deleted(before))?;
        } else {
            let former = changes::former(transaction, before)?;
            changes::apply(transaction, before, after, plan.changes.new_status(), now)?;
            changes::insert_item(transaction, id, before.id, Some(&former))?;
        }
    }
    let ids: Vec<i64> = changed.iter().map(|event| event.before.id).collect();
    let events = store::find_many(transaction, &ids, now)?;
    let after: HashMap<i64, &Event> = events.iter().map(|event| (event.id, event)).collect();
    for PlannedEvent { before, .. } in &changed {
        if let Some(after) = after.get(&before.id) {
            activity::record(transaction, actor, &Change::Changed(before, *after))?;
        }
    }
    Ok(AppliedChanges { id, count: changed.len(), undo_until: changes::undo_until(now) })
}

fn undo(transaction: &Transaction<'_>, id: i64, actor: &Actor, now: DateTime<Utc>) -> Result<UndoneChanges, AppError> {
    let rejected = |message: String| AppError::Conflict { message, field: None };
    let change = changes::find_change(transaction, id)?.ok_or(AppError::NotFound("Change"))?;
    if change.is_undone {
        return Err(rejected("This change was undone already".to_owned()));
    }
    if change.is_expired(now) {
        return Err(rejected("A change can be undone for 24 hours, which are over".to_owned()));
    }
    let items = changes::items(transaction, id, change.action)?;
    let titles: Vec<&str> = items.iter().filter(|item| !item.is_current).map(|item| item.title.as_str()).collect();
    if !titles.is_empty() {
        let (subject, verb) = named(&titles);
        return Err(rejected(format!(
            "{subject} {verb} changed since then, so nothing was undone. Change the events one by one."
        )));
    }
    let speaker_ids: BTreeSet<i64> =
        items.iter().filter_map(|item| item.former.as_ref()).flat_map(|former| former.speaker_ids.clone()).collect();
    let speaker_ids: Vec<i64> = speaker_ids.into_iter().collect();
    if speakers::find_all(transaction, &speaker_ids)?.len() < speaker_ids.len() {
        let message =
            "A speaker of these events was deleted since then, so nothing was undone. Change the events one by one.";
        return Err(rejected(message.to_owned()));
    }

    let ids: Vec<i64> = items.iter().map(|item| item.event_id).collect();
    let before: HashMap<i64, Event> =
        store::find_many(transaction, &ids, now)?.into_iter().map(|event| (event.id, event)).collect();
    for item in &items {
        match (change.action, &item.former) {
            (Action::Deleted, _) => {
                store::restore(transaction, item.event_id, now)?;
            }
            (_, Some(former)) => changes::restore_former(transaction, item.event_id, former)?,
            (_, None) => {
                store::delete(transaction, item.event_id, now)?;
            }
        }
    }
    let events = store::find_many(transaction, &ids, now)?;
    let after: HashMap<i64, &Event> = events.iter().map(|event| (event.id, event)).collect();
    for item in &items {
        let recorded = match (before.get(&item.event_id), after.get(&item.event_id)) {
            (Some(before), Some(after)) => Change::Changed(before, *after),
            (Some(before), None) => Change::Deleted(before),
            (None, Some(after)) => Change::Restored(*after),
            (None, None) => continue,
        };
        activity::record(transaction, actor, &recorded)?;
    }
    changes::mark_undone(transaction, id, now)?;
    Ok(UndoneChanges { count: items.len() })
}
