//! SQL of the portal's list: all events but the deleted ones, by page, with filters.

use std::ops::Range;

use chrono::{DateTime, Months, NaiveDate, TimeDelta, Utc};
use rusqlite::{Connection, ToSql, named_params};

use super::{Event, find_many, in_order, select};
use crate::features::events::status::EventStatus;
use crate::features::events::types::{EventMatch, EventPage, EventSort, EventStatusFilter};
use crate::platform::clock::timestamp;
use crate::platform::error::AppError;
use crate::platform::messages::IN_PERSON;

/// The longest event, for finding those that overlap with a time. Longer ones are not found.
const LONGEST: TimeDelta = TimeDelta::days(2);

/// Narrows the portal's list; the default selects all events that are not deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortalFilter {
    /// The ids that a search has found.
    pub found: Option<Vec<i64>>,
    /// Event type.
    pub kind: Option<String>,
    pub status: Option<EventStatusFilter>,
    /// The first day of a month, in each event's own time zone.
    pub month: Option<NaiveDate>,
}

/// A filter at a time, as the parts of statements.
struct Condition {
    sql: String,
    /// Whether it selects some of the events that a query finds. They are read by id: an index of types has more rows, the
    /// more events there are, but SQLite would prefer it. A `+` before the column prevents that.
    has_ids: bool,
    values: Vec<(&'static str, String)>,
}

impl Condition {
    fn new(filter: &PortalFilter, now: DateTime<Utc>) -> Result<Self, AppError> {
        let mut sql = "e.deleted_at IS NULL".to_owned();
        let mut values = vec![(":now", timestamp(now))];
        if let Some(found) = &filter.found {
            sql.push_str(" AND e.id IN (SELECT value FROM json_each(:found))");
            values.push((":found", serde_json::to_string(found).map_err(AppError::internal)?));
        }
        if let Some(kind) = &filter.kind {
            sql.push_str(if filter.found.is_some() { " AND +e.type = :kind" } else { " AND e.type = :kind" });
            values.push((":kind", kind.clone()));
        }
        if let Some(first) = filter.month {
            // The index of starts finds these days.
            sql.push_str(
                " AND e.starts_at >= :month_start AND e.starts_at < :month_end AND substr(e.date, 1, 7) = :month",
            );
            let days = days_around_month(first);
            values.push((":month", first.format("%Y-%m").to_string()));
            values.push((":month_start", days.start.to_string()));
            values.push((":month_end", days.end.to_string()));
        }
        if let Some(status) = filter.status {
            sql.push_str(match status {
                EventStatusFilter::Upcoming => " AND (e.starts_at >= :now OR e.starts_at = '')",
                EventStatusFilter::Past => " AND e.starts_at > '' AND e.starts_at < :now",
                // The first term is that of the index.
                _ => {
                    " AND e.status <> 'published' AND e.status = :status
                 AND (e.status <> 'scheduled' OR e.publish_at > :now)"
                }
            });
            values.extend(status.event_status().map(|status| (":status", status.as_str().to_owned())));
        }
        Ok(Self { sql, has_ids: filter.found.is_some(), values })
    }

    /// The values of a statement, of which SQLite must know the names.
    fn values<'a>(&'a self, sql: &str, others: &[(&'static str, &'a dyn ToSql)]) -> Vec<(&'static str, &'a dyn ToSql)> {
        let own = self.values.iter().map(|(name, value)| (*name, value as &dyn ToSql));
        own.chain(others.iter().copied()).filter(|(name, _)| contains_name(sql, name)).collect()
    }

    fn count(&self, connection: &Connection, segment: &str) -> Result<usize, AppError> {
        let filter = &self.sql;
        let sql = format!("SELECT count(*) FROM events e WHERE {filter} AND {segment}");
        let count: i64 = connection.prepare_cached(&sql)?.query_row(&*self.values(&sql, &[]), |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    fn ids(
        &self,
        connection: &Connection,
        (segment, order): (&str, &str),
        range: &Range<usize>,
    ) -> Result<Vec<i64>, AppError> {
        let filter = &self.sql;
        self.read_ids(
            connection,
            &format!(
                "SELECT e.id FROM events e WHERE {filter} AND {segment} ORDER BY {order}
                 LIMIT :limit OFFSET :offset"
            ),
            range,
        )
    }

    /// The same by title, read from the index of titles instead of sorted.
    fn ids_by_title(&self, connection: &Connection, range: &Range<usize>) -> Result<Vec<i64>, AppError> {
        let filter = &self.sql;
        self.read_ids(
            connection,
            &format!(
                "SELECT e.id FROM events e INDEXED BY events_by_title WHERE {filter} ORDER BY e.title_key, e.id
                 LIMIT :limit OFFSET :offset"
            ),
            range,
        )
    }

    fn read_ids(&self, connection: &Connection, sql: &str, range: &Range<usize>) -> Result<Vec<i64>, AppError> {
        let [offset, limit] = [range.start, range.len()].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let values = self.values(sql, &[(":limit", &limit), (":offset", &offset)]);
        Ok(connection.prepare_cached(sql)?.query_map(&*values, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }
}

/// The days on which, in UTC, the events of a month start in every zone.
pub fn days_around_month(first: NaiveDate) -> Range<NaiveDate> {
    let next = first.checked_add_months(Months::new(1)).unwrap_or(first);
    first - TimeDelta::days(1)..next + TimeDelta::days(1)
}

/// Whether a statement has a parameter with this name.
fn contains_name(sql: &str, name: &str) -> bool {
    sql.match_indices(name)
        .any(|(at, _)| !sql[at + name.len()..].starts_with(|next: char| next == '_' || next.is_ascii_alphanumeric()))
}

/// The segments of which an order consists, one after the other: the condition of each, and its order.
fn sort_segments(sort: EventSort) -> &'static [(&'static str, &'static str)] {
    match sort {
        EventSort::Upcoming => &[
            ("e.starts_at = ''", "e.id"),
            ("e.starts_at >= :now", "e.starts_at, e.id"),
            ("e.starts_at > '' AND e.starts_at < :now", "e.starts_at DESC, e.id DESC"),
        ],
        EventSort::Earliest => &[("true", "e.starts_at, e.id")],
        EventSort::Latest => &[("true", "e.starts_at DESC, e.id DESC")],
        EventSort::Changed => &[("true", "e.updated_at DESC, e.id DESC")],
        EventSort::Title => &[("true", "e.title_key, e.id")],
    }
}

/// Which part of the portal's list to read.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest {
    pub sort: EventSort,
    /// The number of the page, from 1.
    pub page: usize,
    /// The number of events on a page, at least 1.
    pub size: usize,
    /// The page with this event, instead of a number.
    pub event: Option<i64>,
}

/// A page of the portal's list, and what its filters offer.
pub fn portal_page(
    connection: &Connection,
    filter: &PortalFilter,
    request: &PageRequest,
    now: DateTime<Utc>,
) -> Result<EventPage, AppError> {
    let PageRequest { sort, page, size, event } = *request;
    let list = PortalList::new(connection, filter, sort, now)?;
    let count = list.count();
    let index = match event {
        Some(id) => list.ids(0..count)?.iter().position(|listed| *listed == id),
        None => None,
    };
    let page = index.map_or(page, |index| index / size + 1).clamp(1, count.div_ceil(size).max(1));
    let ids = list.ids((page - 1) * size..page * size)?;
    Ok(EventPage {
        count,
        page,
        is_found: event.map(|_| index.is_some()),
        events: find_in_order(connection, &ids, now)?,
        has_events: count > 0 || total(connection)? > 0,
        has_in_person: list.has_in_person()?,
        statuses: statuses(connection, now)?,
    })
}

/// All events that a filter selects, with what each can be selected by, in no order.
pub fn portal_matches(
    connection: &Connection,
    filter: &PortalFilter,
    now: DateTime<Utc>,
) -> Result<Vec<EventMatch>, AppError> {
    let condition = Condition::new(filter, now)?;
    let filter = &condition.sql;
    let sql = format!("SELECT e.id, e.date, e.series FROM events e WHERE {filter}");
    let matches = connection
        .prepare_cached(&sql)?
        .query_map(&*condition.values(&sql, &[]), |row| {
            Ok(EventMatch { id: row.get(0)?, date: row.get(1)?, series: row.get(2)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(matches)
}

/// The events that a filter selects, in an order.
struct PortalList<'a> {
    connection: &'a Connection,
    condition: Condition,
    sort: EventSort,
    /// How many there are in each segment of the order.
    counts: Vec<usize>,
}

impl<'a> PortalList<'a> {
    /// Counts the events.
    fn new(
        connection: &'a Connection,
        filter: &PortalFilter,
        sort: EventSort,
        now: DateTime<Utc>,
    ) -> Result<Self, AppError> {
        let condition = Condition::new(filter, now)?;
        let segments = sort_segments(sort);
        let total = Self::known_total(connection, filter, now)?;
        let has_past_only = filter.status == Some(EventStatusFilter::Past);
        let mut counts = Vec::with_capacity(segments.len());
        for (segment, _) in segments {
            let is_last = counts.len() + 1 == segments.len();
            let count = match total {
                // The last segment is the rest, so that past events are not counted.
                Some(total) if is_last => total.saturating_sub(counts.iter().sum()),
                // None of the past is in the others.
                _ if has_past_only && !is_last => 0,
                _ => condition.count(connection, segment)?,
            };
            counts.push(count);
        }
        Ok(Self { connection, condition, sort, counts })
    }

    /// How many events a filter selects, if that is known without counting those of the past, of which there are many.
    fn known_total(
        connection: &Connection,
        filter: &PortalFilter,
        now: DateTime<Utc>,
    ) -> Result<Option<usize>, AppError> {
        let of_status = |status| PortalFilter { status: Some(status), ..PortalFilter::default() };
        if *filter == PortalFilter::default() {
            return total(connection).map(Some);
        }
        if *filter == of_status(EventStatusFilter::Past) {
            let others = Condition::new(&of_status(EventStatusFilter::Upcoming), now)?;
            return Ok(Some(total(connection)?.saturating_sub(others.count(connection, "true")?)));
        }
        Ok(None)
    }

    /// How many events there are.
    fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The ids of the events in a range of the list.
    fn ids(&self, range: Range<usize>) -> Result<Vec<i64>, AppError> {
        // The index of titles also has the events that are not selected. If those are the majority, sorting is faster.
        if self.sort == EventSort::Title && self.count() * 2 > total(self.connection)? {
            return self.condition.ids_by_title(self.connection, &range);
        }
        let (mut ids, mut before) = (Vec::new(), 0);
        for (segment, count) in sort_segments(self.sort).iter().zip(&self.counts) {
            let within = range.start.saturating_sub(before)..range.end.saturating_sub(before).min(*count);
            if !within.is_empty() {
                ids.extend(self.condition.ids(self.connection, *segment, &within)?);
            }
            before += count;
        }
        Ok(ids)
    }

    /// Whether an in-person event is among them.
    fn has_in_person(&self) -> Result<bool, AppError> {
        let sql = if self.condition.has_ids {
            let ids_filter = &self.condition.sql;
            format!("SELECT 1 FROM events e WHERE {ids_filter} AND +e.type = :in_person LIMIT 1")
        } else {
            let filter = &self.condition.sql;
            format!("SELECT 1 FROM events e WHERE {filter} AND e.type = :in_person LIMIT 1")
        };
        let values = self.condition.values(&sql, &[(":in_person", &IN_PERSON)]);
        Ok(self.connection.prepare_cached(&sql)?.exists(&*values)?)
    }
}

/// How many events there are that are not deleted.
fn total(connection: &Connection) -> Result<usize, AppError> {
    let count: i64 = connection.prepare_cached("SELECT count FROM event_total")?.query_row([], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Whether one of the events with these ids is not deleted.
pub fn is_any_not_deleted(connection: &Connection, ids: &[i64]) -> Result<bool, AppError> {
    // One at a time, because the first is rarely deleted.
    let mut statement = connection.prepare_cached("SELECT 1 FROM events WHERE id = ?1 AND deleted_at IS NULL")?;
    for id in ids {
        if statement.exists([id])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The months that have events, the earliest first, as `2026-03`.
pub fn months(connection: &Connection) -> Result<Vec<String>, AppError> {
    // Each step looks for the first day after the month before, instead of reading all days.
    let months = connection
        .prepare_cached(
            "WITH RECURSIVE months (month) AS (
                 VALUES (substr((SELECT min(date) FROM events WHERE deleted_at IS NULL AND date > ''), 1, 7))
                 UNION ALL
                 SELECT substr((SELECT min(date) FROM events WHERE deleted_at IS NULL AND date > month || '-99'), 1, 7)
                 FROM months WHERE month IS NOT NULL)
             SELECT month FROM months WHERE month IS NOT NULL",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(months)
}

/// The statuses other than published that events have.
fn statuses(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<EventStatusFilter>, AppError> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM events WHERE deleted_at IS NULL AND status <> 'published' AND status = ?1
             AND (status <> 'scheduled' OR publish_at > ?2) LIMIT 1",
    )?;
    let (now, mut statuses) = (timestamp(now), Vec::new());
    for filter in EventStatusFilter::ALL {
        if let Some(status) = filter.event_status()
            && statement.exists([status.as_str(), &now])?
        {
            statuses.push(filter);
        }
    }
    Ok(statuses)
}

/// The events with these ids that are not deleted, in this order.
pub fn find_in_order(connection: &Connection, ids: &[i64], now: DateTime<Utc>) -> Result<Vec<Event>, AppError> {
    Ok(in_order(find_many(connection, ids, now)?, ids))
}

/// The names of the series that have events.
pub fn series_names(connection: &Connection) -> Result<Vec<String>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT s.name FROM series s
             WHERE EXISTS (SELECT 1 FROM events e WHERE e.series_id = s.id AND e.deleted_at IS NULL)
             ORDER BY s.name COLLATE NOCASE",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?)
}

/// The events of some speakers that take place in a period, by their start, without those that are hidden, cancelled or
/// postponed.
pub fn find_by_speakers(
    connection: &Connection,
    speakers: &[i64],
    period: &Range<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<Vec<Event>, AppError> {
    const CONDITION: &str = "e.deleted_at IS NULL AND e.starts_at >= :first AND e.starts_at < :end
        AND EXISTS (SELECT 1 FROM event_speakers es
                    WHERE es.event_id = e.id AND es.speaker_id IN (SELECT value FROM json_each(:speakers)))";
    let speakers = serde_json::to_string(speakers).map_err(AppError::internal)?;
    let (first, end) = (timestamp(period.start - LONGEST), timestamp(period.end));
    let values = named_params! { ":first": first, ":end": end, ":speakers": speakers };
    let mut events = select(connection, "events", &timestamp(now), CONDITION, values)?;
    events.retain(|event| {
        event.ends() > period.start
            && matches!(event.status, EventStatus::Draft | EventStatus::Scheduled | EventStatus::Published)
    });
    Ok(events)
}
