//! `mam restart`: a profile's agents, or the host.

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
    let look = context.look();
    super::tell(context, &look);
    if all || context.profile.is_root() { host(context, &look, json) } else { agents(context, &look, json) }
}

fn agents(context: &Context, look: &Look, json: bool) -> Result<Exit, Trouble> {
    if let Owner::Process { pid, .. } = look.owner {
        inside::refuse(context, "restart", pid)?;
    }
    let stopped = context.agents.stop(&context.profile)?;
    start::ensure(context)?;
    let resumed = context.agents.resume(&context.profile)?;
    if json {
        answer_json(&json!({"version": 1, "stopped": stopped, "resumed": resumed}))?;
    } else {
        answer(&format!("{stopped} agents stopped, {resumed} resumed\n"))?;
    }
    Ok(Exit::Done)
}

fn host(context: &Context, look: &Look, json: bool) -> Result<Exit, Trouble> {
    if let Owner::Process { pid, is_proven: true, .. } = look.owner {
        refuse_anothers(context, look, pid)?;
        inside::refuse(context, "restart", pid)?;
    }
    let old = stop::host(context, look)?;
    let ready = start_again(context, old)?;
    context.note("restart", "restarted", &format!("pid {}", ready.pid));
    let before = old.map_or("none".to_owned(), |pid| pid.to_string());
    if json {
        answer_json(&json!({"version": 1, "state": "restarted", "before": old, "pid": ready.pid}))?;
    } else {
        answer(&format!("restarted: pid {} (before: {before})\n", ready.pid))?;
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
    let background = background::start(&root, Whose::Host, &["--replace"])?;
    ready::wait(&root, old, Some(background))
}
