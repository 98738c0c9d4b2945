//! When a certificate is renewed: after two thirds of its lifetime, or when the authority's renewal information (ARI)
//! suggests it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::acme::{LastAttempt, Window};
use super::certificate::Certificate;
use crate::platform::backoff::Backoff;
use crate::platform::config::Domain;

/// The intervals between two attempts. Let's Encrypt allows five failed validations an hour.
const BACKOFF: Backoff = Backoff::new(Duration::from_mins(1), Duration::from_hours(1));
/// The longest interval that the authority may request; a longer one is a mistake.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(7 * 24);
/// The shortest time between an issue and a renewal, so that a wrong suggestion or a wrong clock does not use up the
/// limits of the authority: for a suggestion, and for the end of the lifetime.
const MIN_SUGGESTED_AGE: TimeDelta = TimeDelta::hours(1);
const MIN_AGE: TimeDelta = TimeDelta::days(1);
/// The same for a lifetime that is shorter than six minutes, or negative.
const MIN_SHORT_AGE: TimeDelta = TimeDelta::minutes(1);
/// Limits of the interval between two requests for the suggestion (RFC 9773 §4.3.2).
const MIN_POLL: Duration = Duration::from_mins(1);
const MAX_POLL: Duration = Duration::from_hours(24);

/// Why a certificate is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestReason {
    /// There is only a temporary one.
    Missing,
    /// It is not valid for all domains.
    Domains,
    /// It expires soon, or the authority suggests replacing it.
    Renewal,
}

/// When a certificate is renewed: at a time in the suggested window, else after two thirds of its lifetime. Which time
/// it is differs between certificates, so that many servers do not renew at once.
pub fn renewal_time(certificate: &Certificate, window: Option<Window>) -> DateTime<Utc> {
    let part = |of: TimeDelta, share: f64| {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "seconds of a few months")]
        TimeDelta::seconds((of.num_seconds() as f64 * share) as i64)
    };
    match window {
        Some(Window { start, end }) if start < end => start + part(end - start, certificate.jitter),
        Some(Window { start, .. }) => start,
        None => certificate.not_before + part(certificate.lifetime(), (2.0 - certificate.jitter / 10.0) / 3.0),
    }
}

/// Whether a certificate must be requested now, and why.
pub fn due(
    certificate: &Certificate,
    domains: &[Domain],
    window: Option<Window>,
    last_attempt: &LastAttempt,
    now: DateTime<Utc>,
) -> Option<RequestReason> {
    if certificate.is_temporary() {
        return Some(RequestReason::Missing);
    }
    if certificate.missing(domains).is_some() {
        return Some(RequestReason::Domains);
    }
    let age = last_attempt.issued_at.filter(|at| *at <= now).map_or(TimeDelta::MAX, |at| now - at);
    let min_age = (certificate.lifetime() / 6).clamp(MIN_SHORT_AGE, MIN_AGE);
    let is_old = now >= renewal_time(certificate, None) && age >= min_age;
    let is_suggested =
        window.is_some_and(|window| now >= renewal_time(certificate, Some(window))) && age >= MIN_SUGGESTED_AGE;
    (is_old || is_suggested).then_some(RequestReason::Renewal)
}

/// Whether an attempt may be made after the failures of `last_attempt`, with these settings.
pub fn may_attempt(last_attempt: &LastAttempt, settings: &str, now: DateTime<Utc>) -> bool {
    let (Some(failed_at), Some(next)) = (last_attempt.failed_at, last_attempt.next_attempt) else { return true };
    // A failure time in the future is ignored.
    last_attempt.settings != settings || now >= next || now < failed_at
}

/// The time until the next attempt after this number of failures in a row, at least as long as the authority requests,
/// and up to a fifth of the back-off longer. `random` is from 0 to 1.
pub fn retry_delay(failures: u32, retry_after: Option<Duration>, random: f64) -> Duration {
    let delay = BACKOFF.delay(failures);
    delay.max(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER)) + delay.mul_f64(random / 5.0)
}

/// The time until the next request for the suggestion.
pub fn poll_interval(demanded: Duration) -> Duration {
    demanded.clamp(MIN_POLL, MAX_POLL)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a failed step must stop the test")]
mod tests {
    use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P256_SHA256};

    use super::*;

    const DAY: i64 = 24 * 60 * 60;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    /// A certificate for `events.example.com` from day 0 on.
    fn certificate(days: i64) -> Certificate {
        let mut params = CertificateParams::new(vec!["events.example.com".to_owned()]).unwrap();
        let instant = |at: DateTime<Utc>| time::OffsetDateTime::from_unix_timestamp(at.timestamp()).unwrap();
        (params.not_before, params.not_after) = (instant(at(0)), instant(at(days * DAY)));
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap();
        let chain = params.self_signed(&key).unwrap();
        Certificate::from_pem(chain.pem().as_bytes(), key.serialize_pem().as_bytes()).unwrap()
    }

    fn domains(names: &[&str]) -> Vec<Domain> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn a_certificate_is_renewed_at_about_two_thirds_of_its_lifetime() {
        let certificate = certificate(90);
        let time = renewal_time(&certificate, None);
        assert!(time > at(57 * DAY - 1) && time <= at(60 * DAY), "{time}");
        assert_eq!(time, renewal_time(&certificate, None), "the same after a restart");
        let own = domains(&["events.example.com"]);
        let due_at = |seconds, last_attempt: &LastAttempt| due(&certificate, &own, None, last_attempt, at(seconds));
        assert_eq!(due_at(56 * DAY, &LastAttempt::default()), None);
        assert_eq!(due_at(60 * DAY, &LastAttempt::default()), Some(RequestReason::Renewal));
        assert_eq!(due_at(400 * DAY, &LastAttempt::default()), Some(RequestReason::Renewal), "also after its expiry");
        // A clock that is far ahead of the authority's renews once a day.
        let issued = LastAttempt { issued_at: Some(at(70 * DAY)), ..LastAttempt::default() };
        assert_eq!(due_at(70 * DAY + 60, &issued), None);
        assert_eq!(due_at(71 * DAY, &issued), Some(RequestReason::Renewal));
        // After it was set back, the time of the issue is in the future.
        assert_eq!(due_at(69 * DAY, &issued), Some(RequestReason::Renewal));
    }

    #[test]
    fn a_certificate_that_ends_before_it_begins_is_renewed_once_a_minute() {
        let certificate = certificate(-1);
        let issued = LastAttempt { issued_at: Some(at(0)), ..LastAttempt::default() };
        let due_at =
            |seconds| due(&certificate, &domains(&["events.example.com"]), None, &issued, at(seconds)).is_some();
        assert_eq!([1, 59, 60].map(due_at), [false, false, true]);
    }

    #[test]
    fn a_suggestion_is_followed_within_its_window() {
        let certificate = certificate(90);
        let window = Window { start: at(10 * DAY), end: at(12 * DAY) };
        let time = renewal_time(&certificate, Some(window));
        assert!(time >= window.start && time <= window.end, "{time}");
        let own = domains(&["events.example.com"]);
        let last_attempt = |issued| LastAttempt { issued_at: Some(at(issued)), ..LastAttempt::default() };
        let due_at = |seconds, issued| due(&certificate, &own, Some(window), &last_attempt(issued), at(seconds));
        assert_eq!(due_at(9 * DAY, 0), None);
        assert_eq!(due_at(12 * DAY, 0), Some(RequestReason::Renewal));
        assert_eq!(due_at(12 * DAY, 12 * DAY - 60), None, "not again within an hour");
        let wrong = Window { start: at(12 * DAY), end: at(10 * DAY) };
        assert_eq!(renewal_time(&certificate, Some(wrong)), wrong.start);
    }

    #[test]
    fn other_domains_need_another_certificate() {
        let certificate = certificate(90);
        let due_for = |names| due(&certificate, &domains(names), None, &LastAttempt::default(), at(DAY));
        assert_eq!(due_for(&["events.example.com"]), None);
        assert_eq!(due_for(&["events.example.com", "www.example.com"]), Some(RequestReason::Domains));
        let temporary = Certificate::temporary(&domains(&["a.example"])).unwrap();
        let due = due(&temporary, &domains(&["a.example"]), None, &LastAttempt::default(), at(DAY));
        assert_eq!(due, Some(RequestReason::Missing));
    }

    #[test]
    fn attempts_after_failures_are_made_less_and_less_often() {
        let minutes = |failures| retry_delay(failures, None, 0.0).as_secs() / 60;
        assert_eq!([1, 2, 3, 4, 6, 7, 8, 4_000_000_000].map(minutes), [1, 2, 4, 8, 32, 60, 60, 60]);
        assert_eq!(retry_delay(7, None, 1.0), Duration::from_mins(72));
        assert_eq!(retry_delay(1, Some(Duration::from_hours(3)), 0.0), Duration::from_hours(3));
        assert_eq!(retry_delay(1, Some(Duration::from_hours(9_000)), 0.0), Duration::from_hours(7 * 24));

        let last_attempt = LastAttempt {
            failed_at: Some(at(0)),
            next_attempt: Some(at(100)),
            settings: "a".to_owned(),
            ..LastAttempt::default()
        };
        assert!(!may_attempt(&last_attempt, "a", at(99)));
        assert!(may_attempt(&last_attempt, "a", at(100)));
        assert!(may_attempt(&last_attempt, "b", at(1)), "other settings");
        assert!(may_attempt(&last_attempt, "a", at(-1)), "the clock was set back");
        assert!(may_attempt(&LastAttempt::default(), "a", at(0)));
    }

    #[test]
    fn suggestions_are_requested_at_most_once_a_minute_and_at_least_once_a_day() {
        assert_eq!(poll_interval(Duration::ZERO), MIN_POLL);
        assert_eq!(poll_interval(Duration::from_hours(6)), Duration::from_hours(6));
        assert_eq!(poll_interval(Duration::from_hours(1_000)), MAX_POLL);
    }
}
