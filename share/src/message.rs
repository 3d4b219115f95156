//! How mam speaks to people: warnings, hints and colours on stderr, untrusted text made harmless.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::variable::{NO_COLOR, TERM};

/// Whether output carries colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// ANSI escape sequences.
    On,
    /// Plain text.
    Off,
}

impl Colour {
    /// Colours on a terminal, unless `NO_COLOR` is set to anything or `TERM` is `dumb` or unset.
    pub fn decide(environment: &Environment, is_terminal: bool) -> Self {
        let refused = environment.filled(NO_COLOR).is_some();
        let able = environment.filled(TERM).is_some_and(|term| term != "dumb");
        if is_terminal && able && !refused { Self::On } else { Self::Off }
    }

    /// Colours for this process's stdout.
    pub fn of_stdout(environment: &Environment) -> Self {
        Self::decide(environment, io::stdout().is_terminal())
    }

    /// `text` in `style`, or as it is.
    pub fn paint(self, style: Style, text: &str) -> String {
        match self {
            Self::On => format!("{style}{text}{style:#}"),
            Self::Off => text.to_owned(),
        }
    }
}

/// Something a person should know although the command went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What happened, where, and what was done instead. May have several lines.
    pub message: String,
    /// What to type.
    pub hint: Option<String>,
}

impl Warning {
    /// A warning without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// The same warning with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The voice of one binary on stderr.
#[derive(Clone, Copy, Debug)]
pub struct Messages {
    program: &'static str,
    colour: Colour,
}

impl Messages {
    /// Messages of `program`, coloured when stderr is a terminal.
    pub fn new(program: &'static str, environment: &Environment) -> Self {
        Self { program, colour: Colour::decide(environment, io::stderr().is_terminal()) }
    }

    /// Prints a warning and its hint.
    pub fn warn(&self, warning: &Warning) {
        let label = self.colour.paint(AnsiColor::Yellow.on_default().bold(), "warning:");
        self.print(&format!(" {label}"), &warning.message, warning.hint.as_slice());
    }

    /// Prints several warnings.
    pub fn warn_all<'a>(&self, warnings: impl IntoIterator<Item = &'a Warning>) {
        for warning in warnings {
            self.warn(warning);
        }
    }

    /// Prints what happened, without a label.
    pub fn say(&self, text: &str) {
        self.print("", text, &[]);
    }

    /// Prints why the command failed, and its hints.
    pub fn fail(&self, failure: &Failure) {
        let label = self.colour.paint(AnsiColor::Red.on_default().bold(), "error:");
        self.print(&format!(" {label}"), &failure.message, &failure.hints);
    }

    /// Names, paths and values of others are in every message: none of them may steer a terminal.
    fn print(&self, label: &str, text: &str, hints: &[String]) {
        let hint_label = self.colour.paint(AnsiColor::Cyan.on_default(), "hint:");
        let mut lines = format!("{}:{label} {}", self.program, harmless_lines(text));
        for hint in hints {
            // Writing to a String cannot fail.
            let _ = write!(lines, "\n{hint_label} {}", harmless_lines(hint));
        }
        lines.push('\n');
        // One write, so that the lines of programs that share a terminal do not interleave. A closed
        // stderr must not turn a command that worked into one that failed.
        drop(io::stderr().write_all(lines.as_bytes()));
    }
}

/// Writes the answer of a command to stdout. A reader that went away (`… | head`) is no failure.
///
/// # Errors
/// Any other error of the write, such as a full disk behind a redirection.
pub fn answer(text: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// `text` with everything that could steer a terminal shown as an escape: control characters, and
/// the invisible characters that reorder or hide text. For names, paths and titles of others.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let hidden = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        if character.is_control() || hidden {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// [`harmless`] line by line: line breaks and tabs stay.
pub fn harmless_lines(text: &str) -> String {
    text.split('\n')
        .map(|line| line.split('\t').map(harmless).collect::<Vec<_>>().join("\t"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_need_a_terminal_that_can_and_a_user_who_did_not_refuse() {
        let rows: &[(&[(&str, &str)], bool, Colour)] = &[
            (&[("TERM", "xterm")], true, Colour::On),
            (&[("TERM", "xterm")], false, Colour::Off),
            (&[("TERM", "xterm"), ("NO_COLOR", "1")], true, Colour::Off),
            (&[("TERM", "xterm"), ("NO_COLOR", "")], true, Colour::On),
            (&[("TERM", "dumb")], true, Colour::Off),
            (&[], true, Colour::Off),
        ];
        for (variables, terminal, expected) in rows {
            let environment = Environment::new(variables.iter().copied(), "/", "/tmp");
            assert_eq!(Colour::decide(&environment, *terminal), *expected, "{variables:?} {terminal}");
        }
    }

    #[test]
    fn steering_characters_are_shown_not_sent() {
        assert_eq!(harmless("a\u{1b}[2Jb\u{202e}c\td"), "a\\u{1b}[2Jb\\u{202e}c\\td");
        assert_eq!(harmless("größe 日本"), "größe 日本");
        assert_eq!(harmless_lines("a\tb\n\u{7}c"), "a\tb\n\\u{7}c");
    }
}
