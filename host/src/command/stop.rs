//! `mam stop`: a profile is not served any more, or the host ends.

use mam_share::exit::Exit;
use mam_share::files;
use mam_share::message::Warning;
use serde_json::json;

use super::{answer, answer_json};
use crate::context::Context;
use crate::decision::{Owner, Refusal, Waiting};
use crate::ending;
use crate::inside;
use crate::observe::Look;
use crate::unit;
use crate::words::{self, Trouble};

/// Runs `mam stop` and `mam stop --all`.
///
/// # Errors
/// It would end itself, or the owner cannot be ended.
pub fn run(context: &Context, all: bool, json: bool) -> Result<Exit, Trouble> {
    let look = context.look();
    super::tell(context, &look);
    if let Owner::Process { pid, .. } = look.owner {
        inside::refuse(context, "stop", pid)?;
    }
    let (state, pid) = if all || context.profile.is_root() {
        let pid = host(context, &look)?;
        (if pid.is_some() { "stopped" } else { "not running" }, pid)
    } else {
        park(context, &look)?;
        ("parked", None)
    };
    if json {
        answer_json(&json!({"version": 1, "state": state, "pid": pid, "profile": context.profile.as_str()}))?;
    } else {
        answer(&format!("{state}\n"))?;
    }
    Ok(Exit::Done)
}

/// The marker first: whatever happens next, nobody serves the profile again.
fn park(context: &Context, look: &Look) -> Result<(), Trouble> {
    let marker = context.home.join("parked");
    files::write_atomic(&marker, b"", files::PRIVATE).map_err(|error| {
        let text = format!("`{}` cannot be written: {}", marker.display(), files::reason(&error));
        Trouble::new("parked", Exit::CannotWrite, text)
    })?;
    context.note("stop", "parked", "");
    let count = context.agents.stop(&context.profile)?;
    if count > 0 {
        context.say(&format!("{count} agents of profile `{}` were stopped", context.profile));
    }
    if let Some(record) = &look.record {
        context.store().leave(record.pid, &context.profile).map_err(|why| {
            Trouble::new("record", Exit::CannotWrite, format!("the host record cannot be written: {why}"))
        })?;
    }
    Ok(())
}

/// Ends the host; its pid when there was one.
///
/// # Errors
/// It is not ours, or it does not end.
pub fn host(context: &Context, look: &Look) -> Result<Option<u32>, Trouble> {
    let session = &context.settings.session;
    let pid = match &look.owner {
        Owner::Nobody => None,
        Owner::Stranger { pid } => {
            return Err(words::refusal(&Refusal::Stranger { pid: *pid }, &context.profile, session));
        }
        Owner::Unknowable { reason } => {
            let waiting = Waiting::Unknowable { reason: reason.clone() };
            return Err(words::waiting(&waiting, &context.profile, session));
        }
        Owner::Process { pid, is_proven: false, .. } => return Err(ending::unproven(*pid)),
        Owner::Process { pid, is_proven: true, .. } => Some(*pid),
    };
    // Without its unit the host would be started again. A unit that is up without a host waits for one.
    if let Some(unit) = unit::installed(context)
        && let Err(why) = unit.stop(context)
    {
        let warning = Warning::new(format!("the {} unit is not stopped: {why}", unit.kind.name()));
        context.warn(&warning.hint("it may start the host again"));
    }
    let Some(pid) = pid else { return Ok(None) };
    ending::end(context, look, pid)?;
    context.note("stop", "stopped", &format!("pid {pid}"));
    Ok(Some(pid))
}
