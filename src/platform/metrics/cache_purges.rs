//! Counts the purges of shared caches.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::Exposition;

/// The purges since the start or the last reload, by cache.
#[derive(Debug, Default)]
pub struct CachePurgeMetrics(Mutex<BTreeMap<&'static str, Counts>>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    succeeded: u64,
    failed: u64,
}

impl CachePurgeMetrics {
    pub fn count(&self, cache: &'static str, succeeded: bool) {
        let mut caches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = caches.entry(cache).or_default();
        *(if succeeded { &mut counts.succeeded } else { &mut counts.failed }) += 1;
    }

    /// Writes the metrics; none before the first purge.
    pub fn write(&self, text: &mut Exposition) {
        let caches = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if caches.is_empty() {
            return;
        }
        let name = "lectern_cache_purges_total";
        text.begin(name, "counter", "Purges of shared caches.");
        for (cache, counts) in &caches {
            text.value(name, &[("cache", cache)], counts.succeeded);
        }
        let name = "lectern_cache_purge_failures_total";
        text.begin(name, "counter", "Failed purges of shared caches, which are repeated.");
        for (cache, counts) in &caches {
            text.value(name, &[("cache", cache)], counts.failed);
        }
    }
}
