//! The problems that `/healthz` reports. Components report a problem when it begins and when it has ended.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Serialize;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// There are no problems.
    Ok,
    /// 200: visitors are served and writes are stored, but the operator must act.
    Degraded,
    /// 503: visitors can't be served, or a write can't be stored.
    Down,
}

/// A problem, described in a message for the operator. It is public, so it contains no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The severity; never [`Status::Ok`].
    pub status: Status,
    /// The message, without a full stop.
    pub text: String,
}

impl Problem {
    /// A problem that a restart or a failover may solve.
    pub fn down(text: impl Into<String>) -> Self {
        Self { status: Status::Down, text: text.into() }
    }

    /// A problem that does not affect visitors.
    pub fn degraded(text: impl Into<String>) -> Self {
        Self { status: Status::Degraded, text: text.into() }
    }
}

/// The problems that were reported, one per topic.
#[derive(Debug, Default)]
pub struct Health {
    problems: Mutex<BTreeMap<&'static str, Problem>>,
    requested_at: Mutex<Option<Instant>>,
    probed_at: Mutex<Option<Instant>>,
}

impl Health {
    /// Sets the problem of a topic; `None` clears it.
    pub fn report(&self, topic: &'static str, problem: Option<Problem>) {
        let Ok(mut problems) = self.problems.lock() else { return };
        match problem {
            Some(problem) => drop(problems.insert(topic, problem)),
            None => drop(problems.remove(topic)),
        }
    }

    pub fn reported(&self) -> Vec<Problem> {
        self.problems.lock().map(|problems| problems.values().cloned().collect()).unwrap_or_default()
    }

    /// The reported problems, and that no probe ended within `limit` if probes were started.
    pub fn problems(&self, limit: Duration) -> Vec<Problem> {
        let mut problems = self.reported();
        let probed_at = self.probed_at.lock().ok().and_then(|at| *at);
        if probed_at.is_some_and(|at| at.elapsed() > limit) {
            problems.push(Problem::down(format!("The storage has not responded for {} seconds", limit.as_secs())));
        }
        problems
    }

    /// Records a request for `/healthz`, which makes the next probes write.
    pub fn record_request(&self) {
        if let Ok(mut at) = self.requested_at.lock() {
            *at = Some(Instant::now());
        }
    }

    /// Whether `/healthz` was requested within this time.
    pub fn requested_within(&self, limit: Duration) -> bool {
        self.requested_at.lock().is_ok_and(|at| at.is_some_and(|at| at.elapsed() < limit))
    }

    /// Records that a probe has ended.
    pub fn record_probe(&self) {
        if let Ok(mut at) = self.probed_at.lock() {
            *at = Some(Instant::now());
        }
    }
}
