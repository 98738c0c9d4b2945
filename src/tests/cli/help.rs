//! Help, usage errors, and the sources of settings.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Stdio;

use super::{empty_folder, everything_in, folder_with_admin};
use crate::tests::support::program::{command, finish, run, succeed};

const COMMANDS: [&str; 14] = [
    "setup",
    "serve",
    "migrate",
    "create-admin",
    "users",
    "remove-admin",
    "sync-brandlive",
    "backup",
    "restore",
    "check",
    "healthcheck",
    "log",
    "completions",
    "licenses",
];

#[test]
fn help_lists_the_commands_and_how_to_start() {
    let folder = empty_folder();
    let help = succeed(folder.path(), &["--help"]);
    for name in COMMANDS {
        assert!(help.contains(&format!("\n  {name} ")), "{name} is missing: {help}");
    }
    for hint in ["lectern serve --demo", "lectern setup", "config.example.toml", "/etc/lectern/config.toml"] {
        assert!(help.contains(hint), "{hint} is missing: {help}");
    }
    assert_eq!(succeed(folder.path(), &["--version"]), concat!("lectern ", env!("CARGO_PKG_VERSION"), "\n"));
    assert!(everything_in(folder.path()).is_empty(), "help creates no file");
}

#[test]
fn the_verbose_version_says_which_files_and_which_user() {
    let folder = empty_folder();
    std::fs::write(folder.path().join("config.toml"), "[database]\npath = \"site.db\"\n").unwrap();
    let line = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {text}"));
        line[name.len()..].trim().to_owned()
    };
    let path = |name: &str| folder.path().canonicalize().unwrap().join(name).display().to_string();
    let text = succeed(folder.path(), &["--version", "--verbose"]);
    assert_eq!(line(&text, "configuration"), path("config.toml"));
    assert_eq!(line(&text, "database"), format!("{} (does not exist yet)", path("site.db")));
    assert_eq!(line(&text, "user"), crate::platform::system_user::current_name());
    let checked = run(folder.path(), &["check"]).out;
    for found in [path("config.toml"), path("site.db")] {
        assert!(checked.contains(&found), "{checked}");
    }

    let other = succeed(folder.path(), &["-V", "--verbose", "--database", "/nowhere/other.db"]);
    assert_eq!(line(&other, "database"), "/nowhere/other.db (does not exist yet)");
    std::fs::write(folder.path().join("config.toml"), "broken").unwrap();
    let broken = succeed(folder.path(), &["--version", "--verbose"]);
    assert!(line(&broken, "database").contains("config.toml, line 1: "), "{broken}");
    assert!(run(folder.path(), &["--verbose"]).sentence(2).contains("--version"));
}

#[test]
fn the_help_of_every_command_describes_it_and_each_option() {
    let folder = empty_folder();
    let words = [
        (
            "setup",
            &["--domain <DOMAIN>", "--behind-proxy", "--name <NAME>", "--timezone <ZONE>", "--yes", "--force"][..],
        ),
        ("serve", &["--listen <ADDR>", "--demo", "LECTERN_LISTEN", "pending migrations", "SIGTERM"]),
        ("migrate", &["--status", "backed up in the same folder"]),
        ("create-admin", &["--email <EMAIL>", "--password-stdin", "--reset-password", "without showing it"]),
        ("users", &["--json", "number of its sessions"]),
        ("remove-admin", &["<EMAIL>", "The last account can't be deleted"]),
        ("sync-brandlive", &["--dry-run", "--probe", "--json", "75 when another sync is running"]),
        ("backup", &["[DEST]", "never overwritten", "backup.keep"]),
        ("restore", &["[FILE]", "--list", "under a name that is printed", "Fails while a server"]),
        ("check", &["--json", "what to do", "Exits with 0"]),
        ("healthcheck", &["--url <URL>", "/healthz", "Exits with 0"]),
        ("log", &["--event <ID>", "--since <yyyy-MM-dd>", "--limit <N>", "--json", "newest last", "UTC"]),
        ("completions", &["<KIND>", "zsh", "man"]),
        ("licenses", &["third-party software", "copyright lines"]),
    ];
    for (name, words) in words {
        let help = succeed(folder.path(), &[name, "--help"]);
        // Wherever its lines are wrapped.
        let text = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words.iter().chain(&["--config <FILE>", "--database <FILE>", "LECTERN_DATABASE", "LECTERN_CONFIG"])
        {
            assert!(text.contains(word), "{name} --help does not say {word}: {help}");
        }
        let sections: &[&str] = if ["completions", "licenses"].contains(&name) {
            &["Exit codes:"]
        } else {
            &["Environment:", "Files:", "Exit codes:"]
        };
        for section in sections.iter().chain(&["\n  0\n", "\n  2\n"]) {
            assert!(help.contains(section), "{name} --help has no {section}: {help}");
        }
        // The description of an option is below it.
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[0].trim_start().starts_with("--")) {
            assert!(pair[1].starts_with("          "), "{name}: an option without a description: {}", pair[0]);
        }
    }
}

#[test]
fn a_command_alone_shows_the_help_on_stderr() {
    let ran = run(empty_folder().path(), &[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("lectern serve --demo"), "{}", ran.err);
}

#[test]
fn every_usage_error_is_one_sentence_with_a_hint() {
    let folder = empty_folder();
    let cases: [(&[&str], &str); 17] = [
        (&["frob"], "unrecognized subcommand 'frob'; see 'lectern --help'."),
        (&["backu"], "a similar subcommand exists: 'backup'"),
        (&["--frob", "serve"], "unexpected argument '--frob'"),
        (&["serve", "--frob"], "unexpected argument '--frob' found; see 'lectern serve --help'."),
        (&["serve", "extra"], "unexpected argument 'extra'"),
        (&["serve", "--listen"], "a value is required for '--listen <ADDR>'"),
        (&["serve", "--listen", "localhost"], "use an IP address and a port, such as 127.0.0.1:8080"),
        (&["serve", "--listen", "127.0.0.1"], "use an IP address and a port"),
        (&["serve", "--listen", "127.0.0.1:65536"], "use an IP address and a port"),
        (&["serve", "--listen", ""], "use an IP address and a port"),
        (&["migrate", "--listen", "127.0.0.1:0"], "unexpected argument '--listen'"),
        (&["migrate", "--status", "--status"], "'--status' cannot be used multiple times"),
        (&["create-admin"], "--email <EMAIL>"),
        (&["backup"], "name a file or a folder, or set dir under [backup]; see 'lectern backup --help'."),
        (&["backup", "one", "two"], "unexpected argument 'two'"),
        (&["completions", "nosh"], "possible values: bash, elvish, fish, powershell, zsh, man"),
        (&["--database"], "a value is required for '--database <FILE>'"),
    ];
    for (arguments, words) in cases {
        let message = run(folder.path(), arguments).sentence(2);
        assert!(message.contains(words) && message.contains("see 'lectern"), "{arguments:?}: {message}");
    }
    assert!(everything_in(folder.path()).is_empty(), "a usage error creates no file");
}

#[test]
fn invalid_settings_stop_every_command() {
    let folder = empty_folder();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    std::fs::write(folder.path().join("bytes.toml"), b"\xff\xfe").unwrap();
    std::fs::write(folder.path().join("wrong.toml"), "[server]\nlisen = \"127.0.0.1:1\"\n").unwrap();
    let before = everything_in(folder.path());
    let cases = [
        ("none.toml", "The configuration none.toml can't be read: there is no such file."),
        ("folder", "The configuration folder can't be read: it is a folder."),
        ("bytes.toml", "The configuration bytes.toml can't be read: it is not a text file (UTF-8)."),
        (
            "wrong.toml",
            "wrong.toml, line 2: server.lisen: unknown setting; expected `listen`, `base_url`, `trusted_proxies`.",
        ),
    ];
    for (file, words) in cases {
        for command in [&["serve"][..], &["migrate"], &["backup", "copy.db"], &["create-admin", "--email", "a@b.co"]] {
            let arguments = [&["--config", file], command].concat();
            assert_eq!(run(folder.path(), &arguments).sentence(2), words);
        }
        let mut by_variable = command(folder.path(), &["migrate"]);
        by_variable.env("LECTERN_CONFIG", file);
        assert_eq!(finish(by_variable, "").sentence(2), words);
    }
    std::fs::rename(folder.path().join("wrong.toml"), folder.path().join("config.toml")).unwrap();
    let message = run(folder.path(), &["migrate"]).sentence(2);
    assert!(message.starts_with("config.toml, line 2: "), "the file that is read without being named: {message}");
    assert_eq!(everything_in(folder.path()).len(), before.len());
}

#[test]
fn flags_are_accepted_before_and_after_the_command_and_override_the_environment_and_the_file() {
    let folder = empty_folder();
    std::fs::write(folder.path().join("site.toml"), "[database]\npath = \"file.db\"\n").unwrap();
    let names = |folder: &std::path::Path| everything_in(folder).into_keys().collect::<Vec<_>>();

    succeed(folder.path(), &["migrate"]);
    succeed(folder.path(), &["--database", "before.db", "migrate"]);
    succeed(folder.path(), &["migrate", "--database=after.db", "--config", "site.toml"]);
    succeed(folder.path(), &["migrate", "--config", "site.toml"]);
    assert_eq!(names(folder.path()), ["after.db", "before.db", "file.db", "lectern.db", "site.toml"]);

    let mut by_variable = command(folder.path(), &["migrate", "--config", "site.toml"]);
    by_variable.env("LECTERN_DATABASE", "variable.db");
    finish(by_variable, "").succeeded();
    let mut by_flag = command(folder.path(), &["migrate", "--database", "flag.db"]);
    by_flag.env("LECTERN_DATABASE", "not-this.db").env("LECTERN_CONFIG", "site.toml");
    finish(by_flag, "").succeeded();
    let names = names(folder.path());
    assert!(names.contains(&"variable.db".to_owned()) && names.contains(&"flag.db".to_owned()), "{names:?}");
    assert!(!names.contains(&"not-this.db".to_owned()), "{names:?}");
}

#[test]
fn a_blank_variable_counts_as_unset() {
    let folder = folder_with_admin();
    let mut blank = command(folder.path(), &["migrate", "--status"]);
    for name in ["CONFIG", "DATABASE", "LISTEN", "BASE_URL", "BRANDLIVE_API_KEY", "PLACES_SERVER_KEY"] {
        blank.env(format!("LECTERN_{name}"), "");
    }
    assert!(finish(blank, "").succeeded().contains("V1"));
    let mut blank = command(folder.path(), &["serve", "--listen", "192.0.2.1:0"]);
    blank.env("LECTERN_LISTEN", " ").env("LECTERN_DATABASE", "");
    let message = finish(blank, "").sentence(1);
    assert_eq!(
        message,
        "Can't listen on 192.0.2.1:0: this machine does not have that address; choose another with --listen."
    );
}

#[test]
fn a_bad_variable_is_named() {
    let mut wrong = command(empty_folder().path(), &["migrate"]);
    wrong.current_dir("/").env("LECTERN_BASE_URL", "events.example.com").env("LECTERN_DATABASE", "/nowhere/x.db");
    assert!(finish(wrong, "").sentence(2).starts_with("LECTERN_BASE_URL: "));
    let mut not_text = command(empty_folder().path(), &["check"]);
    not_text.current_dir("/").env("LECTERN_BACKUP__DIR", OsStr::from_bytes(b"/var/\xff"));
    let message = finish(not_text, "").sentence(2);
    assert_eq!(message, "The variable LECTERN_BACKUP__DIR is not valid UTF-8; correct it or unset it.");
}

#[test]
fn a_sync_that_is_not_configured_exits_with_2() {
    for flags in [&[][..], &["--dry-run"], &["--probe"]] {
        let folder = empty_folder();
        let message = run(folder.path(), &[&["sync-brandlive"], flags].concat()).sentence(2);
        assert!(message.contains("Brandlive is not configured"), "{message}");
        assert!(everything_in(folder.path()).is_empty());
    }
}

#[test]
fn completions_and_the_man_page_contain_every_command() {
    let folder = empty_folder();
    // Packagers run these without a configuration, or with an invalid one.
    std::fs::write(folder.path().join("config.toml"), "broken").unwrap();
    for kind in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = succeed(folder.path(), &["completions", kind]);
        for name in COMMANDS {
            assert!(text.contains(name), "{kind} does not know {name}");
        }
    }
    for name in COMMANDS {
        let page = succeed(folder.path(), &["completions", "man", name]);
        for part in [&format!(".TH lectern-{name} 1"), ".SH SYNOPSIS", ".SH \"EXIT STATUS\"", "\\-\\-database"] {
            assert!(page.contains(part), "{name}: {part}: {page}");
        }
    }
    let message = run(folder.path(), &["completions", "man", "nothing"]).sentence(1);
    assert_eq!(message, "There is no command nothing; 'lectern --help' lists them.");
    let page = succeed(folder.path(), &["completions", "man"]);
    assert!(page.contains(".TH lectern 1") && page.contains("SUBCOMMANDS"), "{page}");
}

#[test]
fn commands_end_quietly_if_nothing_reads_their_output() {
    let folder = empty_folder();
    for (arguments, code) in [
        (&["--help"][..], 0),
        (&["completions", "bash"], 0),
        (&["completions", "man"], 0),
        // There is no database.
        (&["check"], 1),
        (&["migrate"], 0),
        (&["check"], 0),
        (&["users"], 0),
        (&["log"], 0),
        (&["backup", "copy.db"], 0),
        (&["restore", "--list"], 0),
        (&["licenses"], 0),
        (&["--version", "--verbose"], 0),
    ] {
        let mut child =
            command(folder.path(), arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!((ended.status.code(), err.as_str()), (Some(code), ""), "{arguments:?}");
    }
}
