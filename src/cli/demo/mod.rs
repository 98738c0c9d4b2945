//! Demo data: sample events for a database without events.

mod events_later;
mod events_past;
mod events_soon;
mod sample_data;

use anyhow::Context as _;
use chrono::{DateTime, NaiveDate, Utc};

use crate::features::auth::users;
use crate::features::{events, interest, page_content, speakers};
use crate::platform::clock::timestamp;
use crate::platform::db::{Db, Transaction};
use crate::platform::error::AppError;
use crate::platform::messages::{HERO_SUBTITLE_FALLBACK, HERO_TITLE_FALLBACK, IN_PERSON, ROLES};
use crate::platform::password;
use crate::platform::slug::slug;
use events_later::LATER;
use events_past::PAST;
use events_soon::SOON;
use sample_data::{DemoEvent, SPEAKERS, VENUES, date_of};

/// The default database file of the demo.
pub(super) const DATABASE: &str = "lectern-demo.db";
const EMAIL: &str = "demo@example.com";
const PASSWORD: &str = "open-the-door";

/// All 24 events, ordered by start.
const EVENTS: &[DemoEvent] = &all();

const fn all() -> [DemoEvent; PAST.len() + SOON.len() + LATER.len()] {
    let mut events = [PAST[0]; PAST.len() + SOON.len() + LATER.len()];
    let mut at = 0;
    while at < events.len() {
        events[at] = if at < PAST.len() {
            PAST[at]
        } else if at < PAST.len() + SOON.len() {
            SOON[at - PAST.len()]
        } else {
            LATER[at - PAST.len() - SOON.len()]
        };
        at += 1;
    }
    events
}

/// Fills a database without events. Returns a message for the operator: how to sign in.
pub(super) async fn fill(db: &Db) -> anyhow::Result<String> {
    let hash = password::hash(PASSWORD).context("The password of the demo could not be hashed")?;
    let filled = db
        .write(move |transaction| {
            let is_empty = !events::any_row(transaction)?;
            if is_empty {
                insert_sample_data(transaction, Utc::now(), &hash)?;
            }
            let demo_admin = users::find_by_email(transaction, EMAIL)?;
            Ok((is_empty, demo_admin.is_some()))
        })
        .await
        .context("The demo data could not be written")?;
    Ok(match filled {
        (true, _) => {
            format!("The demo data was added. Sign in at /admin/login as {EMAIL} with the password {PASSWORD}")
        }
        (false, true) => {
            format!("The demo data already exists. Sign in as {EMAIL} with the password {PASSWORD}")
        }
        (false, false) => "The database already has events, so no demo data was added.".to_owned(),
    })
}

fn insert_sample_data(transaction: &Transaction<'_>, now: DateTime<Utc>, password_hash: &str) -> Result<(), AppError> {
    let today = now.date_naive();
    let mut speaker_ids = Vec::with_capacity(SPEAKERS.len());
    for speaker in SPEAKERS {
        let new = speakers::ValidatedSpeaker {
            name: speaker.name.to_owned(),
            title: speaker.title.to_owned(),
            bio: Some(speaker.bio.to_owned()),
            image_url: speaker.portrait.map(str::to_owned),
            kind: speaker.kind.to_owned(),
        };
        speaker_ids.push(speakers::insert(transaction, &new)?);
    }
    for event in EVENTS {
        let id = events::insert(transaction, &events::check(form_of(event, &speaker_ids, today))?)?;
        for visitor in 0..event.attending {
            interest::add(transaction, id, &format!("user_0_demo-{id}-{visitor}"), &timestamp(now))?;
        }
    }
    let content = page_content::ValidatedContent {
        hero_title: HERO_TITLE_FALLBACK.to_owned(),
        hero_subtitle: HERO_SUBTITLE_FALLBACK.to_owned(),
    };
    page_content::put(transaction, page_content::HOME, &content)?;
    if users::find_by_email(transaction, EMAIL)?.is_none() {
        users::insert(transaction, EMAIL, password_hash, ROLES[0])?;
    }
    Ok(())
}

/// The event as the portal submits it, validated by the same rules.
fn form_of(event: &DemoEvent, speaker_ids: &[i64], today: NaiveDate) -> events::SaveEvent {
    let slug = slug(event.title, usize::MAX);
    let location = event.venue.and_then(|at| VENUES.get(at)).map(|venue| events::VenueInput {
        venue_name: Some(venue.name.to_owned()),
        venue_address: Some(venue.address.to_owned()),
        city: Some(venue.city.to_owned()),
        state: Some(venue.state.to_owned()),
        ..events::VenueInput::default()
    });
    debug_assert_eq!(location.is_some(), event.kind == IN_PERSON);
    events::SaveEvent {
        event: Some(events::EventInput {
            title: Some(event.title.to_owned()),
            date: Some(date_of(event, today).to_string()),
            time: Some(event.time.to_owned()),
            duration: Some(format!("{} minutes", event.minutes)),
            r#type: Some(event.kind.to_owned()),
            summary: Some(event.summary.to_owned()),
            description: Some(event.description.to_owned()),
            registration_url: Some(format!("https://example.com/register/{slug}")),
            timezone: Some(event.zone.to_owned()),
            series: Some(event.series.map(str::to_owned)),
            ..events::EventInput::default()
        }),
        location,
        speaker_ids: Some(event.speakers.iter().filter_map(|at| speaker_ids.get(*at).copied()).collect()),
        revision: None,
    }
}
