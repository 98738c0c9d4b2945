//! HTTP client of the provider: URLs, credentials, retries and JSON bodies.

mod error;
mod fetch;
mod json_stream;
mod list;
mod page;
mod probe;
mod request_budget;
mod retry;
mod secrets;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use serde_json::Value;
use url::Url;

pub use error::ProviderError;
use request_budget::RequestBudget;
use retry::ResponseBody;

pub(super) use fetch::{FetchState, FetchedList, Interruption, ResumeState, fetch};
pub use probe::{Probe, ResponseField, probe};
pub(super) use secrets::Secrets;

use super::mapping::first_value;
use crate::platform::config::brandlive::CredentialsMode;
use crate::platform::config::{Brandlive, OutgoingNetwork, Secret};
use crate::platform::http_client;

/// The largest response body, enough for a list of thousands of events.
const MAX_BODY_MB: u64 = 16;
/// The same in bytes.
const MAX_BODY: u64 = MAX_BODY_MB * 1024 * 1024;
/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The requests of one sync. It blocks, so it belongs on the blocking pool.
pub(super) struct Client<'c> {
    config: &'c Brandlive,
    agent: ureq::Agent,
    base: Url,
    started: Instant,
    bearer: Option<String>,
    secrets: Secrets,
    budget: RefCell<RequestBudget>,
}

impl<'c> Client<'c> {
    /// Makes a client; [`Self::sign_in`] comes before the other requests.
    fn new(config: &'c Brandlive, network: &OutgoingNetwork, budget: RequestBudget) -> Result<Self, ProviderError> {
        let agent = network.agent(
            http_client::api_config(CONNECT_TIMEOUT).user_agent(concat!("lectern/", env!("CARGO_PKG_VERSION"))).build(),
        );
        let base = Url::parse(config.base_url.as_str())
            .map_err(|source| ProviderError::InvalidUrl { setting: "base_url", source })?;
        let budget = RefCell::new(budget);
        let secrets = Secrets::new(config, None);
        Ok(Self { config, agent, base, started: Instant::now(), bearer: None, secrets, budget })
    }

    /// Sets the bearer token; in the credentials mode `token` it is requested first.
    fn sign_in(&mut self) -> Result<(), ProviderError> {
        match self.config.credentials.mode {
            CredentialsMode::Bearer => self.bearer = self.config.api_key.as_ref().map(|key| key.reveal().to_owned()),
            CredentialsMode::Token => self.bearer = Some(self.fetch_token()?),
            _ => {}
        }
        self.secrets = Secrets::new(self.config, self.bearer.as_deref());
        Ok(())
    }

    /// The URL of a configured path.
    fn url(&self, path: &str) -> Result<Url, ProviderError> {
        let url = format!("{}{path}", self.base.as_str().trim_end_matches('/'));
        Url::parse(&url).map_err(|source| ProviderError::InvalidUrl { setting: "a path", source })
    }

    /// The body at a URL, with retries while there is time.
    fn get(&self, url: &Url, max_attempts: u32) -> Result<ResponseBody, ProviderError> {
        let (key, secret) = self.key_and_secret();
        let credentials = &self.config.credentials;
        let mut url = self.without_credentials(url);
        if credentials.mode == CredentialsMode::Query {
            let mut pairs = url.query_pairs_mut();
            pairs.append_pair(&credentials.key_name, key);
            if !credentials.secret_name.is_empty() && !secret.is_empty() {
                pairs.append_pair(&credentials.secret_name, secret);
            }
        }
        self.send_with_retries(url.path(), max_attempts, |timeout| {
            let mut request = self.agent.get(url.as_str()).header("accept", "application/json");
            match credentials.mode {
                CredentialsMode::Headers => {
                    request = request.header(&credentials.key_name, key);
                    if !credentials.secret_name.is_empty() && !secret.is_empty() {
                        request = request.header(&credentials.secret_name, secret);
                    }
                }
                CredentialsMode::Basic => {
                    let pair = STANDARD.encode(format!("{key}:{secret}"));
                    request = request.header("authorization", format!("Basic {pair}"));
                }
                CredentialsMode::BasicPlain => {
                    request = request.header("authorization", format!("Basic {key}:{secret}"));
                }
                CredentialsMode::Bearer | CredentialsMode::Token => {
                    let token = self.bearer.as_deref().unwrap_or_default();
                    request = request.header("authorization", format!("Bearer {token}"));
                }
                CredentialsMode::Query => {}
            }
            request.config().timeout_global(Some(timeout)).build().call()
        })
    }

    /// A URL without the key and the secret, which a next URL from the provider may contain.
    fn without_credentials(&self, url: &Url) -> Url {
        let credentials = &self.config.credentials;
        let mut url = url.clone();
        if credentials.mode == CredentialsMode::Query {
            let others: Vec<(String, String)> = url
                .query_pairs()
                .filter(|(name, _)| *name != credentials.key_name && *name != credentials.secret_name)
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect();
            url.query_pairs_mut().clear().extend_pairs(others);
        }
        url
    }

    fn fetch_token(&self) -> Result<String, ProviderError> {
        let path = &self.config.credentials.token_path.0;
        let url = self.url(path)?;
        let (content_type, body) = self.token_body();
        let response = self.send_with_retries(path, u32::MAX, |timeout| {
            let request = self.agent.post(url.as_str()).header("accept", "application/json");
            request.content_type(content_type).config().timeout_global(Some(timeout)).build().send(&body)
        })?;
        let json = parse(path, response.json())?;
        let token = first_value(&[&json], &self.config.credentials.token).and_then(Value::as_str).map(str::trim);
        let token = token.ok_or_else(|| ProviderError::NoToken { path: path.clone() })?;
        HeaderValue::try_from(token).map_err(|source| ProviderError::InvalidToken { path: path.clone(), source })?;
        Ok(token.to_owned())
    }

    /// Content type and body of the token request: JSON if the setting is JSON, else a form.
    fn token_body(&self) -> (&'static str, String) {
        let (key, secret) = self.key_and_secret();
        let template = &self.config.credentials.token_body;
        if let Ok(mut json) = serde_json::from_str::<Value>(template) {
            replace_placeholders(&mut json, key, secret);
            return ("application/json", json.to_string());
        }
        let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let form = template.replace("{key}", &encoded(key)).replace("{secret}", &encoded(secret));
        ("application/x-www-form-urlencoded", form)
    }

    fn key_and_secret(&self) -> (&str, &str) {
        let reveal = |secret: &'c Option<Secret>| secret.as_ref().map(Secret::reveal).unwrap_or_default();
        (reveal(&self.config.api_key), reveal(&self.config.api_secret))
    }
}

fn parse(path: &str, body: &[u8]) -> Result<Value, ProviderError> {
    serde_json::from_slice(body).map_err(|source| ProviderError::invalid_json(path, body, source))
}

fn replace_placeholders(json: &mut Value, key: &str, secret: &str) {
    match json {
        Value::String(text) => *text = text.replace("{key}", key).replace("{secret}", secret),
        Value::Array(list) => list.iter_mut().for_each(|inner| replace_placeholders(inner, key, secret)),
        Value::Object(map) => map.values_mut().for_each(|inner| replace_placeholders(inner, key, secret)),
        _ => {}
    }
}
