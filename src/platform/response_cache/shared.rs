//! What shared caches (RFC 9111: a CDN, Varnish, nginx) may do with a response (docs/decisions/0036).

use std::borrow::Cow;

use http::header::{CACHE_CONTROL, COOKIE, HeaderMap, HeaderName, HeaderValue};

use crate::platform::config;

/// How long shared caches may send a stale response while this server does not respond: a day.
const STALE_IF_ERROR_SECONDS: u32 = 24 * 60 * 60;
/// Caches that count whole seconds, such as nginx and those behind an `Age`, keep a response for up to a second longer.
const CLOCK_TICK_SECONDS: i64 = 1;
/// The key of every response that shared caches may store: a purge of it is a purge of everything.
pub const EVERYTHING: &str = "all";

/// The keys of a response that changes with the program or its configuration only: at each start everything is purged.
pub const NO_SURROGATE_KEYS: [&str; 0] = [];
/// The `Cache-Control` of such a response that keeps its URL across releases, for all caches.
pub const RELEASE_LIFETIME: HeaderValue = HeaderValue::from_static("public, max-age=3600, stale-if-error=86400");

/// Targeted at shared caches that are operated for this site (RFC 9213).
const CDN_CACHE_CONTROL: HeaderName = HeaderName::from_static("cdn-cache-control");
/// As Fastly reads it, which prefers it to `Cache-Control`.
const SURROGATE_CONTROL: HeaderName = HeaderName::from_static("surrogate-control");
/// The keys, separated by spaces, as Fastly reads them.
const SURROGATE_KEY: HeaderName = HeaderName::from_static("surrogate-key");
/// The keys, separated by commas, as Cloudflare reads them.
const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");

/// The settings, and the headers of the usual response: one that stays fresh for long enough.
#[derive(Clone, Debug)]
pub struct SharedCaching {
    seconds: i64,
    has_surrogate_control: bool,
    has_surrogate_keys: bool,
    has_cache_tags: bool,
    admin_cookies: &'static [&'static str],
    usual: Lifetime,
}

/// The headers of one lifetime.
#[derive(Clone, Debug)]
struct Lifetime {
    cache_control: HeaderValue,
    cdn_cache_control: HeaderValue,
}

impl Lifetime {
    /// `fresh`: seconds for which it may be sent. `stale`: further ones while it is requested again.
    fn new(fresh: i64, stale: i64) -> Self {
        let stale = format!("stale-while-revalidate={stale}, stale-if-error={STALE_IF_ERROR_SECONDS}");
        let value = |text: String| HeaderValue::from_str(&text).unwrap_or(NO_CACHE);
        Self {
            // `must-revalidate` is for browsers, which would otherwise send stale responses from their own caches.
            cache_control: value(format!("public, max-age=0, must-revalidate, s-maxage={fresh}, {stale}")),
            cdn_cache_control: value(format!("max-age={fresh}, {stale}")),
        }
    }
}

const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

impl SharedCaching {
    /// The caching by these settings; `None` if shared caches must not store responses. Responses to requests with one of
    /// the `admin_cookies` are not stored.
    pub fn new(config: &config::Cache, admin_cookies: &'static [&'static str]) -> Option<Self> {
        let seconds = i64::from(config.seconds());
        (seconds > 0).then(|| Self {
            seconds,
            has_surrogate_control: config.purge.fastly.service_id.is_some(),
            has_surrogate_keys: config.purge.uses_surrogate_keys(),
            has_cache_tags: config.purge.uses_cache_tags(),
            admin_cookies,
            usual: Lifetime::new(seconds, seconds),
        })
    }

    /// Adds the headers of the usual response with these keys.
    pub(super) fn add_headers(&self, keys: &[Cow<'static, str>], headers: &mut HeaderMap) {
        self.insert_lifetime(&self.usual, headers);
        self.add_surrogate_keys(keys, headers);
    }

    /// Adds these keys to a response that shared caches may store, so that they can be purged.
    pub(super) fn add_surrogate_keys(&self, keys: &[Cow<'static, str>], headers: &mut HeaderMap) {
        let list = |separator: &str| {
            let keys = std::iter::once(EVERYTHING).chain(keys.iter().map(AsRef::as_ref));
            HeaderValue::from_str(&keys.collect::<Vec<_>>().join(separator)).ok()
        };
        if self.has_surrogate_keys {
            headers.extend(list(" ").map(|keys| (SURROGATE_KEY, keys)));
        }
        if self.has_cache_tags {
            headers.extend(list(",").map(|keys| (CACHE_TAG, keys)));
        }
    }

    /// Changes the headers of [`Self::add_headers`] for a request, and for a response that stays fresh for
    /// `seconds_left` whole seconds.
    pub(super) fn limit(&self, request: &HeaderMap, is_cross_site: bool, seconds_left: i64, headers: &mut HeaderMap) {
        // Admins must see their own changes at once, and responses to cross-site requests are not compressed, so visitors
        // would get them uncompressed.
        if is_cross_site || is_from_admin(request, self.admin_cookies) {
            for name in [CDN_CACHE_CONTROL, SURROGATE_CONTROL, SURROGATE_KEY, CACHE_TAG] {
                headers.remove(name);
            }
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
            return;
        }
        let seconds_left = seconds_left.saturating_sub(CLOCK_TICK_SECONDS);
        if seconds_left >= 2 * self.seconds {
            return;
        }
        let fresh = self.seconds.min(seconds_left);
        if fresh > 0 {
            let stale = self.seconds.min(seconds_left - fresh);
            self.insert_lifetime(&Lifetime::new(fresh, stale), headers);
        } else {
            headers.insert(CACHE_CONTROL, NO_CACHE);
            headers.remove(CDN_CACHE_CONTROL);
            headers.remove(SURROGATE_CONTROL);
        }
    }

    fn insert_lifetime(&self, lifetime: &Lifetime, headers: &mut HeaderMap) {
        headers.insert(CACHE_CONTROL, lifetime.cache_control.clone());
        headers.insert(CDN_CACHE_CONTROL, lifetime.cdn_cache_control.clone());
        if self.has_surrogate_control {
            headers.insert(SURROGATE_CONTROL, lifetime.cdn_cache_control.clone());
        }
    }
}

/// Whether a request has one of the cookies of admins.
pub(super) fn is_from_admin(request: &HeaderMap, admin_cookies: &[&str]) -> bool {
    request.get_all(COOKIE).iter().flat_map(|cookies| cookies.as_bytes().split(|byte| *byte == b';')).any(|cookie| {
        let name = cookie.split(|byte| *byte == b'=').next().unwrap_or_default().trim_ascii();
        admin_cookies.iter().any(|cookie| cookie.as_bytes() == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COOKIES: &[&str] = &["lectern_signed_in", "lectern_session"];

    fn caching(seconds: u32) -> SharedCaching {
        let config = config::Cache { seconds: Some(seconds), ..config::Cache::default() };
        SharedCaching::new(&config, COOKIES).expect("it is enabled")
    }

    fn sent(seconds_left: i64) -> (String, Option<String>) {
        let (caching, mut headers) = (caching(60), HeaderMap::new());
        caching.add_headers(&[], &mut headers);
        caching.limit(&HeaderMap::new(), false, seconds_left, &mut headers);
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().expect("text").to_owned());
        (text(CACHE_CONTROL).expect("Cache-Control"), text(CDN_CACHE_CONTROL))
    }

    fn cdn(fresh: u32, stale: u32) -> String {
        format!("max-age={fresh}, stale-while-revalidate={stale}, stale-if-error=86400")
    }

    #[test]
    fn no_response_is_stored_for_longer_than_it_is_fresh_or_without_a_setting() {
        assert!(SharedCaching::new(&config::Cache::default(), COOKIES).is_none());
        for (left, fresh, stale) in
            [(i64::MAX, 60, 60), (121, 60, 60), (120, 60, 59), (62, 60, 1), (61, 60, 0), (2, 1, 0)]
        {
            let (cache_control, targeted) = sent(left);
            assert_eq!(targeted, Some(cdn(fresh, stale)), "{left}");
            let expected = format!(
                "public, max-age=0, must-revalidate, s-maxage={fresh}, stale-while-revalidate={stale}, stale-if-error=86400"
            );
            assert_eq!(cache_control, expected, "{left}");
        }
        for left in [1, 0, -5, i64::MIN] {
            assert_eq!(sent(left), ("no-cache".to_owned(), None), "{left}");
        }
    }

    #[test]
    fn the_cookies_of_admins_are_found_among_others() {
        let is_from_admin = |cookies: &[&'static str]| {
            let mut request = HeaderMap::new();
            for cookie in cookies {
                request.append(COOKIE, HeaderValue::from_static(cookie));
            }
            super::is_from_admin(&request, COOKIES)
        };
        assert!(is_from_admin(&["lectern_signed_in=1"]));
        assert!(is_from_admin(&["visitor=user_1_a; lectern_session=abc; theme=dark"]));
        assert!(is_from_admin(&["visitor=a", "lectern_signed_in"]));
        assert!(!is_from_admin(&[]));
        assert!(!is_from_admin(&["visitor=lectern_signed_in", "not_lectern_signed_in=1; lectern_signed_in_2=1"]));
    }
}
