//! `lectern setup`

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::{EMAIL, PASSWORD, count, empty_folder, everything_in};
use crate::platform::db::{self, BusyTimeout};
use crate::tests::support::program::{CommandResult, Server, command, finish, program};
use crate::tests::support::terminal::with_answers;

/// `lectern setup` of the folder's config.toml; root would write that of the system.
fn setup(folder: &Path, options: &[&str], stdin: &str) -> CommandResult {
    finish(command(folder, &[&["setup", "--config", "config.toml"], options].concat()), stdin)
}

/// The options of a complete setup, with the password on stdin.
const COMPLETE: [&str; 9] = [
    "--name",
    "Harbor & Vale",
    "--email",
    EMAIL,
    "--timezone",
    "america/denver",
    "--password-stdin",
    "--domain",
    "Events.Example.com",
];

fn text_of(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The same on a terminal, which the program can open for the password as well.
fn on_terminal(folder: &Path, options: &[&str], answers: &[(&'static str, &'static str)]) -> (Option<i32>, String) {
    // Shells make processes in the background ignore SIGINT.
    let mut session = Command::new("env");
    session
        .args(["--default-signal=INT", "setsid", "--ctty", "--wait"])
        .arg(program())
        .args(["setup", "--config", "config.toml"])
        .args(options);
    session.env_clear().env("PATH", "/usr/bin:/bin").env("RUST_BACKTRACE", "1").current_dir(folder);
    with_answers(session, None, answers)
}

#[test]
fn without_a_terminal_options_set_up_a_site_that_runs() {
    let folder = empty_folder();
    let options = [&COMPLETE[..], &["--behind-proxy"]].concat();
    let out = setup(folder.path(), &options, &format!("{PASSWORD}\n")).succeeded();
    for words in
        ["Wrote config.toml and lectern.db.", "events.example.com to the proxy", "https://events.example.com/admin"]
    {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(!out.contains(PASSWORD));
    let mode = fs::metadata(folder.path().join("config.toml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let settings: toml::Table = text_of(folder.path(), "config.toml").parse().unwrap();
    assert_eq!(settings["server"]["base_url"].as_str(), Some("https://events.example.com"));
    assert_eq!(settings["brandlive"]["defaults"]["timezone"].as_str(), Some("America/Denver"));
    let checked = finish(command(folder.path(), &["check"]), "").succeeded();
    assert!(!checked.contains("PROBLEM"), "{checked}");

    let server = Server::start(folder.path(), &[]);
    let home = server.visitor().get("/").text();
    assert!(home.contains("Harbor &amp; Vale") && !home.contains("Your Company"), "the name is that of the database");
    assert!(server.visitor().get("/sitemap.xml").text().contains("https://events.example.com/"));
    server.stop();
    let connection = db::connect(&folder.path().join("lectern.db"), BusyTimeout::CommandLine).unwrap();
    let admin: String = connection.query_row("SELECT email FROM users", [], |row| row.get(0)).unwrap();
    assert_eq!(admin, EMAIL);
    let log = finish(command(folder.path(), &["log"]), "").succeeded();
    assert!(log.contains("command line  created user") && log.contains(EMAIL), "{log}");
}

#[test]
fn a_name_in_the_configuration_has_precedence_over_the_stored_one() {
    let folder = empty_folder();
    setup(folder.path(), &COMPLETE[..7], &format!("{PASSWORD}\n")).succeeded();
    let file = folder.path().join("config.toml");
    fs::write(&file, text_of(folder.path(), "config.toml") + "[site]\nname = \"Configured\"\n").unwrap();
    let server = Server::start(folder.path(), &[]);
    let home = server.visitor().get("/").text();
    assert!(home.contains("Configured") && !home.contains("Harbor"));
}

#[test]
fn with_a_domain_and_no_proxy_the_server_gets_certificates_itself() {
    let folder = empty_folder();
    let out = setup(folder.path(), &COMPLETE, &format!("{PASSWORD}\n")).succeeded();
    assert!(out.contains("ports 80 and 443"), "{out}");
    let settings: toml::Table = text_of(folder.path(), "config.toml").parse().unwrap();
    assert_eq!(settings["https"]["domains"][0].as_str(), Some("events.example.com"));
    assert_eq!(settings["https"]["email"].as_str(), Some(EMAIL));
}

#[test]
fn a_configuration_is_replaced_only_with_force_and_accounts_stay() {
    let folder = empty_folder();
    let password = format!("{PASSWORD}\n");
    fs::write(folder.path().join("config.toml"), "# mine\n").unwrap();
    let message = setup(folder.path(), &COMPLETE, &password).sentence(1);
    assert!(message.contains("config.toml exists already") && message.contains("--force"), "{message}");
    assert_eq!(everything_in(folder.path()).into_keys().collect::<Vec<_>>(), ["config.toml"]);
    assert_eq!(text_of(folder.path(), "config.toml"), "# mine\n");

    setup(folder.path(), &[&COMPLETE[..7], &["--force"]].concat(), &password).succeeded();
    assert_eq!(text_of(folder.path(), "config.toml.bak"), "# mine\n");
    let again = ["--force", "--name", "Renamed", "--email", "grace@example.com"];
    let out = setup(folder.path(), &again, "").succeeded();
    assert!(out.contains("The accounts of the site are unchanged."), "{out}");
    assert_eq!(count(&folder.path().join("lectern.db"), "users"), 1);
    let server = Server::start(folder.path(), &[]);
    server.visitor().sign_in(EMAIL, PASSWORD);
    assert!(server.visitor().get("/").text().contains("Renamed"));
}

#[test]
fn the_configuration_that_the_package_installs_is_replaced_until_somebody_edits_it() {
    let folder = empty_folder();
    let packaged = include_str!("../../../packaging/config.toml");
    fs::write(folder.path().join("config.toml"), packaged).unwrap();
    setup(folder.path(), &COMPLETE, &format!("{PASSWORD}\n")).succeeded();
    assert_ne!(text_of(folder.path(), "config.toml"), packaged);
}

#[test]
fn missing_and_invalid_options_are_named_and_nothing_is_written() {
    let folder = empty_folder();
    let cases: [(&[&str], &str, &str); 7] = [
        (&[], "", "--name is missing"),
        (&["--name", "A"], "", "--email is missing"),
        (&["--name", " "], "", "--name: The company's name can't be blank"),
        (&["--name", "A", "--email", "nobody"], "", "--email: "),
        (&["--name", "A", "--domain", "http://localhost"], "", "--domain: `localhost` is not a domain"),
        (&["--name", "A", "--timezone", "EDTT"], "", "--timezone: `EDTT` is not a time zone"),
        (&["--name", "A", "--email", EMAIL, "--password-stdin"], "short\n", "Password must be at least 8 characters"),
    ];
    for (options, stdin, words) in cases {
        let message = setup(folder.path(), options, stdin).sentence(1);
        assert!(message.contains(words), "{options:?}: {message}");
    }
    let message = setup(folder.path(), &["--name", "A", "--email", EMAIL], "").sentence(1);
    assert!(message.contains("--password-file") && message.contains("LECTERN_ADMIN_PASSWORD"), "{message}");
    assert!(everything_in(folder.path()).is_empty());
}

#[test]
fn the_password_can_be_in_a_file_or_a_variable() {
    let options = ["--name", "A", "--email", EMAIL];
    let folder = empty_folder();
    fs::write(folder.path().join("secret"), format!("{PASSWORD}\nnot this\n")).unwrap();
    setup(folder.path(), &[&options[..], &["--password-file", "secret"]].concat(), "").succeeded();
    Server::start(folder.path(), &[]).visitor().sign_in(EMAIL, PASSWORD);

    let folder = empty_folder();
    let mut by_variable = command(folder.path(), &[&["setup", "--config", "config.toml"], &options[..]].concat());
    by_variable.env("LECTERN_ADMIN_PASSWORD", PASSWORD);
    finish(by_variable, "").succeeded();
    Server::start(folder.path(), &[]).visitor().sign_in(EMAIL, PASSWORD);
}

#[test]
fn on_a_terminal_an_invalid_answer_repeats_the_question_with_the_reason() {
    let folder = empty_folder();
    let (code, shown) = on_terminal(
        folder.path(),
        &["--email", "wrong"],
        &[
            ("blank: only this machine): ", "events.example.com/path\n"),
            ("is not a domain; use one such as events.example.com, without a port or a path.", ""),
            ("Domain of the site", "events.example.com\n"),
            ("handle HTTPS? [y/N]: ", "maybe\n"),
            ("Please answer y or n.", ""),
            ("[y/N]: ", "y\n"),
            ("Name of the company: ", "\n"),
            ("can't be blank", ""),
            ("Name of the company: ", "Harbor\n"),
            ("Time zone of events [America/New_York]: ", "\n"),
            ("--email: Invalid email address", ""),
            ("E-mail address of the first account: ", "ada@example.com\n"),
            ("Password of the account: ", "short\n"),
            ("Password must be at least 8 characters", ""),
            ("Password of the account: ", "a fine password\n"),
            ("Repeat the password: ", "another password\n"),
            ("The two passwords differ.", ""),
            ("Password of the account: ", "a fine password\n"),
            ("Repeat the password: ", "a fine password\n"),
        ],
    );
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("What is next:"), "{shown}");
    let settings: toml::Table = text_of(folder.path(), "config.toml").parse().unwrap();
    assert_eq!(settings["brandlive"]["defaults"]["timezone"].as_str(), Some("America/New_York"));
    assert_eq!(count(&folder.path().join("lectern.db"), "users"), 1);
}

#[test]
fn questions_that_are_interrupted_leave_nothing() {
    for end in ["\x04", "\x03"] {
        let folder = empty_folder();
        let answers =
            [("Domain of the site", "\n"), ("Name of the company: ", "Harbor\n"), ("Time zone of events", end)];
        let (code, shown) = on_terminal(folder.path(), &[], &answers);
        assert_ne!(code, Some(0), "{shown}");
        assert!(everything_in(folder.path()).is_empty(), "{shown}");
    }
}

#[test]
fn the_sign_in_page_of_a_site_without_accounts_says_how_to_create_one() {
    let folder = empty_folder();
    let server = Server::start(folder.path(), &[]);
    let page = || server.visitor().get("/admin/login").text();
    assert!(page().contains("\"needsAdmin\":true"));
    assert!(!server.visitor().get("/").text().contains("needsAdmin"));
    super::create_admin(folder.path(), EMAIL, PASSWORD);
    server.wait_for("the end of the notice", || (!page().contains("needsAdmin")).then_some(()));
    server.stop();
}
