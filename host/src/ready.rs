//! Making sure that the host runs and serves a profile: what every verb that needs it calls.

use std::time::{Duration, Instant};

use mam_share::exit::Exit;
use mam_share::message::Warning;

use crate::background::{self, Background, End};
use crate::command::run::{join, launcher};
use crate::context::Context;
use crate::decision::{self, Decision, Patience, Waiting};
use crate::gather::{self, Whose};
use crate::observe::Look;
use crate::seat::Seat;
use crate::unit;
use crate::words::{self, Trouble};

/// How long a start may take. It takes a fraction of a second, but machines are busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a unit that was told to start may take until it is told again.
const UNIT_PATIENCE: Duration = Duration::from_secs(2);

/// How often it is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(2);

/// How long an owner that does not say whom it serves is looked at, and how often.
const ANSWER_PATIENCE: Duration = Duration::from_secs(5);
const ANSWER_PAUSE: Duration = Duration::from_millis(250);

/// How the host came to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It ran already and served the profile.
    Already,
    /// It ran already, and the profile was added.
    Joined,
    /// It was started.
    Started,
}

/// A host that answers and serves the profile.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Its process id.
    pub pid: u32,
    /// How it came to run.
    pub how: How,
    /// The last look at it.
    pub look: Look,
}

/// What was begun so that there would be a host.
enum Begun {
    Nothing,
    Unit { told: Instant },
    Background(Background),
}

/// Makes sure that the host runs and serves the context's profile; waits until it answers.
///
/// # Errors
/// What stands against it.
pub fn ensure(context: &Context) -> Result<Ready, Trouble> {
    let deadline = Instant::now() + PATIENCE;
    let mut begun = Begun::Nothing;
    let mut seat = context.host();
    loop {
        let look = context.look_at(seat);
        let is_over = Instant::now() >= deadline;
        let patience = if is_over { Patience::Over } else { Patience::Left };
        let observation = context.observation(&look, patience);
        let ready = |pid: u32, otherwise: How, look: Look| {
            let how = if matches!(begun, Begun::Nothing) { otherwise } else { How::Started };
            Ok(Ready { pid, how, look })
        };
        match decision::decide(&observation) {
            Decision::Attach { pid } => return ready(pid, How::Already, look),
            Decision::Join { pid } => {
                if join(context, &look, pid)? {
                    return ready(pid, How::Joined, look);
                }
            }
            // A standalone profile becomes the host when there is none, and then serves itself.
            Decision::Wait(Waiting::StillServed { pid })
                if launcher(context, &look).as_ref() == Some(&context.profile) =>
            {
                return ready(pid, How::Already, look);
            }
            Decision::Start => begin(context, seat, &mut begun, is_over)?,
            // From now on it is about that seat, by the same rules.
            Decision::StartBeside => {
                seat = context.own_seat()?;
                continue;
            }
            Decision::LookAgain | Decision::Replace { .. } => {}
            Decision::Wait(what) => return Err(words::waiting(&what, &context.profile, &seat.session)),
            Decision::Refuse(why) => return Err(words::refusal(&why, &context.profile, &seat.session)),
        }
        std::thread::sleep(PAUSE);
    }
}

fn begin(context: &Context, seat: &Seat, begun: &mut Begun, is_over: bool) -> Result<(), Trouble> {
    match begun {
        Begun::Nothing => {}
        Begun::Unit { .. } | Begun::Background(_) => return watch(context, begun, is_over),
    }
    if seat.whose == Whose::Host
        && let Some(unit) = begin_host(context)?
    {
        *begun = unit;
        return Ok(());
    }
    say_dropped(context, seat.whose);
    *begun = Begun::Background(background::start(context, seat.whose, &[])?);
    Ok(())
}

/// Whatever is there to start the host by: its unit.
fn begin_host(context: &Context) -> Result<Option<Begun>, Trouble> {
    if context.membership(&context.profile).is_excluded {
        let text = format!("the host's config excludes profile `{}`; nothing was started", context.profile);
        return Err(Trouble::new("excluded", Exit::NeedsChange, text)
            .hint(format!("take `{}` out of [host] exclude in the root's config.toml", context.profile))
            .hint("or give it a server of its own: [host] standalone = true in its own config.toml"));
    }
    if let Some(unit) = unit::installed(context) {
        match unit.start(context) {
            Ok(()) => {
                context.say(&format!("started through the {} unit", unit.kind.name()));
                return Ok(Some(Begun::Unit { told: Instant::now() }));
            }
            Err(why) => context.warn(
                &Warning::new(format!("the {} unit does not start: {why}", unit.kind.name()))
                    .hint("the host is started without it"),
            ),
        }
    }
    Ok(None)
}

/// Whether what was begun may still come to something, now that there is no host.
fn watch(context: &Context, begun: &mut Begun, is_over: bool) -> Result<(), Trouble> {
    let ended = match begun {
        Begun::Background(background) => background.end().map(|end| (end, background.output())),
        Begun::Unit { told } if told.elapsed() > UNIT_PATIENCE => {
            // An order that came while the unit was on its way down is forgotten by some supervisors.
            *told = Instant::now();
            if let Some(unit) = unit::installed(context)
                && let Err(why) = unit.start(context)
            {
                context.step(&format!("the unit is told again to start: {why}"));
            }
            None
        }
        Begun::Nothing | Begun::Unit { .. } => None,
    };
    match ended {
        Some((End::Signal | End::Code(0), _)) => {
            let text = "the server was ended while it started, or the one that was found has gone";
            Err(Trouble::new("ended", Exit::TryAgain, text).hint("try again"))
        }
        Some((End::Code(code), output)) => Err(words::not_started(code, &output)),
        None if is_over => Err(no_answer()),
        None => Ok(()),
    }
}

fn no_answer() -> Trouble {
    let text = format!("no server answers after {} s", PATIENCE.as_secs());
    Trouble::new("no-answer", Exit::TryAgain, text).hint("mam status").hint("mam why")
}

/// Waits until a host answers that is not `old`, and that `background` may have become.
///
/// # Errors
/// None came.
pub fn wait(context: &Context, old: Option<u32>, background: Option<Background>) -> Result<Ready, Trouble> {
    let deadline = Instant::now() + PATIENCE;
    let mut begun = background.map_or(Begun::Unit { told: Instant::now() }, Begun::Background);
    loop {
        let look = context.look();
        if let decision::Owner::Process { pid, is_proven: true, served: decision::Served::Known(_) } =
            look.owner
            && Some(pid) != old
        {
            return Ok(Ready { pid, how: How::Started, look });
        }
        let is_over = Instant::now() >= deadline;
        if look.owner == decision::Owner::Nobody {
            watch(context, &mut begun, is_over)?;
        } else if is_over {
            return Err(no_answer());
        }
        std::thread::sleep(PAUSE);
    }
}

/// Waits until the owner, whoever it is, answers.
///
/// # Errors
/// It does not.
pub fn wait_for_answer(context: &Context) -> Result<Ready, Trouble> {
    let deadline = Instant::now() + ANSWER_PATIENCE;
    loop {
        let look = context.look();
        match look.owner {
            decision::Owner::Process { pid, served: decision::Served::Known(_), .. } => {
                return Ok(Ready { pid, how: How::Already, look });
            }
            decision::Owner::Process { pid, .. } if Instant::now() >= deadline => {
                return Err(words::waiting(
                    &Waiting::SetUnknown { pid },
                    &context.profile,
                    &context.settings.session,
                ));
            }
            decision::Owner::Process { .. } => {}
            // It went away while it was looked at.
            decision::Owner::Nobody
            | decision::Owner::Stranger { .. }
            | decision::Owner::Unknowable { .. } => {
                return ensure(context);
            }
        }
        std::thread::sleep(ANSWER_PAUSE);
    }
}

/// Names what the host does not get of the caller's environment.
pub fn say_dropped(context: &Context, whose: Whose) {
    let (decided, _) = gather::surroundings(context, whose, None);
    let dropped = gather::dropped(&decided);
    if !dropped.is_empty() {
        context.say(&format!(
            "not passed on to the server: {} (see `mam env explain`; [env] pass in config.toml adds names)",
            dropped.join(", ")
        ));
    }
}
