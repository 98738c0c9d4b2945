//! The password hashing queue: Argon2id, two hashes at a time (hardening, "Passwords").

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};

use super::blocking::BlockingQueue;
use super::error::{AppError, BoxError};

const MEMORY_KIB: u32 = 19_456;
const ITERATIONS: u32 = 2;
const LANES: u32 = 1;
/// Each hash needs 19 MiB, and small servers have two cores.
const CONCURRENT: usize = 2;
const WAITING: usize = 32;
/// Verified for unknown e-mail addresses, so that they take as long as known ones. No password has this hash.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bGVjdGVybi1ub2JvZHktMA$bGVjdGVybjogbm8gcGFzc3dvcmQgaGFzaGVzIHRvIG0";

fn argon2() -> Result<Argon2<'static>, AppError> {
    let params = Params::new(MEMORY_KIB, ITERATIONS, LANES, None).map_err(failed)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn failed(error: impl Into<BoxError>) -> AppError {
    AppError::failed("a password could not be hashed", error)
}

/// Hashes a password on the calling thread. The result is a PHC string.
///
/// # Errors
/// The operating system provides no random salt.
pub fn hash(password: &str) -> Result<String, AppError> {
    Ok(argon2()?.hash_password(password.as_bytes()).map_err(failed)?.to_string())
}

/// Whether the password has this hash. An unreadable hash matches no password.
fn matches(password: &str, phc: &str) -> bool {
    // The parameters are those of the stored hash.
    argon2().is_ok_and(|argon2| argon2.verify_password(password.as_bytes(), phc).is_ok())
}

/// The server's queue of password work; clones share it.
#[derive(Clone, Debug)]
pub struct PasswordQueue(BlockingQueue);

impl Default for PasswordQueue {
    fn default() -> Self {
        Self(BlockingQueue::new(CONCURRENT, WAITING))
    }
}

impl PasswordQueue {
    /// The number of passwords that are or wait to be hashed.
    pub fn queue_length(&self) -> usize {
        self.0.len()
    }

    /// Hashes a password for storage, as a PHC string.
    ///
    /// # Errors
    /// 503 if the queue is full.
    pub async fn hash(&self, password: String) -> Result<String, AppError> {
        self.0.run(move || hash(&password)).await?
    }

    /// Whether `password` has the hash `stored`. Without a stored hash the result is `false` after the same time.
    ///
    /// # Errors
    /// 503 if the queue is full.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, AppError> {
        self.0
            .run(move || {
                let is_match = matches(&password, stored.as_deref().unwrap_or(DUMMY_HASH));
                is_match && stored.is_some()
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use argon2::PasswordHash;

    use super::*;

    #[test]
    fn a_password_matches_its_own_hash_and_no_other() {
        let hash = hash("correct horse").expect("it succeeds");
        assert!(matches("correct horse", &hash));
        assert!(!matches("correct house", &hash));
        assert!(!matches("correct horse", "not a hash"));
    }

    #[test]
    fn hashes_written_by_earlier_releases_stay_valid() {
        let stored =
            "$argon2id$v=19$m=19456,t=2,p=1$TZmNMiX2axiNQLSIRQ86ew$e8kUq6/UNB0t39uJ55s/W/cdMbwFladczxGHjgfF7m4";
        assert!(matches("correct horse", stored));
        assert!(!matches("correct house", stored));
    }

    #[test]
    fn new_hashes_and_the_dummy_hash_have_the_same_costs_and_lengths() {
        for phc in [hash("correct horse").expect("it succeeds").as_str(), DUMMY_HASH] {
            let parsed = PasswordHash::new(phc).expect("it succeeds");
            assert_eq!((parsed.algorithm.as_str(), parsed.version), ("argon2id", Some(19)));
            assert_eq!(parsed.params.to_string(), "m=19456,t=2,p=1");
            assert_eq!((parsed.salt.expect("it succeeds").len(), parsed.hash.expect("it succeeds").len()), (16, 32));
        }
    }

    #[tokio::test]
    async fn an_unknown_email_address_costs_a_hash_and_never_matches() {
        let queue = PasswordQueue::default();
        let known = Some(hash("correct horse").expect("it succeeds"));
        assert!(queue.verify("correct horse".to_owned(), known).await.expect("it succeeds"));
        assert!(!queue.verify("correct horse".to_owned(), None).await.expect("it succeeds"));
    }
}
