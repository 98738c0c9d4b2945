//! The TypeScript modules of the messages, limits and lists.

use crate::platform::messages::{
    DEFAULT_DURATION, DEFAULT_TIME_ZONE, EVENT_CANCELLED, EVENT_OVER, EVENT_POSTPONED, EVENT_TYPES,
    HERO_SUBTITLE_FALLBACK, HERO_TITLE_FALLBACK, IN_PERSON, MESSAGES, NAME_TITLES, OTHER_ABBREVIATIONS, ROLES,
    SPEAKER_TYPES, TIME_ZONES, limits, tokens,
};

/// The start of the generated files.
const GENERATED: &str =
    "// Generated from src/platform/messages.rs by the test `generated_files_are_up_to_date`; do not edit.\n\n";

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The module of validation messages, limits and choices of forms for TypeScript. Public pages need none of them, and
/// bundlers include whole modules.
pub(super) fn validation_ts() -> String {
    use std::fmt::Write as _;

    let mut ts = String::from(GENERATED);
    ts.push_str("export const messages = {\n");
    for (key, text) in MESSAGES {
        let _ = writeln!(ts, "  {key}: {},", quoted(text));
    }
    ts.push_str("} as const\n\n");
    ts.push_str("export const limits = {\n");
    let numbers = [
        ("title", limits::TITLE),
        ("summary", limits::SUMMARY),
        ("description", limits::DESCRIPTION),
        ("name", limits::NAME),
        ("bio", limits::BIO),
        ("url", limits::URL),
        ("email", limits::EMAIL),
        ("userId", limits::VISITOR_ID),
        ("placeId", limits::PLACE_ID),
        ("speakers", limits::SPEAKERS),
        ("repeated", limits::REPEAT_DATES),
        ("passwordMin", limits::PASSWORD_MIN),
        ("passwordMax", limits::PASSWORD_MAX),
        ("heroTitle", limits::HERO_TITLE),
        ("heroSubtitle", limits::HERO_SUBTITLE),
        ("notice", limits::NOTICE),
        ("linkLabel", limits::LINK_LABEL),
        ("links", limits::LINKS),
        ("addressLines", limits::ADDRESS_LINES),
        ("phone", limits::PHONE),
        ("disclaimer", limits::DISCLAIMER),
        ("durationStep", limits::DURATION_STEP as usize),
        ("durationMax", limits::DURATION_MAX as usize),
        ("eventsPerResponse", limits::EVENTS_PER_RESPONSE),
        ("overlapMinutes", limits::OVERLAP_MINUTES as usize),
        ("importBytes", limits::IMPORT_BYTES),
    ];
    for (key, number) in numbers {
        let _ = writeln!(ts, "  {key}: {number},");
    }
    ts.push_str("} as const\n\n");
    let list = |items: &[&str]| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
    let _ = write!(
        ts,
        "export const speakerTypes = [{}] as const\nexport const roles = [{}] as const\n\n",
        list(&SPEAKER_TYPES),
        list(&ROLES),
    );
    ts.push_str("export const zoneOptions = [\n");
    for (id, label, abbreviation) in TIME_ZONES {
        let _ = writeln!(ts, "  {{ value: {}, label: {} }},", quoted(id), quoted(&format!("{label} ({abbreviation})")));
    }
    ts.push_str("] as const\n\nexport const accentTokens = {\n");
    for (key, color) in [
        ("accent", tokens::ACCENT),
        ("lightOnAccent", tokens::LIGHT_ON_ACCENT),
        ("darkOnAccent", tokens::DARK_ON_ACCENT),
        ("white", tokens::WHITE),
    ] {
        let _ = writeln!(ts, "  {key}: {},", quoted(color));
    }
    for (key, backgrounds) in
        [("lightBackgrounds", tokens::LIGHT_BACKGROUNDS), ("darkBackgrounds", tokens::DARK_BACKGROUNDS)]
    {
        let colors: Vec<&str> = backgrounds.iter().map(|(_, color)| *color).collect();
        let _ = writeln!(ts, "  {key}: [{}],", list(&colors));
    }
    let _ = write!(
        ts,
        "}} as const\n\nexport const defaults = {{\n  duration: {},\n  eventType: {},\n  speakerType: {},\n}} as const\n",
        quoted(DEFAULT_DURATION),
        quoted(EVENT_TYPES[0]),
        quoted(SPEAKER_TYPES[1]),
    );
    ts
}

/// The TypeScript module of the texts and lists that public pages use.
pub(super) fn contract_ts() -> String {
    use std::fmt::Write as _;

    let mut ts = String::from(GENERATED);
    let list = |items: &[&str]| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
    let _ = write!(
        ts,
        "export const heroTitleFallback = {}\nexport const heroSubtitleFallback =\n  {}\n\n\
         export const eventOver = {}\n\n\
         export const eventClosed: Partial<Record<string, string>> = {{\n  cancelled: {},\n  postponed: {},\n}}\n\n",
        quoted(HERO_TITLE_FALLBACK),
        quoted(HERO_SUBTITLE_FALLBACK),
        quoted(EVENT_OVER),
        quoted(EVENT_CANCELLED),
        quoted(EVENT_POSTPONED),
    );
    let _ = write!(
        ts,
        "export const eventTypes = [{}] as const\nexport const inPersonType = {}\n\n",
        list(&EVENT_TYPES),
        quoted(IN_PERSON),
    );
    ts.push_str("export const timeZones = [\n");
    for (id, _, abbreviation) in TIME_ZONES {
        let _ = writeln!(ts, "  {{ id: {}, abbreviation: {} }},", quoted(id), quoted(abbreviation));
    }
    ts.push_str("] as const\n\nexport const otherAbbreviations = [\n");
    for (id, offset, abbreviation) in OTHER_ABBREVIATIONS {
        let (id, abbreviation) = (quoted(id), quoted(abbreviation));
        let _ = writeln!(ts, "  {{ id: {id}, offset: {offset}, abbreviation: {abbreviation} }},");
    }
    let _ = write!(
        ts,
        "] as const\n\nexport const nameTitles: readonly string[] = [{}]\n\nexport const defaultTimeZone = {}\n",
        list(&NAME_TITLES),
        quoted(DEFAULT_TIME_ZONE),
    );
    ts
}
