//! Events: the list, and saving, deleting and restoring them.

mod conflict;
mod delete;
mod list;
mod restore;
mod save;
mod update;
