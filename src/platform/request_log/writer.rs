//! Writes the log to stderr without waiting for a reader that has stalled.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::platform::config::LogFormat;

/// How long a line waits for the reader before it is dropped. The lines that follow it are dropped without waiting.
const MAX_WAIT: Duration = Duration::from_millis(100);
/// The number of bytes that a pipe accepts at once when it is writable. More would wait for the reader.
const MAX_PIECE: usize = libc::PIPE_BUF;

/// Writes lines to stderr. If stderr is a pipe or a socket and its reader has stalled, lines are dropped, because a request that
/// waits for its line would never get a response. When the reader continues, a line reports how many were dropped.
///
/// The mode of stderr is not changed to non-blocking, because other processes share it.
#[derive(Debug)]
pub struct LogWriter {
    format: LogFormat,
    /// The number of lines that were dropped since the reader stalled.
    dropped: u64,
    /// Whether a part of a line was written last, without a line break.
    is_cut: bool,
}

impl LogWriter {
    pub fn new(format: LogFormat) -> Self {
        Self { format, dropped: 0, is_cut: false }
    }

    /// Writes the line, after the number of dropped ones. Returns whether it was written completely.
    fn write_line(&mut self, line: &[u8]) -> bool {
        let wait = if self.dropped == 0 { MAX_WAIT } else { Duration::ZERO };
        let deadline = Instant::now() + wait;
        if self.dropped > 0 {
            let line_break = if self.is_cut { "\n" } else { "" };
            let lines = if self.dropped == 1 { "line of the log was" } else { "lines of the log were" };
            let message = format!("{} {lines} dropped, because stderr was not read", self.dropped);
            let warning = format!("{line_break}{}", self.format.warning(&message));
            if !self.write_until(warning.as_bytes(), deadline) {
                return false;
            }
            self.dropped = 0;
        }
        self.write_until(line, deadline)
    }

    /// Returns whether all bytes were written before the deadline.
    fn write_until(&mut self, line: &[u8], deadline: Instant) -> bool {
        let mut stderr = io::stderr();
        let mut rest = line;
        while !rest.is_empty() && is_writable(&stderr, deadline) {
            match stderr.write(&rest[..rest.len().min(MAX_PIECE)]) {
                Ok(0) => break,
                Ok(written) => {
                    rest = &rest[written..];
                    self.is_cut = !rest.is_empty();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        rest.is_empty()
    }
}

impl Write for LogWriter {
    /// Writes or drops a complete line. It never fails, because nothing could report the error.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if !self.write_line(line) {
            self.dropped = self.dropped.saturating_add(1);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until `stderr` is writable or the deadline has passed. Files always are. A pipe that is closed is, too: writing
/// to it fails at once.
fn is_writable(stderr: &io::Stderr, deadline: Instant) -> bool {
    loop {
        let remaining = deadline.saturating_duration_since(Instant::now());
        // It is at most `MAX_WAIT`.
        let timeout = Timespec { tv_sec: 0, tv_nsec: remaining.subsec_nanos().into() };
        let mut polled = [PollFd::new(stderr, PollFlags::OUT)];
        match poll(&mut polled, Some(&timeout)) {
            Err(Errno::INTR) => {}
            result => return result.is_ok_and(|ready| ready > 0),
        }
    }
}
