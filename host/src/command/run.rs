//! `mam run`: become the host, or say why not.

use std::time::{Duration, Instant};

use mam_share::exit::Exit;
use mam_share::variable::HOME;

use crate::arguments::Run;
use crate::background;
use crate::context::Context;
use crate::decision::{self, Decision, Observation, Owner, Patience, Waiting};
use crate::ending;
use crate::launch;
use crate::lock::Taking;
use crate::observe::{self, Look};
use crate::owner::Socket;
use crate::seat::Seat;
use crate::supervisor;
use crate::words::{self, Trouble};

/// How long an owner that does not say whom it serves is looked at.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often.
const PAUSE: Duration = Duration::from_millis(250);

/// How often somebody else may be faster before this gives up.
const MOST_ROUNDS: u32 = 100;

/// Runs the command; when it starts a server it becomes it, and does not return.
///
/// # Errors
/// What is waited for (75), refused (78), or did not work.
pub fn run(context: &Context, options: Run) -> Result<Exit, Trouble> {
    if options.detached {
        background::detach(context.environment.get(HOME).map(std::path::Path::new))?;
    }
    if options.replace {
        context.note("run", "asked", "--replace");
    }
    let is_supervised = supervisor::is_supervised(&context.environment);
    let mut seat = context.host();
    let (mut force, mut replace) = (options.force, options.replace);
    let mut told = false;
    let begin = Instant::now();
    for _ in 0..MOST_ROUNDS {
        let look = context.look_at(seat);
        if !told {
            super::tell(context, &look);
            told = true;
        }
        let patience = if begin.elapsed() < PATIENCE { Patience::Left } else { Patience::Over };
        let replace_it = replace && is_meant(&look, options.old);
        let seen = Observation { force, replace: replace_it, ..context.observation(&look, patience) };
        let decision = decision::decide(&seen);
        context.step(&format!("{:?}: {decision:?}", look.owner));
        match &decision {
            Decision::Start => {
                start(context, seat)?;
                // Somebody else was faster, and is as new as this one would have been.
                replace = false;
            }
            Decision::StartBeside => {
                // From now on it is about that seat, by the same rules.
                seat = context.own_seat()?;
                (force, told) = (false, false);
            }
            Decision::Replace { pid } => {
                context.note("run", "replacing", &format!("pid {pid} is ended and replaced"));
                ending::end(context, &look, *pid)?;
                // Whoever is there now is another one, and is not to be ended.
                replace = false;
            }
            Decision::Attach { pid } => return Ok(attached(context, seat, *pid, &decision, is_supervised)),
            Decision::Join { pid } => {
                if join(context, &look, *pid)? {
                    return Ok(attached(context, seat, *pid, &decision, is_supervised));
                }
            }
            Decision::LookAgain => std::thread::sleep(PAUSE),
            Decision::Wait(what) => return Err(words::waiting(what, &context.profile, &seat.session)),
            Decision::Refuse(why) => return Err(words::refusal(why, &context.profile, &seat.session)),
        }
    }
    let text = "others start and stop the host all the time; nothing was started";
    Err(Trouble::new("busy", Exit::TryAgain, text).hint("mam status"))
}

/// Whether the owner is the one to replace. A restart that was slow must not end what others have started
/// since.
fn is_meant(look: &Look, old: Option<u32>) -> bool {
    match (&look.owner, old) {
        (Owner::Process { pid, .. }, Some(old)) => *pid == old,
        _ => true,
    }
}

/// Takes the lock and becomes the server; returns when somebody else was faster.
fn start(context: &Context, seat: &Seat) -> Result<(), Trouble> {
    let unknowable =
        |reason: String| words::waiting(&Waiting::Unknowable { reason }, &context.profile, &seat.session);
    if context.membership(&context.profile).is_unclear {
        let text = format!(
            "`{}` cannot be read, and with it whether the profile is standalone; nothing was started",
            context.home.join("config.toml").display()
        );
        return Err(Trouble::new("settings", Exit::NeedsChange, text).hint("mend it"));
    }
    let lock = seat.lock().map_err(|reason| unknowable(reason.to_owned()))?;
    match lock.take() {
        Ok(Taking::Got) => {}
        Ok(Taking::Held(_)) => return Ok(()),
        Err(error) => return Err(unknowable(error.to_string())),
    }
    // Nobody but us can have the seat now. A server that listens all the same is somebody else's.
    match observe::ping(&seat.socket, context.kernel()).0 {
        Socket::Nobody => {}
        Socket::Answers(_) | Socket::Silent(_) | Socket::Unknowable(_) => {
            lock.release();
            return Ok(());
        }
    }
    let failed = launch::server(context, seat);
    lock.release();
    failed.map(|never| match never {})
}

/// Adds the profile to the served set of the owner. Whether that is still the owner.
///
/// # Errors
/// The record cannot be written.
pub fn join(context: &Context, look: &Look, pid: u32) -> Result<bool, Trouble> {
    look.store.join(pid, &context.profile).map_err(|why| {
        let text = format!("profile `{}` cannot be added to the host record: {why}", context.profile);
        Trouble::new("record", Exit::CannotWrite, text)
    })
}

fn attached(context: &Context, seat: &Seat, pid: u32, decision: &Decision, is_supervised: bool) -> Exit {
    let server = seat.server();
    let text = format!("{server} runs already (pid {pid}) and serves profile `{}`", context.profile);
    context.note("run", "attached", &text);
    context.say(&text);
    decision::exit(decision, is_supervised).unwrap_or(Exit::Done)
}

/// The profile that launched the owner, from its record.
pub fn launcher(context: &Context, look: &Look) -> Option<crate::profile::ProfileName> {
    let home = look.record.as_ref()?.home.as_deref();
    home.map_or(Some(crate::profile::ProfileName::root()), |home| {
        crate::profile::ProfileName::of_home(home, &context.places.home)
    })
}
