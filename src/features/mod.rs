//! What lectern does, one folder a feature, each with the same rooms: `mod` (router and front
//! door), `types` (wire), `rules` (input to checked value), `store` (SQL), `handlers` (HTTP).

pub mod activity;
pub mod auth;
pub mod brandlive;
pub mod events;
pub mod feeds;
pub mod idempotency;
pub mod images;
pub mod interest;
pub mod notices;
pub mod page_content;
pub mod pages;
pub mod places;
pub mod share_images;
pub mod speakers;
