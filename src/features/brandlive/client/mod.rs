//! Speaking to the provider: only its addresses, its credentials and bytes of JSON. Nothing that this
//! says or logs holds a key, a query string or a part of an answer.

mod listing;
mod outline;
mod probe;
mod retry;

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use url::Url;

pub(super) use listing::{Listing, fetch};
pub use probe::{Key, Probe, probe};

use crate::platform::config::brandlive::{CredentialsWay, Pointer};
use crate::platform::config::{Brandlive, Secret};

/// The largest answer in bytes: a listing of thousands of events fits, and not much more.
const LARGEST: u64 = 16 * 1024 * 1024;
/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// How the sentence about a 404 ends.
const NOT_THERE: &str = "(404); check the paths under [brandlive]";

/// A sentence for the operator, without a full stop.
pub(super) type Said = String;

/// One sync's calls to the provider. It blocks, so it belongs on the blocking pool.
pub(super) struct Client<'c> {
    config: &'c Brandlive,
    agent: ureq::Agent,
    base: Url,
    begun: Instant,
    bearer: Option<String>,
}

impl<'c> Client<'c> {
    /// Makes a client and, where the credentials are exchanged for a token, exchanges them.
    pub(super) fn start(config: &'c Brandlive) -> Result<Self, Said> {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(CONNECT))
            .user_agent(concat!("lectern/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let base = Url::parse(config.base_url.as_str()).map_err(|_| "base_url under [brandlive] can't be read")?;
        let mut client = Self { config, agent, base, begun: Instant::now(), bearer: None };
        match config.credentials.way {
            CredentialsWay::Bearer => client.bearer = config.api_key.as_ref().map(|key| key.reveal().to_owned()),
            CredentialsWay::Token => client.bearer = Some(client.exchange()?),
            _ => {}
        }
        Ok(client)
    }

    /// The address of a path of the settings.
    fn address(&self, path: &str) -> Result<Url, Said> {
        let whole = format!("{}{path}", self.base.as_str().trim_end_matches('/'));
        Url::parse(&whole).map_err(|_| "a path under [brandlive] can't be read".to_owned())
    }

    /// The answer at an address, after as many tries as there is time for.
    fn get(&self, address: &Url) -> Result<Vec<u8>, Said> {
        let (key, secret) = self.pair();
        let way = self.config.credentials.way;
        let mut address = address.clone();
        let names = &self.config.credentials;
        if way == CredentialsWay::Query {
            // An address of the provider's making may hold them already.
            let others: Vec<(String, String)> = address
                .query_pairs()
                .filter(|(name, _)| *name != names.key_name && *name != names.secret_name)
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect();
            let mut pairs = address.query_pairs_mut();
            pairs.clear().extend_pairs(others).append_pair(&names.key_name, key);
            if !names.secret_name.is_empty() && !secret.is_empty() {
                pairs.append_pair(&names.secret_name, secret);
            }
        }
        self.tried(address.path(), |limit| {
            let mut request = self.agent.get(address.as_str()).header("accept", "application/json");
            match way {
                CredentialsWay::Headers => {
                    request = request.header(&names.key_name, key);
                    if !names.secret_name.is_empty() && !secret.is_empty() {
                        request = request.header(&names.secret_name, secret);
                    }
                }
                CredentialsWay::Basic => {
                    let pair = STANDARD.encode(format!("{key}:{secret}"));
                    request = request.header("authorization", format!("Basic {pair}"));
                }
                CredentialsWay::Bearer | CredentialsWay::Token => {
                    let token = self.bearer.as_deref().unwrap_or_default();
                    request = request.header("authorization", format!("Bearer {token}"));
                }
                CredentialsWay::Query => {}
            }
            request.config().timeout_global(Some(limit)).build().call()
        })
    }

    fn exchange(&self) -> Result<String, Said> {
        let path = &self.config.credentials.token_path.0;
        let address = self.address(path)?;
        let (kind, body) = self.token_body();
        let answer = self.tried(path, |limit| {
            let request = self.agent.post(address.as_str()).header("accept", "application/json");
            request.content_type(kind).config().timeout_global(Some(limit)).build().send(&body)
        })?;
        let answer: Value = serde_json::from_slice(&answer).map_err(|_| not_json(path, &answer))?;
        first(&[&answer], &self.config.credentials.token)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .ok_or_else(|| format!("Brandlive's answer to {path} holds no token where [brandlive.credentials] says"))
    }

    /// What is sent for a token: JSON where the setting is JSON, else a form.
    fn token_body(&self) -> (&'static str, String) {
        let (key, secret) = self.pair();
        let template = &self.config.credentials.token_body;
        if let Ok(mut json) = serde_json::from_str::<Value>(template) {
            fill(&mut json, key, secret);
            return ("application/json", json.to_string());
        }
        let quoted = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let form = template.replace("{key}", &quoted(key)).replace("{secret}", &quoted(secret));
        ("application/x-www-form-urlencoded", form)
    }

    fn pair(&self) -> (&str, &str) {
        let reveal = |secret: &'c Option<Secret>| secret.as_ref().map(Secret::reveal).unwrap_or_default();
        (reveal(&self.config.api_key), reveal(&self.config.api_secret))
    }
}

fn fill(json: &mut Value, key: &str, secret: &str) {
    match json {
        Value::String(text) => *text = text.replace("{key}", key).replace("{secret}", secret),
        Value::Array(list) => list.iter_mut().for_each(|inner| fill(inner, key, secret)),
        Value::Object(map) => map.values_mut().for_each(|inner| fill(inner, key, secret)),
        _ => {}
    }
}

/// The first of these places, in the first of these values, that is there and not null.
pub(super) fn first<'v>(values: &[&'v Value], places: &[Pointer]) -> Option<&'v Value> {
    places
        .iter()
        .flat_map(|place| values.iter().map(move |value| value.pointer(&place.0)))
        .flatten()
        .find(|value| !value.is_null())
}

/// Why an answer that came whole is of no use.
fn not_json(path: &str, answer: &[u8]) -> Said {
    if answer.trim_ascii_start().starts_with(b"<") {
        format!(
            "Brandlive answered {path} with a web page instead of JSON; check base_url and the paths under [brandlive]"
        )
    } else if answer.trim_ascii().is_empty() {
        format!("Brandlive's answer to {path} is empty")
    } else {
        format!("Brandlive's answer to {path} is broken: it is not whole JSON")
    }
}
