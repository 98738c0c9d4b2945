//! The addresses on which the server listens, and the public URL that leads to it.

use std::net::TcpListener;

use super::{Config, Finding, problem};
use crate::platform::config::{BaseUrl, Listen, Network};

/// The topic of the findings.
const TOPIC: &str = "configuration";

/// The settings with an address on which the site is served.
fn of_site(config: &Config) -> Vec<(&'static str, Listen)> {
    if !config.https.is_enabled() {
        return vec![("server.listen", config.server.listen)];
    }
    let redirect = config.https.redirect_listen.map(|address| ("https.redirect_listen", address));
    [("https.listen", config.https.listen)].into_iter().chain(redirect).collect()
}

/// Addresses that this machine does not have, with which the server does not start. Whether a port is free can't be known,
/// because the server may run.
pub(super) fn missing(config: &Config) -> Vec<Finding> {
    let metrics = config.metrics.listen.map(|address| ("metrics.listen", address));
    of_site(config)
        .into_iter()
        .chain(metrics)
        .filter(|(_, Listen(address))| !address.ip().is_unspecified() && is_missing(*address))
        .map(|(key, Listen(address))| {
            let help = "use one of its own, or 0.0.0.0 for all of them";
            problem(TOPIC, format!("{key} is {address}, but this machine does not have that address; {help}"))
        })
        .collect()
}

fn is_missing(mut address: std::net::SocketAddr) -> bool {
    address.set_port(0);
    TcpListener::bind(address).is_err_and(|error| error.kind() == std::io::ErrorKind::AddrNotAvailable)
}

/// Settings of addresses that contradict each other, or have another effect than intended.
pub(super) fn contradictions(config: &Config) -> Vec<String> {
    let (server, site) = (&config.server, of_site(config));
    let mut texts = Vec::new();
    let Listen(listen) = server.listen;
    match &server.base_url {
        // It has its own default, and no proxy.
        _ if config.https.is_enabled() => {}
        None if !server.trusted_proxies.is_empty() => texts.push(format!(
            "server.base_url is blank behind a proxy, so links and calendars lead to http://{listen}; set it to the \
             public URL"
        )),
        Some(base_url)
            if server.trusted_proxies.is_empty()
                && listen.ip().is_loopback()
                && !is_of_program(base_url, server.listen) =>
        {
            texts.push(format!(
                "the proxy for {} is not trusted, so all visitors share its address and its limits; set \
                 server.trusted_proxies = [\"{}\"]",
                base_url.as_str(),
                listen.ip()
            ));
        }
        _ => {}
    }
    let all = server.trusted_proxies.iter().find(|Network(network)| network.prefix_len() == 0);
    texts.extend(all.map(|Network(network)| {
        format!(
            "server.trusted_proxies contains {network}, which is every address, so each client can choose the address to which \
             limits apply; name the proxies only"
        )
    }));
    let conflict = config.metrics.listen.filter(|metrics| site.iter().any(|(_, other)| other.conflicts_with(*metrics)));
    texts.extend(
        conflict.map(|metrics| format!("metrics.listen is {}, where the site listens; use another port", metrics.0)),
    );
    texts
}

/// Whether a URL leads to the program itself, without a proxy: http, a loopback host and the port of `listen`.
fn is_of_program(base_url: &BaseUrl, Listen(listen): Listen) -> bool {
    let url = url::Url::parse(base_url.as_str()).ok().filter(|url| url.scheme() == "http");
    url.is_some_and(|url| super::is_loopback(&url) && url.port_or_known_default() == Some(listen.port()))
}
