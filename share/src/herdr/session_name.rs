//! The name of a herdr session.

use std::fmt;
use std::str::FromStr;

/// A valid name of a named session. herdr's default session has no name (`default` stands for it on
/// a command line), so it cannot be one of these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionName(String);

/// Why a text is no name of a named session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAName {
    /// `default`: herdr's own session, which mam never manages.
    Default,
    /// Empty, over 64 bytes, `.`, `..`, or other characters than ASCII letters, digits, `.`, `_`, `-`.
    Invalid,
}

impl SessionName {
    /// The longest name, in bytes.
    pub const MAX_BYTES: usize = 64;

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionName {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if text == "default" {
            Err(NotAName::Default)
        } else if text.is_empty()
            || text.len() > Self::MAX_BYTES
            || matches!(text, "." | "..")
            || !text.bytes().all(allowed)
        {
            Err(NotAName::Invalid)
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for NotAName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Default => "`default` is herdr's default session, which has no name",
            Self::Invalid => "a session name has 1 to 64 ASCII letters, digits, `.`, `_` or `-`",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_herdrs() {
        let longest = "x".repeat(64);
        for name in ["mam", "a.b_c-D9", "...", &longest] {
            assert_eq!(name.parse::<SessionName>().unwrap().as_str(), name);
        }
        for name in ["", ".", "..", "a b", "a/b", "ä", &"x".repeat(65)] {
            assert_eq!(name.parse::<SessionName>(), Err(NotAName::Invalid), "{name}");
        }
        assert_eq!("default".parse::<SessionName>(), Err(NotAName::Default));
    }
}
