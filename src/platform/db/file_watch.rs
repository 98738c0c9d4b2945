//! A notification by the kernel when a watched file is removed, renamed or replaced. It saves the checks of each path
//! around every commit.

use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};

/// Bytes of one read: some hundred events. Unread events are reported by the next call.
const BUFFER: usize = 8_192;

/// Watches files and each folder above them, symbolic links included, by which they could be moved away.
///
/// The kernel queues an event before the system call that removes or renames a file returns. It does not see changes on
/// the other side of a network file system, nor a file system that is mounted over a folder.
#[derive(Debug)]
pub(super) struct FileWatch {
    queue: OwnedFd,
    paths: Vec<PathBuf>,
}

impl FileWatch {
    /// `None` if a watch can't be created, because the system's limit is reached for example.
    pub(super) fn new<'a>(files: impl Iterator<Item = &'a Path>) -> Option<Self> {
        let mut paths = Vec::new();
        for file in files {
            let named = std::path::absolute(file).ok()?;
            let canonical = file.canonicalize().ok()?;
            for path in named.ancestors().chain(canonical.ancestors()) {
                if !paths.iter().any(|known| known == path) {
                    paths.push(path.to_owned());
                }
            }
        }
        let watch = Self { queue: inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?, paths };
        watch.renew().then_some(watch)
    }

    /// Watches the files that are at the paths now; returns whether each is watched.
    pub(super) fn renew(&self) -> bool {
        // The number of links of an open file that is removed or replaced changes: an attribute.
        let changes = WatchFlags::ATTRIB | WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF | WatchFlags::DONT_FOLLOW;
        self.paths.iter().all(|path| inotify::add_watch(&self.queue, path.as_path(), changes).is_ok())
    }

    /// Whether something may have happened to a file since the last call. Costs one system call.
    pub(super) fn has_changed(&self) -> bool {
        let mut events = [0_u8; BUFFER];
        !matches!(rustix::io::read(&self.queue, &mut events), Err(rustix::io::Errno::AGAIN))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// What happens to `real/data/x.db`, of which `link/x.db` is the path.
    fn is_noticed(change: impl FnOnce(&Path)) -> bool {
        let folder = tempfile::tempdir().expect("a directory");
        let data = folder.path().join("real/data");
        fs::create_dir_all(&data).expect("a directory");
        fs::write(data.join("x.db"), "one").expect("a file");
        symlink("real/data", folder.path().join("link")).expect("a link");
        let path = folder.path().join("link/x.db");
        // Open, as the database is: its last link can be removed without its deletion.
        let _open = fs::File::open(&path).expect("a file");
        let watch = FileWatch::new([path.as_path()].into_iter()).expect("a watch");
        assert!(!watch.has_changed(), "nothing has happened");
        change(folder.path());
        watch.has_changed()
    }

    #[test]
    fn a_file_that_leaves_its_path_in_any_way_is_noticed() {
        assert!(is_noticed(|folder| fs::remove_file(folder.join("link/x.db")).expect("a file")));
        assert!(is_noticed(|folder| fs::rename(folder.join("link/x.db"), folder.join("y.db")).expect("a file")));
        assert!(is_noticed(|folder| {
            fs::write(folder.join("y.db"), "two").expect("a file");
            fs::rename(folder.join("y.db"), folder.join("link/x.db")).expect("a file");
        }));
        assert!(is_noticed(|folder| fs::rename(folder.join("real/data"), folder.join("gone")).expect("a folder")));
        assert!(is_noticed(|folder| fs::rename(folder.join("real"), folder.join("gone")).expect("a folder")));
        assert!(is_noticed(|folder| {
            fs::create_dir(folder.join("other")).expect("a folder");
            symlink("other", folder.join("new-link")).expect("a link");
            fs::rename(folder.join("new-link"), folder.join("link")).expect("a link");
        }));
        let forbid = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o000)).expect("a folder");
        assert!(is_noticed(|folder| {
            forbid(&folder.join("real/data"));
            fs::set_permissions(folder.join("real/data"), fs::Permissions::from_mode(0o700)).expect("a folder");
        }));
    }

    #[test]
    fn its_own_content_and_its_neighbors_are_no_change() {
        assert!(!is_noticed(|folder| fs::write(folder.join("link/x.db"), "two").expect("a file")));
        assert!(!is_noticed(|folder| fs::write(folder.join("link/y.db"), "two").expect("a file")));
    }

    #[test]
    fn a_file_that_came_back_is_watched_again() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("x.db");
        fs::write(&path, "one").expect("a file");
        let watch = FileWatch::new([path.as_path()].into_iter()).expect("a watch");
        fs::remove_file(&path).expect("a file");
        assert!(watch.has_changed());
        assert!(!watch.renew(), "there is no file");
        fs::write(&path, "two").expect("a file");
        assert!(watch.renew());
        while watch.has_changed() {}
        fs::remove_file(&path).expect("a file");
        assert!(watch.has_changed());
    }
}
