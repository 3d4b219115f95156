//! A config as TOML, or what keeps it from being read as that, and where.

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use mam_share::excerpt;
use toml_edit::Document;

use crate::tree::Tree;

/// A config: its text, and what the text says. That is worked out when it is first asked for, and then
/// not again: it takes most of the time of a rendering.
pub struct Config {
    text: String,
    document: OnceCell<Box<Result<Document<String>, SyntaxError>>>,
}

impl Config {
    /// A config with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), document: OnceCell::new() }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it says, with the bytes of everything.
    ///
    /// # Errors
    /// The first place that is no TOML.
    pub fn document(&self) -> Result<&Document<String>, &SyntaxError> {
        self.document.get_or_init(|| Box::new(parse(self.text.clone()))).as_ref().as_ref()
    }

    /// Its values; `None` when it is no TOML.
    pub fn values(&self) -> Option<Tree> {
        self.document().ok().map(|document| Tree::of_table(document.as_table(), false))
    }
}

impl Clone for Config {
    fn clone(&self) -> Self {
        Self::new(self.text.clone())
    }
}

impl PartialEq for Config {
    /// What a text says follows from the text.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Config {}

impl fmt::Debug for Config {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Config").field(&self.text).finish()
    }
}

/// Why a text is no TOML document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes at fault.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub reason: String,
}

impl SyntaxError {
    /// `path:line:column: reason`, the line and a caret. Bytes that are not UTF-8 are shown as `�`.
    pub fn draw(&self, path: &Path, bytes: &[u8]) -> String {
        // Up to the first byte at fault the text is UTF-8, so the offsets are those of the input.
        excerpt::point_at(path, &String::from_utf8_lossy(bytes), self.span.clone(), &self.reason)
    }
}

/// The text of a config file.
///
/// # Errors
/// The first byte that is not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, SyntaxError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        SyntaxError { span: at..at + 1, reason: "not UTF-8".to_owned() }
    })
}

/// Parses a config, with the bytes of everything.
///
/// # Errors
/// The first place that is no TOML.
pub fn parse<S: AsRef<str>>(text: S) -> Result<Document<S>, SyntaxError> {
    Document::parse(text).map_err(|error| SyntaxError {
        span: error.span().unwrap_or(0..0),
        reason: error.message().lines().collect::<Vec<_>>().join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_broken_file_is_named_with_its_place() {
        let rows: &[(&[u8], &str)] = &[
            (b"[session]\n[session]\n", "/c.toml:2:2: duplicate key"),
            (b"a = 1\na = 2\n", "/c.toml:2:1: duplicate key"),
            (b"session.a = 1\n[session]\n", "/c.toml:2:2: duplicate key"),
            (b"a = 1\n\xef\xbb\xbfb = 2\n", "/c.toml:2:1: "),
            (b"a = 1\rb = 2\n", "/c.toml:1:7: "),
            (b"a = \"\xff\"\n", "/c.toml:1:6: not UTF-8"),
            (b"a = \"\0\"\n", "/c.toml:1:6: "),
            (b"[ui\nx = 1\n", "/c.toml:1:4: "),
            (b"x = \n", "/c.toml:1:5: "),
        ];
        for (bytes, expected) in rows {
            let error = text(bytes).and_then(|text| parse(text).map(drop)).unwrap_err();
            let drawn = error.draw(Path::new("/c.toml"), bytes);
            assert!(drawn.starts_with(expected), "{drawn}");
            assert!(drawn.ends_with('^') && !drawn.contains('\0'), "{drawn}");
        }
    }
}
