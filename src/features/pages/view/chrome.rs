//! The header and footer of public pages.

use chrono::{DateTime, Datelike as _, Utc};

use super::super::html::Html;
use super::super::types::SiteInfo;
use crate::platform::zone;

/// The hint of a link to a new tab for assistive technology.
pub(super) const NEW_TAB: &str = "<span class=\"visually-hidden\"> (opens in a new tab)</span>";

/// A decorative icon next to text.
pub(super) fn icon(html: &mut Html, name: &str) {
    let path = match name {
        "calendar" => "M3 5h14v12H3zM3 8.5h14M7 3v4M13 3v4M10 11v4M8 13h4",
        "share" => "M10 12.5V3M6.5 6.5 10 3l3.5 3.5M4 10v7h12v-7",
        "leave" => "M8 4.5H4.5v11h11V12M11 4.5h4.5V9M15.5 4.5 9 11",
        "search" => "M8.5 3.5a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM12.5 12.5l4.5 4.5",
        _ => "M10 17.5s5.5-5 5.5-9.5a5.5 5.5 0 0 0-11 0c0 4.5 5.5 9.5 5.5 9.5zM10 6.5v3",
    };
    html.raw("<svg class=\"icon__root\" viewBox=\"0 0 20 20\" aria-hidden=\"true\" focusable=\"false\"><path")
        .attribute("d", path)
        .raw("></path></svg>");
}

/// Skip link and header.
pub(super) fn header(html: &mut Html, site: &SiteInfo, over_hero: bool) {
    html.raw("<a class=\"skip-link__root\" href=\"#main\">Skip to content</a><header class=\"site-header__root")
        .raw(if over_hero { " site-header__overHero" } else { "" })
        .raw("\"><div class=\"wrap site-header__row\">");
    logo(html, site, false);
    html.raw("<nav class=\"site-header__nav\" aria-label=\"Main\">")
        .raw("<a class=\"site-header__link\" href=\"/#calendar\">Calendar</a>")
        .raw("<a class=\"site-header__link\" href=\"/#subscribe\">Subscribe</a>")
        .raw("<a class=\"search-opener__root\" href=\"/search?q=\" aria-haspopup=\"dialog\" aria-keyshortcuts=\"/\">");
    icon(html, "search");
    html.raw("<span class=\"search-opener__label\">Search events</span><kbd class=\"search-opener__key\" aria-hidden=\"true\">/</kbd></a>")
        .raw("<span class=\"account-controls__waiting\"></span></nav></div></header>");
}

fn logo(html: &mut Html, site: &SiteInfo, on_deep: bool) {
    html.raw("<a class=\"logo__root")
        .raw(if on_deep { " logo__onDeep\"" } else { "\"" })
        .attribute("aria-label", &format!("{}, home", site.name))
        .raw(" href=\"/\">");
    match &site.logo_url {
        Some(address) => html.raw("<img class=\"logo__mark\"").attribute("src", address).raw(" alt=\"\">"),
        None => html.raw(
            "<svg class=\"logo__mark\" viewBox=\"0 0 38 38\" aria-hidden=\"true\" focusable=\"false\">\
             <path class=\"logo__wall\" d=\"M0 0h38v38H0z\"></path><path class=\"logo__arches\" \
             d=\"M6 31V15.5a6.5 6.5 0 0 1 13 0 6.5 6.5 0 0 1 13 0V31h-5.5V15.5a1 1 0 0 0-2 0V31h-11V15.5a1 1 0 0 0-2 0V31z\"></path></svg>",
        ),
    };
    html.raw("<span class=\"logo__name\">").text(&site.name).raw("</span></a>");
}

fn external_link(html: &mut Html, class: &str, address: &str, label: &str) {
    html.raw("<a target=\"_blank\" rel=\"noopener\"")
        .attribute("class", class)
        .attribute("href", address)
        .raw(">")
        .text(label)
        .raw(NEW_TAB)
        .raw("</a>");
}

/// The footer with the company's contact data and links.
pub(super) fn footer(html: &mut Html, site: &SiteInfo, now: DateTime<Utc>) {
    html.raw("<footer class=\"site-footer__root on-deep\"><div class=\"wrap\"><div class=\"site-footer__top\">")
        .raw("<div class=\"site-footer__company\"><div>");
    logo(html, site, true);
    html.raw("</div>");
    contact(html, site);
    html.raw("<div class=\"site-footer__buttons\">");
    if let Some(address) = &site.schedule_call_url {
        external_link(html, "button__root button__lit button__dense", address, "Schedule a Call");
    }
    if let Some(address) = &site.investor_resources_url {
        let class = "button__root button__line button__dense site-footer__outline";
        external_link(html, class, address, "Investor Resources");
    }
    html.raw("</div></div>");
    for column in &site.columns {
        html.raw("<nav").attribute("aria-label", &column.title).raw("><h2 class=\"site-footer__heading\">");
        html.text(&column.title).raw("</h2><ul>");
        for link in &column.links {
            html.raw("<li>");
            external_link(html, "site-footer__link", &link.url.to_string(), &link.label);
            html.raw("</li>");
        }
        html.raw("</ul></nav>");
    }
    html.raw("</div><div class=\"site-footer__end\"><p>")
        .text(&format!("© {} {}. {}", now.with_timezone(&zone::DEFAULT).year(), site.name, site.disclaimer))
        .raw("</p>");
    if !site.social.is_empty() {
        html.raw("<ul class=\"site-footer__social\" aria-label=\"Social media\">");
        for link in &site.social {
            html.raw("<li>");
            external_link(html, "site-footer__link", &link.url.to_string(), &link.label);
            html.raw("</li>");
        }
        html.raw("</ul>");
    }
    html.raw("</div></div></footer>");
}

fn contact(html: &mut Html, site: &SiteInfo) {
    html.raw("<address class=\"site-footer__contact\">");
    let line = |html: &mut Html, address: &str, label: &str| {
        html.raw("<span class=\"site-footer__contactLine\"><a class=\"site-footer__contactLink\"")
            .attribute("href", address)
            .raw(">")
            .text(label)
            .raw("</a></span>");
    };
    for text in &site.contact.address_lines {
        html.raw("<span class=\"site-footer__contactLine\">").text(text).raw("</span>");
    }
    if !site.contact.phone.is_empty() {
        let digits: String = site.contact.phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
        line(html, &format!("tel:{digits}"), &site.contact.phone);
    }
    if !site.contact.email.is_empty() {
        line(html, &format!("mailto:{}", site.contact.email), &site.contact.email);
    }
    html.raw("</address>");
}
