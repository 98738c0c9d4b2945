//! Endpoints of the portal's list of events, which shows all events but the deleted ones.

use axum::Extension;
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::features::auth::Admin;
use crate::features::events::rules;
use crate::features::events::search::{MAX_SEARCH_QUERY, Search};
use crate::features::events::store::{self, PageRequest, PortalFilter};
use crate::features::events::types::{Event, EventMatch, EventPage, EventSort, EventStatusFilter};
use crate::platform::clock::parse_timestamp;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::{NoStoreJson, Query};
use crate::platform::messages::{EVENT_TYPES, TYPE_INVALID, limits};
use crate::platform::state::AppState;
use crate::platform::validate::{FieldErrors, id_list, trimmed};

/// The number of events in a response, if the request does not say it: the cards of a page (spec §9).
const PAGE_SIZE: usize = 6;
const MONTH_INVALID: &str = "Month must be year-month";
const IDS_INVALID: &str = "Ids must be numbers with commas between them, at most 200";
const START_INVALID: &str = "Start must be a time such as 2031-03-12T23:00:00Z";
const MINUTES_INVALID: &str = "Minutes must be at most 2880";

/// What the portal's list shows.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PortalQuery {
    /// Words, months and days, as in the public search; words with typos find similar ones if nothing else matches.
    q: Option<String>,
    /// Event type.
    r#type: Option<String>,
    #[param(inline)]
    when: Option<EventStatusFilter>,
    /// A month in each event's own zone, such as `2026-03`.
    month: Option<String>,
}

impl PortalQuery {
    fn check(self) -> Result<(PortalFilter, Option<String>), AppError> {
        let mut errors = FieldErrors::default();
        let (kind, month) = (trimmed(self.r#type), trimmed(self.month));
        if kind.as_deref().is_some_and(|kind| !EVENT_TYPES.contains(&kind)) {
            errors.add("type", TYPE_INVALID);
        }
        let first_day = month.as_ref().and_then(|month| rules::event_day(&format!("{month}-01")));
        if month.is_some() && first_day.is_none() {
            errors.add("month", MONTH_INVALID);
        }
        errors.into_result()?;
        let text = trimmed(self.q).map(|text| text.chars().take(MAX_SEARCH_QUERY).collect());
        Ok((PortalFilter { found: None, kind, status: self.when, month: first_day }, text))
    }
}

/// Which part of the portal's list a response has.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PortalPageQuery {
    #[param(inline)]
    sort: EventSort,
    /// The number of the page, from 1.
    page: Option<usize>,
    /// The number of events on a page, at most 200; 6 by default.
    size: Option<usize>,
    /// The page with this event, instead of a number.
    event: Option<i64>,
}

impl From<PortalPageQuery> for PageRequest {
    fn from(query: PortalPageQuery) -> Self {
        let PortalPageQuery { sort, page, size, event } = query;
        Self {
            sort,
            page: page.unwrap_or(1),
            size: size.unwrap_or(PAGE_SIZE).clamp(1, limits::EVENTS_PER_RESPONSE),
            event,
        }
    }
}

/// A page of the portal's list: drafts, scheduled and hidden events are among the others.
#[utoipa::path(get, path = "/api/events/portal", tag = "events", params(PortalQuery, PortalPageQuery),
    security(("session" = [])),
    responses((status = 200, body = EventPage), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn list_events_for_portal(
    _: Admin,
    State(app): State<AppState>,
    Extension(search): Extension<Search>,
    Query(query): Query<PortalQuery>,
    Query(page): Query<PortalPageQuery>,
) -> Result<NoStoreJson<EventPage>, AppError> {
    let ((filter, text), now) = (query.check()?, app.clock.now());
    app.db
        .read(move |connection| {
            let filter =
                PortalFilter { found: search.portal_ids(connection, text.as_deref(), filter.month)?, ..filter };
            store::portal_page(connection, &filter, &page.into(), now)
        })
        .await
        .map(NoStoreJson::ok)
}

/// All events that match, with what they can be selected by, in no order.
#[utoipa::path(get, path = "/api/events/portal/matches", tag = "events", params(PortalQuery), security(("session" = [])),
    responses((status = 200, body = Vec<EventMatch>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn list_matches_for_portal(
    _: Admin,
    State(app): State<AppState>,
    Extension(search): Extension<Search>,
    Query(query): Query<PortalQuery>,
) -> Result<NoStoreJson<Vec<EventMatch>>, AppError> {
    let ((filter, text), now) = (query.check()?, app.clock.now());
    app.db
        .read(move |connection| {
            let filter =
                PortalFilter { found: search.portal_ids(connection, text.as_deref(), filter.month)?, ..filter };
            store::portal_matches(connection, &filter, now)
        })
        .await
        .map(NoStoreJson::ok)
}

/// The events to read.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct IdsQuery {
    /// Ids with commas between them, at most 200: `3,7,12`.
    ids: String,
}

/// The events with these ids, also those that visitors do not see, in this order. Those that do not exist are left out.
#[utoipa::path(get, path = "/api/events/portal/events", tag = "events", params(IdsQuery), security(("session" = [])),
    responses((status = 200, body = Vec<Event>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn list_events_by_id(
    _: Admin,
    State(app): State<AppState>,
    Query(query): Query<IdsQuery>,
) -> Result<NoStoreJson<Vec<Event>>, AppError> {
    let (ids, now) = (ids_of("ids", &query.ids)?, app.clock.now());
    app.db.read(move |connection| store::find_in_order(connection, &ids, now)).await.map(NoStoreJson::ok)
}

/// Who speaks when.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OverlapQuery {
    /// The start, RFC 3339 in UTC.
    starts_at: String,
    minutes: u32,
    /// Ids of the speakers with commas between them.
    speakers: String,
}

impl OverlapQuery {
    fn check(self) -> Result<(Vec<i64>, std::ops::Range<DateTime<Utc>>), AppError> {
        let mut errors = FieldErrors::default();
        let start = parse_timestamp(&self.starts_at);
        if start.is_none() {
            errors.add("startsAt", START_INVALID);
        }
        if self.minutes > limits::OVERLAP_MINUTES {
            errors.add("minutes", MINUTES_INVALID);
        }
        errors.into_result()?;
        let start = start.unwrap_or_default();
        Ok((ids_of("speakers", &self.speakers)?, start..start + TimeDelta::minutes(self.minutes.into())))
    }
}

/// The events in which some of these speakers speak at the same time, by their start. Hidden, cancelled and postponed events
/// are left out.
#[utoipa::path(get, path = "/api/events/overlaps", tag = "events", params(OverlapQuery), security(("session" = [])),
    responses((status = 200, body = Vec<Event>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn list_overlaps(
    _: Admin,
    State(app): State<AppState>,
    Query(query): Query<OverlapQuery>,
) -> Result<NoStoreJson<Vec<Event>>, AppError> {
    let ((speakers, period), now) = (query.check()?, app.clock.now());
    app.db
        .read(move |connection| store::find_by_speakers(connection, &speakers, &period, now))
        .await
        .map(NoStoreJson::ok)
}

/// The months that have events, the earliest first, as `2026-03`.
#[utoipa::path(get, path = "/api/events/months", tag = "events", security(("session" = [])),
    responses((status = 200, body = Vec<String>), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_months(_: Admin, State(app): State<AppState>) -> Result<NoStoreJson<Vec<String>>, AppError> {
    app.db.read(store::months).await.map(NoStoreJson::ok)
}

/// The names of the series that events are in, for suggestions.
#[utoipa::path(get, path = "/api/events/series", tag = "events", security(("session" = [])),
    responses((status = 200, body = Vec<String>), (status = 401, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn list_series_names(_: Admin, State(app): State<AppState>) -> Result<NoStoreJson<Vec<String>>, AppError> {
    app.db.read(store::series_names).await.map(NoStoreJson::ok)
}

fn ids_of(field: &str, text: &str) -> Result<Vec<i64>, AppError> {
    let ids = if text.trim().is_empty() { Some(Vec::new()) } else { id_list(text) };
    ids.filter(|ids| ids.len() <= limits::EVENTS_PER_RESPONSE)
        .ok_or_else(|| AppError::Validation(vec![(field.to_owned(), IDS_INVALID.to_owned())]))
}
