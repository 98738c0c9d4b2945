//! SQL of the number of place lookups per day.

use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// Counts a lookup on a day (yyyy-MM-dd, UTC); false if the daily limit is exceeded. 0 is unlimited.
pub(super) fn count_lookup(transaction: &Transaction<'_>, day: &str, limit: u32) -> Result<bool, AppError> {
    let counted = transaction
        .prepare_cached(
            "INSERT INTO place_lookups (day, count) VALUES (?1, 1)
             ON CONFLICT (day) DO UPDATE SET count = count + 1 WHERE ?2 = 0 OR count < ?2",
        )?
        .execute((day, limit))?;
    Ok(counted > 0)
}
