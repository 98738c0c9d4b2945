//! The certificate of HTTPS: requested and renewed by ACME, or read again when its files change.

use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use crate::platform::clock::minute_utc;
use crate::platform::config::Domain;
use crate::platform::error::ErrorChain;
use crate::platform::health::Problem;
use crate::platform::https::acme::{AcmeError, Authority, Issued, Window};
use crate::platform::https::renewal::{self, RequestReason};
use crate::platform::https::{Certificate, CertificateFiles, LastAttempt, Store, Tls};
use crate::platform::state::AppState;

/// The longest time until the clock is read again, which may be set in between.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// The interval between two checks of the files of a certificate.
const FILE_INTERVAL: Duration = Duration::from_secs(5);
/// The interval between two attempts to request the suggested renewal time, if the authority does not respond.
const SUGGESTION_RETRY: Duration = Duration::from_hours(1);
/// A problem with this topic replaces the one reported before.
const TOPIC: &str = "certificate";
const REPLACE_FILES: &str = "replace the files https.certificate and https.key";

/// Keeps the certificate valid until the server stops. `is_reload`: the operator reloaded the configuration, which
/// triggers an attempt at once even if one has just failed.
pub async fn maintain_certificate(app: AppState, is_reload: bool) {
    let Some(tls) = app.tls.clone() else { return };
    match app.config.https.files() {
        Some(files) => watch_files(&app, &tls, CertificateFiles::new(files, &app.config.https.domains)).await,
        None => Renewal::new(&app, tls).run(is_reload).await,
    }
}

/// Uses changed files. Those that can't be used are reported, and change nothing.
async fn watch_files(app: &AppState, tls: &Tls, mut files: CertificateFiles) {
    let mut rejected = None;
    let mut first = true;
    loop {
        let read = tokio::task::spawn_blocking(move || {
            // At the start and after a reload the files are complete.
            let result = if first { Some(files.load()) } else { files.reload() };
            (result, files)
        });
        // Only a panic ends it.
        let Ok((result, back)) = read.await else { return };
        files = back;
        match result {
            Some(Ok(certificate)) => {
                rejected = None;
                if !first || certificate.not_after != tls.certificate().not_after {
                    let ends = ending(&certificate, app.clock.now());
                    tls.set_certificate(certificate);
                    if let Some(ends) = ends {
                        tracing::warn!("{ends}; {REPLACE_FILES}");
                    }
                }
            }
            Some(Err(error)) => {
                tls.count_failure();
                tracing::error!(
                    error = %ErrorChain(&error),
                    file = %error.path().display(),
                    "the changed certificate can't be used; the previous one stays in use"
                );
                rejected = Some(error.to_string());
            }
            None => {}
        }
        first = false;
        let current = tls.certificate();
        let problem = match (&rejected, ending(&current, app.clock.now())) {
            (Some(error), Some(ends)) => Some(format!("{error}; the previous certificate stays in use. {ends}")),
            (Some(error), None) => {
                Some(format!("{error}; the previous certificate stays in use, {}", valid_until(&current)))
            }
            (None, ends) => ends.map(|ends| format!("{ends}; {REPLACE_FILES}")),
        };
        app.health.report(TOPIC, problem.map(Problem::degraded));
        tokio::time::sleep(FILE_INTERVAL).await;
    }
}

/// Until when a certificate is valid, as a clause of a message.
fn valid_until(certificate: &Certificate) -> String {
    format!("which is valid until {}", minute_utc(certificate.not_after))
}

/// That a certificate has expired, is not valid yet, or expires within a sixth of its lifetime, at most two weeks.
pub fn ending(certificate: &Certificate, now: DateTime<Utc>) -> Option<String> {
    let at = minute_utc(certificate.not_after);
    let soon = (certificate.lifetime() / 6).min(TimeDelta::weeks(2));
    if now >= certificate.not_after {
        Some(format!("The certificate expired on {at}, and browsers reject it"))
    } else if now < certificate.not_before {
        Some("The certificate is not valid yet; check the clock of this machine".to_owned())
    } else if certificate.not_after - now < soon {
        Some(format!("The certificate expires on {at}"))
    } else {
        None
    }
}

/// The renewal of one certificate by ACME.
struct Renewal<'a> {
    app: &'a AppState,
    tls: Tls,
    domains: Vec<Domain>,
    store: Store,
    authority: Authority,
    settings: String,
    last_attempt: LastAttempt,
    window: Option<Window>,
    next_suggestion: Option<Instant>,
    /// Whether the current certificate is of this authority.
    is_own: bool,
    /// A certificate that could not be stored yet.
    unsaved: Option<Issued>,
}

impl<'a> Renewal<'a> {
    fn new(app: &'a AppState, tls: Tls) -> Self {
        let config = &app.config.https;
        let store = Store::new(app.db.path(), &config.directory_url.to_string());
        let http = config.redirect_listen.is_some();
        let authority = Authority::new(config, &app.config.network, store.clone(), http);
        let (settings, last_attempt) = (authority.settings(), store.last_attempt());
        Self {
            domains: config.domains.clone(),
            app,
            tls,
            store,
            authority,
            settings,
            last_attempt,
            window: None,
            next_suggestion: None,
            is_own: false,
            unsaved: None,
        }
    }

    async fn run(mut self, mut is_forced: bool) {
        self.use_stored();
        loop {
            self.save_unsaved();
            self.update_suggestion().await;
            let now = self.app.clock.now();
            match self.due(now) {
                Some(due) if is_forced || renewal::may_attempt(&self.last_attempt, &self.settings, now) => {
                    self.report_start();
                    self.attempt(due).await;
                }
                // Such as a list of domains that was corrected.
                None if self.unsaved.is_none() => self.clear_problem(),
                _ => {}
            }
            self.report();
            is_forced = false;
            tokio::time::sleep(self.time_to_next_attempt()).await;
        }
    }

    /// The certificate of this authority, which may differ from the current one after a reload of the configuration.
    fn use_stored(&mut self) {
        match self.store.certificate() {
            Ok(Some(stored)) => {
                if stored.not_after != self.tls.certificate().not_after {
                    self.tls.set_certificate(stored);
                }
                self.is_own = true;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(error = %ErrorChain(&error), "the stored certificate is requested again"),
        }
    }

    fn due(&self, now: DateTime<Utc>) -> Option<RequestReason> {
        if !self.is_own {
            return Some(RequestReason::Missing);
        }
        renewal::due(&self.tls.certificate(), &self.domains, self.window, &self.last_attempt, now)
    }

    fn time_to_next_attempt(&self) -> Duration {
        // A new certificate: the authority may suggest when to renew it.
        if self.is_own && self.next_suggestion.is_none() {
            return Duration::ZERO;
        }
        let now = self.app.clock.now();
        let next = self.last_attempt.next_attempt.filter(|_| self.due(now).is_some());
        next.and_then(|next| (next - now).to_std().ok()).map_or(MAX_WAIT, |left| left.min(MAX_WAIT))
    }

    /// Requests the suggested renewal time, in the interval that the authority chooses.
    async fn update_suggestion(&mut self) {
        let certificate = self.tls.certificate();
        if !self.is_own || self.next_suggestion.is_some_and(|at| Instant::now() < at) {
            return;
        }
        let wait = match self.authority.renewal_window(&certificate).await {
            Ok(Some((window, wait))) => {
                if self.window != Some(window) {
                    let at = renewal::renewal_time(&certificate, Some(window));
                    tracing::info!(at = %minute_utc(at), "the authority suggests when to renew");
                }
                self.window = Some(window);
                renewal::poll_interval(wait)
            }
            Ok(None) => {
                self.window = None;
                SUGGESTION_RETRY
            }
            // Two thirds of the lifetime, or the last suggestion, still apply.
            Err(failure) => {
                tracing::warn!(error = %ErrorChain(&failure), "the renewal time is unknown");
                SUGGESTION_RETRY
            }
        };
        self.next_suggestion = Some(Instant::now() + wait);
    }

    fn clear_problem(&mut self) {
        if self.last_attempt.problem.take().is_some() {
            self.save_last_attempt();
        }
    }

    fn save_last_attempt(&self) {
        if let Err(error) = self.store.save_last_attempt(&self.last_attempt) {
            tracing::warn!(%error, "the last attempt to get a certificate could not be stored");
        }
    }

    async fn attempt(&mut self, due: RequestReason) {
        tracing::info!(?due, domains = ?self.domains.iter().map(Domain::as_str).collect::<Vec<_>>(), "requesting a certificate");
        let current = self.tls.certificate();
        // Only of authorities that make suggestions.
        let replaced = (due == RequestReason::Renewal && self.window.is_some()).then_some(&current);
        // Before the request, so that a folder that can't be written does not use up the authority's limits.
        let saved = self.store.save_last_attempt(&self.last_attempt).map_err(AcmeError::from_storage);
        let issued = match saved {
            Ok(()) => self.authority.issue(self.tls.challenges(), replaced, self.last_attempt.challenge).await,
            Err(failure) => Err(failure),
        };
        let mut certificate = None;
        match issued {
            Ok(issued) => {
                certificate = Some(issued.certificate.clone());
                self.last_attempt = LastAttempt {
                    issued_at: Some(self.app.clock.now()),
                    challenge: Some(issued.challenge),
                    settings: self.settings.clone(),
                    ..LastAttempt::default()
                };
                (self.window, self.next_suggestion, self.is_own) = (None, None, true);
                self.unsaved = Some(issued);
                self.save_unsaved();
            }
            Err(failure) => self.fail(&failure),
        }
        self.save_last_attempt();
        // After the files, because a server that is stopped as soon as the certificate is seen must not request another.
        if let Some(certificate) = certificate {
            self.tls.set_certificate(certificate);
        }
    }

    fn fail(&mut self, failure: &AcmeError) {
        let now = self.app.clock.now();
        // Settings that were corrected begin with short intervals.
        let failures = if self.last_attempt.settings == self.settings { self.last_attempt.failures + 1 } else { 1 };
        let next = now + renewal::retry_delay(failures, failure.retry_after, random());
        tracing::error!(
            error = %ErrorChain(failure),
            next_attempt = %minute_utc(next),
            "the certificate was not issued"
        );
        self.tls.count_failure();
        self.last_attempt = LastAttempt {
            failures,
            failed_at: Some(now),
            next_attempt: Some(next),
            problem: Some(failure.problem.clone()),
            settings: self.settings.clone(),
            ..self.last_attempt.clone()
        };
    }

    fn save_unsaved(&mut self) {
        let Some(issued) = self.unsaved.take() else { return };
        if let Err(failure) = issued.save(&self.store) {
            tracing::error!(error = %ErrorChain(&failure), "the certificate could not be stored");
            self.last_attempt.problem = Some(failure.problem);
            self.unsaved = Some(issued);
        } else {
            self.last_attempt.problem = None;
        }
    }

    fn report_start(&self) {
        if self.tls.certificate().is_temporary() && self.last_attempt.problem.is_none() {
            let text = "There is no certificate yet; it is being requested";
            self.app.health.report(TOPIC, Some(Problem::degraded(text)));
        }
    }

    /// `degraded` even without any valid certificate: with 503, a balancer would send no traffic, without which the
    /// authority can't validate the domains.
    fn report(&self) {
        let now = self.app.clock.now();
        let certificate = self.tls.certificate();
        let problem = self.last_attempt.problem.as_ref();
        let problem = problem.map(|problem| describe(problem, &self.last_attempt, Some(&certificate), now));
        let problem = problem.or_else(|| ending(&certificate, now));
        self.app.health.report(TOPIC, problem.map(Problem::degraded));
    }
}

/// A problem with what it means for visitors, and when the next attempt is made.
pub fn describe(
    problem: &str,
    last_attempt: &LastAttempt,
    certificate: Option<&Certificate>,
    now: DateTime<Utc>,
) -> String {
    let until = |certificate: &Certificate| minute_utc(certificate.not_after);
    let state = match certificate.filter(|certificate| !certificate.is_temporary()) {
        None => "there is no certificate yet, and browsers reject the temporary one".to_owned(),
        Some(expired) if now >= expired.not_after => format!("the certificate expired on {}", until(expired)),
        Some(current) => format!("the current certificate is valid until {}", until(current)),
    };
    match last_attempt.next_attempt.filter(|next| *next > now) {
        Some(next) => {
            format!("{problem}; {state}; the next attempt is at {}, or after a reload", minute_utc(next))
        }
        None => format!("{problem}; {state}"),
    }
}

/// A number from 0 to 1.
fn random() -> f64 {
    f64::from(getrandom::u32().unwrap_or(0)) / f64::from(u32::MAX)
}
