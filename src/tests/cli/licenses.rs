//! `lectern licenses`

use sha2::{Digest as _, Sha256};

use super::empty_folder;
use crate::platform::hex::hex;
use crate::tests::support::program::succeed;

#[test]
fn the_notices_name_what_is_linked_and_bundled_and_belong_to_the_lock_files() {
    let text = succeed(empty_folder().path(), &["licenses"]);
    assert!(text.starts_with(concat!("lectern ", env!("CARGO_PKG_VERSION"), "\n\nMIT License")), "{}", &text[..200]);
    for name in ["serde ", "rusqlite ", "rquickjs-sys ", "react ", "@fontsource-variable/archivo "] {
        assert!(text.contains(name), "{name} is missing");
    }
    for words in ["SQLite, in libsqlite3-sys, is in the public domain", "SIL OPEN FONT LICENSE", "Fabrice Bellard"] {
        assert!(text.contains(words), "{words} is missing");
    }
    let locks = [include_bytes!("../../../Cargo.lock").as_slice(), include_bytes!("../../../web/package-lock.json")];
    let digest = hex(&Sha256::digest(locks.concat()));
    assert!(
        text.contains(&format!("Lock files: {digest}\n")),
        "a lock file has changed: run `npm ci` and `npm run build` in web/, then packaging/third-party.py"
    );
}
