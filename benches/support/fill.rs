//! A database filled with events.

use std::path::Path;

use lectern::features::{events, speakers};
use lectern::platform::db::{self, BusyTimeout};

/// Fills a new database with `count` events of up to four speakers; event 1 is in person.
pub fn fill(path: &Path, count: usize) {
    db::migrate_file(path).expect("a new database");
    let connection = db::connect(path, BusyTimeout::CommandLine).expect("a connection");
    db::in_transaction(&connection, |transaction| {
        let mut ids = Vec::new();
        for number in 0..40 {
            ids.push(speakers::insert(
                transaction,
                &speakers::NewSpeaker {
                    name: format!("Speaker Number {number}"),
                    title: "Managing partner".to_owned(),
                    bio: Some("Has read rent rolls for twenty years and still finds new mistakes in them.".to_owned()),
                    image_url: None,
                    kind: "Guest".to_owned(),
                },
            )?);
        }
        // Attendance can only be added before an event ends.
        let first = chrono::Utc::now().date_naive() + chrono::Days::new(1);
        for number in 0..count {
            let in_person = number % 6 == 0;
            let day = first + chrono::Days::new(number as u64 / 2);
            let form = events::SaveEvent {
                event: Some(events::EventInput {
                    title: Some(format!("Evening number {number}: what the summary leaves out")),
                    date: Some(day.to_string()),
                    time: Some("19:00".to_owned()),
                    r#type: Some(if in_person { "In-Person Events" } else { "Investor Insights" }.to_owned()),
                    summary: Some(
                        "A line-by-line reading of one deal, and the columns that move its price.".to_owned(),
                    ),
                    description: Some("Bring an offering you are looking at. ".repeat(8)),
                    registration_url: Some("https://example.com/register".to_owned()),
                    ..events::EventInput::default()
                }),
                location: in_person.then(|| events::LocationInput {
                    venue_name: Some("The Long Room".to_owned()),
                    venue_address: Some("12 Canal Street".to_owned()),
                    city: Some("Denver".to_owned()),
                    state: Some("CO".to_owned()),
                    ..events::LocationInput::default()
                }),
                speaker_ids: Some((0..=number % 4).map(|at| ids[(number + at) % ids.len()]).collect()),
                revision: None,
            };
            events::insert(transaction, &events::check(form)?)?;
        }
        Ok(())
    })
    .expect("the events are written");
}
