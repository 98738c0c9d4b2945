//! `lectern healthcheck`

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{anyhow, ensure};
use clap::Args;
use serde::Deserialize;
use ureq::tls::TlsConfig;

use super::{Config, Listen};
use crate::platform::config::HttpUrl;
use crate::platform::http_client::transport_cause;

const TIMEOUT: Duration = Duration::from_secs(10);
/// The largest accepted response body in bytes.
const MAX_BODY_BYTES: u64 = 64 * 1024;

/// Check that a running server is healthy
///
/// For containers and monitoring: prints the status and the problems that /healthz reports. Exits with 0 if visitors
/// are served and writes can be stored, even if the status is degraded, for example by an old backup; otherwise with 1.
#[derive(Args, Debug)]
pub(super) struct Healthcheck {
    /// URL of the server; by default that of the address on which 'lectern serve' listens
    #[arg(long, value_name = "URL")]
    url: Option<HttpUrl>,
    /// The variable of 'lectern serve', which a container sets for all commands.
    #[arg(long, env = "LECTERN_LISTEN", hide = true)]
    pub(super) listen: Option<Listen>,
}

/// The part of the response that is printed.
#[derive(Deserialize)]
struct Report {
    status: String,
    #[serde(default)]
    problems: Vec<String>,
}

impl Healthcheck {
    pub(super) fn run(&self, config: &Config) -> anyhow::Result<()> {
        let is_own_https = self.url.is_none() && config.https.is_enabled();
        let url = match &self.url {
            Some(url) if url.as_str().ends_with("/healthz") => url.to_string(),
            Some(url) => format!("{}/healthz", url.as_str()),
            None if is_own_https => format!("https://{}/healthz", reachable(config.https.listen.0, true)?),
            None => format!("http://{}/healthz", reachable(config.server.listen.0, false)?),
        };
        let settings = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // The server must respond itself, not a proxy that the environment names.
            .proxy(None)
            .timeout_global(Some(TIMEOUT))
            // On this machine it is reached by its address, for which its certificate is not valid.
            .tls_config(TlsConfig::builder().disable_verification(is_own_https).build())
            .build();
        let agent = if is_own_https { settings.new_agent() } else { config.network.agent(settings) };
        let mut response = agent
            .get(&url)
            .call()
            .map_err(|error| anyhow!("No server responds at {url} ({})", transport_cause(&error)))?;
        let code = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MAX_BODY_BYTES).read_to_vec();
        let body = body.map_err(|error| {
            anyhow!("{url} responds with status {code}, but the response was cut off ({})", transport_cause(&error))
        })?;
        let report: Report = serde_json::from_slice(&body)
            .map_err(|error| anyhow!("{url} responds with status {code}, but not as lectern does ({error})"))?;
        let text = [&[report.status][..], &report.problems].concat().join("; ");
        ensure!(code == 200, "{url} responds with status {code}: {text}");
        writeln!(std::io::stdout(), "{text}")?;
        Ok(())
    }
}

/// The URL under which a server that listens on `listen` is reached from the same machine.
fn reachable(listen: SocketAddr, is_https: bool) -> anyhow::Result<SocketAddr> {
    ensure!(listen.port() != 0, "The server listens on a port that the system picks; name its URL with --url");
    Ok(match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, listen.port()).into(),
        // A system without IPv6 has the addresses of IPv4 only, and HTTPS always accepts both.
        IpAddr::V6(ip) if ip.is_unspecified() && is_https => (Ipv4Addr::LOCALHOST, listen.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (Ipv6Addr::LOCALHOST, listen.port()).into(),
        _ => listen,
    })
}
