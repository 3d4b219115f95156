//! `mam-render-config explain`: what in the overlay is not the user's.

use std::fmt::Write as _;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::harmless;
use serde_json::json;

use super::diff::preview;
use super::{Context, answer, answer_json};
use crate::arguments::Selection;
use crate::explain::{self, Difference};

/// Runs the command.
///
/// # Errors
/// As [`preview`].
pub fn run(context: &Context<'_>, selection: &Selection, json: bool) -> Result<Exit, Failure> {
    let (renderer, _, composition) = preview(context, selection)?;
    let differences = explain::differences(&renderer.site, &composition);
    if json {
        let (config, overlay) = (&renderer.site.config, &renderer.site.overlay);
        answer_json(&json!({"version": 1, "config": config, "overlay": overlay, "settings": differences}))?;
    } else {
        answer(&table(&differences))?;
    }
    Ok(Exit::Done)
}

/// One setting a line, its origin in a column, and below it what it replaces and why.
fn table(differences: &[Difference]) -> String {
    const MOST: usize = 60;
    let short = |text: &str| {
        let line = harmless(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        if line.chars().count() <= MOST { line } else { line.chars().take(MOST - 1).chain(['…']).collect() }
    };
    let name = |difference: &Difference| match &difference.value {
        Some(value) => format!("{} = {}", harmless(&difference.setting), short(value)),
        None => harmless(&difference.setting),
    };
    let width = differences.iter().map(|difference| name(difference).chars().count()).max().unwrap_or(0);
    let mut shown = String::new();
    for difference in differences {
        let left = name(difference);
        let gap = " ".repeat(width - left.chars().count());
        let _ = writeln!(shown, "{left}{gap}  {}", difference.from.word());
        if let Some(replaced) = &difference.replaces {
            let verb = if difference.value.is_some() { "replaces" } else { "leaves out" };
            let file = harmless(&replaced.file.to_string_lossy());
            let _ = writeln!(shown, "    {verb} `{}` at {file}:{}", short(&replaced.text), replaced.line);
        }
        if let Some(reason) = &difference.reason {
            let _ = writeln!(shown, "    herdr: {}", harmless(reason));
        }
    }
    shown
}
