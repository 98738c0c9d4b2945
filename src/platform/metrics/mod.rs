//! Counters and histograms, and their text in Prometheus' exposition format (version 0.0.4). The text is a few lines
//! per kind of metric, and counting a request takes no allocation and no lock, so no library is used.

mod cache_purges;
mod requests;

use std::fmt::{Display, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

pub use cache_purges::CachePurgeMetrics;
pub use requests::{RequestMetrics, RouteMetrics};

/// The media type of the text.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A histogram: the number of observed values in each bucket, and their sum.
#[derive(Debug)]
pub struct Histogram {
    /// Ascending, in the unit of the observed values.
    bounds: &'static [u64],
    /// One per bound, and one for larger values.
    buckets: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Histogram {
    /// An empty histogram.
    pub fn new(bounds: &'static [u64]) -> Self {
        Self { bounds, buckets: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(), sum: AtomicU64::new(0) }
    }

    pub fn observe(&self, value: u64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// The number of observed values.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed)).sum()
    }

    /// The sum of the observed values.
    pub fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }
}

/// The metrics in the text format of Prometheus.
#[derive(Debug, Default)]
pub struct Exposition(String);

impl Exposition {
    /// Begins the metrics with this name. `kind` is `counter`, `gauge` or `histogram`.
    pub fn begin(&mut self, name: &str, kind: &str, help: &str) {
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    /// A value of the metric that was begun. Values of labels may contain any character.
    pub fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (index, (label, text)) in labels.iter().enumerate() {
            let _ = write!(self.0, "{}{label}=\"", if index == 0 { '{' } else { ',' });
            for character in text.chars() {
                match character {
                    '\\' => self.0.push_str("\\\\"),
                    '"' => self.0.push_str("\\\""),
                    '\n' => self.0.push_str("\\n"),
                    other => self.0.push(other),
                }
            }
            self.0.push('"');
        }
        let end = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.0, "{end} {value}");
    }

    /// A metric with one value and no labels.
    pub fn single(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.begin(name, kind, help);
        self.value(name, &[], value);
    }

    /// The values of the histogram that was begun, divided by `unit`.
    #[expect(clippy::cast_precision_loss, reason = "sums are exact up to 2^53")]
    pub fn histogram(&mut self, name: &str, labels: &[(&str, &str)], histogram: &Histogram, unit: f64) {
        let bucket_name = format!("{name}_bucket");
        let bounds = histogram.bounds.iter().map(|bound| (*bound as f64 / unit).to_string());
        let mut count = 0;
        for (bucket, bound) in histogram.buckets.iter().zip(bounds.chain(["+Inf".to_owned()])) {
            count += bucket.load(Ordering::Relaxed);
            self.value(&bucket_name, &[labels, &[("le", &bound)]].concat(), count);
        }
        self.value(&format!("{name}_sum"), labels, histogram.sum() as f64 / unit);
        self.value(&format!("{name}_count"), labels, count);
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_and_buckets_accumulate() {
        let histogram = Histogram::new(&[1_000, 2_000]);
        for value in [1_000, 1_001, 5_000] {
            histogram.observe(value);
        }
        let mut text = Exposition::default();
        text.begin("x_seconds", "histogram", "Times.");
        text.histogram("x_seconds", &[("route", "a\"\\\n")], &histogram, 1e3);
        let expected = "# HELP x_seconds Times.\n# TYPE x_seconds histogram\n\
             x_seconds_bucket{route=\"a\\\"\\\\\\n\",le=\"1\"} 1\n\
             x_seconds_bucket{route=\"a\\\"\\\\\\n\",le=\"2\"} 2\n\
             x_seconds_bucket{route=\"a\\\"\\\\\\n\",le=\"+Inf\"} 3\n\
             x_seconds_sum{route=\"a\\\"\\\\\\n\"} 7.001\n\
             x_seconds_count{route=\"a\\\"\\\\\\n\"} 3\n";
        assert_eq!(text.into_string(), expected);
    }
}
