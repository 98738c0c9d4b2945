//! Pictures in SQL, so that one backup holds everything.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::rules::{self, Prepared};
use super::types::Picture;
use crate::features::{events, speakers};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// One stored size.
#[derive(Debug)]
pub struct Stored {
    /// In pixels.
    pub width: u32,
    /// Its media type.
    pub content_type: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The picture with this id, by its largest size.
fn find(connection: &Connection, id: &str) -> Result<Option<Picture>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT width, height, content_type FROM picture_files WHERE picture_id = ?1 ORDER BY width DESC LIMIT 1",
        )?
        .query_row([id], |row| {
            let ending = rules::ending(&row.get::<_, String>(2)?);
            Ok(Picture { url: format!("/pictures/{id}.{ending}"), width: row.get(0)?, height: row.get(1)? })
        })
        .optional()?)
}

/// The picture with this id, which from now on counts as uploaded now; `None` where it is not kept.
pub(super) fn touch(transaction: &Transaction<'_>, id: &str, now: DateTime<Utc>) -> Result<Option<Picture>, AppError> {
    transaction
        .prepare_cached("UPDATE pictures SET created_at = ?2 WHERE id = ?1")?
        .execute(params![id, timestamp(now)])?;
    find(transaction, id)
}

/// Keeps a picture in all its sizes. Returns it, and whether it is new: of two uploads of one picture at the same time
/// the second finds it there.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    id: &str,
    new: &Prepared,
    now: DateTime<Utc>,
) -> Result<(Picture, bool), AppError> {
    if let Some(known) = touch(transaction, id, now)? {
        return Ok((known, false));
    }
    transaction
        .prepare_cached("INSERT INTO pictures (id, created_at) VALUES (?1, ?2)")?
        .execute(params![id, timestamp(now)])?;
    let mut statement = transaction.prepare_cached(
        "INSERT INTO picture_files (picture_id, width, height, content_type, bytes) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for file in &new.files {
        statement.execute(params![id, file.width, file.height, new.content_type, file.bytes])?;
    }
    let picture = find(transaction, id)?.ok_or(AppError::NotFound("Picture"))?;
    Ok((picture, true))
}

/// The smallest size that is at least so wide, else the largest, of the picture at an address;
/// `None` where the address is that of no upload.
pub fn file(connection: &Connection, address: &str, at_least: Option<u32>) -> Result<Option<Stored>, AppError> {
    let Some((id, ending)) = rules::parse(address) else { return Ok(None) };
    let stored = connection
        .prepare_cached(
            "SELECT width, content_type, bytes FROM picture_files
             WHERE picture_id = ?1 AND width = coalesce(
                 (SELECT min(width) FROM picture_files WHERE picture_id = ?1 AND width >= ?2),
                 (SELECT max(width) FROM picture_files WHERE picture_id = ?1))",
        )?
        .query_row(params![id, at_least], |row| {
            Ok(Stored { width: row.get(0)?, content_type: row.get(1)?, bytes: row.get(2)? })
        })
        .optional()?;
    Ok(stored.filter(|file| rules::ending(&file.content_type) == ending))
}

/// Deletes images that were uploaded more than a day ago and to which no speaker and no venue refers.
pub fn sweep(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    let urls = [events::image_urls(transaction)?, speakers::image_urls(transaction)?].concat();
    let referenced: HashSet<&str> = urls
        .iter()
        .flat_map(|url| url.split("/pictures/").skip(1).filter_map(|rest| rest.split_once('.')))
        .map(|(id, _)| id)
        .collect();
    let ids = transaction
        .prepare_cached("SELECT id FROM pictures WHERE created_at < ?1")?
        .query_map([timestamp(now - TimeDelta::days(1))], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    let mut delete = transaction.prepare_cached("DELETE FROM pictures WHERE id = ?1")?;
    for id in ids.iter().filter(|id| !referenced.contains(id.as_str())) {
        delete.execute([id])?;
    }
    Ok(())
}
