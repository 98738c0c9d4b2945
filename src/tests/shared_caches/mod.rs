//! Shared caches (a CDN, Varnish, nginx): what they may store, for how long, and how they are purged.

mod keys;
mod lifetimes;
mod purges;
mod restored;
mod varnish;

use chrono::{DateTime, Utc};

use crate::platform::clock::parse_timestamp;
use crate::platform::config::Config;
use crate::tests::support::TestApp;

/// A configuration with a time in seconds and a URL that gets the purges.
fn config(seconds: u32) -> Config {
    let mut config = Config::default();
    config.cache.seconds = Some(seconds);
    config.cache.purge.url.url = Some("http://127.0.0.1:9/purge".parse().unwrap());
    config
}

fn at(text: &str) -> DateTime<Utc> {
    parse_timestamp(text).unwrap()
}

/// Moves the clock to an instant.
fn go_to(app: &TestApp, instant: DateTime<Utc>) {
    app.clock.advance((instant - app.clock.now()).num_seconds());
}
