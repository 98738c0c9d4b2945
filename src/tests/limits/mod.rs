//! What stands around every call: rate limits, forged requests, sizes, types, headers, permissions.

mod admission;
mod bodies;
mod headers;
mod sign_in;
mod visitors;
