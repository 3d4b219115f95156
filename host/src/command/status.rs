//! `mam status`: what a person reads first.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use mam_share::exit::Exit;
use mam_share::message::{Colour, harmless};
use mam_share::variable::HERDR_CONFIG_PATH;
use serde_json::{Value, json};

use super::run::launcher;
use super::{answer, answer_json};
use crate::agents::State;
use crate::clock;
use crate::context::Context;
use crate::decision::{Owner, Served};
use crate::observe::Look;
use crate::plugin;
use crate::profile::ProfileName;
use crate::unit;
use crate::words::Trouble;

/// Everything that is shown.
struct Status {
    owner: &'static str,
    pid: Option<u32>,
    uptime: Option<Duration>,
    launched_by: Option<String>,
    served: Option<Vec<String>>,
    overlay: Overlay,
    plugin: Option<bool>,
    unit: Option<&'static str>,
    is_unsupervised: bool,
    profiles: Vec<ProfileStatus>,
    leftovers: Option<usize>,
}

/// Whether the live server was started on the recorded overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overlay {
    InForce,
    NotInForce,
    Unknown,
}

struct ProfileStatus {
    name: ProfileName,
    note: String,
    running: usize,
    lost: usize,
}

/// Runs the command: 0 when a proved host answers, 1 otherwise.
///
/// # Errors
/// stdout cannot be written.
pub fn run(context: &Context, is_json: bool) -> Result<Exit, Trouble> {
    let look = context.look();
    super::tell(context, &look);
    let status = gather(context, &look);
    if is_json {
        answer_json(&as_json(context, &look, &status))?;
    } else {
        answer(&as_text(context, &look, &status))?;
    }
    Ok(if status.served.is_some() { Exit::Done } else { Exit::No })
}

fn gather(context: &Context, look: &Look) -> Status {
    let (owner, pid, served) = match &look.owner {
        Owner::Nobody => ("nobody", None, None),
        Owner::Stranger { pid } => ("stranger", *pid, None),
        Owner::Unknowable { .. } => ("unknowable", None, None),
        Owner::Process { pid, is_proven: false, .. } => ("unproven", Some(*pid), None),
        Owner::Process { pid, is_proven: true, served: Served::Unknown } => ("silent", Some(*pid), None),
        Owner::Process { pid, is_proven: true, served: Served::Known(served) } => {
            let names = served.iter().map(ToString::to_string).collect();
            ("host", Some(*pid), Some(names))
        }
    };
    let table = pid.and_then(|_| context.kernel().table().ok());
    let uptime = table.as_ref().and_then(|table| Some(table.age(table.get(pid?)?)));
    let profiles = ProfileName::all(&context.places.home).into_iter().map(|name| {
        let sessions = context.agents.sessions(&name);
        let count = |state| sessions.iter().filter(|session| session.state == state).count();
        let (running, lost) = (count(State::Running), count(State::Lost));
        ProfileStatus { note: note(context, &name, served.as_deref()), name, running, lost }
    });
    let unit = unit::installed(context).map(|unit| unit.kind.name());
    Status {
        owner,
        pid,
        uptime,
        launched_by: pid.and_then(|_| launcher(context, look)).map(|profile| profile.to_string()),
        profiles: profiles.collect(),
        overlay: overlay(context, look, pid),
        plugin: plugin::is_linked(context),
        unit,
        // The server that a supervisor started holds the lock; the one that took over does not.
        is_unsupervised: unit.is_some() && served.is_some() && look.is_lock_free,
        served,
        leftovers: context.agents.leftovers(),
    }
}

fn note(context: &Context, name: &ProfileName, served: Option<&[String]>) -> String {
    let membership = context.membership(name);
    let is_served = served.map(|served| served.iter().any(|served| served == name.as_str()));
    let notes = [
        (is_served == Some(true), "served"),
        (is_served == Some(false), "not served"),
        (membership.is_parked, "parked"),
        (membership.is_excluded, "excluded"),
        (membership.is_standalone, "standalone"),
        (membership.is_unclear, "config cannot be read"),
    ];
    notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect::<Vec<_>>().join(", ")
}

/// Read from the environment of the live server, not assumed.
fn overlay(context: &Context, look: &Look, pid: Option<u32>) -> Overlay {
    let recorded = look.record.as_ref().and_then(|record| record.overlay.as_ref());
    let environment = pid.and_then(|pid| context.kernel().environment(pid));
    let (Some(recorded), Some(environment)) = (recorded, environment) else { return Overlay::Unknown };
    match environment.get(HERDR_CONFIG_PATH.name) {
        Some(path) if path == recorded.as_os_str() => Overlay::InForce,
        _ => Overlay::NotInForce,
    }
}

fn as_json(context: &Context, look: &Look, status: &Status) -> Value {
    let profiles = status.profiles.iter().map(|profile| {
        let membership = context.membership(&profile.name);
        json!({
            "name": profile.name.as_str(),
            "home": profile.name.home(&context.places.home),
            "served": status.served.as_ref().map(|served| served.contains(&profile.name.to_string())),
            "parked": membership.is_parked,
            "excluded": membership.is_excluded,
            "standalone": membership.is_standalone,
            "running": profile.running,
            "lost": profile.lost,
        })
    });
    json!({
        "version": 1,
        "owner": status.owner,
        "pid": status.pid,
        "uptimeSeconds": status.uptime.map(|uptime| uptime.as_secs()),
        "session": context.settings.session.as_str(),
        "socket": context.socket(),
        "launchedBy": status.launched_by,
        "profiles": profiles.collect::<Vec<_>>(),
        "overlay": look.record.as_ref().and_then(|record| record.overlay.clone()),
        "overlayInForce": match status.overlay {
            Overlay::InForce => Some(true),
            Overlay::NotInForce => Some(false),
            Overlay::Unknown => None,
        },
        "pluginLinked": status.plugin,
        "unit": status.unit,
        "unsupervisedSinceHandoff": status.is_unsupervised,
        "leftovers": status.leftovers,
        "herdr": look.ping,
    })
}

fn as_text(context: &Context, look: &Look, status: &Status) -> String {
    let colour = Colour::of_stdout(&context.environment);
    let (good, bad) = (AnsiColor::Green.on_default(), AnsiColor::Yellow.on_default().bold());
    let paint = |style: Style, text: &str| colour.paint(style, text);
    let mut rows: Vec<(&str, String)> = Vec::new();
    let who = status.pid.map_or(String::new(), |pid| format!(" pid {pid}"));
    let owner = match status.owner {
        "host" => paint(good, &format!("running{who}")),
        "nobody" => paint(bad, "not running (mam start)"),
        "silent" => paint(bad, format!("{who} does not answer").trim_start()),
        "unproven" => paint(bad, format!("{who} is not proved to be ours").trim_start()),
        "stranger" => paint(bad, &format!("a server that mam did not start:{who}")),
        _ => paint(bad, "nobody can tell"),
    };
    rows.push(("host", owner));
    if let Owner::Unknowable { reason } = &look.owner {
        rows.push(("because", harmless(reason)));
    }
    rows.push(("session", context.settings.session.to_string()));
    if let Some(uptime) = status.uptime {
        rows.push(("uptime", clock::span(uptime)));
    }
    if let Some(launcher) = &status.launched_by {
        rows.push(("launched by", launcher.clone()));
    }
    if status.pid.is_some() {
        let overlay = match status.overlay {
            Overlay::InForce => paint(good, "in force: restore is off"),
            Overlay::NotInForce => {
                paint(bad, "not in force: herdr relaunches agents by itself (mam restart --all)")
            }
            Overlay::Unknown => paint(bad, "unknown"),
        };
        rows.push(("overlay", overlay));
    }
    let plugin = match status.plugin {
        Some(true) => paint(good, "linked"),
        Some(false) => paint(bad, "not linked (mam-restore-hook install)"),
        None => paint(bad, "unknown: herdr's registry cannot be read"),
    };
    rows.push(("plugin", plugin));
    let unit = match (status.unit, status.is_unsupervised) {
        (None, _) => "none (mam unit install)".to_owned(),
        (Some(unit), false) => unit.to_owned(),
        (Some(unit), true) => paint(bad, &format!("{unit}, unsupervised since handoff (mam restart --all)")),
    };
    rows.push(("unit", unit));
    for (index, profile) in status.profiles.iter().enumerate() {
        let sessions = match (profile.running, profile.lost) {
            (0, 0) => String::new(),
            (running, lost) => format!("; {running} running, {lost} lost"),
        };
        let title = if index == 0 { "profiles" } else { "" };
        rows.push((title, format!("{}: {}{sessions}", profile.name, profile.note)));
    }
    if let Some(leftovers) = status.leftovers {
        rows.push(("leftovers", leftovers.to_string()));
    }
    let lines = rows.iter().map(|(title, text)| format!("{title:11}  {text}"));
    lines.chain([String::new()]).collect::<Vec<_>>().join("\n")
}
