//! A fake of a cache that is purged, on 127.0.0.1: a CDN's API, Varnish or nginx.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::Value;

use super::Client;

/// The token that the tests configure.
pub(crate) const TOKEN: &str = "hush-4711";

/// A received request.
#[derive(Clone, Debug)]
pub(crate) struct Purge {
    pub(crate) at: Instant,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
    /// What a visitor got at the moment of the request.
    pub(crate) seen: String,
}

impl Purge {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The keys of any kind of request; `all` for everything.
    pub(crate) fn keys(&self) -> BTreeSet<String> {
        if self.body.is_empty() {
            return self.header("surrogate-key").split(' ').map(str::to_owned).collect();
        }
        let body = self.json();
        let list = ["keys", "tags", "surrogate_keys"].into_iter().find_map(|name| body[name].as_array());
        match list {
            Some(keys) => keys.iter().map(|key| key.as_str().unwrap().to_owned()).collect(),
            None => ["all".to_owned()].into(),
        }
    }
}

/// How requests are responded to.
#[derive(Clone, Debug)]
pub(crate) enum FakeResponse {
    Status(u16),
    /// 429 with `Retry-After`, in seconds.
    RetryAfter(u32),
    /// 301 to this URL.
    Redirect(&'static str),
    /// 200 with this body.
    Body(&'static str),
    /// No response for a minute.
    Hang,
}

#[derive(Clone)]
pub(crate) struct FakeCache {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    response: Mutex<FakeResponse>,
    visitor: Mutex<Option<Client>>,
    purges: Mutex<Vec<Purge>>,
}

impl FakeCache {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let response = Mutex::new(FakeResponse::Body("{\"success\": true}"));
        let shared = Arc::new(Shared { response, visitor: Mutex::default(), purges: Mutex::default() });
        let router = Router::new().fallback(respond).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, shared }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn respond_with(&self, response: FakeResponse) {
        *self.shared.response.lock().unwrap() = response;
    }

    /// Requests the list of events as this visitor at each purge.
    pub(crate) fn look_as(&self, visitor: Client) {
        *self.shared.visitor.lock().unwrap() = Some(visitor);
    }

    pub(crate) fn purges(&self) -> Vec<Purge> {
        self.shared.purges.lock().unwrap().clone()
    }

    /// Forgets the requests.
    pub(crate) fn forget(&self) {
        self.shared.purges.lock().unwrap().clear();
    }

    /// All purged keys, `all` included.
    pub(crate) fn keys(&self) -> BTreeSet<String> {
        self.purges().iter().flat_map(Purge::keys).collect()
    }

    /// Waits for that many requests, for up to a minute, and returns them.
    pub(crate) async fn wait_for_purges(&self, count: usize) -> Vec<Purge> {
        self.wait_until("the purges", |purges| purges.len() >= count).await
    }

    /// Waits until this key is purged, for up to a minute.
    pub(crate) async fn wait_for_key(&self, key: &str) {
        self.wait_until(key, |purges| purges.iter().any(|purge| purge.keys().contains(key))).await;
    }

    async fn wait_until(&self, what: &str, found: impl Fn(&[Purge]) -> bool) -> Vec<Purge> {
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            let purges = self.purges();
            if found(&purges) {
                return purges;
            }
            assert!(Instant::now() < deadline, "{what} did not arrive: {purges:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

async fn respond(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let at = Instant::now();
    let visitor = shared.visitor.lock().unwrap().clone();
    let seen = match visitor {
        Some(visitor) => visitor.get("/api/events").await.text(),
        None => String::new(),
    };
    let (method, path) = (method.to_string(), uri.to_string());
    let body = String::from_utf8(body.to_vec()).unwrap();
    shared.purges.lock().unwrap().push(Purge { at, method, path, headers, body, seen });
    let response = shared.response.lock().unwrap().clone();
    match response {
        FakeResponse::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        FakeResponse::RetryAfter(seconds) => {
            (StatusCode::TOO_MANY_REQUESTS, [("retry-after", seconds.to_string())]).into_response()
        }
        FakeResponse::Redirect(url) => (StatusCode::MOVED_PERMANENTLY, [("location", url)]).into_response(),
        FakeResponse::Body(body) => body.into_response(),
        FakeResponse::Hang => {
            tokio::time::sleep(Duration::from_mins(1)).await;
            StatusCode::OK.into_response()
        }
    }
}
