//! The sections of help texts and man pages that clap does not generate: environment, files and exit codes.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap_mangen::Man;

/// A term and its explanation.
type Entry = (&'static str, &'static str);

/// Settings of every command.
const ENVIRONMENT: [Entry; 2] = [
    ("LECTERN_CONFIG, LECTERN_DATABASE", "as --config and --database, which take precedence"),
    (
        "LECTERN_<SECTION>__<KEY>",
        "any setting, such as LECTERN_SERVER__BASE_URL; keys of providers also from a file \
      named in LECTERN_<SECTION>__<KEY>_FILE",
    ),
];
const S3_KEYS: Entry =
    ("LECTERN_BACKUP__S3__ACCESS_KEY, LECTERN_BACKUP__S3__SECRET_KEY", "the key to the bucket, if one is set");
const FILES: [Entry; 2] = [
    (
        "config.toml, /etc/lectern/config.toml",
        "settings, in the working directory or of the system; config.example.toml describes all of them",
    ),
    ("lectern.db", "the database, with lectern.db-wal and lectern.db-shm while it is in use"),
];
const DONE: Entry = ("0", "success");
const FAILED: Entry = ("1", "failure; the reason is on stderr");
const USAGE: Entry = ("2", "the command line or the configuration is invalid");

/// The sections of one command.
#[derive(Default)]
struct Sections {
    environment: Vec<Entry>,
    files: Vec<Entry>,
    exit_codes: Vec<Entry>,
}

fn sections(command: &str) -> Sections {
    let backup = ("lectern.db.before-v*", "the backups that were made before migrations");
    let lock = ("lectern.db.lock", "locked while a server runs on the database");
    let (environment, files, exit_codes) = match command {
        "serve" => (
            vec![
                ("LECTERN_LISTEN", "as --listen, which takes precedence"),
                ("LECTERN_LOG", "the level of the log: error, warn, info or debug"),
            ],
            vec![
                lock,
                backup,
                ("lectern.db.https/", "the certificates of HTTPS, their keys, and the account at the authority"),
                (
                    "lectern.db.rescued-*",
                    "what a database file contained that was removed while the server was running",
                ),
            ],
            vec![("0", "stopped by SIGTERM or SIGINT"), ("1", "it could not start; the reason is on stderr"), USAGE],
        ),
        "setup" => (
            vec![("LECTERN_ADMIN_PASSWORD", "the password of the first account, if no option says where it is")],
            vec![],
            vec![DONE, ("1", "nothing was set up; the reason is on stderr"), USAGE],
        ),
        "create-admin" => (
            vec![("LECTERN_ADMIN_PASSWORD", "the password of the account, if --password-stdin is not given")],
            vec![],
            vec![DONE, FAILED, USAGE],
        ),
        "migrate" => (vec![], vec![backup], vec![DONE, FAILED, USAGE]),
        "sync-brandlive" => (
            vec![("LECTERN_BRANDLIVE_API_KEY, LECTERN_BRANDLIVE_API_SECRET", "the key of the provider")],
            vec![("lectern.db.sync.lock", "locked while a sync runs")],
            vec![
                DONE,
                ("1", "items failed, the list ended early, or removals wait for an admin"),
                ("2", "nothing could be fetched, or the settings of the sync or the command line are not valid"),
                ("75", "another sync is running"),
            ],
        ),
        "backup" => (
            vec![S3_KEYS],
            vec![("lectern-*.db", "the backups in a folder, with the time in the name")],
            vec![DONE, ("1", "failure, even if only the upload to S3 failed; the reason is on stderr"), USAGE],
        ),
        "restore" => (
            vec![S3_KEYS],
            vec![lock, ("lectern.db.before-restore-*", "what a restored backup has replaced")],
            vec![DONE, ("1", "nothing was restored; the reason is on stderr"), USAGE],
        ),
        "check" => (vec![], vec![], vec![("0", "no problem"), ("1", "a problem was found"), USAGE]),
        "healthcheck" => (
            vec![("LECTERN_LISTEN", "the address of the server")],
            vec![],
            vec![("0", "the server is healthy"), ("1", "it is down, or it does not respond"), USAGE],
        ),
        "completions" | "licenses" => return Sections { exit_codes: vec![DONE, FAILED, USAGE], ..Sections::default() },
        _ => (vec![], vec![], vec![DONE, FAILED, USAGE]),
    };
    Sections {
        environment: [environment, ENVIRONMENT.to_vec()].concat(),
        files: [FILES.to_vec(), files].concat(),
        exit_codes,
    }
}

impl Sections {
    fn titled(&self) -> impl Iterator<Item = (&'static str, &[Entry])> {
        let all = [("Environment", &self.environment), ("Files", &self.files), ("Exit codes", &self.exit_codes)];
        all.into_iter().map(|(title, entries)| (title, entries.as_slice())).filter(|(_, entries)| !entries.is_empty())
    }
}

/// Adds the sections to the long help of every command.
pub(super) fn with_sections(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|command| {
        let mut text = String::new();
        for (title, entries) in sections(command.get_name()).titled() {
            let _ = writeln!(text, "{}{title}:", if text.is_empty() { "" } else { "\n" });
            for (term, explanation) in entries {
                let _ = writeln!(text, "  {term}\n          {explanation}");
            }
        }
        command.after_long_help(text)
    })
}

/// Writes the man page of the program, or of one command.
///
/// # Errors
/// There is no such command.
pub(super) fn man_page(mut program: clap::Command, name: Option<&str>, out: &mut Vec<u8>) -> anyhow::Result<()> {
    // Adds the options of the program to the commands.
    program.build();
    let Some(name) = name else {
        Man::new(program).render(out)?;
        return Ok(());
    };
    let Some(command) = program.find_subcommand(name) else {
        anyhow::bail!("There is no command {name}; 'lectern --help' lists them");
    };
    let page = Man::new(command.clone().display_name(format!("lectern-{name}"))).title(format!("lectern-{name}"));
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    for (title, entries) in sections(name).titled() {
        // The name of the section in man pages (man-pages(7)).
        let title = if title == "Exit codes" { "EXIT STATUS".to_owned() } else { title.to_uppercase() };
        writeln!(out, ".SH \"{title}\"")?;
        entries.iter().try_for_each(|entry| write_entry(out, entry))?;
    }
    writeln!(out, ".SH \"SEE ALSO\"\n.BR lectern (1)")?;
    Ok(())
}

fn write_entry(out: &mut Vec<u8>, (term, explanation): &Entry) -> io::Result<()> {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('-', "\\-");
    writeln!(out, ".TP\n\\fB{}\\fR\n{}", escaped(term), escaped(explanation))
}
