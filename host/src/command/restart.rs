//! `mam restart`: a profile's agents, its own server, or the host.

use mam_share::exit::Exit;
use mam_share::message::Warning;
use serde_json::json;

use super::run::launcher;
use super::{answer, answer_json, start, stop};
use crate::background;
use crate::context::Context;
use crate::decision::Owner;
use crate::gather::Whose;
use crate::inside;
use crate::observe::Look;
use crate::ready::{self, Ready};
use crate::unit;
use crate::words::{self, Trouble};

/// Runs `mam restart` and `mam restart --all`. Which of them it is comes first: no guard for named
/// profiles stands before it.
///
/// # Errors
/// What stands against it.
pub fn run(context: &Context, all: bool, json: bool) -> Result<Exit, Trouble> {
    if all || context.profile.is_root() {
        let look = context.look();
        super::tell(context, &look);
        return host(context, &look, json);
    }
    let seat = context.seat()?;
    let look = context.look_at(seat);
    super::tell(context, &look);
    match seat.whose {
        Whose::Host => agents(context, &look, json),
        Whose::Own => own(context, &look, json),
    }
}

/// A standalone profile's own server. Where the host still serves the profile there is none, and a start
/// says so.
fn own(context: &Context, look: &Look, json: bool) -> Result<Exit, Trouble> {
    inside::refuse(context, "restart", look)?;
    let stopped = context.agents.stop(&context.profile)?;
    let old = stop::end(context, look)?;
    let ready = start::ensure(context)?;
    let resumed = context.agents.resume(&context.profile)?;
    context.note("restart", "restarted", &format!("pid {}", ready.pid));
    say(old, ready.pid, Some((stopped, resumed)), json)
}

fn agents(context: &Context, look: &Look, json: bool) -> Result<Exit, Trouble> {
    inside::refuse(context, "restart", look)?;
    let stopped = context.agents.stop(&context.profile)?;
    let ready = start::ensure(context)?;
    let resumed = context.agents.resume(&context.profile)?;
    if json {
        return say(None, ready.pid, Some((stopped, resumed)), json);
    }
    answer(&format!("{stopped} agents stopped, {resumed} resumed\n"))?;
    Ok(Exit::Done)
}

fn host(context: &Context, look: &Look, json: bool) -> Result<Exit, Trouble> {
    if let Owner::Process { pid, is_proven: true, .. } = look.owner {
        refuse_anothers(context, look, pid)?;
        inside::refuse(context, "restart", look)?;
    }
    let old = stop::host(context, look)?;
    let ready = start_again(context, old)?;
    context.note("restart", "restarted", &format!("pid {}", ready.pid));
    say(old, ready.pid, None, json)
}

fn say(old: Option<u32>, pid: u32, agents: Option<(usize, usize)>, json: bool) -> Result<Exit, Trouble> {
    let (stopped, resumed) = agents.unzip();
    if json {
        answer_json(&json!({
            "version": 1,
            "state": "restarted",
            "before": old,
            "pid": pid,
            "stopped": stopped,
            "resumed": resumed,
        }))?;
    } else {
        let before = old.map_or("none".to_owned(), |pid| pid.to_string());
        answer(&format!("restarted: pid {pid} (before: {before})\n"))?;
    }
    Ok(Exit::Done)
}

/// A host that another profile launched is that profile's to restart.
fn refuse_anothers(context: &Context, look: &Look, pid: u32) -> Result<(), Trouble> {
    let launcher = launcher(context, look);
    if launcher.as_ref() == Some(&context.profile) {
        return Ok(());
    }
    let (who, command) = if let Some(profile) = &launcher {
        (format!("profile `{profile}`"), format!("{} restart --all", words::mam(profile)))
    } else {
        let home = look.record.as_ref().and_then(|record| record.home.clone()).unwrap_or_default();
        (format!("the home `{}`", home.display()), format!("MAM_HOME='{}' mam restart --all", home.display()))
    };
    let text = format!("the host (pid {pid}) was launched by {who}; it was left alone");
    Err(Trouble::new("anothers", Exit::NeedsChange, text).hint(command))
}

/// By the unit where there is one, else as a detached root, whichever profile calls: nothing of the
/// caller's comes along.
fn start_again(context: &Context, old: Option<u32>) -> Result<Ready, Trouble> {
    let root = context.as_root()?;
    if let Some(unit) = unit::installed(&root) {
        match unit.start(&root) {
            Ok(()) => return ready::wait(&root, old, None),
            Err(why) => root.warn(
                &Warning::new(format!("the {} unit does not start: {why}", unit.kind.name()))
                    .hint("the host is started without it"),
            ),
        }
    }
    // Whoever else was faster by then is as new as this one. No process has the pid 0.
    let old_pid = old.unwrap_or_default().to_string();
    let background = background::start(&root, Whose::Host, &["--replace", "--old", &old_pid])?;
    ready::wait(&root, old, Some(background))
}
