//! What pages, feeds and saves read from the database does not grow with the number of past events. The steps of SQLite's
//! virtual machine are counted, which are the same on every machine.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::{Connection, params};

use crate::app;
use crate::features::events;
use crate::platform::clock::{Clock, timestamp};
use crate::platform::config::Config;
use crate::platform::db::{self, BusyTimeout, Db, DbOptions};

const FEW: i64 = 1_000;
const MANY: i64 = 10_000;
/// Hours between two events: 40 a month.
const HOURS_BETWEEN: i64 = 18;
/// Upcoming events: half a year.
const UPCOMING: i64 = 240;
/// What is allowed with ten times the events.
const MAX_RATIO: f64 = 1.2;

/// Fills a database with events until half a year from now. More events reach back further. Every 25 events are a series
/// of which one a month takes place.
pub(super) fn fill(connection: &Connection, count: i64, now: &str) {
    connection
        .execute_batch(
            "BEGIN;
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
             INSERT INTO speakers (name, title, bio) SELECT 'Speaker ' || i, 'Host', 'Reads rent rolls.' FROM n;",
        )
        .unwrap();
    connection
        .execute(
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i <= ?1 / 25)
             INSERT INTO series (key, name, slug) SELECT 'series ' || i, 'Series ' || i, 'series-' || i FROM n",
            [count],
        )
        .unwrap();
    connection
        .execute(
            "WITH RECURSIVE
                 n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1),
                 at(i, starts_at) AS (
                     SELECT i, strftime('%Y-%m-%dT%H:00:00Z', ?2, format('%d hours', (?3 - (?1 - i)) * ?4)) FROM n)
             INSERT INTO events (title, date, time, summary, description, registration_url, type, timezone, starts_at,
                 series, series_id)
             SELECT 'Evening ' || i, substr(starts_at, 1, 10), substr(starts_at, 12, 5), 'One deal, line by line.',
                 replace(hex(zeroblob(80)), '00', 'Rent. '), 'https://example.com/', 
                 iif(i % 6 = 0, 'In-Person Events', 'Investor Insights'), 'Etc/UTC', starts_at,
                 iif(i % 4 = 0, 'Series ' || ((?1 - i) / 25), NULL), iif(i % 4 = 0, (?1 - i) / 25 + 1, NULL) FROM at",
            params![count, now, UPCOMING, HOURS_BETWEEN],
        )
        .unwrap();
    connection
        .execute_batch(
            "INSERT INTO event_locations (event_id, venue_name, venue_address, city, state, image_url, place_id)
                 SELECT id, 'The Long Room', '12 Canal Street', 'Denver', 'CO', 'https://example.com/' || id, 'p' || id
                 FROM events WHERE id % 6 = 0;
             INSERT INTO event_speakers (event_id, speaker_id, position) SELECT id, id % 400 + 1, 0 FROM events;
             INSERT INTO event_speakers (event_id, speaker_id, position) SELECT id, (id + 1) % 400 + 1, 1 FROM events;
             COMMIT;",
        )
        .unwrap();
}

/// A database with a number of events, the responses of its server, and a connection whose steps are counted.
struct Site {
    _folder: tempfile::TempDir,
    state: crate::platform::state::AppState,
    connection: Connection,
    steps: Arc<AtomicU64>,
    /// An upcoming event without a series.
    next: i64,
    /// An upcoming event of a series.
    next_of_series: i64,
}

impl Site {
    fn with_events(count: i64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lectern.db");
        db::migrate_file(&path).unwrap();
        let clock = Clock::default();
        fill(&db::connect(&path, BusyTimeout::CommandLine).unwrap(), count, &timestamp(clock.now()));
        let served = Db::serve(&path, DbOptions::default()).unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], 8080));
        let (state, _) = app::state(Config::default(), served, clock, address, app::Retained::default());
        let (connection, steps) = counted(&path);
        // Of the same instants and series with every count.
        let next = count - UPCOMING + 8;
        let odd = if next % 4 == 0 { next + 1 } else { next };
        Self { _folder: folder, state, connection, steps, next: odd, next_of_series: next - next % 4 }
    }

    /// The path of an event's page.
    fn page_of(&self, id: i64) -> String {
        events::find(&self.connection, id, self.state.clock.now()).unwrap().unwrap().path
    }

    /// The number of steps of some work.
    fn steps_of<T>(&self, work: impl Fn() -> T) -> u64 {
        // The first time also reads the schema.
        work();
        let before = self.steps.load(Ordering::Relaxed);
        work();
        self.steps.load(Ordering::Relaxed) - before
    }

    fn build(&self, path: &str) -> u64 {
        self.steps_of(|| self.state.responses.try_build(&[path], &self.connection).unwrap())
    }
}

/// A connection, and the number of its steps.
fn counted(path: &Path) -> (Connection, Arc<AtomicU64>) {
    let mut connection = db::connect(path, BusyTimeout::CommandLine).unwrap();
    let steps = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&steps);
    let count = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        false
    };
    connection.progress_handler(1, Some(count)).unwrap();
    (connection, steps)
}

fn assert_alike(what: &str, few: u64, many: u64) {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand steps")]
    let ratio = many as f64 / few as f64;
    assert!(few > 0 && ratio <= MAX_RATIO, "{what}: {few} steps with {FEW} events, {many} with {MANY}");
}

#[test]
fn pages_and_feeds_take_as_many_steps_with_ten_times_the_events() {
    let [few, many] = [FEW, MANY].map(Site::with_events);
    let month = (few.state.clock.now() - chrono::Months::new(5)).format("%Y-%m");
    for path in [
        "/".to_owned(),
        "/calendar".to_owned(),
        "/embed".to_owned(),
        format!("/calendar?month={month}"),
        "/calendar.ics".to_owned(),
        "/calendar.ics?series=series-3".to_owned(),
        "/calendar.ics?type=in-person-events&alarm=30".to_owned(),
        "/feed.xml".to_owned(),
        "/feed.xml?series=series-3".to_owned(),
        "/series/series-3".to_owned(),
        "/sitemap-events-0.xml".to_owned(),
        format!("/api/search?q={month}"),
        format!("/api/search?q=even+{month}+okafor"),
        format!("/search?q=evning+{month}"),
        "/robots.txt".to_owned(),
        "/site.webmanifest".to_owned(),
    ] {
        assert_alike(&path, few.build(&path).max(1), many.build(&path).max(1));
    }
    for ending in ["", ".ics"] {
        for id in [|site: &Site| site.next, |site: &Site| site.next_of_series] {
            let of = |site: &Site| site.build(&format!("{}{ending}", site.page_of(id(site))));
            assert_alike(&format!("an event{ending}"), of(&few), of(&many));
        }
    }
    let month = chrono::NaiveDate::parse_from_str(&format!("{month}-01"), "%Y-%m-%d").unwrap();
    let past = Some(events::EventStatusFilter::Past);
    for (name, month, status, sort) in [
        ("the portal's list", None, None, events::EventSort::Upcoming),
        ("a month in the portal's list", Some(month), None, events::EventSort::Upcoming),
        ("the past in the portal's list", None, past, events::EventSort::Upcoming),
        ("the portal's list by title", None, None, events::EventSort::Title),
        ("the past in the portal's list by title", None, past, events::EventSort::Title),
        ("the portal's list by change", None, None, events::EventSort::Changed),
    ] {
        let filter = events::PortalFilter { status, month, ..events::PortalFilter::default() };
        let of = |site: &Site| {
            let page = events::PageRequest { sort, page: 1, size: 6, event: None };
            site.steps_of(|| events::portal_page(&site.connection, &filter, &page, site.state.clock.now()).unwrap())
        };
        assert_alike(name, of(&few), of(&many));
    }
    // Some 100 for each part.
    let index = many.build("/sitemap.xml");
    assert!(index < 2_000, "{index} steps");
}

#[test]
fn saves_take_as_many_steps_with_ten_times_the_events() {
    let [few, many] = [FEW, MANY].map(Site::with_events);
    let now = few.state.clock.now();
    let new_event = |series: Option<&str>| {
        events::check(events::SaveEvent {
            event: Some(events::EventInput {
                title: Some("Reading a rent roll".to_owned()),
                date: Some("2031-03-12".to_owned()),
                time: Some("19:00".to_owned()),
                r#type: Some("Investor Insights".to_owned()),
                summary: Some("One deal.".to_owned()),
                description: Some("Bring an offering.".to_owned()),
                registration_url: Some("https://example.com/".to_owned()),
                series: Some(series.map(str::to_owned)),
                ..events::EventInput::default()
            }),
            location: None,
            speaker_ids: Some(vec![1, 2]),
            revision: None,
        })
        .unwrap()
    };
    let compare = |what: &str, work: &dyn Fn(&db::Transaction<'_>, &Site)| {
        let [few, many] = [&few, &many].map(|site| {
            site.steps_of(|| {
                db::in_transaction(&site.connection, |transaction| {
                    work(transaction, site);
                    Ok(())
                })
                .unwrap();
            })
        });
        assert_alike(what, few, many);
    };
    compare("create", &|transaction, _| {
        let id = events::insert(transaction, &new_event(None)).unwrap();
        events::find(transaction, id, now).unwrap().unwrap();
    });
    compare("save", &|transaction, site| {
        events::find(transaction, site.next, now).unwrap().unwrap();
        assert!(events::update(transaction, site.next, &new_event(None), now).unwrap());
    });
    compare("save with another series", &|transaction, site| {
        let before = events::find(transaction, site.next, now).unwrap().unwrap();
        let series = if before.series.as_deref() == Some("Series 3") { "Series 4" } else { "Series 3" };
        assert!(events::update(transaction, site.next, &new_event(Some(series)), now).unwrap());
        events::find(transaction, site.next, now).unwrap().unwrap();
    });
    compare("delete and restore", &|transaction, site| {
        events::delete(transaction, site.next, now).unwrap().unwrap();
        events::restore(transaction, site.next, now).unwrap().unwrap();
    });
    compare("50 events at once", &|transaction, site| {
        let ids: Vec<i64> = (site.next..site.next + 50).collect();
        assert_eq!(events::find_many(transaction, &ids, now).unwrap().len(), 50);
    });
    compare("purge", &|transaction, _| events::purge(transaction, now).unwrap());
    compare("the next publication", &|transaction, _| {
        assert_eq!(events::next_publication(transaction, now).unwrap(), None);
    });
}
