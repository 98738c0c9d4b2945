//! Generates the document from the attributes of handlers and types.

use std::sync::Arc;

use serde_json::Value;
use utoipa::OpenApi;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema, SchemaType, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};

use crate::features::auth;
use crate::features::events::Search;
use crate::features::pages::InitialData;
use crate::features::venue_photos::VenuePhotos;
use crate::platform::config::Config;
use crate::platform::messages::{EVENT_TYPES, ROLES, SPEAKER_TYPES, limits};

#[derive(OpenApi)]
#[openapi(
    info(title = "Lectern", description = "Events calendar with an admin portal."),
    components(schemas(InitialData))
)]
struct Base;

/// The document as JSON with a final line break.
pub(crate) fn document() -> String {
    let mut base = Base::openapi();
    let cookie = ApiKey::Cookie(ApiKeyValue::new(auth::COOKIE));
    base.components.get_or_insert_default().add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    let photos = Arc::new(VenuePhotos::new(&Config::default()));
    let mut document = super::endpoints(&Search::default(), &photos).describe_in(base);
    if let Some(components) = &mut document.components {
        for (name, schema) in &mut components.schemas {
            if let RefOr::T(Schema::Object(object)) = schema {
                add_rules(name, object);
            }
        }
    }
    let mut json = document.to_pretty_json().unwrap_or_default();
    json.push('\n');
    json
}

/// The required keys of requests. In Rust they are optional, so that validation reports all that are missing.
pub(crate) const REQUIRED: [(&str, &[&str]); 9] = [
    ("SaveEvent", &["event", "speakerIds"]),
    ("EventInput", &["title", "date", "time", "type", "summary", "description", "registrationUrl"]),
    ("LocationInput", &["venueName", "venueAddress", "city", "state"]),
    ("SaveSpeaker", &["name", "title"]),
    ("SaveUser", &["email"]),
    ("SignIn", &["email", "password"]),
    ("ChangePassword", &["currentPassword", "newPassword"]),
    ("SavePageContent", &["heroTitle", "heroSubtitle"]),
    ("SetInterest", &["action", "userId"]),
];

/// The minimum and maximum length of texts in requests, in characters.
pub(crate) const LENGTHS: [(&str, &str, usize, usize); 38] = [
    ("EventInput", "title", 1, limits::TITLE),
    ("EventInput", "date", 10, 10),
    ("EventInput", "time", 5, 5),
    ("EventInput", "summary", 1, limits::SUMMARY),
    ("EventInput", "description", 1, limits::DESCRIPTION),
    ("EventInput", "registrationUrl", 1, limits::URL),
    ("EventInput", "brandliveId", 0, limits::NAME),
    ("EventInput", "series", 0, limits::NAME),
    ("LocationInput", "venueName", 1, limits::NAME),
    ("LocationInput", "venueAddress", 0, limits::NAME),
    ("LocationInput", "city", 0, limits::NAME),
    ("LocationInput", "state", 0, limits::NAME),
    ("LocationInput", "imageUrl", 0, limits::URL),
    ("LocationInput", "placeId", 0, limits::PLACE_ID),
    ("SaveSpeaker", "name", 1, limits::NAME),
    ("SaveSpeaker", "title", 1, limits::TITLE),
    ("SaveSpeaker", "bio", 0, limits::BIO),
    ("SaveSpeaker", "imageUrl", 0, limits::URL),
    ("SaveUser", "email", 1, limits::EMAIL),
    // A blank one leaves the password of a user unchanged.
    ("SaveUser", "password", 0, limits::PASSWORD_MAX),
    ("SignIn", "email", 1, limits::EMAIL),
    ("SignIn", "password", 1, limits::PASSWORD_MAX),
    ("ChangePassword", "currentPassword", 1, limits::PASSWORD_MAX),
    ("ChangePassword", "newPassword", limits::PASSWORD_MIN, limits::PASSWORD_MAX),
    ("SavePageContent", "heroTitle", 1, limits::HERO_TITLE),
    ("SavePageContent", "heroSubtitle", 1, limits::HERO_SUBTITLE),
    ("SetInterest", "userId", 1, limits::VISITOR_ID),
    ("SaveSiteSettings", "name", 1, limits::NAME),
    ("SaveSiteSettings", "logoUrl", 0, limits::URL),
    ("SaveSiteSettings", "phone", 0, limits::PHONE),
    ("SaveSiteSettings", "email", 0, limits::EMAIL),
    ("SaveSiteSettings", "learnMoreUrl", 1, limits::URL),
    ("SaveSiteSettings", "scheduleCallUrl", 0, limits::URL),
    ("SaveSiteSettings", "investorResourcesUrl", 0, limits::URL),
    ("SaveSiteSettings", "disclaimer", 0, limits::DISCLAIMER),
    ("SaveSiteSettings", "noticeText", 0, limits::NOTICE),
    ("SiteLinkInput", "label", 0, limits::LINK_LABEL),
    ("SiteLinkInput", "url", 0, limits::URL),
];

/// The allowed values of texts in requests.
const ENUMS: [(&str, &str, &[&str]); 5] = [
    ("EventInput", "status", &["draft", "scheduled", "published", "hidden", "cancelled", "postponed"]),
    ("EventInput", "type", &EVENT_TYPES),
    ("SaveSpeaker", "type", &SPEAKER_TYPES),
    ("SaveUser", "role", &ROLES),
    ("SetInterest", "action", &["add", "remove"]),
];

/// States the rules of a request (contract, "Calls") in its schema.
fn add_rules(name: &str, object: &mut Object) {
    for (_, keys) in REQUIRED.iter().filter(|(schema, _)| *schema == name) {
        object.required = keys.iter().map(|key| (*key).to_owned()).collect();
    }
    let required = object.required.clone();
    for (key, property) in &mut object.properties {
        let is_required = required.contains(key) && REQUIRED.iter().any(|(schema, _)| *schema == name);
        match property {
            // A reference that may be null.
            RefOr::T(Schema::OneOf(either)) if is_required => {
                let reference = either.items.iter().find(|item| matches!(item, RefOr::Ref(_))).cloned();
                *property = reference.unwrap_or_else(|| property.clone());
            }
            RefOr::T(Schema::Array(array)) if is_required => {
                array.schema_type = SchemaType::Type(Type::Array);
                if (name, key.as_str()) == ("SaveEvent", "speakerIds") {
                    (array.min_items, array.max_items) = (Some(1), Some(limits::SPEAKERS));
                }
            }
            RefOr::T(Schema::Object(text)) => {
                if is_required {
                    text.schema_type = SchemaType::Type(Type::String);
                }
                if let Some((_, _, min, max)) = LENGTHS.iter().find(|(schema, of, ..)| (*schema, *of) == (name, key)) {
                    (text.min_length, text.max_length) = (Some(*min).filter(|min| *min > 0), Some(*max));
                }
                if let Some((_, _, words)) = ENUMS.iter().find(|(schema, of, _)| (*schema, *of) == (name, key)) {
                    let null = (!is_required).then_some(Value::Null);
                    text.enum_values = Some(words.iter().map(|word| Value::from(*word)).chain(null).collect());
                }
            }
            _ => {}
        }
    }
}
