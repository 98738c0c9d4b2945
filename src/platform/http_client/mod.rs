//! Outgoing HTTP requests: agents that resolve hosts and trust certificates as the configuration says, and the causes of
//! failed requests. `[network]` of the configuration makes the agents; each client sets its own timeouts.

mod dns;
mod retry_after;
mod tls;

use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use ureq::Agent;
use ureq::config::{Config, ConfigBuilder};
use ureq::typestate::AgentScope;
use ureq::unversioned::transport::DefaultConnector;

pub use dns::is_dns_error;
pub use retry_after::retry_after;
pub use tls::{CA_FILE, certificate_problem, config_trusting};

/// The settings of a client of an API: every status is a response, also a redirection, which is not followed. The timeout
/// of a whole request is up to the client.
pub fn api_config(connect_timeout: Duration) -> ConfigBuilder<AgentScope> {
    Agent::config_builder().http_status_as_error(false).max_redirects(0).timeout_connect(Some(connect_timeout))
}

/// An agent that trusts the public authorities, or what `tls` says ([`config_trusting`]).
pub fn agent(config: Config, tls: Option<Arc<ClientConfig>>) -> Agent {
    match tls {
        Some(tls) => tls::agent(config, tls),
        None => Agent::with_parts(config, DefaultConnector::default(), dns::HostResolver::default()),
    }
}

/// The I/O error within an error of the HTTP client, which only prefixes its text, or the error itself.
pub fn transport_cause(error: &ureq::Error) -> &(dyn std::error::Error + 'static) {
    match error {
        ureq::Error::Io(error) => error,
        error => error,
    }
}
