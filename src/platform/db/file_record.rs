//! A record, in the lock file, of which database file and write-ahead log a server uses. After a crash it proves that the
//! write-ahead log belongs to the file, so that the next start need not read the complete file to find out.

use std::fs::{Metadata, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::file_check::{FileIdentity, wal_path};

/// When a database file was changed, and its size then. SQLite changes it only in a checkpoint of the write-ahead
/// log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileStamp {
    changed_at: (i64, i64),
    length: u64,
}

impl FileStamp {
    pub(super) fn new(meta: &Metadata) -> Self {
        // Not the time of modification, which copying tools can set.
        Self { changed_at: (meta.ctime(), meta.ctime_nsec()), length: meta.len() }
    }
}

/// Records the present files, or with `None` that nothing is known of them. A record that can't be written is like none:
/// an earlier one does not match.
pub(super) fn write(lock: &Path, database: &Path, stamp: Option<FileStamp>) {
    let record = stamp.and_then(|stamp| record_of(database).filter(|record| record.stamp == stamp));
    let text = record.map(|record| record.text()).unwrap_or_default();
    // Never created: the server holds a lock on the file that is there.
    let opened = OpenOptions::new().write(true).truncate(true).open(lock);
    let _ = opened.and_then(|mut file| file.write_all(text.as_bytes()));
}

/// Whether the last server used these files, and nothing has changed the database file since.
pub(super) fn matches(lock: &Path, database: &Path) -> bool {
    let written = std::fs::read_to_string(lock).unwrap_or_default();
    record_of(database).is_some_and(|record| record.text() == written)
}

struct FileRecord {
    stamp: FileStamp,
    file: FileIdentity,
    wal: FileIdentity,
}

impl FileRecord {
    fn text(&self) -> String {
        let FileStamp { changed_at: (seconds, nanoseconds), length } = self.stamp;
        let Self { file, wal, .. } = self;
        format!("{file} changed {seconds}.{nanoseconds:09} length {length} wal {wal}\n")
    }
}

fn record_of(database: &Path) -> Option<FileRecord> {
    let (file, wal) = (database.metadata().ok()?, wal_path(database).metadata().ok()?);
    Some(FileRecord { stamp: FileStamp::new(&file), file: FileIdentity::new(&file), wal: FileIdentity::new(&wal) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::db::{Db, DbOptions};

    #[test]
    fn a_record_matches_until_a_file_changes_or_is_replaced() {
        let folder = tempfile::tempdir().expect("a directory");
        let [lock, database, wal] = ["x.db.lock", "x.db", "x.db-wal"].map(|name| folder.path().join(name));
        for file in [&lock, &database, &wal] {
            std::fs::write(file, "one").expect("a file");
        }
        let record = || write(&lock, &database, database.metadata().ok().map(|meta| FileStamp::new(&meta)));
        assert!(!matches(&lock, &database), "there is no record");
        record();
        assert!(matches(&lock, &database));

        std::fs::write(&wal, "longer").expect("a file");
        assert!(matches(&lock, &database), "every commit changes the write-ahead log");
        std::fs::write(&database, "longer").expect("a file");
        assert!(!matches(&lock, &database), "the database was changed");

        record();
        let other = folder.path().join("other");
        std::fs::write(&other, "longer").expect("a file");
        std::fs::rename(&other, &wal).expect("a file");
        assert!(!matches(&lock, &database), "the write-ahead log was replaced");
        write(&lock, &database, None);
        assert!(!matches(&lock, &database));
    }

    #[tokio::test]
    async fn a_server_records_its_own_changes_of_the_file_and_no_others() {
        let folder = tempfile::tempdir().expect("a directory");
        let [lock, database] = ["x.db.lock", "x.db"].map(|name| folder.path().join(name));
        let db = Db::serve(&database, DbOptions::default()).expect("a database");
        let fill = |transaction: &crate::platform::db::Transaction<'_>| {
            let sql = "INSERT INTO page_content (page, hero_title, hero_subtitle)
                VALUES (hex(randomblob(8)), '', hex(zeroblob(4000000)))";
            Ok(transaction.execute(sql, [])?)
        };
        let length = || database.metadata().map_or(0, |meta| meta.len());
        let empty = length();
        db.write(fill).await.expect("a row");
        assert!(length() > empty, "the write-ahead log was moved into the file");
        assert!(matches(&lock, &database));

        let other = rusqlite::Connection::open(&database).expect("a connection");
        other.execute("UPDATE page_content SET hero_title = 'changed'", []).expect("a change");
        other.query_row("PRAGMA wal_checkpoint", [], |_| Ok(())).expect("a checkpoint");
        assert!(!matches(&lock, &database));
        db.write(fill).await.expect("a row");
        assert!(!matches(&lock, &database), "a change by something else is not recorded later");
    }
}
