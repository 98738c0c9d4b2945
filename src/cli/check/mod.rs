//! `lectern check`, and the same checks in `lectern serve`

mod addresses;
mod https;
mod shared_caches;

use std::fs::Metadata;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{self, Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use rusqlite::Connection;
use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::process::geteuid;
use serde::Serialize;
use serde_json::json;

use super::{Config, EMPTY_DATABASE, Listen, exit, fail, is_closed_pipe, missing_database_help, restore, version};
use crate::features::brandlive::{self, LastSync};
use crate::features::{events, site_settings, speakers};
use crate::platform::clock::{Clock, minute_utc};
use crate::platform::config::{self, Backup, Brandlive, ConfigError, Keep};
use crate::platform::db::{self, BusyTimeout, Disk, S3Backups};
use crate::platform::error::{AppError, ErrorChain};
use crate::platform::health::Problem;
use crate::platform::http_client::transport_cause;
use crate::platform::state::AppState;
use crate::platform::system_user;

/// The delay of the check of the complete database in `lectern serve`, so that it does not slow down the first
/// requests.
const FULL_CHECK_DELAY: Duration = Duration::from_secs(10);
/// Time to load the script of the newsletter form.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(10);
/// The time after a sync in which another one is expected, also if they run once a day.
const SYNC_OVERDUE: TimeDelta = TimeDelta::days(3);

/// Check the database, its files, the backups and the configuration
///
/// One line per finding, with what to do about a problem. Changes nothing and works while the server runs.
/// Exits with 0 if there is no problem, and with 1 if a problem was found.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// The variable of 'lectern serve', which a container sets for all commands.
    #[arg(long, env = "LECTERN_LISTEN", hide = true)]
    pub(super) listen: Option<Listen>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Status {
    Ok,
    /// Information for the operator.
    Note,
    Problem,
}

/// One line of the result.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    topic: &'static str,
    status: Status,
    text: String,
}

fn ok(topic: &'static str, text: impl Into<String>) -> Finding {
    Finding { topic, status: Status::Ok, text: text.into() }
}

fn note(topic: &'static str, text: impl Into<String>) -> Finding {
    Finding { topic, status: Status::Note, text: text.into() }
}

fn problem(topic: &'static str, text: impl Into<String>) -> Finding {
    Finding { topic, status: Status::Problem, text: text.into() }
}

impl Check {
    /// `start_error` is why the server rejects the configuration, which commands accept.
    pub(super) fn run(
        &self,
        config: &Config,
        config_file: Option<&Path>,
        start_error: Option<&ConfigError>,
    ) -> ExitCode {
        let mut findings = vec![
            note("configuration", version::configuration(config_file)),
            note("database", version::absolute(&config.database.path)),
            note("user", system_user::current_name()),
        ];
        findings.extend(start_error.map(rejected));
        let now = Utc::now();
        findings.extend(quick(config, now));
        findings.extend(addresses::missing(config));
        if !findings.iter().any(|finding| finding.topic == "configuration" && finding.status == Status::Problem) {
            findings.push(ok("configuration", "no setting contradicts another"));
        }
        findings.extend(config_file.and_then(secrets_file));
        findings.extend(database(config, config_file));
        findings.extend(s3_backups(config, now));
        findings.extend(last_sync(config, now));
        findings.extend(https::dns(config));
        findings.extend(script(config));
        match self.print(&findings) {
            Err(error) if !is_closed_pipe(&error) => fail(&error.to_string(), exit::FAILED),
            _ if findings.iter().any(|finding| finding.status == Status::Problem) => ExitCode::from(exit::FAILED),
            _ => ExitCode::SUCCESS,
        }
    }

    fn print(&self, findings: &[Finding]) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if self.json {
            let is_ok = !findings.iter().any(|finding| finding.status == Status::Problem);
            return writeln!(out, "{:#}", json!({ "ok": is_ok, "findings": findings }));
        }
        for Finding { topic, status, text } in findings {
            let status = match status {
                Status::Ok => "ok",
                Status::Note => "note",
                Status::Problem => "PROBLEM",
            };
            writeln!(out, "{status:<8} {topic:<13} {text}")?;
        }
        Ok(())
    }
}

/// A configuration with which the server does not start, because it lacks a secret that commands do not need.
fn rejected(error: &ConfigError) -> Finding {
    let text = error.to_string();
    let help = "'lectern serve' does not start otherwise; if only its environment has the secret, run this command with \
                that environment";
    problem("configuration", format!("{}; {help}", text.trim_end_matches('.')))
}

/// The quick checks: files, free space, backups and settings.
pub(super) fn quick(config: &Config, now: DateTime<Utc>) -> Vec<Finding> {
    let mut findings = files(&config.database.path);
    findings.extend(backups(config, now));
    findings.extend(https::quick(config, now));
    findings.extend(shared_caches::settings(config));
    findings.extend(settings(config));
    findings
}

fn files(database: &Path) -> Vec<Finding> {
    let folder = db::folder_of(database);
    let mut findings = Vec::new();
    if let Some(disk) = Disk::from_folder(folder) {
        let text = format!("{} MiB of disk space is free", disk.free_bytes / (1024 * 1024));
        findings.push(if disk.is_full() {
            problem("disk", format!("only {text}; writes will soon be rejected: free some space or move the database"))
        } else {
            ok("disk", text)
        });
    }
    // The permissions of a folder at this path would not help.
    let mode = database.metadata().ok().filter(Metadata::is_file).map(|meta| meta.permissions().mode() & 0o777);
    findings.extend(mode.map(|mode| {
        let path = database.display();
        if mode & 0o077 != 0 {
            problem("permissions", format!("other users can read {path} ({mode:04o}); run: chmod 600 {path}"))
        } else if let Some((file, error)) = unwritable(database, folder) {
            let is_owner = file.metadata().is_ok_and(|meta| meta.uid() == geteuid().as_raw());
            let file = file.display();
            let help = if error == Errno::ROFS {
                "its file system is read-only".to_owned()
            } else if is_owner {
                format!("run: chmod u+w {file}; then restart lectern")
            } else {
                "run the command as the owner".to_owned()
            };
            problem("permissions", format!("this user can't write {file}; {help}"))
        } else {
            ok("permissions", format!("only the owner can read {path}"))
        }
    }));
    findings
}

/// The first of what SQLite writes that this user can't write, and why: the database, the files beside it, or their folder.
fn unwritable(database: &Path, folder: &Path) -> Option<(PathBuf, Errno)> {
    // The folder may be `.`, which says nothing in a message.
    let mut files = db::files_of(database).into_iter().chain(path::absolute(folder)).filter(|file| file.exists());
    files.find_map(|file| access(&file, Access::WRITE_OK).err().map(|error| (file, error)))
}

/// A configuration file with keys that other users can read.
fn secrets_file(file: &Path) -> Option<Finding> {
    let meta = file.metadata().ok()?;
    let mode = meta.permissions().mode() & 0o777;
    // The packages install a file of root that the group of the server's user can read.
    let allowed = if meta.uid() == 0 && meta.gid() != 0 { 0o040 } else { 0 };
    (mode & 0o077 & !allowed != 0 && config::contains_secret(file)).then(|| {
        let path = file.display();
        problem(
            "permissions",
            format!("other users can read {path} ({mode:04o}) and the keys in it; run: chmod 600 {path}"),
        )
    })
}

/// The newest backup in the folder. Before there is a database, there is nothing to back up.
fn backups(config: &Config, now: DateTime<Utc>) -> Vec<Finding> {
    let Some(folder) = &config.backup.dir else {
        return vec![note("backups", "there is no schedule; set dir under [backup]")];
    };
    if folder.exists() && !folder.is_dir() {
        let text = format!("{} is not a folder; change dir under [backup]", folder.display());
        return vec![problem("backups", text)];
    }
    let found = db::backups_in(folder, &config.database.path);
    let found = found.into_iter().map(|backup| (backup.taken_at, backup.path.display().to_string()));
    ages("the last one", found.collect(), format!("no backup in {}", folder.display()), config, now)
}

/// The newest backup in S3.
fn s3_backups(config: &Config, now: DateTime<Utc>) -> Vec<Finding> {
    if config.backup.s3.lacks_key() {
        let help = "run this command with the server's environment to check them";
        return vec![note("backups", format!("the key of the backups in S3 is not set here; {help}"))];
    }
    let backups = S3Backups::new(&config.backup, &config.network, &config.database.path, &Clock::default());
    let Some(backups) = backups else { return Vec::new() };
    match backups.all() {
        Ok(found) => {
            let found = found.into_iter().map(|backup| (backup.taken_at, format!("s3:{}", backup.name)));
            let missing = format!("no backup in the bucket {}", backups.bucket());
            ages("the last one in S3", found.collect(), missing, config, now)
        }
        Err(error) => {
            vec![problem("backups", format!("the backups in S3 can't be listed: {}", ErrorChain(&error)))]
        }
    }
}

/// The age of the last backup, if there should be one, and the backups with a time in the future, which are neither counted
/// nor deleted. `found` has the times and names, the latest first.
fn ages(
    last: &str,
    found: Vec<(DateTime<Utc>, String)>,
    missing: String,
    config: &Config,
    now: DateTime<Utc>,
) -> Vec<Finding> {
    let (misdated, counted): (Vec<_>, Vec<_>) = found.into_iter().partition(|(taken_at, _)| *taken_at > now);
    let age = match counted.first() {
        None if !config.database.path.exists() => None,
        None => Some(problem("backups", missing + "; run: lectern backup")),
        Some((taken_at, _)) => Some(last_backup(last, &config.backup, *taken_at, now)),
    };
    let misdated = misdated.first().map(|(_, newest)| {
        let text = match misdated.len() {
            1 => format!("1 backup has a time in the future: {newest}"),
            count => format!("{count} backups have a time in the future, the last of them {newest}"),
        };
        note("backups", format!("{text}; if the clock is right now, it was wrong then: delete or rename them"))
    });
    age.into_iter().chain(misdated).collect()
}

/// The age of the last backup.
fn last_backup(name: &str, config: &Backup, taken_at: DateTime<Utc>, now: DateTime<Utc>) -> Finding {
    let text = format!("{name} is from {}", minute_utc(taken_at));
    if config.is_overdue(taken_at, now) {
        let help = "run 'lectern backup' and see the log of the server";
        return problem("backups", format!("{text}, which is too old; {help}"));
    }
    ok("backups", text)
}

/// Settings that have no effect, or another one than intended.
fn settings(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut wrong = |text: String| findings.push(problem("configuration", text));
    addresses::contradictions(config).into_iter().for_each(&mut wrong);
    let (base_url, is_https_here) = (&config.server.base_url, config.https.is_enabled());
    let is_https = is_https_here || base_url.as_ref().is_some_and(|url| url.as_str().starts_with("https://"));
    if is_https && config.subscribe.script_url.as_ref().is_some_and(|url| url.as_str().starts_with("http://")) {
        wrong("browsers block subscribe.script_url, because it is http on an https site; use https".to_owned());
    }
    https::contradictions(config).into_iter().for_each(&mut wrong);
    for key in keys_without_effect(config) {
        wrong(format!("{key}; remove what is not needed"));
    }
    for (name, _) in super::environment().filter(|(name, _)| name.starts_with("LECTERN_")) {
        if !config::is_known_variable(&name) {
            wrong(format!("the variable {name} does nothing: no setting has this name; see config.example.toml"));
        }
    }
    findings.extend(config.metrics.listen.filter(|metrics| !metrics.0.ip().is_loopback()).map(|metrics| {
        let text = "other machines can read the metrics at {address}; let only the monitoring through the firewall";
        note("metrics", text.replace("{address}", &metrics.0.to_string()))
    }));
    let endpoint = config.backup.s3.endpoint.as_ref().filter(|_| config.backup.s3.bucket.is_some());
    findings.extend(endpoint.filter(|endpoint| is_http_elsewhere(endpoint.as_str())).map(|endpoint| {
        note("backups", format!("the backups are sent to {endpoint} without encryption; use https if it offers that"))
    }));
    findings
}

/// Whether a URL is http and not of this machine.
fn is_http_elsewhere(url: &str) -> bool {
    let url = url::Url::parse(url).ok().filter(|url| url.scheme() == "http");
    url.is_some_and(|url| url.has_host() && !is_loopback(&url))
}

/// Whether the host of a URL is this machine.
fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

fn keys_without_effect(config: &Config) -> Vec<&'static str> {
    let (subscribe, limits, brandlive) = (&config.subscribe, &config.limits, &config.brandlive);
    let default = Config::default();
    let is_form_set =
        !subscribe.container_id.is_empty() || !subscribe.attributes.is_empty() || !subscribe.allowed_hosts.is_empty();
    let is_token = brandlive.credentials.mode == config::brandlive::CredentialsMode::Token;
    let token_keys = |credentials: &config::brandlive::Credentials| {
        (credentials.token_path.clone(), credentials.token_body.clone(), credentials.token.clone())
    };
    let (https, purge) = (&config.https, &config.cache.purge);
    let has_acme_keys = https.email.is_some()
        || https.profile.is_some()
        || https.ca_file.is_some()
        || https.directory_url != default.https.directory_url;
    let cases = [
        (!https.is_enabled() && *https != default.https, "the settings under [https] do nothing without domains"),
        (
            https.files().is_some() && has_acme_keys,
            "email, directory_url, ca_file and profile under [https] do nothing with certificate and key",
        ),
        (
            subscribe.script_url.is_none() && is_form_set && !has_stored_script(config),
            "the settings under [subscribe] do nothing without script_url",
        ),
        (
            config.backup.dir.is_none()
                && (config.backup.every != default.backup.every || config.backup.keep != Keep::default()),
            "every and keep under [backup] do nothing without dir, except for 'lectern backup FOLDER'",
        ),
        (
            config.backup.s3.bucket.is_none() && config.backup.s3 != default.backup.s3,
            "the settings under [backup.s3] do nothing without bucket",
        ),
        (
            limits.sign_in_burst == 0 && limits.sign_in_per_minute != default.limits.sign_in_per_minute,
            "limits.sign_in_per_minute does nothing while sign_in_burst is 0",
        ),
        (
            limits.visitor_burst == 0 && limits.visitor_per_minute != default.limits.visitor_per_minute,
            "limits.visitor_per_minute does nothing while visitor_burst is 0",
        ),
        (
            config.places.server_key.is_none() && limits.photo_per_day != default.limits.photo_per_day,
            "limits.photo_per_day does nothing without places.server_key",
        ),
        (
            !brandlive.is_configured() && *brandlive != without_sync(brandlive),
            "the settings under [brandlive] do nothing without api_key",
        ),
        (
            purge.fastly.service_id.is_none() && purge.fastly != default.cache.purge.fastly,
            "the settings under [cache.purge.fastly] do nothing without service_id",
        ),
        (
            purge.cloudflare.zone_id.is_none() && purge.cloudflare != default.cache.purge.cloudflare,
            "the settings under [cache.purge.cloudflare] do nothing without zone_id",
        ),
        (
            purge.url.url.is_none() && purge.url != default.cache.purge.url,
            "the token under [cache.purge.url] does nothing without url",
        ),
        (
            !is_token && token_keys(&brandlive.credentials) != token_keys(&default.brandlive.credentials),
            "token_path, token_body and token under [brandlive.credentials] do nothing in this mode",
        ),
    ];
    cases.into_iter().filter(|(applies, _)| *applies).map(|(_, text)| text).collect()
}

/// Reads the database, if there is one; `None` if that fails, which other checks report.
fn read_database<T>(config: &Config, read: impl FnOnce(&Connection) -> Result<T, AppError>) -> Option<T> {
    let path = &config.database.path;
    let connection = path.exists().then(|| db::connect_to_read(path, BusyTimeout::CommandLine).ok()).flatten()?;
    read(&connection).ok()
}

/// The last sync: that there was one lately, and that no admin has to look at it.
fn last_sync(config: &Config, now: DateTime<Utc>) -> Option<Finding> {
    if !config.brandlive.is_configured() {
        return None;
    }
    let last = read_database(config, brandlive::last_sync)?;
    let Some(LastSync { ended_at, message, .. }) = last else {
        return Some(note("sync", "no sync has ended yet; run: lectern sync-brandlive"));
    };
    let text = format!("the last one that ended is from {}: {message}", minute_utc(ended_at));
    Some(if now - ended_at > SYNC_OVERDUE {
        let help = "see the log of the timer or of cron, or run: lectern sync-brandlive";
        problem("sync", format!("{text}; later ones failed or did not run, {help}"))
    } else if brandlive::needs_admin(&message) {
        problem("sync", format!("{text}; press 'Sync Brandlive Events' in the portal, which shows which ones"))
    } else {
        ok("sync", text)
    })
}

/// Whether admins have set the script of the newsletter form, which the settings of the configuration complete.
fn has_stored_script(config: &Config) -> bool {
    let settings =
        read_database(config, |connection| site_settings::ConfiguredSettings::new(config).effective(connection));
    settings.is_some_and(|settings| settings.subscribe.script_url.is_some())
}

/// The default settings of the sync, with the time zone that `lectern setup` sets before there is one.
fn without_sync(brandlive: &Brandlive) -> Brandlive {
    let mut default = Brandlive::default();
    default.defaults.timezone.clone_from(&brandlive.defaults.timezone);
    default
}

/// Loads the script of the newsletter form, as browsers do.
fn script(config: &Config) -> Option<Finding> {
    let url = config.subscribe.script_url.as_ref()?;
    let settings =
        ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(SCRIPT_TIMEOUT)).build();
    let reason = match config.network.agent(settings).get(url.to_string()).call() {
        Ok(response) if response.status().is_success() => {
            return Some(ok("configuration", format!("the script of the newsletter form is at {url}")));
        }
        Ok(response) => format!("status {}", response.status().as_u16()),
        Err(error) => transport_cause(&error).to_string(),
    };
    let help = "the newsletter form does not appear; correct subscribe.script_url or leave it blank";
    Some(problem("configuration", format!("{url} can't be loaded ({reason}), so {help}")))
}

fn database(config: &Config, config_file: Option<&Path>) -> Vec<Finding> {
    let path = config.database.path.as_path();
    if let Err(error) = db::check_not_lost(path, config.backup.dir.as_deref()) {
        return vec![problem("database", error.to_string())];
    }
    if !path.exists() {
        let help = if config_file == Some(Path::new(config::SYSTEM_FILE)) {
            "run: sudo lectern setup".to_owned()
        } else {
            missing_database_help()
        };
        return vec![problem("database", format!("no database at {}; {help}", path.display()))];
    }
    if db::is_empty(path) {
        return vec![problem("database", format!("{} {EMPTY_DATABASE}", path.display()))];
    }
    let connection = match db::open_to_check(path) {
        Ok(connection) => connection,
        Err(error) => return vec![problem("database", error.to_string())],
    };
    let mut findings = vec![schema(&connection)];
    match content(&connection) {
        Ok(found) => findings.extend(found),
        Err(error) => findings.push(unreadable(INTEGRITY, &error)),
    }
    // Without the tables, which a pending migration creates, nothing is known.
    findings.extend(shared_caches::purges(config, &connection, Utc::now()).unwrap_or_default());
    findings
}

fn unreadable(topic: &'static str, error: &(dyn std::error::Error + 'static)) -> Finding {
    let help = "if this persists, restore a backup";
    problem(topic, format!("the database can't be read ({}); {help}", ErrorChain(error)))
}

fn schema(connection: &Connection) -> Finding {
    let steps = match db::status(connection) {
        Ok(steps) => steps,
        Err(error) => return problem("schema", format!("the version can't be read ({error}); restore a backup")),
    };
    let pending = steps.iter().filter(|step| step.applied_at.is_none()).count();
    if pending > 0 {
        problem("schema", format!("{pending} migrations are pending; run 'lectern migrate' or start the server"))
    } else {
        ok("schema", format!("version {}", db::newest_version()))
    }
}

/// The topics of damage, which `/healthz` reports.
const INTEGRITY: &str = "integrity";
const REFERENCES: &str = "references";

/// Checks the complete database.
///
/// # Errors
/// It can't be read.
fn content(connection: &Connection) -> Result<Vec<Finding>, AppError> {
    let mut findings = Vec::new();
    if let Some(damage) = db::integrity(connection)? {
        // The other checks need an intact database.
        let help = "restore a backup: 'lectern restore --list' shows them";
        return Ok(vec![problem(INTEGRITY, format!("the database is damaged ({damage}); {help}"))]);
    }
    findings.push(ok(INTEGRITY, "no page is damaged"));
    findings.push(match db::broken_references(connection)? {
        0 => ok(REFERENCES, "no row refers to a row that does not exist"),
        1 => problem(REFERENCES, "1 row refers to a row that does not exist; restore a backup"),
        count => problem(REFERENCES, format!("{count} rows refer to rows that do not exist; restore a backup")),
    });
    let rows = db::row_counts(connection)?;
    findings.push(ok("content", restore::contents(&rows)));
    if rows.iter().any(|(table, count)| table == "users" && *count == 0) {
        findings.push(note("content", "there is no account; run: lectern create-admin --email EMAIL"));
    }
    let images = [events::image_urls(connection)?, speakers::image_urls(connection)?].concat();
    for url in images.iter().filter(|url| url.starts_with("http://")) {
        let help = "browsers do not show it, because only https is allowed: upload it in the portal or use https";
        findings.push(problem("images", format!("{url}: {help}")));
    }
    Ok(findings)
}

/// Logs the problems that the quick checks find, and within a minute those of the complete database.
pub(super) async fn run_in_background(app: AppState) {
    log_problems(&quick(&app.config, app.clock.now()));
    tokio::time::sleep(FULL_CHECK_DELAY).await;
    let (db, config) = (app.db.clone(), app.config.clone());
    let check = move || {
        let mut findings = Vec::new();
        let result = db.probe_read(|connection| {
            findings = content(connection)?;
            Ok(())
        });
        // Not as damage: the database may only be locked. The storage records damage itself.
        findings.extend(result.err().map(|error| unreadable("database", &error)));
        findings.extend(script(&config));
        findings
    };
    let findings =
        tokio::task::spawn_blocking(check).await.unwrap_or_else(|error| vec![unreadable("database", &error)]);
    // Damage is logged when a second check has confirmed it.
    log_problems(findings.iter().filter(|finding| finding.topic != INTEGRITY));
    let has_problem =
        |topic| findings.iter().any(|finding| finding.topic == topic && finding.status == Status::Problem);
    if has_problem(INTEGRITY) {
        app.db.suspect_damage();
    }
    let references = "The database has rows that refer to rows that do not exist; run 'lectern check'";
    app.health.report(REFERENCES, has_problem(REFERENCES).then(|| Problem::degraded(references)));
    tracing::debug!("the database was checked");
}

fn log_problems<'f>(findings: impl IntoIterator<Item = &'f Finding>) {
    for Finding { topic, text, .. } in findings.into_iter().filter(|finding| finding.status == Status::Problem) {
        tracing::warn!("check: {topic}: {text}");
    }
}
