//! The demo data: events from two months before to four months after the day on which it is inserted. People,
//! properties, venues and figures are invented; the cities are real.

use chrono::{Datelike, NaiveDate, TimeDelta, Weekday};

use crate::platform::messages::IN_PERSON;

#[derive(Clone, Copy, Debug)]
pub struct DemoSpeaker {
    /// Name, with `Dr.` if any.
    pub name: &'static str,
    /// Position.
    pub title: &'static str,
    /// One or two sentences.
    pub bio: &'static str,
    /// `EM Team` or `Guest`.
    pub kind: &'static str,
    /// Path of the portrait on this server; `None` shows initials.
    pub portrait: Option<&'static str>,
}

/// The venue of an in-person event.
#[derive(Clone, Copy, Debug)]
pub struct DemoVenue {
    pub name: &'static str,
    /// Street address; one contains the city, too.
    pub address: &'static str,
    pub city: &'static str,
    /// Two-letter state.
    pub state: &'static str,
}

/// An event whose date depends on today.
#[derive(Clone, Copy, Debug)]
pub struct DemoEvent {
    /// Days from today, negative for the past, before [`date_of`] moves it to a suitable weekday.
    pub day_offset: i64,
    /// Local time in the event's zone, `HH:mm`.
    pub time: &'static str,
    /// Duration, 15 to 180 in steps of 15.
    pub minutes: u32,
    /// IANA name of the zone.
    pub zone: &'static str,
    /// Event type (spec §3).
    pub kind: &'static str,
    pub title: &'static str,
    /// One or two sentences.
    pub summary: &'static str,
    /// Two to four sentences; a blank line separates paragraphs.
    pub description: &'static str,
    /// Series that the event belongs to.
    pub series: Option<&'static str>,
    /// Index into [`VENUES`]; in-person events only.
    pub venue: Option<usize>,
    /// Indexes into [`SPEAKERS`], in order of appearance; never empty.
    pub speakers: &'static [usize],
    /// How many visitors plan to attend; in-person events only.
    pub attending: u32,
}

pub(super) const INVESTOR_INSIGHTS: &str = "Investor Insights";
pub(super) const PILLARS: &str = "Pillars of Wealthbuilding";
pub(super) const PHYSICIAN: &str = "Physician on FIRE";
pub(super) const IRA: &str = "IRA-Related Webinars";
pub(super) const SPECIAL: &str = "Special";

pub(super) const EASTERN: &str = "America/New_York";
pub(super) const CENTRAL: &str = "America/Chicago";
pub(super) const MOUNTAIN: &str = "America/Denver";
pub(super) const PACIFIC: &str = "America/Los_Angeles";
pub(super) const HAWAII: &str = "Pacific/Honolulu";
pub(super) const ALASKA: &str = "America/Anchorage";

pub(super) const READING_THE_DEAL: &str = "Reading the Deal";
pub(super) const FIVE_PILLARS: &str = "The Five Pillars";
pub(super) const SELF_DIRECTED: &str = "Self-Directed";
pub(super) const PHYSICIANS_LEDGER: &str = "The Physician’s Ledger";

pub(super) const HENRIK: usize = 0;
pub(super) const MARISOL: usize = 1;
pub(super) const DESMOND: usize = 2;
pub(super) const JUNE: usize = 3;
pub(super) const IMANI: usize = 4;
pub(super) const ROHAN: usize = 5;
pub(super) const KALEA: usize = 6;
pub(super) const ELIAS: usize = 7;

/// Four of the team, then four guests; six have a portrait.
pub const SPEAKERS: &[DemoSpeaker] = &[
    DemoSpeaker {
        name: "Henrik Solvang",
        title: "Managing Partner",
        bio: "Henrik joined the firm after eleven years in commercial lending. He negotiates the debt \
              on every property and writes the partners’ letter.",
        kind: "EM Team",
        portrait: Some("/pictures/demo/henrik-solvang.svg"),
    },
    DemoSpeaker {
        name: "Marisol Quintanar",
        title: "Director of Investor Relations",
        bio: "Marisol answers for everything an investor receives: subscription papers, quarterly \
              reports and the calls in between. She was an auditor before she joined the team.",
        kind: "EM Team",
        portrait: Some("/pictures/demo/marisol-quintanar.svg"),
    },
    DemoSpeaker {
        name: "Desmond Awuah",
        title: "Head of Acquisitions",
        bio: "Desmond has underwritten apartment communities in the Southeast and the Mountain West \
              for fourteen years. He turns down most of what he reads and keeps a file of the reasons.",
        kind: "EM Team",
        portrait: Some("/pictures/demo/desmond-awuah.svg"),
    },
    DemoSpeaker {
        name: "June Halvorsen",
        title: "Retirement Accounts Manager",
        bio: "June works with custodians, plan administrators and investors whose savings sit in an \
              old employer plan. She has handled self-directed transfers for nine years.",
        kind: "EM Team",
        portrait: None,
    },
    DemoSpeaker {
        name: "Dr. Imani Wetherell",
        title: "Hospitalist and passive investor",
        bio: "Imani works nights at a teaching hospital and has invested as a limited partner since \
              her third year as an attending. She teaches residents to read an offering before they \
              sign one.",
        kind: "Guest",
        portrait: Some("/pictures/demo/imani-wetherell.svg"),
    },
    DemoSpeaker {
        name: "Dr. Rohan Velamuri",
        title: "Anesthesiologist, limited partner",
        bio: "Rohan owned two rental houses before he moved to private partnerships. He keeps a \
              record of every distribution, late report and unanswered question.",
        kind: "Guest",
        portrait: None,
    },
    DemoSpeaker {
        name: "Dr. Kalea Nishimoto",
        title: "Radiologist in Honolulu",
        bio: "Kalea reads films three days a week and looks after her family’s mainland real estate \
              on the others.",
        kind: "Guest",
        portrait: Some("/pictures/demo/kalea-nishimoto.svg"),
    },
    DemoSpeaker {
        name: "Elias Tavakoli",
        title: "Certified Public Accountant",
        bio: "Elias prepares returns for physicians and for the partnerships they invest in. He has a \
              particular interest in the year of a sale.",
        kind: "Guest",
        portrait: Some("/pictures/demo/elias-tavakoli.svg"),
    },
];

pub(super) const NASHVILLE: usize = 0;
pub(super) const ALBUQUERQUE: usize = 1;
pub(super) const DENVER: usize = 2;
pub(super) const CHICAGO: usize = 3;
pub(super) const RALEIGH: usize = 4;

/// Five venues. The name and address of Albuquerque are long enough to be truncated; the address of Denver contains the
/// city.
pub const VENUES: &[DemoVenue] = &[
    DemoVenue { name: "Cumberland Row Clubhouse", address: "418 Hosiery Mill Lane", city: "Nashville", state: "TN" },
    DemoVenue {
        name: "The Juniper House at Piedra Vista Terraces",
        address: "6200 East Piedra Vista Road, Building C, Garden Level",
        city: "Albuquerque",
        state: "NM",
    },
    DemoVenue {
        name: "Larkspur Assembly Rooms",
        address: "1450 Larkspur Street, Denver, CO 80205",
        city: "Denver",
        state: "CO",
    },
    DemoVenue {
        name: "Harbor Exchange Hall",
        address: "77 West Lathrop Place, Floor 12",
        city: "Chicago",
        state: "IL",
    },
    DemoVenue { name: "Longleaf Hall", address: "212 Pettibone Row", city: "Raleigh", state: "NC" },
];

/// The date of an event if the demo is inserted `today`.
///
/// In-person events in the morning are on the nearest Saturday, all others on Monday to Thursday. No event is today, so
/// events with a positive offset are upcoming in every zone.
pub fn date_of(event: &DemoEvent, today: NaiveDate) -> NaiveDate {
    let date = today + TimeDelta::days(event.day_offset);
    let from_monday = i64::from(date.weekday().num_days_from_monday());
    let shift = if event.kind == IN_PERSON && event.time < "12:00" {
        // Sunday to Tuesday move back, Wednesday to Friday move forward.
        let from_saturday = (from_monday + 2) % 7;
        if from_saturday <= 3 { -from_saturday } else { 7 - from_saturday }
    } else {
        match date.weekday() {
            Weekday::Fri => -1,
            Weekday::Sat => -2,
            Weekday::Sun => 1,
            _ => 0,
        }
    };
    let moved = date + TimeDelta::days(shift);
    // If today is a Thursday, an event of the next days would move to today.
    if event.day_offset > 0 && moved <= today { today + TimeDelta::days(1) } else { moved }
}
