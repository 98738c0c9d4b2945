//! What tests are written with.

mod app;
mod client;
mod factory;
pub(crate) mod fake_brandlive;
pub(crate) mod fake_places;
pub(crate) mod fake_s3;
pub(crate) mod program;
pub(crate) mod raw_client;
pub(crate) mod terminal;

pub(crate) use app::{ADMIN_EMAIL, ADMIN_PASSWORD, TestApp};
pub(crate) use client::{Client, Reply};
pub(crate) use factory::{in_person_event, online_event, speaker, with, without};
