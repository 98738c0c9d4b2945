//! Durations as people and programs write them.

use crate::platform::duration::{self, DurationSyntax, Unit};

/// Parses a duration to minutes: `60`, `60 minutes`, `1.5 hours`, `1h 30m`, `1:30`, `PT1H30M`.
pub(in crate::features::import_export) fn minutes(text: &str) -> Option<u32> {
    /// Longer texts are no durations.
    const MAX_LENGTH: usize = 40;
    /// No event is longer.
    const MAX_MINUTES: u32 = 1_000_000;
    let minutes =
        duration::minutes(Some(text).filter(|text| text.len() <= MAX_LENGTH)?, Unit::Minute, DurationSyntax::Lenient)?;
    u32::try_from(minutes).ok().filter(|minutes| *minutes < MAX_MINUTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_many_notations() {
        for text in [
            "90",
            "90 minutes",
            "90min",
            "1.5 hours",
            "1,5 h",
            "1h 30m",
            "1 hour and 30 minutes",
            "1:30",
            "01:30:00",
            "PT1H30M",
        ] {
            assert_eq!(minutes(text), Some(90), "{text}");
        }
        assert_eq!(minutes("P1D"), Some(1440));
        for text in ["", "long", "1:75", "h", "1 fortnight", "-15", "1.2.3"] {
            assert_eq!(minutes(text), None, "{text}");
        }
    }
}
