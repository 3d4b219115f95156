//! `mam resume`: agents come back with the flags, the environment, the directory and the place they had.

use mam_share::exit::Exit;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::context::Context;
use crate::log;
use crate::session::arguments::Resume;
use crate::session::resume::{Asked, Done, Options, Outcome, resume};
use crate::session::store::SessionStore;
use crate::session::{table, words};
use crate::words::Trouble;

/// Runs the command. A line for each session and a summary; a single named one that cannot be resumed
/// fails as itself.
///
/// # Errors
/// That one.
pub fn run(context: &Context, arguments: &Resume, is_json: bool) -> Result<Exit, Trouble> {
    let kinds = table::kinds(context);
    let options = Options {
        cwd: arguments.cwd.clone(),
        is_new: arguments.new,
        may_widen: arguments.widen,
        asked: if arguments.all { Asked::ForAll } else { Asked::ByName },
    };
    if arguments.cwd.is_some() && arguments.names.len() > 1 {
        let text = "--cwd is for one session";
        return Err(Trouble::new("usage", Exit::Usage, text).hint("mam resume NAME --cwd DIR"));
    }
    let mut names = arguments.names.clone();
    if arguments.all {
        let listing = SessionStore::new(&context.home).list();
        listing.warnings.iter().for_each(|warning| context.warn(warning));
        names.extend(listing.records.into_iter().map(|record| record.name));
    }
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let done = resume(context, &kinds, &names, &options);
    for done in &done {
        if let Outcome::Resumed(pane) = &done.outcome {
            context.note("resume", "resumed", &format!("{} in {pane}", done.name));
        }
    }
    let failed = done.iter().filter(|done| is_failure(done, arguments.all)).count();
    if is_json {
        answer_json(&as_json(&done))?;
    } else if let ([one], false) = (done.as_slice(), arguments.all) {
        return single(context, one);
    } else {
        say(context, &done, arguments.all)?;
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::No })
}

/// Whether it counts against the whole: with `--all` one that runs is as it should be.
fn is_failure(done: &Done, all: bool) -> bool {
    match &done.outcome {
        Outcome::Resumed(_) => false,
        Outcome::Ran(_) => !all,
        Outcome::Failed(_) => true,
    }
}

fn single(context: &Context, done: &Done) -> Result<Exit, Trouble> {
    match &done.outcome {
        Outcome::Resumed(pane) => {
            answer(&format!("{}: resumed in pane {pane}\n", done.name))?;
            Ok(Exit::Done)
        }
        Outcome::Ran(running) => Err(words::runs(&done.name, running)),
        Outcome::Failed(trouble) => {
            context.step("nothing else was asked for");
            Err(trouble.clone())
        }
    }
}

fn say(context: &Context, all: &[Done], is_all: bool) -> Result<(), Trouble> {
    let (mut resumed, mut ran, mut failed) = (0, 0, Vec::new());
    for done in all {
        let line = match &done.outcome {
            Outcome::Resumed(pane) => {
                resumed += 1;
                format!("{}: resumed in pane {pane}\n", done.name)
            }
            Outcome::Ran(running) => {
                ran += 1;
                if !is_all {
                    failed.push(done.name.as_str());
                }
                let pid = running.pid.map_or(String::new(), |pid| format!(", pid {pid}"));
                format!("{}: runs already: {}{pid}\n", done.name, running.place)
            }
            Outcome::Failed(trouble) => {
                failed.push(done.name.as_str());
                let text = log::text_of(&trouble.failure);
                context.note_refusal("resume", trouble.reason, &text);
                format!("{}: not resumed: {}\n", done.name, mam_share::message::harmless_lines(&text))
            }
        };
        answer(&line)?;
    }
    let mut summary = format!("{resumed} resumed");
    if ran > 0 {
        summary = format!("{summary}, {ran} ran already");
    }
    if !failed.is_empty() {
        summary = format!("{summary}, {} not: {}", failed.len(), failed.join(", "));
    }
    answer(&format!("{summary}\n"))?;
    Ok(())
}

fn as_json(all: &[Done]) -> Value {
    let sessions = all.iter().map(|done| match &done.outcome {
        Outcome::Resumed(pane) => json!({"name": done.name.as_str(), "state": "resumed", "pane": pane}),
        Outcome::Ran(running) => json!({
            "name": done.name.as_str(), "state": "ran", "place": running.place,
            "pane": running.pane, "pid": running.pid,
        }),
        Outcome::Failed(trouble) => json!({
            "name": done.name.as_str(), "state": "failed", "reason": trouble.reason,
            "exit": trouble.failure.exit as u8, "message": trouble.failure.message,
            "hints": trouble.failure.hints,
        }),
    });
    json!({"version": 1, "sessions": sessions.collect::<Vec<_>>()})
}
