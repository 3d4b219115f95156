//! `mam status`: what a person reads first.

use mam_share::exit::Exit;
use mam_share::message::Colour;
use mam_share::variable::HERDR_CONFIG_PATH;

use super::run::launcher;
use super::{answer, answer_json};
use crate::agents::State;
use crate::context::Context;
use crate::decision::{self, Served};
use crate::gather::Whose;
use crate::observe::Look;
use crate::plugin;
use crate::profile::ProfileName;
use crate::status::{self, Owner, Profile, Server, Status};
use crate::unit;
use crate::words::Trouble;

/// Runs the command: 0 when a proved server answers, 1 otherwise. It is about the profile's own server
/// when it is standalone, else about the host.
///
/// # Errors
/// stdout cannot be written.
pub fn run(context: &Context, is_json: bool) -> Result<Exit, Trouble> {
    let look = context.look_at(context.seat()?);
    super::tell(context, &look);
    let status = gather(context, &look);
    if is_json {
        answer_json(&status::as_json(&status))?;
    } else {
        answer(&status::as_text(&status, Colour::of_stdout(&context.environment)))?;
    }
    Ok(if status.server.owner == Owner::Host { Exit::Done } else { Exit::No })
}

fn gather(context: &Context, look: &Look) -> Status {
    let server = server(look);
    let host = match look.whose {
        Whose::Host => server.served.clone(),
        Whose::Own => self::server(&context.look()).served,
    };
    let pid = server.pid;
    let table = pid.and_then(|_| context.kernel().table().ok());
    let unit = unit::installed(context).map(|unit| unit.kind.name());
    let all = ProfileName::all(&context.places.home);
    Status {
        profile: context.profile.clone(),
        uptime: table.as_ref().and_then(|table| Some(table.age(table.get(pid?)?))),
        launched_by: pid.and_then(|_| launcher(context, look)).map(|profile| profile.to_string()),
        overlay: look.record.as_ref().and_then(|record| record.overlay.clone()),
        is_in_force: is_in_force(context, look, pid),
        is_linked: plugin::is_linked(context),
        unit,
        // The server that a supervisor started holds the lock; the one that took over does not.
        is_unsupervised: look.whose == Whose::Host
            && unit.is_some()
            && server.owner == Owner::Host
            && look.is_lock_free,
        profiles: all.into_iter().map(|name| profile(context, name, look, host.as_deref())).collect(),
        leftovers: context.agents.leftovers(),
        ping: look.ping.clone(),
        server,
    }
}

fn server(look: &Look) -> Server {
    let (owner, pid, served) = match &look.owner {
        decision::Owner::Nobody => (Owner::Nobody, None, None),
        decision::Owner::Stranger { pid } => (Owner::Stranger, *pid, None),
        decision::Owner::Unknowable { reason } => (Owner::Unknowable(reason.clone()), None, None),
        decision::Owner::Process { pid, is_proven: false, .. } => (Owner::Unproven, Some(*pid), None),
        decision::Owner::Process { pid, is_proven: true, served: Served::Unknown } => {
            (Owner::Silent, Some(*pid), None)
        }
        decision::Owner::Process { pid, is_proven: true, served: Served::Known(served) } => {
            (Owner::Host, Some(*pid), Some(served.iter().map(ToString::to_string).collect()))
        }
    };
    let session = look.session.to_string();
    Server { whose: look.whose, owner, pid, served, session, socket: look.socket.clone() }
}

fn profile(context: &Context, name: ProfileName, look: &Look, host: Option<&[String]>) -> Profile {
    let sessions = context.agents.sessions(&name);
    let count = |state| sessions.iter().filter(|session| session.state == state).count();
    let is_subject = look.whose == Whose::Own && name == context.profile;
    let own = if is_subject {
        Some(server(look))
    } else if context.has_own_seat(&name) {
        context.seat_of(&name).ok().map(|seat| server(&context.look_at(&seat)))
    } else {
        None
    };
    let membership = context.membership(&name);
    Profile {
        home: name.home(&context.places.home),
        is_served: host.map(|served| served.iter().any(|served| served == name.as_str())),
        membership,
        // A seat that was left is not worth a word, unless one is wanted there.
        own: own.filter(|own| own.owner != Owner::Nobody || membership.is_standalone),
        running: count(State::Running),
        lost: count(State::Lost),
        name,
    }
}

/// Whether the live server reads the recorded overlay: from its environment, not assumed.
fn is_in_force(context: &Context, look: &Look, pid: Option<u32>) -> Option<bool> {
    let recorded = look.record.as_ref()?.overlay.as_ref()?;
    let environment = context.kernel().environment(pid?)?;
    Some(environment.get(HERDR_CONFIG_PATH.name) == Some(recorded.as_os_str()))
}
