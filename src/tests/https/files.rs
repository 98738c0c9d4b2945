//! Certificates in files of the operator.

use std::fs;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use rcgen::{CertificateParams, KeyPair};
use rustix::process::Signal;
use tempfile::TempDir;

use super::{DOMAIN, current, folder, get, health, problems, start, wait_for_problem};
use crate::tests::support::program::{Server, command, finish, run, succeed};
use crate::tests::support::tls_client::{self, Trust, certificate};

const SETTINGS: &str = "[https]\ndomains = [\"events.example.com\"]\nlisten = \"127.0.0.1:0\"\n\
                        redirect_listen = \"127.0.0.1:0\"\ncertificate = \"site.pem\"\nkey = \"site.key\"\n";

/// A self-signed certificate from now for this many days, and its key.
fn pair(domain: &str, days: i64) -> (String, String) {
    let mut certificate = CertificateParams::new(vec![domain.to_owned()]).unwrap();
    let instant = |at: DateTime<Utc>| time::OffsetDateTime::from_unix_timestamp(at.timestamp()).unwrap();
    let now = Utc::now();
    let (begin, end) = if days > 0 { (0, days) } else { (days - 90, days) };
    certificate.not_before = instant(now + TimeDelta::days(begin));
    certificate.not_after = instant(now + TimeDelta::days(end));
    let key = KeyPair::generate().unwrap();
    (certificate.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

fn write(folder: &Path, (certificate, key): &(String, String)) {
    fs::write(folder.join("site.pem"), certificate).unwrap();
    fs::write(folder.join("site.key"), key).unwrap();
}

fn folder_with(pair: &(String, String)) -> TempDir {
    let folder = folder("");
    fs::write(folder.path().join("config.toml"), SETTINGS).unwrap();
    write(folder.path(), pair);
    folder
}

#[test]
fn the_site_is_served_with_the_certificate_of_the_files() {
    let folder = folder_with(&pair(DOMAIN, 90));
    let server = start(folder.path());
    assert_eq!(server.startup_lines, ["Lectern is listening on https://events.example.com"]);
    let page = get(&server, "/");
    assert_eq!((page.status, page.header("strict-transport-security")), (200, "max-age=31536000"));
    assert!(page.text().contains("https://events.example.com"), "links have the domain");
    let health = health(&server);
    assert_eq!(health["status"], "ok", "{health}");
    let end = DateTime::parse_from_rfc3339(health["certificateExpiresAt"].as_str().unwrap()).unwrap().to_utc();
    assert!((end - Utc::now() - TimeDelta::days(90)).abs() < TimeDelta::hours(1), "{end}");
    let check = run(folder.path(), &["check"]).out;
    assert!(check.contains("ok       https         the certificate is valid until 20"), "{check}");
    // The program checks itself, whatever the name in the certificate is.
    let port = format!("listen = \"[::]:{}\"", server.address.port());
    fs::write(folder.path().join("config.toml"), SETTINGS.replacen("listen = \"127.0.0.1:0\"", &port, 1)).unwrap();
    assert_eq!(succeed(folder.path(), &["healthcheck"]), "ok\n");
    server.stop();
}

#[test]
fn changed_files_are_used_from_the_next_connection_on() {
    let folder = folder_with(&pair(DOMAIN, 90));
    let server = start(folder.path());
    let mut open = tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap();
    let first = certificate(&open);
    write(folder.path(), &pair(DOMAIN, 60));
    let second = server.wait_for("the other certificate", || Some(current(&server)).filter(|now| *now != first));
    // SIGHUP does not wait for the next check of the files.
    write(folder.path(), &pair(DOMAIN, 50));
    server.signal(Signal::HUP);
    server.wait_for("the third certificate", || (current(&server) != second).then_some(()));
    let response = tls_client::request(&mut open, "GET /api/events", DOMAIN, "");
    // It may be idle for longer than the server waits; but then it was not closed because of the certificate.
    if let Ok(response) = response {
        assert_eq!(response.status, 200);
    }
    server.stop();
}

#[test]
fn an_open_connection_outlives_the_certificate() {
    let folder = folder_with(&pair(DOMAIN, 90));
    let server = start(folder.path());
    let mut open = tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap();
    let first = certificate(&open);
    write(folder.path(), &pair(DOMAIN, 60));
    server.signal(Signal::HUP);
    server.wait_for("the other certificate", || {
        // It is used meanwhile, so that it is not idle.
        assert_eq!(tls_client::request(&mut open, "GET /api/events", DOMAIN, "").unwrap().status, 200);
        (current(&server) != first).then_some(())
    });
    assert_eq!(tls_client::request(&mut open, "GET /api/events", DOMAIN, "").unwrap().status, 200);
    assert_eq!(certificate(&open), first);
    server.stop();
}

#[test]
fn files_that_cannot_be_used_are_reported_and_change_nothing() {
    let good = &pair(DOMAIN, 90);
    let other = pair("other.example.com", 90);
    // Side by side, because the server uses changed files when two checks in a row have found the same content.
    std::thread::scope(|scope| {
        for (pair, words) in [
            (
                ("no certificate".to_owned(), good.1.clone()),
                "https.certificate contains no certificate in the PEM format",
            ),
            ((good.0.clone(), "no key".to_owned()), "https.key has no private key in the PEM format"),
            ((good.0.clone(), other.1.clone()), "https.certificate does not belong to the private key"),
            (other, "https.certificate is not valid for events.example.com"),
        ] {
            scope.spawn(move || {
                let folder = folder_with(good);
                let server = start(folder.path());
                let before = current(&server);
                write(folder.path(), &pair);
                let text = wait_for_problem(&server, words);
                assert!(text.contains("; the previous certificate stays in use, which is valid until 20"), "{text}");
                assert!(current(&server) == before);
                server.stop();
            });
        }
    });
}

#[test]
fn a_missing_file_is_reported_until_there_is_a_certificate_again() {
    let folder = folder_with(&pair(DOMAIN, 90));
    let server = start(folder.path());
    let before = current(&server);
    fs::remove_file(folder.path().join("site.pem")).unwrap();
    let text = wait_for_problem(&server, "https.certificate can't be read: there is no such file");
    assert!(text.contains("; the previous certificate stays in use, which is valid until 20"), "{text}");
    assert!(current(&server) == before);
    assert!(server.log().contains("the changed certificate can't be used; the previous one stays in use"));
    assert!(server.log().contains(&folder.path().join("site.pem").display().to_string()), "{}", server.log());
    assert!(!problems(&server).contains("site.pem"), "the path is not public");
    write(folder.path(), &pair(DOMAIN, 5));
    server.wait_for("the end of the problem", || (!problems(&server).contains("can't be read")).then_some(()));
    assert!(current(&server) != before);
    server.stop();

    fs::remove_file(folder.path().join("site.key")).unwrap();
    let text = run(folder.path(), &["serve"]).sentence(1);
    let named = format!("https.key: {} can't be read: there is no such file", folder.path().join("site.key").display());
    assert!(text.contains(&format!("{named}; correct the files")), "{text}");
    let check = run(folder.path(), &["check"]).out;
    assert!(check.contains(&format!("PROBLEM  https         {named}")), "{check}");
}

#[test]
fn a_certificate_that_ends_is_reported() {
    let folder = folder_with(&pair(DOMAIN, -1));
    let server = start(folder.path());
    let text = wait_for_problem(&server, "The certificate expired on 20");
    assert!(text.contains("and browsers reject it; replace the files https.certificate and https.key"), "{text}");
    write(folder.path(), &pair(DOMAIN, -2));
    let log = || server.log().lines().any(|line| line.contains("WARN") && line.contains("browsers reject it; replace"));
    server.wait_for("a warning about the files that were exchanged", || log().then_some(()));
    fs::rename(folder.path().join("site.key"), folder.path().join("kept.key")).unwrap();
    wait_for_problem(&server, "the previous certificate stays in use. The certificate expired on 20");
    fs::rename(folder.path().join("kept.key"), folder.path().join("site.key")).unwrap();
    server.stop();
    let check = run(folder.path(), &["check"]);
    assert_eq!(check.code, Some(1));
    assert!(check.out.contains("PROBLEM  https         The certificate expired on 20"), "{check:?}");
}

#[test]
fn an_address_for_plain_http_is_reported_unless_it_is_that_of_the_container_image() {
    let folder = folder_with(&pair(DOMAIN, 90));
    let findings = |address| {
        let mut check = command(folder.path(), &["check"]);
        check.env("LECTERN_SERVER__LISTEN", address);
        finish(check, "").out
    };
    let report = "server.listen does nothing with [https], which has its own listen; remove it";
    assert!(findings("127.0.0.1:9000").contains(report));
    assert!(!findings("0.0.0.0:8080").contains(report));
    let mut serve = command(folder.path(), &["serve"]);
    serve.env("LECTERN_LISTEN", "127.0.0.1:9000");
    let server = Server::spawn(serve);
    server.wait_for("the report", || server.log().contains(report).then_some(()));
    server.stop();
}
