//! The clock, and how a moment is written.

use std::time::{Duration, SystemTime};

/// Now, in time since 1970.
#[expect(clippy::disallowed_methods, reason = "the one place of this crate that reads the clock")]
pub fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// A moment as `2026-12-01T01:43:29Z`.
pub fn utc(since_1970: Duration) -> String {
    let seconds = since_1970.as_secs();
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since the first of March of the year 0; years that begin in March put the leap day last.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// A length of time for people, in its two largest units.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{}h {}m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{}d {}h", seconds / 86_400, seconds / 3600 % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_796_089_409, "2026-12-01T01:43:29Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(Duration::from_secs(seconds)), text);
        }
        for (seconds, text) in [(59, "59s"), (61, "1m 1s"), (7260, "2h 1m"), (90_000, "1d 1h")] {
            assert_eq!(span(Duration::from_secs(seconds)), text);
        }
    }
}
