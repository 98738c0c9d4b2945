//! Speakers and events for databases of benchmarks.

use chrono::NaiveDate;
use lectern::features::{events, speakers};
use lectern::platform::db::Transaction;
use lectern::platform::error::AppError;

const SPEAKERS: usize = 40;

/// Stores the speakers and returns their ids.
pub fn insert_speakers(transaction: &Transaction<'_>) -> Result<Vec<i64>, AppError> {
    let speaker = |number| speakers::ValidatedSpeaker {
        name: format!("Speaker Number {number}"),
        title: "Managing partner".to_owned(),
        bio: Some("Has read rent rolls for twenty years and still finds new mistakes in them.".to_owned()),
        image_url: None,
        kind: "Guest".to_owned(),
    };
    (0..SPEAKERS).map(|number| speakers::insert(transaction, &speaker(number))).collect()
}

/// Stores an event of up to four of the speakers. Every sixth event, from 0 on, is in person.
pub fn insert_event(
    transaction: &Transaction<'_>,
    number: usize,
    date: NaiveDate,
    series: Option<String>,
    speaker_ids: &[i64],
) -> Result<(), AppError> {
    let in_person = number.is_multiple_of(6);
    let form = events::SaveEvent {
        event: Some(events::EventInput {
            title: Some(format!("Evening number {number}: what the summary leaves out")),
            date: Some(date.to_string()),
            time: Some("19:00".to_owned()),
            r#type: Some(if in_person { "In-Person Events" } else { "Investor Insights" }.to_owned()),
            series: series.map(Some),
            summary: Some("A line-by-line reading of one deal, and the columns that move its price.".to_owned()),
            description: Some("Bring an offering you are looking at. ".repeat(8)),
            registration_url: Some("https://example.com/register".to_owned()),
            ..events::EventInput::default()
        }),
        location: in_person.then(|| events::VenueInput {
            venue_name: Some("The Long Room".to_owned()),
            venue_address: Some("12 Canal Street".to_owned()),
            city: Some("Denver".to_owned()),
            state: Some("CO".to_owned()),
            ..events::VenueInput::default()
        }),
        speaker_ids: Some((0..=number % 4).map(|at| speaker_ids[(number + at) % speaker_ids.len()]).collect()),
        revision: None,
    };
    events::insert(transaction, &events::check(form)?)?;
    Ok(())
}
