//! SQL of speakers.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::rules::ValidatedSpeaker;
use super::types::Speaker;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

const COLUMNS: &str = "id, name, title, bio, image_url, type, created_at, updated_at, revision";

fn speaker_of(row: &Row<'_>) -> rusqlite::Result<Speaker> {
    Ok(Speaker {
        id: row.get(0)?,
        name: row.get(1)?,
        title: row.get(2)?,
        bio: row.get(3)?,
        image_url: row.get(4)?,
        r#type: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        revision: row.get(8)?,
    })
}

/// All speakers, by name.
pub fn all(connection: &Connection) -> Result<Vec<Speaker>, AppError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM speakers ORDER BY name COLLATE NOCASE, id"))?
        .query_map([], speaker_of)?
        .collect::<rusqlite::Result<_>>()?)
}

pub fn image_urls(connection: &Connection) -> Result<Vec<String>, AppError> {
    let mut statement = connection.prepare_cached("SELECT image_url FROM speakers WHERE image_url IS NOT NULL")?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

pub fn find(connection: &Connection, id: i64) -> Result<Option<Speaker>, AppError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM speakers WHERE id = ?1"))?
        .query_row([id], speaker_of)
        .optional()?)
}

/// The speakers with these ids, by id.
pub fn find_all(connection: &Connection, ids: &[i64]) -> Result<HashMap<i64, Speaker>, AppError> {
    let ids = serde_json::to_string(ids).map_err(AppError::internal)?;
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM speakers WHERE id IN (SELECT value FROM json_each(?1))"))?
        .query_map([ids], |row| speaker_of(row).map(|speaker| (speaker.id, speaker)))?
        .collect::<rusqlite::Result<_>>()?)
}

/// Inserts a speaker and returns the id.
pub fn insert(transaction: &Transaction<'_>, new: &ValidatedSpeaker) -> Result<i64, AppError> {
    Ok(transaction
        .prepare_cached("INSERT INTO speakers (name, title, bio, image_url, type) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .insert(params![new.name, new.title, new.bio, new.image_url, new.kind])?)
}

pub(super) fn update(transaction: &Transaction<'_>, id: i64, new: &ValidatedSpeaker) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "UPDATE speakers SET name = ?2, title = ?3, bio = ?4, image_url = ?5, type = ?6, revision = revision + 1,
                 updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE id = ?1",
        )?
        .execute(params![id, new.name, new.title, new.bio, new.image_url, new.kind])?;
    Ok(())
}

/// Deletes a speaker, also from all events.
pub fn delete(transaction: &Transaction<'_>, id: i64) -> Result<(), AppError> {
    transaction.prepare_cached("DELETE FROM speakers WHERE id = ?1")?.execute([id])?;
    Ok(())
}
