//! The command line: one file per command. Commands use the same rules and stores as the API.

mod backup;
mod check;
mod completions;
mod create_admin;
mod demo;
mod healthcheck;
mod help;
mod licenses;
mod log;
mod migrate;
mod restore;
mod serve;
mod setup;
mod sync_brandlive;
mod users;
mod version;

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::Resettable;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use rusqlite::Connection;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::features::images;
use crate::platform::config::{self, Config, ConfigError, Domain, Listen, Overrides};
use crate::platform::db::{self, BusyTimeout, OpenError};
use crate::platform::memory;
use crate::platform::system_user::{self, SystemUser};

/// Options of every command, before or after its name.
#[derive(Args, Debug)]
struct Common {
    /// Configuration file to read instead of config.toml or /etc/lectern/config.toml
    #[arg(long, global = true, env = "LECTERN_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Database file to use instead of the configured one
    #[arg(long, global = true, env = "LECTERN_DATABASE", value_name = "FILE")]
    database: Option<PathBuf>,
}

/// A public events calendar with an admin portal: one binary, one SQLite file.
#[derive(Parser, Debug)]
#[command(name = "lectern", version, disable_version_flag = true, max_term_width = 96)]
#[command(after_help = "Getting started:\n  \
    lectern serve --demo                            try it with sample events\n  \
    lectern setup                                   write the configuration, create the first account\n  \
    lectern serve                                   serve the site\n  \
    lectern create-admin --email you@example.com    create a further account\n\n\
    Settings come from flags, then LECTERN_* variables, then the configuration, then the defaults;\n\
    config.example.toml describes all of them. The configuration is config.toml in the working\n\
    directory, or else /etc/lectern/config.toml; root reads the latter only. Root runs commands as\n\
    the owner of the database.")]
struct Cli {
    #[command(flatten)]
    common: Common,
    /// Print the version
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version: also print the configuration, the database and the user
    #[arg(long, requires = "version")]
    verbose: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

// No doc comments on the variants: they would replace the longer help texts of the commands.
#[derive(Subcommand, Debug)]
enum Command {
    Setup(setup::Setup),
    Serve(serve::Serve),
    Migrate(migrate::Migrate),
    CreateAdmin(create_admin::CreateAdmin),
    Users(users::Users),
    RemoveAdmin(users::RemoveAdmin),
    SyncBrandlive(sync_brandlive::SyncBrandlive),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Check(check::Check),
    Healthcheck(healthcheck::Healthcheck),
    Log(log::Log),
    Completions(completions::Completions),
    Licenses(licenses::Licenses),
}

impl Command {
    /// Whether the command does not work without the key of the S3 storage, if a bucket is set.
    fn needs_s3_key(&self) -> bool {
        match self {
            Self::Serve(_) => true,
            Self::Backup(backup) => backup.uploads(),
            Self::Restore(restore) => restore.downloads(),
            _ => false,
        }
    }

    /// Whether the command uses the file of the database, which no restore may replace meanwhile. A server has a lock of its
    /// own.
    fn uses_database(&self) -> bool {
        match self {
            Self::Migrate(_)
            | Self::CreateAdmin(_)
            | Self::Users(_)
            | Self::RemoveAdmin(_)
            | Self::SyncBrandlive(_)
            | Self::Backup(_)
            | Self::Log(_) => true,
            Self::Setup(_)
            | Self::Serve(_)
            | Self::Restore(_)
            | Self::Check(_)
            | Self::Healthcheck(_)
            | Self::Completions(_)
            | Self::Licenses(_) => false,
        }
    }
}

/// Exit codes for cron and systemd.
mod exit {
    pub(super) const SUCCESS: u8 = 0;
    pub(super) const FAILED: u8 = 1;
    /// The command line or the configuration is invalid.
    pub(super) const USAGE: u8 = 2;
    /// Another process is running the same command: try again later (`EX_TEMPFAIL` of sysexits.h).
    pub(super) const TRY_AGAIN: u8 = 75;
}

/// Runs the program.
pub fn main() -> ExitCode {
    memory::configure_allocator();
    // The server starts itself with this argument. It is not a command, so that no configuration is read.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == images::DECODER_ARGUMENT) {
        return images::decode_upload();
    }
    let parsed = without_blank_variables(help::with_sections(Cli::command())).try_get_matches();
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return print_clap_error(&error),
    };
    let Common { config: named_config, database } = cli.common;
    let command = match cli.command {
        Some(Command::Completions(command)) => return finish(command.run()),
        Some(Command::Licenses(_)) => return finish(licenses::Licenses::run()),
        Some(Command::Setup(command)) => return finish(command.run(named_config, database)),
        None if !cli.version => {
            let _ = write!(io::stderr(), "{}", Cli::command().render_help());
            return ExitCode::from(exit::USAGE);
        }
        command => command,
    };
    let file = match named_config {
        Some(file) => Ok(Some(file)),
        None => config::default_file(system_user::is_root()),
    };
    let overrides = Overrides {
        // A default file that is removed later must not reset all settings at a reload.
        config: file.as_ref().ok().cloned().flatten(),
        database,
        listen: match &command {
            Some(Command::Serve(serve)) => serve.listen,
            Some(Command::Healthcheck(healthcheck)) => healthcheck.listen,
            Some(Command::Check(check)) => check.listen,
            _ => None,
        },
        https: match &command {
            Some(Command::Serve(serve)) => serve.https.clone(),
            _ => Vec::new(),
        },
        without_s3_key: !command.as_ref().is_some_and(Command::needs_s3_key),
        is_server: matches!(command, Some(Command::Serve(_))),
    };
    if let Some(name) = setting_that_is_not_text() {
        let message = format!("The variable {name} is not valid UTF-8; correct it or unset it");
        return fail_as_requested(&message, exit::USAGE);
    }
    let load = || config::load(&overrides, environment());
    let Some(command) = command else {
        return finish(version::print(cli.verbose, file.as_ref().map(Option::as_deref), load));
    };
    let config = match file.and_then(|_| load()) {
        Ok(config) => config,
        Err(error) => return fail_as_requested(&error.to_string(), exit::USAGE),
    };
    // Read by the user who has read the other one.
    let start_error = matches!(command, Command::Check(_)).then(|| start_error(&overrides)).flatten();
    match become_owner(&command, &config, overrides.database.is_some()) {
        Ok(owner) => run(command, config, overrides, owner, start_error.as_ref()),
        Err(error) => finish(Err(error)),
    }
}

/// Makes this process run as the owner of the database, if root has started it.
fn become_owner(command: &Command, config: &Config, database_named: bool) -> anyhow::Result<Option<SystemUser>> {
    let (database, is_server) = match command {
        Command::Serve(serve) => (serve.database(config, database_named), true),
        // It gives its files to the owner, who may not be allowed to read the backup.
        Command::Restore(_) => return Ok(None),
        _ => (config.database.path.as_path(), false),
    };
    let Some(owner) = system_user::owner_of(database).filter(|_| system_user::is_root()) else { return Ok(None) };
    owner.become_permanently(is_server).with_context(|| format!("Root could not become the user {owner}"))?;
    // The server logs it.
    if !is_server && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "lectern: {}.", version::became(&owner, database));
    }
    Ok(Some(owner))
}

/// Why the server would not start with this configuration.
fn start_error(overrides: &Overrides) -> Option<ConfigError> {
    let of_server = Overrides { without_s3_key: false, is_server: true, ..overrides.clone() };
    config::load(&of_server, environment()).err()
}

/// Runs a command that needs the configuration.
fn run(
    command: Command,
    config: Config,
    overrides: Overrides,
    owner: Option<SystemUser>,
    start_error: Option<&ConfigError>,
) -> ExitCode {
    let locked = if command.uses_database() { db::lock_for_command(&config.database.path) } else { Ok(None) };
    let _lock = match locked {
        Ok(lock) => lock,
        Err(error) => return finish(Err(error.into())),
    };
    match command {
        Command::Serve(command) => {
            let database_named = overrides.database.is_some();
            let load = move || -> Result<Config, ConfigError> { config::load(&overrides, environment()) };
            finish(command.run(config, database_named, owner, load))
        }
        Command::Migrate(command) => finish(command.run(&config)),
        Command::CreateAdmin(command) => finish(command.run(&config)),
        Command::Users(command) => finish(command.run(&config)),
        Command::RemoveAdmin(command) => finish(command.run(&config)),
        Command::SyncBrandlive(command) => command.run(&config),
        Command::Backup(command) => command.run(&config),
        Command::Restore(command) => finish(command.run(&config)),
        Command::Check(command) => command.run(&config, overrides.config.as_deref(), start_error),
        Command::Healthcheck(command) => finish(command.run(&config)),
        Command::Log(command) => finish(command.run(&config)),
        Command::Setup(_) | Command::Completions(_) | Command::Licenses(_) => ExitCode::SUCCESS,
    }
}

/// The name of a variable with a setting that is not text. The paths that are also options can have any bytes.
fn setting_that_is_not_text() -> Option<String> {
    const PATHS: [&str; 2] = ["LECTERN_CONFIG", "LECTERN_DATABASE"];
    let mut names = std::env::vars_os().filter(|(_, value)| value.to_str().is_none()).map(|(name, _)| name);
    names.find_map(|name| {
        name.into_string().ok().filter(|name| name.starts_with("LECTERN_") && !PATHS.contains(&name.as_str()))
    })
}

/// The variables that are text.
fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// A blank environment variable counts as unset, as in the configuration file.
fn without_blank_variables(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| match argument.get_env().map(std::env::var_os) {
            Some(Some(value)) if value.to_string_lossy().trim().is_empty() => argument.env(Resettable::Reset),
            _ => argument,
        })
        .mut_subcommands(without_blank_variables)
}

fn finish(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Errors of connections have another type.
        Err(error) if error.downcast_ref().is_some_and(is_closed_pipe) => ExitCode::SUCCESS,
        Err(error) => fail(&without_error_numbers(&format!("{error:#}")), exit::FAILED),
    }
}

/// Whether the reader of the output ended first, as `head` does, which is not a failure.
fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Removes error numbers of the operating system, which follow its messages.
fn without_error_numbers(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// Prints a line on stdout, after which the command continues even if nothing reads it.
fn print_line(text: &str) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if !is_closed_pipe(&error) => Err(error),
        _ => Ok(()),
    }
}

/// Prints the warnings of a command to stderr, of which its exit status says nothing.
fn print_warnings() {
    // A command runs once, so no other subscriber is set.
    let _ = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_writer(io::stderr)
        .with_ansi(false)
        .event_format(WarningLine)
        .try_init();
}

/// `Warning: an old backup could not be deleted path=/var/backups/a.db`
struct WarningLine;

impl<S, N> FormatEvent<S, N> for WarningLine
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &tracing::Event<'_>,
    ) -> fmt::Result {
        write!(writer, "Warning: ")?;
        context.field_format().format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

/// Prints an error message on stderr.
fn fail(message: &str, code: u8) -> ExitCode {
    // stderr may be closed.
    let _ = writeln!(io::stderr(), "lectern: {}.", message.trim_end_matches('.'));
    ExitCode::from(code)
}

/// Prints help, the version, or an error of the command line as a message that names the matching help.
fn print_clap_error(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            let _ = write!(io::stderr(), "{}", Cli::command().render_help());
            ExitCode::from(exit::USAGE)
        }
        _ => {
            let text = error.to_string();
            let message = text
                .lines()
                .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .map(|line| line.strip_prefix("tip: ").map_or_else(|| line.to_owned(), |tip| format!("({tip})")))
                .collect::<Vec<_>>()
                .join(" ");
            let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end_matches('.');
            fail_as_requested(&format!("{message}; see '{}'", help_command()), exit::USAGE)
        }
    }
}

/// Prints an error message on stderr, and for `sync-brandlive --json` also as JSON on stdout. Reads the raw arguments,
/// because they may not be valid.
fn fail_as_requested(message: &str, code: u8) -> ExitCode {
    if named_command().as_deref() == Some("sync-brandlive") && std::env::args().any(|word| word == "--json") {
        print_json_error(message, code);
    }
    fail(message, code)
}

/// Prints an error as JSON on stdout.
fn print_json_error(message: &str, code: u8) {
    let error = serde_json::json!({ "error": message.trim_end_matches('.'), "exitCode": code });
    // A closed pipe is not a failure.
    let _ = writeln!(io::stdout(), "{error:#}");
}

/// The name of the command in the arguments.
fn named_command() -> Option<String> {
    let command = Cli::command();
    std::env::args().find(|word| command.find_subcommand(word).is_some())
}

/// The command line that prints the help of the named command, or of the program.
fn help_command() -> String {
    named_command().map_or_else(|| "lectern --help".to_owned(), |name| format!("lectern {name} --help"))
}

/// The configured database file.
///
/// # Errors
/// It does not exist.
fn existing_database(config: &Config) -> anyhow::Result<&Path> {
    let path = config.database.path.as_path();
    db::check_not_lost(path, config.backup.dir.as_deref())?;
    anyhow::ensure!(path.exists(), "There is no database at {}; {}", path.display(), missing_database_help());
    Ok(path)
}

const EMPTY_DATABASE: &str = "is an empty file; put the database back, run 'lectern restore' with a backup, or start 'lectern serve' to begin anew";

/// What to do if there is no database. The demo has another file, which commands do not use by themselves.
fn missing_database_help() -> String {
    let demo = Path::new(demo::DATABASE);
    if demo.exists() {
        format!("that of the demo is {0}: name it with --database {0}", demo.display())
    } else {
        "name one with --database, or start 'lectern serve' once to create it".to_owned()
    }
}

/// A connection to the configured database, which must have the schema of this release.
///
/// # Errors
/// It does not exist, can't be opened, or has pending migrations.
fn connect_migrated(
    config: &Config,
    connect: impl FnOnce(&Path, BusyTimeout) -> Result<Connection, OpenError>,
) -> anyhow::Result<Connection> {
    let connection = connect(existing_database(config)?, BusyTimeout::CommandLine)?;
    let pending = db::status(&connection)?.iter().any(|step| step.applied_at.is_none());
    anyhow::ensure!(!pending, "The database has pending migrations; run 'lectern migrate' first");
    Ok(connection)
}
