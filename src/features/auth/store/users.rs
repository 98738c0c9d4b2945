//! SQL of users. E-mail addresses are compared case-insensitively.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::super::types::User;
use crate::platform::db::Transaction;
use crate::platform::error::{AppError, unique_violation};
use crate::platform::messages::EMAIL_TAKEN;

const COLUMNS: &str = "id, email, role, created_at, revision";

fn user_of(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User { id: row.get(0)?, email: row.get(1)?, role: row.get(2)?, created_at: row.get(3)?, revision: row.get(4)? })
}

/// All users, in the order of their ids.
pub fn all(connection: &Connection) -> Result<Vec<User>, AppError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users ORDER BY id"))?
        .query_map([], user_of)?
        .collect::<rusqlite::Result<_>>()?)
}

/// Whether there is an account.
pub fn any(connection: &Connection) -> Result<bool, AppError> {
    Ok(connection.prepare_cached("SELECT id FROM users LIMIT 1")?.exists([])?)
}

pub fn find(connection: &Connection, id: i64) -> Result<Option<User>, AppError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE id = ?1"))?
        .query_row([id], user_of)
        .optional()?)
}

/// The user with this e-mail address, and the password hash.
pub fn find_by_email(connection: &Connection, email: &str) -> Result<Option<(User, String)>, AppError> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS}, password FROM users WHERE email = ?1"))?
        .query_row([email], |row| Ok((user_of(row)?, row.get(5)?)))
        .optional()?)
}

/// Stores a new user and returns the id.
///
/// # Errors
/// 409 if the e-mail address is taken.
pub fn insert(transaction: &Transaction<'_>, email: &str, password_hash: &str, role: &str) -> Result<i64, AppError> {
    transaction
        .prepare_cached("INSERT INTO users (email, password, role) VALUES (?1, ?2, ?3)")?
        .insert(params![email, password_hash, role])
        .map_err(map_taken_email)
}

/// Changes a user's e-mail address and role.
///
/// # Errors
/// 409 if the e-mail address is taken.
pub(in super::super) fn update(
    transaction: &Transaction<'_>,
    id: i64,
    email: &str,
    role: &str,
) -> Result<(), AppError> {
    transaction
        .prepare_cached("UPDATE users SET email = ?2, role = ?3, revision = revision + 1 WHERE id = ?1")?
        .execute(params![id, email, role])
        .map_err(map_taken_email)?;
    Ok(())
}

/// Replaces a user's password hash.
pub fn set_password(transaction: &Transaction<'_>, id: i64, password_hash: &str) -> Result<(), AppError> {
    transaction.prepare_cached("UPDATE users SET password = ?2 WHERE id = ?1")?.execute(params![id, password_hash])?;
    Ok(())
}

/// A user's password hash; `None` if there is no such user.
pub(in super::super) fn find_password_hash(connection: &Connection, id: i64) -> Result<Option<String>, AppError> {
    let mut statement = connection.prepare_cached("SELECT password FROM users WHERE id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?)
}

/// Deletes a user and the user's sessions.
///
/// # Errors
/// 409 for the last user.
pub fn delete(transaction: &Transaction<'_>, id: i64) -> Result<(), AppError> {
    let others: i64 =
        transaction.prepare_cached("SELECT count(*) FROM users WHERE id <> ?1")?.query_row([id], |row| row.get(0))?;
    if others == 0 {
        return Err(AppError::Conflict {
            message: "The last user can't be deleted, because no account would be left".to_owned(),
            field: None,
        });
    }
    transaction.prepare_cached("DELETE FROM users WHERE id = ?1")?.execute([id])?;
    Ok(())
}

fn map_taken_email(error: rusqlite::Error) -> AppError {
    match unique_violation(&error) {
        Some("users.email") => AppError::Conflict { message: EMAIL_TAKEN.to_owned(), field: Some("email") },
        _ => error.into(),
    }
}
