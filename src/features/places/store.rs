//! Which places stored events have.

use rusqlite::Connection;

use crate::platform::error::AppError;

/// Whether some event takes place there: only such places are looked up for visitors.
pub(super) fn is_known(connection: &Connection, place_id: &str) -> Result<bool, AppError> {
    Ok(connection.prepare_cached("SELECT 1 FROM event_locations WHERE place_id = ?1 LIMIT 1")?.exists([place_id])?)
}
