//! Wire types of page content (spec §3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::activity::{Fields, Subject};
use crate::platform::messages::{HERO_SUBTITLE_FALLBACK, HERO_TITLE_FALLBACK};

/// The hero's title and subtitle.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageContent {
    /// `home`
    pub page: String,
    pub hero_title: String,
    pub hero_subtitle: String,
    /// UTC, RFC 3339; null until it is first changed.
    #[schema(required)]
    pub updated_at: Option<String>,
    /// Increases with every save, from 0 before the first; sent back with a change, it detects a concurrent change.
    pub revision: i64,
}

impl PageContent {
    /// The default content (spec §2).
    pub fn fallback(page: &str) -> Self {
        Self {
            page: page.to_owned(),
            hero_title: HERO_TITLE_FALLBACK.to_owned(),
            hero_subtitle: HERO_SUBTITLE_FALLBACK.to_owned(),
            updated_at: None,
            revision: 0,
        }
    }
}

impl Subject for PageContent {
    const KIND: &'static str = "page content";

    fn id(&self) -> Option<i64> {
        None
    }

    fn name(&self) -> String {
        self.page.clone()
    }

    fn fields(&self) -> Fields {
        Fields::default().with("heroTitle", Some(&self.hero_title)).with("heroSubtitle", Some(&self.hero_subtitle))
    }
}

/// Request body of a change.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavePageContent {
    /// Required, at most 120 characters.
    pub hero_title: Option<String>,
    /// Required, at most 240 characters.
    pub hero_subtitle: Option<String>,
    /// The revision on which the change is based. If it differs from the stored revision, the response is 409 and
    /// nothing is saved.
    pub revision: Option<i64>,
}

/// Response to a change that conflicts with another admin's change.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PageContentConflict {
    /// Message for the admin.
    pub error: String,
    /// The content as it is stored now.
    pub current: PageContent,
}
