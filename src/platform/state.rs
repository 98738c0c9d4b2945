//! The state that handlers share.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use http::HeaderMap;
use ipnet::IpNet;

use super::blocking::BlockingQueue;
use super::clock::Clock;
use super::config::Config;
use super::db::{Db, S3BackupStatus};
use super::health::Health;
use super::https::Tls;
use super::metrics::{CachePurgeMetrics, RequestMetrics};
use super::password::PasswordQueue;
use super::rate_limit::{AccountBackoff, RateLimiter};
use super::response_cache::ResponseCache;

/// The running server's components; clones share them. Built in `app`.
#[derive(Clone, Debug)]
pub struct AppState(pub Arc<Components>);

/// The components of an [`AppState`].
#[derive(Debug)]
pub struct Components {
    pub db: Db,
    pub clock: Clock,
    pub passwords: PasswordQueue,
    /// Uploads that wait to be decoded.
    pub image_uploads: BlockingQueue,
    /// Files that wait to be imported.
    pub imports: BlockingQueue,
    pub responses: Arc<ResponseCache>,
    /// Counted requests; `None` without an address for metrics.
    pub metrics: Option<Arc<RequestMetrics>>,
    /// The problems that `/healthz` reports.
    pub health: Arc<Health>,
    /// The TLS of this server; `None` without HTTPS.
    pub tls: Option<Tls>,
    pub s3_backups: S3BackupStatus,
    /// Counted purges of shared caches.
    pub cache_purges: CachePurgeMetrics,
    pub config: Config,
    /// The public URL of the site, without a trailing slash.
    pub base_url: String,
    /// `base_url` as an origin (RFC 6454).
    pub origin: String,
    /// Whether `base_url` is https.
    pub https: bool,
    /// Proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Headers of every response.
    pub security_headers: HeaderMap,
    /// Failed sign-ins by address.
    pub sign_in_limiter: RateLimiter<IpAddr>,
    /// Failed sign-ins by account.
    pub account_backoff: AccountBackoff,
    /// New visitor ids by address.
    pub visitor_limiter: RateLimiter<IpAddr>,
}

impl Deref for AppState {
    type Target = Components;

    fn deref(&self) -> &Components {
        &self.0
    }
}
