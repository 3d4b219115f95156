//! mam's plugin of herdr: whether herdr has it, and linking it when not.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use mam_share::child::{self, Run};
use mam_share::files::{self, Trust};
use mam_share::herdr::places;
use mam_share::message::Warning;
use mam_share::sibling;
use serde_json::Value;

use crate::context::Context;
use crate::gather::{self, Whose};
use crate::setup::facts::Plugin;

/// The plugin's id.
const ID: &str = "mam";

/// The program that installs it.
const INSTALLER: &str = "mam-restore-hook";

/// How long that may take.
const LIMIT: Duration = Duration::from_secs(20);

/// Whether herdr has the plugin, by its registry; `None` when that cannot be read.
pub fn is_linked(context: &Context) -> Option<bool> {
    let path = places::config_dir(&context.environment).join("plugins.json");
    let Some(bytes) = files::read(&path, Trust::Ours).ok()? else { return Some(false) };
    let registry: Value = serde_json::from_slice(&bytes).ok()?;
    Some(has(&registry))
}

/// Whether a registry has the plugin. Its form is herdr's own, so every object that calls itself so
/// counts.
fn has(value: &Value) -> bool {
    match value {
        Value::Object(object) => {
            ["id", "plugin_id"].iter().any(|key| object.get(*key).and_then(Value::as_str) == Some(ID))
                || object.values().any(has)
        }
        Value::Array(list) => list.iter().any(has),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// How things stand, with nothing changed: herdr is asked only when it has some plugin of this id, as its
/// list command makes files where there are none.
pub fn standing(context: &Context) -> Plugin {
    match is_linked(context) {
        Some(false) if installer(context).is_none() => Plugin::NoInstaller,
        Some(false) => Plugin::NotLinked,
        None => Plugin::Unknown("herdr's registry cannot be read".to_owned()),
        Some(true) => match call(context, &["install", "--check"]) {
            None => Plugin::NoInstaller,
            Some(Run::Ended(answer)) => {
                let said =
                    String::from_utf8_lossy(&[answer.stdout, answer.stderr].concat()).trim().to_owned();
                match answer.status.code() {
                    Some(0) => Plugin::Current,
                    Some(1) if said.contains("switched off") => Plugin::Off,
                    Some(1) => Plugin::NotCurrent(said),
                    Some(_) | None => Plugin::Unknown(said),
                }
            }
            Some(Run::TimedOut) => Plugin::Unknown(format!("it did not end within {} s", LIMIT.as_secs())),
            Some(Run::NotStarted(error)) => Plugin::Unknown(error.to_string()),
        },
    }
}

/// Links the plugin, also when it is linked already.
///
/// # Errors
/// What the installer said.
pub fn link(context: &Context) -> Result<(), String> {
    done(call(context, &["install"]))
}

/// Takes the plugin out of herdr.
///
/// # Errors
/// What the installer said.
pub fn unlink(context: &Context) -> Result<(), String> {
    done(call(context, &["uninstall"]))
}

/// Runs the installer, as the host would be; `None` when it is not installed.
fn call(context: &Context, arguments: &[&str]) -> Option<Run> {
    let (decided, _) = gather::surroundings(context, Whose::Host, None);
    let mut command = Command::new(installer(context)?);
    command.args(arguments).env_clear().envs(gather::environment(context, &decided).variables());
    Some(child::run(command, LIMIT))
}

fn done(run: Option<Run>) -> Result<(), String> {
    match run {
        None => Err(format!("`{INSTALLER}` is not installed")),
        Some(Run::Ended(answer)) if answer.status.success() => Ok(()),
        Some(Run::Ended(answer)) => Err(String::from_utf8_lossy(&answer.stderr).trim().to_owned()),
        Some(Run::TimedOut) => Err(format!("it did not end within {} s", LIMIT.as_secs())),
        Some(Run::NotStarted(error)) => Err(error.to_string()),
    }
}

/// Links the plugin when it is not. The host works without it, but restored shells stay.
pub fn ensure(context: &Context) {
    if is_linked(context) == Some(true) {
        return;
    }
    if installer(context).is_none() {
        context.step(&format!("`{INSTALLER}` is not installed: restored shells stay where they are"));
        return;
    }
    match link(context) {
        Ok(()) => context.say("mam's plugin is linked: leftovers of restored agents will be closed"),
        Err(failed) => {
            let text = format!("mam's plugin is not linked: {failed}");
            context.warn(&Warning::new(text).hint(format!("{INSTALLER} install")));
        }
    }
}

fn installer(context: &Context) -> Option<PathBuf> {
    sibling::find(INSTALLER, &context.environment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plugin_is_found_wherever_herdr_keeps_it() {
        for (text, expected) in [
            (r#"{"plugins":[{"id":"mam"}]}"#, true),
            (r#"{"plugins":{"x":{"plugin_id":"mam"}}}"#, true),
            (r#"{"plugins":[{"id":"other","name":"mam"}]}"#, false),
            ("[]", false),
        ] {
            assert_eq!(has(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
