//! The security headers of responses, and the content security policy of pages.

use axum::response::Response;
use http::header::{HeaderMap, HeaderName, HeaderValue, X_FRAME_OPTIONS};

use crate::platform::response_cache::MayBeFramed;
use crate::platform::state::AppState;

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
    let mut map = HeaderMap::new();
    for (name, value) in ALWAYS {
        map.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    map.insert(HeaderName::from_static("content-security-policy"), ContentSecurityPolicy::default().header());
    if https {
        map.insert(HeaderName::from_static("strict-transport-security"), HeaderValue::from_static("max-age=31536000"));
    }
    map
}

/// Adds the security headers that a response does not set itself.
pub fn set_headers(app: &AppState, response: &mut Response) {
    let may_be_framed = response.extensions().get::<MayBeFramed>().is_some();
    let headers = response.headers_mut();
    // With space for the request's id.
    let count = headers.len() + app.security_headers.len() + 1;
    if headers.capacity() < count {
        // Not `reserve`: reallocation waits for other threads.
        let own = std::mem::replace(headers, HeaderMap::with_capacity(count));
        headers.extend(own);
    }
    for (name, value) in &app.security_headers {
        if !(may_be_framed && name == X_FRAME_OPTIONS) {
            headers.entry(name).or_insert_with(|| value.clone());
        }
    }
}
