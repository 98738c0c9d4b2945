//! The page of one event, until the React component replaces it.

use chrono::{DateTime, Utc};

use super::super::html::Html;
use super::super::types::Attendance;
use super::card;
use super::chrome::{NEW_TAB, icon};
use super::presentation;
use crate::features::events::{Event, EventSpeaker, Location};
use crate::features::feeds::calendar_links;
use crate::platform::messages::IN_PERSON;

const DENSE: &str = "button__root button__line button__dense";

/// The content between header and footer.
pub(super) fn article(
    html: &mut Html,
    base_url: &str,
    event: &Event,
    attendance: Option<&Attendance>,
    now: DateTime<Utc>,
) {
    let slug = presentation::slug(&event.r#type);
    html.raw("<article").attribute("data-type", &slug).raw(" aria-labelledby=\"event-title\">");
    html.raw("<div class=\"event-page__sky\"><div class=\"wrap wrap-flush\"><div class=\"event-page__art\">")
        .raw("<img class=\"event-page__banner\"")
        .attribute("src", &presentation::banner_data_url(&slug))
        .raw(" alt=\"\"></div></div></div><div class=\"wrap wrap-flush\"><div class=\"event-page__sheet\">");
    html.raw("<header class=\"event-page__head\"><span class=\"event-page__flag\">");
    card::type_flag(html, &event.r#type, &slug);
    html.raw("</span><h1 class=\"event-page__title\" id=\"event-title\" tabindex=\"-1\">")
        .text(&event.title)
        .raw("</h1></header>");
    column(html, base_url, event, attendance, now);
    html.raw("<div class=\"event-page__words\"><p class=\"event-page__description\">")
        .text(&event.description)
        .raw("</p>");
    if !event.speakers.is_empty() {
        html.raw("<h2 class=\"event-details__heading\">Featured Speakers</h2><ul class=\"event-details__speakers\">");
        for entry in &event.speakers {
            speaker(html, entry);
        }
        html.raw("</ul>");
    }
    html.raw(
        "</div><p class=\"event-page__back\"><a href=\"/calendar\">Back to the calendar</a></p></div></div></article>",
    );
}

/// When and where the event is, and the actions of an upcoming event.
fn column(html: &mut Html, base_url: &str, event: &Event, attendance: Option<&Attendance>, now: DateTime<Utc>) {
    let is_past = event.ends() <= now;
    let in_person = event.r#type == IN_PERSON;
    html.raw("<div class=\"event-page__facts\">");
    if let Some(problem) = attendance.and_then(|attendance| attendance.problem.as_ref()) {
        html.raw("<p class=\"event-page__problem\" role=\"alert\">").text(problem).raw("</p>");
    }
    card::status(html, event, now);
    facts(html, event);
    html.raw("<div class=\"event-page__action\">");
    if in_person {
        card::interest(html, event, attendance, now);
    } else {
        card::register(html, event);
    }
    html.raw("</div>");
    html.raw("<div class=\"event-page__tools\">");
    if !is_past {
        card::add_to_calendar(html, event, DENSE);
    }
    html.raw("<span class=\"share-button__root\"><button type=\"button\"").attribute("class", DENSE).raw(">");
    icon(html, "share");
    html.raw(" Share</button><span class=\"share-button__status\" role=\"status\"></span></span></div>");
    if !is_past {
        calendars_without_scripts(html, base_url, event);
    }
    if let (true, Some(location)) = (in_person, &event.location) {
        card::directions(html, location);
    }
    html.raw("</div>");
}

/// The calendar links, which are in a menu if scripts run.
fn calendars_without_scripts(html: &mut Html, base_url: &str, event: &Event) {
    let links = calendar_links(event, base_url);
    html.raw("<noscript><ul aria-label=\"Add to Calendar\">");
    for (name, address) in [("Google Calendar", &links.google), ("Outlook", &links.outlook)] {
        html.raw("<li><a target=\"_blank\" rel=\"noopener\"")
            .attribute("href", address)
            .raw(">")
            .raw(name)
            .raw(NEW_TAB)
            .raw("</a></li>");
    }
    html.raw("<li><a").attribute("href", &links.ical).raw(">Apple Calendar and others (.ics)</a></li></ul></noscript>");
}

fn facts(html: &mut Html, event: &Event) {
    let (start, zone) = presentation::start_of(event);
    html.raw("<dl class=\"event-facts__root\">");
    card::fact(html, "When");
    html.raw("<time")
        .attribute("datetime", &start.format("%Y-%m-%dT%H:%M:%S.000Z").to_string())
        .raw(">")
        .text(&format!("{} at {}", presentation::date(start, zone), presentation::time(start, zone)))
        .raw("</time><span class=\"event-facts__length\">")
        .text(&presentation::length(event))
        .raw("</span>");
    if event.r#type != IN_PERSON {
        html.raw("<span class=\"event-facts__alternate\">").text(&presentation::alternates(start, zone)).raw("</span>");
    }
    html.raw("</dd></div>");
    if event.r#type != IN_PERSON {
        // Reserves the space of the visitor's local time, which scripts fill in.
        html.raw("<div class=\"event-facts__fact event-details__own\"><dt class=\"event-facts__name\">Your time</dt>")
            .raw("<dd class=\"event-facts__value\">&nbsp;</dd></div>");
    }
    if let Some(location) = &event.location {
        card::fact(html, "Where");
        venue(html, location);
        html.raw("</dd></div>");
    }
    html.raw("</dl>");
}

/// The venue, not truncated as on the card.
fn venue(html: &mut Html, location: &Location) {
    html.text(&location.venue_name);
    let city = location.city_line();
    let lines: Vec<&str> =
        [location.venue_address.as_str(), &city].into_iter().filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return;
    }
    html.raw("<address class=\"event-facts__address\">");
    for line in lines {
        html.raw("<span class=\"event-facts__line\">").text(line).raw("</span>");
    }
    html.raw("</address>");
}

fn speaker(html: &mut Html, EventSpeaker { speaker, .. }: &EventSpeaker) {
    html.raw("<li class=\"event-details__speaker\"><span class=\"portrait__root event-details__portrait\">");
    card::portrait(html, speaker);
    html.raw("</span><div class=\"event-details__words\"><b class=\"event-details__name\">")
        .text(&speaker.name)
        .raw("</b><span class=\"event-details__role\">")
        .text(&speaker.title)
        .raw("</span>");
    if let Some(bio) = &speaker.bio {
        html.raw("<p class=\"event-details__bio\">").text(bio).raw("</p>");
    }
    html.raw("</div></li>");
}
