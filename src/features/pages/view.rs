//! What stands in the served HTML before any script runs.

use chrono::{DateTime, Utc};

use super::types::FirstData;
use crate::features::page_content::PageContent;

/// The hero's words, with the specification's where nobody has written others.
pub(super) struct Hero {
    pub(super) title: String,
    pub(super) subtitle: String,
}

impl Hero {
    pub(super) fn of(content: Option<&PageContent>) -> Self {
        let content = content.cloned().unwrap_or_else(|| PageContent::fallback("home"));
        Self { title: content.hero_title, subtitle: content.hero_subtitle }
    }
}

pub(super) fn body(_data: &FirstData, _hero: &Hero, _now: DateTime<Utc>) -> String {
    String::new()
}
