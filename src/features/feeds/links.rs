//! Links that add an event to a calendar. The web page generates the same ones; both are tested with
//! `src/tests/rule_cases/calendar_links.json`.

use chrono::{DateTime, Utc};

use super::rules;
use crate::features::events::Event;
use crate::platform::percent::component;

/// Links that add an event to a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarLinks {
    /// Google Calendar.
    pub google: String,
    /// Outlook on the web.
    pub outlook: String,
    /// An iCalendar file, for other calendars.
    pub ical: String,
}

/// The links of an event; its own `calendarLinks` take precedence. `base_url` is that of the site.
pub fn calendar_links(event: &Event, base_url: &str) -> CalendarLinks {
    let mut lines = vec![rules::summary_or_excerpt(event), String::new()];
    lines.extend(rules::register_line(event));
    lines.push(format!("{base_url}{}", event.path));
    let text = lines.join("\n");
    let location = event.location.as_ref().map(|location| format!("&location={}", component(&location.line())));
    let location = location.unwrap_or_default();
    let title = component(&event.title);
    let (start, end) = (event.starts(), event.ends());

    let custom = event.calendar_links.clone();
    CalendarLinks {
        google: custom.google.unwrap_or_else(|| {
            let format = |at: DateTime<Utc>| at.format("%Y%m%dT%H%M%SZ");
            format!(
                "https://calendar.google.com/calendar/render?action=TEMPLATE&text={title}&dates={}/{}&details={}{location}",
                format(start),
                format(end),
                component(&text),
            )
        }),
        outlook: custom.outlook.unwrap_or_else(|| {
            let format = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%M:%SZ");
            // Outlook reads the body as HTML.
            let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>");
            format!(
                "https://outlook.live.com/calendar/0/deeplink/compose?path=%2Fcalendar%2Faction%2Fcompose&rru=addevent\
                 &subject={title}&startdt={}&enddt={}&body={}{location}",
                format(start),
                format(end),
                component(&html),
            )
        }),
        ical: custom.ical.unwrap_or_else(|| format!("{}.ics", event.path)),
    }
}
