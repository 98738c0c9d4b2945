//! The server under test.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A running server; it is killed when it goes out of scope, because its database is temporary.
pub struct Server {
    /// Its process.
    pub child: Child,
    /// The port on which it listens.
    pub port: u16,
}

impl Server {
    /// Starts a command that prints its address on a line, as `lectern serve` does.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Self { child, port }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
