//! `lectern check`, and the same checks in `lectern serve`

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{connect, empty_folder, everything_in, folder_with_admin};
use crate::platform::clock::timestamp;
use crate::tests::support::program::{CommandResult, EMAIL, PASSWORD, Server, command, finish, run, succeed};
use crate::tests::support::{query_one, speaker};

/// The lines of the problems, without their status.
fn problems(ran: &CommandResult) -> Vec<String> {
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    ran.out.lines().filter_map(|line| line.strip_prefix("PROBLEM  ")).map(str::to_owned).collect()
}

fn with_settings(folder: &Path, settings: &str) {
    fs::write(folder.join("config.toml"), settings).unwrap();
}

#[test]
fn an_installation_without_problems_passes_and_nothing_is_changed() {
    let folder = folder_with_admin();
    succeed(folder.path(), &["backup", "copy.db"]);
    let before = everything_in(folder.path());
    let out = succeed(folder.path(), &["check"]);
    for words in ["ok       integrity", "ok       schema", "0 events, 0 speakers, 1 user", "MiB of disk space is free"]
    {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(out.contains("note     backups") && !out.contains("PROBLEM"), "{out}");
    let server = Server::start(folder.path(), &[]);
    assert!(!succeed(folder.path(), &["check"]).contains("PROBLEM"));
    server.stop();
    let json: Value = serde_json::from_str(&succeed(folder.path(), &["check", "--json"])).unwrap();
    assert_eq!(json["ok"], json!(true));
    let integrity = json!({ "topic": "integrity", "status": "ok", "text": "no page is damaged" });
    assert!(json["findings"].as_array().unwrap().contains(&integrity), "{json}");
    let mut after = everything_in(folder.path());
    after.remove("lectern.db.lock");
    assert!(after == before);
    // A backup is checked in the same way.
    succeed(folder.path(), &["check", "--database", "copy.db"]);
}

#[test]
fn each_problem_of_the_database_is_one_line_with_what_to_do() {
    let folder = empty_folder();
    let missing = problems(&run(folder.path(), &["check"]));
    assert_eq!(missing.len(), 1);
    assert!(missing[0].contains("no database at lectern.db; name one with --database"), "{missing:?}");
    // There is nothing to back up.
    with_settings(folder.path(), "[backup]\ndir = \"none\"\n");
    assert_eq!(problems(&run(folder.path(), &["check"])), missing);

    fs::create_dir(folder.path().join("folder")).unwrap();
    let found = problems(&run(folder.path(), &["check", "--database", "folder"]));
    assert!(found.iter().all(|line| !line.contains("chmod")), "the permissions of a folder do not matter: {found:?}");

    let folder = folder_with_admin();
    let path = folder.path().join("lectern.db");
    let connection = connect(&path);
    connection
        .execute_batch(
            "PRAGMA foreign_keys = OFF;
             INSERT INTO speakers (name, title, image_url) VALUES ('A', 'B', 'http://example.com/a.jpg');
             INSERT INTO user_event_interests (event_id, user_id) VALUES (77, 'user_1_a');
             DELETE FROM refinery_schema_history WHERE version = (SELECT max(version) FROM refinery_schema_history);
             DELETE FROM users;",
        )
        .unwrap();
    drop(connection);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let ran = run(folder.path(), &["check"]);
    let found = problems(&ran);
    for (line, words) in found.iter().zip([
        "other users can read lectern.db (0644); run: chmod 600 lectern.db",
        "1 migrations are pending; run 'lectern migrate'",
        "2 rows refer to rows that do not exist; restore a backup",
        "http://example.com/a.jpg: browsers do not show it",
    ]) {
        assert!(line.contains(words), "{words}: {line}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(ran.out.contains("there is no account; run: lectern create-admin"), "{}", ran.out);

    let folder = folder_with_admin();
    let connection = connect(&folder.path().join("lectern.db"));
    // A table that the command does not read.
    let page: u32 = query_one(&connection, "SELECT rootpage FROM sqlite_schema WHERE name = 'idempotency_keys'");
    let size: u32 = query_one(&connection, "PRAGMA page_size");
    drop(connection);
    let page = ((page - 1) * size) as usize..(page * size) as usize;
    let mut bytes = fs::read(folder.path().join("lectern.db")).unwrap();
    bytes[page].fill(0xa5);
    fs::write(folder.path().join("lectern.db"), bytes).unwrap();
    let found = problems(&run(folder.path(), &["check"]));
    assert!(found.iter().any(|line| line.starts_with("integrity") && line.contains("restore a backup")), "{found:?}");
}

#[test]
fn an_empty_file_in_place_of_the_database_is_one_problem_and_is_not_backed_up() {
    let folder = empty_folder();
    fs::write(folder.path().join("lectern.db"), "").unwrap();
    let found = problems(&run(folder.path(), &["check"]));
    let about_content: Vec<_> = found.iter().filter(|line| !line.starts_with("permissions")).collect();
    assert_eq!(about_content.len(), 1, "{found:?}");
    assert!(about_content[0].contains("lectern.db is an empty file; put the database back"), "{found:?}");

    let message = run(folder.path(), &["backup", "copy.db"]).sentence(1);
    assert!(message.contains("lectern.db is an empty file; put the database back"), "{message}");
    assert_eq!(fs::read(folder.path().join("lectern.db")).unwrap(), b"");
    assert!(!folder.path().join("copy.db").exists());
}

#[test]
fn the_permissions_of_a_configuration_file_matter_if_it_contains_a_key() {
    let folder = folder_with_admin();
    let check = |settings: &str| {
        with_settings(folder.path(), settings);
        fs::set_permissions(folder.path().join("config.toml"), fs::Permissions::from_mode(0o644)).unwrap();
        let mut command = command(folder.path(), &["check"]);
        command.env("LECTERN_PLACES_SERVER_KEY", "abcdefgh");
        finish(command, "").out
    };
    let words = "other users can read config.toml (0644) and the keys in it";
    assert!(!check("").contains(words));
    assert!(check("[places]\nserver_key = \"abcdefgh\"\n").contains(words));
}

#[test]
fn backups_that_do_not_count_are_named() {
    let folder = folder_with_admin();
    with_settings(folder.path(), "[backup]\ndir = \"backups\"\n");
    succeed(folder.path(), &["backup"]);
    assert!(!run(folder.path(), &["check"]).out.contains("future"));
    fs::write(folder.path().join("backups/lectern-2099-01-05T134612Z.db"), "").unwrap();
    let out = succeed(folder.path(), &["check"]);
    assert!(out.contains("note     backups       1 backup has a time in the future: backups/lectern-2099-"), "{out}");

    with_settings(folder.path(), "[backup]\ndir = \"config.toml\"\n");
    let found = problems(&run(folder.path(), &["check"]));
    assert!(
        found.iter().any(|line| line.contains("config.toml is not a folder; change dir under [backup]")),
        "{found:?}"
    );
}

#[test]
fn settings_without_the_intended_effect_are_reported() {
    for (settings, words) in [
        ("[server]\ntrusted_proxies = [\"127.0.0.1\"]\n", "server.base_url is blank behind a proxy"),
        ("[server]\nbase_url = \"https://events.example.com\"\n", "set server.trusted_proxies = [\"127.0.0.1\"]"),
        (
            "[server]\nbase_url = \"https://events.example.com\"\ntrusted_proxies = [\"127.0.0.1\", \"::/0\"]\n",
            "server.trusted_proxies contains ::/0, which is every address",
        ),
        ("[subscribe]\ncontainer_id = \"form\"\n", "[subscribe] do nothing without script_url"),
        ("[backup.keep]\ndaily = 3\n", "[backup] do nothing without dir"),
        ("[limits]\nsign_in_burst = 0\nsign_in_per_minute = 3\n", "sign_in_per_minute does nothing"),
        ("[brandlive]\nlist_path = \"/v2/events\"\n", "[brandlive] do nothing without api_key"),
        ("[backup]\ndir = \"none\"\n", "no backup in none; run: lectern backup"),
    ] {
        let folder = folder_with_admin();
        with_settings(folder.path(), settings);
        fs::set_permissions(folder.path().join("config.toml"), fs::Permissions::from_mode(0o600)).unwrap();
        let found = problems(&run(folder.path(), &["check"]));
        assert!(found.len() == 1 && found[0].contains(words), "{words}: {found:?}");
    }
    let folder = folder_with_admin();
    // A proxy is needed for another address only.
    for (listen, base_url, is_behind_proxy) in [
        ("127.0.0.1:8081", "http://127.0.0.1:8081", false),
        ("127.0.0.1:8081", "http://localhost:8081", false),
        ("[::1]:8081", "http://[::1]:8081", false),
        ("127.0.0.1:80", "http://localhost", false),
        ("127.0.0.1:8081", "http://127.0.0.1", true),
        ("127.0.0.1:8081", "https://localhost:8081", true),
        ("127.0.0.1:8081", "http://events.example.com:8081", true),
    ] {
        with_settings(folder.path(), &format!("[server]\nlisten = \"{listen}\"\nbase_url = \"{base_url}\"\n"));
        let out = run(folder.path(), &["check"]).out;
        assert_eq!(out.contains(&format!("the proxy for {base_url} is not trusted")), is_behind_proxy, "{out}");
    }
    with_settings(folder.path(), "");
    let mut misspelled = command(folder.path(), &["check"]);
    misspelled.env("LECTERN_LISTENS", "127.0.0.1:1").env("LECTERN_LISTEN", "127.0.0.1:1");
    let found = problems(&finish(misspelled, ""));
    assert!(found.len() == 1 && found[0].contains("LECTERN_LISTENS does nothing"), "{found:?}");
    with_settings(folder.path(), "[places]\nserver_key = \"k\"\n");
    fs::set_permissions(folder.path().join("config.toml"), fs::Permissions::from_mode(0o644)).unwrap();
    let found = problems(&run(folder.path(), &["check"]));
    assert!(found.len() == 1 && found[0].contains("other users can read config.toml"), "{found:?}");
}

#[test]
fn a_sync_that_an_admin_has_to_look_at_or_that_runs_no_longer_is_reported() {
    let folder = folder_with_admin();
    with_settings(folder.path(), "[brandlive]\napi_key = \"k\"\napi_secret = \"s\"\n");
    fs::set_permissions(folder.path().join("config.toml"), fs::Permissions::from_mode(0o600)).unwrap();
    let checked = || run(folder.path(), &["check"]);
    assert!(checked().out.contains("no sync has ended yet; run: lectern sync-brandlive"), "{}", checked().out);
    let now = chrono::Utc::now();
    for (days, message, code, line) in [
        (0, "1 created, 0 updated, 3 unchanged", 0, "ok       sync          the last one that ended is from 20"),
        (
            0,
            "0 created, 0 updated, 3 unchanged, 2 failed",
            1,
            "PROBLEM  sync          the last one that ended is from 20",
        ),
        (
            0,
            "0 created, 0 updated, 3 unchanged, 5 to be confirmed before they are hidden",
            1,
            "confirmed before they are hidden; press 'Sync Brandlive Events' in the portal",
        ),
        (4, "0 created, 0 updated, 3 unchanged", 1, "3 unchanged; later ones failed or did not run, see the log"),
    ] {
        let ended_at = timestamp(now - chrono::TimeDelta::days(days));
        let storage = connect(&folder.path().join("lectern.db"));
        let insert = "INSERT INTO sync_runs (started_at, finished_at, message) VALUES (?1, ?1, ?2)";
        storage.execute(insert, [ended_at.as_str(), message]).unwrap();
        drop(storage);
        let ran = checked();
        assert!(ran.out.contains(line) && ran.code == Some(code), "{line}: {}", ran.out);
    }
}

#[test]
fn settings_with_which_the_server_does_not_start_are_reported() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let fastly = "cache.purge.fastly.service_id is set without cache.purge.fastly.token; set the token";
    let s3 = "[backup]\ndir = \"b\"\n[backup.s3]\nendpoint = \"http://127.0.0.1:1\"\n";
    for (settings, line, words) in [
        ("[cache.purge.fastly]\nservice_id = \"abc\"\n".to_owned(), Some(2), fastly),
        (
            "[cache.purge]\n\ncloudflare = { zone_id = \"abc\" }\n".to_owned(),
            Some(3),
            "cache.purge.cloudflare.zone_id is set without cache.purge.cloudflare.token",
        ),
        (format!("{s3}bucket = \"copies\"\n"), Some(5), "backup.s3.bucket is set without backup.s3.access_key"),
        (format!("[server]\nlisten = \"192.0.2.1:{unused}\"\n"), None, "this machine does not have that address"),
        (format!("[metrics]\nlisten = \"192.0.2.1:{unused}\"\n"), None, "this machine does not have that address"),
        (
            format!("[server]\nlisten = \"127.0.0.1:{unused}\"\n[metrics]\nlisten = \"0.0.0.0:{unused}\"\n"),
            None,
            "where the site listens; use another port",
        ),
    ] {
        let folder = folder_with_admin();
        with_settings(folder.path(), &settings);
        fs::set_permissions(folder.path().join("config.toml"), fs::Permissions::from_mode(0o600)).unwrap();
        let found = problems(&run(folder.path(), &["check"]));
        let line = line.map_or_else(String::new, |line| format!("config.toml, line {line}: "));
        let is_named = |text: &String| text.contains(words) && text.contains(&line);
        assert!(found.iter().any(is_named), "{words}: {found:?}");
        assert!(!run(folder.path(), &["check"]).out.contains("no setting contradicts another"), "{words}");
        let started = run(folder.path(), &["serve"]);
        let sentence = started.sentence(if line.is_empty() { 1 } else { 2 });
        assert!(line.is_empty() || is_named(&sentence), "{sentence}");
    }
    // Other commands need no token, and the environment of the server may have it.
    let folder = folder_with_admin();
    with_settings(folder.path(), "[cache.purge.fastly]\nservice_id = \"abc\"\n");
    fs::set_permissions(folder.path().join("config.toml"), fs::Permissions::from_mode(0o600)).unwrap();
    succeed(folder.path(), &["users"]);
    let mut with_token = command(folder.path(), &["check"]);
    with_token.env("LECTERN_CACHE__PURGE__FASTLY__TOKEN", "hush");
    finish(with_token, "").succeeded();
    let mut by_variable = command(folder.path(), &["check"]);
    by_variable.env("LECTERN_CACHE__PURGE__FASTLY__SERVICE_ID", "def");
    let found = problems(&finish(by_variable, ""));
    assert!(found.len() == 1, "{found:?}");
    assert!(found[0].contains(&format!("LECTERN_CACHE__PURGE__FASTLY__SERVICE_ID: {fastly}")), "{found:?}");
    assert!(
        found[0].contains("'lectern serve' does not start otherwise; if only its environment has the"),
        "{found:?}"
    );
}

#[test]
fn the_script_of_the_newsletter_form_is_loaded() {
    let folder = folder_with_admin();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/form.js", listener.local_addr().unwrap());
    with_settings(folder.path(), &format!("[subscribe]\nscript_url = \"{url}\"\n"));
    let provider = std::thread::spawn(move || {
        for status in ["200 OK", "404 Not Found"] {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let response = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            stream.write_all(response.as_bytes()).unwrap();
        }
    });
    assert!(succeed(folder.path(), &["check"]).contains(&format!("the script of the newsletter form is at {url}")));
    let found = problems(&run(folder.path(), &["check"]));
    assert!(found[0].contains("can't be loaded (status 404)"), "{found:?}");
    provider.join().unwrap();
    let found = problems(&run(folder.path(), &["check"]));
    assert!(found[0].contains("can't be loaded (") && found[0].contains("correct subscribe.script_url"), "{found:?}");
}

#[test]
fn the_server_logs_problems_at_the_start_and_finds_damage_that_no_request_reads() {
    let folder = folder_with_admin();
    let path = folder.path().join("lectern.db");
    connect(&path)
        .execute_batch("PRAGMA foreign_keys = OFF; INSERT INTO sessions VALUES (x'00', 77, '2030', '2030')")
        .unwrap();
    with_settings(folder.path(), "[server]\ntrusted_proxies = [\"127.0.0.1\"]\n");
    let server = Server::start(folder.path(), &[]);
    let deadline = Instant::now() + Duration::from_mins(1);
    while server.visitor().get("/healthz").json()["status"] != "degraded" {
        assert!(Instant::now() < deadline, "{}", server.log());
        std::thread::sleep(Duration::from_millis(100));
    }
    let health = server.visitor().get("/healthz");
    assert_eq!(health.status, 200);
    assert!(health.text().contains("rows that refer to rows that do not exist"), "{}", health.text());
    assert!(server.log().contains("server.base_url is blank behind a proxy"), "{}", server.log());
    server.stop();
}

#[test]
fn the_caches_that_are_purged_are_listed() {
    let folder = folder_with_admin();
    let out = |settings: &str| {
        with_settings(folder.path(), settings);
        run(folder.path(), &["check"]).out
    };
    assert!(!out("").contains(" cache "));
    let alone = out("[cache]\nseconds = 300\n");
    let expected = "note     cache         shared caches may store responses for 300 seconds, and no purge is configured; \
                    see [cache.purge]\n";
    assert!(alone.contains(expected), "{alone}");
    let urls = "urls = [\"http://127.0.0.1:1\", \"http://127.0.0.1:2\"]\n";
    let purged = out(&format!("[cache.purge.nginx]\nurls = [\"http://127.0.0.1:3\"]\n[cache.purge.varnish]\n{urls}"));
    for line in [
        "note     cache         shared caches may store responses for 60 seconds; purged after changes: Varnish (urls[0]), Varnish (urls[1]), nginx\n",
        "ok       cache         no change waits for a purge\n",
    ] {
        assert!(purged.contains(line), "{purged}");
    }
    let token = out("[cache.purge.fastly]\ntoken = \"hush\"\n");
    assert!(token.contains("the settings under [cache.purge.fastly] do nothing without service_id"), "{token}");
    assert!(!token.contains("hush"));
}

#[test]
fn a_cache_that_cannot_be_purged_is_named_with_the_changes_that_wait() {
    let folder = folder_with_admin();
    let working = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = working.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in working.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    // Nothing listens at port 1. The path of a hook can be its secret.
    with_settings(
        folder.path(),
        &format!(
            "[cache.purge.varnish]\nurls = [\"http://{address}\", \"http://127.0.0.1:1\"]\n\
             [cache.purge.url]\nurl = \"http://127.0.0.1:1/hooks/hush\"\n"
        ),
    );
    let found = || problems(&run(folder.path(), &["check"]));
    let server = Server::start(folder.path(), &[]);
    let health = server.wait_for("the failures", || {
        let health = server.visitor().get("/healthz").text();
        (health.contains("Varnish (urls[1])") && health.contains("cache.purge.url")).then_some(health)
    });
    let sentence = "Varnish (urls[1]) and cache.purge.url can't be purged: visitors see changes up to 120 seconds late; \
                    run 'lectern check' for the cause";
    assert!(health.contains(sentence) && !health.contains("127.0.0.1") && !health.contains("hush"), "{health}");
    let failing = server.wait_for("both are stored", || Some(found()).filter(|found| found.len() == 2));
    for (line, name) in failing.iter().zip(["Varnish (urls[1])", "cache.purge.url"]) {
        assert!(line.contains(&format!("{name} can't be reached (Connection refused); check that ")), "{failing:?}");
        assert!(line.contains(" runs and listens at http://127.0.0.1:1, and url"), "{failing:?}");
        assert!(line.contains("; everything that it stores waits for a purge; "), "{failing:?}");
        assert!(line.contains("; purges at http://127.0.0.1:1 have failed since 2"), "{failing:?}");
        assert!(!line.contains("hush"), "{failing:?}");
    }
    let log = server.log();
    assert!(log.contains("origin=\"http://127.0.0.1:1\"") && !log.contains("hush"), "{log}");

    server.visitor().sign_in(EMAIL, PASSWORD).post("/api/speakers", &speaker("Grace Obi")).created_id();
    server.stop();
    let waiting = found();
    assert!(
        waiting.len() == 3 && waiting[2].contains("1 key of changed content waits for a purge, the oldest since 2")
    );

    // Without a server that has failed, it is one that does not run.
    let database = connect(&folder.path().join("lectern.db"));
    database
        .execute_batch(
            "DELETE FROM cache_purge_failures;
             INSERT INTO changed_cache_keys VALUES ('events', 9, '2026-01-02T03:04:05Z');",
        )
        .unwrap();
    let text = "2 keys of changed content wait for a purge, the oldest since 2026-01-02 03:04 UTC; start the server";
    let waiting = found();
    assert!(waiting.len() == 1 && waiting[0].contains(text), "{waiting:?}");
}
