//! The files of portraits that were uploaded here.

use rusqlite::{Connection, OptionalExtension as _};

use crate::platform::error::AppError;

/// The smallest kept size of a picture that is at least so many pixels wide, else the largest;
/// `None` where there is no picture with this id.
pub(super) fn picture(connection: &Connection, id: &str, width: u32) -> Result<Option<Vec<u8>>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT bytes FROM picture_files WHERE picture_id = ?1
             ORDER BY width < ?2, CASE WHEN width < ?2 THEN -width ELSE width END LIMIT 1",
        )?
        .query_row((id, width), |row| row.get(0))
        .optional()?)
}
