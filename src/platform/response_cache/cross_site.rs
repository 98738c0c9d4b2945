//! Cross-site requests: those that a page of another site makes in a visitor's browser.

use http::header::{HOST, HeaderMap, HeaderName, REFERER};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Whether a request is cross-site and does not follow a link. Its response is not compressed, because the length of a
/// compressed response reveals part of its content (the attack BREACH).
pub(super) fn is_cross_site(request: &HeaderMap) -> bool {
    let header = |name: HeaderName| request.get(name).and_then(|value| value.to_str().ok());
    match (header(SEC_FETCH_SITE), header(REFERER)) {
        (Some(site), _) => site == "cross-site" && header(SEC_FETCH_MODE) != Some("navigate"),
        (None, None) => false,
        // Browsers before 2023 send no `Sec-Fetch-Site`: a link from another site counts, too, which costs only the
        // compression.
        (None, Some(page)) => header(HOST).is_some_and(|host| !authority(page).eq_ignore_ascii_case(host)),
    }
}

/// Host and port of a URL.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn request(headers: &[(&'static str, &'static str)]) -> bool {
        let host = [("host", "events.example.com:8443")];
        let headers = host.iter().chain(headers);
        is_cross_site(
            &headers.map(|&(name, value)| (name.parse().expect("a name"), HeaderValue::from_static(value))).collect(),
        )
    }

    #[test]
    fn cross_site_requests_are_distinguished_from_links_and_from_requests_of_own_pages() {
        assert!(!request(&[]));
        assert!(!request(&[("referer", "https://Events.example.com:8443/calendar?type=webinar")]));
        assert!(!request(&[("referer", "https://events.example.com:8443")]));
        assert!(request(&[("referer", "https://attacker.example/?events.example.com:8443")]));
        assert!(request(&[("referer", "https://events.example.com:8443.attacker.example/")]));
        let link = [("referer", "https://search.example/"), ("sec-fetch-site", "cross-site")];
        assert!(request(&link));
        assert!(!request(&[link[0], link[1], ("sec-fetch-mode", "navigate")]));
        assert!(request(&[link[0], link[1], ("sec-fetch-mode", "no-cors")]));
        assert!(!request(&[link[0], ("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")]));
    }
}
