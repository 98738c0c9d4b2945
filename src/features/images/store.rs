//! SQL of images. They are stored in the database, so a backup contains them.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::rules::{self, Variants};
use super::types::Image;
use crate::features::{events, site_settings, speakers};
use crate::platform::clock::timestamp;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// One width of a stored image.
#[derive(Debug)]
pub struct StoredVariant {
    /// In pixels.
    pub width: u32,
    /// The media type.
    pub content_type: String,
    /// The encoded file.
    pub bytes: Vec<u8>,
}

fn find(connection: &Connection, id: &str) -> Result<Option<Image>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT width, height, content_type FROM image_variants WHERE image_id = ?1 ORDER BY width DESC LIMIT 1",
        )?
        .query_row([id], |row| {
            let extension = rules::extension(&row.get::<_, String>(2)?);
            Ok(Image { url: format!("/pictures/{id}.{extension}"), width: row.get(0)?, height: row.get(1)? })
        })
        .optional()?)
}

/// Updates the upload time of an image and returns the image; `None` if it is not stored.
pub(super) fn touch(transaction: &Transaction<'_>, id: &str, now: DateTime<Utc>) -> Result<Option<Image>, AppError> {
    transaction
        .prepare_cached("UPDATE images SET created_at = ?2 WHERE id = ?1")?
        .execute(params![id, timestamp(now)])?;
    find(transaction, id)
}

/// Stores an image. Returns it and whether it is new, because the same image may have been uploaded concurrently.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    id: &str,
    new: &Variants,
    now: DateTime<Utc>,
) -> Result<(Image, bool), AppError> {
    if let Some(existing) = touch(transaction, id, now)? {
        return Ok((existing, false));
    }
    transaction
        .prepare_cached("INSERT INTO images (id, created_at) VALUES (?1, ?2)")?
        .execute(params![id, timestamp(now)])?;
    let mut statement = transaction.prepare_cached(
        "INSERT INTO image_variants (image_id, width, height, content_type, bytes) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for file in &new.files {
        statement.execute(params![id, file.width, file.height, new.content_type(), file.bytes])?;
    }
    let image = find(transaction, id)?.ok_or(AppError::NotFound("Image"))?;
    Ok((image, true))
}

/// The narrowest variant that is at least `min_width` pixels wide, else the widest, of the image at a path; `None` if
/// no upload has that path.
pub fn find_variant(
    connection: &Connection,
    path: &str,
    min_width: Option<u32>,
) -> Result<Option<StoredVariant>, AppError> {
    let Some((id, extension)) = rules::parse_path(path) else { return Ok(None) };
    let stored = connection
        .prepare_cached(
            "SELECT width, content_type, bytes FROM image_variants
             WHERE image_id = ?1 AND width = coalesce(
                 (SELECT min(width) FROM image_variants WHERE image_id = ?1 AND width >= ?2),
                 (SELECT max(width) FROM image_variants WHERE image_id = ?1))",
        )?
        .query_row(params![id, min_width], |row| {
            Ok(StoredVariant { width: row.get(0)?, content_type: row.get(1)?, bytes: row.get(2)? })
        })
        .optional()?;
    Ok(stored.filter(|variant| rules::extension(&variant.content_type) == extension))
}

/// How long after its upload an image stays to which nothing refers. Browsers keep the input of a form for 30 days.
const KEEP_UNUSED: TimeDelta = TimeDelta::days(31);

/// Deletes images that were uploaded more than 31 days ago and to which no speaker, no logo and no venue refers,
/// nor one that can come back.
pub fn purge(transaction: &Transaction<'_>, now: DateTime<Utc>) -> Result<(), AppError> {
    let urls =
        [events::image_urls(transaction)?, speakers::image_urls(transaction)?, site_settings::image_urls(transaction)?]
            .concat();
    let referenced: HashSet<&str> = urls
        .iter()
        .flat_map(|url| url.split("/pictures/").skip(1).filter_map(|rest| rest.split_once('.')))
        .map(|(id, _)| id)
        .collect();
    let ids = transaction
        .prepare_cached("SELECT id FROM images WHERE created_at < ?1")?
        .query_map([timestamp(now - KEEP_UNUSED)], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    let mut delete = transaction.prepare_cached("DELETE FROM images WHERE id = ?1")?;
    for id in ids.iter().filter(|id| !referenced.contains(id.as_str())) {
        delete.execute([id])?;
    }
    Ok(())
}
