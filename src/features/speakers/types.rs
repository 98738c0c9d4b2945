//! Wire types of speakers (spec §3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::activity::{Fields, Subject};

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Speaker {
    pub id: i64,
    pub name: String,
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
    /// Increases with every save; sent back with a change, it detects a concurrent change.
    pub revision: i64,
}

impl Subject for Speaker {
    const KIND: &'static str = "speaker";

    fn id(&self) -> Option<i64> {
        Some(self.id)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn fields(&self) -> Fields {
        Fields::default()
            .with("name", Some(&self.name))
            .with("title", Some(&self.title))
            .with("bio", self.bio.as_deref())
            .with("imageUrl", self.image_url.as_deref())
            .with("type", Some(&self.r#type))
    }
}

/// Request body to create or change a speaker.
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
    /// `EM Team` or `Guest`; `Guest` by default.
    pub r#type: Option<String>,
    /// The revision on which a change is based. If it differs from the stored revision, the response is 409 and nothing
    /// is saved.
    pub revision: Option<i64>,
}

/// Response to a change that conflicts with another admin's change.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SpeakerEditConflict {
    /// Message for the admin.
    pub error: String,
    /// The speaker as it is stored now.
    pub current: Speaker,
}
