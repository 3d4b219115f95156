//! Looks at everything the doctor judges. Nothing is started, and nothing is changed.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mam_share::child::{self, Run};
use mam_share::environment::Environment;
use mam_share::files::{self, Trust};
use mam_share::herdr::binary;
use mam_share::variable::{HERDR_CONFIG_PATH, HERDR_SESSION, HERDR_SOCKET_PATH};
use serde_json::Value;

use super::facts::{Exposed, Facts, Host, Integrated, Unit};
use super::integrations::{self, Integration};
use super::records::{self, World};
use crate::agents::State;
use crate::context::Context;
use crate::decision::{Owner, Served};
use crate::dot_env;
use crate::observe::Look;
use crate::profile::ProfileName;
use crate::session::record::SessionRecord;
use crate::setup::block;
use crate::setup::{facts, gather, profile_file};
use crate::{plugin, unit};

/// How long herdr may take to say something about itself.
const LIMIT: Duration = Duration::from_secs(10);

/// The programs that are installed beside each other.
const PROGRAMS: [&str; 3] = ["mam", "mam-render-config", "mam-restore-hook"];

/// How many files are looked at for their permissions.
const MOST_FILES: usize = 5_000;

/// Looks.
pub fn facts(context: &Context) -> Facts {
    let herdr = gather::herdr(&context.environment);
    let look = context.peek();
    let profiles = ProfileName::all(&context.places.home);
    let sessions = profiles.iter().flat_map(|profile| {
        context.agents.sessions(profile).into_iter().map(|session| (profile.to_string(), session))
    });
    let sessions: Vec<_> = sessions.collect();
    let records = recorded(context, &profiles);
    let lost = sessions.iter().filter(|(_, session)| session.state == State::Lost);
    let is_missing = |name: &&str| binary::find(Path::new(name), &context.environment).is_none();
    Facts {
        integrations: integrations(herdr.as_ref(), &context.environment),
        herdr,
        host: look.as_ref().map_or(Host::Nobody, |look| host(context, look)),
        settings: context.warnings.iter().map(|warning| warning.message.clone()).collect(),
        overlay: gather::overlay(context).map_err(|failure| failure.message),
        plugin: plugin::standing(context),
        missing_programs: PROGRAMS.into_iter().filter(|name| is_missing(name)).collect(),
        shell: shell(context),
        unit: unit_facts(context, look.as_ref()),
        lost: lost.map(|(profile, session)| (profile.clone(), session.name.clone())).collect(),
        sessions: records.len(),
        broken: broken(context, records),
        leftovers: context.agents.leftovers(),
        exposed: exposed(context, &profiles),
    }
}

fn host(context: &Context, look: &Look) -> Host {
    let odd = |what: String, remedy: &str| Host::Odd { what, remedy: remedy.to_owned() };
    let session = &context.settings.session;
    match &look.owner {
        Owner::Nobody => Host::Nobody,
        Owner::Process { pid, is_proven: true, served: Served::Known(_) } => {
            let said = |name: &str| look.ping.as_ref().and_then(|ping| ping.get(name).cloned());
            Host::Runs {
                pid: *pid,
                version: said("version").as_ref().and_then(Value::as_str).map(ToOwned::to_owned),
                protocol: said("protocol").as_ref().and_then(Value::as_u64),
                is_overlay_in_force: is_in_force(context, look, *pid),
            }
        }
        Owner::Process { pid, is_proven: true, served: Served::Unknown } => odd(
            format!("pid {pid} owns the host, and does not answer"),
            "mam status; if it hangs: mam restart --all",
        ),
        Owner::Process { pid, is_proven: false, .. } => odd(
            format!("pid {pid} owns the host, and is not proved to be ours; it is left alone"),
            "mam status",
        ),
        Owner::Stranger { pid } => {
            let who = pid.map_or(String::new(), |pid| format!(" (pid {pid})"));
            let what = format!("a herdr server that mam did not start runs on session `{session}`{who}");
            odd(what, &format!("herdr --session {session} server stop, then: mam start"))
        }
        Owner::Unknowable { reason } => odd(
            format!("nobody can tell whether it runs: {reason}"),
            "make the state directory usable, or set MAM_STATE_DIR",
        ),
    }
}

/// Whether the live server was started on the recorded overlay.
fn is_in_force(context: &Context, look: &Look, pid: u32) -> Option<bool> {
    let recorded = look.record.as_ref()?.overlay.as_ref()?;
    let environment = context.kernel().environment(pid)?;
    Some(environment.get(HERDR_CONFIG_PATH.name) == Some(recorded.as_os_str()))
}

/// What herdr says of its integrations, and whether each one's agent is on `PATH`.
fn integrations(
    herdr: Option<&facts::Herdr>,
    environment: &Environment,
) -> Result<Vec<(Integration, bool)>, String> {
    let herdr = herdr.ok_or("there is no herdr")?;
    let mut command = Command::new(&herdr.path);
    for variable in [HERDR_SESSION, HERDR_SOCKET_PATH, HERDR_CONFIG_PATH] {
        command.env_remove(variable.name);
    }
    command.args(["integration", "status"]);
    let said = match child::run(command, LIMIT) {
        Run::Ended(answer) if answer.status.success() => String::from_utf8_lossy(&answer.stdout).into_owned(),
        Run::Ended(answer) => return Err(String::from_utf8_lossy(&answer.stderr).trim().to_owned()),
        Run::TimedOut => return Err(format!("no answer within {} s", LIMIT.as_secs())),
        Run::NotStarted(error) => return Err(error.to_string()),
    };
    let is_on_path = |name: &str| binary::find(Path::new(integrations::program(name)), environment).is_some();
    Ok(integrations::parse(&said)
        .into_iter()
        .map(|one| {
            let is_there = is_on_path(&one.name);
            (one, is_there)
        })
        .collect())
}

/// A recorded session: its profile, its name, and the record, or why it cannot be read.
type Recorded = (ProfileName, String, Result<SessionRecord, String>);

/// The records as they are on disk. The store would move a broken one aside.
fn recorded(context: &Context, profiles: &[ProfileName]) -> Vec<Recorded> {
    let mut found = Vec::new();
    for profile in profiles {
        let directory = profile.home(&context.places.home).join("sessions");
        for entry in fs_err::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.file_stem().and_then(|name| name.to_str()).map(ToOwned::to_owned);
            let (Some(name), true) = (name, path.extension().is_some_and(|extension| extension == "json"))
            else {
                continue;
            };
            let record = match files::read(&path, Trust::Ours) {
                Ok(None) => continue,
                // serde's own words would quote a value, which may be a secret.
                Ok(Some(bytes)) => serde_json::from_slice(&bytes)
                    .map_err(|error| format!("line {}, column {}", error.line(), error.column())),
                Err(error) => Err(error.to_string()),
            };
            found.push((profile.clone(), name, record));
        }
    }
    found.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    found
}

fn broken(context: &Context, records: Vec<Recorded>) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for (profile, name, record) in records {
        let problems = match record {
            Err(why) => vec![format!("its record cannot be read: {why}")],
            Ok(record) => {
                let (dot_env, _) = dot_env::load(&profile.home(&context.places.home));
                let is_given = |name: &str| {
                    dot_env.iter().any(|(given, _)| given == name)
                        || context.environment.variables().any(|(given, _)| given == name)
                };
                records::missing(
                    &record,
                    &World {
                        is_directory: &|path| path.is_dir(),
                        is_program: &|name| binary::find(Path::new(name), &context.environment).is_some(),
                        is_given: &is_given,
                    },
                )
            }
        };
        found.extend(problems.into_iter().map(|problem| (profile.to_string(), name.clone(), problem)));
    }
    found
}

fn shell(context: &Context) -> Result<Integrated, String> {
    let shell = profile_file::shell(&context.environment)?;
    let found = gather::integration(context, shell)?;
    let profile = found.profile.bytes.as_deref().unwrap_or_default();
    let path = found.profile.path.clone();
    let is_init_current = found.init.bytes.as_deref().is_some_and(|bytes| {
        [&found.init_text, &found.init_other].iter().any(|text| text.as_bytes() == bytes)
    });
    let stale = (!is_init_current).then(|| found.init.path.clone());
    Ok(match block::find(profile) {
        Err(odd) => Integrated::Odd(path, odd.line),
        Ok(Some(range)) => {
            let present = profile.get(range.clone()).unwrap_or_default();
            match block::first_difference(present, found.block.as_bytes()) {
                None => Integrated::Present { path, stale },
                Some(line) => Integrated::Odd(path, block::line_of(profile, range.start) + line - 1),
            }
        }
        // The user may have put the file anywhere.
        Ok(None) if block::by_hand_outside(profile, shell).is_some() => {
            Integrated::Present { path, stale: None }
        }
        Ok(None) => Integrated::Absent(path),
    })
}

fn unit_facts(context: &Context, look: Option<&Look>) -> Option<Unit> {
    let unit = unit::installed(context)?;
    let runs = look.is_some_and(|look| {
        look.is_lock_free
            && matches!(look.owner, Owner::Process { is_proven: true, served: Served::Known(_), .. })
    });
    let is_there = binary::Binary::at(Path::new(&unit.program)).is_some();
    Some(Unit {
        kind: unit.kind.name(),
        changed: unit.changed(),
        missing_program: (!is_there).then(|| unit.program.clone()),
        is_unsupervised: runs,
    })
}

/// What of mam's is open to others: the state directory with all that is in it, and of each home the
/// secrets, the records and the logs.
fn exposed(context: &Context, profiles: &[ProfileName]) -> Vec<Exposed> {
    let mut open = vec![context.places.state.clone()];
    for profile in profiles {
        let home = profile.home(&context.places.home);
        open.extend([".env", "sessions", "logs"].map(|name| home.join(name)));
    }
    let us = rustix::process::geteuid().as_raw();
    let mut found = Vec::new();
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let Ok(metadata) = fs_err::symlink_metadata(&path) else { continue };
        seen += 1;
        if seen > MOST_FILES || metadata.is_symlink() {
            continue;
        }
        let owner = (metadata.uid() != us).then(|| metadata.uid());
        let mode = metadata.mode() & 0o7777;
        if owner.is_some() || mode & 0o077 != 0 {
            found.push(Exposed { path: path.clone(), mode, owner });
        }
        if metadata.is_dir() && owner.is_none() {
            let entries = fs_err::read_dir(&path).into_iter().flatten().flatten();
            open.extend(entries.map(|entry| entry.path()));
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}
