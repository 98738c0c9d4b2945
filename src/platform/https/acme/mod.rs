//! Certificates by ACME (RFC 8555): an account, an order, its challenges, and the authority's renewal
//! information (ARI, RFC 9773).

mod error;
mod http;
mod store;

use std::time::Duration;

use chrono::{DateTime, Utc};
use instant_acme::{
    Account, AccountCredentials, AuthorizationStatus, CertificateIdentifier, Identifier, NewAccount, NewOrder, Order,
    OrderStatus, RetryPolicy,
};
use serde::{Deserialize, Serialize};

use super::certificate::{Certificate, request};
use super::challenges::{ChallengeKind, Challenges, PublishedChallenge};
use crate::platform::config::{Domain, Https, OutgoingNetwork};
use crate::platform::error::ErrorChain;

pub use error::AcmeError;
pub use store::{LastAttempt, Store};

use error::Kind;
use http::Http;

/// How long an authority may take to validate all domains, and to issue the certificate.
const POLLS: RetryPolicy =
    RetryPolicy::new().initial_delay(Duration::from_millis(250)).backoff(1.5).timeout(Duration::from_mins(2));
/// The time for all requests of an attempt.
const ATTEMPT_TIMEOUT: Duration = Duration::from_mins(8);

/// A certificate authority with the account of this server.
#[derive(Debug)]
pub struct Authority {
    directory_url: String,
    /// For messages.
    host: String,
    domains: Vec<Domain>,
    email: Option<String>,
    profile: Option<String>,
    /// The kinds of challenges that can succeed.
    challenges: Vec<ChallengeKind>,
    store: Store,
    http: Http,
}

#[derive(Serialize, Deserialize)]
struct StoredAccount {
    email: Option<String>,
    credentials: AccountCredentials,
}

/// The time in which an authority suggests a renewal (RFC 9773 §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub start: DateTime<Utc>,
    pub end: DateTime<Utc>,
}

/// A certificate that was issued.
#[derive(Debug)]
pub struct Issued {
    pub certificate: Certificate,
    /// Its key and its chain.
    pub(super) pem: String,
    /// The challenge with which it was issued.
    pub challenge: ChallengeKind,
}

impl Issued {
    /// Stores it.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn save(&self, store: &Store) -> Result<(), AcmeError> {
        store.save_certificate(&self.pem).map_err(AcmeError::from_storage)
    }
}

impl Authority {
    /// The authority of the configuration. `http`: whether plain HTTP is served, which HTTP-01 needs.
    pub fn new(config: &Https, network: &OutgoingNetwork, store: Store, http: bool) -> Self {
        let directory_url = config.directory_url.to_string();
        let host = url::Url::parse(&directory_url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let challenges =
            if http { vec![ChallengeKind::Http01, ChallengeKind::TlsAlpn01] } else { vec![ChallengeKind::TlsAlpn01] };
        Self {
            host: host.unwrap_or_default(),
            directory_url,
            domains: config.domains.clone(),
            email: config.email.clone(),
            profile: config.profile.clone(),
            challenges,
            store,
            http: Http::new(&config.network(network)),
        }
    }

    /// The settings that decide whether an attempt succeeds, as one text.
    pub fn settings(&self) -> String {
        let domains: Vec<&str> = self.domains.iter().map(Domain::as_str).collect();
        let text = |option: &Option<String>| option.clone().unwrap_or_default();
        format!("{} {} {} {}", self.directory_url, domains.join(","), text(&self.email), text(&self.profile))
    }

    /// Requests a certificate. `replaced` is the one that it renews, if the authority suggests when to, and `first` the
    /// challenge to begin with.
    ///
    /// # Errors
    /// Why it was not issued.
    pub async fn issue(
        &self,
        challenges: &Challenges,
        replaced: Option<&Certificate>,
        first: Option<ChallengeKind>,
    ) -> Result<Issued, AcmeError> {
        self.http.begin();
        let issue = self.issue_with_any_challenge(challenges, replaced, first);
        let result = tokio::time::timeout(ATTEMPT_TIMEOUT, issue).await.unwrap_or_else(|_| {
            let text = format!("The certificate authority {} takes too long to issue the certificate", self.host);
            Err(AcmeError::new(text))
        });
        result.map_err(|failure| AcmeError { retry_after: self.http.retry_after(), ..failure })
    }

    async fn issue_with_any_challenge(
        &self,
        challenges: &Challenges,
        replaced: Option<&Certificate>,
        first: Option<ChallengeKind>,
    ) -> Result<Issued, AcmeError> {
        let mut kinds = self.challenges.clone();
        kinds.sort_by_key(|kind| Some(*kind) != first);
        let mut replaced = replaced.and_then(Certificate::id);
        let mut account = self.account().await?;
        let (mut at, mut is_new_account) = (0, false);
        loop {
            let failure = match self.order(&account, challenges, replaced.clone(), kinds[at]).await {
                Ok(issued) => return Ok(issued),
                Err(failure) => failure,
            };
            match failure.kind {
                // An authority that was reset, or an account that was removed there.
                Kind::Account if !is_new_account => {
                    self.store.delete_account().map_err(AcmeError::from_storage)?;
                    account = self.account().await?;
                    is_new_account = true;
                }
                // The certificate was replaced already, or by another account.
                Kind::Rejected if replaced.is_some() => replaced = None,
                Kind::Validation if at + 1 < kinds.len() => at += 1,
                _ => return Err(failure),
            }
            tracing::warn!(error = %ErrorChain(&failure), "another attempt to get a certificate follows at once");
        }
    }

    /// The account of this server, which is created if it does not exist.
    async fn account(&self) -> Result<Account, AcmeError> {
        let contact: Vec<String> = self.email.iter().map(|email| format!("mailto:{email}")).collect();
        let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
        let builder = Account::builder_with_http(Box::new(self.http.clone()));
        let stored = self.store.account::<StoredAccount>();
        let (account, credentials) = if let Some(StoredAccount { email, credentials }) = stored {
            // The credentials are consumed, and can't be cloned.
            let copy = self.store.account::<StoredAccount>().map(|account| account.credentials);
            let account = builder.from_credentials(credentials).await.map_err(|error| self.failure(error))?;
            if email == self.email {
                return Ok(account);
            }
            account.update_contacts(&contact).await.map_err(|error| self.failure(error))?;
            let Some(credentials) = copy else { return Ok(account) };
            (account, credentials)
        } else {
            let new = NewAccount { contact: &contact, terms_of_service_agreed: true, only_return_existing: false };
            builder.create(&new, self.directory_url.clone(), None).await.map_err(|error| self.failure(error))?
        };
        let stored = StoredAccount { email: self.email.clone(), credentials };
        self.store.save_account(&stored).map_err(AcmeError::from_storage)?;
        Ok(account)
    }

    /// One order with one kind of challenge.
    async fn order(
        &self,
        account: &Account,
        challenges: &Challenges,
        replaces: Option<CertificateIdentifier<'static>>,
        kind: ChallengeKind,
    ) -> Result<Issued, AcmeError> {
        let failed = |error| self.failure(error);
        let identifiers: Vec<Identifier> =
            self.domains.iter().map(|domain| Identifier::Dns(domain.as_str().to_owned())).collect();
        let mut new = NewOrder::new(&identifiers);
        if let Some(profile) = &self.profile {
            if !account.profiles().any(|offered| offered.name == profile) {
                let mut offered: Vec<&str> = account.profiles().map(|offered| offered.name).collect();
                offered.sort_unstable();
                return Err(self.unknown_profile(profile, &offered));
            }
            new = new.profile(profile);
        }
        if let Some(id) = replaces {
            new = new.replaces(id);
        }
        let mut order = account.new_order(&new).await.map_err(failed)?;
        let published = self.publish_challenges(&mut order, challenges, kind).await?;
        if order.state().status != OrderStatus::Ready {
            match order.poll_ready(&POLLS).await {
                Ok(OrderStatus::Ready) => {}
                Ok(_) => return Err(self.validation_failure(&mut order, kind, None).await),
                Err(instant_acme::Error::Api(problem)) => {
                    return Err(self.validation_failure(&mut order, kind, Some(problem)).await);
                }
                Err(error) => return Err(failed(error)),
            }
        }
        drop(published);
        let (key, csr) =
            request(&self.domains).map_err(|error| AcmeError::new("No private key could be made").caused_by(error))?;
        order.finalize_csr(&csr).await.map_err(failed)?;
        let chain = order.poll_certificate(&POLLS).await.map_err(failed)?;
        let certificate = Certificate::from_pem(chain.as_bytes(), key.as_bytes()).map_err(|error| {
            let text = format!("The certificate of the authority {} {error}", self.host);
            AcmeError::new(text).caused_by(error)
        })?;
        if let Some(domain) = certificate.missing(&self.domains) {
            let text = format!("The certificate of the authority {} is not valid for {domain}", self.host);
            return Err(AcmeError::new(text));
        }
        Ok(Issued { certificate, pem: key + &chain, challenge: kind })
    }

    /// Publishes the responses to the challenges of all domains that the authority has not validated lately.
    async fn publish_challenges(
        &self,
        order: &mut Order,
        challenges: &Challenges,
        kind: ChallengeKind,
    ) -> Result<Vec<PublishedChallenge>, AcmeError> {
        let failed = |error| self.failure(error);
        let mut published = Vec::new();
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization.map_err(failed)?;
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let domain = authorization.identifier().to_string();
            let Some(mut challenge) = authorization.challenge(kind.acme()) else {
                let text =
                    format!("The certificate authority {} does not check {domain} with {}", self.host, kind.name());
                return Err(AcmeError { kind: Kind::Validation, ..AcmeError::new(text) });
            };
            let response = challenges.publish(kind, &domain, &challenge.token, &challenge.key_authorization());
            published.push(response.map_err(|error| AcmeError::new("A challenge can't be prepared").caused_by(error))?);
            challenge.set_ready().await.map_err(|error| match error {
                instant_acme::Error::Api(problem) => {
                    AcmeError::from_problem(&problem, Some((&domain, kind)), &self.host)
                }
                error => failed(error),
            })?;
        }
        Ok(published)
    }

    /// Which domain could not be validated, and why. Orders do not always contain the reason.
    async fn validation_failure(
        &self,
        order: &mut Order,
        kind: ChallengeKind,
        problem: Option<instant_acme::Problem>,
    ) -> AcmeError {
        let mut authorizations = order.authorizations();
        while let Some(Ok(mut authorization)) = authorizations.next().await {
            let domain = authorization.identifier().to_string();
            let Ok(state) = authorization.refresh().await else { continue };
            if let Some(problem) = state.challenges.iter().find_map(|challenge| challenge.error.as_ref()) {
                return AcmeError::from_problem(problem, Some((&domain, kind)), &self.host);
            }
        }
        let failure = if let Some(problem) = problem {
            AcmeError::from_problem(&problem, None, &self.host)
        } else {
            let text = format!("The certificate authority {} could not check the domains", self.host);
            AcmeError::new(text)
        };
        AcmeError { kind: Kind::Validation, ..failure }
    }

    /// The renewal information (ARI): when the authority suggests renewing, and the time after which to request it again;
    /// `None` if it has no suggestions.
    ///
    /// # Errors
    /// It did not respond.
    pub async fn renewal_window(&self, certificate: &Certificate) -> Result<Option<(Window, Duration)>, AcmeError> {
        let Some(id) = certificate.id() else { return Ok(None) };
        let account = self.account().await?;
        let (info, wait) = match account.renewal_info(&id).await {
            Err(instant_acme::Error::Unsupported(_)) => return Ok(None),
            result => result.map_err(|error| self.failure(error))?,
        };
        let instant = |time: time::OffsetDateTime| DateTime::from_timestamp(time.unix_timestamp(), 0);
        let window = info.suggested_window;
        let (Some(start), Some(end)) = (instant(window.start), instant(window.end)) else { return Ok(None) };
        if let Some(url) = info.explanation_url {
            tracing::info!(url, "the certificate authority explained its suggested renewal time");
        }
        Ok(Some((Window { start, end }, wait)))
    }

    fn unknown_profile(&self, profile: &str, offered: &[&str]) -> AcmeError {
        let help = if offered.is_empty() {
            "leave https.profile blank".to_owned()
        } else {
            format!("set https.profile to one of {}", offered.join(", "))
        };
        let text = format!("The certificate authority {} does not offer the profile {profile}; {help}", self.host);
        AcmeError::new(text)
    }

    fn failure(&self, error: instant_acme::Error) -> AcmeError {
        AcmeError::from_acme(error, &self.host)
    }
}
