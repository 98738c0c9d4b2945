//! Rate limiters (token buckets), and exponential back-off of sign-ins, in bounded memory (hardening, "Limits").

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::backoff::Backoff;

/// The most keys that one limiter stores.
const MAX_KEYS: usize = 20_000;

/// What limits count as one client: an IPv4 address, or an IPv6 network (/64), because a subscriber has all of its
/// addresses.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(ip) => {
            let mut segments = ip.segments();
            segments[4..].fill(0);
            IpAddr::V6(Ipv6Addr::from(segments))
        }
    }
}

/// The quota of one key: a burst, then a rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quota {
    /// Size of the bucket; 0 turns the limit off.
    pub burst: u32,
    /// Refill rate.
    pub per_minute: u32,
}

/// A token bucket for each key.
#[derive(Debug)]
pub struct RateLimiter<K> {
    quota: Quota,
    buckets: Mutex<HashMap<K, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    refilled_at: Instant,
}

impl<K: Eq + Hash + Clone> RateLimiter<K> {
    /// A limiter with full buckets.
    pub fn new(quota: Quota) -> Self {
        Self { quota, buckets: Mutex::new(HashMap::new()) }
    }

    /// Acquires one token.
    ///
    /// # Errors
    /// The seconds until a token is available.
    pub fn acquire(&self, key: &K) -> Result<(), u64> {
        if self.quota.burst == 0 {
            return Ok(());
        }
        let now = Instant::now();
        let Ok(mut buckets) = self.buckets.lock() else { return Ok(()) };
        if !buckets.contains_key(key) && buckets.len() >= MAX_KEYS {
            self.evict(&mut buckets, now);
        }
        let full = Bucket { tokens: f64::from(self.quota.burst), refilled_at: now };
        let bucket = buckets.entry(key.clone()).or_insert(full);
        bucket.tokens = self.tokens_at(bucket, now);
        bucket.refilled_at = now;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let missing = 1.0 - bucket.tokens;
        let seconds = missing * 60.0 / f64::from(self.quota.per_minute.max(1));
        Err(Duration::from_secs_f64(seconds.min(86_400.0)).as_secs().saturating_add(1))
    }

    /// Releases an acquired token.
    pub fn release(&self, key: &K) {
        if let Ok(mut buckets) = self.buckets.lock()
            && let Some(bucket) = buckets.get_mut(key)
        {
            bucket.tokens = (bucket.tokens + 1.0).min(f64::from(self.quota.burst));
        }
    }

    fn tokens_at(&self, bucket: &Bucket, now: Instant) -> f64 {
        let refilled = now.duration_since(bucket.refilled_at).as_secs_f64() * f64::from(self.quota.per_minute) / 60.0;
        (bucket.tokens + refilled).min(f64::from(self.quota.burst))
    }

    /// Evicts full buckets; if no bucket is full, the fuller half.
    fn evict(&self, buckets: &mut HashMap<K, Bucket>, now: Instant) {
        let burst = f64::from(self.quota.burst);
        buckets.retain(|_, bucket| self.tokens_at(bucket, now) < burst);
        if buckets.len() >= MAX_KEYS {
            let mut levels: Vec<f64> = buckets.values().map(|bucket| self.tokens_at(bucket, now)).collect();
            levels.sort_by(f64::total_cmp);
            let median = levels[levels.len() / 2];
            let mut remaining = MAX_KEYS / 2;
            buckets.retain(|_, bucket| {
                let is_evicted = remaining > 0 && self.tokens_at(bucket, now) >= median;
                remaining -= usize::from(is_evicted);
                !is_evicted
            });
        }
    }
}

/// Exponential back-off for an account after failed sign-ins from any address. Addresses that signed in to the account
/// recently are exempt: an attacker can't lock the owner out.
#[derive(Debug, Default)]
pub struct AccountBackoff {
    accounts: Mutex<HashMap<String, SignInHistory>>,
}

/// The failed and the trusted sign-ins of one account.
#[derive(Debug)]
struct SignInHistory {
    failures: u32,
    last_failure: Instant,
    trusted: Vec<(IpAddr, Instant)>,
}

impl AccountBackoff {
    /// Failures without a delay.
    const UNDELAYED_FAILURES: u32 = 5;
    /// The delays after further ones.
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(15));
    /// How long a sign-in exempts its address.
    const TRUST: Duration = Duration::from_hours(30 * 24);
    /// Failures expire after this long without another.
    const EXPIRY: Duration = Duration::from_hours(24);

    /// Whether a sign-in may be attempted now.
    ///
    /// # Errors
    /// The seconds to wait.
    pub fn check(&self, account: &str, address: IpAddr) -> Result<(), u64> {
        let Ok(accounts) = self.accounts.lock() else { return Ok(()) };
        let Some(entry) = accounts.get(account) else { return Ok(()) };
        let is_exempt = entry.trusted.iter().any(|(ip, since)| *ip == address && since.elapsed() < Self::TRUST);
        if is_exempt || entry.failures < Self::UNDELAYED_FAILURES {
            return Ok(());
        }
        let delay = Self::BACKOFF.delay(entry.failures - Self::UNDELAYED_FAILURES + 1).as_secs();
        let elapsed = entry.last_failure.elapsed().as_secs();
        if elapsed >= delay { Ok(()) } else { Err(delay - elapsed) }
    }

    /// Records a failed sign-in.
    pub fn failed(&self, account: &str) {
        let Ok(mut accounts) = self.accounts.lock() else { return };
        if accounts.len() >= MAX_KEYS {
            accounts.retain(|_, entry| entry.last_failure.elapsed() < Self::EXPIRY || !entry.trusted.is_empty());
        }
        if accounts.len() >= MAX_KEYS {
            accounts.retain(|_, entry| entry.failures >= Self::UNDELAYED_FAILURES);
        }
        if accounts.len() >= MAX_KEYS {
            return;
        }
        let entry = accounts.entry(account.to_owned()).or_insert_with(SignInHistory::new);
        if entry.last_failure.elapsed() > Self::EXPIRY {
            entry.failures = 0;
        }
        entry.failures = entry.failures.saturating_add(1);
        entry.last_failure = Instant::now();
    }

    /// Records a sign-in: resets the failures and trusts the address.
    pub fn succeeded(&self, account: &str, address: IpAddr) {
        let Ok(mut accounts) = self.accounts.lock() else { return };
        if accounts.len() >= MAX_KEYS && !accounts.contains_key(account) {
            return;
        }
        let entry = accounts.entry(account.to_owned()).or_insert_with(SignInHistory::new);
        entry.failures = 0;
        entry.trusted.retain(|(ip, since)| *ip != address && since.elapsed() < Self::TRUST);
        entry.trusted.push((address, Instant::now()));
        if entry.trusted.len() > 16 {
            entry.trusted.remove(0);
        }
    }
}

impl SignInHistory {
    fn new() -> Self {
        Self { failures: 0, last_failure: Instant::now(), trusted: Vec::new() }
    }
}
