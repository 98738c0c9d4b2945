//! Parses durations as people and programs write them.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
}

/// How strictly a duration is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationSyntax {
    /// As programs write it: a number without a unit stands alone, and a comma separates thousands or is an error.
    Strict,
    /// As people write it: also `1,5 h`, `1 hour and 30 minutes`, `1h 30` and `90 min.`
    Lenient,
}

impl Unit {
    /// The unit of this name; a blank one is the default.
    fn named(name: &str, default: Self) -> Option<Self> {
        Some(match name {
            "" => default,
            "s" | "sec" | "secs" | "second" | "seconds" => Self::Second,
            "m" | "min" | "mins" | "minute" | "minutes" => Self::Minute,
            "h" | "hr" | "hrs" | "hour" | "hours" => Self::Hour,
            "d" | "day" | "days" => Self::Day,
            "w" | "week" | "weeks" => Self::Week,
            _ => return None,
        })
    }

    /// A number of this unit in whole minutes; begun minutes of seconds do not count.
    fn minutes(self, number: f64) -> f64 {
        match self {
            Self::Second => (number / 60.0).floor(),
            Self::Minute => number.round(),
            Self::Hour => (number * 60.0).round(),
            Self::Day => (number * 24.0 * 60.0).round(),
            Self::Week => (number * 7.0 * 24.0 * 60.0).round(),
        }
    }
}

/// A number of a unit in whole minutes.
pub fn minutes_of(number: f64, unit: Unit) -> i64 {
    whole(unit.minutes(number))
}

/// A duration in whole minutes, which can be negative: `90`, `90 minutes`, `1h 30m`, `1:30:00`, `PT1H30M`. A number without
/// a unit has the default one.
pub fn minutes(text: &str, default: Unit, syntax: DurationSyntax) -> Option<i64> {
    let text = text.trim().to_lowercase().replace('\u{2212}', "-");
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text.trim_start_matches('+')), |text| (-1.0, text));
    let minutes = if let Some(parts) = text.strip_prefix('p') {
        iso_duration(parts)
    } else if text.contains(':') {
        clock_duration(text)
    } else {
        match syntax {
            DurationSyntax::Strict => parts(text, false, false, &|name| Unit::named(name, default)),
            DurationSyntax::Lenient => {
                let text = text.replace("and", " ");
                parts(&text, true, true, &|name| Unit::named(name, default))
            }
        }
    };
    Some(whole(sign * minutes?))
}

/// Without a limit, a number can be too large for an integer; any of these is longer than a thousand years.
#[expect(clippy::cast_possible_truncation, reason = "the range is limited")]
fn whole(minutes: f64) -> i64 {
    minutes.clamp(-1e9, 1e9) as i64
}

/// `1h30m` and the like: numbers with a unit each. A blank unit is one of a number without others, or if `may_end_without`
/// of the last number.
fn parts(text: &str, has_comma: bool, may_end_without: bool, unit: &dyn Fn(&str) -> Option<Unit>) -> Option<f64> {
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.' || (has_comma && c == ',');
    let (mut minutes, mut rest) = (0.0, text.trim());
    loop {
        let (number, after) = rest.split_at(rest.find(|c| !is_of_number(c)).unwrap_or(rest.len()));
        let after = after.trim_start();
        let (name, after) = after.split_at(after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len()));
        let is_alone = number.len() == text.trim().len();
        if name.is_empty() && !is_alone && !(may_end_without && after.is_empty()) {
            return None;
        }
        minutes += unit(name)?.minutes(number.replace(',', ".").parse().ok()?);
        rest = if may_end_without { after.strip_prefix('.').unwrap_or(after) } else { after }.trim_start();
        if rest.is_empty() {
            return Some(minutes);
        }
    }
}

/// A duration of ISO 8601 without its `P`. Months and years have no fixed length.
fn iso_duration(text: &str) -> Option<f64> {
    let (days, time) = text.split_once('t').map_or((text, None), |(days, time)| (days, Some(time)));
    let days = match days {
        "" => time.map(|_| 0.0),
        days => parts(days, true, false, &|name| match name {
            "d" => Some(Unit::Day),
            "w" => Some(Unit::Week),
            _ => None,
        }),
    };
    let time = time.map_or(Some(0.0), |time| {
        parts(time, true, false, &|name| match name {
            "h" => Some(Unit::Hour),
            "m" => Some(Unit::Minute),
            "s" => Some(Unit::Second),
            _ => None,
        })
    });
    Some(days? + time?)
}

/// Hours, minutes and perhaps seconds.
fn clock_duration(text: &str) -> Option<f64> {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<u32> =
        text.split(':').map(|part| part.parse().ok().filter(|_| is_digits(part))).collect::<Option<_>>()?;
    match parts.as_slice() {
        [hours, minutes] | [hours, minutes, 0..60] if *minutes < 60 => {
            Some(f64::from(*hours) * 60.0 + f64::from(*minutes))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lenient_syntax_allows_a_decimal_comma_and_a_missing_last_unit() {
        for text in ["1,5 h", "1 hour and 30 minutes", "1h 30", "90 min.", "1 hr. 30 min."] {
            assert_eq!(minutes(text, Unit::Minute, DurationSyntax::Lenient), Some(90), "{text}");
            assert_eq!(minutes(text, Unit::Minute, DurationSyntax::Strict), None, "{text}");
        }
        for text in ["90", "90m", "1h 30m", "1:30:59", "PT1,5H", "5459 s"] {
            assert_eq!(minutes(text, Unit::Minute, DurationSyntax::Lenient), Some(90), "{text}");
            assert_eq!(minutes(text, Unit::Minute, DurationSyntax::Strict), Some(90), "{text}");
        }
        assert_eq!(minutes("120:00", Unit::Minute, DurationSyntax::Lenient), Some(7_200));
        assert_eq!(minutes("-PT1H", Unit::Minute, DurationSyntax::Lenient), Some(-60));
        assert_eq!(minutes("120", Unit::Second, DurationSyntax::Strict), Some(2));
        for text in ["", "and", ".", "1:75", "1:30:60", "h", "30 1h", "1.2.3", "P1M"] {
            assert_eq!(minutes(text, Unit::Minute, DurationSyntax::Lenient), None, "{text}");
        }
    }
}
