//! Speakers as they are sent and received (spec §3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::activity::{Fields, Subject};

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

impl Subject for Speaker {
    const KIND: &'static str = "speaker";

    fn number(&self) -> Option<i64> {
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

/// Why a speaker was not deleted: events would be left without any speaker (contract, "Calls").
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SpeakerConflict {
    /// The sentence for the person who reads it.
    pub error: String,
    /// The first of those events, by the instant of their start.
    pub events: Vec<EventLeftAlone>,
    /// How many more there are than are listed.
    pub more: usize,
}

/// An event that has one speaker only.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EventLeftAlone {
    /// Number of the event.
    pub id: i64,
    /// Its title.
    pub title: String,
    /// Its page's address on this site, `/events/12-reading-a-rent-roll`.
    pub path: String,
}
