//! Host lookups of outgoing connections, whose failures are errors of their own.

use std::io;

use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// A host name that could not be resolved. The standard library reports it without an error kind.
#[derive(Debug, thiserror::Error)]
#[error("the host could not be found")]
pub struct DnsError(#[source] io::Error);

/// Whether an I/O error is a failed host lookup.
pub fn is_dns_error(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<DnsError>()).is_some()
}

/// Resolves host names as the library does, and marks failures as [`DnsError`].
#[derive(Debug, Default)]
pub(super) struct HostResolver(DefaultResolver);

impl Resolver for HostResolver {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        self.0.resolve(uri, config, timeout).map_err(|error| match error {
            Error::Io(source) => Error::Io(io::Error::other(DnsError(source))),
            error => error,
        })
    }
}
