//! The name of an agent session: a file name, a word on a command line, nothing that needs quoting.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of a session record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RecordName(String);

/// Why a text is no name; says what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// It has no letters at all.
    Empty,
    /// It has this many bytes.
    TooLong(usize),
    /// It begins with `.` or `-`.
    Begin(char),
    /// It holds this character.
    Character(char),
}

impl RecordName {
    /// The longest name, in bytes.
    pub const MAX_BYTES: usize = 64;

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("it is empty")?,
            Self::TooLong(bytes) => write!(formatter, "it has {bytes} bytes")?,
            Self::Begin(letter) => write!(formatter, "it begins with `{letter}`")?,
            Self::Character(letter) => write!(formatter, "it holds {letter:?}")?,
        }
        let longest = RecordName::MAX_BYTES;
        write!(
            formatter,
            "; a session name has 1 to {longest} ASCII letters, digits, `.`, `_` or `-`, and begins with a \
             letter, a digit or `_`"
        )
    }
}

impl std::error::Error for NameError {}

impl FromStr for RecordName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
        if let Some(odd) = text.chars().find(|letter| !is_allowed(*letter)) {
            return Err(NameError::Character(odd));
        }
        match text.chars().next() {
            None => Err(NameError::Empty),
            Some(first @ ('.' | '-')) => Err(NameError::Begin(first)),
            Some(_) if text.len() > Self::MAX_BYTES => Err(NameError::TooLong(text.len())),
            Some(_) => Ok(Self(text.to_owned())),
        }
    }
}

impl TryFrom<String> for RecordName {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<RecordName> for String {
    fn from(name: RecordName) -> Self {
        name.0
    }
}

impl fmt::Display for RecordName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_an_error_says_what_is_wrong_and_what_is_allowed() {
        for name in ["a", "_", "7", "fix.login-2_b", &"x".repeat(64)] {
            assert_eq!(name.parse::<RecordName>().map(String::from).as_deref(), Ok(name));
        }
        let rows = [
            ("", "it is empty"),
            (".a", "it begins with `.`"),
            ("..", "it begins with `.`"),
            ("-a", "it begins with `-`"),
            ("a/b", "it holds '/'"),
            ("a b", "it holds ' '"),
            ("a\n", "it holds '\\n'"),
            ("ä", "it holds 'ä'"),
            (&"x".repeat(65), "it has 65 bytes"),
        ];
        for (text, why) in rows {
            let error = text.parse::<RecordName>().unwrap_err().to_string();
            assert!(error.starts_with(why) && error.contains("1 to 64 ASCII letters"), "{text}: {error}");
        }
    }
}
