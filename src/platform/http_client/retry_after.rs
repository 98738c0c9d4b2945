//! The wait that another server requests before the next request.

use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use http::header::{HeaderMap, RETRY_AFTER};

/// The wait that a response requests: seconds, or a date (RFC 9110 §10.2.3). A date in the past requests none.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that is too large for an integer requests a longer wait than any caller accepts.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?.with_timezone(&Utc);
    SystemTime::from(date).duration_since(SystemTime::now()).ok()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_wait_is_a_number_of_seconds_or_a_date() {
        let parse = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_str(text).expect("a header"));
            retry_after(&headers)
        };
        assert_eq!(parse("120"), Some(Duration::from_mins(2)));
        assert_eq!(parse("0"), Some(Duration::ZERO));
        assert_eq!(parse(&"9".repeat(40)), Some(Duration::from_secs(u64::MAX)));
        assert_eq!(parse("Fri, 31 Dec 1999 23:59:59 GMT"), None);
        let date = (Utc::now() + chrono::TimeDelta::hours(2)).format("%a, %d %b %Y %H:%M:%S GMT").to_string();
        let wait = parse(&date).expect("a time");
        assert!((7_100..=7_200).contains(&wait.as_secs()), "{wait:?}");
        for text in ["soon", "", "+5", "-5", "1.5"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
