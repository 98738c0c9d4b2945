//! The picture of an event that a chat or a search result shows beside a link to it.

mod types;

pub use types::address;
