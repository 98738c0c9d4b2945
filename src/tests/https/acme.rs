//! Certificates by ACME from a fake authority, which connects back to the real program.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{DOMAIN, EMAIL, PASSWORD, current, folder, get, health, problems, start, wait_for_problem};
use crate::tests::support::fake_acme::{AcmeFault, FakeAcme};
use crate::tests::support::program::{Server, command, finish, run};
use crate::tests::support::raw_client::RawClient;
use crate::tests::support::tls_client::{self, Trust};

/// A server with a new certificate for its domain.
fn issued(fake: &FakeAcme, folder: &Path) -> Server {
    let server = start(folder);
    connect(fake, &server);
    wait_for_certificate(fake, &server, DOMAIN);
    server
}

/// A folder with the settings for an authority.
fn folder_for(fake: &FakeAcme, domains: &[&str], more: &str) -> tempfile::TempDir {
    let folder = folder("");
    configure(fake, folder.path(), domains, more);
    folder
}

fn configure(fake: &FakeAcme, folder: &Path, domains: &[&str], more: &str) {
    std::fs::write(folder.join("config.toml"), fake.settings(folder, domains, more)).unwrap();
}

fn connect(fake: &FakeAcme, server: &Server) {
    fake.connect_to(server.redirect.port(), server.address.port());
}

/// Waits until a client that trusts the authority accepts the certificate.
fn wait_for_certificate(fake: &FakeAcme, server: &Server, domain: &str) {
    let trust = Trust::Authority(fake.root());
    server.wait_for("the certificate", || tls_client::connect(server.address, domain, &trust, &[b"http/1.1"]).ok());
}

fn stored(folder: &Path) -> PathBuf {
    let authorities = std::fs::read_dir(folder.join("lectern.db.https")).unwrap();
    authorities.flatten().next().unwrap().path()
}

fn reload(server: &Server) {
    server.signal(Signal::HUP);
}

#[test]
fn a_new_server_gets_a_certificate_and_keeps_it() {
    let fake = FakeAcme::start();
    let folder = folder_for(&fake, &[DOMAIN, "www.example.com"], "");
    let server = start(folder.path());
    // Until then it has a temporary one, redirects and says why.
    let text = wait_for_problem(&server, "There is no certificate yet; it is being requested");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(health(&server).get("certificateExpiresAt").is_none());
    let redirected = RawClient::to(server.redirect).send("GET", "/", None).unwrap();
    assert_eq!(redirected.status, 421, "for its address there is no certificate");
    connect(&fake, &server);
    wait_for_certificate(&fake, &server, DOMAIN);
    wait_for_certificate(&fake, &server, "www.example.com");
    server.wait_for("the report", || problems(&server).is_empty().then_some(()));
    let end = health(&server)["certificateExpiresAt"].as_str().unwrap().to_owned();
    let end = DateTime::parse_from_rfc3339(&end).unwrap().to_utc();
    assert!((end - Utc::now() - TimeDelta::days(90)).abs() < TimeDelta::hours(1), "{end}");

    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let store = stored(folder.path());
    assert_eq!(mode(&store), 0o700);
    for file in ["account.json", "certificate.pem", "last-attempt.json"] {
        assert_eq!(mode(&store.join(file)), 0o600, "{file}");
    }
    assert!(std::fs::read_to_string(store.join("account.json")).unwrap().contains(EMAIL));
    assert!(!server.log().contains("PRIVATE"), "{}", server.log());
    let first = current(&server);
    server.stop();
    let server = start(folder.path());
    assert!(current(&server) == first, "the stored certificate is used at once");
    assert_eq!(fake.orders(), 1);
    server.stop();
    let check = run(folder.path(), &["check"]).out;
    assert!(check.contains("ok       https         the certificate is valid until 20"), "{check}");
    assert!(
        check.contains("PROBLEM  https         the DNS has no address for events.example.com; add an A"),
        "{check}"
    );
}

#[test]
fn the_configuration_that_setup_writes_serves_with_a_certificate() {
    let fake = FakeAcme::start();
    let folder = tempfile::tempdir().unwrap();
    let options = "setup --yes --config config.toml --name Harbor --timezone America/Denver --password-stdin";
    let options: Vec<&str> = options.split(' ').chain(["--email", EMAIL, "--domain", DOMAIN]).collect();
    finish(command(folder.path(), &options), PASSWORD).succeeded();
    let written = std::fs::read_to_string(folder.path().join("config.toml")).unwrap();

    // A test has neither the ports below 1024 nor the default authority.
    let mut serve = command(folder.path(), &["serve"]);
    serve.envs(fake.environment(folder.path()));
    let server = Server::spawn(serve);
    connect(&fake, &server);
    wait_for_certificate(&fake, &server, DOMAIN);
    assert_eq!(server.startup_lines, [format!("Lectern is listening on https://{DOMAIN}")]);
    assert!(get(&server, "/").text().contains("Harbor"));
    let body = json!({ "email": EMAIL, "password": PASSWORD }).to_string();
    let head =
        format!("Origin: https://{DOMAIN}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let mut connection = tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap();
    let signed_in = tls_client::request(&mut connection, "POST /api/auth/login", DOMAIN, &format!("{head}\r\n{body}"));
    assert_eq!(signed_in.unwrap().status, 200);
    server.stop();
    assert_eq!(std::fs::read_to_string(folder.path().join("config.toml")).unwrap(), written);
}

#[test]
fn the_other_challenge_is_used_if_port_80_is_closed() {
    let fake = FakeAcme::start();
    fake.block("http-01");
    let folder = folder_for(&fake, &[DOMAIN], "");
    let server = issued(&fake, folder.path());
    assert!(server.log().contains("can't connect to events.example.com on port 80"), "{}", server.log());
    assert_eq!(fake.orders(), 2);
    server.stop();
    // The next time it begins with the one that succeeded.
    std::fs::remove_file(stored(folder.path()).join("certificate.pem")).unwrap();
    let server = start(folder.path());
    connect(&fake, &server);
    wait_for_certificate(&fake, &server, DOMAIN);
    assert_eq!(fake.orders(), 3);
    server.stop();

    let fake = FakeAcme::start();
    let folder = folder_for(&fake, &[DOMAIN], "");
    let path = folder.path().join("config.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("redirect_listen = \"127.0.0.1:0\"", "redirect_listen = \"\"")).unwrap();
    let server = issued(&fake, folder.path());
    assert!(fake.requests().iter().all(|request| !request.ends_with("/http-01")), "{:?}", fake.requests());
    server.stop();
}

#[test]
fn the_certificate_is_renewed_when_the_authority_suggests_it() {
    let fake = FakeAcme::start();
    fake.suggest(TimeDelta::days(50), TimeDelta::days(52));
    let folder = folder_for(&fake, &[DOMAIN], "");
    let server = issued(&fake, folder.path());
    let first = current(&server);
    server.wait_for("the suggestion", || server.log().contains("the authority suggests when to renew").then_some(()));
    server.stop();
    // An incident: all certificates must be replaced. The certificate is not new any more.
    fake.suggest(TimeDelta::days(-2), TimeDelta::days(-1));
    std::fs::remove_file(stored(folder.path()).join("last-attempt.json")).unwrap();
    let server = start(folder.path());
    connect(&fake, &server);
    server.wait_for("the renewal", || (current(&server) != first).then_some(()));
    assert_eq!(fake.replaced().len(), 1, "{:?}", fake.replaced());
    assert!(fake.replaced()[0].contains('.'));
    // A suggestion that stays wrong does not use up the limits.
    reload(&server);
    server.wait_for("the reload", || server.log().contains("was reloaded").then_some(()));
    server.stop();
    let server = start(folder.path());
    server.wait_for("the suggestion", || server.log().contains("the authority suggests when to renew").then_some(()));
    assert_eq!(fake.orders(), 2);
    server.stop();
}

#[test]
fn the_certificate_is_renewed_after_two_thirds_of_its_lifetime() {
    let fake = FakeAcme::start();
    fake.issue_for(TimeDelta::days(70), TimeDelta::days(90));
    let folder = folder_for(&fake, &[DOMAIN], "");
    let server = start(folder.path());
    connect(&fake, &server);
    wait_for_certificate(&fake, &server, DOMAIN);
    fake.issue_for(TimeDelta::days(10), TimeDelta::days(90));
    let first = current(&server);
    server.stop();
    // It was issued long ago.
    std::fs::remove_file(stored(folder.path()).join("last-attempt.json")).unwrap();
    let server = start(folder.path());
    connect(&fake, &server);
    server.wait_for("the renewal", || (current(&server) != first).then_some(()));
    assert_eq!((fake.orders(), fake.replaced().len()), (2, 0), "without suggestions, orders replace nothing");
    server.stop();
}

#[test]
fn an_authority_that_is_down_stops_nothing() {
    let fake = FakeAcme::start();
    fake.issue_for(TimeDelta::days(20), TimeDelta::days(90));
    let folder = folder_for(&fake, &[DOMAIN], "");
    let server = issued(&fake, folder.path());
    let first = current(&server);
    server.stop();
    fake.fail("/", AcmeFault::Page(503), 1_000);
    configure(&fake, folder.path(), &[DOMAIN, "www.example.com"], "");
    let mut serve = command(folder.path(), &["serve"]);
    serve.env("LECTERN_METRICS__LISTEN", "127.0.0.1:0");
    let server = Server::spawn(serve);
    let text = wait_for_problem(&server, "The certificate authority 127.0.0.1 responds with status 503");
    assert!(text.contains("; the current certificate is valid until 20"), "{text}");
    assert!(text.contains("; the next attempt is at 20") && text.ends_with(", or after a reload"), "{text}");
    assert!(current(&server) == first);
    let page = RawClient::to(server.metrics_address()).get("/metrics").text();
    assert!(page.contains("\nlectern_certificate_failures_total 1\n"), "{page}");
    assert!(page.contains("\nlectern_certificate_expiry_timestamp_seconds "), "{page}");
    // The portal shows the same.
    let mut admin = tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap();
    let body = json!({ "email": EMAIL, "password": PASSWORD }).to_string();
    let head = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let response =
        tls_client::request(&mut admin, "POST /api/auth/login", DOMAIN, &format!("{head}\r\n{body}")).unwrap();
    let cookie = response.header("set-cookie").split(';').next().unwrap().to_owned();
    assert!(cookie.starts_with("__Host-lectern_session="), "{}", response.text());
    let mut admin = tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap();
    let notices =
        tls_client::request(&mut admin, "GET /api/server-problems", DOMAIN, &format!("Cookie: {cookie}\r\n")).unwrap();
    assert_eq!(notices.json()["problems"], health(&server)["problems"]);
    // A reload is an attempt at once.
    fake.recover();
    connect(&fake, &server);
    reload(&server);
    wait_for_certificate(&fake, &server, "www.example.com");
    server.wait_for("the end of the problem", || problems(&server).is_empty().then_some(()));
    server.stop();
}

#[test]
fn each_failure_is_a_sentence_that_tells_what_to_do() {
    type Cause = fn(&FakeAcme);
    let cases: [(Cause, &str); 9] = [
        (
            |fake| fake.forget_domain("www.example.com"),
            "The DNS has no address for www.example.com; add an A record (IPv4) or AAAA record (IPv6) that leads to this \
             server",
        ),
        (
            |fake| ["http-01", "tls-alpn-01"].into_iter().for_each(|kind| fake.block(kind)),
            "can't connect to events.example.com on port 443; check that its DNS records (A and AAAA) lead to this server \
             and that the firewall allows port 443",
        ),
        (
            |fake| fake.connect_to(fake.address.port(), fake.address.port()),
            "Another server responds for events.example.com on port 443; check that its DNS records",
        ),
        (
            |fake| fake.fail("/order", AcmeFault::Problem("rateLimited", "too many certificates", 429, Some(7_200)), 9),
            "The certificate authority limits requests at the moment (too many certificates)",
        ),
        (
            |fake| fake.fail("/order", AcmeFault::Problem("rejectedIdentifier", "policy forbids it", 400, None), 9),
            "issues no certificate for one of the domains (policy forbids it); correct https.domains",
        ),
        (
            |fake| fake.fail("/account", AcmeFault::Problem("externalAccountRequired", "bind it", 403, None), 9),
            "requires an account of its own (external account binding), which lectern does not support",
        ),
        (
            |fake| fake.fail("/account", AcmeFault::Problem("invalidContact", "no such host", 400, None), 9),
            "rejects the address (no such host); correct https.email",
        ),
        (|fake| fake.fail("/finalize", AcmeFault::Cut, 9), "The certificate authority 127.0.0.1 can't be reached ("),
        (|fake| fake.fail("/dir", AcmeFault::Page(404), 9), "responds with status 404 (Not Found)"),
    ];
    for (fault, expected) in cases {
        let fake = FakeAcme::start();
        let folder = folder_for(&fake, &[DOMAIN, "www.example.com"], "");
        // Before the server asks for a certificate, which it has soon.
        fault(&fake);
        let server = start(folder.path());
        if !fake.is_connected() {
            connect(&fake, &server);
        }
        let text = wait_for_problem(&server, "; there is no certificate yet, and browsers reject the temporary one");
        assert!(text.contains(expected), "{text}");
        assert_eq!(health(&server)["status"], "degraded");
        assert_eq!(get(&server, "/api/events").status, 200);
        server.stop();
        let check = run(folder.path(), &["check"]).out;
        assert!(check.contains("PROBLEM  https ") && check.contains(expected), "{check}");
    }
}

#[test]
fn the_limits_of_the_authority_outlive_a_restart() {
    let fake = FakeAcme::start();
    fake.fail("/order", AcmeFault::Problem("rateLimited", "retry later", 429, Some(7_200)), 100);
    let folder = folder_for(&fake, &[DOMAIN], "");
    let server = start(folder.path());
    connect(&fake, &server);
    wait_for_problem(&server, "limits requests at the moment (retry later)");
    server.stop();
    let status: Value =
        serde_json::from_slice(&std::fs::read(stored(folder.path()).join("last-attempt.json")).unwrap()).unwrap();
    let next = DateTime::parse_from_rfc3339(status["next_attempt"].as_str().unwrap()).unwrap().to_utc();
    let wait = next - Utc::now();
    assert!(wait > TimeDelta::minutes(110) && wait < TimeDelta::minutes(130), "{wait}");
    let before = fake.requests().len();
    let server = start(folder.path());
    wait_for_problem(&server, "limits requests at the moment (retry later); there is no certificate yet");
    assert_eq!(fake.requests().len(), before);
    server.stop();
    // Other settings are tried at once.
    fake.recover();
    configure(&fake, folder.path(), &["other.example.com"], "");
    let server = start(folder.path());
    connect(&fake, &server);
    wait_for_certificate(&fake, &server, "other.example.com");
    server.stop();
}

#[test]
fn changed_domains_and_profiles_are_ordered_without_a_restart() {
    let fake = FakeAcme::start();
    fake.offer(&["classic", "shortlived"]);
    let folder = folder_for(&fake, &[DOMAIN], "profile = \"classic\"");
    let server = issued(&fake, folder.path());
    assert_eq!(fake.last_order(), (Some("classic".to_owned()), vec![DOMAIN.to_owned()]));
    configure(&fake, folder.path(), &[DOMAIN, "www.example.com"], "profile = \"shortlived\"");
    reload(&server);
    wait_for_certificate(&fake, &server, "www.example.com");
    assert_eq!(fake.last_order().0.as_deref(), Some("shortlived"));
    configure(&fake, folder.path(), &[DOMAIN, "new.example.com"], "profile = \"long\"");
    reload(&server);
    wait_for_problem(&server, "does not offer the profile long; set https.profile to one of classic, shortlived");
    configure(&fake, folder.path(), &[DOMAIN, "www.example.com"], "");
    reload(&server);
    server.wait_for("the end of the problem", || problems(&server).is_empty().then_some(()));
    assert_eq!(fake.orders(), 2, "the stored certificate is valid for these domains");
    server.stop();
}

#[test]
fn a_lost_account_and_a_used_nonce_are_no_failures() {
    let fake = FakeAcme::start();
    let folder = folder_for(&fake, &[DOMAIN], "");
    issued(&fake, folder.path()).stop();
    fake.forget_accounts();
    fake.fail("/order", AcmeFault::Problem("badNonce", "try again", 400, None), 1);
    configure(&fake, folder.path(), &[DOMAIN, "www.example.com"], "");
    let server = start(folder.path());
    connect(&fake, &server);
    wait_for_certificate(&fake, &server, "www.example.com");
    assert_eq!(fake.requests().iter().filter(|request| *request == "POST /account").count(), 2);
    server.stop();
}

#[test]
fn damaged_files_cost_a_new_certificate_only() {
    let fake = FakeAcme::start();
    let folder = folder_for(&fake, &[DOMAIN], "");
    issued(&fake, folder.path()).stop();
    let store = stored(folder.path());
    for file in ["account.json", "certificate.pem", "last-attempt.json"] {
        std::fs::write(store.join(file), "{").unwrap();
    }
    let server = start(folder.path());
    connect(&fake, &server);
    wait_for_certificate(&fake, &server, DOMAIN);
    assert!(server.log().contains("the stored certificate contains no certificate"), "{}", server.log());
    server.stop();
}

#[test]
fn an_authority_that_is_not_trusted_is_named() {
    let fake = FakeAcme::start();
    let folder = folder_for(&fake, &[DOMAIN], "");
    let path = folder.path().join("config.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("ca_file = \"ca.pem\"", "")).unwrap();
    let server = start(folder.path());
    let expected = "can't be trusted: its own certificate was issued by an unknown authority; if that is your company's \
                    own, add its certificate to https.ca_file";
    wait_for_problem(&server, expected);
    server.stop();
}
