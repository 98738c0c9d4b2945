//! Test support: a test server, clients, input and fake providers.

mod app;
mod client;
mod closed_port;
mod factory;
pub(crate) mod fake_acme;
pub(crate) mod fake_brandlive;
pub(crate) mod fake_cache;
pub(crate) mod fake_places;
pub(crate) mod fake_s3;
pub(crate) mod program;
pub(crate) mod raw_client;
pub(crate) mod terminal;
pub(crate) mod tls_client;
pub(crate) mod varnish;

pub(crate) use app::{ADMIN_EMAIL, ADMIN_PASSWORD, TestApp};
pub(crate) use client::{Client, TestResponse};
pub(crate) use closed_port::ClosedPort;
pub(crate) use factory::{in_person_event, online_event, speaker, with, without};

/// The value of the only column of the first row.
pub(crate) fn query_one<T: rusqlite::types::FromSql>(connection: &rusqlite::Connection, sql: &str) -> T {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// An asset of the web bundle, if it was built.
pub(crate) fn an_asset() -> Option<String> {
    let html = crate::assets::template()?;
    let start = html.find("/assets/")?;
    // An attribute may list several.
    Some(html[start..].split(['"', ' ']).next()?.to_owned())
}
