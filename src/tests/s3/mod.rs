//! Backups in S3: against storage that fails on purpose, against one that checks signatures, and by the real program.

mod client;
mod program;
mod real;

use std::path::Path;

use crate::platform::config::{Backup, Config, Overrides, load};

const ACCESS_KEY: &str = "AKIDLECTERNTEST";
const SECRET_KEY: &str = "hush/4711+secret=key";

/// `[backup]` and `[backup.s3]` for a folder beside the database and the bucket `copies`.
pub(super) fn settings(endpoint: &str, prefix: &str) -> String {
    format!(
        "[backup]\ndir = \"backups\"\n[backup.s3]\nendpoint = \"{endpoint}\"\nbucket = \"copies\"\nprefix = \"{prefix}\"\n\
         access_key = \"{ACCESS_KEY}\"\nsecret_key = \"{SECRET_KEY}\"\n"
    )
}

fn config(endpoint: &str, prefix: &str) -> Config {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), settings(endpoint, prefix)).unwrap();
    load(&Overrides { config: Some(file.path().to_owned()), ..Overrides::default() }, []).unwrap()
}

fn backup(endpoint: &str, prefix: &str) -> Backup {
    config(endpoint, prefix).backup
}

/// A file of this many bytes that differ from part to part.
fn file_of(folder: &Path, name: &str, bytes: usize) -> Vec<u8> {
    let mut content = b"Bytes of a backup. ".repeat(bytes / 19 + 1);
    content.truncate(bytes);
    // No part is like another.
    for (number, block) in content.as_chunks_mut::<4096>().0.iter_mut().enumerate() {
        block[..8].copy_from_slice(&number.to_le_bytes());
    }
    std::fs::write(folder.join(name), &content).unwrap();
    content
}

/// No message may contain a key or what the storage wrote beside its code.
fn assert_is_sentence(text: &str) {
    for secret in [ACCESS_KEY, SECRET_KEY, "hush", "4711", "X-Amz", "Signature="] {
        assert!(!text.contains(secret), "{text}");
    }
    assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
}
