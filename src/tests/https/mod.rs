//! HTTPS of the real program.

mod acme;
mod connections;
mod files;

use std::path::Path;

use rustls::pki_types::CertificateDer;
use serde_json::Value;
use tempfile::TempDir;

use super::support::program::{EMAIL, PASSWORD, Server, command, create_admin};
use super::support::tls_client::{self, Trust, certificate};

const DOMAIN: &str = "events.example.com";

/// A folder with an admin and settings.
fn folder(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), settings).unwrap();
    create_admin(folder.path());
    folder
}

/// `lectern serve` with the settings of the folder.
fn start(folder: &Path) -> Server {
    Server::spawn(command(folder, &["serve"]))
}

/// A response over TLS to a client that accepts any certificate.
fn get(server: &Server, path: &str) -> super::support::raw_client::Response {
    let mut connection = tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap();
    tls_client::request(&mut connection, &format!("GET {path}"), DOMAIN, "").unwrap()
}

/// The certificate of a new connection.
fn current(server: &Server) -> CertificateDer<'static> {
    certificate(&tls_client::connect(server.address, DOMAIN, &Trust::Any, &[b"http/1.1"]).unwrap())
}

fn health(server: &Server) -> Value {
    let response = get(server, "/healthz");
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

/// The problems of `/healthz`, as one text.
fn problems(server: &Server) -> String {
    let health = health(server);
    let lines: Vec<&str> = health["problems"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    lines.join("\n")
}

/// Waits until a problem contains these words.
fn wait_for_problem(server: &Server, words: &str) -> String {
    server.wait_for(words, || Some(problems(server)).filter(|text| text.contains(words)))
}
