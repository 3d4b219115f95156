//! The comment on the first line of an overlay: for people, and to know an overlay by.

use std::path::{Path, PathBuf};

use mam_share::message::harmless;

const BEFORE: &str = "Made by mam-render-config from ";
const BEHIND: &str = ": edit that file, not this one.";

/// How much of a file is searched, in bytes: herdr may have put settings of its own before the line.
const SEARCHED: usize = 4096;

/// The comment, without the `#`, for an overlay of `config`.
pub fn of(config: &Path) -> String {
    format!("{BEFORE}{}{BEHIND}", harmless(&config.to_string_lossy()))
}

/// The config that an overlay says it was made from; `None` when `text` is no overlay of ours.
pub fn source(text: &str) -> Option<PathBuf> {
    let head = (0..=SEARCHED.min(text.len())).rev().find_map(|end| text.get(..end))?;
    let line = head
        .lines()
        .find_map(|line| line.trim_start_matches('\u{feff}').strip_prefix("# ")?.strip_prefix(BEFORE))?;
    line.trim_end().strip_suffix(BEHIND).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_is_known_by_its_banner_also_behind_what_herdr_wrote() {
        let path = Path::new("/h/it's: a/config.toml");
        let line = format!("# {}", of(path));
        for text in [
            format!("{line}\n"),
            format!("\u{feff}{line}\r\nx = 1\r\n"),
            format!("onboarding = false\n{line}\n"),
        ] {
            assert_eq!(source(&text).as_deref(), Some(path), "{text}");
        }
        for text in [
            "",
            "x = 1\n",
            "# Made by hand\n",
            "x = \"Made by mam-render-config from /x: edit that file, not this one.\"\n",
        ] {
            assert_eq!(source(text), None, "{text}");
        }
    }
}
