//! The merged OpenAPI document, from which the web client's types are generated.

use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use crate::features::pages::FirstData;
use crate::features::{auth, brandlive, events, images, interest, page_content, places, speakers};
use crate::platform::state::AppState;

#[derive(OpenApi)]
#[openapi(
    info(title = "Lectern", description = "Events calendar with an admin portal."),
    components(schemas(FirstData))
)]
struct Base;

/// All API endpoints with their descriptions.
pub fn router() -> OpenApiRouter<AppState> {
    let mut base = Base::openapi();
    let cookie = ApiKey::Cookie(ApiKeyValue::new(auth::COOKIE));
    base.components.get_or_insert_default().add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    OpenApiRouter::with_openapi(base)
        .merge(events::router())
        .merge(interest::router())
        .merge(speakers::router())
        .merge(auth::router())
        .merge(page_content::router())
        .merge(brandlive::router())
        .merge(places::router())
        .merge(images::router())
}

/// The document as JSON with a final line break.
pub fn document() -> String {
    let mut json = router().into_openapi().to_pretty_json().unwrap_or_default();
    json.push('\n');
    json
}
