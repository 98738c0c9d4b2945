//! Wire types of the import and export of events as files.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::events::EventStatus;

/// What a column of a CSV file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EventFileField {
    /// The event's id in calendars, which identifies it in the next import.
    Uid,
    Title,
    /// The day of the start.
    Date,
    /// The time of the start.
    Time,
    /// Day and time of the start in one text.
    Start,
    EndDate,
    EndTime,
    /// Day and time of the end in one text.
    End,
    Duration,
    Timezone,
    Type,
    Series,
    Summary,
    Description,
    /// `plain` or `markdown`.
    DescriptionFormat,
    RegistrationUrl,
    /// Names of the speakers with a separator.
    Speakers,
    Status,
    PublishAt,
    RecordingUrl,
    VenueName,
    VenueAddress,
    City,
    State,
    VenueImageUrl,
    PlaceId,
    BrandliveId,
    GoogleLink,
    OutlookLink,
    IcalLink,
}

impl EventFileField {
    /// All fields, in the order of the form.
    pub const ALL: [Self; 30] = [
        Self::Uid,
        Self::Title,
        Self::Date,
        Self::Time,
        Self::Start,
        Self::EndDate,
        Self::EndTime,
        Self::End,
        Self::Duration,
        Self::Timezone,
        Self::Type,
        Self::Series,
        Self::Summary,
        Self::Description,
        Self::DescriptionFormat,
        Self::RegistrationUrl,
        Self::Speakers,
        Self::Status,
        Self::PublishAt,
        Self::RecordingUrl,
        Self::VenueName,
        Self::VenueAddress,
        Self::City,
        Self::State,
        Self::VenueImageUrl,
        Self::PlaceId,
        Self::BrandliveId,
        Self::GoogleLink,
        Self::OutlookLink,
        Self::IcalLink,
    ];

    /// The heading of its column in exported files.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Uid => "UID",
            Self::Title => "Title",
            Self::Date => "Date",
            Self::Time => "Time",
            Self::Start => "Start",
            Self::EndDate => "End date",
            Self::EndTime => "End time",
            Self::End => "End",
            Self::Duration => "Duration",
            Self::Timezone => "Time zone",
            Self::Type => "Type",
            Self::Series => "Series",
            Self::Summary => "Summary",
            Self::Description => "Description",
            Self::DescriptionFormat => "Description format",
            Self::RegistrationUrl => "Registration URL",
            Self::Speakers => "Speakers",
            Self::Status => "Status",
            Self::PublishAt => "Publish at",
            Self::RecordingUrl => "Recording URL",
            Self::VenueName => "Venue",
            Self::VenueAddress => "Address",
            Self::City => "City",
            Self::State => "State",
            Self::VenueImageUrl => "Venue image URL",
            Self::PlaceId => "Place id",
            Self::BrandliveId => "Brandlive id",
            Self::GoogleLink => "Google Calendar link",
            Self::OutlookLink => "Outlook link",
            Self::IcalLink => "iCalendar link",
        }
    }
}

/// Which part of a date such as 03/04/2031 is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DateOrder {
    MonthFirst,
    DayFirst,
}

/// What happens to rows whose event exists already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExistingEvents {
    /// The stored event stays as it is.
    #[default]
    Skip,
    /// The stored event gets the values of the row. Blank cells change nothing.
    Update,
}

/// The choice for a speaker of the file that the site does not have. With neither `speakerId` nor `title`, the speaker is
/// left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpeakerChoice {
    /// The name in the file.
    pub name: String,
    /// The speaker who is meant.
    pub speaker_id: Option<i64>,
    /// The title with which the speaker is created.
    pub title: Option<String>,
}

/// The choice for a type of the file that the site does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeChoice {
    /// The type in the file.
    pub name: String,
    /// The event type that is meant; without one, such events become drafts.
    pub r#type: Option<String>,
}

/// The choices of the admin. Those that are missing are recognized from the file or have a default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportOptions {
    /// The field of each column of a CSV file; null for columns that are not imported.
    pub columns: Option<Vec<Option<EventFileField>>>,
    /// The character between the columns of a CSV file.
    pub delimiter: Option<char>,
    /// Required if a date can be read in both ways.
    pub date_order: Option<DateOrder>,
    /// The time zone of rows without one, an IANA name; America/New_York by default.
    pub timezone: Option<String>,
    /// The start of rows without a time, HH:mm; without it they become drafts.
    pub time: Option<String>,
    /// The type of rows without one; without it they become drafts.
    pub r#type: Option<String>,
    /// The status of rows without one: `published` by default, `draft` or `hidden`.
    pub status: Option<EventStatus>,
    /// The text between the names of speakers.
    pub speaker_separator: Option<String>,
    #[serde(default)]
    pub speakers: Vec<SpeakerChoice>,
    #[serde(default)]
    pub types: Vec<TypeChoice>,
    /// Whether durations that are not allowed become the next ones that are.
    #[serde(default)]
    pub round_durations: bool,
    /// Whether rows that lack something else that is required become drafts too; else that is an error.
    #[serde(default)]
    pub incomplete_as_drafts: bool,
    #[serde(default)]
    pub existing_events: ExistingEvents,
    /// Whether rows with errors are left out; else they prevent the import.
    #[serde(default)]
    pub leave_out_errors: bool,
    /// The rows to leave out, by their number in the preview, from 1.
    #[serde(default)]
    pub leave_out_rows: Vec<usize>,
}

/// A file to import and the choices for it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    /// The file, CSV or iCalendar, at most 5 MB; base64.
    pub file: String,
    #[serde(default)]
    pub options: ImportOptions,
    /// The `plan` of the preview. If the import would do something else by now, the response is 409 and nothing is stored.
    pub plan: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// Comma-separated values.
    Csv,
    /// iCalendar.
    Ics,
    /// The events as the API responds with them.
    Json,
    /// How many plan to attend the in-person events among them, as comma-separated values.
    Attendance,
}

/// A column of a CSV file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileColumn {
    pub heading: String,
    /// The first values that are not blank, shortened.
    pub samples: Vec<String>,
    #[schema(required)]
    pub field: Option<EventFileField>,
}

/// A name in the file that needs a choice.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnknownName {
    pub name: String,
    /// The number of rows with it.
    pub rows: usize,
    /// The ids of the speakers who have this name, if several have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub candidates: Vec<i64>,
}

/// What an import does with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RowAction {
    Create,
    Update,
    /// The event exists, and the row differs from it.
    Skip,
    /// The event exists as in the row.
    Unchanged,
    /// The admin has left it out.
    LeftOut,
    Error,
}

/// An error in a row.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowError {
    /// The heading of the column, or the property of a calendar; null for the complete row.
    #[schema(required)]
    pub column: Option<String>,
    /// For the admin.
    pub message: String,
}

/// A field that an update changes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowChange {
    pub field: String,
    pub before: String,
    pub after: String,
}

/// A row of the file, or an event of a calendar.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRow {
    /// The line in the file at which it begins, from 1.
    pub line: usize,
    pub action: RowAction,
    pub title: String,
    /// yyyy-MM-dd; blank if it has none that can be read.
    pub date: String,
    /// HH:mm; blank if it has none that can be read.
    pub time: String,
    pub timezone: String,
    /// The status that the event gets.
    pub status: EventStatus,
    /// The stored event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub event_id: Option<i64>,
    /// What prevents the import of the row.
    pub errors: Vec<RowError>,
    /// What the admin should know.
    pub notes: Vec<String>,
    /// How the row differs from the stored event.
    pub changes: Vec<RowChange>,
}

/// The number of rows by what the import does with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportCounts {
    pub create: usize,
    /// Those of `create` that become drafts.
    pub drafts: usize,
    pub update: usize,
    pub skip: usize,
    pub unchanged: usize,
    pub left_out: usize,
    pub error: usize,
}

/// What an import of a file would do.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportPreview {
    pub format: FileFormat,
    /// `UTF-8`, `UTF-16` or `Windows-1252`
    pub encoding: String,
    /// The character between the columns of a CSV file.
    #[schema(required)]
    pub delimiter: Option<char>,
    /// The columns of a CSV file.
    pub columns: Vec<FileColumn>,
    /// How dates such as 03/04/2031 are read; null if the file has none, or if the admin has to choose.
    #[schema(required)]
    pub date_order: Option<DateOrder>,
    /// A date that can be read in two ways, for which the admin has to choose.
    #[schema(required)]
    pub ambiguous_date: Option<String>,
    /// The text between the names of speakers.
    pub speaker_separator: String,
    /// Speakers who need a choice, by name.
    pub unknown_speakers: Vec<UnknownName>,
    /// Types that need a choice, by name.
    pub unknown_types: Vec<UnknownName>,
    /// The number of rows without a time zone.
    pub without_timezone: usize,
    /// The number of rows without a time, such as all-day events.
    pub without_time: usize,
    /// The number of rows without a type.
    pub without_type: usize,
    /// The number of rows whose duration is not allowed.
    pub unrounded_durations: usize,
    /// The number of rows that lack something required other than a speaker or a type.
    pub incomplete: usize,
    pub counts: ImportCounts,
    pub rows: Vec<ImportRow>,
    /// Identifies what the import does; sent back with it.
    pub plan: String,
}

/// What an import did.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportResult {
    pub counts: ImportCounts,
    /// The ids of the created events, in the order of the file.
    pub created: Vec<i64>,
    /// The ids of the changed events, in the order of the file.
    pub updated: Vec<i64>,
    /// The ids of the created speakers.
    pub speakers: Vec<i64>,
    /// The bulk edit by which the updates can be undone for 24 hours; null without updates.
    #[schema(required)]
    pub bulk_edit: Option<i64>,
}

/// What an import did, to be undone.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoImport {
    /// The ids of the events. They can be restored for 30 days.
    pub created: Vec<i64>,
    /// The ids of the speakers. Those of other events stay.
    #[serde(default)]
    pub speakers: Vec<i64>,
    /// The bulk edit with the updates.
    pub bulk_edit: Option<i64>,
}

/// What the undo of an import removed and reverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoneImport {
    /// How many events were deleted.
    pub events: usize,
    /// How many events are as they were.
    pub updates: usize,
    /// How many speakers were deleted.
    pub speakers: usize,
}

/// The events of an export.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportRequest {
    pub format: FileFormat,
    /// The ids of the events. Deleted ones are left out.
    pub ids: Vec<i64>,
}
