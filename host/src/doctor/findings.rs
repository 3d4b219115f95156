//! The judgement: from what was looked at to a list of findings, each with what to do about it.

use std::path::Path;

use mam_share::herdr::version::{Fit, OLDEST, TESTED, TESTED_PROTOCOLS};
use mam_share::message::harmless;
use mam_share::shell::Shell;

use super::facts::{Exposed, Facts, Host, Integrated};
use super::integrations::{Standing, program};
use crate::setup::facts::Plugin;
use crate::setup::plan::shown;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// As it should be.
    Well,
    /// Worth knowing; nothing has to be done.
    Note,
    /// Something has to be done.
    Bad,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Well => "ok",
            Self::Note => "note",
            Self::Bad => "bad",
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    /// How bad it is.
    pub verdict: Verdict,
    /// What is.
    pub text: String,
    /// What to type or do.
    pub remedy: Option<String>,
}

/// The names of all checks, in their order.
pub const CHECKS: &[&str] = &[
    "herdr",
    "host",
    "protocol",
    "config",
    "overlay",
    "in force",
    "plugin",
    "agents",
    "programs",
    "shell",
    "unit",
    "sessions",
    "leftovers",
    "files",
];

fn finding(check: &'static str, verdict: Verdict, text: impl Into<String>) -> Finding {
    Finding { check, verdict, text: text.into(), remedy: None }
}

fn well(check: &'static str, text: impl Into<String>) -> Finding {
    finding(check, Verdict::Well, text)
}

fn note(check: &'static str, text: impl Into<String>) -> Finding {
    finding(check, Verdict::Note, text)
}

fn bad(check: &'static str, text: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding { remedy: Some(remedy.into()), ..finding(check, Verdict::Bad, text) }
}

impl Finding {
    fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// All findings, at least one for each check. `home` is for the texts.
pub fn judge(facts: &Facts, home: Option<&Path>) -> Vec<Finding> {
    let mut found = vec![herdr(facts, home)];
    found.extend(host(facts));
    if facts.settings.is_empty() {
        found.push(well("config", "mam's own config has nothing odd"));
    }
    found.extend(facts.settings.iter().map(|text| bad("config", harmless(text), "mend it")));
    found.push(overlay(facts, home));
    found.push(in_force(facts));
    found.push(plugin(&facts.plugin));
    found.extend(agents(facts));
    found.push(programs(facts));
    found.push(shell(facts, home));
    found.extend(unit(facts, home));
    found.extend(sessions(facts));
    found.push(match facts.leftovers {
        None | Some(0) => well("leftovers", "none is known"),
        Some(count) => note("leftovers", format!("{count} restored shells stay"))
            .remedy("mam-restore-hook list says why"),
    });
    if facts.exposed.is_empty() {
        found.push(well("files", "what mam keeps is yours alone"));
    }
    found.extend(facts.exposed.iter().map(|exposed| exposed_file(exposed, home)));
    found
}

fn herdr(facts: &Facts, home: Option<&Path>) -> Finding {
    let Some(herdr) = &facts.herdr else {
        return bad("herdr", "not on PATH", "install it: https://herdr.dev");
    };
    let path = shown(&herdr.path, home);
    let Some(version) = herdr.version else {
        return note("herdr", format!("{path} does not say its version")).remedy("herdr --version");
    };
    let text = format!("{version} at {path}");
    let tested = format!("mam was tested on {} to {}", TESTED.start(), TESTED.end());
    match version.fit() {
        Fit::Tested => well("herdr", text),
        Fit::Untested => note("herdr", format!("{text}; {tested}")),
        Fit::TooOld => bad("herdr", format!("{text}; mam needs {OLDEST} or newer"), "herdr update"),
    }
}

fn host(facts: &Facts) -> Vec<Finding> {
    let (pid, version, protocol) = match &facts.host {
        Host::Nobody => {
            return vec![note("host", "not running").remedy("mam start"), well("protocol", "no host to ask")];
        }
        Host::Odd { what, remedy } => {
            return vec![bad("host", harmless(what), remedy.clone()), note("protocol", "not known")];
        }
        Host::Runs { pid, version, protocol, .. } => (pid, version, protocol),
    };
    let of_client = facts.herdr.as_ref().and_then(|herdr| herdr.version).map(|version| version.to_string());
    let text = format!("runs, pid {pid}");
    let host = match (version, &of_client) {
        (Some(server), Some(client)) if server != client => {
            note("host", format!("{text}: herdr {}, and {client} is installed", harmless(server)))
                .remedy("mam restart --all moves it to the installed one")
        }
        _ => well("host", text),
    };
    let protocol = match protocol {
        None => note("protocol", "herdr does not say which"),
        Some(number) if TESTED_PROTOCOLS.contains(number) => well("protocol", number.to_string()),
        Some(number) => {
            let (first, last) = (TESTED_PROTOCOLS.start(), TESTED_PROTOCOLS.end());
            let tested = if first == last { first.to_string() } else { format!("{first} to {last}") };
            note("protocol", format!("{number}; mam was tested on {tested}"))
        }
    };
    vec![host, protocol]
}

fn overlay(facts: &Facts, home: Option<&Path>) -> Finding {
    let overlay = match &facts.overlay {
        Ok(overlay) => overlay,
        Err(why) => return bad("overlay", harmless(why), "mam-render-config"),
    };
    let (path, config) = (shown(&overlay.path, home), shown(&overlay.config, home));
    match (&overlay.broken, overlay.is_there, overlay.stale.as_slice()) {
        (Some(_), ..) => bad(
            "overlay",
            format!("{config} cannot be read, and is not in it"),
            "mam-render-config shows the place",
        ),
        (None, false, _) => bad("overlay", format!("{path} is not there"), "mam setup"),
        (None, true, []) => well("overlay", format!("{path} is fresh")),
        (None, true, reasons) => {
            bad("overlay", format!("{path} is stale: {}", harmless(&reasons.join("; "))), "mam reload")
        }
    }
}

fn in_force(facts: &Facts) -> Finding {
    let Host::Runs { is_overlay_in_force, .. } = &facts.host else {
        return well("in force", "no host to ask");
    };
    match is_overlay_in_force {
        Some(true) => well("in force", "the host runs on the overlay: restore is off"),
        Some(false) => bad(
            "in force",
            "the host was not started on the overlay: herdr relaunches agents by itself",
            "mam restart --all",
        ),
        None => note("in force", "the environment of the host cannot be seen"),
    }
}

fn plugin(plugin: &Plugin) -> Finding {
    match plugin {
        Plugin::Current => well("plugin", "linked, enabled, current"),
        Plugin::Off => note("plugin", "linked, and switched off by you").remedy("herdr plugin enable mam"),
        Plugin::NotLinked => bad("plugin", "not linked: restored shells stay", "mam-restore-hook install"),
        Plugin::NotCurrent(said) => {
            let said = harmless(said.split(": ").next().unwrap_or(said));
            bad("plugin", said, "mam-restore-hook install")
        }
        Plugin::NoInstaller => {
            bad("plugin", "`mam-restore-hook` is not installed", "install it beside `mam`")
        }
        Plugin::Unknown(why) => note("plugin", format!("nobody can tell: {}", harmless(why)))
            .remedy("mam-restore-hook install --check"),
    }
}

fn agents(facts: &Facts) -> Vec<Finding> {
    let rows = match &facts.integrations {
        Ok(rows) => rows,
        Err(why) => {
            return vec![note(
                "agents",
                format!("herdr does not say which integrations it has: {}", harmless(why)),
            )];
        }
    };
    let install = |name: &str| format!("herdr integration install {}", harmless(name));
    let mut found = Vec::new();
    for (integration, is_on_path) in rows {
        let (name, said) = (harmless(&integration.name), harmless(&integration.said));
        match integration.standing {
            Standing::Outdated => {
                let text = format!("{name}: the integration is {said}; it may not report conversations");
                found.push(bad("agents", text, install(&name)));
            }
            Standing::Missing if *is_on_path => {
                let text = format!(
                    "{name}: `{}` is on PATH, and without an integration nobody learns its conversation",
                    program(&integration.name)
                );
                found.push(note("agents", text).remedy(install(&name)));
            }
            Standing::Missing | Standing::Current | Standing::Unknown => {}
        }
    }
    let current: Vec<&str> = rows
        .iter()
        .filter(|(integration, _)| integration.standing == Standing::Current)
        .map(|(integration, _)| integration.name.as_str())
        .collect();
    if !current.is_empty() {
        found.insert(0, well("agents", format!("integration current: {}", harmless(&current.join(", ")))));
    } else if found.is_empty() {
        found.push(
            note("agents", "no agent's integration is installed").remedy("herdr integration install NAME"),
        );
    }
    found
}

fn programs(facts: &Facts) -> Finding {
    let missing = facts.missing_programs.join(", ");
    let text = format!("not on PATH: {missing}");
    match (&facts.shell, facts.missing_programs.contains(&"mam-render-config")) {
        _ if missing.is_empty() => well("programs", "all on PATH"),
        (Ok(Integrated::Present { .. } | Integrated::Odd(..)), true) => {
            let text = format!("{text}; the function `herdr` of your shell gives no overlay without it");
            bad("programs", text, "put their directory on PATH")
        }
        _ => note("programs", text).remedy("put their directory on PATH"),
    }
}

fn shell(facts: &Facts, home: Option<&Path>) -> Finding {
    match &facts.shell {
        Err(why) => note("shell", format!("no integration: {}", harmless(why))),
        Ok(Integrated::Present { path, stale: None }) => {
            well("shell", format!("{} has the integration", shown(path, home)))
        }
        Ok(Integrated::Present { path, stale: Some(file) }) => {
            let (path, file) = (shown(path, home), shown(file, home));
            bad(
                "shell",
                format!("{path} sources {file}, which is not this version's or not there"),
                "mam setup",
            )
        }
        Ok(Integrated::Absent(path)) => note(
            "shell",
            format!("{} has no integration: only `mam` starts herdr on the overlay", shown(path, home)),
        )
        .remedy("mam setup"),
        Ok(Integrated::Odd(path, line)) => bad(
            "shell",
            format!("{}:{line}: mam's block is not as it was written", shown(path, home)),
            "mend it, then: mam setup",
        ),
    }
}

fn unit(facts: &Facts, home: Option<&Path>) -> Vec<Finding> {
    let Some(unit) = &facts.unit else {
        return vec![well("unit", "none: `mam` starts the host when it is called")];
    };
    let kind = unit.kind;
    let mut found = Vec::new();
    if let Some(program) = &unit.missing_program {
        found.push(bad(
            "unit",
            format!("the {kind} unit runs `{}`, which is not there", harmless(program)),
            format!("mam unit install {kind}"),
        ));
    } else if let Some((path, line)) = &unit.changed {
        found.push(
            note("unit", format!("{}:{line}: not as this version writes it", shown(path, home)))
                .remedy("mam start writes it anew"),
        );
    }
    if unit.is_unsupervised {
        found.push(bad(
            "unit",
            format!("{kind} has lost sight of the host since a live handoff"),
            "mam restart --all",
        ));
    }
    if found.is_empty() {
        found.push(well("unit", format!("{kind}, current")));
    }
    found
}

fn sessions(facts: &Facts) -> Vec<Finding> {
    let call = |profile: &str, session: &str| {
        if profile == "default" {
            format!("mam resume {session}")
        } else {
            format!("mam -p {profile} resume {session}")
        }
    };
    let mut found = Vec::new();
    for (profile, session) in &facts.lost {
        let text = format!("{}: nobody runs it, and nothing says why", harmless(session));
        found.push(bad("sessions", text, call(profile, session)));
    }
    for (profile, session, what) in &facts.broken {
        let remedy = format!("put it back, or: {}", call(profile, session).replace("resume", "forget"));
        found.push(bad("sessions", format!("{}: {}", harmless(session), harmless(what)), remedy));
    }
    if found.is_empty() {
        let text = if facts.sessions == 0 {
            "none is recorded".to_owned()
        } else {
            format!("{} recorded, none lost", facts.sessions)
        };
        found.push(well("sessions", text));
    }
    found
}

fn exposed_file(exposed: &Exposed, home: Option<&Path>) -> Finding {
    let path = shown(&exposed.path, home);
    let word = Shell::Sh.quote(&harmless(&exposed.path.to_string_lossy()));
    match exposed.owner {
        Some(owner) => bad(
            "files",
            format!("{path} belongs to uid {owner}, and is not believed"),
            format!("chown \"$USER\" {word}"),
        ),
        None => bad(
            "files",
            format!("{path} is open to others (mode {:o})", exposed.mode),
            format!("chmod go= {word}"),
        ),
    }
}
