//! The Next Event card (spec §2).

use chrono::{DateTime, Utc};

use super::super::ATTENDANCE;
use super::super::html::Html;
use super::super::types::Attendance;
use super::chrome::{NEW_TAB, icon};
use super::presentation;
use crate::features::events::{Event, EventSpeaker, Location, SpeakerOfEvent};
use crate::platform::messages::{EVENT_OVER, IN_PERSON};
use crate::platform::percent::component;

/// Longer names and addresses of venues are truncated, in characters (spec §9).
const VENUE_NAME_LENGTH: usize = 30;
const ADDRESS_LENGTH: usize = 40;
/// The most entries in the list of speakers; of more speakers, the last entry shows the number of the others.
const MAX_SPEAKERS: usize = 6;

/// The card of the next event.
pub(super) fn next_event(html: &mut Html, event: &Event, now: DateTime<Utc>) {
    let slug = presentation::slug(&event.r#type);
    let in_person = event.r#type == IN_PERSON;
    let bare = if event.speakers.is_empty() { " next-event-card__bare" } else { "" };
    html.raw("<section class=\"next-event-card__root\"")
        .attribute("data-type", &slug)
        .raw(" aria-labelledby=\"next-event\">")
        .raw(&format!("<div class=\"next-event-card__art on-art{bare}\"><img class=\"next-event-card__banner\""))
        .attribute("src", &presentation::banner_data_url(&slug))
        .raw(" alt=\"\">");
    if !event.speakers.is_empty() {
        speakers(html, &event.speakers);
    }
    html.raw("</div><div class=\"next-event-card__body\"><div class=\"next-event-card__top\">")
        .raw("<h2 class=\"next-event-card__heading\" id=\"next-event\">Next Event</h2>");
    type_flag(html, &event.r#type, &slug);
    html.raw("</div><h3 class=\"next-event-card__title\">").text(&event.title).raw("</h3>");
    status(html, event, now);
    facts(html, event, in_person);
    html.raw("<p class=\"next-event-card__description\">").text(&event.description).raw("</p>");
    html.raw("<div class=\"next-event-card__action\">");
    if in_person {
        interest(html, event, None, now);
    } else {
        register(html, event);
    }
    add_to_calendar(html, event, "button__root button__line");
    html.raw("</div>");
    if let (true, Some(location)) = (in_person, &event.location) {
        directions(html, location);
    }
    html.raw("</div></section>");
}

/// The registration link of an online event.
pub(super) fn register(html: &mut Html, event: &Event) {
    html.raw("<a target=\"_blank\" rel=\"noopener\" class=\"button__root button__primary register-link__root\"")
        .attribute("href", &event.registration_url)
        .raw(">Register Now ");
    icon(html, "leave");
    html.raw(NEW_TAB).raw("</a>");
}

/// The link to the event's iCalendar file; scripts turn it into a menu.
pub(super) fn add_to_calendar(html: &mut Html, event: &Event, class: &str) {
    html.raw("<a")
        .attribute("class", class)
        .attribute("href", &format!("{}.ics", event.path))
        .raw(" aria-expanded=\"false\">");
    icon(html, "calendar");
    html.raw(" Add to Calendar</a>");
}

pub(super) fn type_flag(html: &mut Html, kind: &str, slug: &str) {
    html.raw("<span class=\"type-flag__root\"")
        .attribute("data-type", slug)
        .raw("><span class=\"type-flag__block\"><svg class=\"type-flag__glyph\" viewBox=\"0 0 12 12\" aria-hidden=\"true\" focusable=\"false\"><path fill-rule=\"evenodd\"")
        .attribute("d", presentation::glyph(slug))
        .raw("></path></svg></span><span class=\"type-flag__label\">")
        .text(kind)
        .raw("</span></span>");
}

/// A speaker's portrait, or the initials if there is none.
pub(super) fn portrait(html: &mut Html, speaker: &SpeakerOfEvent) {
    match &speaker.image_url {
        Some(address) => html
            .raw("<img class=\"fading-image__root portrait__image\" alt=\"\" loading=\"eager\"")
            .attribute("src", address)
            .raw(">"),
        None => html
            .raw("<span class=\"portrait__initials\" aria-hidden=\"true\">")
            .text(&presentation::initials(&speaker.name))
            .raw("</span>"),
    };
}

fn speakers(html: &mut Html, all: &[EventSpeaker]) {
    let shown = if all.len() > MAX_SPEAKERS { &all[..MAX_SPEAKERS - 1] } else { all };
    let layout = match all.len() {
        1 => "one",
        2 => "two",
        3 => "three",
        _ => "rows",
    };
    html.raw(&format!("<ul class=\"speaker-wall__root speaker-wall__{layout}\" aria-label=\"Speakers\">"));
    for EventSpeaker { speaker, .. } in shown {
        html.raw("<li class=\"speaker-wall__speaker\"><span class=\"portrait__root speaker-wall__portrait\">");
        portrait(html, speaker);
        html.raw("</span><span class=\"speaker-wall__words\"><b class=\"speaker-wall__name\">")
            .text(&speaker.name)
            .raw("</b><span class=\"speaker-wall__title\">")
            .text(&speaker.title)
            .raw("</span></span></li>");
    }
    let others = &all[shown.len()..];
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|other| other.speaker.name.as_str()).collect();
        html.raw("<li class=\"speaker-wall__speaker\"><span class=\"speaker-wall__others\">")
            .raw(&format!("<span aria-hidden=\"true\">+{}</span><span class=\"visually-hidden\">and ", others.len()))
            .text(&names.join(", "))
            .raw("</span></span></li>");
    }
    html.raw("</ul>");
}

/// Opens the elements of a fact; the caller writes its value and closes them.
pub(super) fn fact(html: &mut Html, name: &str) {
    html.raw("<div class=\"event-facts__fact\"><dt class=\"event-facts__name\">")
        .raw(name)
        .raw("</dt><dd class=\"event-facts__value\">");
}

fn facts(html: &mut Html, event: &Event, in_person: bool) {
    let (start, zone) = presentation::start_of(event);
    html.raw("<dl class=\"event-facts__root\">");
    fact(html, "Date");
    html.raw("<time")
        .attribute("datetime", &event.date)
        .raw(">")
        .text(&presentation::date(start, zone))
        .raw("</time></dd></div>");
    fact(html, "Time");
    html.raw("<time")
        .attribute("datetime", &start.format("%Y-%m-%dT%H:%M:%S.000Z").to_string())
        .raw(">")
        .text(&presentation::time(start, zone))
        .raw("</time><span class=\"event-facts__length\">")
        .text(&presentation::length(event))
        .raw("</span>");
    if !in_person {
        html.raw("<span class=\"event-facts__alternate\">").text(&presentation::alternates(start, zone)).raw("</span>");
        // Scripts fill in the visitor's local time.
        html.raw("<span class=\"event-facts__own\"></span>");
    }
    html.raw("</dd></div>");
    if let Some(location) = &event.location {
        fact(html, "Where");
        venue(html, location);
        html.raw("</dd></div>");
    }
    html.raw("</dl>");
}

fn venue(html: &mut Html, location: &Location) {
    truncated(html, &location.venue_name, VENUE_NAME_LENGTH);
    let city = location.city_line();
    if location.venue_address.is_empty() && city.is_empty() {
        return;
    }
    html.raw("<address class=\"event-facts__address\">");
    if !location.venue_address.is_empty() {
        html.raw("<span class=\"event-facts__line\">");
        truncated(html, &location.venue_address, ADDRESS_LENGTH);
        html.raw("</span>");
    }
    if !city.is_empty() {
        html.raw("<span class=\"event-facts__line\">").text(&city).raw("</span>");
    }
    html.raw("</address>");
}

fn truncated(html: &mut Html, text: &str, limit: usize) {
    match presentation::truncate(text, limit) {
        Some(short) => html
            .raw("<span class=\"cut-text__root\"><button type=\"button\" class=\"cut-text__cut\">")
            .raw("<span class=\"cut-text__start\" aria-hidden=\"true\">")
            .text(&short)
            .raw("</span><span class=\"visually-hidden cut-text__whole\">")
            .text(text)
            .raw("</span></button></span>"),
        None => html.text(text),
    };
}

/// The form that changes the attendance. Scripts submit it without leaving the page.
pub(super) fn interest(html: &mut Html, event: &Event, attendance: Option<&Attendance>, now: DateTime<Utc>) {
    let attending = attendance.is_some_and(|attendance| attendance.has_interest);
    let refused = event.ends() <= now && !attending;
    let (variant, action, label) =
        if attending { ("line", "remove", "Can&#39;t Attend") } else { ("primary", "add", "Planning to Attend") };
    html.raw("<form class=\"interest-toggle__root\" method=\"post\"")
        .attribute("action", &format!("{}{ATTENDANCE}", event.path))
        .raw(&format!(
            "><button type=\"submit\" class=\"button__root button__{variant} interest-toggle__toggle\" name=\"action\" \
             value=\"{action}\"{}>{label}</button>",
            if refused { " disabled aria-describedby=\"interest-over\"" } else { "" }
        ));
    let count = attendance.and_then(|attendance| attendance.count);
    let lit = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0).min(16);
    html.raw("<p class=\"attending-count__root\"><span class=\"attending-count__building\" aria-hidden=\"true\">")
        .raw(&"<i class=\"attending-count__window attending-count__lit\"></i>".repeat(lit))
        .raw(&"<i class=\"attending-count__window\"></i>".repeat(16 - lit))
        .raw("</span><span aria-live=\"polite\">");
    if let Some(count) = count {
        html.raw(&format!("<b class=\"attending-count__number\">{count}</b>")).raw(if count == 1 {
            " investor attending"
        } else {
            " investors attending"
        });
    }
    html.raw("</span></p>");
    if refused {
        html.raw("<p class=\"interest-toggle__reason\" id=\"interest-over\">").raw(EVENT_OVER).raw("</p>");
    }
    html.raw("</form>");
}

/// `Live now`, or that the event is over; nothing before it starts.
pub(super) fn status(html: &mut Html, event: &Event, now: DateTime<Utc>) {
    if event.ends() <= now {
        html.raw("<p class=\"event-status__root\">").raw(EVENT_OVER);
        let is_online = event.r#type != IN_PERSON;
        html.raw(if is_online { ". The link may lead to a recording.</p>" } else { ".</p>" });
    } else if event.starts() <= now {
        html.raw("<p class=\"event-status__root event-status__live\">Live now</p>");
    }
}

/// Links to maps for narrow and for wide screens, of which the style sheet shows one.
pub(super) fn directions(html: &mut Html, location: &Location) {
    let Location { venue_name, city, state, .. } = location;
    let parts: Vec<&str> =
        [venue_name, city, state].into_iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    let query = component(&parts.join(", "));
    let links = [
        ("Open in Google Maps", format!("https://www.google.com/maps/search/?api=1&query={query}")),
        ("Open in Apple Maps", format!("https://maps.apple.com/?q={query}")),
    ];
    html.raw("<div class=\"directions__root\"><details class=\"directions__disclosure\">")
        .raw("<summary class=\"button__root button__line button__dense\">");
    icon(html, "pin");
    html.raw(" Open in Maps</summary><div class=\"directions__maps\">");
    for (class, end) in
        [("button__dense", "</div></details><div class=\"directions__pair\">"), ("directions__half", "</div></div>")]
    {
        for (label, address) in &links {
            html.raw(&format!("<a target=\"_blank\" rel=\"noopener\" class=\"button__root button__line {class}\""))
                .attribute("href", address)
                .raw(">")
                .raw(label)
                .raw(NEW_TAB)
                .raw("</a>");
        }
        html.raw(end);
    }
}

/// Replaces the card if there is no upcoming event.
pub(super) fn stay_tuned(html: &mut Html, learn_more: &str) {
    html.raw("<section class=\"stay-tuned__root\" aria-labelledby=\"stay-tuned\">")
        .raw("<h2 id=\"stay-tuned\">Stay Tuned for Upcoming Events</h2><div class=\"stay-tuned__body\"><p class=\"stay-tuned__text\">")
        .raw("We’re planning the next series of real estate investment discussions and networking events. Check back soon.</p>")
        .raw("<a target=\"_blank\" rel=\"noopener\" class=\"button__root button__primary stay-tuned__more\"")
        .attribute("href", learn_more)
        .raw(">Learn More ");
    icon(html, "leave");
    html.raw(NEW_TAB).raw("</a></div></section>");
}
