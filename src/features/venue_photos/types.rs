//! Wire types of venue photos (spec §3; contract, "Calls").

use serde::Serialize;
use utoipa::ToSchema;

/// A venue's photo and its authors.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacePhoto {
    /// A URL of this server that redirects to the photo.
    pub photo_url: String,
    /// The authors who must be credited next to it.
    pub attributions: Vec<Attribution>,
}

/// An author who must be credited next to a photo.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Attribution {
    pub name: String,
    /// The author's page.
    #[schema(required)]
    pub uri: Option<String>,
}
