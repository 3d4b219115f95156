//! Settings that are not the user's, and how they are written on a command line.

use toml_edit::Value;

use crate::key_path::KeyPath;
use crate::tree::Tree;

/// The key that mam exists for: always `false` in an overlay.
pub const RESTORE: &str = "session.resume_agents_on_restore";

/// The path of [`RESTORE`].
pub fn restore_path() -> KeyPath {
    RESTORE.parse().unwrap_or_else(|_| unreachable!("a valid key path"))
}

/// Who wants a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// mam itself: restore is off.
    Always,
    /// `--set` on the command line.
    Command,
    /// `[overlay]` in mam's own config.
    Config,
    /// herdr wrote it into the overlay.
    Kept,
    /// A path that would mean another file from where the overlay stands.
    Relocated,
}

/// A value for one key of the overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Where it stands.
    pub path: KeyPath,
    /// The value as TOML text.
    pub text: String,
    /// The value itself.
    pub value: Tree,
    /// Who wants it.
    pub source: Source,
}

impl Setting {
    /// A setting whose value is written in TOML.
    ///
    /// # Errors
    /// When `text` is no TOML value.
    pub fn new(path: KeyPath, text: &str, source: Source) -> Result<Self, String> {
        let value = read_value(text).ok_or_else(|| format!("`{text}` is not a TOML value"))?;
        Ok(Self { path, text: text.trim().to_owned(), value: Tree::of_value(&value), source })
    }

    /// The setting that keeps restore off.
    pub fn restore_off() -> Self {
        Self {
            path: restore_path(),
            text: "false".to_owned(),
            value: Tree::Boolean(false),
            source: Source::Always,
        }
    }
}

/// Reads `KEY=VALUE`. The value is TOML; a word that is no TOML value (`theme.name=nord`) is a string.
///
/// # Errors
/// What is wrong with the text, as a sentence without its end.
pub fn parse_assignment(text: &str) -> Result<(KeyPath, String), String> {
    let (key, value) =
        split_assignment(text).ok_or_else(|| format!("`{text}` has no `=`: write KEY=VALUE"))?;
    let path: KeyPath = key.parse()?;
    if path.overlaps(&restore_path()) {
        return Err(format!("`{path}` cannot be set: an overlay always says `{RESTORE} = false`"));
    }
    let value = value.trim();
    if read_value(value).is_some() {
        return Ok((path, value.to_owned()));
    }
    let is_word = !value.is_empty() && !value.contains(|c: char| c.is_control() || "\"'[]{}".contains(c));
    if is_word {
        Ok((path, Value::from(value).to_string()))
    } else {
        Err(format!("`{value}` is not a TOML value: for a string write {path}='\"…\"'"))
    }
}

/// A value that can stand anywhere in a config: a byte order mark before it cannot.
fn read_value(text: &str) -> Option<Value> {
    if text.starts_with('\u{feff}') { None } else { text.parse().ok() }
}

/// Splits at the first `=` that is not inside a quoted key.
fn split_assignment(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (index, character) in text.char_indices() {
        match (quote, character) {
            (None, '=') => return Some((text.get(..index)?, text.get(index + 1..)?)),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_toml_and_words_are_strings() {
        let rows = [
            ("ui.sidebar_width=30", "ui.sidebar_width", "30"),
            ("theme.name = nord", "theme.name", "\"nord\""),
            ("theme.name='a b'", "theme.name", "'a b'"),
            ("\"a=b\".c=true", "\"a=b\".c", "true"),
            ("x=[1, 2]", "x", "[1, 2]"),
            ("x={ a = 1 }", "x", "{ a = 1 }"),
            ("x=~/sounds/a.mp3", "x", "\"~/sounds/a.mp3\""),
            ("x=\u{feff}1", "x", "\"\u{feff}1\""),
            ("x=1 # one", "x", "\"1 # one\""),
        ];
        for (text, path, value) in rows {
            let (found, text) = parse_assignment(text).unwrap();
            assert_eq!((found.to_string().as_str(), text.as_str()), (path, value));
        }
        for text in ["x", "=1", "a b=1", "x=", "x=[1", "x=\"open", "x={a", "x=a\nb"] {
            assert!(parse_assignment(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nobody_can_turn_restore_on() {
        let rows = [
            "session.resume_agents_on_restore=true",
            "session={}",
            "session=3",
            "session.'resume_agents_on_restore'.x=1",
            "session.resume_agents_on_restore=false",
        ];
        for text in rows {
            assert!(parse_assignment(text).unwrap_err().contains("cannot be set"), "{text}");
        }
        assert!(parse_assignment("session.startup_per_agent_delay_ms=5").is_ok());
    }
}
