//! `lectern create-admin`

use crate::platform::db;
use serde_json::json;

use super::{EMAIL, PASSWORD, connect, count, create_admin, empty_folder, everything_in, folder_with_admin};
use crate::tests::support::program::{CommandResult, Server, command, finish, run, succeed};

fn with_password(folder: &std::path::Path, arguments: &[&str], stdin: &str) -> CommandResult {
    finish(command(folder, &[&["create-admin", "--password-stdin"], arguments].concat()), stdin)
}

#[test]
fn a_new_admin_can_sign_in_at_once_while_the_server_runs() {
    let folder = empty_folder();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(create_admin(folder.path(), EMAIL, PASSWORD), "ada@example.com can sign in now.\n");
    let mut admin = server.visitor().sign_in(EMAIL, PASSWORD);
    let user = admin.get("/api/user").json();
    assert_eq!((user["email"].as_str(), user["role"].as_str()), (Some(EMAIL), Some("admin")));
    server.stop();
}

#[test]
fn an_existing_address_is_rejected_regardless_of_case() {
    let folder = folder_with_admin();
    let path = folder.path().join("lectern.db");
    for email in [EMAIL, "ADA@example.com", "Ada@Example.COM", "  ada@example.com  "] {
        let message = with_password(folder.path(), &["--email", email], "another password\n").sentence(1);
        assert!(message.contains("A user with this email already exists; "), "{message}");
        assert!(message.ends_with("--reset-password."), "{message}");
    }
    assert_eq!(count(&path, "users"), 1);
    let server = Server::start(folder.path(), &[]);
    server.visitor().sign_in(EMAIL, PASSWORD);
}

#[test]
fn a_new_password_ends_the_sessions_of_that_user_only() {
    let folder = folder_with_admin();
    create_admin(folder.path(), "grace@example.com", PASSWORD);
    let server = Server::start(folder.path(), &[]);
    let mut ada = server.visitor().sign_in(EMAIL, PASSWORD);
    let mut also_ada = server.visitor().sign_in(EMAIL, PASSWORD);
    let mut grace = server.visitor().sign_in("grace@example.com", PASSWORD);
    assert_eq!(ada.get("/api/user").status, 200);

    let message =
        with_password(folder.path(), &["--email", "ADA@EXAMPLE.com", "--reset-password"], "brand new words\n");
    assert_eq!(message.succeeded(), "ada@example.com has a new password and was signed out everywhere.\n");

    assert_eq!((ada.get("/api/user").status, also_ada.get("/api/user").status), (401, 401));
    assert_eq!(grace.get("/api/user").status, 200);
    let old = json!({ "email": EMAIL, "password": PASSWORD });
    assert_eq!(server.visitor().post("/api/auth/login", &old).status, 401);
    server.visitor().sign_in(EMAIL, "brand new words");
    assert_eq!(count(&folder.path().join("lectern.db"), "users"), 2);
}

#[test]
fn a_reset_for_an_unknown_address_is_rejected() {
    let folder = folder_with_admin();
    let message = with_password(folder.path(), &["--email", "who@example.com", "--reset-password"], "long enough\n");
    assert!(message.sentence(1).contains("There is no user with this email; omit --reset-password"));
    assert_eq!(count(&folder.path().join("lectern.db"), "users"), 1);
}

#[test]
fn a_password_that_the_portal_rejects_is_rejected() {
    let folder = empty_folder();
    let long = format!("{}\n", "x".repeat(129));
    for (stdin, words) in [
        ("short\n", "Password must be at least 8 characters."),
        ("1234567\n", "Password must be at least 8 characters."),
        ("", "Password must be at least 8 characters."),
        ("\n", "Password must be at least 8 characters."),
        ("          \n", "Password must be at least 8 characters."),
        ("äöüßäöü\n", "Password must be at least 8 characters."),
        (long.as_str(), "128 characters"),
    ] {
        let message = with_password(folder.path(), &["--email", EMAIL], stdin).sentence(1);
        assert!(message.contains(words), "{stdin:?}: {message}");
    }
    assert!(everything_in(folder.path()).is_empty(), "no file is created");
    let message = with_password(folder.path(), &["--email", EMAIL, "--reset-password"], "long enough\n").sentence(1);
    assert!(message.contains("There is no user with this email"), "{message}");
    assert!(everything_in(folder.path()).is_empty(), "no file is created");
}

#[test]
fn the_password_is_the_first_line_unchanged() {
    let folder = empty_folder();
    with_password(folder.path(), &["--email", EMAIL], " spaces at both ends \r\nnot this\n").succeeded();
    with_password(folder.path(), &["--email", "grace@example.com"], "pässwörd, no line end").succeeded();
    let server = Server::start(folder.path(), &[]);
    server.visitor().sign_in(EMAIL, " spaces at both ends ");
    server.visitor().sign_in("grace@example.com", "pässwörd, no line end");
}

#[test]
fn the_password_can_be_in_a_variable_unless_stdin_is_named() {
    let folder = empty_folder();
    for (email, options) in [(EMAIL, &[][..]), ("grace@example.com", &["--password-stdin"])] {
        let mut create = command(folder.path(), &[&["create-admin", "--email", email], options].concat());
        create.env("LECTERN_ADMIN_PASSWORD", "from the variable");
        finish(create, "from stdin\n").succeeded();
    }
    let server = Server::start(folder.path(), &[]);
    server.visitor().sign_in(EMAIL, "from the variable");
    server.visitor().sign_in("grace@example.com", "from stdin");
    server.stop();
    let mut blank = command(folder.path(), &["create-admin", "--email", "third@example.com"]);
    blank.env("LECTERN_ADMIN_PASSWORD", "");
    let message = finish(blank, "").sentence(1);
    assert!(message.contains("--password-stdin, or set LECTERN_ADMIN_PASSWORD"), "{message}");
}

#[test]
fn an_invalid_address_is_rejected_and_nothing_is_created() {
    let folder = empty_folder();
    for email in ["", "x", "x@", "@example.com", "a b@example.com", "x@example", &format!("{}@b.co", "x".repeat(400))] {
        let message = with_password(folder.path(), &["--email", email], "long enough\n").sentence(1);
        assert!(message.contains("mail"), "{message}");
    }
    assert!(everything_in(folder.path()).is_empty());
}

#[test]
fn without_a_terminal_the_message_names_the_option_for_stdin() {
    let folder = empty_folder();
    let message = run(folder.path(), &["create-admin", "--email", EMAIL]).sentence(1);
    assert!(message.contains("--password-stdin"), "{message}");
    assert!(everything_in(folder.path()).is_empty(), "no file is created");
}

#[test]
fn accounts_are_listed_and_removed_with_their_sessions_but_never_the_last() {
    let folder = folder_with_admin();
    create_admin(folder.path(), "grace@example.com", PASSWORD);
    let server = Server::start(folder.path(), &[]);
    let mut grace = server.visitor().sign_in("grace@example.com", PASSWORD);
    let list = succeed(folder.path(), &["users"]);
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].starts_with("ada@example.com    admin  since 20") && lines[0].ends_with("  0 sessions"), "{list}");
    assert!(lines[1].starts_with("grace@example.com  admin  since 20") && lines[1].ends_with("  1 session"), "{list}");
    let json: serde_json::Value = serde_json::from_str(&succeed(folder.path(), &["users", "--json"])).unwrap();
    assert_eq!((&json[1]["email"], json[1].get("password")), (&json!("grace@example.com"), None));
    assert_eq!(json[1]["sessions"], json!(1));

    let message = run(folder.path(), &["remove-admin", "nobody@example.com"]).sentence(1);
    assert_eq!(message, "There is no account nobody@example.com; 'lectern users' lists them.");
    let message = succeed(folder.path(), &["remove-admin", "GRACE@example.com"]);
    assert_eq!(message, "grace@example.com was deleted and signed out everywhere.\n");
    assert_eq!(grace.get("/api/user").status, 401);
    let message = run(folder.path(), &["remove-admin", EMAIL]).sentence(1);
    assert!(message.starts_with("ada@example.com: The last user can't be deleted"), "{message}");
    assert_eq!(count(&folder.path().join("lectern.db"), "users"), 1);
    let log = succeed(folder.path(), &["log"]);
    assert!(log.contains("command line  deleted user") && log.contains("grace@example.com"), "{log}");
    server.stop();
}

#[test]
fn a_password_that_is_not_text_is_rejected_with_a_message() {
    use std::io::Write as _;
    use std::process::Stdio;

    let folder = empty_folder();
    let mut child = command(folder.path(), &["create-admin", "--password-stdin", "--email", EMAIL])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\xfe\xfd\xfc\xff\xfe\xfd\xfc\n").unwrap();
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    let ran = CommandResult { code: ended.status.code(), out: String::new(), err };
    assert_eq!(ran.sentence(1), "The password on stdin is not text (UTF-8).");
}

#[test]
fn concurrent_commands_on_a_missing_database_all_create_their_account() {
    let folder = empty_folder();
    let emails: Vec<String> = (0..8).map(|number| format!("admin{number}@example.com")).collect();
    std::thread::scope(|scope| {
        for email in &emails {
            scope.spawn(|| create_admin(folder.path(), email, PASSWORD));
        }
    });
    let path = folder.path().join("lectern.db");
    assert_eq!(count(&path, "users"), 8);
    assert_eq!(count(&path, "refinery_schema_history"), i64::from(db::newest_version()));
    let check: String = connect(&path).query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}
