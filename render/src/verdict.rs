//! What herdr says of a config, read from the text of `herdr config check`.
//!
//! Its exit code does not tell: it is 1 both for a key that herdr skips and for an error that makes
//! herdr drop the whole file for its defaults, with restore on. Only the text does.

use mam_share::excerpt::Position;
use mam_share::message::harmless;
use serde::{Deserialize, Serialize};

/// herdr's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// herdr reads the file. What it remarked on the way (unknown keys, themes) changes nothing.
    Accepted(Vec<String>),
    /// herdr drops the whole file.
    Rejected {
        /// The place, as herdr counts.
        position: Option<Place>,
        /// Why, on one line.
        reason: String,
    },
    /// Nobody knows: no herdr, one that has no `config check`, one that did not answer.
    Unknown(String),
}

/// A place in herdr's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl From<Place> for Position {
    fn from(place: Place) -> Self {
        Self { line: place.line, column: place.column }
    }
}

/// Reads what `herdr config check` printed.
pub fn read(stdout: &str, stderr: &str) -> Verdict {
    // Behind an "ok" nothing is known to come; should something, it counts.
    if matches!(stdout.lines().next().map(str::trim), Some("config: ok" | "config: issues found")) {
        return read_issues(stdout);
    }
    let first = [stderr, stdout].into_iter().flat_map(str::lines).find(|line| !line.trim().is_empty());
    let said =
        first.map_or("it said nothing".to_owned(), |line| format!("it said: {}", harmless(line.trim())));
    Verdict::Unknown(format!("this herdr has no `config check` that mam understands ({said})"))
}

fn read_issues(stdout: &str) -> Verdict {
    const DROPPED: &str = "; using defaults";
    // A diagnostic begins on a line of its own. What a user wrote into a key is in the middle of one,
    // with its line breaks escaped, and cannot pass for another.
    let lines: Vec<&str> = stdout.lines().skip(1).collect();
    let starts = |prefix: &str| lines.iter().position(|line| line.starts_with(prefix));
    for (prefix, known) in [("config parse error:", true), ("config read error:", false)] {
        let Some(first) = starts(prefix) else { continue };
        let rest = lines.get(first..).unwrap_or_default().join("\n");
        let rest = rest.strip_prefix(prefix).unwrap_or(&rest);
        let error = rest.split_once(DROPPED).map_or(rest, |(error, _)| error);
        return if known {
            Verdict::Rejected { position: position(error), reason: reason(error) }
        } else {
            Verdict::Unknown(format!("herdr could not read the file: {}", reason(error)))
        };
    }
    let remarks: Vec<String> =
        lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).map(harmless).collect();
    if let Some(dropped) = remarks.iter().find(|line| line.ends_with(DROPPED)) {
        // An error of a kind that is not known here, with the same effect.
        return Verdict::Rejected { position: position(dropped), reason: dropped.clone() };
    }
    Verdict::Accepted(remarks)
}

fn position(error: &str) -> Option<Place> {
    let (_, rest) = error.split_once("at line ")?;
    let (line, rest) = rest.split_once(", column ")?;
    let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    Some(Place { line: line.trim().parse().ok()?, column: digits.parse().ok()? })
}

/// The sentence behind the excerpt: the lines that are neither the heading nor drawn with a gutter.
fn reason(error: &str) -> String {
    let is_gutter = |line: &str| {
        let line = line.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
        line.trim_start().starts_with('|')
    };
    let lines = error.lines().map(str::trim);
    let told =
        lines.filter(|line| !line.is_empty() && !line.starts_with("TOML parse error at") && !is_gutter(line));
    let told = told.collect::<Vec<_>>().join(" ");
    if told.is_empty() { "it gives no reason".to_owned() } else { harmless(&told) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: &str = "config: issues found\nconfig parse error: TOML parse error at line 7, column 17\n  |\n\
        7 | sidebar_width = \"wide\"\n  |                 ^^^^^^\ninvalid type: string \"wide\", expected u16\n; using defaults\n";

    #[test]
    fn only_a_dropped_file_is_a_rejection() {
        let accepted =
            |remarks: &[&str]| Verdict::Accepted(remarks.iter().map(|&text| text.to_owned()).collect());
        let rejected = |line, column, reason: &str| Verdict::Rejected {
            position: Some(Place { line, column }),
            reason: reason.to_owned(),
        };
        let rows = [
            ("config: ok\n", accepted(&[])),
            (
                "config: issues found\nunknown config key ui.x; ignoring key\nmissing sound file: ui.sound.path = a resolves to /a; using default sound\n",
                accepted(&[
                    "unknown config key ui.x; ignoring key",
                    "missing sound file: ui.sound.path = a resolves to /a; using default sound",
                ]),
            ),
            (WIDE, rejected(7, 17, "invalid type: string \"wide\", expected u16")),
            (
                "config: issues found\nconfig parse error: TOML parse error at line 1, column 1\n  |\n1 | [[session]]\n  | ^^^^^^^^^^^\ninvalid type: sequence, expected struct S\nin `session`\n; using defaults\n",
                rejected(1, 1, "invalid type: sequence, expected struct S in `session`"),
            ),
            (
                "config: issues found\nconfig parse error: odd; using defaults\n",
                Verdict::Rejected { position: None, reason: "odd".to_owned() },
            ),
            (
                "config: issues found\nunknown config key \"config read error: x\"; ignoring key\nunknown config key \"x; using defaults\"; ignoring key\n",
                accepted(&[
                    "unknown config key \"config read error: x\"; ignoring key",
                    "unknown config key \"x; using defaults\"; ignoring key",
                ]),
            ),
            // What a user wrote does not end a line.
            (
                "config: issues found\nunknown config key ui.x; using defaults; ignoring key\n",
                accepted(&["unknown config key ui.x; using defaults; ignoring key"]),
            ),
            (
                "config: ok\nbut something at line 3, column 4; using defaults\n",
                rejected(3, 4, "but something at line 3, column 4; using defaults"),
            ),
            (
                "config: issues found\nsomething new at line 3, column 4; using defaults\n",
                rejected(3, 4, "something new at line 3, column 4; using defaults"),
            ),
        ];
        for (stdout, expected) in rows {
            assert_eq!(read(stdout, ""), expected, "{stdout}");
        }
    }

    #[test]
    fn what_is_not_understood_is_unknown() {
        let rows = [
            (
                "",
                "herdr: unknown command \u{1b}[31mconfig\n",
                "it said: herdr: unknown command \\u{1b}[31mconfig",
            ),
            ("", "", "it said nothing"),
            ("config: maybe\n", "", "it said: config: maybe"),
            (
                "config: issues found\nconfig read error: denied; using defaults\n",
                "",
                "could not read the file: denied",
            ),
        ];
        for (stdout, stderr, expected) in rows {
            let Verdict::Unknown(why) = read(stdout, stderr) else { panic!("{stdout}") };
            assert!(why.contains(expected), "{why}");
        }
    }
}
