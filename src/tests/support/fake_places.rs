//! A fake of the Google Places endpoints that lectern uses, on 127.0.0.1.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, StatusCode, Uri};
use serde_json::{Value, json};

use crate::platform::config::{Config, Secret};

/// The key that the fake expects.
pub(crate) const KEY: &str = "hush-4711";

/// The response of one of the two endpoints.
#[derive(Clone)]
pub(crate) enum ProviderResponse {
    /// Status and body.
    Status(u16, String),
    /// A redirect to a URL.
    Redirect(String),
    /// No response for a minute.
    Hang,
}

/// The provider.
#[derive(Clone)]
pub(crate) struct FakePlaces {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    details: Mutex<ProviderResponse>,
    media: Mutex<ProviderResponse>,
    requests: Mutex<Vec<String>>,
}

/// A place with one photo.
pub(crate) fn place() -> Value {
    json!({ "photos": [{
        "name": "places/place-1/photos/photo-1",
        "widthPx": 4032,
        "authorAttributions": [{ "displayName": "Ada Obi", "uri": "//maps.google.com/maps/contrib/1" }],
    }] })
}

impl FakePlaces {
    /// A provider with one photo for every place.
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let media = json!({ "name": "x", "photoUri": "https://lh3.example.com/photo-1=w1600" });
        let shared = Arc::new(Shared {
            details: Mutex::new(ProviderResponse::Status(200, place().to_string())),
            media: Mutex::new(ProviderResponse::Status(200, media.to_string())),
            requests: Mutex::default(),
        });
        let router = Router::new().fallback(respond).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, shared }
    }

    /// A configuration for this provider.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::default();
        config.places.base_url = format!("http://{}", self.address).parse().unwrap();
        config.places.server_key = Secret::new(KEY);
        config
    }

    /// Sets the response for place details.
    pub(crate) fn respond_with(&self, response: ProviderResponse) {
        *self.shared.details.lock().unwrap() = response;
    }

    /// Sets the response for photo media.
    pub(crate) fn respond_to_photo_with(&self, response: ProviderResponse) {
        *self.shared.media.lock().unwrap() = response;
    }

    /// The received requests, as `path?query`.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// How often a place was looked up.
    pub(crate) fn lookups(&self) -> usize {
        self.requests().iter().filter(|target| !target.contains("/media")).count()
    }
}

async fn respond(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Response {
    let target = uri.path_and_query().unwrap().to_string();
    let has = |name: &str, value: &str| headers.get(name).is_some_and(|sent| sent == value);
    let allowed = has("x-goog-api-key", KEY) && has("x-goog-fieldmask", "photos");
    shared.requests.lock().unwrap().push(target.clone());
    if !allowed {
        return StatusCode::FORBIDDEN.into_response();
    }
    // Long enough for concurrent requests to arrive.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let response = if target.contains("/media") { &shared.media } else { &shared.details };
    let response = response.lock().unwrap().clone();
    match response {
        ProviderResponse::Status(status, body) => {
            (StatusCode::from_u16(status).unwrap(), [(CONTENT_TYPE, "application/json")], body).into_response()
        }
        ProviderResponse::Redirect(url) => (StatusCode::FOUND, [(LOCATION, url)]).into_response(),
        ProviderResponse::Hang => {
            tokio::time::sleep(Duration::from_mins(1)).await;
            StatusCode::OK.into_response()
        }
    }
}
