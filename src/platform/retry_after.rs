//! The wait that another server requests before the next request.

use std::str::FromStr as _;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use http::header::{HeaderMap, RETRY_AFTER};

/// The wait that a response requests: seconds, or a date (RFC 9110 §10.2.3).
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = u64::from_str(text) {
        return Some(Duration::from_secs(seconds));
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
        assert_eq!(parse("Fri, 31 Dec 1999 23:59:59 GMT"), None);
        let date = (Utc::now() + chrono::TimeDelta::hours(2)).format("%a, %d %b %Y %H:%M:%S GMT").to_string();
        let wait = parse(&date).expect("a time");
        assert!((7_100..=7_200).contains(&wait.as_secs()), "{wait:?}");
        assert_eq!(parse("soon"), None);
    }
}
