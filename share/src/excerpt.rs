//! Pointing at a place in a text file: `path:line:column: reason`, the line, a caret.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use crate::message::harmless;

/// A place in a text, as editors count: both numbers from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The position of byte `offset` of `text`. An offset past the end is the end; one inside a
    /// character is that character. A byte order mark takes no column.
    pub fn of(text: &str, offset: usize) -> Self {
        let before = (0..=offset.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let in_line = before.get(line_start..).unwrap_or_default();
        let column = in_line.chars().filter(|&character| character != '\u{feff}').count() + 1;
        Self { line: before.matches('\n').count() + 1, column }
    }

    /// The byte offset of this position in `text`; the end of the line when the column is past it.
    /// `None` when the text has no such line.
    pub fn offset(self, text: &str) -> Option<usize> {
        let mut start = 0;
        for _ in 1..self.line {
            start += text.get(start..)?.find('\n')? + 1;
        }
        let line = text.get(start..)?.split('\n').next()?;
        let skipped = usize::from(line.starts_with('\u{feff}'));
        let column = self.column.saturating_sub(1) + skipped;
        Some(start + line.char_indices().nth(column).map_or(line.len(), |(index, _)| index))
    }
}

/// `path:line:column: reason`, the line of `text` that `span` starts in, and carets below the span.
/// Long lines are cut around the place. What could steer a terminal is shown as escapes.
pub fn point_at(path: &Path, text: &str, span: Range<usize>, reason: &str) -> String {
    const WIDTH: usize = 100;
    let position = Position::of(text, span.start);
    let line = text.split('\n').nth(position.line - 1).unwrap_or_default();
    let line = line.trim_end_matches('\r').trim_start_matches('\u{feff}');
    let at = position.column - 1;
    let first = at.saturating_sub(WIDTH / 2);
    let cut = |from: usize, to: usize| {
        let part: String = line.chars().skip(from).take(to.saturating_sub(from)).collect();
        harmless(&part.replace('\t', " "))
    };
    let before = cut(first, at);
    let shown = format!("{before}{}", cut(at, first + WIDTH));
    let line_rest = line.chars().count().saturating_sub(at);
    let wanted = text.get(span).map_or(1, |marked| marked.lines().next().unwrap_or_default().chars().count());
    let carets = wanted.min(line_rest).clamp(1, WIDTH / 2);

    let number = position.line.to_string();
    let gutter = " ".repeat(number.len());
    let mut drawn = format!("{}:{number}:{}: {reason}\n", harmless(&path.to_string_lossy()), position.column);
    // Writing to a String cannot fail.
    let _ = writeln!(drawn, "{gutter} |\n{number} | {shown}");
    let _ = write!(drawn, "{gutter} | {}{}", " ".repeat(before.chars().count()), "^".repeat(carets));
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_positions_are_each_others_inverse() {
        let text = "\u{feff}ab\r\nä日x\n\nend";
        let rows =
            [(3, 1, 1), (5, 1, 3), (7, 2, 1), (9, 2, 2), (12, 2, 3), (14, 3, 1), (15, 4, 1), (18, 4, 4)];
        for (offset, line, column) in rows {
            assert_eq!(Position::of(text, offset), Position { line, column }, "offset {offset}");
            assert_eq!(Position { line, column }.offset(text), Some(offset), "{line}:{column}");
        }
        assert_eq!(Position { line: 9, column: 1 }.offset(text), None);
        assert_eq!(Position::of(text, 999), Position { line: 4, column: 4 });
    }

    #[test]
    fn a_place_is_drawn_with_its_line_and_a_caret() {
        let drawn = point_at(Path::new("/c d/x.toml"), "a = 1\nb = \"wide\"  # no\n", 10..16, "wrong type");
        assert_eq!(drawn, "/c d/x.toml:2:5: wrong type\n  |\n2 | b = \"wide\"  # no\n  |     ^^^^^^");
    }

    #[test]
    fn a_long_line_is_cut_and_escapes_are_shown() {
        let text = format!("{}\u{1b}[2J = 1", "x".repeat(500));
        let drawn = point_at(Path::new("f"), &text, 500..501, "bad");
        assert!(drawn.lines().all(|line| line.len() < 130), "{drawn}");
        assert!(!drawn.contains('\u{1b}') && drawn.contains("\\u{1b}[2J"), "{drawn}");
    }
}
