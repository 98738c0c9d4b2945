//! The dependency rule (`src/lib.rs`) and the conventions of the sources, checked by reading them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a feature (architecture, "Layout").
const MODULES: [&str; 9] = ["mod", "types", "rules", "store", "handlers", "extractor", "client", "mapping", "sync"];
/// Further modules of single features.
const FURTHER_MODULES: [(&str, &[&str]); 8] = [
    ("events", &["bulk_edit", "description", "presentation", "search", "status"]),
    ("images", &["decoder"]),
    ("site_settings", &["color", "identity"]),
    ("pages", &["data", "document", "event", "freshness", "renderer", "series"]),
    ("feeds", &["atom", "calendar", "files", "ical", "sitemap", "xml"]),
    ("import_export", &["apply", "csv", "export", "fields", "file", "ics", "values"]),
    ("venue_photos", &["photos"]),
    ("share_images", &["renderer", "rendering"]),
];
/// Modules that other features may use directly.
const PUBLIC_MODULES: [&str; 1] = ["presentation"];
/// The folder whose SQL alone reads and writes a table or view.
const OWNERS: [(&str, &str); 36] = [
    ("events", "features/events"),
    ("event_locations", "features/events"),
    ("event_speakers", "features/events"),
    ("publishable_events", "features/events"),
    ("events_with_visibility", "features/events"),
    ("series", "features/events"),
    ("event_total", "features/events"),
    ("search_changes", "features/events"),
    ("search_documents", "features/events"),
    ("search_index", "features/events"),
    ("search_pending", "features/events"),
    ("search_texts", "features/events"),
    ("bulk_edits", "features/events"),
    ("bulk_edit_items", "features/events"),
    ("speakers", "features/speakers"),
    ("event_interests", "features/interest"),
    ("user_event_interests", "features/interest"),
    ("attendance_days", "features/interest"),
    ("page_content", "features/page_content"),
    ("activity", "features/activity"),
    ("images", "features/images"),
    ("image_variants", "features/images"),
    ("idempotency_keys", "features/idempotency"),
    ("place_lookups", "features/venue_photos"),
    ("sync_records", "features/brandlive"),
    ("brandlive_resume", "features/brandlive"),
    ("sync_runs", "features/brandlive"),
    ("site_settings", "features/site_settings"),
    ("cache_purge", "features/cache_purge"),
    ("changed_cache_keys", "features/cache_purge"),
    ("cache_key_changes", "features/cache_purge"),
    ("cache_purge_failures", "features/cache_purge"),
    ("users", "features/auth"),
    ("sessions", "features/auth"),
    ("content_version", "platform/db"),
    ("refinery_schema_history", "platform/db"),
];

struct Source {
    /// `features/events/store.rs`
    name: String,
    /// `["features", "events", "store"]`; a `mod.rs` is its folder.
    module: Vec<String>,
    text: String,
}

impl Source {
    /// The code without comments and unit tests.
    fn code(&self) -> String {
        let program = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        program.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    }

    /// The module paths of this crate that the file names, from the crate's root.
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

    /// Whether it is the module of a feature with this name, or inside of it.
    fn is_in(&self, module: &str) -> bool {
        self.name.trim_end_matches(".rs").split('/').skip(2).any(|part| part == module)
    }
}

/// Whether a longer name, such as `my_crate::`, ends at `at`.
fn is_name_before(code: &str, at: usize) -> bool {
    code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Reads `a::{b, c::d}` and adds `base::a::b` and `base::a::c::d`. Returns the rest of the text.
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

/// The layer of a module: cli → app → features → platform, 0 is the lowest. The crate's root has none.
fn layer(module: &[String]) -> Option<u8> {
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
fn no_module_depends_on_a_layer_above_it() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for source in program() {
        let Some(here) = layer(&source.module) else { continue };
        for path in source.paths() {
            let Some(there) = layer(&path) else { continue };
            seen += 1;
            if there > here {
                wrong.push(format!("{} depends on {}", source.name, path.join("::")));
            }
        }
    }
    assert!(seen > 200, "the paths were not read: {seen}");
    assert_none(&wrong);
}

#[test]
fn features_use_each_other_only_through_their_mod_rs() {
    let mut wrong = Vec::new();
    let sources = program();
    for source in &sources {
        for path in source.paths() {
            let [features, feature, inside, ..] = path.as_slice() else { continue };
            let own = source.module.starts_with(&[features.clone(), feature.clone()]);
            let is_module = sources.iter().any(|other| other.module.starts_with(&path[..3]));
            if features == "features" && !own && is_module && !PUBLIC_MODULES.contains(&inside.as_str()) {
                wrong.push(format!("{} uses {}", source.name, path.join("::")));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn a_feature_has_at_most_the_usual_modules() {
    let mut wrong = Vec::new();
    for source in program().iter().filter(|source| source.name.starts_with("features/")) {
        let parts: Vec<&str> = source.name.trim_end_matches(".rs").split('/').collect();
        let [_, feature, module, ..] = parts.as_slice() else { continue };
        let is_further = FURTHER_MODULES.iter().any(|(name, modules)| name == feature && modules.contains(module));
        if !MODULES.contains(module) && !is_further {
            wrong.push(format!("{} is none of the modules {MODULES:?}", source.name));
        }
    }
    assert_none(&wrong);
}

#[test]
fn no_folder_has_an_import_cycle() {
    let sources = program();
    let modules: HashSet<&[String]> =
        sources.iter().flat_map(|source| (1..=source.module.len()).map(|end| &source.module[..end])).collect();
    // From a module to the siblings that it uses. What a mod.rs itself uses does not count: it uses its children, which use
    // the items that it shares among them.
    let mut uses: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for source in &sources {
        for path in source.paths() {
            let common = source.module.iter().zip(&path).take_while(|(a, b)| a == b).count();
            if common < source.module.len() && common < path.len() && modules.contains(&path[..=common]) {
                uses.entry(source.module[..=common].to_vec()).or_default().insert(path[..=common].to_vec());
            }
        }
    }
    assert!(uses.len() > 40, "the imports were not found: {}", uses.len());
    let reachable = |from: &Vec<String>| {
        let (mut found, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            next.extend(uses.get(module).into_iter().flatten().filter(|other| found.insert((*other).clone())));
        }
        found
    };
    let cyclic = uses.keys().filter(|module| reachable(module).contains(*module)).map(|module| module.join("/"));
    assert_none(&cyclic.collect::<Vec<_>>());
}

#[test]
fn every_table_is_used_by_the_store_of_one_feature() {
    let mut created = BTreeSet::new();
    for file in fs::read_dir(root().join("migrations")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let statements: Vec<&str> = text.lines().filter_map(|line| line.split("--").next()).collect();
        created.extend(tables_after(&statements.join("\n"), &["TABLE", "VIEW", "RENAME_TO"]));
    }
    // Dropped or renamed by a later migration.
    for former in [
        "deleted_events",
        "pictures",
        "picture_files",
        "event_changes",
        "event_change_items",
        "public_events",
        "brandlive_imports",
    ] {
        created.remove(former);
    }
    created.insert("refinery_schema_history".to_owned());
    let owned: BTreeSet<String> = OWNERS.iter().map(|(table, _)| (*table).to_owned()).collect();
    assert_eq!(created, owned, "every table has an owner");

    let mut wrong = Vec::new();
    let mut found = BTreeSet::new();
    for source in program() {
        // Elsewhere small letters are prose; another test finds SQL there.
        let code = if source.is_in("store") { source.code().to_ascii_uppercase() } else { source.code() };
        for table in tables_after(&code, &["FROM", "JOIN", "INTO", "UPDATE"]) {
            let Some((_, folder)) = OWNERS.iter().find(|(owned, _)| *owned == table) else { continue };
            found.insert(table.clone());
            if !source.name.starts_with(&format!("{folder}/")) {
                wrong.push(format!("{} uses the table {table} of {folder}", source.name));
            }
        }
    }
    assert!(found.len() > 12, "the tables were not found: {found:?}");
    assert_none(&wrong);
}

#[test]
fn one_constant_says_which_events_are_public() {
    let readers = |view: &str| {
        let sources = program().into_iter();
        let reads =
            sources.map(|source| (source.code().matches(view).count(), source.name)).filter(|(count, _)| *count > 0);
        reads.map(|(count, name)| format!("{name}: {count}")).collect::<Vec<_>>()
    };
    assert_eq!(
        readers("publishable_events"),
        ["features/events/store/mod.rs: 1"],
        "a statement without the time would show scheduled events"
    );
    // The portal's list, cancellations in feeds, whether a deleted event was public, and from when the search finds one.
    assert_eq!(
        readers("events_with_visibility"),
        [
            "features/events/store/deleted.rs: 1",
            "features/events/store/feeds.rs: 3",
            "features/events/store/mod.rs: 1",
            "features/events/store/search.rs: 1"
        ],
        "a page for visitors reads PUBLIC_EVENTS"
    );
}

/// The names that follow one of these SQL keywords, in small letters, without the name of the main database. The triggers
/// of migrations, which fill the tables of one feature from those of another, are not read.
fn tables_after(sql: &str, keywords: &[&str]) -> BTreeSet<String> {
    let sql = sql.replace("\\n", " ").replace("RENAME TO", "RENAME_TO").replace("main.", "").replace("MAIN.", "");
    // Words and commas.
    let sql = sql.replace(',', " , ");
    let words: Vec<&str> =
        sql.split(|c: char| !(c.is_alphanumeric() || "_,".contains(c))).filter(|word| !word.is_empty()).collect();
    let mut tables = BTreeSet::new();
    for (at, _) in words.iter().enumerate().filter(|(_, word)| keywords.contains(word)) {
        let mut rest = &words[at + 1..];
        while let [table, after @ ..] = rest {
            tables.insert(table.to_ascii_lowercase());
            // `FROM a, b AS c, d e`
            rest = match after {
                [",", next @ ..] | [_, ",", next @ ..] | ["AS", _, ",", next @ ..] if words[at] == "FROM" => next,
                _ => break,
            };
        }
    }
    tables
}

#[test]
fn every_table_of_a_from_clause_is_found() {
    let tables = |sql| tables_after(sql, &["FROM", "JOIN"]).into_iter().collect::<Vec<_>>();
    assert_eq!(
        tables("SELECT a, b FROM users u, sessions AS s, images WHERE u.id IN (1, 2)"),
        ["images", "sessions", "users"]
    );
    assert_eq!(tables("SELECT a FROM users JOIN sessions ORDER BY a, b"), ["sessions", "users"]);
    assert_eq!(tables(&"select a from main.users\n  Join\n sessions".to_ascii_uppercase()), ["sessions", "users"]);
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
        if source.name.starts_with("platform/db/") || source.is_in("store") {
            continue;
        }
        let code = source.code();
        for line in code.lines() {
            // A statement may continue on the next line, and may begin in small letters.
            let text = format!("{line} ").replace("\\n", " ");
            let begins = |word: &&str| text.to_ascii_uppercase().contains(&format!("\"{word}"));
            if WORDS.iter().any(|word| text.contains(word) || begins(word)) {
                wrong.push(format!("{}: {}", source.name, line.trim()));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn only_platform_db_opens_the_database() {
    let opens = |code: &str| code.contains("Connection::open") || code.contains("SQLITE_OPEN_");
    let found: Vec<String> =
        program().into_iter().filter(|source| opens(&source.code())).map(|source| source.name).collect();
    assert_eq!(found, ["backup", "connection", "file_check"].map(|name| format!("platform/db/{name}.rs")));
}

#[test]
fn only_the_command_line_uses_anyhow() {
    let wrong: Vec<String> = program()
        .into_iter()
        .filter(|source| source.code().contains("anyhow") && layer(&source.module).is_some_and(|layer| layer < 3))
        .map(|source| source.name)
        .collect();
    assert_none(&wrong);
}

#[test]
fn every_module_has_a_description() {
    let wrong: Vec<String> = everything()
        .iter()
        .filter(|source| !source.text.starts_with("//! "))
        .map(|source| format!("{} does not begin with //!", source.name))
        .collect();
    assert_none(&wrong);
}

#[test]
fn no_lint_is_silenced_without_a_reason() {
    // Concatenated, because this file is read as well.
    let attribute = ["#[", "allow("].concat();
    let attribute_of_module = ["#![", "allow("].concat();
    let wrong: Vec<String> = everything()
        .iter()
        .filter(|source| source.text.contains(&attribute) || source.text.contains(&attribute_of_module))
        .map(|source| format!("{} silences a lint: use expect with a reason", source.name))
        .collect();
    assert_none(&wrong);
}

#[test]
fn nested_use_declarations_are_expanded() {
    let source = Source {
        name: "features/a/b.rs".to_owned(),
        module: ["features", "a", "b"].map(str::to_owned).to_vec(),
        text: "use crate::x::{self, y::{Z, w}, v};\nuse super::super::c::store;\nlet q = crate::p::q(1);".to_owned(),
    };
    let paths: Vec<String> = source.paths().iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["x::self", "x::y::Z", "x::y::w", "x::v", "p::q", "features::c::store"]);
}

#[test]
fn every_script_that_is_run_by_hand_is_in_the_documentation() {
    let documentation = fs::read_to_string(root().join("docs/checks.md")).unwrap();
    for folder in ["scripts", "benches"] {
        for entry in fs::read_dir(root().join(folder)).unwrap().flatten() {
            let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            let is_script = Path::new(&name).extension().is_some_and(|ending| ending == "sh" || ending == "py");
            assert!(!is_script || documentation.contains(&format!("`{name}`")), "{name} is not in docs/checks.md");
        }
    }
}
