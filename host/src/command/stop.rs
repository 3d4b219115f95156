//! `mam stop`: a profile is not served any more, and its own server ends; or the host ends.

use mam_share::exit::Exit;
use mam_share::files;
use mam_share::message::Warning;
use serde_json::json;

use super::{answer, answer_json};
use crate::context::Context;
use crate::decision::{Owner, Refusal, Waiting};
use crate::ending;
use crate::gather::Whose;
use crate::inside;
use crate::observe::Look;
use crate::unit;
use crate::words::{self, Trouble};

/// Runs `mam stop` and `mam stop --all`.
///
/// # Errors
/// It would end itself, or the owner cannot be ended.
pub fn run(context: &Context, all: bool, json: bool) -> Result<Exit, Trouble> {
    let subject = if all { context.host() } else { context.seat()? };
    let look = context.look_at(subject);
    super::tell(context, &look);
    inside::refuse(context, "stop", &look)?;
    let (state, pid) = if all || context.profile.is_root() {
        let pid = host(context, &look)?;
        (if pid.is_some() { "stopped" } else { "not running" }, pid)
    } else {
        park(context, &if look.whose == Whose::Own { context.look() } else { look.clone() })?;
        ("parked", None)
    };
    let own = if all { None } else { own(context, &look)? };
    let (state, pid) = own.map_or((state, pid), |own| ("stopped", Some(own)));
    if json {
        answer_json(&json!({"version": 1, "state": state, "pid": pid, "profile": context.profile.as_str()}))?;
    } else {
        answer(&format!("{state}\n"))?;
    }
    Ok(Exit::Done)
}

/// Ends the profile's own server; its pid when there was one.
fn own(context: &Context, subject: &Look) -> Result<Option<u32>, Trouble> {
    if subject.whose == Whose::Own {
        return end(context, subject);
    }
    // A server of its own that it is not to have any more, or that was forced.
    if !context.has_own_seat(&context.profile) {
        return Ok(None);
    }
    let look = context.look_at(context.own_seat()?);
    if matches!(look.owner, Owner::Process { .. }) { end(context, &look) } else { Ok(None) }
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
        look.store.leave(record.pid, &context.profile).map_err(|why| {
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
    may_end(context, look)?;
    // Without its unit the host would be started again. A unit that is up without a host waits for one.
    if let Some(unit) = unit::installed(context)
        && let Err(why) = unit.stop(context)
    {
        let warning = Warning::new(format!("the {} unit is not stopped: {why}", unit.kind.name()));
        context.warn(&warning.hint("it may start the host again"));
    }
    end(context, look)
}

/// Ends the server that was looked at; its pid when there was one.
///
/// # Errors
/// It is not ours, or it does not end.
pub fn end(context: &Context, look: &Look) -> Result<Option<u32>, Trouble> {
    let Some(pid) = may_end(context, look)? else { return Ok(None) };
    ending::end(context, look, pid)?;
    context.note("stop", "stopped", &format!("session `{}`, pid {pid}", look.session));
    Ok(Some(pid))
}

/// The pid of the server that was looked at, when there is one and it may be ended.
fn may_end(context: &Context, look: &Look) -> Result<Option<u32>, Trouble> {
    match &look.owner {
        Owner::Nobody => Ok(None),
        Owner::Stranger { pid } => {
            Err(words::refusal(&Refusal::Stranger { pid: *pid }, &context.profile, &look.session))
        }
        Owner::Unknowable { reason } => {
            let waiting = Waiting::Unknowable { reason: reason.clone() };
            Err(words::waiting(&waiting, &context.profile, &look.session))
        }
        Owner::Process { pid, is_proven: false, .. } => Err(ending::unproven(*pid)),
        Owner::Process { pid, is_proven: true, .. } => Ok(Some(*pid)),
    }
}
