//! What has changed, and what is purged.

/// What has changed since an earlier change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedKeys {
    /// The number of the last one.
    pub sequence: i64,
    /// The content version that contains them all.
    pub version: i64,
    pub keys: Vec<String>,
    /// When they were read.
    pub read_at: String,
}

/// The changes up to which a cache was purged.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Purged {
    /// The number of the last one; 0 for none.
    pub sequence: i64,
    /// When they were read: what changed before this time was purged.
    pub read_at: String,
}

/// The changes that wait for a purge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingChanges {
    /// The number of keys.
    pub keys: u32,
    /// The time of the oldest change; `None` for no change or one that an earlier release recorded.
    pub since: Option<String>,
}

/// A cache whose last purge failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeFailure {
    /// Its name, as in [`super::Target::name`].
    pub cache: String,
    /// Why the last attempt failed, and whether it was to purge everything.
    pub message: String,
    /// The time of the first attempt that failed.
    pub since: String,
}

/// What a shared cache must no longer send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PurgeRequest {
    /// The responses with one of these keys.
    Keys(Vec<String>),
    /// All responses.
    Everything,
}

impl PurgeRequest {
    /// A purge of these keys, or of everything if they are more than a request takes.
    pub fn new(keys: Vec<String>, max_keys: usize) -> Self {
        if keys.len() > max_keys { Self::Everything } else { Self::Keys(keys) }
    }
}
