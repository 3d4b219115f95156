//! mam's plugin of herdr: whether herdr has it, and linking it when not.

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

/// Links the plugin when it is not. The host works without it, but restored shells stay.
pub fn ensure(context: &Context) {
    if is_linked(context) == Some(true) {
        return;
    }
    let Some(installer) = sibling::find(INSTALLER, &context.environment) else {
        context.step(&format!("`{INSTALLER}` is not installed: restored shells stay where they are"));
        return;
    };
    let (decided, _) = gather::surroundings(context, Whose::Host, None);
    let mut command = Command::new(installer);
    command.arg("install").env_clear().envs(gather::environment(context, &decided).variables());
    let failed = match child::run(command, LIMIT) {
        Run::Ended(answer) if answer.status.success() => {
            context.say("mam's plugin is linked: leftovers of restored agents will be closed");
            return;
        }
        Run::Ended(answer) => String::from_utf8_lossy(&answer.stderr).trim().to_owned(),
        Run::TimedOut => format!("it did not end within {} s", LIMIT.as_secs()),
        Run::NotStarted(error) => error.to_string(),
    };
    let text = format!("mam's plugin is not linked: {failed}");
    context.warn(&Warning::new(text).hint(format!("{INSTALLER} install")));
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
