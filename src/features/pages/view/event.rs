//! The page of one event, readable as it is; the page's own component takes it over.

use super::super::html::Html;
use super::super::types::SiteInfo;
use super::card::type_flag;
use super::chrome::{NEW_TAB, icon};
use super::look;
use crate::features::events::{Event, EventSpeaker, Location};
use crate::features::feeds::calendar_links;
use crate::platform::messages::IN_PERSON;

/// What stands between header and footer.
pub(super) fn article(html: &mut Html, site: &SiteInfo, event: &Event) {
    let slug = look::slug(&event.r#type);
    html.raw("<article class=\"event-page__root wrap\"").attribute("data-type", &slug).raw(">");
    type_flag(html, &event.r#type, &slug);
    html.raw("<h1 class=\"event-page__title\" tabindex=\"-1\">").text(&event.title).raw("</h1>");
    facts(html, event);
    actions(html, site, event);
    html.raw("<div class=\"event-page__description\">");
    for paragraph in paragraphs(&event.description) {
        html.raw("<p>").text(&paragraph).raw("</p>");
    }
    html.raw("</div>");
    if !event.speakers.is_empty() {
        html.raw("<h2 class=\"event-page__heading\">Featured Speakers</h2><ul class=\"event-page__speakers\">");
        for entry in &event.speakers {
            speaker(html, entry);
        }
        html.raw("</ul>");
    }
    html.raw("</article>");
}

/// Blank lines part paragraphs; other line breaks stay inside of one.
fn paragraphs(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n")).collect()
}

fn facts(html: &mut Html, event: &Event) {
    let (start, zone) = look::start_of(event);
    let fact = |html: &mut Html, name: &str| {
        html.raw("<div class=\"event-facts__fact\"><dt class=\"event-facts__name\">")
            .raw(name)
            .raw("</dt><dd class=\"event-facts__value\">");
    };
    html.raw("<dl class=\"event-facts__root\">");
    fact(html, "When");
    html.raw("<time")
        .attribute("datetime", &start.format("%Y-%m-%dT%H:%M:%S.000Z").to_string())
        .raw(">")
        .text(&format!("{} at {}", look::date(start, zone), look::time(start, zone)))
        .raw("</time>");
    if event.r#type != IN_PERSON {
        html.raw("<span class=\"event-facts__alternate\">").text(&look::alternates(start, zone)).raw("</span>");
    }
    html.raw("</dd></div>");
    if let Some(location) = &event.location {
        fact(html, "Where");
        venue(html, location);
        html.raw("</dd></div>");
    }
    html.raw("</dl>");
}

/// Whole: the page has room for what the card cuts.
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

fn actions(html: &mut Html, site: &SiteInfo, event: &Event) {
    html.raw("<div class=\"event-page__actions\">");
    if event.r#type != IN_PERSON {
        html.raw("<a target=\"_blank\" rel=\"noopener\" class=\"button__root button__primary register-link__root\"")
            .attribute("href", &event.registration_url)
            .raw(">Register Now ");
        icon(html, "leave");
        html.raw(NEW_TAB).raw("</a>");
    }
    let links = calendar_links(event, &site.base_url);
    html.raw("<ul class=\"event-page__calendars\" aria-label=\"Add to Calendar\">");
    for (name, address) in [("Google Calendar", &links.google), ("Outlook", &links.outlook)] {
        html.raw("<li><a target=\"_blank\" rel=\"noopener\"")
            .attribute("href", address)
            .raw(">")
            .raw(name)
            .raw(NEW_TAB)
            .raw("</a></li>");
    }
    html.raw("<li><a").attribute("href", &links.ical).raw(">Apple Calendar and others (.ics)</a></li></ul></div>");
}

fn speaker(html: &mut Html, EventSpeaker { speaker, .. }: &EventSpeaker) {
    html.raw("<li class=\"event-page__speaker\"><span class=\"portrait__root event-page__portrait\">");
    match &speaker.image_url {
        Some(address) => {
            html.raw("<img class=\"fading-image__root portrait__image\" alt=\"\"").attribute("src", address).raw(">")
        }
        None => html
            .raw("<span class=\"portrait__initials\" aria-hidden=\"true\">")
            .text(&look::initials(&speaker.name))
            .raw("</span>"),
    };
    html.raw("</span><div class=\"event-page__words\"><b class=\"event-page__name\">")
        .text(&speaker.name)
        .raw("</b><span class=\"event-page__role\">")
        .text(&speaker.title)
        .raw("</span>");
    if let Some(bio) = &speaker.bio {
        html.raw("<p class=\"event-page__bio\">").text(bio).raw("</p>");
    }
    html.raw("</div></li>");
}
