//! The real program, run as an operator runs it.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{LazyLock, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use tempfile::TempDir;

use super::app::cheap_hash;
use super::raw_client::RawClient;
use crate::platform::{config, db, system_user};

/// Enough for every command on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The program: `LECTERN_BIN`, the binary that cargo built for this test, or one next to the test binary.
pub(crate) fn program() -> PathBuf {
    if let Some(path) = std::env::var_os("LECTERN_BIN") {
        return path.into();
    }
    if let Some(path) = option_env!("CARGO_BIN_EXE_lectern") {
        return path.into();
    }
    let test = std::env::current_exe().unwrap();
    let path = test.parent().and_then(Path::parent).unwrap().join("lectern");
    assert!(path.exists(), "{} is missing: build it first: cargo build", path.display());
    let built = path.metadata().and_then(|meta| meta.modified()).unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    if let Some(newer) = newer_source(&sources, built) {
        panic!("{} is newer than {}: build it first: cargo build", newer.display(), path.display());
    }
    path
}

fn newer_source(folder: &Path, built: SystemTime) -> Option<PathBuf> {
    std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).find_map(|path| {
        if path.ends_with("src/tests") {
            None
        } else if path.is_dir() {
            newer_source(&path, built)
        } else {
            let changed = path.metadata().and_then(|meta| meta.modified()).ok()?;
            (changed > built).then_some(path)
        }
    })
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct CommandResult {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A command without the environment of this process.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    isolate(&mut command, folder);
    command.args(arguments);
    command
}

/// The same, started by a shell that runs `prelude` first, for limits and signals.
pub(crate) fn command_after(prelude: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    isolate(&mut command, folder);
    command.arg("-c").arg(format!("{prelude}; exec \"$0\" \"$@\"")).arg(program()).args(arguments);
    command
}

fn isolate(command: &mut Command, folder: &Path) {
    // A backtrace makes a printed panic easy to detect.
    command.env_clear().env("PATH", "/usr/bin:/bin").env("RUST_BACKTRACE", "1").current_dir(folder);
    // Root reads the configuration of a folder only if it is named.
    if system_user::is_root() && folder.join(config::DEFAULT_FILE).exists() {
        command.env("LECTERN_CONFIG", config::DEFAULT_FILE);
    }
}

/// Runs a command to its end.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> CommandResult {
    finish(command(folder, arguments), "")
}

/// Runs a command to its end, with something on its stdin.
pub(crate) fn finish(mut command: Command, stdin: &str) -> CommandResult {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    // A command that does not read its stdin may close it.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let (out, err) = (drain(child.stdout.take().unwrap()), drain(child.stderr.take().unwrap()));
    let status = wait_for(&mut child);
    CommandResult { code: status.code(), out: out.join().unwrap(), err: err.join().unwrap() }
}

/// Reads to the end, so that the program never waits for a reader.
fn drain(mut from: impl io::Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The admin whom the tests create.
pub(crate) const EMAIL: &str = super::ADMIN_EMAIL;
pub(crate) const PASSWORD: &str = super::ADMIN_PASSWORD;

/// Stores a database in a folder in which `lectern create-admin` has created the admin, once for all tests, because
/// migrations and a hash take 100 ms of the processor.
pub(crate) fn create_admin(folder: &Path) {
    static TEMPLATE: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["create-admin", "--email", EMAIL, "--password-stdin"];
        finish(command(folder.path(), &arguments), PASSWORD).succeeded();
        let database = rusqlite::Connection::open(folder.path().join("lectern.db")).unwrap();
        database.execute("UPDATE users SET password = ?1", [cheap_hash()]).unwrap();
        folder
    });
    std::fs::copy(TEMPLATE.path().join("lectern.db"), folder.join("lectern.db")).unwrap();
}

/// Runs a command that must succeed and returns its stdout.
pub(crate) fn succeed(folder: &Path, arguments: &[&str]) -> String {
    run(folder, arguments).succeeded()
}

impl CommandResult {
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The one sentence of a command that failed, without the program's name before it.
    pub(crate) fn sentence(&self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.out, "", "errors are printed to stderr only");
        let line = self.err.strip_suffix('\n').expect("a complete line");
        let text = line.strip_prefix("lectern: ").unwrap_or_else(|| panic!("no sentence of lectern's: {line}"));
        assert!(!text.contains('\n'), "more than one line: {text}");
        assert!(text.ends_with('.') && !text.ends_with(".."), "no full stop: {text}");
        for sign in [". ", ".:", "panicked", "os error", "SQLITE", "Error {", "backtrace", "None", "Some("] {
            assert!(!text.contains(sign), "not a single sentence ({sign}): {text}");
        }
        text.to_owned()
    }
}

/// The time until the next poll: a tenth of the wait so far, because a request over TLS takes several milliseconds of the
/// processor.
pub(crate) fn poll_interval(started: Instant) -> Duration {
    (started.elapsed() / 10).clamp(Duration::from_millis(5), Duration::from_millis(250))
}

pub(super) fn wait_for(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("the program did not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A running server, which is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    /// In a mutex, so that threads of a test can share the server.
    lines: Mutex<Receiver<String>>,
    /// The lines on stdout before the one with its address.
    pub(crate) startup_lines: Vec<String>,
    pub(crate) address: SocketAddr,
    /// The address of plain HTTP beside HTTPS.
    pub(crate) redirect: SocketAddr,
    log: TempDir,
}

impl Server {
    /// `lectern serve` on a free port, with these arguments.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::spawn(command(folder, &[&["serve", "--listen", "127.0.0.1:0"], arguments].concat()))
    }

    /// As [`Self::start`]; `None` if it does not start, with a message of one sentence.
    pub(crate) fn try_start(folder: &Path, arguments: &[&str]) -> Option<Self> {
        let command = command(folder, &[&["serve", "--listen", "127.0.0.1:0"], arguments].concat());
        Self::try_spawn(command)
            .inspect_err(|(code, err)| {
                CommandResult { code: *code, out: String::new(), err: err.clone() }.sentence(1);
            })
            .ok()
    }

    /// Starts a command.
    pub(crate) fn spawn(command: Command) -> Self {
        Self::try_spawn(command).unwrap_or_else(|(code, err)| panic!("it does not listen, {code:?}: {err}"))
    }

    fn try_spawn(mut command: Command) -> Result<Self, (Option<i32>, String)> {
        let log = tempfile::tempdir().unwrap();
        let stderr = File::create(log.path().join("log")).unwrap();
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr).spawn().expect("the program runs");
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                // The receiver is dropped at the end of the test.
                let _ = sender.send(line);
            }
        });
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let lines = Mutex::new(lines);
        let mut server = Self { child, lines, startup_lines: Vec::new(), address, redirect: address, log };
        loop {
            let next = server.lines.lock().unwrap().recv_timeout(TIMEOUT);
            let Ok(line) = next else { return Err((wait_for(&mut server.child).code(), server.log())) };
            if let Some(address) = line.strip_prefix("Lectern is listening on http://") {
                server.address = address.parse().unwrap();
                return Ok(server);
            }
            if line.starts_with("Lectern is listening on https://") {
                let log = server.log();
                let listening = log.lines().find(|line| line.contains("HTTPS is served")).expect("the addresses");
                let address = |name: &str| {
                    let rest = listening.split_once(name)?.1.trim_start_matches('"');
                    rest.split([' ', '"']).next()?.parse().ok()
                };
                server.address = address(" address=").expect("the address of HTTPS");
                server.redirect = address(" redirect=").unwrap_or(server.redirect);
                server.startup_lines.push(line);
                return Ok(server);
            }
            server.startup_lines.push(line);
        }
    }

    /// A client without a session.
    pub(crate) fn visitor(&self) -> RawClient {
        RawClient::to(self.address)
    }

    /// The address of `/metrics`, from the log.
    pub(crate) fn metrics_address(&self) -> SocketAddr {
        let log = self.log();
        let before = log.split_once("/metrics").expect("the address of the metrics").0;
        before.rsplit_once("http://").expect("an address").1.parse().expect("an address")
    }

    /// The next line on stdout.
    pub(crate) fn next_line(&self) -> String {
        self.lines.lock().unwrap().recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no more lines: {}", self.log()))
    }

    /// Polls until something is found, for up to a minute.
    pub(crate) fn wait_for<T>(&self, what: &str, mut found: impl FnMut() -> Option<T>) -> T {
        let started = Instant::now();
        loop {
            if let Some(found) = found() {
                return found;
            }
            assert!(started.elapsed() < Duration::from_mins(1), "{what} did not happen: {}", self.log());
            std::thread::sleep(poll_interval(started));
        }
    }

    /// Its output on stderr.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.log.path().join("log")).unwrap_or_default()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Stops all of its threads until SIGCONT. After the signal alone, some go on until the first one has received it.
    pub(crate) fn hang(&self) {
        self.signal(Signal::STOP);
        let status = waitpid(Some(self.pid()), WaitOptions::UNTRACED).unwrap();
        assert!(status.is_some_and(|(_, status)| status.stopped()), "{}", self.log());
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends SIGKILL and waits for its end.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end after a signal: the exit code, and what it printed since it listened.
    pub(crate) fn end(&mut self) -> (Option<i32>, Vec<String>) {
        let status = wait_for(&mut self.child);
        (status.code(), self.lines.lock().unwrap().iter().collect())
    }

    /// Sends SIGTERM and checks that it shuts down cleanly.
    pub(crate) fn stop(mut self) {
        self.signal(Signal::TERM);
        let (code, rest) = self.end();
        assert_eq!(code, Some(0), "{}", self.log());
        // The demo prints its sign-in, which its own tests check.
        let rest: Vec<String> = rest.into_iter().filter(|line| !line.starts_with("The demo")).collect();
        assert_eq!(rest, Vec::<String>::new(), "one line on stdout, no more");
        assert!(!self.log().contains("panicked"), "{}", self.log());
    }

    /// Its peak memory, in KiB.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Usually it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sets a flag when it is dropped, even if the test fails, so that threads that wait for the flag end.
pub(crate) struct WhenDone<'f>(pub(crate) &'f AtomicBool);

impl Drop for WhenDone<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The migrations of this release.
pub fn embedded_migrations() -> Vec<db::Migration> {
    db::status(&rusqlite::Connection::open_in_memory().unwrap()).unwrap()
}

/// What `lectern migrate` prints for an empty file.
pub fn all_migrations_applied() -> String {
    embedded_migrations()
        .iter()
        .fold(String::new(), |text, step| text + &format!("Applied V{} {}.\n", step.version, step.name))
}
