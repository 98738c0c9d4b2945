//! `lectern setup`

mod answers;
mod files;
mod questions;

use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use super::create_admin;
use crate::features::auth::users;
use crate::features::site_settings;
use crate::platform::config::{self, SYSTEM_FILE};
use crate::platform::db::{self, BusyTimeout};
use crate::platform::password;
use crate::platform::system_user::{self, SystemUser};
use answers::{Answers, TlsTermination};
use files::ConfigFile;

/// The database of an installed package, as in `packaging/config.toml`.
const SYSTEM_DATABASE: &str = "/var/lib/lectern/lectern.db";

/// Set up a new site: write the configuration and create the first account
///
/// Asks for the domain, the company's name, the time zone and the first account, and says what is next. Without a
/// terminal, or with --yes, everything comes from the options. As root it writes /etc/lectern/config.toml. Otherwise it
/// writes config.toml in the working directory, unless lectern is installed on this machine. Nothing is written before
/// every answer is valid.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the command line")]
pub(super) struct Setup {
    /// Ask nothing: what is not named by an option has its default
    #[arg(long)]
    yes: bool,
    /// Domain of the site, such as events.example.com; without one only this machine can reach it
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,
    /// A proxy in front of lectern, such as nginx or Caddy, handles HTTPS
    #[arg(long)]
    behind_proxy: bool,
    /// Name of the company, shown beside the logo and in titles
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Time zone of events, such as America/Denver; by default America/New_York
    #[arg(long, value_name = "ZONE")]
    timezone: Option<String>,
    /// E-mail address of the first account, also for the certificate authority
    #[arg(long, value_name = "EMAIL")]
    email: Option<String>,
    /// Read the password of the account from the first line of stdin
    #[arg(long, conflicts_with = "password_file")]
    password_stdin: bool,
    /// Read the password of the account from the first line of a file
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Replace a configuration that exists already, and keep it as config.toml.bak; accounts and events stay
    #[arg(long)]
    force: bool,
}

/// The configuration and the database that are set up.
struct SetupTarget {
    config: ConfigFile,
    /// Whether the configuration is that of the system, in which paths are absolute.
    is_system: bool,
    database: PathBuf,
    /// The database if it was named, which the configuration then contains.
    named_database: Option<PathBuf>,
    /// The user under which the database is created; `None` for the user who runs the command.
    owner: Option<SystemUser>,
}

/// What the database contains already.
#[derive(Default)]
struct Existing {
    /// The first account.
    admin: Option<String>,
}

impl Setup {
    /// Sets up a site with the configuration and the database that are named on the command line.
    pub(super) fn run(&self, config: Option<PathBuf>, database: Option<PathBuf>) -> anyhow::Result<()> {
        let target = target(config, database)?;
        target.config.check_replaceable(self.force)?;
        let backups = target.is_system.then(|| Path::new(SYSTEM_DATABASE).with_file_name("backups"));
        db::check_not_lost(&target.database, backups.as_deref())?;
        let existing = target.as_owner(|| existing(&target.database))??;

        let is_interactive = std::io::stdin().is_terminal() && !self.yes;
        let answers = Answers::collect(self, existing.admin.as_deref(), is_interactive)?;
        let hash = match &answers.password {
            Some(password) => Some(password::hash(password).context("The password could not be stored")?),
            None => None,
        };

        let text = answers.configuration(target.is_system, target.named_database.as_deref());
        // The configuration gets its name last: whenever this is interrupted, it can be repeated.
        target.create_folder()?;
        let prepared = target.config.write_unnamed(&text, target.owner.as_ref().map(SystemUser::gid))?;
        target.as_owner(|| fill_database(&target.database, &answers, hash.as_deref()))??;
        prepared.publish()?;
        print_next_steps(&target, &answers)
    }
}

/// Finds out what is set up, and the user under which that happens.
fn target(config: Option<PathBuf>, named_database: Option<PathBuf>) -> anyhow::Result<SetupTarget> {
    let is_root = system_user::is_root();
    let file = match config {
        Some(file) => file,
        None => unnamed_file(is_root, Path::new(SYSTEM_FILE))?,
    };
    let is_system = file == Path::new(SYSTEM_FILE);
    if is_system && !is_root {
        bail!("Only root can write {SYSTEM_FILE}; run the command with sudo");
    }
    let database =
        named_database.clone().unwrap_or_else(|| PathBuf::from(if is_system { SYSTEM_DATABASE } else { "lectern.db" }));
    if is_system && database.is_relative() {
        bail!(
            "--database: {} must be an absolute path, because {SYSTEM_FILE} is read in any folder",
            database.display()
        );
    }
    let owner = match is_root.then(|| system_user::owner_of(&database)).flatten() {
        None if is_system => {
            let name = system_user::NAME;
            let help = format!("useradd --system --home-dir /var/lib/{name} --shell /usr/sbin/nologin {name}");
            Some(system_user::packaged().with_context(|| format!("There is no user {name}; create it: {help}"))?)
        }
        owner => owner,
    };
    Ok(SetupTarget { config: ConfigFile::new(file), is_system, database, named_database, owner })
}

/// The configuration if none is named.
///
/// # Errors
/// There is one of the system, and the user is not root: the server of the system would not read another.
fn unnamed_file(is_root: bool, system_file: &Path) -> anyhow::Result<PathBuf> {
    match (is_root, system_file.exists()) {
        (true, _) => Ok(system_file.to_owned()),
        (false, false) => Ok(config::DEFAULT_FILE.into()),
        (false, true) => {
            bail!("lectern is installed on this machine: run sudo lectern setup; or name another file with --config")
        }
    }
}

impl SetupTarget {
    /// Runs a closure as the owner of the database.
    fn as_owner<T>(&self, work: impl FnOnce() -> T) -> anyhow::Result<T> {
        match &self.owner {
            None => Ok(work()),
            Some(owner) => owner.run(work).with_context(|| format!("Root could not become the user {owner}")),
        }
    }

    /// Creates the folder of the system's database if it is missing.
    fn create_folder(&self) -> anyhow::Result<()> {
        use std::os::unix::fs::{DirBuilderExt as _, chown};

        let folder = db::folder_of(&self.database);
        if !self.is_system || folder.exists() {
            return Ok(());
        }
        let owner = self.owner.as_ref();
        fs::DirBuilder::new()
            .mode(0o750)
            .create(folder)
            .and_then(|()| chown(folder, owner.map(SystemUser::uid), owner.map(SystemUser::gid)))
            .with_context(|| format!("The folder {} can't be created", folder.display()))
    }
}

/// Reads a database that exists already.
fn existing(database: &Path) -> anyhow::Result<Existing> {
    if !database.exists() {
        return Ok(Existing::default());
    }
    db::migrate_file(database)?;
    let connection = db::connect_to_read(database, BusyTimeout::CommandLine)?;
    Ok(Existing { admin: users::all(&connection)?.into_iter().next().map(|user| user.email) })
}

/// Stores the account and the company's name, both or neither.
fn fill_database(database: &Path, answers: &Answers, password_hash: Option<&str>) -> anyhow::Result<()> {
    db::migrate_file(database)?;
    let connection = db::connect(database, BusyTimeout::CommandLine)?;
    db::in_transaction(&connection, |transaction| {
        site_settings::set_company_name(transaction, &answers.name)?;
        match password_hash {
            Some(hash) => create_admin::insert(transaction, &answers.email, hash),
            None => Ok(()),
        }
    })
    .map_err(create_admin::write_error)
}

fn print_next_steps(target: &SetupTarget, answers: &Answers) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "Wrote {} and {}.", target.config.path().display(), target.database.display())?;
    match &answers.password {
        Some(_) => writeln!(out, "{} can sign in once the site runs.", answers.email)?,
        None => writeln!(out, "The accounts of the site are unchanged.")?,
    }
    let mut steps = Vec::new();
    match (&answers.domain, answers.https) {
        (Some(domain), TlsTermination::Lectern) => {
            steps.push(format!("Point the DNS entry of {domain} to this machine, and open its ports 80 and 443."));
        }
        (Some(domain), TlsTermination::Proxy) => {
            steps.push(format!("Point the DNS entry of {domain} to the proxy, and let it forward to 127.0.0.1:8080."));
        }
        (None, _) => {}
    }
    let is_running = target.as_owner(|| db::check_unused(&target.database).is_err())?;
    let has_unit = target.is_system && Path::new("/run/systemd/system").exists();
    let start = match (has_unit, is_running) {
        // It may have been started without being enabled.
        (true, true) => "Restart the server: systemctl enable lectern && systemctl restart lectern".to_owned(),
        (true, false) => "Start the server: systemctl enable --now lectern".to_owned(),
        (false, true) => "Restart the server.".to_owned(),
        (false, false) => format!("Start the server: lectern serve{}", target.config.flag()),
    };
    steps.push(start);
    steps.push(format!("Sign in at {}/admin", answers.base_url()));
    writeln!(out, "\nWhat is next:")?;
    for (number, step) in steps.iter().enumerate() {
        writeln!(out, "  {}. {step}", number + 1)?;
    }
    Ok(())
}

#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_root_sets_up_an_installed_machine_without_naming_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let system_file = folder.path().join("config.toml");
        assert_eq!(unnamed_file(false, &system_file).unwrap(), Path::new("config.toml"));
        fs::write(&system_file, answers::PACKAGED).unwrap();
        let message = unnamed_file(false, &system_file).unwrap_err().to_string();
        assert!(message.contains("run sudo lectern setup; or name another file with --config"), "{message}");
        assert_eq!(unnamed_file(true, &system_file).unwrap(), system_file);
    }
}
