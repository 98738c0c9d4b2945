//! Validation of the site settings.

use std::collections::BTreeMap;

use super::color::Theme;
use super::types::{CONFIGURATION_KEYS, SaveSiteSettings, SiteLinkInput, SiteValues};
use crate::platform::clock::{parse_timestamp, timestamp};
use crate::platform::config::{HttpUrl, Link, is_attribute_name};
use crate::platform::error::AppError;
use crate::platform::messages::{self, limits};
use crate::platform::validate::{FieldErrors, is_email, is_http, is_web_url, trimmed};

/// Checks the company's name and returns it without spaces around it.
///
/// # Errors
/// A message about the name.
pub fn check_company_name(text: &str) -> Result<&str, String> {
    let name = text.trim();
    match name.chars().count() {
        0 => Err("The company's name can't be blank".to_owned()),
        length if length > limits::NAME => {
            Err(format!("The company's name can have at most {} characters", limits::NAME))
        }
        _ if name.contains(char::is_control) => Err("The company's name can't contain control characters".to_owned()),
        _ => Ok(name),
    }
}

/// Validates a request and completes it with `defaults`. Settings for which the configuration has precedence
/// (`is_locked`) get their default.
///
/// # Errors
/// 400 with a message for each field that is wrong. The fields of links are named such as `social.0.url`.
pub(super) fn check(
    mut input: SaveSiteSettings,
    defaults: SiteValues,
    is_locked: impl Fn(&str) -> bool,
) -> Result<SiteValues, AppError> {
    ignore_locked(&mut input, is_locked);
    let mut errors = FieldErrors::default();
    let new = checked_values(&mut errors, input, defaults);
    check_notice(&mut errors, &new);
    errors.into_result()?;
    Ok(new)
}

fn checked_values(errors: &mut FieldErrors, input: SaveSiteSettings, defaults: SiteValues) -> SiteValues {
    SiteValues {
        name: or(input.name, defaults.name, |name| company_name(errors, &name)),
        logo_url: or(input.logo_url, defaults.logo_url, |url| {
            errors.optional_image("logoUrl", Some(url)).unwrap_or_default()
        }),
        accent_light: accent(errors, "accentLight", input.accent_light, Theme::Light),
        accent_dark: accent(errors, "accentDark", input.accent_dark, Theme::Dark),
        address_lines: or(input.address_lines, defaults.address_lines, |lines| address_lines(errors, &lines)),
        phone: or(input.phone, defaults.phone, |phone| {
            text(errors, "phone", &phone, limits::PHONE, messages::PHONE_TOO_LONG)
        }),
        email: or(input.email, defaults.email, |text| email(errors, &text)),
        who_we_are: or(input.who_we_are, defaults.who_we_are, |rows| links(errors, "whoWeAre", rows)),
        investments: or(input.investments, defaults.investments, |rows| links(errors, "investments", rows)),
        discover: or(input.discover, defaults.discover, |rows| links(errors, "discover", rows)),
        explore_more: or(input.explore_more, defaults.explore_more, |rows| links(errors, "exploreMore", rows)),
        social: or(input.social, defaults.social, |rows| links(errors, "social", rows)),
        learn_more_url: or(input.learn_more_url, defaults.learn_more_url, |url| learn_more(errors, url)),
        schedule_call_url: or(input.schedule_call_url, defaults.schedule_call_url, |url| {
            optional_url(errors, "scheduleCallUrl", Some(url))
        }),
        investor_resources_url: or(input.investor_resources_url, defaults.investor_resources_url, |url| {
            optional_url(errors, "investorResourcesUrl", Some(url))
        }),
        disclaimer: or(input.disclaimer, defaults.disclaimer, |small_print| {
            text(errors, "disclaimer", &small_print, limits::DISCLAIMER, messages::DISCLAIMER_TOO_LONG)
        }),
        subscribe_script_url: script(errors, input.subscribe_script_url),
        subscribe_container_id: container_id(errors, input.subscribe_container_id),
        subscribe_attributes: attributes(errors, input.subscribe_attributes),
        subscribe_allowed_hosts: hosts(errors, input.subscribe_allowed_hosts),
        notice_text: text(
            errors,
            "noticeText",
            &input.notice_text.unwrap_or_default(),
            limits::NOTICE,
            messages::NOTICE_TEXT_TOO_LONG,
        ),
        notice_link_label: text(
            errors,
            "noticeLinkLabel",
            &input.notice_link_label.unwrap_or_default(),
            limits::LINK_LABEL,
            messages::LINK_LABEL_TOO_LONG,
        ),
        notice_link_url: optional_url(errors, "noticeLinkUrl", input.notice_link_url),
        notice_ends_at: notice_end(errors, input.notice_ends_at),
    }
}

/// The checked value, or the default without a value.
fn or<I, T>(value: Option<I>, default: T, check: impl FnOnce(I) -> T) -> T {
    value.map_or(default, check)
}

fn company_name(errors: &mut FieldErrors, name: &str) -> String {
    errors.required(
        "name",
        Some(one_line(name)),
        limits::NAME,
        messages::COMPANY_NAME_REQUIRED,
        messages::COMPANY_NAME_TOO_LONG,
    )
}

fn learn_more(errors: &mut FieldErrors, url: String) -> String {
    let url = optional_url(errors, "learnMoreUrl", Some(url));
    if url.is_empty() {
        errors.add("learnMoreUrl", messages::LEARN_MORE_REQUIRED);
    }
    url
}

/// A notice with a link has all three texts.
fn check_notice(errors: &mut FieldErrors, new: &SiteValues) {
    let (has_label, has_url) = (!new.notice_link_label.is_empty(), !new.notice_link_url.is_empty());
    if new.notice_text.is_empty() && (has_label || has_url) {
        errors.add("noticeText", messages::NOTICE_TEXT_REQUIRED);
    }
    if has_url && !has_label {
        errors.add("noticeLinkLabel", messages::LINK_LABEL_REQUIRED);
    }
    if has_label && !has_url {
        errors.add("noticeLinkUrl", messages::LINK_URL_REQUIRED);
    }
}

/// Removes the settings for which the configuration has precedence.
fn ignore_locked(input: &mut SaveSiteSettings, is_locked: impl Fn(&str) -> bool) {
    macro_rules! ignore {
        ($($field:ident => $name:literal),* $(,)?) => {
            $(debug_assert!(CONFIGURATION_KEYS.iter().any(|(name, _)| *name == $name));
            if is_locked($name) {
                input.$field = None;
            })*
        };
    }
    ignore!(
        name => "name",
        logo_url => "logoUrl",
        address_lines => "addressLines",
        phone => "phone",
        email => "email",
        who_we_are => "whoWeAre",
        investments => "investments",
        discover => "discover",
        explore_more => "exploreMore",
        social => "social",
        learn_more_url => "learnMoreUrl",
        schedule_call_url => "scheduleCallUrl",
        investor_resources_url => "investorResourcesUrl",
        disclaimer => "disclaimer",
        subscribe_script_url => "subscribeScriptUrl",
        subscribe_container_id => "subscribeContainerId",
        subscribe_attributes => "subscribeAttributes",
        subscribe_allowed_hosts => "subscribeAllowedHosts",
    );
}

/// Text on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(errors: &mut FieldErrors, field: &str, value: &str, max: usize, too_long: &'static str) -> String {
    errors.optional(field, Some(one_line(value)), max, too_long).unwrap_or_default()
}

fn accent(errors: &mut FieldErrors, field: &str, value: Option<String>, theme: Theme) -> String {
    match trimmed(value).map(|text| theme.check(&text)) {
        None => String::new(),
        Some(Ok(color)) => color.to_string(),
        Some(Err(message)) => {
            errors.add(field, message);
            String::new()
        }
    }
}

fn address_lines(errors: &mut FieldErrors, lines: &[String]) -> Vec<String> {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| text(errors, "addressLines", line, limits::NAME, messages::ADDRESS_TOO_LONG))
        .filter(|line| !line.is_empty())
        .collect();
    if lines.len() > limits::ADDRESS_LINES {
        errors.add("addressLines", messages::ADDRESS_TOO_MANY);
    }
    lines
}

fn email(errors: &mut FieldErrors, value: &str) -> String {
    let email = text(errors, "email", value, limits::EMAIL, messages::EMAIL_TOO_LONG);
    if !email.is_empty() && !is_email(&email) {
        errors.add("email", messages::EMAIL_INVALID);
    }
    email
}

/// An optional http or https URL, blank without a URL.
fn optional_url(errors: &mut FieldErrors, field: &str, value: Option<String>) -> String {
    let url = errors.optional_url(field, value).unwrap_or_default();
    HttpUrl::encoded(&url).map_or(url, |url| url.to_string())
}

/// The links that are not blank. Their fields are named by their position in the request.
fn links(errors: &mut FieldErrors, field: &str, input: Vec<SiteLinkInput>) -> Vec<Link> {
    let mut links = Vec::with_capacity(input.len().min(limits::LINKS));
    for (index, link) in input.into_iter().enumerate() {
        let (label, url) = (one_line(&link.label.unwrap_or_default()), trimmed(link.url));
        if label.is_empty() && url.is_none() {
            continue;
        }
        let field = |part: &str| format!("{field}.{index}.{part}");
        if url.is_none() {
            errors.add(&field("url"), messages::LINK_URL_REQUIRED);
        }
        let label = errors.required(
            &field("label"),
            Some(label),
            limits::LINK_LABEL,
            messages::LINK_LABEL_REQUIRED,
            messages::LINK_LABEL_TOO_LONG,
        );
        let url = optional_url(errors, &field("url"), url);
        links.extend(HttpUrl::encoded(&url).map(|url| Link { label, url }));
    }
    if links.len() > limits::LINKS {
        errors.add(field, messages::LINKS_TOO_MANY);
    }
    links
}

/// The script of the newsletter form; its host is part of the content security policy.
fn script(errors: &mut FieldErrors, value: Option<String>) -> String {
    let url = errors.optional_url("subscribeScriptUrl", value).unwrap_or_default();
    if is_http(&url) {
        errors.add("subscribeScriptUrl", messages::SCRIPT_NOT_HTTPS);
    } else if !url.is_empty() && url.parse::<HttpUrl>().is_err() {
        errors.add("subscribeScriptUrl", messages::URL_INVALID);
    }
    url
}

fn container_id(errors: &mut FieldErrors, value: Option<String>) -> String {
    let id = trimmed(value).unwrap_or_default();
    if id.chars().count() > limits::NAME || id.contains(|c: char| c.is_whitespace() || c.is_control()) {
        errors.add("subscribeContainerId", messages::FORM_ID_INVALID);
    }
    id
}

fn attributes(errors: &mut FieldErrors, value: Option<BTreeMap<String, String>>) -> BTreeMap<String, String> {
    const FIELD: &str = "subscribeAttributes";
    let attributes = value.unwrap_or_default();
    if attributes.len() > limits::LINKS {
        errors.add(FIELD, messages::FORM_LIST_TOO_LONG);
    }
    for (name, value) in &attributes {
        if !is_attribute_name(name) || name.len() > limits::NAME {
            errors.add(FIELD, messages::FORM_ATTRIBUTE_INVALID);
        } else if value.chars().count() > limits::URL {
            errors.add(FIELD, messages::FORM_VALUE_TOO_LONG);
        }
    }
    attributes
}

fn hosts(errors: &mut FieldErrors, value: Option<Vec<String>>) -> Vec<String> {
    const FIELD: &str = "subscribeAllowedHosts";
    let hosts: Vec<String> = value.unwrap_or_default().into_iter().filter_map(|host| trimmed(Some(host))).collect();
    if hosts.len() > limits::LINKS {
        errors.add(FIELD, messages::FORM_LIST_TOO_LONG);
    }
    for host in &hosts {
        if host.chars().count() > limits::URL {
            errors.add(FIELD, messages::URL_TOO_LONG);
        } else if !is_web_url(host) || host.parse::<HttpUrl>().is_err() {
            errors.add(FIELD, messages::URL_INVALID);
        } else if is_http(host) {
            errors.add(FIELD, messages::SCRIPT_NOT_HTTPS);
        }
    }
    hosts
}

fn notice_end(errors: &mut FieldErrors, value: Option<String>) -> String {
    let Some(end) = trimmed(value) else { return String::new() };
    let Some(instant) = parse_timestamp(&end) else {
        errors.add("noticeEndsAt", messages::NOTICE_END_INVALID);
        return end;
    };
    timestamp(instant)
}
