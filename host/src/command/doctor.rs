//! `mam doctor`: every check with its verdict and what to do.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use mam_share::exit::Exit;
use mam_share::message::Colour;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::context::Context;
use crate::doctor::findings::{Finding, Verdict};
use crate::doctor::{findings, gather};
use crate::setup::gather::home;
use crate::words::Trouble;

/// Runs the command: 0 when all is well, 1 when something has to be done.
///
/// # Errors
/// stdout cannot be written.
pub fn run(context: &Context, is_json: bool) -> Result<Exit, Trouble> {
    let found = findings::judge(&gather::facts(context), home(&context.environment).as_deref());
    let is_well = found.iter().all(|finding| finding.verdict != Verdict::Bad);
    if is_json {
        answer_json(&as_json(is_well, &found))?;
    } else {
        answer(&as_text(&found, Colour::of_stdout(&context.environment)))?;
    }
    Ok(if is_well { Exit::Done } else { Exit::No })
}

fn as_json(is_well: bool, found: &[Finding]) -> Value {
    let findings = found.iter().map(|finding| {
        json!({
            "check": finding.check,
            "verdict": finding.verdict.word(),
            "text": finding.text,
            "remedy": finding.remedy,
        })
    });
    json!({"version": 1, "well": is_well, "findings": findings.collect::<Vec<_>>()})
}

fn as_text(found: &[Finding], colour: Colour) -> String {
    let width = found.iter().map(|finding| finding.check.len()).max().unwrap_or_default();
    let mut shown = String::new();
    let mut before = "";
    for finding in found {
        let style = match finding.verdict {
            Verdict::Well => AnsiColor::Green.on_default(),
            Verdict::Note => Style::new(),
            Verdict::Bad => AnsiColor::Red.on_default().bold(),
        };
        let verdict = colour.paint(style, &format!("{:4}", finding.verdict.word()));
        let check = if finding.check == before { "" } else { finding.check };
        before = finding.check;
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "{verdict}  {check:width$}  {}", finding.text);
        if let Some(remedy) = &finding.remedy {
            let arrow = colour.paint(AnsiColor::Cyan.on_default(), "→");
            let _ = writeln!(shown, "      {:width$}  {arrow} {remedy}", "");
        }
    }
    let bad = found.iter().filter(|finding| finding.verdict == Verdict::Bad).count();
    let end = match bad {
        0 => "all is well".to_owned(),
        1 => "1 thing has to be done".to_owned(),
        _ => format!("{bad} things have to be done"),
    };
    let _ = writeln!(shown, "{end}");
    shown
}
