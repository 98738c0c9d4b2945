//! What handlers are given: the parts of the running server.

use std::ops::Deref;
use std::sync::Arc;

use http::HeaderMap;
use ipnet::IpNet;

use super::clock::Clock;
use super::config::Config;
use super::db::Db;
use super::password::PasswordHasher;
use super::rate_limit::{AccountWaits, RateLimiter};
use super::response_cache::ResponseCache;
use super::security::ClientAddress;

/// The running server's parts; clones share them. Put together in `app`.
#[derive(Clone, Debug)]
pub struct AppState(pub Arc<Parts>);

/// The parts themselves.
#[derive(Debug)]
pub struct Parts {
    /// The database.
    pub db: Db,
    /// The time.
    pub clock: Clock,
    /// Password work.
    pub passwords: PasswordHasher,
    /// Cached responses.
    pub responses: Arc<ResponseCache>,
    /// What the operator configured.
    pub config: Config,
    /// Where visitors reach the site, without a slash at the end.
    pub base_url: String,
    /// `base_url` as browsers write it in the Origin header.
    pub origin: String,
    /// Whether visitors come by https.
    pub https: bool,
    /// Proxies whose forwarding headers count.
    pub trusted_proxies: Vec<IpNet>,
    /// Headers of every response.
    pub security_headers: HeaderMap,
    /// Failed sign-ins by address.
    pub sign_ins: RateLimiter<ClientAddress>,
    /// Failed sign-ins by account.
    pub accounts: AccountWaits,
    /// Newly seen visitors by address.
    pub visitors: RateLimiter<ClientAddress>,
}

impl Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
