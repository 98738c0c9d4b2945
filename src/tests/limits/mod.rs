//! Checks before every endpoint: permissions, forged requests, rate limits, sizes, media types, headers.

mod access;
mod bodies;
mod headers;
mod rate_limits;
mod sign_in;
