//! `mam-render-config print` and `diff`: what the overlay would be.

use anstyle::{AnsiColor, Style};
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::{Colour, harmless_lines};
use similar::{ChangeTag, TextDiff};

use super::{Context, answer};
use crate::arguments::Selection;
use crate::compose::{Composition, UserConfig};
use crate::renderer::{Renderer, Snapshot};

/// Runs `print`.
///
/// # Errors
/// As [`Renderer::new`] and [`Renderer::preview`].
pub fn print(context: &Context<'_>, selection: &Selection) -> Result<Exit, Failure> {
    let (_, _, composition) = preview(context, selection)?;
    answer(&composition.rendering.text)?;
    Ok(Exit::Done)
}

/// Runs `diff`.
///
/// # Errors
/// As [`preview`].
pub fn diff(context: &Context<'_>, selection: &Selection) -> Result<Exit, Failure> {
    let (renderer, snapshot, composition) = preview(context, selection)?;
    let before = match &snapshot.user {
        UserConfig::Text(config) => config.text(),
        UserConfig::Missing => "",
        UserConfig::Unusable(_) => composition.rendering.user.as_deref().unwrap_or_default(),
    };
    let names = (renderer.site.config.to_string_lossy(), renderer.site.overlay.to_string_lossy());
    let colour = Colour::of_stdout(context.environment);
    answer(&unified(before, &composition.rendering.text, (&names.0, &names.1), colour))?;
    Ok(Exit::Done)
}

/// What a rendering would be, with a warning when it is not of the present config.
///
/// # Errors
/// As [`preview`].
pub fn preview<'a>(
    context: &Context<'a>,
    selection: &Selection,
) -> Result<(Renderer<'a>, Snapshot, Composition), Failure> {
    let renderer = Renderer::new(context.environment, context.places, selection)?;
    context.messages.warn_all(&renderer.warnings);
    let snapshot = renderer.read();
    if let UserConfig::Unusable(error) = &snapshot.user {
        let text = format!("{error}\nthe last good config is shown, or none");
        context.messages.warn(&mam_share::message::Warning::new(text));
    }
    let composition = renderer.preview(&snapshot)?;
    Ok((renderer, snapshot, composition))
}

/// A unified diff of two texts; empty when they are equal.
pub fn unified(before: &str, after: &str, names: (&str, &str), colour: Colour) -> String {
    const CONTEXT: usize = 3;
    let diff = TextDiff::from_lines(before, after);
    let mut shown = String::new();
    let mut line = |style: Style, text: &str| {
        // The line break stays outside of the colour; a carriage return would hide the line.
        let text = text.trim_end_matches(['\n', '\r']);
        match colour {
            // A terminal obeys what stands in a config; a file or a pipe gets it as it is.
            Colour::On => shown.push_str(&colour.paint(style, &harmless_lines(text))),
            Colour::Off => shown.push_str(text),
        }
        shown.push('\n');
    };
    let (bold, cyan) = (Style::new().bold(), AnsiColor::Cyan.on_default());
    let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
    let mut is_first = true;
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        if is_first {
            line(bold, &format!("--- {}", names.0));
            line(bold, &format!("+++ {}", names.1));
            is_first = false;
        }
        line(cyan, &hunk.header().to_string());
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', red),
                ChangeTag::Insert => ('+', green),
                ChangeTag::Equal => (' ', Style::new()),
            };
            line(style, &format!("{sign}{}", change.value()));
            if change.missing_newline() {
                line(Style::new(), "\\ No newline at end of file");
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_the_usual_form() {
        let shown = unified("a\nb\nc", "a\nx\nc", ("old", "new"), Colour::Off);
        assert_eq!(
            shown,
            "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n\\ No newline at end of file\n"
        );
        assert_eq!(unified("a\n", "a\n", ("old", "new"), Colour::Off), "");
        assert!(unified("a\n", "b\n", ("old", "new"), Colour::On).contains("\u{1b}[32m+b\u{1b}[0m\n"));
        let steering = unified("a\n", "\u{202e}\u{9b}2J\n", ("old", "new"), Colour::On);
        assert!(!steering.contains(['\u{202e}', '\u{9b}']), "{steering}");
    }
}
