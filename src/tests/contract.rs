//! The files that the page is made with are made from this side.

use std::path::PathBuf;

use crate::openapi;
use crate::platform::messages;

/// `UPDATE_GENERATED=1 cargo test generated` writes them anew.
#[test]
fn generated_files_are_up_to_date() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("web/src/api/generated");
    let files = [
        ("openapi.json", openapi::document()),
        ("contract.ts", messages::contract_ts()),
        ("validation.ts", messages::validation_ts()),
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
