//! Plain HTTP beside HTTPS: redirects, and responses to the challenge HTTP-01.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST, HeaderValue, LOCATION, X_CONTENT_TYPE_OPTIONS};
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;

use super::challenges::Challenges;
use crate::platform::config::Domain;
use crate::platform::host_header::has_one_host;

/// The folder of responses to challenges (RFC 8555 §8.3).
const CHALLENGE: &str = "/.well-known/acme-challenge/";

/// Responds to a request over plain HTTP. `port` is the public port of HTTPS.
pub fn respond<B>(
    request: &Request<B>,
    domains: &[Domain],
    port: u16,
    challenges: &Challenges,
) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    if let Some(token) = path.strip_prefix(CHALLENGE) {
        let found = challenges.key_authorization(token);
        let status = if found.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
        return text(status, found.unwrap_or_else(|| "There is no such challenge.\n".to_owned()));
    }
    if !has_one_host(request) || !path.starts_with('/') {
        return text(StatusCode::BAD_REQUEST, "The request must name exactly one host.\n".to_owned());
    }
    // A target in the absolute form takes precedence over the header (RFC 9112 §3.2.2).
    let header = || request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let host = request.uri().authority().map(http::uri::Authority::as_str).or_else(header).unwrap_or_default();
    let Some(domain) = domains.iter().find(|domain| is_host(domain, host)) else {
        // Only for these domains there is a certificate.
        let own = domains.first().map_or("another host", Domain::as_str);
        return text(StatusCode::MISDIRECTED_REQUEST, format!("This server is for {own}.\n"));
    };
    let target = request.uri().path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    let port = if port == 443 { String::new() } else { format!(":{port}") };
    let Ok(location) = HeaderValue::from_str(&format!("https://{domain}{port}{target}")) else {
        return text(StatusCode::BAD_REQUEST, "The URL is not valid.\n".to_owned());
    };
    // 308 keeps the method and the body, but old clients know 301 only.
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let status = if is_read { StatusCode::MOVED_PERMANENTLY } else { StatusCode::PERMANENT_REDIRECT };
    let mut response = text(status, String::new());
    response.headers_mut().insert(LOCATION, location);
    response
}

/// Whether the host of a request, which may have a port and a dot at its end, is this domain.
fn is_host(domain: &Domain, host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name.strip_suffix('.').unwrap_or(name).eq_ignore_ascii_case(domain.as_str())
}

fn text(status: StatusCode, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
mod tests {
    use super::*;

    fn redirect(method: &str, target: &str, host: &str, port: u16) -> (u16, String) {
        let request = Request::builder().method(method).uri(target).header(HOST, host).body(()).unwrap();
        let domains = ["events.example.com", "münchen.example"].map(|name| name.parse().unwrap());
        let response = respond(&request, &domains, port, &Challenges::default());
        let location = response.headers().get(LOCATION).map(|value| value.to_str().unwrap().to_owned());
        (response.status().as_u16(), location.unwrap_or_default())
    }

    #[test]
    fn requests_for_own_domains_are_redirected_with_path_and_query() {
        let cases = [
            ("GET", "/", "events.example.com", 443, 301, "https://events.example.com/"),
            (
                "GET",
                "/events/a?b=c%20d&e",
                "EVENTS.example.com.:80",
                443,
                301,
                "https://events.example.com/events/a?b=c%20d&e",
            ),
            (
                "HEAD",
                "//other.example/x",
                "events.example.com",
                443,
                301,
                "https://events.example.com//other.example/x",
            ),
            ("POST", "/api/events", "events.example.com", 8443, 308, "https://events.example.com:8443/api/events"),
            ("GET", "/", "xn--mnchen-3ya.example", 443, 301, "https://xn--mnchen-3ya.example/"),
            ("GET", "http://events.example.com/a", "other.example", 443, 301, "https://events.example.com/a"),
        ];
        for (method, target, host, port, status, location) in cases {
            assert_eq!(redirect(method, target, host, port), (status, location.to_owned()), "{method} {target} {host}");
        }
    }

    #[test]
    fn other_hosts_and_unknown_challenges_are_not_redirected() {
        for host in ["other.example", "203.0.113.7", "[2001:db8::1]:80", "events.example.com.other.example", ""] {
            assert_eq!(redirect("GET", "/", host, 443), (421, String::new()), "{host}");
        }
        let challenge = "/.well-known/acme-challenge/no";
        assert_eq!(redirect("GET", challenge, "events.example.com", 443), (404, String::new()));
        assert_eq!(redirect("OPTIONS", "*", "events.example.com", 443), (400, String::new()));
    }
}
