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

use super::record::{Source, Variable};

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
    pub recorded: &'a [(OsString, OsString)],
    /// The directory of the agent.
    pub directory: &'a Path,
}

/// The variables of a record with their values: stored ones from it, references from what was handed over,
/// else from the `.env` of the agent's profile, where the last entry of a name counts. What an adopted
/// agent merely had is left out.
///
/// # Errors
/// The name of a reference that has no value.
pub fn recorded(
    variables: &[Variable],
    handed: &BTreeMap<OsString, OsString>,
    own: &[(String, String)],
) -> Result<Vec<(OsString, OsString)>, String> {
    let of_file = |name: &str| own.iter().rfind(|(own, _)| own == name).map(|(_, value)| value.into());
    let value = |variable: &Variable| match &variable.source {
        Source::Stored { value } => Some(Ok(value.clone())),
        Source::Reference { .. } => {
            let value = handed.get(OsStr::new(&variable.name)).cloned().or_else(|| of_file(&variable.name));
            Some(value.ok_or_else(|| variable.name.clone()))
        }
        Source::Noted => None,
    };
    variables
        .iter()
        .filter_map(|variable| Some((OsString::from(&variable.name), value(variable)?)))
        .map(|(name, value)| value.map(|value| (name, value)))
        .collect()
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
    let stronger = own.chain(sources.recorded.iter().cloned());
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
        let recorded = recorded.map(|(name, value)| (name.into(), value.into()));
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

    #[test]
    fn a_reference_is_taken_from_whoever_asked_then_from_the_profile_and_never_made_up() {
        let variable = |name: &str, source: Source| Variable { name: name.to_owned(), source };
        let reference = || Source::Reference { seen: None };
        let own = [("FILE", "old"), ("FILE", "new"), ("BOTH", "file")];
        let own: Vec<_> = own.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let handed = BTreeMap::from([("BOTH".into(), "caller".into()), ("EMPTY".into(), OsString::new())]);
        let variables = [
            variable("STORED", Source::Stored { value: "in the record".into() }),
            variable("FILE", reference()),
            variable("BOTH", reference()),
            variable("EMPTY", reference()),
            variable("NOTED", Source::Noted),
        ];
        let expected = [("STORED", "in the record"), ("FILE", "new"), ("BOTH", "caller"), ("EMPTY", "")];
        let expected = expected.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        assert_eq!(recorded(&variables, &handed, &own), Ok(expected.into()));
        let missing = [variable("GONE", reference())];
        assert_eq!(recorded(&missing, &handed, &own), Err("GONE".to_owned()));
    }
}
