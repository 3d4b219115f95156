//! `mam notice`: what mam's plugin of herdr has to say. Not for people: there is nothing to do for most
//! calls, and then nothing is said.
//!
//! A server that has just started is one of two: a start, after which sessions may be resumed, or one
//! that took over from another process in a live handoff, where everything runs on and the record is all
//! that changes. The lock tells them apart: no process keeps it through a handoff.

use std::time::{Duration, Instant};

use mam_share::exit::Exit;
use mam_share::herdr::session_name::SessionName;

use crate::arguments::Noticed;
use crate::context::Context;
use crate::decision::{Owner, Served, Waiting};
use crate::ending;
use crate::observe::Look;
use crate::profile::ProfileName;
use crate::seat::Seat;
use crate::words::{self, Trouble};

/// How long the process that hands over may take to end. It waits until its answer was read.
const PATIENCE: Duration = Duration::from_secs(15);

/// How often it is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(50);

/// A server has started. One that took over in a live handoff is proved, and the record names it from
/// then on; nothing is closed and nothing resumed.
///
/// # Errors
/// The server cannot be proved to be ours.
pub fn startup(context: &Context, noticed: &Noticed) -> Result<Exit, Trouble> {
    let Some((context, session)) = addressed(context, noticed)? else { return Ok(Exit::Done) };
    let seat = if session == context.settings.session { context.host() } else { context.own_seat()? };
    let Some(look) = settled(&context, seat, noticed)? else { return Ok(Exit::Done) };
    let Owner::Process { served: Served::Known(served), .. } = &look.owner else { return Ok(Exit::Done) };
    if look.is_lock_free {
        context.step("a live handoff: nothing is resumed");
        return Ok(Exit::Done);
    }
    for profile in served {
        let count = context.agents.started(profile)?;
        if count > 0 {
            context.note("notice", "resumed", &format!("{count} sessions of profile `{profile}`"));
        }
    }
    Ok(Exit::Done)
}

/// Agents were seen in a server.
///
/// # Errors
/// What the recorded agents make of it.
pub fn agents(context: &Context, noticed: &Noticed) -> Result<Exit, Trouble> {
    let Some((context, session)) = addressed(context, noticed)? else { return Ok(Exit::Done) };
    context.agents.seen(&session)?;
    Ok(Exit::Done)
}

/// The session and the profile whose server it is, the root for the host's; `None` when it is none of
/// mam's.
fn addressed(context: &Context, noticed: &Noticed) -> Result<Option<(Context, SessionName)>, Trouble> {
    let Ok(session) = noticed.session.parse::<SessionName>() else { return Ok(None) };
    let host = &context.settings.session;
    if session == *host {
        return Ok(Some((context.of_profile(&ProfileName::root())?, session)));
    }
    let is_there =
        |profile: &ProfileName| context.has_own_seat(profile) && profile.home(&context.places.home).is_dir();
    match ProfileName::of_own_session(&session, host).filter(is_there) {
        Some(profile) => Ok(Some((context.of_profile(&profile)?, session))),
        None => Ok(None),
    }
}

/// The look at a server that is proved and answers; `None` when the one that called is not the one that
/// has the seat, or has ended.
fn settled(context: &Context, seat: &Seat, noticed: &Noticed) -> Result<Option<Look>, Trouble> {
    let begin = Instant::now();
    loop {
        let look = context.look_at(seat);
        let recorded = look.record.as_ref().and_then(|record| record.socket.as_ref());
        if noticed.socket != seat.socket && Some(&noticed.socket) != recorded {
            return Ok(None);
        }
        let is_over = begin.elapsed() >= PATIENCE;
        match &look.owner {
            Owner::Nobody | Owner::Stranger { .. } => return Ok(None),
            Owner::Unknowable { reason } => {
                let waiting = Waiting::Unknowable { reason: reason.clone() };
                return Err(words::waiting(&waiting, &context.profile, &look.session));
            }
            Owner::Process { is_proven: true, served: Served::Known(_), .. } => return Ok(Some(look)),
            Owner::Process { pid, is_proven: false, .. } if is_over => return Err(ending::unproven(*pid)),
            Owner::Process { pid, .. } if is_over => {
                let waiting = Waiting::SetUnknown { pid: *pid };
                return Err(words::waiting(&waiting, &context.profile, &look.session));
            }
            // The process that hands over has not ended yet.
            Owner::Process { .. } => std::thread::sleep(PAUSE),
        }
    }
}
