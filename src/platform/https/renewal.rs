//! When a certificate is renewed.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::certificate::Certificate;
use super::store::Status;
use crate::platform::config::Domain;

/// The first interval between two attempts; it doubles. Let's Encrypt allows five failed validations an hour.
const FIRST_RETRY: TimeDelta = TimeDelta::minutes(1);
/// The longest interval between two attempts.
const LAST_RETRY: TimeDelta = TimeDelta::hours(1);
/// The shortest time between an issue and a renewal that the authority suggests, so that an authority with a wrong
/// suggestion gets few requests.
const MIN_SUGGESTED_AGE: TimeDelta = TimeDelta::hours(1);
/// Limits of the interval between two requests for the suggestion (RFC 9773 §4.3.2).
const MIN_POLL: Duration = Duration::from_mins(1);
const MAX_POLL: Duration = Duration::from_hours(24);

/// Why a certificate is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// There is only a temporary one.
    Missing,
    /// It is not valid for all domains.
    Domains,
    /// It ends, or the authority suggests to replace it.
    Renewal,
}

/// The time in which an authority suggests a renewal (RFC 9773 §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its start.
    pub start: DateTime<Utc>,
    /// Its end.
    pub end: DateTime<Utc>,
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
    status: &Status,
    now: DateTime<Utc>,
) -> Option<Due> {
    if certificate.is_temporary() {
        return Some(Due::Missing);
    }
    if certificate.missing(domains).is_some() {
        return Some(Due::Domains);
    }
    if now >= renewal_time(certificate, None) {
        return Some(Due::Renewal);
    }
    let is_new = status.issued_at.is_some_and(|at| at <= now && now - at < MIN_SUGGESTED_AGE);
    let is_suggested = window.is_some_and(|window| now >= renewal_time(certificate, Some(window)));
    (is_suggested && !is_new).then_some(Due::Renewal)
}

/// Whether an attempt may be made after the failures of `status`, with these settings.
pub fn may_attempt(status: &Status, settings: &str, now: DateTime<Utc>) -> bool {
    let (Some(failed_at), Some(next)) = (status.failed_at, status.next_attempt) else { return true };
    // A failure in the future: the clock was set back since.
    status.settings != settings || now >= next || now < failed_at
}

/// The time until the next attempt after so many failures, at least as long as the authority demands. `random` is from
/// 0 to 1.
pub fn back_off(failures: u32, demanded: Option<Duration>, random: f64) -> TimeDelta {
    let doubled = FIRST_RETRY * 2_i32.pow(failures.saturating_sub(1).min(10));
    let own = doubled.min(LAST_RETRY);
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a few minutes")]
    let jitter = TimeDelta::seconds((random * f64::from(i32::try_from(own.num_seconds()).unwrap_or(0)) / 5.0) as i64);
    let demanded = demanded.and_then(|time| TimeDelta::from_std(time).ok()).unwrap_or_default();
    // More than a week is a mistake of the authority.
    own.max(demanded.min(TimeDelta::days(7))) + jitter
}

/// The time until the next request for the suggestion.
pub fn poll_interval(demanded: Duration) -> Duration {
    demanded.clamp(MIN_POLL, MAX_POLL)
}
