//! Names of time zones as people and programs write them.

use chrono_tz::Tz;

use crate::platform::zone;

/// Names of time zones that are not IANA names: abbreviations, labels, and those of Windows (CLDR `windowsZones`).
const ZONE_NAMES: [(&str, &str); 60] = [
    ("et", "America/New_York"),
    ("est", "America/New_York"),
    ("edt", "America/New_York"),
    ("eastern", "America/New_York"),
    ("us eastern", "America/New_York"),
    ("new york", "America/New_York"),
    ("ct", "America/Chicago"),
    ("cst", "America/Chicago"),
    ("cdt", "America/Chicago"),
    ("central", "America/Chicago"),
    ("chicago", "America/Chicago"),
    ("mt", "America/Denver"),
    ("mst", "America/Denver"),
    ("mdt", "America/Denver"),
    ("mountain", "America/Denver"),
    ("denver", "America/Denver"),
    ("us mountain", "America/Phoenix"),
    ("arizona", "America/Phoenix"),
    ("pt", "America/Los_Angeles"),
    ("pst", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("pacific", "America/Los_Angeles"),
    ("los angeles", "America/Los_Angeles"),
    ("ht", "Pacific/Honolulu"),
    ("hst", "Pacific/Honolulu"),
    ("hawaii", "Pacific/Honolulu"),
    ("hawaiian", "Pacific/Honolulu"),
    ("akt", "America/Anchorage"),
    ("akst", "America/Anchorage"),
    ("akdt", "America/Anchorage"),
    ("alaska", "America/Anchorage"),
    ("alaskan", "America/Anchorage"),
    ("atlantic", "America/Halifax"),
    ("newfoundland", "America/St_Johns"),
    ("central america", "America/Guatemala"),
    ("canada central", "America/Regina"),
    ("central standard time (mexico)", "America/Mexico_City"),
    ("sa pacific", "America/Bogota"),
    ("e south america", "America/Sao_Paulo"),
    ("argentina", "America/Buenos_Aires"),
    ("gmt", "Europe/London"),
    ("bst", "Europe/London"),
    ("w europe", "Europe/Berlin"),
    ("central europe", "Europe/Budapest"),
    ("central european", "Europe/Warsaw"),
    ("romance", "Europe/Paris"),
    ("cet", "Europe/Berlin"),
    ("cest", "Europe/Berlin"),
    ("e europe", "Europe/Chisinau"),
    ("fle", "Europe/Kiev"),
    ("gtb", "Europe/Bucharest"),
    ("russian", "Europe/Moscow"),
    ("israel", "Asia/Jerusalem"),
    ("arabian", "Asia/Dubai"),
    ("india", "Asia/Calcutta"),
    ("china", "Asia/Shanghai"),
    ("singapore", "Asia/Singapore"),
    ("tokyo", "Asia/Tokyo"),
    ("aus eastern", "Australia/Sydney"),
    ("new zealand", "Pacific/Auckland"),
];

/// Finds a time zone by its IANA name in any case, its abbreviation, its label (`Eastern Time (US & Canada)`) or its name in
/// Windows (`Eastern Standard Time`).
pub(in crate::features::import_export) fn zone(text: &str) -> Option<Tz> {
    let text = text.trim().trim_matches('"');
    if text.is_empty() || text.len() > 100 {
        return None;
    }
    let lower = text.to_lowercase();
    if matches!(lower.as_str(), "utc" | "z" | "coordinated universal time") {
        return Some(Tz::UTC);
    }
    let named = |name: &str| ZONE_NAMES.iter().find(|(known, _)| *known == name).and_then(|(_, zone)| zone::find(zone));
    // Abbreviations before IANA names: there is a zone EST, which has no daylight-saving time.
    if let Some(zone) = named(&lower).or_else(|| zone::find_in_any_case(text)) {
        return Some(zone);
    }
    // `(UTC-05:00) Eastern Time (US & Canada)`, `Eastern Standard Time`
    let label = lower.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(lower.as_str(), |(_, rest)| rest);
    let label = label.split('(').next().unwrap_or_default().replace('.', "");
    let words: Vec<&str> =
        label.split_whitespace().filter(|word| !["standard", "daylight", "time", "zone"].contains(word)).collect();
    if let Some(zone) = named(&words.join(" ")) {
        return Some(zone);
    }
    // `/freeassociation.sourceforge.net/America/New_York`
    let parts: Vec<&str> = text.split('/').collect();
    (1..parts.len()).find_map(|start| zone::find_in_any_case(&parts[start..].join("/")).filter(|_| start > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_zones_are_found_by_any_of_their_names() {
        for (text, name) in [
            ("America/New_York", "America/New_York"),
            ("america/chicago", "America/Chicago"),
            ("EST", "America/New_York"),
            ("Eastern", "America/New_York"),
            ("Eastern Time (US & Canada)", "America/New_York"),
            ("(UTC-08:00) Pacific Time (US & Canada)", "America/Los_Angeles"),
            ("Mountain Standard Time", "America/Denver"),
            ("W. Europe Standard Time", "Europe/Berlin"),
            ("/freeassociation.sourceforge.net/Tzfile/Europe/Paris", "Europe/Paris"),
            ("UTC", "UTC"),
        ] {
            assert_eq!(zone(text).map(chrono_tz::Tz::name), Some(name), "{text}");
        }
        assert_eq!(zone("Mars Standard Time"), None);
    }
}
