//! A venue's photo as it is sent (spec §3; contract, "Calls").

use serde::Serialize;
use utoipa::ToSchema;

/// Where a venue's photo is, and who took it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacePhoto {
    /// An address of this server that leads to a fresh photo.
    pub photo_url: String,
    /// Whom the provider wants named beside it.
    pub attributions: Vec<Attribution>,
}

/// Somebody who is to be named beside a photo.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Attribution {
    /// The name.
    pub name: String,
    /// The author's page.
    #[schema(required)]
    pub uri: Option<String>,
}
