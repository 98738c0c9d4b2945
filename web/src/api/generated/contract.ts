// Generated from src/platform/messages.rs by the test `generated_files_are_up_to_date`; do not edit.

export const messages = {
  titleRequired: "Title is required",
  titleTooLong: "Title must be 200 characters or less",
  dateRequired: "Date is required",
  dateInvalid: "Date must be year-month-day",
  timeRequired: "Time is required",
  timeInvalid: "Time must be hour:minute",
  durationFormat: "Duration must be in format 'X minutes'",
  durationRange: "Duration must be between 15 and 180 minutes in increments of 15",
  summaryRequired: "Summary is required",
  summaryTooLong: "Summary must be 500 characters or less",
  descriptionRequired: "Description is required",
  descriptionTooLong: "Description must be 20,000 characters or less",
  registrationUrlRequired: "Registration URL is required",
  urlInvalid: "Must be a valid URL",
  imageNotHttps: "Image URL must begin with https://, because browsers block http images on this site",
  urlTooLong: "URL must be 2,000 characters or less",
  typeRequired: "Event type is required",
  typeInvalid: "Invalid event type selected",
  timezoneInvalid: "Time zone must be an IANA name such as America/New_York",
  seriesTooLong: "Series must be 200 characters or less",
  brandliveIdTooLong: "Brandlive id must be 200 characters or less",
  brandliveIdTaken: "An event with this Brandlive id already exists",
  speakersRequired: "At least one speaker must be assigned",
  speakersNoneSelected: "At least one speaker must be selected",
  speakersTooMany: "An event can have 100 speakers at the most",
  speakerUnknown: "A selected speaker no longer exists",
  venueNameRequired: "Venue name is required",
  venueNameTooLong: "Venue name must be 200 characters or less",
  venueAddressRequired: "Venue address is required",
  venueAddressTooLong: "Venue address must be 200 characters or less",
  cityRequired: "City is required",
  cityTooLong: "City must be 200 characters or less",
  stateRequired: "State is required",
  stateTooLong: "State must be 200 characters or less",
  placeIdTooLong: "Place id must be 500 characters or less",
  nameRequired: "Name is required",
  nameTooLong: "Name must be 200 characters or less",
  speakerTitleTooLong: "Title must be 200 characters or less",
  bioTooLong: "Bio must be 5,000 characters or less",
  speakerTypeRequired: "Speaker type is required",
  speakerTypeInvalid: "Must be either 'EM Team' or 'Guest'",
  emailRequired: "Email is required",
  emailInvalid: "Please enter a valid email address",
  emailInvalidStored: "Invalid email address",
  emailTooLong: "Email must be 254 characters or less",
  emailTaken: "A user with this email already exists",
  passwordRequired: "Password is required",
  passwordRequiredNew: "Password is required for new users",
  passwordTooShort: "Password must be at least 8 characters",
  passwordTooLong: "Password must be 128 characters or less",
  roleRequired: "User role is required",
  roleInvalid: "Invalid role selected",
  loginRequired: "You must be logged in to perform this action",
  pageRequired: "Page identifier is required",
  heroTitleRequired: "Hero title is required",
  heroTitleTooLong: "Hero title must be 120 characters or less",
  heroSubtitleRequired: "Hero subtitle is required",
  heroSubtitleTooLong: "Hero subtitle must be 240 characters or less",
  heroBothRequired: "Both title and subtitle are required",
  actionInvalid: "Action must be 'add' or 'remove'",
  visitorRequired: "A visitor id is required",
  visitorTooLong: "The visitor id must be 128 characters or less",
  notInPerson: "Interest can be shown in in-person events only",
  notAuthenticated: "Not authenticated",
  invalidCredentials: "Invalid email or password",
} as const

export const heroTitleFallback = "Event Calendar"
export const heroSubtitleFallback =
  "Join us for insightful discussions on real estate investment opportunities and market trends"

export const eventOver = "This event is over"

export const limits = {
  title: 200,
  summary: 500,
  description: 20000,
  name: 200,
  bio: 5000,
  url: 2000,
  email: 254,
  userId: 128,
  placeId: 500,
  speakers: 100,
  passwordMin: 8,
  passwordMax: 128,
  heroTitle: 120,
  heroSubtitle: 240,
  durationStep: 15,
  durationMax: 180,
} as const

export const eventTypes = ["Investor Insights", "Pillars of Wealthbuilding", "Physician on FIRE", "In-Person Events", "IRA-Related Webinars", "Special"] as const
export const inPersonType = "In-Person Events"
export const speakerTypes = ["EM Team", "Guest"] as const
export const roles = ["admin"] as const

export const timeZones = [
  { id: "America/New_York", label: "Eastern", abbreviation: "ET" },
  { id: "America/Chicago", label: "Central", abbreviation: "CT" },
  { id: "America/Denver", label: "Mountain", abbreviation: "MT" },
  { id: "America/Los_Angeles", label: "Pacific", abbreviation: "PT" },
  { id: "Pacific/Honolulu", label: "Hawaii", abbreviation: "HT" },
  { id: "America/Anchorage", label: "Alaska", abbreviation: "AKT" },
] as const

export const otherAbbreviations = [
  { id: "UTC", offset: 0, abbreviation: "UTC" },
  { id: "Etc/UTC", offset: 0, abbreviation: "UTC" },
  { id: "America/Phoenix", offset: -420, abbreviation: "MST" },
  { id: "America/Puerto_Rico", offset: -240, abbreviation: "AST" },
  { id: "America/Toronto", offset: -300, abbreviation: "EST" },
  { id: "America/Toronto", offset: -240, abbreviation: "EDT" },
  { id: "Europe/London", offset: 0, abbreviation: "GMT" },
  { id: "Europe/London", offset: 60, abbreviation: "BST" },
] as const

export const nameTitles: readonly string[] = ["dr", "mr", "mrs", "ms", "mx", "prof", "professor", "rev", "hon", "sir", "dame", "fr", "sr"]

export const defaults = {
  timezone: "America/New_York",
  duration: "60 minutes",
  eventType: "Investor Insights",
  speakerType: "Guest",
} as const
