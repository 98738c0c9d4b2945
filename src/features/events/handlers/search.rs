//! The endpoint of the search.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use http::{HeaderMap, Uri};
use rusqlite::Connection;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::features::events::rules;
use crate::features::events::search::{MAX_SEARCH_QUERY, ResultsPage, SEARCH_PAGE_SIZE, Search};
use crate::features::events::store;
use crate::features::events::types::FoundEvents;
use crate::platform::error::{AppError, ErrorBody};
use crate::platform::extract::Query;
use crate::platform::messages::limits;
use crate::platform::response_cache::Representation;
use crate::platform::state::AppState;

pub(in crate::features::events) const SEARCH: &str = "/api/search";

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Words, months and days: `okafor december`, `dec 1`, `2026-12`. At most 200 characters count.
    q: String,
    /// The number of the page of results, from 1.
    page: Option<usize>,
    /// The number of events on a page: 50 by default, at most 200.
    limit: Option<usize>,
}

impl SearchQuery {
    /// The query string in canonical order.
    fn canonical(&self) -> String {
        let words: Vec<&str> = self.q.split_whitespace().collect();
        let text: String = words.join(" ").chars().take(MAX_SEARCH_QUERY).collect();
        let mut query = url::form_urlencoded::Serializer::new(String::from("?"));
        query.append_pair("q", &text);
        let limit = self.limit.map(|limit| limit.clamp(1, limits::EVENTS_PER_RESPONSE));
        for (name, value, default) in [("page", self.page, 1), ("limit", limit, SEARCH_PAGE_SIZE)] {
            if let Some(value) = value.filter(|value| *value != default) {
                query.append_pair(name, &value.to_string());
            }
        }
        query.finish()
    }
}

/// Search the events by title, type, series, venue, speakers and date.
#[utoipa::path(get, path = SEARCH, tag = "events", params(SearchQuery),
    responses((status = 200, body = FoundEvents), (status = 304, description = "The client has the current response"),
        (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn search_events(
    State(app): State<AppState>,
    Query(query): Query<SearchQuery>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    app.responses.respond(&format!("{SEARCH}{}", query.canonical()), &headers).await
}

/// The response to a search with a canonical query string.
pub(in crate::features::events) fn build_search(
    search: &Search,
    connection: &Connection,
    now: DateTime<Utc>,
    query: &str,
) -> Result<Representation, AppError> {
    let uri: Uri = format!("{SEARCH}{query}").parse().map_err(AppError::internal)?;
    let axum::extract::Query(query) =
        axum::extract::Query::<SearchQuery>::try_from_uri(&uri).map_err(AppError::internal)?;
    let page = ResultsPage { number: query.page.unwrap_or(1), size: query.limit.unwrap_or(SEARCH_PAGE_SIZE) };
    let found = search.find(connection, now, &query.q, page)?;
    let fresh_until = store::next_publication(connection, now)?.into_iter().chain(found.changes_at).min();
    Ok(Representation { fresh_until, ..Representation::json(&found.events)? }.shared(rules::LIST_CACHE_KEYS))
}
