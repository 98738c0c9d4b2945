//! Idempotent creates: a repeated request with the same `Idempotency-Key` header gets the stored response
//! (draft-ietf-httpapi-idempotency-key-header).

mod extractor;
mod handlers;
mod store;

pub use extractor::{IdempotencyKey, IdempotentJson};
pub use handlers::{Created, create};
pub use store::purge;
