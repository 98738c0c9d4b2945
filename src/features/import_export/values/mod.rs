//! Parses dates, times, durations, time zones, types and names as people and programs write them.

mod date;
mod duration;
mod names;
mod time;
mod zone;

pub(super) use date::{date_text, evident_order};
pub(super) use duration::minutes;
pub(super) use names::{description_format, event_type, name_key, person_key, status};
pub(super) use time::{ParsedTime, date_and_time, time, time_text};
pub(super) use zone::zone;
