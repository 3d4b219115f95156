//! `mam start`: the host runs and serves the profile.

use mam_share::exit::Exit;
use serde_json::json;

use super::{answer, answer_json};
use crate::context::Context;
use crate::decision::{Owner, Served};
use crate::plugin;
use crate::ready::{self, How, Ready};
use crate::words::Trouble;

/// Runs `mam start`.
///
/// # Errors
/// What stands against it.
pub fn run(context: &Context, json: bool) -> Result<Exit, Trouble> {
    super::tell(context, &context.look_at(context.seat()?));
    let was_parked = unpark(context)?;
    let ready = ensure(context)?;
    // A server that has started says so itself, and then has its sessions resumed.
    if was_parked && ready.how != How::Started {
        let count = context.agents.started(&context.profile)?;
        if count > 0 {
            context.say(&format!("{count} agents of profile `{}` were resumed", context.profile));
        }
    }
    say(context, &ready, json)
}

/// Runs `mam start --all`: as the root, whichever profile calls.
///
/// # Errors
/// What stands against it.
pub fn all(context: &Context, json: bool) -> Result<Exit, Trouble> {
    let root = context.as_root()?;
    let look = root.look();
    super::tell(&root, &look);
    if let Owner::Process { .. } = look.owner {
        // A live owner is left alone, whomever it serves: waiting for its answer is all that is done.
        let ready = ready::wait_for_answer(&root)?;
        return say(&root, &ready, json);
    }
    unpark(&root)?;
    let ready = ensure(&root)?;
    say(&root, &ready, json)
}

/// Makes sure that the host runs, and that herdr has mam's plugin.
///
/// # Errors
/// What stands against it.
pub fn ensure(context: &Context) -> Result<Ready, Trouble> {
    let ready = ready::ensure(context)?;
    if ready.how == How::Started {
        let text = format!("session `{}`, pid {}", ready.look.session, ready.pid);
        context.note("start", "started", &text);
    }
    plugin::ensure(context);
    Ok(ready)
}

/// Whether it was parked.
fn unpark(context: &Context) -> Result<bool, Trouble> {
    let marker = context.home.join("parked");
    match fs_err::remove_file(&marker) {
        Ok(()) => {
            context.note("start", "unparked", "");
            context.say(&format!("profile `{}` is not parked any more", context.profile));
            Ok(true)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => {
            let text = format!("profile `{}` stays parked: {error}", context.profile);
            Err(Trouble::new("parked", Exit::CannotWrite, text).hint(format!("rm '{}'", marker.display())))
        }
    }
}

/// Says what runs now.
fn say(context: &Context, ready: &Ready, json: bool) -> Result<Exit, Trouble> {
    // Each look waits for a turn of the server. Only a profile that has just joined is not in the last one.
    let look = if ready.how == How::Joined { context.look() } else { ready.look.clone() };
    let served: Vec<String> = match &look.owner {
        Owner::Process { served: Served::Known(served), .. } => {
            served.iter().map(ToString::to_string).collect()
        }
        Owner::Process { .. } | Owner::Nobody | Owner::Stranger { .. } | Owner::Unknowable { .. } => {
            Vec::new()
        }
    };
    let launcher = super::run::launcher(context, &look);
    let launcher = launcher.map_or("a home that is none of ours".to_owned(), |profile| profile.to_string());
    let how = match ready.how {
        How::Already => "already running",
        How::Joined => "already running, and serves this profile now",
        How::Started => "started",
    };
    if json {
        answer_json(&json!({
            "version": 1,
            "state": how,
            "pid": ready.pid,
            "session": look.session.as_str(),
            "launchedBy": launcher,
            "profiles": served,
        }))?;
    } else {
        let profiles = served.join(", ");
        answer(&format!("{how}: pid {}, launched by {launcher}, serves {profiles}\n", ready.pid))?;
    }
    Ok(Exit::Done)
}
