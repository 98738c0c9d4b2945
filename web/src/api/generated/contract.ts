// Generated from src/platform/messages.rs by the test `generated_files_are_up_to_date`; do not edit.

export const heroTitleFallback = "Event Calendar"
export const heroSubtitleFallback =
  "Join us for insightful discussions on real estate investment opportunities and market trends"

export const eventOver = "This event is over"

export const eventClosed: Partial<Record<string, string>> = {
  cancelled: "This event is cancelled",
  postponed: "This event is postponed",
}

export const eventTypes = ["Investor Insights", "Pillars of Wealthbuilding", "Physician on FIRE", "In-Person Events", "IRA-Related Webinars", "Special"] as const
export const inPersonType = "In-Person Events"

export const timeZones = [
  { id: "America/New_York", abbreviation: "ET" },
  { id: "America/Chicago", abbreviation: "CT" },
  { id: "America/Denver", abbreviation: "MT" },
  { id: "America/Los_Angeles", abbreviation: "PT" },
  { id: "Pacific/Honolulu", abbreviation: "HT" },
  { id: "America/Anchorage", abbreviation: "AKT" },
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

export const defaultTimeZone = "America/New_York"
