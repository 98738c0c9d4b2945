//! Wire types of uploads.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::activity::{Fields, Subject};

/// An uploaded image.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Image {
    /// `/pictures/<id>.jpg`: the largest size. With `?w=400` the narrowest stored width of at least 400.
    pub url: String,
    /// Of the largest size, in pixels.
    pub width: u32,
    /// Of the largest size, in pixels.
    pub height: u32,
}

impl Subject for Image {
    const KIND: &'static str = "image";

    fn id(&self) -> Option<i64> {
        None
    }

    fn name(&self) -> String {
        self.url.clone()
    }

    fn fields(&self) -> Fields {
        Fields::default().with("width", Some(&self.width.to_string())).with("height", Some(&self.height.to_string()))
    }
}

/// The image file.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes the body, which the handler reads as a stream")]
pub struct Upload(bytes::Bytes);
