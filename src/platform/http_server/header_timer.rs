//! The timer for the headers of a request.
//!
//! hyper drops a timer at each request and makes a new one. tokio's would allocate more and lock all timers twice; this one
//! only compares the time when hyper polls the connection, so that the connection must be polled at least every
//! [`POLL_INTERVAL`].

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// How late a timer may fire.
pub(super) const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Makes timers that do not wake their task.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeaderTimer;

struct Deadline(Instant);

impl Timer for HeaderTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(Instant::now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Deadline(deadline))
    }
}

impl Future for Deadline {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.0 { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Sleep for Deadline {}
