//! The activity log: who changed what, and when, recorded in the transaction of the change.
//!
//! ```ignore
//! activity::record(transaction, &Actor::named("Brandlive sync"), &Change::Changed(&before, &after))?;
//! ```

mod rules;
mod store;
mod types;

pub use rules::{Actor, Change, Fields, Subject, differences};
pub use store::{Filter, last_actor, latest, record};
pub use types::{ActivityAction, ActivityChange, ActivityEntry, LogEntry};
