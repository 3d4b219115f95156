//! `sim …`: what a user does in herdr's screens, as verbs that tests can call.

use super::{Exit, usage};
use crate::config::edit;
use crate::paths;

/// `herdr-sim sim …`.
pub(super) fn run(args: &[&str]) -> Exit {
    match args {
        ["set-theme", name] => write(|text| {
            let named = edit::set(text, "theme", "name", &format!("\"{name}\""));
            edit::set(&named, "theme", "auto_switch", "false")
        }),
        ["finish-onboarding"] => write(|text| edit::set_top_level(text, "onboarding", "false")),
        _ => usage("sim <set-theme NAME|finish-onboarding>"),
    }
}

fn write(edited: impl FnOnce(&str) -> String) -> Exit {
    edit::rewrite(&paths::config_file(), edited).map_err(|error| error.to_string())?;
    Ok(0)
}
