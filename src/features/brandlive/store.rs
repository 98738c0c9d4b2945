//! What the sync remembers, in SQL.

use rusqlite::Connection;

use super::types::EventImport;
use crate::platform::error::AppError;

/// What the provider said last of the event with this number; `None` for one that was not imported.
pub(super) fn import_of(_: &Connection, _: i64) -> Result<Option<EventImport>, AppError> {
    Ok(None)
}
