//! Speakers as they are sent and received (spec §3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Somebody who speaks at events.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Speaker {
    /// Number of the speaker.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Position.
    pub title: String,
    /// A few sentences.
    #[schema(required)]
    pub bio: Option<String>,
    /// Portrait.
    #[schema(required)]
    pub image_url: Option<String>,
    /// `EM Team` or `Guest`
    pub r#type: String,
    /// UTC, RFC 3339.
    pub created_at: String,
    /// UTC, RFC 3339.
    pub updated_at: String,
}

/// What is sent to create or change a speaker.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveSpeaker {
    /// Required.
    pub name: Option<String>,
    /// Required.
    pub title: Option<String>,
    /// May be missing.
    pub bio: Option<String>,
    /// A URL; may be missing.
    pub image_url: Option<String>,
    /// `EM Team` or `Guest`; `Guest` where it is missing.
    pub r#type: Option<String>,
}
