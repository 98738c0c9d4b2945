//! What root starts runs as the owner of the database. These tests need root; the container checks run as root.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{EMAIL, PASSWORD, create_admin, empty_folder};
use crate::platform::system_user::is_root;
use crate::tests::support::program::{Server, command, finish, program, succeed};

/// A user without an account.
const OWNER: u32 = 54_321;

/// A folder of that user, and a copy of the program that the user can run.
fn folder_of_owner() -> (TempDir, PathBuf) {
    let folder = empty_folder();
    let copy = folder.path().join("lectern");
    fs::copy(program(), &copy).unwrap();
    chown(folder.path(), Some(OWNER), Some(OWNER)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    (folder, copy)
}

fn assert_owned(folder: &Path, names: &[&str]) {
    for name in names {
        let meta = fs::metadata(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((meta.uid(), meta.gid()), (OWNER, OWNER), "{name}");
    }
}

#[test]
fn a_server_of_root_becomes_the_owner_and_keeps_only_the_permission_for_low_ports() {
    if !is_root() {
        return;
    }
    let (folder, _copy) = folder_of_owner();
    create_admin(folder.path(), EMAIL, PASSWORD);
    assert_owned(folder.path(), &["lectern.db"]);
    let server = Server::start(folder.path(), &[]);
    server.visitor().sign_in(EMAIL, PASSWORD);
    assert_owned(folder.path(), &["lectern.db", "lectern.db-wal", "lectern.db-shm", "lectern.db.lock"]);
    let words = format!("running as the user {OWNER}, who owns ");
    assert!(server.log().contains(&words), "{}", server.log());

    // Every thread, because Linux keeps the user of each.
    let threads = fs::read_dir(format!("/proc/{}/task", server.pid().as_raw_nonzero())).unwrap();
    for thread in threads {
        let status = fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        let value = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{status}")).split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let ids = [OWNER; 4].map(|id| id.to_string()).join(" ");
        assert_eq!((value("Uid:"), value("Gid:"), value("Groups:")), (ids.clone(), ids, OWNER.to_string()));
        // CAP_NET_BIND_SERVICE is the tenth.
        for set in ["CapPrm:", "CapEff:"] {
            assert_eq!(u64::from_str_radix(&value(set), 16), Ok(1 << 10), "{set}");
        }
        for set in ["CapInh:", "CapAmb:"] {
            assert_eq!(u64::from_str_radix(&value(set), 16), Ok(0), "{set}");
        }
    }
    server.stop();
}

#[test]
fn commands_of_root_leave_no_file_of_root() {
    if !is_root() {
        return;
    }
    let (folder, _copy) = folder_of_owner();
    create_admin(folder.path(), EMAIL, PASSWORD);
    succeed(folder.path(), &["backup", "copy.db"]);
    succeed(folder.path(), &["restore", "copy.db"]);
    assert_owned(folder.path(), &["lectern.db", "copy.db"]);
    let text = succeed(folder.path(), &["--version", "--verbose"]);
    assert!(text.contains(&format!("{OWNER} (root runs commands as the owner of the database)")), "{text}");
}

#[test]
fn root_does_not_read_the_configuration_of_a_folder_unless_it_is_named() {
    if !is_root() || Path::new(crate::platform::config::SYSTEM_FILE).exists() {
        return;
    }
    let folder = empty_folder();
    fs::write(folder.path().join("config.toml"), "[database]\npath = \"planted.db\"\n").unwrap();
    let mut unnamed = command(folder.path(), &["migrate"]);
    unnamed.env_remove("LECTERN_CONFIG");
    let message = finish(unnamed, "").sentence(2);
    assert!(message.contains("anyone may have put it there") && message.contains("--config config.toml"), "{message}");
    assert!(!folder.path().join("planted.db").exists());
    succeed(folder.path(), &["migrate", "--config", "config.toml"]);
    assert!(folder.path().join("planted.db").exists());
}
