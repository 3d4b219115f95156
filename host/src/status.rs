//! What `mam status` shows, from plain values: as one screen, and as JSON.

use std::path::PathBuf;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use mam_share::message::{Colour, harmless};
use serde_json::{Value, json};

use crate::clock;
use crate::gather::Whose;
use crate::membership::Membership;
use crate::profile::ProfileName;
use crate::words;

/// Everything that is shown.
#[derive(Clone, Debug)]
pub struct Status {
    /// The profile that asks.
    pub profile: ProfileName,
    /// The server it is about.
    pub server: Server,
    /// How long that runs.
    pub uptime: Option<Duration>,
    /// The profile that launched it.
    pub launched_by: Option<String>,
    /// The overlay it was started on, by its record.
    pub overlay: Option<PathBuf>,
    /// Whether the live server's environment names that overlay.
    pub is_in_force: Option<bool>,
    /// Whether herdr has mam's plugin.
    pub is_linked: Option<bool>,
    /// The installed unit.
    pub unit: Option<&'static str>,
    /// The unit's supervisor has lost sight of the host.
    pub is_unsupervised: bool,
    /// Every profile.
    pub profiles: Vec<Profile>,
    /// How many leftovers there are.
    pub leftovers: Option<usize>,
    /// The server's answer to `ping`.
    pub ping: Option<Value>,
}

/// A server, as far as it can be told.
#[derive(Clone, Debug)]
pub struct Server {
    /// Whose it is.
    pub whose: Whose,
    /// Who has its seat.
    pub owner: Owner,
    /// Its pid.
    pub pid: Option<u32>,
    /// The profiles it serves, when it answers.
    pub served: Option<Vec<String>>,
    /// Its session.
    pub session: String,
    /// Its socket.
    pub socket: PathBuf,
}

/// Who has a seat, in one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A proved server of mam's that answers.
    Host,
    /// A proved one that does not answer.
    Silent,
    /// One that is not proved to be the recorded one.
    Unproven,
    /// A server that mam did not start.
    Stranger,
    /// Nobody.
    Nobody,
    /// It cannot be told, for this reason.
    Unknowable(String),
}

/// A profile.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name.
    pub name: ProfileName,
    /// Its home.
    pub home: PathBuf,
    /// Whether the host serves it, where that is known.
    pub is_served: Option<bool>,
    /// What is set for it.
    pub membership: Membership,
    /// Its own server.
    pub own: Option<Server>,
    /// How many of its sessions run.
    pub running: usize,
    /// How many nobody runs, and nothing says why.
    pub lost: usize,
}

impl Owner {
    fn word(&self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Silent => "silent",
            Self::Unproven => "unproven",
            Self::Stranger => "stranger",
            Self::Nobody => "nobody",
            Self::Unknowable(_) => "unknowable",
        }
    }
}

/// The status as JSON, version 1.
pub fn as_json(status: &Status) -> Value {
    let own = |server: &Server| {
        json!({
            "owner": server.owner.word(),
            "pid": server.pid,
            "session": server.session,
            "socket": server.socket,
        })
    };
    let profiles = status.profiles.iter().map(|profile| {
        json!({
            "name": profile.name.as_str(),
            "home": profile.home,
            "served": profile.is_served,
            "parked": profile.membership.is_parked,
            "excluded": profile.membership.is_excluded,
            "standalone": profile.membership.is_standalone,
            "ownServer": profile.own.as_ref().map(own),
            "running": profile.running,
            "lost": profile.lost,
        })
    });
    json!({
        "version": 1,
        "server": match status.server.whose {
            Whose::Host => "host",
            Whose::Own => "own",
        },
        "owner": status.server.owner.word(),
        "pid": status.server.pid,
        "uptimeSeconds": status.uptime.map(|uptime| uptime.as_secs()),
        "session": status.server.session,
        "socket": status.server.socket,
        "launchedBy": status.launched_by,
        "profiles": profiles.collect::<Vec<_>>(),
        "overlay": status.overlay,
        "overlayInForce": status.is_in_force,
        "pluginLinked": status.is_linked,
        "unit": status.unit,
        "unsupervisedSinceHandoff": status.is_unsupervised,
        "leftovers": status.leftovers,
        "herdr": status.ping,
    })
}

/// The status as one screen.
pub fn as_text(status: &Status, colour: Colour) -> String {
    let good = |text: &str| colour.paint(AnsiColor::Green.on_default(), text);
    let bad = |text: &str| colour.paint(AnsiColor::Yellow.on_default().bold(), text);
    let mam = words::mam(&status.profile);
    let restart = match status.server.whose {
        Whose::Host => format!("{mam} restart --all"),
        Whose::Own => format!("{mam} restart"),
    };
    let mut rows: Vec<(&str, String)> = Vec::new();
    let title = match status.server.whose {
        Whose::Host => "host",
        Whose::Own => "own server",
    };
    let pid =
        status.server.pid.map_or("a process that cannot be named".to_owned(), |pid| format!("pid {pid}"));
    rows.push((
        title,
        match &status.server.owner {
            Owner::Host => good(&format!("running {pid}")),
            Owner::Nobody => bad(&format!("not running: {mam} start")),
            Owner::Silent => bad(&format!(
                "{pid} does not answer; if that lasts, end it yourself: kill {}",
                status.server.pid.unwrap_or_default()
            )),
            Owner::Unproven => {
                bad(&format!("{pid} is not proved to be ours, and is left alone: {mam} start says more"))
            }
            Owner::Stranger => bad(&format!(
                "{pid}, which mam did not start: herdr --session {} server stop",
                status.server.session
            )),
            Owner::Unknowable(reason) => bad(&format!("cannot be told: {}", harmless(reason))),
        },
    ));
    rows.push(("session", status.server.session.clone()));
    if let Some(uptime) = status.uptime {
        rows.push(("uptime", clock::span(uptime)));
    }
    if let Some(launcher) = &status.launched_by {
        rows.push(("launched by", launcher.clone()));
    }
    if status.server.pid.is_some() {
        rows.push((
            "overlay",
            match status.is_in_force {
                Some(true) => good("in force: restore is off"),
                Some(false) => bad(&format!("not in force, herdr relaunches agents by itself: {restart}")),
                None => bad("unknown"),
            },
        ));
    }
    rows.push((
        "plugin",
        match status.is_linked {
            Some(true) => good("linked"),
            Some(false) => bad("not linked: mam-restore-hook install"),
            None => bad("unknown: herdr's registry cannot be read"),
        },
    ));
    if status.server.whose == Whose::Host {
        rows.push((
            "unit",
            match (status.unit, status.is_unsupervised) {
                (None, _) => "none (mam unit install)".to_owned(),
                (Some(unit), false) => unit.to_owned(),
                (Some(unit), true) => bad(&format!("{unit}, unsupervised since handoff: {restart}")),
            },
        ));
    }
    let width = status.profiles.iter().map(|profile| profile.name.as_str().len()).max().unwrap_or_default();
    for (index, profile) in status.profiles.iter().enumerate() {
        let title = if index == 0 { "profiles" } else { "" };
        let text = format!(
            "{:width$}  {}",
            profile.name.as_str(),
            of_profile(profile, status.server.owner == Owner::Nobody)
        );
        rows.push((title, text.trim_end().to_owned()));
    }
    if let Some(leftovers) = status.leftovers {
        rows.push(("leftovers", leftovers.to_string()));
    }
    let dim = |title: &str| colour.paint(Style::new().dimmed(), &format!("{title:11}"));
    let lines = rows.iter().map(|(title, text)| format!("{}  {text}", dim(title)));
    lines.chain([String::new()]).collect::<Vec<_>>().join("\n")
}

/// What there is to say about a profile.
fn of_profile(profile: &Profile, is_hostless: bool) -> String {
    let Profile { membership, own, running, lost, .. } = profile;
    let mut notes = Vec::new();
    match profile.is_served {
        Some(true) => notes.push("served".to_owned()),
        Some(false) if !membership.is_standalone => notes.push("not served".to_owned()),
        None if is_hostless && !membership.is_standalone => notes.push("not served".to_owned()),
        Some(false) | None => {}
    }
    for (holds, note) in [
        (membership.is_parked, "parked"),
        (membership.is_excluded, "excluded"),
        (membership.is_standalone, "standalone"),
        (membership.is_unclear, "its config.toml cannot be read"),
    ] {
        if holds {
            notes.push(note.to_owned());
        }
    }
    if let Some(server) = own {
        let pid = server.pid.map_or("a process that cannot be named".to_owned(), |pid| format!("pid {pid}"));
        notes.push(match server.owner {
            Owner::Host => format!("own server {pid}"),
            Owner::Nobody => "own server not running".to_owned(),
            Owner::Silent => format!("own server {pid} does not answer"),
            Owner::Unproven => format!("own server {pid} not proved"),
            Owner::Stranger => format!("own session has a server that mam did not start, {pid}"),
            Owner::Unknowable(_) => "own server cannot be told".to_owned(),
        });
    }
    if (*running, *lost) != (0, 0) {
        notes.push(format!("{running} running, {lost} lost"));
    }
    notes.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(owner: Owner, whose: Whose) -> Server {
        let pid = (owner != Owner::Nobody).then_some(7);
        let session = if whose == Whose::Own { "mam-ops" } else { "mam" };
        let served = (owner == Owner::Host).then(Vec::new);
        Server { whose, owner, pid, served, session: session.to_owned(), socket: "/s".into() }
    }

    fn profile(name: &str, change: impl FnOnce(&mut Profile)) -> Profile {
        let mut profile = Profile {
            name: name.parse().unwrap(),
            home: "/h".into(),
            is_served: Some(true),
            membership: Membership::default(),
            own: None,
            running: 0,
            lost: 0,
        };
        change(&mut profile);
        profile
    }

    fn status(server: Server) -> Status {
        Status {
            profile: ProfileName::root(),
            server,
            uptime: Some(Duration::from_secs(61)),
            launched_by: Some("default".into()),
            overlay: Some("/o".into()),
            is_in_force: Some(true),
            is_linked: Some(true),
            unit: Some("s6"),
            is_unsupervised: false,
            profiles: vec![profile("default", |_| {})],
            leftovers: Some(0),
            ping: None,
        }
    }

    #[test]
    fn one_screen_whose_columns_are_aligned() {
        let mut all = status(server(Owner::Host, Whose::Host));
        all.profiles.push(profile("a-long-name", |profile| {
            (profile.running, profile.lost) = (2, 1);
        }));
        all.profiles.push(profile("ops", |profile| {
            profile.is_served = Some(false);
            profile.membership.is_standalone = true;
            profile.own = Some(server(Owner::Host, Whose::Own));
        }));
        let expected = "\
host         running pid 7
session      mam
uptime       1m 1s
launched by  default
overlay      in force: restore is off
plugin       linked
unit         s6
profiles     default      served
             a-long-name  served, 2 running, 1 lost
             ops          standalone, own server pid 7
leftovers    0
";
        assert_eq!(as_text(&all, Colour::Off), expected);
    }

    #[test]
    fn what_is_not_well_says_what_to_type() {
        let rows = [
            (Owner::Nobody, Whose::Host, "not running: mam -p ops start"),
            (Owner::Silent, Whose::Host, "does not answer; if that lasts, end it yourself: kill 7"),
            (
                Owner::Unproven,
                Whose::Own,
                "pid 7 is not proved to be ours, and is left alone: mam -p ops start",
            ),
            (Owner::Stranger, Whose::Own, "herdr --session mam-ops server stop"),
            (Owner::Unknowable("a\u{1b}b".into()), Whose::Host, "cannot be told: a\\u{1b}b"),
        ];
        for (owner, whose, expected) in rows {
            let mut status = status(server(owner, whose));
            status.profile = "ops".parse().unwrap();
            (status.is_in_force, status.is_linked, status.is_unsupervised) = (Some(false), Some(false), true);
            let text = as_text(&status, Colour::Off);
            assert!(text.contains(expected), "{text}");
            assert!(text.contains("not linked: mam-restore-hook install"), "{text}");
            let restart =
                if whose == Whose::Own { "mam -p ops restart\n" } else { "mam -p ops restart --all\n" };
            assert!(!text.contains("overlay") || text.contains(restart), "{text}");
            assert_eq!(text.contains("unsupervised"), whose == Whose::Host);
        }
    }
}
