//! Pictures as they are answered.

use serde::Serialize;
use utoipa::ToSchema;

/// An uploaded picture.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Picture {
    /// `/pictures/<id>.jpg`: the largest size. With `?w=400` the smallest kept size that is at least so wide.
    pub url: String,
    /// Of the largest size, in pixels.
    pub width: u32,
    /// Of the largest size, in pixels.
    pub height: u32,
}

/// The file as it is.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct Upload(pub bytes::Bytes);
