//! Every SQL statement of the stores finds its rows with an index, unless it is listed here as one that reads a table: in an
//! empty database, and with the statistics of 10,000 events.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::scale;
use crate::platform::db;

/// Statements that read a complete table on purpose: a part of the text, and the reason.
const READS_A_TABLE: [(&str, &str); 31] = [
    ("SELECT count FROM event_total", "one row"),
    ("SELECT count(*) FROM events e WHERE e.deleted_at IS NULL AND true", "only with a filter; the total is stored"),
    ("AND true ORDER BY e.", "an index in the order of the portal's list, up to the end of the page"),
    ("INDEXED BY events_by_title", "an index in the order of titles, up to the end of the page"),
    ("SELECT e.id, e.date, e.series FROM events e WHERE", "what an admin selects: all events"),
    ("FROM series s WHERE EXISTS", "the names of all series, for suggestions"),
    ("WITH RECURSIVE months (month)", "the months that were found so far"),
    ("FROM speakers ORDER BY name COLLATE NOCASE", "the list of all speakers"),
    ("SELECT image_url FROM speakers", "the purge of unused images, every hour"),
    ("SELECT image_url FROM event_locations", "the purge of unused images, every hour"),
    ("public_from <= :now) e WHERE true ORDER", "the list of all events, by contract"),
    ("FROM events e WHERE e.deleted_at IS NULL ORDER", "an import or export, which compares all events"),
    ("e.public_from <= :now IS NOT TRUE ORDER", "the unpublished events, for the portal"),
    ("SELECT id FROM images WHERE created_at < ?1", "the purge of unused images, every hour"),
    ("DELETE FROM sessions WHERE created_at < ?1", "the purge of expired sessions, of which there are few"),
    ("SELECT count(*) FROM users WHERE id <> ?1", "the number of the other admins, of whom there are few"),
    ("FROM users ORDER BY id", "the list of all admins"),
    ("SELECT id FROM users LIMIT 1", "reads one row, any"),
    ("FROM series s ORDER BY s.slug", "the pages of all series, for the sitemap"),
    (
        "SELECT id FROM events WHERE series IS NOT NULL AND series_id IS NULL",
        "an index of the few that it finds, at the start",
    ),
    ("SELECT sql FROM sqlite_schema", "the definition of the search index, once for each server"),
    ("FROM search_pending p LEFT JOIN", "the few events that a transaction changed"),
    ("SELECT event_id FROM search_documents ORDER BY", "all events, after a repair of the search index"),
    ("SELECT brandlive_id, details_updated_at FROM sync_records", "once a sync, which compares every synced item"),
    ("SELECT brandlive_id, event_id FROM sync_records WHERE", "once a sync, which compares every synced item"),
    ("SELECT id, finished_at, message FROM sync_runs ORDER BY id DESC LIMIT 1", "reads one row, the last"),
    ("SELECT event_id, count FROM event_interests ORDER BY event_id", "the counts of all events, for the portal"),
    ("FROM cache_purge_failures ORDER BY cache", "a row for each cache that can't be purged"),
    ("SELECT count(*), min(changed_at) FROM changed_cache_keys", "for a command, and few unless purges fail for long"),
    ("UPDATE changed_cache_keys SET changed_at", "once a second at most, and few unless purges fail for long"),
    ("SELECT count(*) FROM sessions", "the number of sessions, for the metrics; admins have few"),
];

/// Statements that read an index alone, because the rows are many and large: a part of the text, and the index.
const READS_AN_INDEX_ALONE: [(&str, &str); 1] = [(
    "public_from <= :now) e WHERE e.series_id = :id ORDER BY e.starts_at, e.id",
    "USING COVERING INDEX events_by_series",
)];

/// The values of placeholders that are not constants of the file: the file, the placeholder, its values.
const PLACEHOLDERS: [(&str, &str, &[&str]); 7] = [
    (
        "store/interest_conditions.rs",
        "{further_columns}",
        &[
            "",
            ", (SELECT count FROM event_interests WHERE event_id = :id),
               EXISTS (SELECT 1 FROM user_event_interests WHERE user_id = :visitor)",
        ],
    ),
    ("features/events/", "{source} e WHERE {condition}", &CONDITIONS),
    ("store/portal.rs", "{filter}", &PORTAL_FILTERS),
    ("store/portal.rs", "{ids_filter}", &PORTAL_FILTERS_WITH_IDS),
    ("store/portal.rs", "{segment} ORDER BY {order}", &PORTAL_ORDERS),
    ("store/portal.rs", "{segment}", &["e.starts_at = ''", "e.starts_at >= :now", "true"]),
    ("features/activity/", "{condition}", &["subject = 'event' AND subject_id = :event"]),
];

/// The filters of the portal's list.
const PORTAL_FILTERS: [&str; 6] = [
    "e.deleted_at IS NULL",
    "e.deleted_at IS NULL AND e.id IN (SELECT value FROM json_each(:found))",
    "e.deleted_at IS NULL AND e.type = :kind",
    "e.deleted_at IS NULL AND e.starts_at >= :month_start AND e.starts_at < :month_end
         AND substr(e.date, 1, 7) = :month",
    "e.deleted_at IS NULL AND e.status <> 'published' AND e.status = :status
         AND (e.status <> 'scheduled' OR e.publish_at > :now)",
    "e.deleted_at IS NULL AND e.starts_at > '' AND e.starts_at < :now",
];
/// Those with the ids that a query finds, which are read by id.
const PORTAL_FILTERS_WITH_IDS: [&str; 2] = [
    "e.deleted_at IS NULL AND e.id IN (SELECT value FROM json_each(:found))",
    "e.deleted_at IS NULL AND e.id IN (SELECT value FROM json_each(:found)) AND +e.type = :kind",
];
/// The segments of the portal's list with their orders.
const PORTAL_ORDERS: [&str; 6] = [
    "e.starts_at = '' ORDER BY e.id",
    "e.starts_at >= :now ORDER BY e.starts_at, e.id",
    "e.starts_at > '' AND e.starts_at < :now ORDER BY e.starts_at DESC, e.id DESC",
    "true ORDER BY e.starts_at DESC, e.id DESC",
    "true ORDER BY e.updated_at DESC, e.id DESC",
    "true ORDER BY e.title_key, e.id",
];

/// The conditions with which events are read.
const CONDITIONS: [&str; 15] = [
    "events e WHERE e.deleted_at IS NULL AND e.starts_at >= :first AND e.starts_at < :end
        AND EXISTS (SELECT 1 FROM event_speakers es
                    WHERE es.event_id = e.id AND es.speaker_id IN (SELECT value FROM json_each(:speakers)))",
    "events e WHERE e.id = :id AND e.deleted_at IS NULL",
    "events e WHERE e.id IN (SELECT value FROM json_each(:ids))",
    "events e WHERE e.deleted_at IS NULL AND e.id IN (SELECT value FROM json_each(:ids))",
    "events e WHERE e.id IN (SELECT id FROM events WHERE deleted_at >= :since)",
    "events e WHERE e.deleted_at IS NULL",
    "events_with_visibility e WHERE e.deleted_at IS NULL AND e.public_from <= :now IS NOT TRUE",
    "{PUBLIC_EVENTS} e WHERE e.id = :id",
    "{PUBLIC_EVENTS} e WHERE e.series_id = :series",
    "{PUBLIC_EVENTS} e WHERE true",
    "{PUBLIC_EVENTS} e WHERE true AND e.starts_at >= :first_start AND e.date >= :from",
    "{PUBLIC_EVENTS} e WHERE true AND e.starts_at < :after_last_start AND e.date <= :to",
    "{PUBLIC_EVENTS} e WHERE true AND e.starts_at >= :first_start AND e.date >= :from
         AND e.starts_at < :after_last_start AND e.date <= :to AND e.type = :kind",
    "{PUBLIC_EVENTS} e WHERE true AND e.series_id = (SELECT id FROM series WHERE slug = :series)",
    "{PUBLIC_EVENTS} e WHERE true AND e.id = :id",
];

fn store_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            store_files(&path, into);
        } else if path.components().any(|part| matches!(part.as_os_str().to_str(), Some("store" | "store.rs"))) {
            into.push(path);
        }
    }
}

/// The string literals of a source file, outside of comments.
fn literals(source: &str) -> Vec<String> {
    let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n").replace("\\\"", "\u{1}");
    code.split('"').skip(1).step_by(2).map(|text| text.replace('\u{1}', "\"").replace("\\\n", " ")).collect()
}

/// The text of a `const NAME: &str`.
fn constant(source: &str, name: &str) -> Option<String> {
    let (_, rest) = source.split_once(&format!("const {name}: &str"))?;
    rest.split('"').nth(1).map(str::to_owned)
}

/// Replaces constants of the file, and of the `mod.rs` of its folder.
fn with_constants(source: &str, shared: &str, text: String) -> String {
    let mut text = text;
    while let Some((name, placeholder)) = text
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .find(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        .map(|(name, _)| (name.to_owned(), format!("{{{name}}}")))
    {
        let value = constant(source, &name).or_else(|| constant(shared, &name));
        let value = value.unwrap_or_else(|| panic!("{name} is a constant of the file or of its folder"));
        text = text.replace(&placeholder, &value);
    }
    text
}

fn statements(file: &str, source: &str, shared: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for literal in literals(source) {
        let is_statement =
            ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "].iter().any(|word| literal.starts_with(word));
        // The constants themselves are parts of statements.
        if source.contains(&format!("&str = \"{literal}\";")) {
            continue;
        }
        let text = with_constants(source, shared, literal);
        if !is_statement && !text.starts_with("SELECT ") {
            continue;
        }
        let mut variants = vec![text];
        for (_, placeholder, values) in PLACEHOLDERS.into_iter().filter(|(part, _, _)| file.contains(part)) {
            variants =
                variants.iter().flat_map(|text| values.iter().map(|value| text.replace(placeholder, value))).collect();
            variants = variants.into_iter().map(|text| with_constants(source, shared, text)).collect();
        }
        all.extend(variants);
    }
    all
}

#[test]
fn every_statement_of_a_store_uses_an_index_unless_it_is_listed() {
    check_plans(&db::in_memory().unwrap());
}

#[test]
fn every_statement_of_a_store_uses_an_index_with_the_statistics_of_many_events() {
    let database = db::in_memory().unwrap();
    scale::fill(&database, 10_000, "2026-11-20T12:00:00Z");
    database
        .execute_batch(
            "INSERT INTO user_event_interests (event_id, user_id) SELECT id, 'visitor ' || id FROM events;
             INSERT INTO activity (at, who, action, subject, subject_id, name)
                 SELECT starts_at, 'ada@example.com', 'created', 'event', id, title FROM events;
             INSERT INTO sync_records (brandlive_id, event_id, base) SELECT 'b' || id, id, '{}' FROM events;
             ANALYZE",
        )
        .unwrap();
    check_plans(&database);
}

#[test]
fn every_statement_that_stores_a_title_stores_its_sort_key() {
    let (mut count, mut without) = (0, Vec::new());
    for (_, statement) in all_statements() {
        let is_insert = statement.starts_with("INSERT INTO events ");
        if is_insert || (statement.starts_with("UPDATE events ") && statement.contains(" title = ")) {
            count += 1;
            without.extend(Some(statement).filter(|statement| !statement.contains("title_key")));
        }
    }
    assert!(count >= 5, "{count} statements");
    assert!(without.is_empty(), "{}", without.join("\n"));
}

/// The statements of all stores, with their files.
fn all_statements() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    store_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/features"), &mut files);
    assert!(files.len() >= 10, "{files:?}");
    let of_file = |file: PathBuf| {
        let shared = fs::read_to_string(file.with_file_name("mod.rs")).unwrap_or_default();
        let all = statements(&file.to_string_lossy(), &fs::read_to_string(&file).unwrap(), &shared);
        all.into_iter().map(move |statement| (file.clone(), statement))
    };
    files.into_iter().flat_map(of_file).collect()
}

fn check_plans(database: &Connection) {
    let (mut count, mut wrong, mut used) = (0, Vec::new(), BTreeSet::new());
    for (file, statement) in all_statements() {
        count += 1;
        let mut plan = database
            .prepare(&format!("EXPLAIN QUERY PLAN {statement}"))
            .unwrap_or_else(|error| panic!("{}: {error}\n{statement}", file.display()));
        let text = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut rows = plan.raw_query();
        while let Some(row) = rows.next().unwrap() {
            let step: String = row.get("detail").unwrap();
            for (part, index) in READS_AN_INDEX_ALONE {
                if text.contains(part) {
                    used.insert(part);
                    assert!(step.contains(index), "{step}\n    {text}");
                }
            }
            // The events that a query finds are read by id.
            assert!(!text.contains("+e.type") || !step.contains("USING INDEX"), "{step}\n    {text}");
            let is_scan = step.starts_with("SCAN ") && !step.contains("VIRTUAL TABLE") && step != "SCAN CONSTANT ROW";
            if !is_scan {
                continue;
            }
            match READS_A_TABLE.iter().find(|(part, _)| text.contains(part)) {
                Some((part, _)) => {
                    used.insert(*part);
                }
                None => wrong.push(format!("{}: {step}\n    {text}", file.display())),
            }
        }
    }
    assert!(count > 60, "{count} statements");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed = READS_A_TABLE.iter().chain(&READS_AN_INDEX_ALONE).map(|(part, _)| *part);
    let unused: Vec<_> = listed.filter(|part| !used.contains(part)).collect();
    assert!(unused.is_empty(), "no longer needed: {unused:?}");
}
