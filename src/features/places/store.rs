//! The number of place look-ups per day, in SQL.

use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// Counts a look-up on a day (yyyy-MM-dd, UTC); false if the limit of the day is used up. A limit of 0 is none.
pub(super) fn spend(transaction: &Transaction<'_>, day: &str, limit: u32) -> Result<bool, AppError> {
    let counted = transaction
        .prepare_cached(
            "INSERT INTO place_lookups (day, count) VALUES (?1, 1)
             ON CONFLICT (day) DO UPDATE SET count = count + 1 WHERE ?2 = 0 OR count < ?2",
        )?
        .execute((day, limit))?;
    Ok(counted > 0)
}
