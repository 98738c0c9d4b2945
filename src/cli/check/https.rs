//! The checks of `[https]`: the certificate, its renewal, and the DNS.

use std::net::ToSocketAddrs as _;

use chrono::{DateTime, Utc};

use super::{Config, Finding, note, ok, problem};
use crate::app::certificates;
use crate::platform::clock::minute_utc;
use crate::platform::config::Domain;
use crate::platform::https::{Certificate, CertificateFiles, Store};

const TOPIC: &str = "https";

/// The quick checks: settings and files.
pub(super) fn quick(config: &Config, now: DateTime<Utc>) -> Vec<Finding> {
    if !config.https.is_enabled() {
        return Vec::new();
    }
    vec![match config.https.files() {
        Some(files) => match CertificateFiles::new(files, &config.https.domains).load() {
            Ok(certificate) => state(&certificate, &config.https.domains, now),
            Err(error) => {
                problem(TOPIC, format!("{}; correct the files, or leave both blank for ACME", error.with_path()))
            }
        },
        None => by_acme(config, now),
    }]
}

fn by_acme(config: &Config, now: DateTime<Utc>) -> Finding {
    let store = Store::new(&config.database.path, &config.https.directory_url.to_string());
    let last_attempt = store.last_attempt();
    let certificate = match store.certificate() {
        Ok(certificate) => certificate,
        Err(error) => return problem(TOPIC, format!("the stored certificate {error}; the server requests another")),
    };
    match (last_attempt.problem.clone(), certificate) {
        (Some(text), certificate) => {
            problem(TOPIC, certificates::describe(&text, &last_attempt, certificate.as_ref(), now))
        }
        (None, Some(certificate)) => state(&certificate, &config.https.domains, now),
        (None, None) => note(TOPIC, "there is no certificate yet; 'lectern serve' requests it"),
    }
}

fn state(certificate: &Certificate, domains: &[Domain], now: DateTime<Utc>) -> Finding {
    if let Some(text) = certificates::ending(certificate, now) {
        return problem(TOPIC, text);
    }
    match certificate.missing(domains) {
        Some(domain) => note(TOPIC, format!("the certificate is not valid for {domain}; the server requests another")),
        None => ok(TOPIC, format!("the certificate is valid until {}", minute_utc(certificate.not_after))),
    }
}

/// Whether the domains have addresses. Which of them lead to this machine can't be known behind a router.
pub(super) fn dns(config: &Config) -> Vec<Finding> {
    let own_files = config.https.files().is_some();
    let domains = config.https.domains.iter().filter(|_| !own_files);
    domains
        .filter(|domain| (domain.as_str(), 443).to_socket_addrs().is_err())
        .map(|domain| {
            let help = "add an A record (IPv4) or AAAA record (IPv6) that leads to this server";
            problem(TOPIC, format!("the DNS has no address for {domain}; {help}"))
        })
        .collect()
}

/// Settings of other sections that contradict `[https]`.
pub(super) fn contradictions(config: &Config) -> Vec<String> {
    let (https, server) = (&config.https, &config.server);
    let mut texts = Vec::new();
    if !https.is_enabled() {
        return texts;
    }
    let is_domain = |host: &str| https.domains.iter().any(|domain| domain.as_str() == host);
    let base_url = server.base_url.as_ref().and_then(|url| url::Url::parse(url.as_str()).ok());
    if let Some(url) = base_url.filter(|url| url.host_str().is_none_or(|host| !is_domain(host))) {
        texts.push(format!(
            "server.base_url is {}, for which there is no certificate; add its host to https.domains",
            url.origin().ascii_serialization()
        ));
    }
    if !server.listen.is_default() {
        texts.push("server.listen does nothing with [https], which has its own listen; remove it".to_owned());
    }
    texts
}
