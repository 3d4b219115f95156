//! The environment of an agent: its pane's, without what is another profile's, with what is its own.
//!
//! From weak to strong: the pane's environment, which is the host's; the `.env` of the agent's profile;
//! the variables of its record. What herdr says about the pane beats all of them, because the agent's
//! integration reports under it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use mam_share::variable::MAM_HOST;

/// What herdr's own variables begin with.
const HERDR: &[u8] = b"HERDR_";

/// Everything it is made from.
pub struct Sources<'a> {
    /// The environment of the pane.
    pub pane: &'a BTreeMap<OsString, OsString>,
    /// The root's `.env`, when the agent is another profile's: it is in the environment of the host.
    pub others: &'a [(String, String)],
    /// The `.env` of the agent's profile.
    pub own: &'a [(String, String)],
    /// The variables of the record.
    pub recorded: &'a [(String, OsString)],
    /// The directory of the agent.
    pub directory: &'a Path,
}

/// Puts it together.
pub fn compose(sources: &Sources<'_>) -> BTreeMap<OsString, OsString> {
    let is_others = |name: &OsStr, value: &OsStr| {
        sources.others.iter().any(|(other, secret)| name == OsStr::new(other) && value == OsStr::new(secret))
    };
    let is_passed = |name: &OsStr, value: &OsStr| name != MAM_HOST.name && !is_others(name, value);
    let pane = sources.pane.iter().filter(|(name, value)| is_passed(name, value));
    let mut environment: BTreeMap<OsString, OsString> =
        pane.map(|(name, value)| (name.clone(), value.clone())).collect();
    let own = sources.own.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let stronger =
        own.chain(sources.recorded.iter().map(|(name, value)| (OsString::from(name), value.clone())));
    environment.extend(stronger.filter(|(name, _)| !name.as_bytes().starts_with(HERDR)));
    // As a shell has it that went there.
    environment.insert("PWD".into(), sources.directory.into());
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_has_its_panes_its_profiles_and_its_own_variables_and_nobody_elses() {
        let pane = [
            ("HERDR_PANE_ID", "w1:p1"),
            ("HERDR_SOCKET_PATH", "/s"),
            ("HERDR_CONFIG_PATH", "/overlay"),
            ("TERM", "xterm-256color"),
            ("PATH", "/bin"),
            ("PWD", "/home"),
            ("MAM_HOST", "/state"),
            ("MAM_PROFILE", "ops"),
            ("API_KEY", "the root's"),
            ("TOKEN", "the user's own"),
        ];
        let pane = pane.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let pairs = |rows: &[(&str, &str)]| {
            rows.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
        };
        let others = pairs(&[("API_KEY", "the root's"), ("TOKEN", "another"), ("UNUSED", "x")]);
        let own = pairs(&[("API_KEY_2", "ops"), ("CONFIG", "of the profile"), ("HERDR_PANE_ID", "w9:p9")]);
        let recorded = [("CONFIG", "of the record"), ("HERDR_SOCKET_PATH", "/old"), ("EMPTY", "")];
        let recorded = recorded.map(|(name, value)| (name.to_owned(), value.into()));
        let directory = Path::new("/work");
        let composed =
            compose(&Sources { pane: &pane, others: &others, own: &own, recorded: &recorded, directory });
        let shown: Vec<_> =
            composed.iter().map(|(name, value)| (name.to_str().unwrap(), value.to_str().unwrap())).collect();
        let expected = [
            ("API_KEY_2", "ops"),
            ("CONFIG", "of the record"),
            ("EMPTY", ""),
            ("HERDR_CONFIG_PATH", "/overlay"),
            ("HERDR_PANE_ID", "w1:p1"),
            ("HERDR_SOCKET_PATH", "/s"),
            ("MAM_PROFILE", "ops"),
            ("PATH", "/bin"),
            ("PWD", "/work"),
            ("TERM", "xterm-256color"),
            ("TOKEN", "the user's own"),
        ];
        assert_eq!(shown, expected);
    }
}
