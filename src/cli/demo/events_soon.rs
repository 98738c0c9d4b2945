//! The sample events of the next four weeks.

use super::sample_data::{
    ALBUQUERQUE, DENVER, DESMOND, DemoEvent, EASTERN, ELIAS, FIVE_PILLARS, HAWAII, HENRIK, IMANI, INVESTOR_INSIGHTS,
    IRA, JUNE, KALEA, MARISOL, MOUNTAIN, PACIFIC, PHYSICIAN, PHYSICIANS_LEDGER, PILLARS, ROHAN, SELF_DIRECTED, SPECIAL,
};
use crate::platform::messages::IN_PERSON;

/// Nine events, the next one first.
pub(super) const SOON: &[DemoEvent] = &[
    DemoEvent {
        day_offset: 2,
        time: "20:00",
        minutes: 60,
        zone: EASTERN,
        kind: PHYSICIAN,
        title: "From night shifts to limited partner: a hospitalist’s first five deals",
        summary: "A working hospitalist opens her file on five private investments: the questions, the omissions and \
            the reports since.",
        description: "Imani goes through the first five private investments she made while working nights: what she \
            asked, what she failed to ask, and how each has been reported since. Henrik answers from the sponsor’s \
            side, Rohan from that of a fellow investor. Bring an offering you are considering; the last twenty \
            minutes are open questions.",
        series: Some(PHYSICIANS_LEDGER),
        venue: None,
        speakers: &[IMANI, HENRIK, ROHAN],
        attending: 0,
    },
    DemoEvent {
        day_offset: 5,
        time: "12:00",
        minutes: 45,
        zone: EASTERN,
        kind: IRA,
        title: "A self-directed IRA, from application to first wire",
        summary: "The steps, the forms and a realistic timetable for moving an old retirement account into a private \
            investment.",
        description: "Opening the account takes days; moving the money can take weeks. June follows one transfer \
            from start to finish: the choice of custodian, the transfer request, the direction-of-investment form, \
            and how a holding has to be titled so that the IRA, not you, is its owner.",
        series: Some(SELF_DIRECTED),
        venue: None,
        speakers: &[JUNE],
        attending: 0,
    },
    DemoEvent {
        day_offset: 9,
        time: "12:00",
        minutes: 30,
        zone: EASTERN,
        kind: INVESTOR_INSIGHTS,
        title: "Market notes: permits, completions and what follows",
        summary: "Half an hour, twelve charts, and no forecast beyond the buildings already under construction.",
        description: "Henrik compares permits and completions in nine metropolitan areas where we own or underwrite. \
            He says which of our own assumptions the figures have changed, and which they have left alone.",
        series: None,
        venue: None,
        speakers: &[HENRIK],
        attending: 0,
    },
    DemoEvent {
        day_offset: 9,
        time: "12:00",
        minutes: 60,
        zone: PACIFIC,
        kind: IRA,
        title: "UBIT and debt-financed income, worked out on paper",
        summary: "One mortgaged property, one IRA, three tax years: what is taxed, at which share, and who files.",
        description: "When a property held by an IRA carries a mortgage, part of its income can be taxed inside the \
            account. Elias works through three years of one property, with the debt percentage, the deductions and \
            the Form 990-T. June explains who files it and from which account the tax is paid.\n\n\
            A calculator is enough; the worksheet comes with the confirmation.",
        series: Some(SELF_DIRECTED),
        venue: None,
        speakers: &[ELIAS, JUNE],
        attending: 0,
    },
    DemoEvent {
        day_offset: 9,
        time: "15:30",
        minutes: 180,
        zone: MOUNTAIN,
        kind: IN_PERSON,
        title: "Albuquerque property walk and investor dinner",
        summary: "See two stabilized communities and one under construction, then sit down to dinner with the people \
            who run them.",
        description: "We meet in the garden court and visit three communities within ten minutes of each other, two \
            of them stabilized and one still being framed. Dinner follows at one long table, with the site managers \
            and the contractor present. Transport between the properties is arranged, and there is a vegetarian \
            menu.",
        series: None,
        venue: Some(ALBUQUERQUE),
        speakers: &[MARISOL, DESMOND],
        attending: 11,
    },
    DemoEvent {
        day_offset: 9,
        time: "20:00",
        minutes: 45,
        zone: EASTERN,
        kind: SPECIAL,
        title: "The partners’ letter: a live reading with questions",
        summary: "What went as planned in the past half year and what did not, read aloud by the person who wrote \
            it.",
        description: "Twice a year the partners write down what they expected, what happened and what they would do \
            differently. Henrik reads the letter unedited and answers questions as they come in. Investors receive \
            the text by mail the same week.",
        series: None,
        venue: None,
        speakers: &[HENRIK],
        attending: 0,
    },
    DemoEvent {
        day_offset: 14,
        time: "19:00",
        minutes: 60,
        zone: EASTERN,
        kind: PILLARS,
        title: "Pillar Three: depreciation, from schedule to K-1",
        summary: "How one building is depreciated, what reaches your return, and what comes back when it is sold.",
        description: "Depreciation lowers taxable income now and can return as recapture at the sale. Elias follows \
            one building from the purchase price to the cost segregation study, on to the boxes of the K-1 and then \
            to the closing statement. He marks each point at which your own status, passive or not, changes the \
            answer.",
        series: Some(FIVE_PILLARS),
        venue: None,
        speakers: &[ELIAS],
        attending: 0,
    },
    DemoEvent {
        day_offset: 18,
        time: "08:30",
        minutes: 90,
        zone: MOUNTAIN,
        kind: IN_PERSON,
        title: "Denver physicians’ breakfast",
        summary: "Two tables, two hosts and no slides: a morning for physicians who invest, or are deciding whether \
            to.",
        description: "Breakfast is on the table at half past eight and the conversation starts at nine. Imani speaks \
            for ten minutes on fitting due diligence around a clinical schedule; the rest of the time is yours. \
            Spouses and partners are welcome, and there is parking behind the building.",
        series: None,
        venue: Some(DENVER),
        speakers: &[IMANI, MARISOL],
        attending: 7,
    },
    DemoEvent {
        day_offset: 25,
        time: "13:00",
        minutes: 60,
        zone: HAWAII,
        kind: PHYSICIAN,
        title: "Owning on the mainland from Honolulu",
        summary: "A radiologist in Honolulu explains how she oversees real estate that she seldom sees.",
        description: "Kalea sold her one local rental and now holds shares in four mainland properties. She covers \
            what she gave up, what she reads each month, and the state returns that come with it. Rohan compares \
            this with direct ownership, which he tried first.",
        series: Some(PHYSICIANS_LEDGER),
        venue: None,
        speakers: &[KALEA, ROHAN],
        attending: 0,
    },
];
