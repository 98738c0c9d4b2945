//! Security headers, protection against cross-site request forgery (CSRF), and client addresses (hardening,
//! "Defaults").

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::response::{IntoResponse as _, Response};
use http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, X_FRAME_OPTIONS};
use http::request::Parts;
use http::{Method, Uri};
use ipnet::IpNet;

use super::error::AppError;
use super::host_header::has_one_host;
use super::rate_limit::network_of;
use super::response_cache::MayBeFramed;
use super::state::AppState;

/// Sources that a page's content security policy allows in addition to this server.
#[derive(Clone, Debug, Default)]
pub struct ContentSecurityPolicy {
    /// Hosts of scripts.
    pub scripts: Vec<String>,
    /// Hosts of frames.
    pub frames: Vec<String>,
    /// Hosts that scripts may connect to.
    pub connections: Vec<String>,
    /// Hosts and hashes of styles.
    pub styles: Vec<String>,
    /// Hosts of fonts.
    pub fonts: Vec<String>,
    /// Sites that may frame the page; none if empty.
    pub ancestors: Vec<String>,
}

impl ContentSecurityPolicy {
    /// The `Content-Security-Policy` of a page.
    pub fn header(&self) -> HeaderValue {
        let with = |start: &str, more: &[String]| {
            let mut text = start.to_owned();
            for item in more {
                text.push(' ');
                text.push_str(item);
            }
            text
        };
        let parts = [
            "default-src 'none'".to_owned(),
            with("script-src 'self'", &self.scripts),
            with("style-src 'self'", &self.styles),
            "img-src 'self' data: https:".to_owned(),
            with("font-src 'self'", &self.fonts),
            "manifest-src 'self'".to_owned(),
            with("connect-src 'self'", &self.connections),
            with("frame-src https://www.google.com", &self.frames),
            with("form-action 'self'", &self.frames),
            "base-uri 'none'".to_owned(),
            "object-src 'none'".to_owned(),
            if self.ancestors.is_empty() {
                "frame-ancestors 'none'".to_owned()
            } else {
                with("frame-ancestors", &self.ancestors)
            },
        ];
        HeaderValue::from_str(&parts.join("; ")).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
    }
}

/// The headers that every response carries. `https`: whether `base_url` is https.
pub fn headers(https: bool) -> HeaderMap {
    const ALWAYS: [(&str, &str); 6] = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "strict-origin-when-cross-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"),
        ("x-frame-options", "DENY"),
    ];
    // With space for those of a response.
    let mut map = HeaderMap::with_capacity(24);
    for (name, value) in ALWAYS {
        map.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    map.insert(HeaderName::from_static("content-security-policy"), ContentSecurityPolicy::default().header());
    if https {
        map.insert(HeaderName::from_static("strict-transport-security"), HeaderValue::from_static("max-age=31536000"));
    }
    map
}

/// Checks that a request names exactly one host and is not a cross-site request that could change something.
///
/// # Errors
/// 400 or 403.
pub fn check_request(app: &AppState, request: &Request) -> Result<(), AppError> {
    reject_host(request).and_then(|()| reject_csrf(request, &app.origin))
}

/// The response to a request that [`check_request`] rejected.
pub fn rejection(error: AppError) -> Response {
    if matches!(error, AppError::Forbidden(_)) {
        tracing::warn!("a cross-site request was rejected");
    }
    error.into_response()
}

/// Adds the security headers that a response does not set itself.
pub fn set_headers(app: &AppState, response: &mut Response) {
    // Copied as a whole, because inserting them one by one hashes each name.
    let mut headers = app.security_headers.clone();
    if response.extensions().get::<MayBeFramed>().is_some() {
        headers.remove(X_FRAME_OPTIONS);
    }
    // Its own replace them.
    headers.extend(std::mem::take(response.headers_mut()));
    *response.headers_mut() = headers;
}

fn reject_host<B>(request: &http::Request<B>) -> Result<(), AppError> {
    if has_one_host(request) {
        return Ok(());
    }
    Err(AppError::Malformed("The request must name exactly one host".to_owned()))
}

/// Browsers send the origin of requests with unsafe methods; it must be this site. Other clients send neither header
/// and are accepted.
fn reject_csrf(request: &Request, configured: &str) -> Result<(), AppError> {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let same = match (header("sec-fetch-site"), header(ORIGIN.as_str())) {
        (Some("same-origin" | "none"), _) | (None, None) => true,
        (_, Some(origin)) => origin == configured || is_own_origin(origin, request),
        (Some(_), None) => false,
    };
    if same { Ok(()) } else { Err(AppError::Forbidden("This request did not come from this site".to_owned())) }
}

/// Whether an origin has the host of the request. The scheme may differ: a proxy may terminate https.
fn is_own_origin(origin: &str, request: &Request) -> bool {
    let host = request.headers().get(HOST).and_then(|value| value.to_str().ok());
    matches!((origin.split_once("://"), host), (Some(("http" | "https", named)), Some(host)) if named == host)
}

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

/// `http://host:port` of an address, to compare with the Origin header.
pub fn origin_of(base_url: &str) -> String {
    base_url
        .parse::<Uri>()
        .ok()
        .and_then(|uri| Some(format!("{}://{}", uri.scheme_str()?, uri.authority()?)))
        .unwrap_or_else(|| base_url.to_owned())
}

#[cfg(test)]
mod tests {
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
