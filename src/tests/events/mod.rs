//! Events: the list, saving one as a whole, and what goes with it when it is deleted.

mod delete;
mod list;
mod save;
mod update;
