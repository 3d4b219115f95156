//! `mam setup`: shows what it would do, asks, and does it; `--undo` the same backwards.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use anstyle::{AnsiColor, Style};
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files;
use mam_share::message::Colour;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::arguments::Setup;
use crate::context::Context;
use crate::setup::facts::Facts;
use crate::setup::plan::{Action, State, Step};
use crate::setup::receipt::Receipt;
use crate::setup::{apply, gather, plan, undo};
use crate::words::Trouble;

/// Runs the command.
///
/// # Errors
/// herdr is missing, nobody can be asked, or something could not be done.
pub fn run(context: &Context, options: &Setup, is_json: bool) -> Result<Exit, Trouble> {
    let home = gather::home(&context.environment);
    if let Some(owner) = home.as_deref().and_then(files::foreign_owner) {
        let text = format!("the home directory belongs to uid {owner}: this is somebody else's");
        return Err(Trouble::new("not-permitted", Exit::NotPermitted, text)
            .hint("run this as that user, without sudo"));
    }
    if options.undo { take_back(context, options, is_json) } else { set_up(context, options, is_json) }
}

fn set_up(context: &Context, options: &Setup, is_json: bool) -> Result<Exit, Trouble> {
    let home = gather::home(&context.environment);
    let facts = gather::facts(context, options.shell.map(|choice| choice.0))?;
    let mut steps = plan::plan(&facts, home.as_deref());
    let is_wanted = |step: &Step| step.state == State::Todo;
    let is_todo = steps.iter().any(is_wanted);
    let rows = || steps.iter().map(|step| (step.subject, step.state, step.text.as_slice()));
    if !is_json {
        show(context, rows())?;
    }
    if facts.herdr.is_none() {
        let text = "there is no herdr on PATH; nothing was changed";
        return Err(Trouble::new("no-herdr", Exit::NoHerdr, text)
            .hint("install herdr (https://herdr.dev), then: mam setup"));
    }
    if options.dry_run {
        if is_json {
            answer_json(&as_json("setup", false, rows()))?;
        }
        return Ok(Exit::Done);
    }
    let optional = steps.iter().position(|step| step.state == State::Left && step.action.is_some());
    let asks = !options.yes && (is_todo || optional.is_some());
    if asks {
        let can_ask = io::stdin().is_terminal() && !is_json;
        if is_todo {
            let again = "mam setup --yes";
            if !can_ask {
                return Err(nobody(again));
            }
            if !agreed("Do this? [y/N] ")? {
                context.say("nothing was changed");
                return Ok(Exit::No);
            }
        }
        if let Some(step) = optional.filter(|_| can_ask).and_then(|index| steps.get_mut(index))
            && let Some(Action::Install(kind)) = step.action
            && agreed(&format!("Install the {} unit too? [y/N] ", kind.name()))?
        {
            step.state = State::Todo;
        }
    }
    let mut receipt = facts.receipt.clone();
    let todo: Vec<Step> = steps.iter().filter(|step| step.state == State::Todo).cloned().collect();
    receipt.merge(apply::receipt(&facts, &todo));
    save(context, &receipt)?;
    for step in todo {
        if let Some(action) = &step.action {
            apply::act(context, action)?;
            context.step(&format!("{}: done", step.subject));
        }
    }
    if is_json {
        let rows = steps.iter().map(|step| (step.subject, step.state, step.text.as_slice()));
        answer_json(&as_json("setup", true, rows))?;
    } else {
        next(context, &facts)?;
    }
    // What can be done later, if the user wants it, is nothing that was left.
    let is_left = steps.iter().any(|step| step.state == State::Left && step.action.is_none());
    let is_asked = options.shell.is_some_and(|choice| choice.0.is_none());
    Ok(if is_left && !is_asked { Exit::No } else { Exit::Done })
}

fn take_back(context: &Context, options: &Setup, is_json: bool) -> Result<Exit, Trouble> {
    let home = gather::home(&context.environment);
    let receipt = Receipt::load(&context.places.state);
    let facts = gather::undo_facts(context, &receipt)?;
    let steps = undo::plan(&facts, home.as_deref());
    let rows = || steps.iter().map(|step| (step.subject, step.state, step.text.as_slice()));
    if !is_json {
        show(context, rows())?;
    }
    let is_todo = steps.iter().any(|step| step.state == State::Todo);
    if options.dry_run {
        if is_json {
            answer_json(&as_json("undo", false, rows()))?;
        }
        return Ok(Exit::Done);
    }
    if is_todo && !options.yes {
        if !io::stdin().is_terminal() || is_json {
            return Err(nobody("mam setup --undo --yes"));
        }
        if !agreed("Undo this? [y/N] ")? {
            context.say("nothing was changed");
            return Ok(Exit::No);
        }
    }
    let mut failed = None;
    let mut undone = Vec::new();
    for step in steps.iter().filter(|step| step.state != State::Left) {
        match step.action.as_ref().map_or(Ok(()), |action| apply::undo(context, action)) {
            Ok(()) => undone.push(step),
            Err(trouble) => failed = failed.or(Some(trouble)),
        }
    }
    let rest = undo::rest(&receipt, &steps, &|step| undone.contains(&step));
    // Innermost first; one that has something in it stays.
    for directory in receipt.directories.iter().rev() {
        drop(fs_err::remove_dir(directory));
    }
    if rest != receipt {
        save(context, &rest)?;
    }
    if let Some(trouble) = failed {
        return Err(trouble);
    }
    if is_json {
        answer_json(&as_json("undo", true, rows()))?;
    } else if steps.is_empty() {
        context.say("mam setup has changed nothing that is still there");
    } else if is_todo {
        let state = plan::shown(&context.places.state, home.as_deref());
        answer(&format!("\nWhat mam remembers is left: rm -r {state}\n"))?;
    }
    Ok(if steps.iter().any(|step| step.state == State::Left) { Exit::No } else { Exit::Done })
}

fn save(context: &Context, receipt: &Receipt) -> Result<(), Trouble> {
    receipt.save(&context.places.state).map_err(|error| {
        let path = Receipt::path(&context.places.state);
        let text = format!("`{}` cannot be written: {}", path.display(), files::reason(&error));
        Failure::new(Exit::CannotWrite, text).hint("make room, or set MAM_STATE_DIR").into()
    })
}

fn nobody(again: &str) -> Trouble {
    let text = "nobody can be asked: stdin is not a terminal; nothing was changed";
    Trouble::new("usage", Exit::Usage, text).hint(again)
}

fn agreed(question: &str) -> Result<bool, Failure> {
    answer(&format!("\n{question}"))?;
    let mut line = String::new();
    // No answer at all (end of input, an error) is no.
    drop(io::stdin().read_line(&mut line));
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// A line for each step, marked by what becomes of it, and what there is to say about it below.
fn show<'a>(
    context: &Context,
    rows: impl Iterator<Item = (&'static str, State, &'a [String])>,
) -> Result<(), Failure> {
    let colour = Colour::of_stdout(&context.environment);
    let mut before = "";
    let mut shown = String::new();
    for (subject, state, text) in rows {
        let (mark, style) = match state {
            State::Todo => ("+", AnsiColor::Green.on_default().bold()),
            State::Done => ("=", Style::new()),
            State::Left => ("-", AnsiColor::Yellow.on_default().bold()),
        };
        let title = if subject == before { "" } else { subject };
        let mut lines = text.iter();
        let first = lines.next().map_or("", String::as_str);
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "{} {title:8} {first}", colour.paint(style, mark));
        for line in lines {
            let _ = writeln!(shown, "{:11}{line}", "");
        }
        before = subject;
    }
    answer(&shown)
}

fn as_json<'a>(
    what: &str,
    is_applied: bool,
    rows: impl Iterator<Item = (&'static str, State, &'a [String])>,
) -> Value {
    let steps = rows.map(|(subject, state, text)| {
        let state = match state {
            State::Todo => "todo",
            State::Done => "done",
            State::Left => "left",
        };
        json!({"subject": subject, "state": state, "text": text})
    });
    json!({"version": 1, "action": what, "applied": is_applied, "steps": steps.collect::<Vec<_>>()})
}

/// What to type next.
fn next(context: &Context, facts: &Facts) -> Result<(), Failure> {
    let direct = format!("herdr --session {}", context.settings.session);
    let mut lines = vec![("mam", "start the host, and attach to it".to_owned())];
    if let Ok(integration) = &facts.shell {
        lines.push((&direct, format!("the same, in a new {}", integration.shell)));
    }
    lines.push(("mam doctor", "is everything as it should be?".to_owned()));
    lines.push(("mam setup --undo", "take all of this back".to_owned()));
    let width = lines.iter().map(|(command, _)| command.len()).max().unwrap_or_default();
    let lines = lines.iter().map(|(command, what)| format!("  {command:width$}  {what}\n"));
    answer(&format!("\nDone. Next:\n{}", lines.collect::<String>()))
}
