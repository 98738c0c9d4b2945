//! The command line, tested with the real program.

mod accounts;
mod backup;
mod check;
mod corruption;
mod demo;
mod healthcheck;
mod help;
mod licenses;
mod log;
mod rejections;
mod restore;
mod serve;
mod setup;
mod system_user;

use std::collections::BTreeMap;
use std::path::Path;

use tempfile::TempDir;

use super::support::program::{self, EMAIL, PASSWORD, command, finish};
use crate::platform::db::{self, BusyTimeout};

fn empty_folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A folder with a `lectern.db` that has one admin.
fn folder_with_admin() -> TempDir {
    let folder = empty_folder();
    program::create_admin(folder.path());
    folder
}

/// Creates an admin in the folder's `lectern.db` and returns its output.
fn create_admin(folder: &Path, email: &str, password: &str) -> String {
    let arguments = ["create-admin", "--email", email, "--password-stdin"];
    finish(command(folder, &arguments), &format!("{password}\n")).succeeded()
}

/// A connection of another process than the server's.
fn connect(path: &Path) -> rusqlite::Connection {
    db::connect(path, BusyTimeout::CommandLine).unwrap()
}

fn count(path: &Path, table: &str) -> i64 {
    connect(path).query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

/// The names of the files in a folder that another process may change meanwhile.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.path().is_file());
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Every file of a folder with its bytes, to check that nothing was changed.
fn everything_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}
