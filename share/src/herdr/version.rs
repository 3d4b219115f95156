//! herdr's version and protocol, and how they fit what mam was tested on.

use std::fmt;
use std::ops::RangeInclusive;

/// A version of herdr, as `herdr --version` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

/// The oldest herdr that can run mam's plugin: it knows `[[startup]]`.
pub const OLDEST: Version = Version(0, 7, 5);

/// The versions that mam's tests have run on.
pub const TESTED: RangeInclusive<Version> = Version(0, 8, 0)..=Version(0, 8, 2);

/// The protocols of the API socket that mam's tests have run on.
pub const TESTED_PROTOCOLS: RangeInclusive<u64> = 20..=20;

/// How a version fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// mam's tests have run on it.
    Tested,
    /// They have not: it is older or newer. What is unknown is tolerated.
    Untested,
    /// It lacks what mam needs.
    TooOld,
}

impl Version {
    /// The first version in a text such as `herdr 0.8.0`; what comes after the third number is ignored.
    pub fn parse(text: &str) -> Option<Self> {
        text.split_whitespace().find_map(|word| {
            let mut numbers = word.trim_start_matches('v').splitn(3, '.');
            let major = numbers.next()?.parse().ok()?;
            let minor = numbers.next()?.parse().ok()?;
            let last = numbers.next()?;
            let digits = last.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(last.len());
            Some(Self(major, minor, last.get(..digits)?.parse().ok()?))
        })
    }

    /// How it fits.
    pub fn fit(self) -> Fit {
        if TESTED.contains(&self) {
            Fit::Tested
        } else if self < OLDEST {
            Fit::TooOld
        } else {
            Fit::Untested
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(major, minor, patch) = self;
        write!(formatter, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_ordered() {
        let rows = [
            ("herdr 0.8.0\n", Some((Version(0, 8, 0), Fit::Tested))),
            ("herdr v0.8.2-preview.1", Some((Version(0, 8, 2), Fit::Tested))),
            ("herdr 0.8.10", Some((Version(0, 8, 10), Fit::Untested))),
            ("herdr 0.7.5", Some((Version(0, 7, 5), Fit::Untested))),
            ("herdr 0.7.4", Some((Version(0, 7, 4), Fit::TooOld))),
            ("herdr 1.0.0", Some((Version(1, 0, 0), Fit::Untested))),
            ("herdr", None),
            ("herdr 0.8", None),
            ("herdr x.y.z", None),
        ];
        for (text, expected) in rows {
            let found = Version::parse(text).map(|version| (version, version.fit()));
            assert_eq!(found, expected, "{text}");
        }
    }
}
