//! The rule of the house (`src/lib.rs`), kept by reading the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The files that a feature may have (architecture, "The house").
const ROOMS: [&str; 9] = ["mod", "types", "rules", "store", "handlers", "guard", "client", "mapping", "sync"];
/// What some features have besides.
const ROOMS_OF: [(&str, &[&str]); 4] = [
    ("pages", &["document", "event", "html", "view"]),
    ("feeds", &["calendar", "files", "ical", "links", "xml"]),
    ("places", &["photos"]),
    ("share_images", &["renderer", "rendering"]),
];
/// A room that is open to other features: how an event looks and reads is told in one place.
const OPEN_ROOM: &str = "presentation";
/// About 300; beyond it a file becomes a folder.
const LINES: usize = 310;

struct Source {
    /// `features/events/store.rs`
    name: String,
    /// `["features", "events", "store"]`; a `mod.rs` is its folder.
    module: Vec<String>,
    text: String,
}

impl Source {
    /// The program's part: comments and unit tests are left out.
    fn code(&self) -> String {
        let program = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        program.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    }

    /// Every module path of this crate that the file names, from the crate's root.
    fn paths(&self) -> Vec<Vec<String>> {
        let code = self.code();
        let mut found = Vec::new();
        for (at, _) in code.match_indices("crate::") {
            if !is_name_before(&code, at) {
                expand(&code[at + "crate::".len()..], &[], &mut found);
            }
        }
        for (at, _) in code.match_indices("super::") {
            if is_name_before(&code, at) || code[..at].ends_with("super::") {
                continue;
            }
            let rest = code[at..].trim_start_matches("super::");
            let steps = (code.len() - at - rest.len()) / "super::".len();
            let base = &self.module[..self.module.len().saturating_sub(steps)];
            expand(rest, base, &mut found);
        }
        found
    }

    fn is_room(&self, names: &[&str]) -> bool {
        let stem = self.name.trim_end_matches(".rs");
        stem.split('/').skip(2).any(|part| names.contains(&part))
    }
}

/// Whether what stands at `at` is the end of a longer name or string, such as `my_crate::`.
fn is_name_before(code: &str, at: usize) -> bool {
    code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Reads `a::{b, c::d}` and adds `base::a::b` and `base::a::c::d`. Returns what is left of the text.
fn expand<'t>(mut text: &'t str, base: &[String], found: &mut Vec<Vec<String>>) -> &'t str {
    let mut path = base.to_vec();
    loop {
        if let Some(inside) = text.strip_prefix('{') {
            text = inside;
            loop {
                text = expand(text.trim_start_matches([',', ' ', '\n']), &path, found);
                let rest = text.trim_start();
                if let Some(after) = rest.strip_prefix('}') {
                    return after;
                }
                if !rest.starts_with(',') {
                    return rest;
                }
                text = rest;
            }
        }
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        if end > 0 {
            path.push(text[..end].to_owned());
        }
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(rest) => text = rest,
            None => break,
        }
    }
    found.push(path);
    text
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

fn read(folder: &str) -> Vec<Source> {
    let folder = root().join(folder);
    let mut files = Vec::new();
    rust_files(&folder, &mut files);
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
            let mut module: Vec<String> = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            if module.last().is_some_and(|last| last == "mod") {
                module.pop();
            }
            Source { name, module, text: fs::read_to_string(path).unwrap() }
        })
        .collect()
}

/// The program's sources, without its tests.
fn program() -> Vec<Source> {
    let sources: Vec<_> = read("src").into_iter().filter(|source| !source.name.starts_with("tests/")).collect();
    assert!(sources.len() > 40, "the sources were not found");
    sources
}

fn everything() -> Vec<Source> {
    let build = Source {
        name: "build.rs".to_owned(),
        module: Vec::new(),
        text: fs::read_to_string(root().join("build.rs")).unwrap(),
    };
    let mut benches = read("benches");
    for source in &mut benches {
        source.name.insert_str(0, "benches/");
    }
    read("src").into_iter().chain(benches).chain([build]).collect()
}

/// cli → app → features → platform; 0 is at the bottom. The crate's root stands outside.
fn floor(module: &[String]) -> Option<u8> {
    match module.first()?.as_str() {
        "platform" => Some(0),
        "features" => Some(1),
        "app" | "assets" | "openapi" => Some(2),
        "cli" => Some(3),
        _ => None,
    }
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

#[test]
fn nothing_reaches_up() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for source in program() {
        let Some(here) = floor(&source.module) else { continue };
        for path in source.paths() {
            let Some(there) = floor(&path) else { continue };
            seen += 1;
            if there > here {
                wrong.push(format!("{} reaches up to {}", source.name, path.join("::")));
            }
        }
    }
    assert!(seen > 200, "the paths were not read: {seen}");
    assert_none(&wrong);
}

#[test]
fn features_know_each_other_by_their_front_doors_only() {
    let mut wrong = Vec::new();
    for source in program() {
        for path in source.paths() {
            let [features, feature, inside, ..] = path.as_slice() else { continue };
            let own = source.module.starts_with(&[features.clone(), feature.clone()]);
            let closed = |room: &str| ROOMS.contains(&room) || ROOMS_OF.iter().any(|(_, rooms)| rooms.contains(&room));
            let is_room = closed(inside);
            if features == "features" && !own && is_room {
                wrong.push(format!("{} goes past the front door to {}", source.name, path.join("::")));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn every_feature_has_the_same_rooms() {
    let mut wrong = Vec::new();
    for source in program().iter().filter(|source| source.name.starts_with("features/")) {
        let parts: Vec<&str> = source.name.trim_end_matches(".rs").split('/').collect();
        let [_, feature, room, ..] = parts.as_slice() else { continue };
        let of_its_own = ROOMS_OF.iter().any(|(name, rooms)| name == feature && rooms.contains(room));
        let known = ROOMS.contains(room) || of_its_own || *room == OPEN_ROOM;
        if !known {
            wrong.push(format!("{} is none of the rooms {ROOMS:?}", source.name));
        }
    }
    assert_none(&wrong);
}

#[test]
fn sql_is_in_the_stores_and_nowhere_else() {
    const WORDS: [&str; 13] = [
        "SELECT ",
        "INSERT INTO ",
        "INSERT OR ",
        "UPDATE ",
        "DELETE FROM ",
        "CREATE TABLE",
        "DROP TABLE",
        "ALTER TABLE",
        "PRAGMA ",
        "BEGIN IMMEDIATE",
        ".prepare(",
        ".prepare_cached(",
        ".query_row(",
    ];
    let mut wrong = Vec::new();
    for source in program() {
        if source.name.starts_with("platform/db/") || source.is_room(&["store"]) {
            continue;
        }
        let code = source.code();
        for line in code.lines() {
            if WORDS.iter().any(|word| line.contains(word)) {
                wrong.push(format!("{}: {}", source.name, line.trim()));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn one_file_opens_the_database() {
    let opens = |code: &str| code.contains("Connection::open") || code.contains("SQLITE_OPEN_");
    let found: Vec<String> =
        program().into_iter().filter(|source| opens(&source.code())).map(|source| source.name).collect();
    assert_eq!(found, ["platform/db/open.rs"]);
}

#[test]
fn no_file_outgrows_a_reader() {
    let lines = |source: &Source| source.text.lines().count();
    let wrong: Vec<String> = everything()
        .iter()
        .filter(|source| lines(source) > LINES)
        .map(|source| format!("{} has {} lines: make it a folder", source.name, lines(source)))
        .collect();
    assert_none(&wrong);
}

#[test]
fn every_module_says_what_it_is_for() {
    let wrong: Vec<String> = everything()
        .iter()
        .filter(|source| !source.text.starts_with("//! "))
        .map(|source| format!("{} does not begin with //!", source.name))
        .collect();
    assert_none(&wrong);
}

#[test]
fn no_lint_is_silenced_without_a_reason() {
    // Put together, so that this file does not find itself.
    let silent = ["#[", "allow("].concat();
    let silent_all = ["#![", "allow("].concat();
    let wrong: Vec<String> = everything()
        .iter()
        .filter(|source| source.text.contains(&silent) || source.text.contains(&silent_all))
        .map(|source| format!("{} silences a lint: use expect with a reason", source.name))
        .collect();
    assert_none(&wrong);
}

#[test]
fn use_trees_are_read_to_their_leaves() {
    let source = Source {
        name: "features/a/b.rs".to_owned(),
        module: ["features", "a", "b"].map(str::to_owned).to_vec(),
        text: "use crate::x::{self, y::{Z, w}, v};\nuse super::super::c::store;\nlet q = crate::p::q(1);".to_owned(),
    };
    let paths: Vec<String> = source.paths().iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["x::self", "x::y::Z", "x::y::w", "x::v", "p::q", "features::c::store"]);
}
