//! Events: the list, and saving, deleting and restoring them.

mod bulk_edit;
mod conflict;
mod delete;
mod description;
mod list;
mod portal;
mod preview;
mod repeats;
mod restore;
mod save;
mod status;
mod update;
