//! An HTTP client of the router.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

/// A client with its own cookies, headers and address.
#[derive(Clone)]
pub(crate) struct Client {
    router: crate::app::CachedRouter,
    cookies: BTreeMap<String, String>,
    headers: Vec<(String, String)>,
    address: SocketAddr,
}

/// A response.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl TestResponse {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A header, blank if absent.
    pub(crate) fn header(&self, name: &str) -> String {
        self.headers.get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    /// The `Set-Cookie` value of a cookie, blank if the response does not set it.
    pub(crate) fn set_cookie(&self, name: &str) -> String {
        self.headers
            .get_all(SET_COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
            .unwrap_or_default()
            .to_owned()
    }

    /// The id of the created row.
    pub(crate) fn created_id(&self) -> i64 {
        assert_eq!(self.status, StatusCode::CREATED, "{}", self.text());
        self.json()["id"].as_i64().unwrap()
    }

    /// The first message of an error.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }

    /// The message of one field of an error, blank without an error of the field.
    pub(crate) fn field(&self, name: &str) -> String {
        self.json()["fields"][name].as_str().unwrap_or_default().to_owned()
    }

    /// All fields of an error with their messages, an empty object without field errors.
    pub(crate) fn fields(&self) -> Value {
        self.json().get("fields").cloned().unwrap_or_else(|| json!({}))
    }
}

impl Client {
    pub(crate) fn new(router: crate::app::CachedRouter) -> Self {
        Self {
            router,
            cookies: BTreeMap::new(),
            headers: Vec::new(),
            address: SocketAddr::from(([203, 0, 113, 7], 40_000)),
        }
    }

    /// The same client from another address.
    pub(crate) fn at(mut self, ip: [u8; 4]) -> Self {
        self.address = SocketAddr::from((ip, 40_000));
        self
    }

    /// The same client with one more header on every request.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same client with a cookie.
    pub(crate) fn with_cookie(mut self, name: &str, value: &str) -> Self {
        self.cookies.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The value of a cookie, blank if absent.
    pub(crate) fn cookie(&self, name: &str) -> String {
        self.cookies.get(name).cloned().unwrap_or_default()
    }

    /// Stores the cookies that a response sets, as a browser does.
    pub(crate) fn keep_cookies(&mut self, response: &TestResponse) {
        for value in response.headers.get_all(SET_COOKIE) {
            let (name, rest) = value.to_str().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
        }
    }

    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        self.send("GET", path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send("POST", path, Some(body.to_string())).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> TestResponse {
        self.send("PUT", path, Some(body.to_string())).await
    }

    pub(crate) async fn delete(&self, path: &str) -> TestResponse {
        self.send("DELETE", path, None).await
    }

    /// Any request; a body is sent as JSON.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<String>) -> TestResponse {
        self.send_bytes(method, path, body.map(Bytes::from)).await
    }

    /// Sends any bytes, as JSON unless the client sets another content type.
    pub(crate) async fn send_bytes(&self, method: &str, path: &str, body: Option<Bytes>) -> TestResponse {
        self.send_body(method, path, body.map(Body::from)).await
    }

    /// Sends a body that may be a stream.
    pub(crate) async fn send_body(&self, method: &str, path: &str, body: Option<Body>) -> TestResponse {
        let mut request = Request::builder().method(method).uri(path).header(HOST, "127.0.0.1:8080");
        if body.is_some() && !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        if !self.cookies.is_empty() {
            let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header(COOKIE, pairs.join("; "));
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(body.unwrap_or_default()).unwrap();
        let response = self.router.respond(request, self.address).await.unwrap();
        let (parts, body) = response.into_parts();
        TestResponse { status: parts.status, headers: parts.headers, body: body.collect().await.unwrap().to_bytes() }
    }
}
