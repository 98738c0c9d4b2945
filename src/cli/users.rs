//! `lectern users` and `lectern remove-admin`

use std::io::Write as _;

use clap::Args;
use serde::Serialize;

use super::{Config, connect_migrated, create_admin};
use crate::features::activity::{self, Actor, Change};
use crate::features::auth::{RecordedUser, User, sessions, users};
use crate::platform::db;
use crate::platform::error::AppError;

/// List the accounts of the admin portal
///
/// One line per account: address, role, creation and the number of its sessions. Works while the server runs.
#[derive(Args, Debug)]
pub(super) struct Users {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// An account with the number of its sessions.
#[derive(Serialize)]
struct Account<'a> {
    #[serde(flatten)]
    user: &'a User,
    sessions: i64,
}

impl Users {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let connection = connect_migrated(config, db::connect_to_read)?;
        let mut out = std::io::stdout().lock();
        let all = users::all(&connection)?;
        if self.json {
            let accounts: Vec<Account<'_>> = all
                .iter()
                .map(|user| Ok(Account { user, sessions: sessions::count_of_user(&connection, user.id)? }))
                .collect::<Result<_, AppError>>()?;
            writeln!(out, "{}", serde_json::to_string_pretty(&accounts)?)?;
            return Ok(());
        }
        let width = all.iter().map(|user| user.email.chars().count()).max().unwrap_or_default();
        for user in &all {
            let sessions = sessions::count_of_user(&connection, user.id)?;
            let sessions = format!("{sessions} session{}", if sessions == 1 { "" } else { "s" });
            let since = user.created_at.get(..10).unwrap_or_default();
            writeln!(out, "{:width$}  {}  since {since}  {sessions}", user.email, user.role)?;
        }
        if all.is_empty() {
            writeln!(out, "There are no accounts; 'lectern create-admin --email EMAIL' creates one.")?;
        }
        Ok(())
    }
}

/// Delete an account of the admin portal and end its sessions
///
/// The last account can't be deleted. Works while the server runs.
#[derive(Args, Debug)]
pub(super) struct RemoveAdmin {
    /// E-mail address of the account
    #[arg(value_name = "EMAIL")]
    email: String,
}

impl RemoveAdmin {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let connection = connect_migrated(config, db::connect)?;
        let email = self.email.trim();
        let removed = db::in_transaction(&connection, |transaction| {
            let Some((user, _)) = users::find_by_email(transaction, email)? else { return Ok(None) };
            users::delete(transaction, user.id)?;
            activity::record(transaction, &Actor::named("command line"), &Change::Deleted(&RecordedUser::new(&user)))?;
            Ok(Some(user.email))
        });
        let removed = removed.map_err(|error| match error {
            AppError::Conflict { message, .. } => anyhow::anyhow!("{email}: {message}"),
            other => create_admin::write_error(other),
        })?;
        let Some(email) = removed else {
            anyhow::bail!("There is no account {email}; 'lectern users' lists them");
        };
        writeln!(std::io::stdout(), "{email} was deleted and signed out everywhere.")?;
        Ok(())
    }
}
