//! Gathers what the environment of a server is made from.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use mam_share::environment::Environment;
use mam_share::message::Warning;
use mam_share::variable::{HERDR_CONFIG_PATH, MAM_HOME, MAM_HOST, MAM_STATE_DIR};

use crate::context::Context;
use crate::dot_env;
use crate::seat;
use crate::surroundings::{self, Decided, Sources, Why};

/// Whose server it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The host: the root's secrets, whoever starts it.
    Host,
    /// A profile's own server beside the host: that profile's secrets.
    Own,
}

/// Decides about every variable of a server that reads `overlay`.
pub fn surroundings(
    context: &Context,
    whose: Whose,
    overlay: Option<&OsStr>,
) -> (BTreeMap<OsString, Decided>, Vec<Warning>) {
    let (home, settings) = match whose {
        Whose::Host => (&context.places.home, &context.settings),
        Whose::Own => (&context.home, &context.own),
    };
    let (dot_env, mut warnings) = dot_env::load(home);
    // In a pane of a named profile its secrets are in the environment. A value that its `.env` gives is
    // nobody else's, under whatever name.
    let theirs = if whose == Whose::Host && context.caller != context.places.home {
        let (theirs, odd) = dot_env::load(&context.caller);
        warnings.extend(odd);
        theirs
    } else {
        Vec::new()
    };
    let is_theirs = |name: &OsStr, value: &OsStr| {
        theirs.iter().any(|(theirs, secret)| name == OsStr::new(theirs) && value == OsStr::new(secret))
    };
    let caller = context.environment.variables().filter(|(name, value)| !is_theirs(name, value)).collect();
    let set = |variable: mam_share::variable::Variable| context.environment.filled(variable).is_some();
    let mut ours = Vec::new();
    if let Some(overlay) = overlay {
        ours.push((HERDR_CONFIG_PATH.name, overlay.to_owned()));
    }
    let mark = match whose {
        Whose::Host => context.places.state.clone(),
        Whose::Own => seat::own_directory(&context.places.state, &context.profile),
    };
    ours.push((MAM_HOST.name, mark.into_os_string()));
    // They may be relative to a directory that the server does not start in.
    if set(MAM_HOME) {
        ours.push((MAM_HOME.name, context.places.home.clone().into_os_string()));
    }
    if set(MAM_STATE_DIR) {
        ours.push((MAM_STATE_DIR.name, context.places.state.clone().into_os_string()));
    }
    let decided = surroundings::decide(&Sources { caller, named: settings.pass.clone(), dot_env, ours });
    (decided, warnings)
}

/// The variables that are in, as an environment of a process.
pub fn environment(context: &Context, decided: &BTreeMap<OsString, Decided>) -> Environment {
    let variables = decided.iter().filter(|(_, decided)| decided.is_in());
    let variables = variables.map(|(name, decided)| (name.clone(), decided.value.clone()));
    let directory = context.environment.current_dir().to_owned();
    Environment::new(variables, directory, context.environment.temp_dir())
}

/// The environment of a `mam run` that is started in the background: what the server will have, without
/// anybody's secrets (it reads the root's itself), and the user's own `HERDR_CONFIG_PATH`, which says
/// what to render.
pub fn of_background(context: &Context, whose: Whose) -> Vec<(OsString, OsString)> {
    let (decided, _) = surroundings(context, whose, None);
    let passes = |why: Why| matches!(why, Why::Allowed | Why::Named | Why::Ours);
    let mut variables: Vec<_> = decided
        .into_iter()
        .filter(|(name, decided)| passes(decided.why) && name != MAM_HOST.name)
        .map(|(name, decided)| (name, decided.value))
        .collect();
    if let Some(path) = context.environment.filled(HERDR_CONFIG_PATH) {
        variables.push((HERDR_CONFIG_PATH.name.into(), context.environment.absolute(path).into()));
    }
    variables
}

/// What the caller's shell had exported and the host does not get, for people.
pub fn dropped(decided: &BTreeMap<OsString, Decided>) -> Vec<String> {
    const SHELLS_OWN: &[&str] = &["PWD", "OLDPWD", "SHLVL", "_", "NO_COLOR"];
    let is_news = |name: &str| !SHELLS_OWN.contains(&name);
    let dropped = decided.iter().filter(|(_, decided)| decided.why == Why::Dropped);
    dropped
        .filter_map(|(name, _)| name.to_str())
        .filter(|name| is_news(name))
        .map(ToOwned::to_owned)
        .collect()
}
