//! A profile's `.env`: its own secrets, `KEY=value` by line.

use std::io::Cursor;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use mam_share::files::{self, Trust};
use mam_share::message::Warning;

/// Names and values, in the order of the file.
pub type Entries = Vec<(String, String)>;

/// Reads `<home>/.env`. No file is an empty file; one of another user is not believed.
pub fn load(home: &Path) -> (Entries, Vec<Warning>) {
    let path = home.join(".env");
    let unread = |why: String| {
        let text = format!("`{}` is not used: {why}", path.display());
        (Entries::new(), vec![Warning::new(text)])
    };
    let bytes = match files::read(&path, Trust::Ours) {
        Ok(None) => return (Entries::new(), Vec::new()),
        Ok(Some(bytes)) => bytes,
        Err(error) => return unread(error.to_string()),
    };
    let Ok(text) = std::str::from_utf8(&bytes) else { return unread("it is not UTF-8".to_owned()) };
    let (entries, mut warnings) = parse(&path, text);
    if fs_err::metadata(&path).is_ok_and(|metadata| metadata.mode() & 0o077 != 0) {
        let text = format!("`{}` can be read by other users", path.display());
        warnings.push(Warning::new(text).hint(format!("chmod 600 '{}'", path.display())));
    }
    (entries, warnings)
}

/// The entries of `text`. Lines that are none are left out by number; their text may be a secret and is
/// not shown.
pub fn parse(path: &Path, text: &str) -> (Entries, Vec<Warning>) {
    let mut entries = Entries::new();
    let mut warnings = Vec::new();
    for (index, entry) in dotenvy::Iter::new(Cursor::new(literal(text))).enumerate() {
        match entry {
            Ok((name, value)) if value.contains('\0') => {
                let text = format!("the value of `{name}` in `{}` holds a NUL", path.display());
                warnings.push(Warning::new(text));
            }
            Ok(entry) => entries.push(entry),
            Err(_) => {
                let text =
                    format!("entry {} of `{}` is not `KEY=value`; it is ignored", index + 1, path.display());
                warnings.push(Warning::new(text));
            }
        }
    }
    (entries, warnings)
}

/// `text` in which every `$` stands for itself. The parser would put in what the environment of the
/// caller has for a name, and that may be another profile's.
fn literal(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut quote = None;
    let (mut is_escaped, mut is_comment, mut before) = (false, false, '\n');
    for letter in text.chars() {
        match letter {
            '\n' if is_comment => is_comment = false,
            _ if is_comment => {}
            _ if is_escaped => is_escaped = false,
            '#' if quote.is_none() && before.is_whitespace() => is_comment = true,
            '\\' if quote != Some('\'') => is_escaped = true,
            '\'' | '"' if quote == Some(letter) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(letter),
            '$' if quote != Some('\'') => safe.push('\\'),
            _ => {}
        }
        safe.push(letter);
        before = letter;
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_stands_there_and_nothing_of_the_callers() {
        let rows = [
            ("A=b", "b"),
            ("export A=b", "b"),
            ("A='$HOME'", "$HOME"),
            ("A=\"x $HOME y\"", "x $HOME y"),
            ("A=$HOME", "$HOME"),
            ("A=${HOME}x", "${HOME}x"),
            ("A=\\$HOME", "$HOME"),
            ("# it's a comment\nA=$b # and it's another", "$b"),
            ("A='x\ny'", "x\ny"),
            ("A=\"it's $HOME\"", "it's $HOME"),
            ("A=", ""),
        ];
        for (text, value) in rows {
            let (entries, warnings) = parse(Path::new("/h/.env"), text);
            assert_eq!(entries, [("A".to_owned(), value.to_owned())], "{text}");
            assert_eq!(warnings, [], "{text}");
        }
    }

    #[test]
    fn what_is_no_entry_is_left_out_without_showing_it() {
        let (entries, warnings) = parse(Path::new("/h/.env"), "A=1\nsecret words\nB=2\n");
        assert_eq!(entries.len(), 2);
        assert!(warnings.len() == 1 && !warnings[0].message.contains("secret"), "{warnings:?}");
    }
}
