//! The sample events of the past two months.

use super::sample_data::{
    ALASKA, CENTRAL, DESMOND, DemoEvent, EASTERN, ELIAS, FIVE_PILLARS, HENRIK, IMANI, INVESTOR_INSIGHTS, IRA, JUNE,
    MARISOL, NASHVILLE, PHYSICIAN, PHYSICIANS_LEDGER, PILLARS, READING_THE_DEAL, ROHAN, SELF_DIRECTED, SPECIAL,
};
use crate::platform::messages::IN_PERSON;

/// Ten events, oldest first.
pub(super) const PAST: &[DemoEvent] = &[
    DemoEvent {
        day_offset: -58,
        time: "19:00",
        minutes: 60,
        zone: EASTERN,
        kind: INVESTOR_INSIGHTS,
        title: "What a rent roll says that the summary leaves out",
        summary: "A line-by-line reading of a 212-unit rent roll, and the five columns that move a price.",
        description: "Desmond takes one anonymized rent roll and reads it the way his team does before an offer: \
            lease dates, concessions, balances owed, employee units, and the gap between scheduled and collected \
            rent. Henrik then shows how the same building looked in the seller’s summary, and why the two differ.\n\n\
            The rent roll goes to everyone who registers, so you can mark it up beforehand.",
        series: Some(READING_THE_DEAL),
        venue: None,
        speakers: &[DESMOND, HENRIK],
        attending: 0,
    },
    DemoEvent {
        day_offset: -45,
        time: "12:00",
        minutes: 45,
        zone: EASTERN,
        kind: IRA,
        title: "Prohibited transactions: where the lines are",
        summary: "Who counts as a disqualified person, what counts as a benefit, and which ordinary favors cross the \
            line.",
        description: "An IRA may own a house; its owner may not live in it, repair it, or sell it to a child. June \
            works through eight short cases and says for each whether it is allowed, forbidden or a question for \
            counsel. She also covers what happens to the account once a line has been crossed, which is more severe \
            than most owners expect.",
        series: Some(SELF_DIRECTED),
        venue: None,
        speakers: &[JUNE],
        attending: 0,
    },
    DemoEvent {
        day_offset: -36,
        time: "10:00",
        minutes: 180,
        zone: CENTRAL,
        kind: IN_PERSON,
        title: "Nashville property walk: a renovation at the halfway mark",
        summary: "Walk a 1980s garden community with half its units renovated, and compare the budget with the \
            invoices.",
        description: "We start in the clubhouse with the original budget, then see one unit in each condition: \
            untouched, in progress and finished. Desmond explains which items ran over and what was taken out of \
            scope to pay for them. Wear shoes for a building site; coffee and lunch are provided.",
        series: None,
        venue: Some(NASHVILLE),
        speakers: &[DESMOND, MARISOL],
        attending: 34,
    },
    DemoEvent {
        day_offset: -29,
        time: "19:00",
        minutes: 60,
        zone: EASTERN,
        kind: PILLARS,
        title: "Pillar One: how much to keep liquid",
        summary: "Before the first private investment comes the question of cash: how much, where, and for how long.",
        description: "A private holding cannot be sold on an ordinary Tuesday. Marisol shows a way to size a reserve \
            around salary, dependents, disability cover and known capital calls, and then to decide what share of \
            the remainder can be tied up for five to seven years. No offering is discussed.",
        series: Some(FIVE_PILLARS),
        venue: None,
        speakers: &[MARISOL],
        attending: 0,
    },
    DemoEvent {
        day_offset: -24,
        time: "20:00",
        minutes: 60,
        zone: EASTERN,
        kind: PHYSICIAN,
        title: "Student loans, a mortgage or a first fund: an order of operations",
        summary: "An anesthesiologist and an accountant disagree about what a new attending should pay for first.",
        description: "Rohan finished training with a six-figure balance and waited four years before he invested; \
            Elias thinks two would have been enough. They set both cases side by side, with interest rates, tax \
            brackets and the value of sleeping well. Bring your own figures: the second half is questions.",
        series: Some(PHYSICIANS_LEDGER),
        venue: None,
        speakers: &[ROHAN, ELIAS],
        attending: 0,
    },
    DemoEvent {
        day_offset: -20,
        time: "18:00",
        minutes: 90,
        zone: EASTERN,
        kind: SPECIAL,
        title: "Portfolio review: the last quarter, property by property",
        summary: "Occupancy, collections, debt and capital work for every property we manage, including the two \
            behind plan.",
        description: "Each property gets four minutes and the same four figures, set against the budget approved for \
            the year. Where a property is behind plan, the person responsible says why and what comes next.\n\n\
            The slides are sent the morning after. Questions about your own account are better put to investor \
            relations afterwards.",
        series: None,
        venue: None,
        speakers: &[HENRIK, MARISOL, DESMOND, JUNE, ELIAS],
        attending: 0,
    },
    DemoEvent {
        day_offset: -15,
        time: "12:00",
        minutes: 45,
        zone: CENTRAL,
        kind: IRA,
        title: "When an IRA owns an LLC: paperwork, fees and what to ask",
        summary: "What changes, and what does not, when a retirement account holds its property through a company.",
        description: "Checkbook control takes the custodian out of daily payments and hands you its record keeping. \
            June lists the documents, the yearly fees and the annual valuation the custodian still has to report. \
            Elias explains why the company needs its own bank account, its own tax number and a manager who knows \
            the prohibited-transaction rules.",
        series: Some(SELF_DIRECTED),
        venue: None,
        speakers: &[JUNE, ELIAS],
        attending: 0,
    },
    DemoEvent {
        day_offset: -11,
        time: "19:00",
        minutes: 60,
        zone: EASTERN,
        kind: INVESTOR_INSIGHTS,
        title: "Insurance renewals: what changed and where it lands in the budget",
        summary: "Three renewals on buildings of similar age, compared line by line.",
        description: "Insurance has become one of the larger lines in many operating budgets. Desmond compares what \
            the carriers asked, which deductibles moved and which repairs changed the quote. He ends with the \
            requirements a lender is least likely to waive.",
        series: Some(READING_THE_DEAL),
        venue: None,
        speakers: &[DESMOND],
        attending: 0,
    },
    DemoEvent {
        day_offset: -7,
        time: "16:00",
        minutes: 60,
        zone: ALASKA,
        kind: PHYSICIAN,
        title: "Locum income, 1099 work and what passive losses can offset",
        summary: "For physicians who are paid in more than one state or on more than one form, at an hour that suits \
            Alaska.",
        description: "Locum work brings self-employment tax, quarterly estimates and returns in several states. \
            Imani and Rohan show how they keep the records, and why a passive loss on a K-1 usually does not reduce \
            the tax on what a hospital pays you. Nothing here replaces a conversation with your own accountant.",
        series: Some(PHYSICIANS_LEDGER),
        venue: None,
        speakers: &[ROHAN, IMANI],
        attending: 0,
    },
    DemoEvent {
        day_offset: -3,
        time: "19:00",
        minutes: 60,
        zone: EASTERN,
        kind: PILLARS,
        title: "Pillar Two: the operating agreement, clause by clause",
        summary: "The document behind the deck, read from the limited partner’s side of the table.",
        description: "Henrik reads the clauses that matter most to a limited partner: distributions, capital calls, \
            fees, transfers, removal of the manager and the reports you are owed. Elias points to the sentences that \
            later show up on a K-1.\n\n\
            A sample agreement is sent with the confirmation.",
        series: Some(FIVE_PILLARS),
        venue: None,
        speakers: &[HENRIK, ELIAS],
        attending: 0,
    },
];
