//! Messages, limits and lists that the server and the web page share (spec §3, §5, §9). A test generates `contract.ts` and
//! `validation.ts` in `web/src/api/generated/` from them.

macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident, $key:literal => $text:literal;)*) => {
        $($(#[$doc])* #[doc = concat!("`", $text, "`")] pub const $name: &str = $text;)*
        /// Every message with its key in `validation.ts`.
        pub const MESSAGES: &[(&str, &str)] = &[$(($key, $text)),*];
    };
}

messages! {
    TITLE_REQUIRED, "titleRequired" => "Title is required";
    TITLE_TOO_LONG, "titleTooLong" => "Title must be 200 characters or less";
    DATE_REQUIRED, "dateRequired" => "Date is required";
    DATE_INVALID, "dateInvalid" => "Date must be year-month-day";
    DATE_RANGE, "dateRange" => "Date must be from 1900-01-01 to 9999-12-30";
    TIME_REQUIRED, "timeRequired" => "Time is required";
    TIME_INVALID, "timeInvalid" => "Time must be hour:minute";
    DURATION_FORMAT, "durationFormat" => "Duration must be in format 'X minutes'";
    DURATION_RANGE, "durationRange" => "Duration must be between 15 and 180 minutes in increments of 15";
    SUMMARY_REQUIRED, "summaryRequired" => "Summary is required";
    SUMMARY_TOO_LONG, "summaryTooLong" => "Summary must be 500 characters or less";
    DESCRIPTION_REQUIRED, "descriptionRequired" => "Description is required";
    DESCRIPTION_TOO_LONG, "descriptionTooLong" => "Description must be 20,000 characters or less";
    DESCRIPTION_FORMAT_INVALID, "descriptionFormatInvalid" => "Description format must be plain or markdown";
    REGISTRATION_URL_REQUIRED, "registrationUrlRequired" => "Registration URL is required";
    URL_INVALID, "urlInvalid" => "Must be a valid URL";
    IMAGE_NOT_HTTPS, "imageNotHttps" => "Image URL must begin with https://, because browsers block http images on this site";
    URL_TOO_LONG, "urlTooLong" => "URL must be 2,000 characters or less";
    TYPE_REQUIRED, "typeRequired" => "Event type is required";
    TYPE_INVALID, "typeInvalid" => "Invalid event type selected";
    STATUS_INVALID, "statusInvalid" => "Status must be draft, scheduled, published, hidden, cancelled or postponed";
    PUBLISH_AT_REQUIRED, "publishAtRequired" => "Publication date and time are required";
    PUBLISH_AT_INVALID, "publishAtInvalid" => "Publication time must be a date and time such as 2026-11-24T14:00:00Z";
    PUBLISH_AT_AFTER_END, "publishAtAfterEnd" => "Publication time must be before the end of the event";
    TIMEZONE_INVALID, "timezoneInvalid" => "Time zone must be an IANA name such as America/New_York";
    SERIES_TOO_LONG, "seriesTooLong" => "Series must be 200 characters or less";
    BRANDLIVE_ID_TOO_LONG, "brandliveIdTooLong" => "Brandlive id must be 200 characters or less";
    BRANDLIVE_ID_TAKEN, "brandliveIdTaken" => "An event with this Brandlive id already exists";
    REPEAT_END_REQUIRED, "repeatEndRequired" => "Say until when the event repeats, or how often";
    REPEAT_UNTIL_TOO_EARLY, "repeatUntilTooEarly" => "The last date must not be before the first";
    REPEAT_COUNT_INVALID, "repeatCountInvalid" => "An event can be repeated on 1 to 100 dates";
    SPEAKERS_REQUIRED, "speakersRequired" => "At least one speaker must be assigned";
    SPEAKERS_NONE_SELECTED, "speakersNoneSelected" => "At least one speaker must be selected";
    SPEAKERS_TOO_MANY, "speakersTooMany" => "An event can have at most 100 speakers";
    SPEAKER_UNKNOWN, "speakerUnknown" => "A selected speaker no longer exists";
    VENUE_NAME_REQUIRED, "venueNameRequired" => "Venue name is required";
    VENUE_NAME_TOO_LONG, "venueNameTooLong" => "Venue name must be 200 characters or less";
    VENUE_ADDRESS_REQUIRED, "venueAddressRequired" => "Venue address is required";
    VENUE_ADDRESS_TOO_LONG, "venueAddressTooLong" => "Venue address must be 200 characters or less";
    CITY_REQUIRED, "cityRequired" => "City is required";
    CITY_TOO_LONG, "cityTooLong" => "City must be 200 characters or less";
    STATE_REQUIRED, "stateRequired" => "State is required";
    STATE_TOO_LONG, "stateTooLong" => "State must be 200 characters or less";
    PLACE_ID_TOO_LONG, "placeIdTooLong" => "Place id must be 500 characters or less";
    NAME_REQUIRED, "nameRequired" => "Name is required";
    NAME_TOO_LONG, "nameTooLong" => "Name must be 200 characters or less";
    SPEAKER_TITLE_TOO_LONG, "speakerTitleTooLong" => "Title must be 200 characters or less";
    BIO_TOO_LONG, "bioTooLong" => "Bio must be 5,000 characters or less";
    SPEAKER_TYPE_REQUIRED, "speakerTypeRequired" => "Speaker type is required";
    SPEAKER_TYPE_INVALID, "speakerTypeInvalid" => "Must be either 'EM Team' or 'Guest'";
    EMAIL_REQUIRED, "emailRequired" => "Email is required";
    EMAIL_INVALID, "emailInvalid" => "Please enter a valid email address";
    EMAIL_INVALID_STORED, "emailInvalidStored" => "Invalid email address";
    EMAIL_TOO_LONG, "emailTooLong" => "Email must be 254 characters or less";
    EMAIL_TAKEN, "emailTaken" => "A user with this email already exists";
    PASSWORD_REQUIRED, "passwordRequired" => "Password is required";
    PASSWORD_REQUIRED_NEW, "passwordRequiredNew" => "Password is required for new users";
    PASSWORD_TOO_SHORT, "passwordTooShort" => "Password must be at least 8 characters";
    PASSWORD_TOO_LONG, "passwordTooLong" => "Password must be 128 characters or less";
    ROLE_REQUIRED, "roleRequired" => "User role is required";
    ROLE_INVALID, "roleInvalid" => "Invalid role selected";
    LOGIN_REQUIRED, "loginRequired" => "You must be logged in to perform this action";
    PAGE_REQUIRED, "pageRequired" => "Page identifier is required";
    HERO_TITLE_REQUIRED, "heroTitleRequired" => "Hero title is required";
    HERO_TITLE_TOO_LONG, "heroTitleTooLong" => "Hero title must be 120 characters or less";
    HERO_SUBTITLE_REQUIRED, "heroSubtitleRequired" => "Hero subtitle is required";
    HERO_SUBTITLE_TOO_LONG, "heroSubtitleTooLong" => "Hero subtitle must be 240 characters or less";
    HERO_BOTH_REQUIRED, "heroBothRequired" => "Both title and subtitle are required";
    COMPANY_NAME_REQUIRED, "companyNameRequired" => "Company name is required";
    COMPANY_NAME_TOO_LONG, "companyNameTooLong" => "Company name must be 200 characters or less";
    ACCENT_INVALID, "accentInvalid" => "A color must be six hexadecimal digits, such as #fad83e";
    ACCENT_UNREADABLE, "accentUnreadable" => "Neither dark nor white text is readable on this color, with a contrast of 4.5 to 1. Choose a lighter or a darker one";
    ACCENT_LOST_IN_LIGHT, "accentLostInLight" => "This color can hardly be seen on the dark background of the footer, where its contrast must be 3 to 1. Choose a lighter one";
    ACCENT_LOST_IN_DARK, "accentLostInDark" => "This color can hardly be seen on the backgrounds of the dark theme, where its contrast must be 3 to 1. Choose a lighter one";
    ADDRESS_TOO_LONG, "addressTooLong" => "A line of the address must be 200 characters or less";
    ADDRESS_TOO_MANY, "addressTooMany" => "An address can have at most 6 lines";
    PHONE_TOO_LONG, "phoneTooLong" => "Phone number must be 50 characters or less";
    DISCLAIMER_TOO_LONG, "disclaimerTooLong" => "Disclaimer must be 2,000 characters or less";
    LINK_URL_REQUIRED, "linkUrlRequired" => "A link needs a URL";
    LINK_LABEL_REQUIRED, "linkLabelRequired" => "A link needs a text";
    LINK_LABEL_TOO_LONG, "linkLabelTooLong" => "The text of a link must be 100 characters or less";
    LINKS_TOO_MANY, "linksTooMany" => "There can be at most 20 links here";
    LEARN_MORE_REQUIRED, "learnMoreRequired" => "The target of Learn More is required";
    SCRIPT_NOT_HTTPS, "scriptNotHttps" => "This URL must begin with https://, because browsers block http here";
    FORM_ID_INVALID, "formIdInvalid" => "An id must be 200 characters or less and contain no spaces";
    FORM_ATTRIBUTE_INVALID, "formAttributeInvalid" => "Use a name such as data-form; style and names that begin with on are not allowed";
    FORM_VALUE_TOO_LONG, "formValueTooLong" => "A value must be 2,000 characters or less";
    FORM_LIST_TOO_LONG, "formListTooLong" => "There can be at most 20 entries here";
    NOTICE_TEXT_REQUIRED, "noticeTextRequired" => "A notice with a link needs a text";
    NOTICE_TEXT_TOO_LONG, "noticeTextTooLong" => "Notice must be 200 characters or less";
    NOTICE_END_INVALID, "noticeEndInvalid" => "The end must be a date and time such as 2026-11-24T14:00:00Z";
    ACTION_INVALID, "actionInvalid" => "Action must be 'add' or 'remove'";
    VISITOR_REQUIRED, "visitorRequired" => "A visitor id is required";
    VISITOR_TOO_LONG, "visitorTooLong" => "The visitor id must be 128 characters or less";
    NOT_IN_PERSON, "notInPerson" => "Interest can be shown in in-person events only";
    NOT_AUTHENTICATED, "notAuthenticated" => "Not authenticated";
    INVALID_CREDENTIALS, "invalidCredentials" => "Invalid email or password";
}

/// The hero's default title (spec §2).
pub const HERO_TITLE_FALLBACK: &str = "Event Calendar";
/// The hero's default subtitle (spec §2).
pub const HERO_SUBTITLE_FALLBACK: &str =
    "Join us for insightful discussions on real estate investment opportunities and market trends";

/// The message for interest in a past event.
pub const EVENT_OVER: &str = "This event is over";
/// The message for interest in a cancelled event.
pub const EVENT_CANCELLED: &str = "This event is cancelled";
/// The message for interest in a postponed event.
pub const EVENT_POSTPONED: &str = "This event is postponed";

/// The event types in the order of spec §3; the first is the form's default.
pub const EVENT_TYPES: [&str; 6] = [
    "Investor Insights",
    "Pillars of Wealthbuilding",
    "Physician on FIRE",
    IN_PERSON,
    "IRA-Related Webinars",
    "Special",
];
/// The only type with a venue and with visitors' interest (spec §2, §3).
pub const IN_PERSON: &str = "In-Person Events";
/// The speaker types (spec §3). The second is the stored default.
pub const SPEAKER_TYPES: [&str; 2] = ["EM Team", "Guest"];
/// The roles (spec §6).
pub const ROLES: [&str; 1] = ["admin"];
/// The time zones that the form offers: IANA name, label, abbreviation (spec §3). The first is the default.
pub const TIME_ZONES: [(&str, &str, &str); 6] = [
    ("America/New_York", "Eastern", "ET"),
    ("America/Chicago", "Central", "CT"),
    ("America/Denver", "Mountain", "MT"),
    ("America/Los_Angeles", "Pacific", "PT"),
    ("Pacific/Honolulu", "Hawaii", "HT"),
    ("America/Anchorage", "Alaska", "AKT"),
];
/// Abbreviations of further zones: IANA name, offset from UTC in minutes, abbreviation at that offset.
/// Browsers have no complete list of them, so all other zones show their offset.
pub const OTHER_ABBREVIATIONS: [(&str, i32, &str); 8] = [
    ("UTC", 0, "UTC"),
    ("Etc/UTC", 0, "UTC"),
    ("America/Phoenix", -420, "MST"),
    ("America/Puerto_Rico", -240, "AST"),
    ("America/Toronto", -300, "EST"),
    ("America/Toronto", -240, "EDT"),
    ("Europe/London", 0, "GMT"),
    ("Europe/London", 60, "BST"),
];
/// Titles before a name, in lower case and without a full stop; initials omit them.
pub const NAME_TITLES: [&str; 13] =
    ["dr", "mr", "mrs", "ms", "mx", "prof", "professor", "rev", "hon", "sir", "dame", "fr", "sr"];
/// The time zone of an event that is saved without one (spec §3).
pub const DEFAULT_TIME_ZONE: &str = TIME_ZONES[0].0;
/// The duration of an event that is saved without one (spec §3).
pub const DEFAULT_DURATION: &str = "60 minutes";

/// Limits of values, in characters unless stated otherwise (contract, "Calls"; spec §9).
pub mod limits {
    /// Event title, speaker title.
    pub const TITLE: usize = 200;
    /// Event summary.
    pub const SUMMARY: usize = 500;
    /// Event description.
    pub const DESCRIPTION: usize = 20_000;
    /// Names of people, venues, cities, states and series.
    pub const NAME: usize = 200;
    /// A speaker's bio.
    pub const BIO: usize = 5_000;
    /// Any URL.
    pub const URL: usize = 2_000;
    /// E-mail address (RFC 5321 §4.5.3.1.3 less the brackets).
    pub const EMAIL: usize = 254;
    /// A visitor's id.
    pub const VISITOR_ID: usize = 128;
    /// A place's id.
    pub const PLACE_ID: usize = 500;
    /// Speakers of one event.
    pub const SPEAKERS: usize = 100;
    /// Dates of an event that repeats.
    pub const REPEAT_DATES: usize = 100;
    /// Events that are changed at once.
    pub const BULK_EDIT_EVENTS: usize = 2_000;
    /// Shortest password.
    pub const PASSWORD_MIN: usize = 8;
    /// Longest password; longer ones are rejected, never truncated.
    pub const PASSWORD_MAX: usize = 128;
    pub const HERO_TITLE: usize = 120;
    pub const HERO_SUBTITLE: usize = 240;
    /// Text of a notice on all pages.
    pub const NOTICE: usize = 200;
    /// Text of a link in the footer.
    pub const LINK_LABEL: usize = 100;
    /// Links of a column of the footer, links to social media, and entries of a list of the newsletter form.
    pub const LINKS: usize = 20;
    /// Lines of the company's address.
    pub const ADDRESS_LINES: usize = 6;
    /// The company's phone number.
    pub const PHONE: usize = 50;
    /// Small print in the footer.
    pub const DISCLAIMER: usize = 2_000;
    /// Shortest duration, and the step between durations, in minutes.
    pub const DURATION_STEP: u32 = 15;
    /// Longest duration in minutes.
    pub const DURATION_MAX: u32 = 180;
    /// Events in one response to the portal.
    pub const EVENTS_PER_RESPONSE: usize = 200;
    /// Period in which the portal looks for overlapping events, in minutes.
    pub const OVERLAP_MINUTES: u32 = 2_880;
    /// File of an import, in bytes.
    pub const IMPORT_BYTES: usize = 5 * 1024 * 1024;
}

/// Colors of the design tokens against which the company's accent colors are checked (design guide §2). A test compares
/// them with `tokens.css`.
pub mod tokens {
    /// `--accent` of both themes.
    pub const ACCENT: &str = "#fad83e";
    /// `--on-accent` of the light theme.
    pub const LIGHT_ON_ACCENT: &str = "#062229";
    /// `--on-accent` of the dark theme.
    pub const DARK_ON_ACCENT: &str = "#011b21";
    /// `--on-primary` of the light theme: text on an accent that is too dark for the above.
    pub const WHITE: &str = "#fbfefe";
    /// The backgrounds of the light theme on which the accent alone shows a button or the focus, by token.
    pub const LIGHT_BACKGROUNDS: &[(&str, &str)] = &[("deep", "#032027")];
    /// The same of the dark theme, where the accent is also the color of main actions and of the focus.
    pub const DARK_BACKGROUNDS: &[(&str, &str)] = &[
        ("page", "#061318"),
        ("surface", "#0c1e23"),
        ("surface-2", "#13282e"),
        ("sky", "#031a22"),
        ("deep", "#020b0f"),
    ];
}
