//! What has changed, and what is purged.

/// What has changed since an earlier change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedKeys {
    /// The number of the last one.
    pub sequence: i64,
    /// The content version that contains them all.
    pub version: i64,
    pub keys: Vec<String>,
}

/// What a shared cache must no longer send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purge {
    /// The responses with one of these keys.
    Keys(Vec<String>),
    /// All responses.
    Everything,
}

impl Purge {
    /// A purge of these keys, or of everything if they are more than a request takes.
    pub fn of(keys: Vec<String>, max_keys: usize) -> Self {
        if keys.len() > max_keys { Self::Everything } else { Self::Keys(keys) }
    }
}
