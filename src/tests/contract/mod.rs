//! The files that are generated for the web client.

mod typescript;

use std::path::PathBuf;

use crate::openapi;
use crate::platform::content_coding::decompress_brotli;
use crate::platform::messages;

/// `UPDATE_GENERATED=1 cargo test generated` updates them.
#[test]
fn generated_files_are_up_to_date() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("web/src/api/generated");
    let files = [
        ("openapi.json", openapi::document()),
        ("contract.ts", typescript::contract_ts()),
        ("validation.ts", typescript::validation_ts()),
    ];
    for (name, expected) in files {
        let path = folder.join(name);
        if std::env::var_os("UPDATE_GENERATED").is_some() {
            std::fs::write(&path, &expected).expect("the generated file can be written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == expected,
            "{} is stale: run `UPDATE_GENERATED=1 cargo test generated` and then `npm run generate` in web/",
            path.display()
        );
    }
}

/// `UPDATE_GENERATED=1 cargo test generated` updates it.
#[test]
fn the_generated_document_in_the_program_is_up_to_date() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/openapi.json.br");
    let expected = openapi::document().into_bytes();
    let embedded = || std::fs::read(&path).and_then(|file| decompress_brotli(&file)).unwrap_or_default();
    if std::env::var_os("UPDATE_GENERATED").is_some() && embedded() != expected {
        let mut compressed = Vec::new();
        brotli::BrotliCompress(&mut expected.as_slice(), &mut compressed, &brotli::enc::BrotliEncoderParams::default())
            .expect("the document can be compressed");
        std::fs::write(&path, compressed).expect("the generated file can be written");
    }
    assert!(embedded() == expected, "{} is stale: run `UPDATE_GENERATED=1 cargo test generated`", path.display());
}

#[test]
fn the_rules_of_requests_are_in_the_document() {
    let document: serde_json::Value = serde_json::from_str(&openapi::document()).unwrap();
    let schema = |name: &str| document["components"]["schemas"][name].clone();
    let event = schema("EventInput");
    let required = ["title", "date", "time", "type", "summary", "description", "registrationUrl"];
    assert_eq!(event["required"], serde_json::json!(required));
    assert_eq!(event["properties"]["title"]["maxLength"], 200);
    assert_eq!(event["properties"]["title"]["type"], "string");
    assert_eq!(event["properties"]["type"]["enum"], serde_json::json!(messages::EVENT_TYPES));
    let save = schema("SaveEvent");
    assert_eq!(save["properties"]["event"]["$ref"], "#/components/schemas/EventInput");
    assert_eq!(save["properties"]["speakerIds"]["minItems"], 1);
    assert_eq!(schema("SaveSpeaker")["properties"]["type"]["enum"], serde_json::json!(["EM Team", "Guest", null]));
    assert_eq!(schema("SetInterest")["required"], serde_json::json!(["action", "userId"]));
    // Every rule names an existing key.
    for (name, keys) in openapi::REQUIRED {
        for key in keys {
            assert!(!schema(name)["properties"][key].is_null(), "{name}.{key}");
        }
    }
    for (name, key, _, max) in openapi::LENGTHS {
        assert_eq!(schema(name)["properties"][key]["maxLength"], max, "{name}.{key}");
    }
}
