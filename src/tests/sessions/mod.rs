//! Sessions: how one begins, what its cookie is, when it ends, and what a wrong sign-in learns.

mod begin;
mod end;
