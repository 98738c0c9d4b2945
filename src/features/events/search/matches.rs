//! A cache of the ids that expressions match. Those of expressions with many matches are cached and updated after changes:
//! for a word of every event, FTS5 would take longer than the rest of the search.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use crate::features::events::store::{self, ChangedEvent, ScratchIndex};
use crate::platform::error::AppError;

/// The number of cached expressions.
const CAPACITY: usize = 8;
/// Expressions with fewer matches are not cached: FTS5 finds them quickly.
const MIN_IDS: usize = 500;
/// After more changes than this, the expression is searched again.
const MAX_CHANGES: usize = 8;

/// The cached expressions. All methods block.
#[derive(Debug, Default)]
pub(super) struct MatchCache {
    /// The least recently used expression first.
    cached: Mutex<Vec<CachedMatches>>,
    /// For changed events. In the index of the database, FTS5 would expand every prefix of the expression even for one event.
    scratch: Mutex<Option<ScratchIndex>>,
}

/// The events that an expression matches.
#[derive(Clone, Debug)]
struct CachedMatches {
    expression: String,
    /// The last change that the ids reflect.
    last_change: i64,
    ids: Arc<Vec<i64>>,
}

impl MatchCache {
    /// The ids of the events that an FTS5 expression matches, in ascending order. Those that visitors do not see and deleted
    /// ones are among them.
    ///
    /// # Errors
    /// The database can't be read.
    pub(super) fn find(&self, connection: &Connection, expression: &str) -> Result<Arc<Vec<i64>>, AppError> {
        let last_change = store::last_search_change(connection)?;
        let cached = self.get(expression).map(|cached| self.updated(connection, cached, last_change)).transpose()?;
        let found = match cached.flatten() {
            Some(cached) => cached,
            None => CachedMatches {
                expression: expression.to_owned(),
                last_change,
                ids: Arc::new(store::matching(connection, expression)?),
            },
        };
        let ids = Arc::clone(&found.ids);
        if ids.len() >= MIN_IDS {
            self.insert(found);
        }
        Ok(ids)
    }

    fn get(&self, expression: &str) -> Option<CachedMatches> {
        let all = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|cached| cached.expression == expression).cloned()
    }

    fn insert(&self, found: CachedMatches) {
        let mut all = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|cached| cached.expression != found.expression);
        if all.len() == CAPACITY {
            all.remove(0);
        }
        all.push(found);
    }

    /// The ids after a change; `None` if there were many changes since, or if the connection does not see all that the ids
    /// reflect.
    fn updated(
        &self,
        connection: &Connection,
        cached: CachedMatches,
        last_change: i64,
    ) -> Result<Option<CachedMatches>, AppError> {
        if cached.last_change > last_change {
            return Ok(None);
        }
        let changed = store::changed_texts_after(connection, cached.last_change, MAX_CHANGES + 1)?;
        if changed.len() > MAX_CHANGES {
            return Ok(None);
        }
        let mut updated = CachedMatches { last_change, ..cached };
        let matching = self.matching_changed(connection, &changed, &updated.expression)?;
        for ChangedEvent { id, .. } in changed {
            match (updated.ids.binary_search(&id), matching.contains(&id)) {
                (Err(at), true) => Arc::make_mut(&mut updated.ids).insert(at, id),
                (Ok(at), false) => drop(Arc::make_mut(&mut updated.ids).remove(at)),
                _ => {}
            }
        }
        Ok(Some(updated))
    }

    /// The ids of those of the changed events that match an expression.
    fn matching_changed(
        &self,
        connection: &Connection,
        changed: &[ChangedEvent],
        expression: &str,
    ) -> Result<Vec<i64>, AppError> {
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let index = match scratch.take() {
            Some(index) => index,
            None => ScratchIndex::new(connection)?,
        };
        let found = index.matching(changed, expression)?;
        *scratch = Some(index);
        Ok(found)
    }
}
