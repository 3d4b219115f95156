//! Becoming the host: the lock, the overlay, the record, and `exec` of herdr.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mam_render::arguments::Selection;
use mam_render::command::exec;
use mam_render::safe::Trusted;
use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::session_name::SessionName;
use mam_share::herdr::{binary, places};
use mam_share::places::Places;
use mam_share::variable::HERDR_CONFIG_PATH;

use crate::context::Context;
use crate::gather::{self, Whose};
use crate::handle::started_of;
use crate::lock::HostLock;
use crate::observe::LONGEST_SOCKET;
use crate::profile::ProfileName;
use crate::record::HostRecord;
use crate::seat::Seat;
use crate::store::Store;
use crate::words::Trouble;

/// Becomes the server of a seat, whose lock is held; returns only when that does not work.
///
/// # Errors
/// No herdr, no safe overlay, a record that cannot be written, a config that does not say which session.
pub fn server(context: &Context, seat: &Seat) -> Result<Infallible, Trouble> {
    if context.settings.is_uncertain {
        let text = format!(
            "`{}` cannot be read, and with it which session is the host's; nothing was started",
            context.places.settings().display()
        );
        return Err(Trouble::new("settings", Exit::NeedsChange, text).hint("mend it; then: mam start"));
    }
    let prepared = prepare(context, seat.whose, &seat.session)?;
    let pid = std::process::id();
    let record = HostRecord {
        home: Some(context.home.clone()),
        create_time: started_of(context.kernel(), pid),
        boot_id: context.kernel().boot(),
        session: Some(seat.session.to_string()),
        socket: Some(prepared.socket.clone()),
        overlay: Some(prepared.overlay.clone()),
        profiles: served(context, seat.whose),
        ..HostRecord::new(pid)
    };
    let store = Store::new(&seat.directory);
    store.write(record).map_err(|why| {
        let text = format!("the host record cannot be written: {why}; nothing was started");
        Trouble::new("record", Exit::CannotWrite, text).hint("make room, or set MAM_STATE_DIR")
    })?;
    let keep = |lock: &HostLock| lock.keep_through_exec().map_err(|error| error.to_string());
    let kept = seat.lock().map_err(ToOwned::to_owned).and_then(keep);
    let failed = match kept {
        Ok(()) => {
            let reason = match seat.whose {
                Whose::Host => "started",
                Whose::Own => "started-beside",
            };
            context.note("run", reason, &format!("session `{}`, pid {pid}", seat.session));
            prepared.exec()
        }
        Err(why) => Failure::new(Exit::No, format!("the lock cannot be kept: {why}; nothing was started")),
    };
    if let Err(why) = store.retract(pid) {
        context.step(&format!("the record stays: {why}"));
    }
    Err(failed.into())
}

struct Prepared {
    herdr: PathBuf,
    session: SessionName,
    environment: Environment,
    overlay: PathBuf,
    socket: PathBuf,
}

/// Everything but the start: the environment, herdr, the overlay as it is on disk.
fn prepare(context: &Context, whose: Whose, session: &SessionName) -> Result<Prepared, Trouble> {
    let (decided, warnings) = gather::surroundings(context, whose, None);
    for warning in &warnings {
        context.warn(warning);
    }
    let bare = gather::environment(context, &decided);
    let socket = places::socket(&bare, Some(session));
    if socket.as_os_str().len() > LONGEST_SOCKET {
        let text = format!("the path of the socket `{}` is too long for the kernel", socket.display());
        return Err(Trouble::new("socket-path", Exit::NeedsChange, text)
            .hint("give the host a shorter session name, or herdr a shorter XDG_CONFIG_HOME"));
    }
    let (herdr, _) = binary::find(Path::new("herdr"), &bare).ok_or_else(|| {
        Trouble::new("no-herdr", Exit::NoHerdr, "`herdr` is not on the PATH that the host has")
            .hint("install herdr; `mam env explain` shows the PATH")
    })?;
    let overlay = render(context, &bare, &herdr)?;
    let (decided, _) = gather::surroundings(context, whose, Some(overlay.as_os_str()));
    let environment = gather::environment(context, &decided);
    Ok(Prepared { herdr, session: session.clone(), environment, overlay, socket })
}

/// Renders the overlay and makes sure that herdr will find restore off in it. The user config is the one
/// that the caller's `HERDR_CONFIG_PATH` names, if it does.
fn render(context: &Context, bare: &Environment, herdr: &Path) -> Result<PathBuf, Failure> {
    let users = context.environment.get(HERDR_CONFIG_PATH);
    let with = users.map(|path| (OsString::from(HERDR_CONFIG_PATH.name), path.to_owned()));
    let variables = bare.variables().map(|(name, value)| (name.to_owned(), value.to_owned())).chain(with);
    let environment = Environment::new(variables, bare.current_dir(), bare.temp_dir());
    let selection = Selection { herdr: Some(herdr.to_owned()), ..Selection::default() };
    let places = Places { home: context.places.home.clone(), state: context.places.state.clone() };
    let rendering = mam_render::command::Context {
        environment: &environment,
        places: &places,
        messages: context.messages(),
    };
    exec::prepare(&rendering, &selection, Trusted::AskedNow)
}

impl Prepared {
    /// Becomes herdr.
    fn exec(&self) -> Failure {
        let mut herdr = Command::new(&self.herdr);
        herdr.arg0("herdr").args(["--session", self.session.as_str(), "server"]);
        herdr.env_clear().envs(self.environment.variables());
        let error = herdr.exec();
        Failure::new(Exit::NoHerdr, format!("`{}` cannot be run: {error}", self.herdr.display()))
    }
}

/// Whom a new server serves: a profile's own that profile, the host every profile there is, but those
/// that are excluded, parked or standalone.
fn served(context: &Context, whose: Whose) -> Vec<ProfileName> {
    if whose == Whose::Own {
        return vec![context.profile.clone()];
    }
    let serves = |profile: &ProfileName| {
        let membership = context.membership(profile);
        // The profile that starts the host is served even if it is to be standalone: it has asked.
        let has_asked = *profile == context.profile && membership.is_standalone;
        membership.is_served() || (has_asked && !membership.is_parked && !membership.is_excluded)
    };
    ProfileName::all(&context.places.home).into_iter().filter(serves).collect()
}

/// Renders the overlay as a start would, for a server that already runs.
///
/// # Errors
/// As [`server`].
pub fn overlay(context: &Context, seat: &Seat) -> Result<PathBuf, Trouble> {
    Ok(prepare(context, seat.whose, &seat.session)?.overlay)
}
