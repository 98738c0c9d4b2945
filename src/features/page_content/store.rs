//! SQL of page content.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::rules::ValidatedContent;
use super::types::PageContent;
use crate::platform::db::Transaction;
use crate::platform::error::AppError;

/// The content of a page; `None` until it is first changed.
pub fn find(connection: &Connection, page: &str) -> Result<Option<PageContent>, AppError> {
    Ok(connection
        .prepare_cached(
            "SELECT page, hero_title, hero_subtitle, updated_at, revision FROM page_content WHERE page = ?1",
        )?
        .query_row([page], |row| {
            Ok(PageContent {
                page: row.get(0)?,
                hero_title: row.get(1)?,
                hero_subtitle: row.get(2)?,
                updated_at: row.get(3)?,
                revision: row.get(4)?,
            })
        })
        .optional()?)
}

/// Inserts or updates the content of a page.
pub fn put(transaction: &Transaction<'_>, page: &str, new: &ValidatedContent) -> Result<(), AppError> {
    transaction
        .prepare_cached(
            "INSERT INTO page_content (page, hero_title, hero_subtitle) VALUES (?1, ?2, ?3)
             ON CONFLICT (page) DO UPDATE SET hero_title = excluded.hero_title,
                 hero_subtitle = excluded.hero_subtitle, updated_at = excluded.updated_at,
                 revision = revision + 1",
        )?
        .execute(params![page, new.hero_title, new.hero_subtitle])?;
    Ok(())
}
