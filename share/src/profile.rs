//! Profiles: whose sessions, whose secrets.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::herdr::session_name::SessionName;

/// The name of a profile. `default` is the root home itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ProfileName(String);

impl ProfileName {
    /// The profile of the root home.
    pub const DEFAULT: &'static str = "default";

    /// The longest name, in bytes: it becomes part of a herdr session name, which has 64.
    pub const MAX_BYTES: usize = 40;

    /// The root's.
    pub fn root() -> Self {
        Self(Self::DEFAULT.to_owned())
    }

    /// Whether this is the root's.
    pub fn is_root(&self) -> bool {
        self.0 == Self::DEFAULT
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The home of the profile below the root home.
    pub fn home(&self, root: &Path) -> PathBuf {
        if self.is_root() { root.to_owned() } else { root.join("profiles").join(&self.0) }
    }

    /// All profiles of a root home, the root's first.
    pub fn all(root: &Path) -> Vec<Self> {
        let entries = fs_err::read_dir(root.join("profiles"));
        let folders = entries.into_iter().flatten().flatten().filter(|entry| entry.path().is_dir());
        let names = folders.filter_map(|entry| entry.file_name().to_str()?.parse::<Self>().ok());
        let mut found: Vec<Self> = names.filter(|profile| !profile.is_root()).collect();
        found.sort();
        found.insert(0, Self::root());
        found
    }

    /// The profile whose home `home` is; `None` when it is none of `root`'s.
    pub fn of_home(home: &Path, root: &Path) -> Option<Self> {
        if home == root {
            return Some(Self::root());
        }
        let name = home.strip_prefix(root.join("profiles")).ok()?.to_str()?;
        name.parse().ok().filter(|profile: &Self| !profile.is_root())
    }

    /// The session of the profile's own server beside the host, whose session is `host`; `None` when that
    /// leaves no room for it.
    pub fn own_session(&self, host: &SessionName) -> Option<SessionName> {
        format!("{host}-{self}").parse().ok()
    }

    /// The profile whose own server has `session`, as far as the name says.
    pub fn of_own_session(session: &SessionName, host: &SessionName) -> Option<Self> {
        session.as_str().strip_prefix(host.as_str())?.strip_prefix('-')?.parse().ok()
    }
}

impl FromStr for ProfileName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let is_valid = !text.is_empty()
            && text.len() <= Self::MAX_BYTES
            && text.bytes().all(allowed)
            && !text.starts_with('-');
        if is_valid {
            Ok(Self(text.to_owned()))
        } else {
            Err("a profile name has 1 to 40 ASCII letters, digits, `_` or `-`, and does not begin with `-`")
        }
    }
}

impl TryFrom<String> for ProfileName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        text.parse()
    }
}

impl From<ProfileName> for String {
    fn from(name: ProfileName) -> Self {
        name.0
    }
}

impl fmt::Display for ProfileName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_of_its_own_names_its_profile() {
        let (host, profile) = ("mam".parse().unwrap(), "ops".parse::<ProfileName>().unwrap());
        let session = profile.own_session(&host).unwrap();
        assert_eq!(session.as_str(), "mam-ops");
        assert_eq!(ProfileName::of_own_session(&session, &host), Some(profile.clone()));
        for other in ["mam", "mam-", "mam.ops", "ops", "mam-a.b"] {
            assert_eq!(ProfileName::of_own_session(&other.parse().unwrap(), &host), None, "{other}");
        }
        assert_eq!(profile.own_session(&"x".repeat(62).parse().unwrap()), None);
    }

    #[test]
    fn names_are_short_words_and_homes_are_below_the_root() {
        let root = Path::new("/h/.config/mam");
        for (name, home) in [("default", "/h/.config/mam"), ("ops", "/h/.config/mam/profiles/ops")] {
            let profile: ProfileName = name.parse().unwrap();
            assert_eq!(profile.home(root), Path::new(home));
            assert_eq!(ProfileName::of_home(Path::new(home), root), Some(profile));
        }
        for text in ["", "-x", "a.b", "a/b", "..", "ä", &"x".repeat(41)] {
            assert!(text.parse::<ProfileName>().is_err(), "{text}");
        }
        for home in [
            "/h",
            "/h/.config/mam/profiles",
            "/h/.config/mam/profiles/a/b",
            "/h/.config/mam/profiles/default",
        ] {
            assert_eq!(ProfileName::of_home(Path::new(home), root), None, "{home}");
        }
    }
}
