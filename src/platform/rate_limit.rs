//! Token buckets and growing waits, kept in memory and bounded (hardening, "Limits").

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many keys one limiter remembers at the most.
const KEYS: usize = 20_000;

/// How often something may be done for one key: so many at once, then so many a minute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quota {
    /// At once; 0 turns the limit off.
    pub burst: u32,
    /// A minute, once the burst is used up.
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
    at: Instant,
}

impl<K: Eq + Hash + Clone> RateLimiter<K> {
    /// A limiter that has seen nobody yet.
    pub fn new(quota: Quota) -> Self {
        Self { quota, buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes one place, or says how many seconds to wait for one.
    ///
    /// # Errors
    /// The seconds until a place is free.
    pub fn take(&self, key: &K) -> Result<(), u64> {
        if self.quota.burst == 0 {
            return Ok(());
        }
        let now = Instant::now();
        let Ok(mut buckets) = self.buckets.lock() else { return Ok(()) };
        if !buckets.contains_key(key) && buckets.len() >= KEYS {
            self.make_room(&mut buckets, now);
        }
        let full = Bucket { tokens: f64::from(self.quota.burst), at: now };
        let bucket = buckets.entry(key.clone()).or_insert(full);
        bucket.tokens = self.tokens_at(bucket, now);
        bucket.at = now;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let missing = 1.0 - bucket.tokens;
        let seconds = missing * 60.0 / f64::from(self.quota.per_minute.max(1));
        Err(Duration::from_secs_f64(seconds.min(86_400.0)).as_secs().saturating_add(1))
    }

    /// Gives a taken place back.
    pub fn give_back(&self, key: &K) {
        if let Ok(mut buckets) = self.buckets.lock()
            && let Some(bucket) = buckets.get_mut(key)
        {
            bucket.tokens = (bucket.tokens + 1.0).min(f64::from(self.quota.burst));
        }
    }

    fn tokens_at(&self, bucket: &Bucket, now: Instant) -> f64 {
        let refilled = now.duration_since(bucket.at).as_secs_f64() * f64::from(self.quota.per_minute) / 60.0;
        (bucket.tokens + refilled).min(f64::from(self.quota.burst))
    }

    /// Forgets the keys whose bucket is full again, and the fuller half where that frees nothing.
    fn make_room(&self, buckets: &mut HashMap<K, Bucket>, now: Instant) {
        let burst = f64::from(self.quota.burst);
        buckets.retain(|_, bucket| self.tokens_at(bucket, now) < burst);
        if buckets.len() >= KEYS {
            let mut levels: Vec<f64> = buckets.values().map(|bucket| self.tokens_at(bucket, now)).collect();
            levels.sort_by(f64::total_cmp);
            let middle = levels[levels.len() / 2];
            let mut spare = KEYS / 2;
            buckets.retain(|_, bucket| {
                let forget = spare > 0 && self.tokens_at(bucket, now) >= middle;
                spare -= usize::from(forget);
                !forget
            });
        }
    }
}

/// Growing waits for one account after failed sign-ins, wherever they come from. An address that
/// signed in to the account lately is spared, so that nobody can lock its owner out.
#[derive(Debug, Default)]
pub struct AccountWaits {
    accounts: Mutex<HashMap<String, Account>>,
}

#[derive(Debug)]
struct Account {
    failures: u32,
    last_failure: Instant,
    trusted: Vec<(IpAddr, Instant)>,
}

impl AccountWaits {
    /// So many failures cost nothing.
    const FREE: u32 = 5;
    /// No wait is longer.
    const LONGEST: u64 = 15 * 60;
    /// A sign-in speaks for its address this long.
    const TRUST: Duration = Duration::from_hours(30 * 24);
    /// Failures are forgotten after this long without one.
    const FORGET: Duration = Duration::from_hours(24);

    /// Whether a sign-in may be tried now.
    ///
    /// # Errors
    /// The seconds to wait.
    pub fn check(&self, account: &str, address: IpAddr) -> Result<(), u64> {
        let Ok(accounts) = self.accounts.lock() else { return Ok(()) };
        let Some(known) = accounts.get(account) else { return Ok(()) };
        let spared = known.trusted.iter().any(|(ip, since)| *ip == address && since.elapsed() < Self::TRUST);
        if spared || known.failures < Self::FREE {
            return Ok(());
        }
        let wait = 1_u64.checked_shl(known.failures - Self::FREE).unwrap_or(u64::MAX).min(Self::LONGEST);
        let waited = known.last_failure.elapsed().as_secs();
        if waited >= wait { Ok(()) } else { Err(wait - waited) }
    }

    /// Notes a failed sign-in.
    pub fn failed(&self, account: &str) {
        let Ok(mut accounts) = self.accounts.lock() else { return };
        if accounts.len() >= KEYS {
            accounts.retain(|_, known| known.last_failure.elapsed() < Self::FORGET || !known.trusted.is_empty());
        }
        if accounts.len() >= KEYS {
            accounts.retain(|_, known| known.failures >= Self::FREE);
        }
        if accounts.len() >= KEYS {
            return;
        }
        let known = accounts.entry(account.to_owned()).or_insert_with(Account::new);
        if known.last_failure.elapsed() > Self::FORGET {
            known.failures = 0;
        }
        known.failures = known.failures.saturating_add(1);
        known.last_failure = Instant::now();
    }

    /// Notes a sign-in: the failures are forgotten and the address is trusted.
    pub fn succeeded(&self, account: &str, address: IpAddr) {
        let Ok(mut accounts) = self.accounts.lock() else { return };
        if accounts.len() >= KEYS && !accounts.contains_key(account) {
            return;
        }
        let known = accounts.entry(account.to_owned()).or_insert_with(Account::new);
        known.failures = 0;
        known.trusted.retain(|(ip, since)| *ip != address && since.elapsed() < Self::TRUST);
        known.trusted.push((address, Instant::now()));
        if known.trusted.len() > 16 {
            known.trusted.remove(0);
        }
    }
}

impl Account {
    fn new() -> Self {
        Self { failures: 0, last_failure: Instant::now(), trusted: Vec::new() }
    }
}
