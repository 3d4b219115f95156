//! The path of a setting: `session.resume_agents_on_restore`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toml_edit::Key;

/// One or more keys, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct KeyPath(Vec<String>);

impl KeyPath {
    /// A path of these keys; `None` when there are none.
    pub fn new(keys: Vec<String>) -> Option<Self> {
        if keys.is_empty() { None } else { Some(Self(keys)) }
    }

    /// Its keys, outermost first; never empty.
    pub fn keys(&self) -> &[String] {
        &self.0
    }

    /// Whether one of the two is the other or a table around it, so that both cannot be set.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(ours, theirs)| ours == theirs)
    }
}

/// `keys` as TOML writes them, quoted where they must be.
pub fn dotted(keys: &[String]) -> String {
    keys.iter().map(|key| Key::new(key).to_string()).collect::<Vec<_>>().join(".")
}

impl fmt::Display for KeyPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&dotted(&self.0))
    }
}

impl FromStr for KeyPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let keys = Key::parse(text).map_err(|_| format!("`{text}` is not a dotted TOML key"))?;
        Self::new(keys.iter().map(|key| key.get().to_owned()).collect()).ok_or_else(|| "no key".to_owned())
    }
}

impl From<KeyPath> for String {
    fn from(path: KeyPath) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for KeyPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_and_written_as_toml_does() {
        for text in ["onboarding", "a.b-c.d_1", "a.\"b c\".\"\"", "\"ä\""] {
            assert_eq!(text.parse::<KeyPath>().unwrap().to_string(), text);
        }
        assert_eq!(" a . 'b' ".parse::<KeyPath>().unwrap().to_string(), "a.b");
        for text in ["", ".", "a.", "a b", "a=1"] {
            assert!(text.parse::<KeyPath>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_table_and_what_is_in_it_overlap() {
        let path = |text: &str| text.parse::<KeyPath>().unwrap();
        assert!(path("a").overlaps(&path("a.b")) && path("a.b").overlaps(&path("a")));
        assert!(path("a.b").overlaps(&path("a.b")) && !path("a.b").overlaps(&path("a.c")));
    }
}
