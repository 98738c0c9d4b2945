//! The address of the client of a request, which trusted proxies pass on.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::header::HeaderMap;
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
    let listed: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    for text in listed.iter().rev() {
        if !is_trusted(address, trusted) {
            break;
        }
        match text.parse::<IpAddr>() {
            Ok(ip) => address = ip.to_canonical(),
            Err(_) => break,
        }
    }
    network_of(address)
}

/// Whether an address is that of a trusted proxy.
pub fn is_trusted(ip: IpAddr, trusted: &[IpNet]) -> bool {
    let ip = ip.to_canonical();
    trusted.iter().any(|network| network.contains(&ip))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn address_of(peer: &str, forwarded: &str) -> String {
        let trusted = ["10.0.0.0/8".parse().expect("a network")];
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_str(forwarded).expect("a header"));
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
    }

    #[test]
    fn ipv6_addresses_are_reduced_to_their_network() {
        assert_eq!(address_of("2001:db8:1:2:3:4:5:6", ""), "2001:db8:1:2::");
        assert_eq!(address_of("::ffff:203.0.113.9", ""), "203.0.113.9");
    }
}
