//! Addresses that add an event to somebody's calendar. The page makes the same ones: both run
//! `src/tests/rule_cases/calendar_links.json`.

use chrono::{DateTime, Utc};

use super::rules;
use crate::features::events::Event;
use crate::platform::percent::component;

/// Where an event is added to a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddLinks {
    /// Google Calendar.
    pub google: String,
    /// Outlook on the web.
    pub outlook: String,
    /// A file for every other calendar.
    pub ical: String,
}

/// The addresses for an event; its own `calendarLinks` win. `base_url` is the site's.
pub fn calendar_links(event: &Event, base_url: &str) -> AddLinks {
    let mut lines = vec![rules::about(event), String::new()];
    lines.extend(rules::register_line(event));
    lines.push(format!("{base_url}{}", event.path));
    let text = lines.join("\n");
    let place = event.location.as_ref().map(|location| format!("&location={}", component(&location.line())));
    let place = place.unwrap_or_default();
    let title = component(&event.title);
    let (start, end) = (event.starts(), event.ends());

    let own = event.calendar_links.clone();
    AddLinks {
        google: own.google.unwrap_or_else(|| {
            let format = |at: DateTime<Utc>| at.format("%Y%m%dT%H%M%SZ");
            format!(
                "https://calendar.google.com/calendar/render?action=TEMPLATE&text={title}&dates={}/{}&details={}{place}",
                format(start),
                format(end),
                component(&text),
            )
        }),
        outlook: own.outlook.unwrap_or_else(|| {
            let format = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%M:%SZ");
            // Outlook reads the body as HTML.
            let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>");
            format!(
                "https://outlook.live.com/calendar/0/deeplink/compose?path=%2Fcalendar%2Faction%2Fcompose&rru=addevent\
                 &subject={title}&startdt={}&enddt={}&body={}{place}",
                format(start),
                format(end),
                component(&html),
            )
        }),
        ical: own.ical.unwrap_or_else(|| format!("{}.ics", event.path)),
    }
}
