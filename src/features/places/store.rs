//! Which places the public sees, and how many look-ups a day has cost.

use rusqlite::Connection;

use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// Whether an event that the public sees takes place there: only such places are looked up.
pub(super) fn is_known(connection: &Connection, place_id: &str) -> Result<bool, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM event_locations l JOIN events e ON e.id = l.event_id
             WHERE l.place_id = ?1 AND e.hidden_at IS NULL LIMIT 1",
        )?
        .exists([place_id])?)
}

/// Counts a look-up on a day (yyyy-MM-dd, UTC); false where the day has had its `most` already,
/// of which 0 means that there is no bound.
pub(super) fn spend(transaction: &Transaction<'_>, day: &str, most: u32) -> Result<bool, AppError> {
    let counted = transaction
        .prepare_cached(
            "INSERT INTO place_lookups (day, count) VALUES (?1, 1)
             ON CONFLICT (day) DO UPDATE SET count = count + 1 WHERE ?2 = 0 OR count < ?2",
        )?
        .execute((day, most))?;
    Ok(counted > 0)
}
