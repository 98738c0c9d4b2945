//! Events: the list, saving one as a whole, and what goes with it when it is deleted.

mod conflict;
mod delete;
mod hidden;
mod list;
mod restore;
mod save;
mod update;
