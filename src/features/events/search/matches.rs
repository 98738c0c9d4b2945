//! The ids that expressions find. Those of expressions that find many are remembered and follow the changes: for a word of
//! every event, FTS5 would take longer than the rest of the search.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use crate::features::events::store::{self, ChangedEvent, ScratchIndex};
use crate::platform::error::AppError;

/// The number of expressions that are remembered.
const MAX_EXPRESSIONS: usize = 8;
/// FTS5 finds fewer ids than this quickly.
const MIN_IDS: usize = 500;
/// After more changes than this, the expression is searched again.
const MAX_CHANGES: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Matches {
    /// The remembered expressions, the last used one at the end.
    remembered: Mutex<Vec<Match>>,
    /// In which the changed texts are searched. Asked for one event, the index of the database would collect all that begin
    /// like a word of the expression.
    scratch: Mutex<Option<ScratchIndex>>,
}

#[derive(Clone, Debug)]
struct Match {
    expression: String,
    /// The last change that the ids reflect.
    last_change: i64,
    ids: Arc<Vec<i64>>,
}

impl Matches {
    /// The ids of the events that an expression of the index finds, in their order. Those that visitors do not see and
    /// deleted ones are among them.
    ///
    /// # Errors
    /// The database can't be read.
    pub(super) fn find(&self, connection: &Connection, expression: &str) -> Result<Arc<Vec<i64>>, AppError> {
        let last_change = store::last_search_change(connection)?;
        let known = self.known(expression).map(|known| self.updated(connection, known, last_change)).transpose()?;
        let found = match known.flatten() {
            Some(known) => known,
            None => Match {
                expression: expression.to_owned(),
                last_change,
                ids: Arc::new(store::matching(connection, expression)?),
            },
        };
        let ids = Arc::clone(&found.ids);
        if ids.len() >= MIN_IDS {
            self.remember(found);
        }
        Ok(ids)
    }

    fn known(&self, expression: &str) -> Option<Match> {
        let all = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|known| known.expression == expression).cloned()
    }

    fn remember(&self, found: Match) {
        let mut all = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|known| known.expression != found.expression);
        if all.len() == MAX_EXPRESSIONS {
            all.remove(0);
        }
        all.push(found);
    }

    /// The ids after a change; `None` if there were many changes since, or if the connection does not see all that the ids
    /// reflect.
    fn updated(&self, connection: &Connection, known: Match, last_change: i64) -> Result<Option<Match>, AppError> {
        if known.last_change > last_change {
            return Ok(None);
        }
        let changed = store::changed_after(connection, known.last_change, MAX_CHANGES + 1)?;
        if changed.len() > MAX_CHANGES {
            return Ok(None);
        }
        let mut known = Match { last_change, ..known };
        let matching = self.matching(connection, &changed, &known.expression)?;
        for ChangedEvent { id, .. } in changed {
            match (known.ids.binary_search(&id), matching.contains(&id)) {
                (Err(at), true) => Arc::make_mut(&mut known.ids).insert(at, id),
                (Ok(at), false) => drop(Arc::make_mut(&mut known.ids).remove(at)),
                _ => {}
            }
        }
        Ok(Some(known))
    }

    /// The ids of those of the changed events that match an expression.
    fn matching(
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
