//! The server-rendered body of a page: the same elements and class names that the React components render from the same
//! data, so the layout does not shift when they replace it. `web/e2e` compares the two.

mod card;
mod chrome;
mod event;

use chrono::{DateTime, Utc};

use super::document::Head;
use super::html::Html;
use super::types::{FirstData, HomeData, PageKind};
use crate::features::events::{Event, presentation};
use crate::features::page_content::PageContent;
use crate::platform::messages::IN_PERSON;

/// Keeps the footer below the viewport until the calendar is rendered, so the layout does not shift.
const TAKEOVER_SPACE: &str = "<div class=\"takeover-space\"></div>";

/// The hero's text; that of the specification if an admin has not changed it.
pub(super) struct Hero {
    pub(super) title: String,
    pub(super) subtitle: String,
}

impl Hero {
    pub(super) fn of(content: Option<&PageContent>) -> Self {
        let content = content.cloned().unwrap_or_else(|| PageContent::fallback("home"));
        Self { title: content.hero_title, subtitle: content.hero_subtitle }
    }
}

/// The content of the root element.
pub(super) fn body(data: &FirstData, head: &Head<'_>, now: DateTime<Utc>) -> String {
    let mut html = Html::default();
    if let Some(event) = &data.event {
        chrome::header(&mut html, &data.site, false);
        html.raw("<main id=\"main\" tabindex=\"-1\">");
        event::article(&mut html, &data.site.base_url, event, data.attendance.as_ref(), now);
        html.raw("</main>");
        chrome::footer(&mut html, &data.site, now);
    }
    match (data.page, &data.home) {
        (PageKind::Home, Some(home)) => {
            chrome::header(&mut html, &data.site, true);
            html.raw("<main id=\"main\" tabindex=\"-1\">");
            hero_section(&mut html, &Hero::of(home.content.as_ref()), home.next_event.is_some());
            html.raw("<div class=\"wrap wrap-flush\">");
            match &home.next_event {
                Some(event) => card::next_event(&mut html, event, now),
                None => card::stay_tuned(&mut html, &data.site.learn_more_url),
            }
            html.raw("</div>");
            list_without_scripts(&mut html, home, now);
            html.raw(TAKEOVER_SPACE);
            html.raw("</main>");
            chrome::footer(&mut html, &data.site, now);
        }
        (PageKind::Calendar, Some(home)) => {
            chrome::header(&mut html, &data.site, false);
            html.raw("<main id=\"main\" tabindex=\"-1\"><div class=\"page-band__root\"><div class=\"wrap page-band__inner\">")
                .raw("<h1 class=\"page-band__title\" tabindex=\"-1\">Events Calendar</h1>")
                .raw("<p>View and register for upcoming events</p></div></div>");
            list_without_scripts(&mut html, home, now);
            html.raw(TAKEOVER_SPACE);
            html.raw("</main>");
            chrome::footer(&mut html, &data.site, now);
        }
        (PageKind::Embed, Some(home)) => {
            html.raw("<main id=\"main\" tabindex=\"-1\">");
            list_without_scripts(&mut html, home, now);
            html.raw("</main>");
        }
        (PageKind::SignIn | PageKind::Other, _) => notice_without_scripts(&mut html, data, head, now),
        _ => {}
    }
    html.finish()
}

/// Explains a page that needs scripts to visitors without them.
fn notice_without_scripts(html: &mut Html, data: &FirstData, head: &Head<'_>, now: DateTime<Utc>) {
    html.raw("<noscript>");
    chrome::header(html, &data.site, false);
    // HTML does not allow `main` in `noscript`.
    html.raw("<div id=\"main\" tabindex=\"-1\"><div class=\"wrap calendar-section__root\"><h1>")
        .text(head.title)
        .raw("</h1><p>")
        .raw(match head.path {
            None => "There is nothing at this address. The calendar has everything that is coming up.",
            Some(_) => "Signing in takes a browser with JavaScript turned on.",
        })
        .raw("</p><p><a href=\"/\">Back to Events</a></p></div>")
        .raw(TAKEOVER_SPACE)
        .raw("</div>");
    chrome::footer(html, &data.site, now);
    html.raw("</noscript>");
}

fn hero_section(html: &mut Html, hero: &Hero, has_event: bool) {
    let length = match hero.title.chars().count() {
        0..=32 => "",
        33..=64 => " hero__longTitle",
        _ => " hero__longestTitle",
    };
    // In UTF-16 code units, as the web page counts in JavaScript.
    let long_subtitle = if hero.subtitle.encode_utf16().count() > 140 { " hero__longSubtitle" } else { "" };
    html.raw("<section class=\"hero__root")
        .raw(if has_event { "" } else { " hero__construction" })
        .raw("\" aria-labelledby=\"hero-title\"><div class=\"wrap hero__inner\"><div class=\"hero__words\">")
        .raw(&format!("<h1 class=\"hero__title{length}\" id=\"hero-title\" tabindex=\"-1\">"))
        .text(&hero.title)
        .raw(&format!("</h1><p class=\"hero__subtitle{long_subtitle}\">"))
        .text(&hero.subtitle)
        .raw("</p></div></div>");
    if has_event {
        html.raw("<div class=\"skyline__root\" aria-hidden=\"true\">")
            .raw("<img class=\"skyline__picture day-only\" src=\"/art/hero-skyline-day.svg\" alt=\"\">")
            .raw("<img class=\"skyline__picture night-only\" src=\"/art/hero-skyline-night.svg\" alt=\"\" loading=\"lazy\"></div>");
    } else {
        construction(html, "day-only", "hero-stay-tuned", "light", "");
        construction(html, "night-only", "hero-stay-tuned-night", "dark", " loading=\"lazy\"");
    }
    html.raw("</section>");
}

/// The construction scene by day or by night, in the widths of spec §2.
fn construction(html: &mut Html, class: &str, name: &str, scheme: &str, loading: &str) {
    let widths = [750, 1080, 1366, 1920, 2732, 3840].map(|width| format!("/art/{name}-{width}.avif {width}w"));
    html.raw("<picture")
        .attribute("class", class)
        .raw("><source type=\"image/avif\"")
        .attribute("media", &format!("(prefers-color-scheme: {scheme})"))
        .attribute("srcset", &widths.join(", "))
        .raw(" sizes=\"(max-width: 617px) 617px, 100vw\"><img class=\"construction-scene__root\"")
        .attribute("src", &format!("/art/{name}.svg"))
        .raw(&format!(" alt=\"\"{loading}></picture>"));
}

/// The upcoming events as text for visitors without scripts.
fn list_without_scripts(html: &mut Html, home: &HomeData, now: DateTime<Utc>) {
    let now = crate::platform::clock::timestamp(now);
    html.raw("<noscript><section class=\"wrap calendar-section__root\"><h2>What&#39;s on the Calendar</h2>");
    let mut upcoming: Vec<&Event> = home.events.iter().filter(|event| event.starts_at >= now).collect();
    if upcoming.is_empty() {
        // The next event may start after the window of the page.
        upcoming.extend(&home.next_event);
    }
    if upcoming.is_empty() {
        html.raw("<p>No events are scheduled.</p>");
    } else {
        html.raw("<ol>");
        for event in upcoming {
            list_item(html, event);
        }
        html.raw("</ol>");
    }
    html.raw("</section></noscript>");
}

/// An event as in the month list of narrow screens, with its venue or its registration.
fn list_item(html: &mut Html, event: &Event) {
    let (start, zone) = presentation::start_of(event);
    let local = start.with_timezone(&zone);
    html.raw("<li class=\"month-list__day\"><div class=\"month-list__date\">")
        .raw(&local.format("%b<b class=\"month-list__number\">%-d</b>").to_string())
        .raw("</div><div class=\"list-card__root\"")
        .attribute("data-type", &presentation::slug(&event.r#type))
        .raw("><span class=\"list-card__block\"></span><div class=\"list-card__body\"><p class=\"list-card__time\"><time")
        .attribute("datetime", &event.starts_at)
        .raw(">")
        .text(&format!("{}, {}", presentation::date(start, zone), presentation::time(start, zone)))
        .raw("</time></p><h3 class=\"list-card__title\"><a")
        .attribute("href", &event.path)
        .raw(">")
        .text(&event.title)
        .raw("</a></h3><p class=\"list-card__type\">")
        .text(&event.r#type)
        .raw("</p>");
    if let Some(location) = &event.location {
        html.raw("<p>").text(&location.line()).raw("</p>");
    } else if event.r#type != IN_PERSON {
        html.raw("<p><a").attribute("href", &event.registration_url).raw(">Register Now</a></p>");
    }
    if let Some(summary) = &event.summary {
        html.raw("<p>").text(summary).raw("</p>");
    }
    html.raw("</div></div></li>");
}
