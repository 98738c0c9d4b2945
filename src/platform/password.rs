//! Password hashing on two threads of its own, so that a crowd that signs in can neither take the
//! memory nor the site's time (hardening, "PasswordHasher").

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use tokio::sync::oneshot;

use super::error::AppError;

const MEMORY_KIB: u32 = 19_456;
const ROUNDS: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;
const HASH_BYTES: usize = 32;
/// Two, as many as small servers have cores; each needs 19 MiB while it works.
const THREADS: usize = 2;
/// How many may wait; the next is answered with 503.
const QUEUE: usize = 32;
/// A thread that has had nothing to do for this long gives its memory back: it is kept for the next in line only.
const IDLE: Duration = Duration::from_millis(250);
/// What an unknown address is checked against, so that it takes as long as a known one. Nobody
/// knows a password for it: the hash is not the result of one.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bGVjdGVybi1ub2JvZHktMA$bGVjdGVybjogbm8gcGFzc3dvcmQgaGFzaGVzIHRvIG0";

/// The memory that one thread works in, kept between passwords.
#[derive(Default)]
struct Workbench(Vec<Block>);

impl Workbench {
    fn derive(&mut self, params: Params, password: &[u8], salt: &[u8]) -> Option<[u8; HASH_BYTES]> {
        self.0.resize(params.block_count(), Block::default());
        let mut hash = [0; HASH_BYTES];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into_with_memory(password, salt, &mut hash, &mut self.0)
            .ok()?;
        Some(hash)
    }

    fn hash(&mut self, password: &str) -> Result<String, AppError> {
        let failed = || AppError::Internal("a password could not be hashed".to_owned());
        let mut salt = [0; SALT_BYTES];
        getrandom::fill(&mut salt).map_err(|_| failed())?;
        let params = Params::new(MEMORY_KIB, ROUNDS, LANES, Some(HASH_BYTES)).map_err(|_| failed())?;
        let hash = self.derive(params, password.as_bytes(), &salt).ok_or_else(failed)?;
        Ok(format!(
            "$argon2id$v=19$m={MEMORY_KIB},t={ROUNDS},p={LANES}${}${}",
            STANDARD_NO_PAD.encode(salt),
            STANDARD_NO_PAD.encode(hash),
        ))
    }

    /// Whether the password is the one that was hashed. An unreadable hash matches nothing.
    fn verify(&mut self, password: &str, stored: &str) -> bool {
        let Some((params, salt, expected)) = read_phc(stored) else { return false };
        let Some(actual) = self.derive(params, password.as_bytes(), &salt) else { return false };
        // Every byte is compared, whatever came before.
        actual.iter().zip(expected).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
    }
}

/// Reads `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, with bounds on what a stored row may ask for.
fn read_phc(text: &str) -> Option<(Params, Vec<u8>, [u8; HASH_BYTES])> {
    let mut parts = text.split('$');
    if parts.next() != Some("") || parts.next() != Some("argon2id") || parts.next() != Some("v=19") {
        return None;
    }
    let mut costs = parts.next()?.split(',');
    let mut cost = |name: &str| costs.next()?.strip_prefix(name)?.strip_prefix('=')?.parse::<u32>().ok();
    let (memory, rounds, lanes) = (cost("m")?, cost("t")?, cost("p")?);
    if memory > 1 << 17 || rounds > 16 || lanes > 4 {
        return None;
    }
    let salt = STANDARD_NO_PAD.decode(parts.next()?).ok()?;
    let hash = STANDARD_NO_PAD.decode(parts.next()?).ok()?.try_into().ok()?;
    Some((Params::new(memory, rounds, lanes, Some(HASH_BYTES)).ok()?, salt, hash))
}

/// Hashes a password on the calling thread, for the command line. The result is a PHC string.
///
/// # Errors
/// The system gives no random numbers.
pub fn hash_here(password: &str) -> Result<String, AppError> {
    Workbench::default().hash(password)
}

type Work = Box<dyn FnOnce(&mut Workbench) + Send>;

/// The threads; clones share them, and they end when the last clone is gone.
#[derive(Clone)]
pub struct PasswordHasher {
    line: Arc<Line>,
    _until_dropped: Arc<ClosesLine>,
}

/// Those who wait, in order.
#[derive(Default)]
struct Line {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    work: VecDeque<Work>,
    closed: bool,
}

struct ClosesLine(Arc<Line>);

impl Drop for ClosesLine {
    fn drop(&mut self) {
        if let Ok(mut waiting) = self.0.waiting.lock() {
            waiting.closed = true;
        }
        self.0.changed.notify_all();
    }
}

impl fmt::Debug for PasswordHasher {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("PasswordHasher")
    }
}

impl PasswordHasher {
    /// Starts the threads.
    pub fn start() -> Self {
        let line = Arc::new(Line::default());
        for _ in 0..THREADS {
            let line = Arc::clone(&line);
            std::thread::spawn(move || {
                let mut bench = Workbench::default();
                while let Some(work) = line.next(&mut bench) {
                    work(&mut bench);
                }
            });
        }
        Self { _until_dropped: Arc::new(ClosesLine(Arc::clone(&line))), line }
    }

    /// Hashes a password for storage, as a PHC string.
    ///
    /// # Errors
    /// 503 where too many wait already.
    pub async fn hash(&self, password: String) -> Result<String, AppError> {
        self.run(move |bench| bench.hash(&password)).await?
    }

    /// Whether `password` is the one behind `stored`. Without a stored hash it takes the same time
    /// and says no.
    ///
    /// # Errors
    /// 503 where too many wait already.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, AppError> {
        self.run(move |bench| {
            let matches = bench.verify(&password, stored.as_deref().unwrap_or(NOBODY));
            matches && stored.is_some()
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Workbench) -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let (reply, answer) = oneshot::channel();
        self.line.join(Box::new(move |bench| {
            // The one who asked may have gone away.
            let _ = reply.send(work(bench));
        }))?;
        answer.await.map_err(|_| AppError::busy())
    }
}

impl Line {
    fn join(&self, work: Work) -> Result<(), AppError> {
        let mut waiting = self.waiting.lock().map_err(|_| AppError::busy())?;
        if waiting.work.len() >= QUEUE {
            return Err(AppError::busy());
        }
        waiting.work.push_back(work);
        drop(waiting);
        self.changed.notify_one();
        Ok(())
    }

    /// Waits for work; `None` when there will be no more. A thread that waits long lets its
    /// memory go.
    fn next(&self, bench: &mut Workbench) -> Option<Work> {
        let mut waiting = self.waiting.lock().ok()?;
        loop {
            if let Some(work) = waiting.work.pop_front() {
                return Some(work);
            }
            if waiting.closed {
                return None;
            }
            if bench.0.is_empty() {
                waiting = self.changed.wait(waiting).ok()?;
            } else {
                let (still, timeout) = self.changed.wait_timeout(waiting, IDLE).ok()?;
                waiting = still;
                if timeout.timed_out() {
                    *bench = Workbench::default();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_its_own_hash_and_no_other() {
        let mut bench = Workbench::default();
        let hash = bench.hash("correct horse").expect("hashes");
        assert!(bench.verify("correct horse", &hash));
        assert!(!bench.verify("correct house", &hash));
        assert!(!bench.verify("correct horse", "no hash at all"));
    }

    #[test]
    fn the_hash_that_stands_for_nobody_is_readable_so_that_it_costs_the_same() {
        assert!(read_phc(NOBODY).is_some());
    }
}
