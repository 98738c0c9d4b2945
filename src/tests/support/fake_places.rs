//! Google Places as far as lectern speaks to it, on an address of this machine.

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

/// What the fake answers to one of its two calls.
#[derive(Clone)]
pub(crate) enum Answer {
    /// Status and body.
    Sends(u16, String),
    /// A redirect to an address.
    Redirects(String),
    /// Nothing for a minute.
    Hangs,
}

/// The provider.
#[derive(Clone)]
pub(crate) struct FakePlaces {
    address: SocketAddr,
    inside: Arc<Inside>,
}

struct Inside {
    details: Mutex<Answer>,
    media: Mutex<Answer>,
    asked: Mutex<Vec<String>>,
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
    /// A provider that knows one photo for every place.
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let media = json!({ "name": "x", "photoUri": "https://lh3.example.com/photo-1=w1600" });
        let inside = Arc::new(Inside {
            details: Mutex::new(Answer::Sends(200, place().to_string())),
            media: Mutex::new(Answer::Sends(200, media.to_string())),
            asked: Mutex::default(),
        });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&inside));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, inside }
    }

    /// Settings of a server that asks this provider.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::default();
        config.places.base_url = format!("http://{}", self.address).parse().unwrap();
        config.places.server_key = Secret::new(KEY);
        config
    }

    /// What it answers when it is asked for a place from now on.
    pub(crate) fn answers(&self, answer: Answer) {
        *self.inside.details.lock().unwrap() = answer;
    }

    /// What it answers when it is asked for a photo from now on.
    pub(crate) fn answers_for_photo(&self, answer: Answer) {
        *self.inside.media.lock().unwrap() = answer;
    }

    /// Everything that it was asked, as `path?query`.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.inside.asked.lock().unwrap().clone()
    }

    /// How often a place was looked up.
    pub(crate) fn look_ups(&self) -> usize {
        self.asked().iter().filter(|call| !call.contains("/media")).count()
    }
}

async fn answer(State(inside): State<Arc<Inside>>, uri: Uri, headers: HeaderMap) -> Response {
    let call = uri.path_and_query().unwrap().to_string();
    let asks = |name: &str, value: &str| headers.get(name).is_some_and(|sent| sent == value);
    let allowed = asks("x-goog-api-key", KEY) && asks("x-goog-fieldmask", "photos");
    inside.asked.lock().unwrap().push(call.clone());
    if !allowed {
        return StatusCode::FORBIDDEN.into_response();
    }
    // Long enough for others to come in the meantime.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let wanted = if call.contains("/media") { &inside.media } else { &inside.details };
    let wanted = wanted.lock().unwrap().clone();
    match wanted {
        Answer::Sends(status, body) => {
            (StatusCode::from_u16(status).unwrap(), [(CONTENT_TYPE, "application/json")], body).into_response()
        }
        Answer::Redirects(address) => (StatusCode::FOUND, [(LOCATION, address)]).into_response(),
        Answer::Hangs => {
            tokio::time::sleep(Duration::from_mins(1)).await;
            StatusCode::OK.into_response()
        }
    }
}
