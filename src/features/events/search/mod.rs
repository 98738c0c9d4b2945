//! The search of the public events: what a query finds, and in which order.
//!
//! A query finds the events that contain all of its words, anywhere in a word (words of one or two letters only at the
//! beginning), without case and diacritics, in the title, type, series, venue, speakers and date. After these it finds the
//! events with similar words, which forgives typos.
//!
//! The text is in an FTS5 index of the database; `store/search.rs` says how it follows changes. What depends on the time is in
//! memory: an [`Index`] with the words and times of all events, which each search first updates, and a [`MatchCache`].

mod index;
mod matches;
mod query;
mod vocabulary;

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::Connection;

use super::description::DescriptionFormat;
use super::store::{self, IndexedEvent};
use super::types::{Event, FoundEvent, FoundEvents};
use crate::platform::clock::{minute_of, next_minute};
use crate::platform::error::AppError;
use crate::platform::text::folded;
use index::{Changes, Index};
use matches::MatchCache;
use query::{Query, Term};

/// The length of a query, in characters; the rest is ignored.
pub const MAX_SEARCH_QUERY: usize = 200;
/// The number of events on a page of results.
pub const SEARCH_PAGE_SIZE: usize = 50;

/// The search. Clones share what it has read of the index.
#[derive(Clone, Debug, Default)]
pub struct Search(Arc<Memory>);

/// What the search has read of the index.
#[derive(Debug, Default)]
struct Memory {
    index: RwLock<Index>,
    matches: MatchCache,
}

/// Which of the results are requested.
#[derive(Clone, Copy, Debug)]
pub struct ResultsPage {
    /// From 1.
    pub number: usize,
    /// The number of events on each page.
    pub size: usize,
}

impl ResultsPage {
    /// The events on this page, in their order. Only those up to its end are sorted.
    fn of(self, mut all: Vec<Found<'_>>) -> Vec<Found<'_>> {
        let before = self.number.saturating_sub(1).saturating_mul(self.size);
        let end = before.saturating_add(self.size);
        if end < all.len() {
            all.select_nth_unstable_by_key(end, |found| found.rank);
            all.truncate(end);
        }
        all.sort_unstable_by_key(|found| found.rank);
        all.drain(..before.min(all.len()));
        all
    }
}

/// What a query finds, and how long the result is fresh.
#[derive(Debug)]
pub struct SearchResults {
    pub events: FoundEvents,
    /// The first whole minute (UTC) at or after the end of the next event that ends, which changes their order.
    pub changes_at: Option<DateTime<Utc>>,
}

impl Search {
    /// A page of the public events that a query finds: those that contain its words before those
    /// with similar words, each by their start from now on, and then those that have ended, the latest first.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn find(
        &self,
        connection: &Connection,
        now: DateTime<Utc>,
        text: &str,
        page: ResultsPage,
    ) -> Result<SearchResults, AppError> {
        let query = Query::parse(text);
        if query.is_empty() {
            return Ok(SearchResults { events: FoundEvents::default(), changes_at: None });
        }
        let index = self.updated_index(connection)?;
        // Pages change at whole minutes.
        let now_minute = minute_of(now);
        let is_any_public =
            |expression: &str| Ok(index.public(&self.0.matches.find(connection, expression)?, now).next().is_some());
        let TermMatches { expressions, similar } = term_matches(&index, &query, is_any_public)?;
        let ids = self.0.matches.find(connection, &query.expression(&expressions))?;
        let mut all: Vec<Found<'_>> =
            index.public(&ids, now).map(|event| Found::new(event, false, now_minute)).collect();
        if similar.iter().any(|words| !words.is_empty()) {
            let exact = ids;
            let ids = self.0.matches.find(connection, &query.expression(&either(&expressions, &similar)))?;
            let others = index.public(&ids, now).filter(|event| exact.binary_search(&event.id).is_err());
            all.extend(others.map(|event| Found::new(event, true, now_minute)));
        }
        let next_end = all.iter().filter(|found| !found.is_past()).map(|found| found.event.ends).min();
        let count = all.len();
        let on_page = page.of(all);
        let ids: Vec<i64> = on_page.iter().map(|found| found.event.id).collect();
        let past: HashSet<i64> = on_page.iter().filter(|found| found.is_past()).map(|found| found.event.id).collect();
        drop(index);
        let events: Vec<FoundEvent> = store::find_public_in_order(connection, &ids, now)?
            .into_iter()
            .map(|event| FoundEvent { is_past: past.contains(&event.id), event: without_texts(event) })
            .collect();
        let marked = marked(&query.terms, similar.concat(), &events);
        Ok(SearchResults { events: FoundEvents { count, marked, events }, changes_at: next_end.map(next_minute) })
    }

    /// The ids of the events that a query finds in the portal: those that contain its words or, if there are none, those with
    /// similar words. With the first day of a month only those that may start in it. `None` for a query without words, which
    /// finds all.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn portal_ids(
        &self,
        connection: &Connection,
        text: Option<&str>,
        month: Option<NaiveDate>,
    ) -> Result<Option<Vec<i64>>, AppError> {
        let query = Query::parse(text.unwrap_or_default());
        if query.is_empty() {
            return Ok(None);
        }
        let index = self.updated_index(connection)?;
        let find = |expression: &str| self.0.matches.find(connection, expression);
        let is_any = |ids: &[i64]| store::is_any_not_deleted(connection, ids);
        let TermMatches { expressions, similar } =
            term_matches(&index, &query, |expression| is_any(&find(expression)?))?;
        let mut ids = find(&query.expression(&expressions))?;
        if similar.iter().any(|words| !words.is_empty()) && !is_any(&ids)? {
            ids = find(&query.expression(&either(&expressions, &similar)))?;
        }
        Ok(Some(match month {
            Some(first) => index.starting_within(&ids, &store::days_around_month(first)),
            None => Arc::unwrap_or_clone(ids),
        }))
    }

    /// The index with what has changed since the last search.
    fn updated_index(&self, connection: &Connection) -> Result<RwLockReadGuard<'_, Index>, AppError> {
        let index = self.0.index.read().unwrap_or_else(PoisonError::into_inner);
        let (last, mut changes) = (index.last_change, Changes::default());
        let newest = store::for_each_change_after(connection, last, |change| changes.add(change))?;
        if newest == last {
            return Ok(index);
        }
        drop(index);
        self.0.index.write().unwrap_or_else(PoisonError::into_inner).update(changes, newest);
        Ok(self.0.index.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An event that a query finds.
struct Found<'a> {
    event: &'a IndexedEvent,
    rank: Rank,
}

/// The position of an event in the results, by these fields in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Whether it has similar words only.
    is_similar: bool,
    is_past: bool,
    /// The start in seconds since 1970. That of a past event is negative, because the latest is the first.
    start: i64,
    id: i64,
}

impl<'a> Found<'a> {
    fn new(event: &'a IndexedEvent, is_similar: bool, now_minute: DateTime<Utc>) -> Self {
        let (is_past, start) = (event.ends <= now_minute, event.starts);
        let start = if is_past { -start } else { start };
        Self { event, rank: Rank { is_similar, is_past, start, id: event.id } }
    }

    fn is_past(&self) -> bool {
        self.rank.is_past
    }
}

/// What matches each word of a query.
struct TermMatches {
    /// FTS5 expressions for the events that contain it.
    expressions: Vec<Vec<String>>,
    /// The words of the index that resemble it.
    similar: Vec<Vec<String>>,
}

fn term_matches(
    index: &Index,
    query: &Query,
    finds_any: impl Fn(&str) -> Result<bool, AppError>,
) -> Result<TermMatches, AppError> {
    let (mut expressions, mut similar) = (Vec::new(), Vec::new());
    for term in &query.terms {
        let containing = term.contained(&index.words);
        let forgives_typos = match term.fuzzy_length() {
            0..=3 => false,
            // A short word has many similar ones.
            4 => !finds_any(&containing.join(" OR "))?,
            _ => true,
        };
        similar.push(if forgives_typos { index.words.similar(&term.folded) } else { Vec::new() });
        expressions.push(containing);
    }
    Ok(TermMatches { expressions, similar })
}

/// For each word of a query, the expressions for it and for the words that resemble it.
fn either(expressions: &[Vec<String>], similar: &[Vec<String>]) -> Vec<Vec<String>> {
    expressions.iter().zip(similar).map(|(one, other)| [one.clone(), quoted(other)].concat()).collect()
}

/// The event without the fields that results do not show.
fn without_texts(event: Event) -> Event {
    let mut event = event;
    event.summary = None;
    event.description.clear();
    event.description_format = DescriptionFormat::Plain;
    event.description_html = None;
    for one in &mut event.speakers {
        one.speaker.bio = None;
    }
    event
}

fn quoted(words: &[String]) -> Vec<String> {
    words.iter().map(|word| format!("\"{word}\"")).collect()
}

/// The words to mark in the results: those of the query, and the similar ones that the results contain. Other similar words may
/// be those of events that visitors do not see.
fn marked(terms: &[Term], similar: Vec<String>, events: &[FoundEvent]) -> Vec<String> {
    let mut shown = Vec::new();
    for FoundEvent { event, .. } in events {
        let venue = event.location.iter().flat_map(|location| [&location.venue_name, &location.city, &location.state]);
        let people = event.speakers.iter().map(|one| &one.speaker.name);
        for text in [&event.title, &event.r#type].into_iter().chain(&event.series).chain(venue).chain(people) {
            vocabulary::words_of(text, &mut shown);
        }
    }
    let shown: HashSet<String> = shown.iter().map(|word| folded(word)).collect();
    let similar: Vec<String> = similar.iter().map(|word| folded(word)).filter(|word| shown.contains(word)).collect();
    let mut marked: Vec<String> = terms.iter().map(|term| term.folded.clone()).chain(similar).collect();
    marked.sort_unstable();
    marked.dedup();
    marked
}
