//! The address of the client of a request, which trusted proxies pass on.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::header::{HeaderMap, HeaderValue};
use http::request::Parts;
use ipnet::IpNet;

use super::error::AppError;
use super::rate_limit::network_of;
use super::state::AppState;

/// The address of the client behind trusted proxies. IPv6 addresses are reduced to their /64 prefix, which identifies
/// one household or machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::from([127, 0, 0, 1]), |ConnectInfo(address)| address.ip());
        Ok(Self(client_address(peer, &parts.headers, &app.trusted_proxies)))
    }
}

/// The address of the client: walks X-Forwarded-For from right to left while the sender is a trusted proxy.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let mut address = peer.to_canonical();
    // As bytes: what a client sends before the address that the proxy appends can be anything.
    let values: Vec<&[u8]> = headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes).collect();
    for listed in values.iter().rev().flat_map(|value| value.rsplit(|byte| *byte == b',')) {
        if !is_trusted(address, trusted) {
            break;
        }
        match address_in(listed) {
            Some(ip) => address = ip.to_canonical(),
            None => break,
        }
    }
    network_of(address)
}

/// An address as proxies list it, to which some add the port.
fn address_in(listed: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(listed).ok()?.trim();
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    text.parse().ok().or_else(with_port).or_else(in_brackets)
}

/// Whether an address is that of a trusted proxy.
pub fn is_trusted(ip: IpAddr, trusted: &[IpNet]) -> bool {
    let ip = ip.to_canonical();
    trusted.iter().any(|network| network.contains(&ip))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address_of(peer: &str, forwarded: impl AsRef<[u8]>) -> String {
        let trusted = ["10.0.0.0/8".parse().expect("a network")];
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_bytes(forwarded.as_ref()).expect("a header"));
        client_address(peer.parse().expect("an address"), &headers, &trusted).to_string()
    }

    #[test]
    fn an_untrusted_client_cannot_choose_its_address() {
        assert_eq!(address_of("203.0.113.9", "198.51.100.1"), "203.0.113.9");
    }

    #[test]
    fn a_trusted_proxy_is_trusted_for_the_last_hop_only() {
        assert_eq!(address_of("10.0.0.1", "198.51.100.1, 203.0.113.9"), "203.0.113.9");
        assert_eq!(address_of("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.2.3.4"), "203.0.113.9");
        assert_eq!(address_of("10.0.0.1", "garbage"), "10.0.0.1");
        assert_eq!(address_of("10.0.0.1", b"\xff, 203.0.113.9"), "203.0.113.9", "the client sent the first");
    }

    #[test]
    fn the_port_that_some_proxies_add_is_ignored() {
        assert_eq!(address_of("10.0.0.1", "203.0.113.9:51234"), "203.0.113.9");
        assert_eq!(address_of("10.0.0.1", "[2001:db8::1]:51234"), "2001:db8::");
        assert_eq!(address_of("10.0.0.1", "[2001:db8::1]"), "2001:db8::");
    }

    #[test]
    fn ipv6_addresses_are_reduced_to_their_network() {
        assert_eq!(address_of("2001:db8:1:2:3:4:5:6", ""), "2001:db8:1:2::");
        assert_eq!(address_of("::ffff:203.0.113.9", ""), "203.0.113.9");
    }
}
