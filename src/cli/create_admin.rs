//! `lectern create-admin`

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use anyhow::{Context as _, bail, ensure};
use clap::Args;

use super::Config;
use crate::features::activity::{self, Actor, Change};
use crate::features::auth::{self, RecordedUser, sessions, users};
use crate::platform::db::{self, BusyTimeout, Transaction};
use crate::platform::error::AppError;
use crate::platform::messages::{EMAIL_TAKEN, ROLES};
use crate::platform::password;

/// The environment variable that may contain the password of an account.
pub(super) const PASSWORD_VARIABLE: &str = "LECTERN_ADMIN_PASSWORD";

/// Create an account for the admin portal, or reset its password
///
/// Prompts for the password twice without showing it, unless --password-stdin or the variable LECTERN_ADMIN_PASSWORD
/// has it. Works while the server runs. Creates an empty database if
/// none exists, even if there are backups of one, with which the other commands refuse to create an empty database.
#[derive(Args, Debug)]
pub(super) struct CreateAdmin {
    /// E-mail address of the account
    #[arg(long, value_name = "EMAIL")]
    email: String,
    /// Read the password from the first line of stdin instead of prompting
    #[arg(long)]
    password_stdin: bool,
    /// Set a new password for an existing account and end its sessions
    #[arg(long)]
    reset_password: bool,
}

impl CreateAdmin {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let email = self.email.trim();
        auth::check_email(email).map_err(|message| match email {
            "" => anyhow::anyhow!("--email is empty; name an address such as you@example.com"),
            _ => anyhow::anyhow!("{email}: {message}"),
        })?;
        let path = &config.database.path;
        // Checked before the prompt and again in the transaction. A missing database is created last, so that a failure
        // leaves no file.
        let exists = path.exists() && {
            db::migrate_file(path)?;
            let connection = db::connect_to_read(path, BusyTimeout::CommandLine)?;
            users::find_by_email(&connection, email)?.is_some()
        };
        if exists && !self.reset_password {
            bail!("{email}: {EMAIL_TAKEN}; set a new password with --reset-password");
        }
        if !exists && self.reset_password {
            db::check_not_lost(path, config.backup.dir.as_deref())?;
            bail!("{email}: There is no user with this email; omit --reset-password to create one");
        }
        let password = self.password()?;
        auth::check_new_password(&password).map_err(anyhow::Error::msg)?;
        let hash = password::hash(&password).context("The password could not be stored")?;

        db::migrate_file(path)?;
        let connection = db::connect(path, BusyTimeout::CommandLine)?;
        let actor = Actor::named("command line");
        let message = db::in_transaction(&connection, |transaction| match users::find_by_email(transaction, email)? {
            Some((user, _)) if self.reset_password => {
                users::set_password(transaction, user.id, &hash)?;
                sessions::delete_all_of_user(transaction, user.id)?;
                let after = RecordedUser { new_password: true, ..RecordedUser::new(&user) };
                activity::record(transaction, &actor, &Change::Changed(&RecordedUser::new(&user), &after))?;
                Ok(format!("{} has a new password and was signed out everywhere.", user.email))
            }
            _ => {
                insert(transaction, email, &hash)?;
                Ok(format!("{email} can sign in now."))
            }
        })
        .map_err(|error| match error {
            AppError::Conflict { message, .. } => anyhow::anyhow!("{email}: {message}"),
            other => write_error(other),
        })?;
        writeln!(std::io::stdout(), "{message}")?;
        Ok(())
    }

    fn password(&self) -> anyhow::Result<String> {
        if self.password_stdin {
            return password_from_stdin();
        }
        if let Some(password) = password_from_environment() {
            return Ok(password);
        }
        ensure!(
            std::io::stdin().is_terminal(),
            "There is no terminal for the password prompt; pass the password on stdin with --password-stdin, or set \
             {PASSWORD_VARIABLE}"
        );
        let first = rpassword::prompt_password("Password: ")?;
        auth::check_new_password(&first).map_err(anyhow::Error::msg)?;
        let second = rpassword::prompt_password("Repeat the password: ")?;
        ensure!(first == second, "The two passwords differ; nothing was changed");
        Ok(first)
    }
}

/// The value of [`PASSWORD_VARIABLE`], if it is set.
pub(super) fn password_from_environment() -> Option<String> {
    std::env::var(PASSWORD_VARIABLE).ok().filter(|text| !text.is_empty())
}

/// The first line of stdin.
pub(super) fn password_from_stdin() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => anyhow::anyhow!("The password on stdin is not text (UTF-8)"),
        _ => anyhow::Error::new(error).context("The password on stdin can't be read"),
    })?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

/// Stores a new account and records who created it.
///
/// # Errors
/// 409 if the e-mail address is taken.
pub(super) fn insert(transaction: &Transaction<'_>, email: &str, password_hash: &str) -> Result<(), AppError> {
    let id = users::insert(transaction, email, password_hash, ROLES[0])?;
    if let Some(user) = users::find(transaction, id)? {
        let actor = Actor::named("command line");
        activity::record(transaction, &actor, &Change::Created(&RecordedUser::new(&user)))?;
    }
    Ok(())
}

/// The error of a write, for the operator.
pub(super) fn write_error(error: AppError) -> anyhow::Error {
    match error {
        AppError::DatabaseBusy(cause) => {
            anyhow::Error::new(cause).context("The database is locked by another process; try again later")
        }
        AppError::StorageUnavailable(cause) => anyhow::Error::new(cause).context("The database can't be written"),
        other => anyhow::Error::new(other).context("The change could not be saved"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_database_and_one_that_cannot_be_written_are_two_errors_with_their_cause() {
        let message = |code| {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            format!("{:#}", write_error(error.into()))
        };
        let locked = message(rusqlite::ffi::SQLITE_BUSY);
        assert!(locked.starts_with("The database is locked by another process; try again later: "), "{locked}");
        let failed = message(rusqlite::ffi::SQLITE_IOERR_WRITE);
        assert!(failed.starts_with("The database can't be written: ") && failed.contains("I/O"), "{failed}");
    }
}
