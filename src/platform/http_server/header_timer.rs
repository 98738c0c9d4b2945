//! The timer for the headers of a connection's requests.
//!
//! hyper drops a timer at each request and makes a new one, which allocates and locks tokio's timers twice. This one is moved
//! instead, which takes neither.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// A timer with one deadline at a time, for one connection.
#[derive(Clone, Debug)]
pub(super) struct HeaderTimer(Arc<Mutex<Pin<Box<tokio::time::Sleep>>>>);

impl HeaderTimer {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Box::pin(tokio::time::sleep(Duration::ZERO)))))
    }

    fn with<R>(&self, act: impl FnOnce(Pin<&mut tokio::time::Sleep>) -> R) -> R {
        act(self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut())
    }
}

impl Timer for HeaderTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(Instant::now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        self.with(|sleep| sleep.reset(deadline.into()));
        Box::pin(self.clone())
    }

    fn reset(&self, _: &mut Pin<Box<dyn Sleep>>, deadline: Instant) {
        self.with(|sleep| sleep.reset(deadline.into()));
    }
}

impl Future for HeaderTimer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.with(|sleep| sleep.poll(context))
    }
}

impl Sleep for HeaderTimer {}
