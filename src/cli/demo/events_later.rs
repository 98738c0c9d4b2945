//! The sample events of the second to the fourth month from now.

use super::sample_data::{
    CENTRAL, CHICAGO, DESMOND, DemoEvent, EASTERN, ELIAS, FIVE_PILLARS, HENRIK, IMANI, INVESTOR_INSIGHTS, JUNE, KALEA,
    MARISOL, PHYSICIAN, PHYSICIANS_LEDGER, PILLARS, RALEIGH, READING_THE_DEAL, ROHAN,
};
use crate::platform::messages::IN_PERSON;

/// Five events, soonest first.
pub(super) const LATER: &[DemoEvent] = &[
    DemoEvent {
        day_offset: 33,
        time: "19:00",
        minutes: 60,
        zone: EASTERN,
        kind: INVESTOR_INSIGHTS,
        title: "Loan maturities: extend, refinance or sell",
        summary: "Three of our own loans come due within a year. Here are the options for each one, with figures.",
        description: "Henrik and Desmond take the three loans in turn: the lender’s extension tests, the cost of a \
            new rate cap, the proceeds of a refinance at current coverage ratios, and the price at which a sale is \
            the better answer.\n\n\
            Figures are shown per property, so have the last quarterly report at hand.",
        series: Some(READING_THE_DEAL),
        venue: None,
        speakers: &[HENRIK, DESMOND],
        attending: 0,
    },
    DemoEvent {
        day_offset: 47,
        time: "19:00",
        minutes: 60,
        zone: EASTERN,
        kind: PILLARS,
        title: "Pillar Four: titling, trusts and who may sign",
        summary: "The name on a subscription agreement decides more than most investors think when they write it \
            down.",
        description: "Titling settles who is taxed, who inherits and who can sign when you cannot. Marisol compares \
            individual, joint, trust and company ownership, with the forms each one needs; Elias adds what a change \
            of title costs later. Estate law differs by state, so take the list to your own attorney.",
        series: Some(FIVE_PILLARS),
        venue: None,
        speakers: &[MARISOL, ELIAS],
        attending: 0,
    },
    DemoEvent {
        day_offset: 65,
        time: "09:00",
        minutes: 180,
        zone: CENTRAL,
        kind: IN_PERSON,
        title: "Investor day: the whole team, one morning",
        summary: "The portfolio, a panel of physicians who invest, and an hour on tax and retirement accounts, all \
            in one hall.",
        description: "The morning has three parts: the portfolio, the physicians’ panel, and tax and retirement \
            accounts. All eight speakers stay for lunch, and each hosts a table on one subject.\n\n\
            Doors open at half past eight. The hall is on the twelfth floor, with elevators from the lobby.",
        series: None,
        venue: Some(CHICAGO),
        speakers: &[HENRIK, MARISOL, DESMOND, JUNE, IMANI, ROHAN, KALEA, ELIAS],
        attending: 26,
    },
    DemoEvent {
        day_offset: 90,
        time: "17:30",
        minutes: 120,
        zone: EASTERN,
        kind: IN_PERSON,
        title: "Raleigh evening: underwriting a deal in the room",
        summary: "One offering memorandum with the names removed, and two hours to decide what the building is \
            worth.",
        description: "Desmond hands out the memorandum and the room underwrites it together: rents, expenses, debt, \
            exit. Elias takes the tax questions as they arise. There are forty seats, so that everyone can speak.",
        series: None,
        venue: Some(RALEIGH),
        speakers: &[DESMOND, ELIAS],
        attending: 1,
    },
    DemoEvent {
        day_offset: 118,
        time: "20:00",
        minutes: 75,
        zone: EASTERN,
        kind: PHYSICIAN,
        title: "Working less by choice: two physicians on part-time practice",
        summary: "What two physicians counted before they cut their hours, and what they left out of the count.",
        description: "Imani went from fifteen shifts a month to seven, and Kalea to three days a week; neither has \
            stopped working. They describe what they added up beforehand, how health insurance and licensing entered \
            the decision, and what they would now do in another order.",
        series: Some(PHYSICIANS_LEDGER),
        venue: None,
        speakers: &[IMANI, KALEA],
        attending: 0,
    },
];
