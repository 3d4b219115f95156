//! What a pane is told about the agent that it is to run.
//!
//! The command of a plugin's pane stands in the manifest and takes no arguments, so everything goes
//! through the pane's environment, which herdr neither prints nor keeps. Whoever opens the pane passes
//! [`variables`] as `env` of `plugin.pane.open`; `mam launch` takes them out again with [`take`], so
//! that neither the agent nor the shell after it has them:
//!
//! | variable | |
//! |---|---|
//! | `MAM_LAUNCH` | the record's name |
//! | `MAM_PROFILE` | its profile, when it is not the root's. The one that stays: `mam` in the pane is the profile's |
//! | `MAM_VALUE_X` | the value of the record's reference `X`, when the caller had one. The `.env` of the profile beats it |
//!
//! What is stored in the record, and the profile's `.env`, `mam launch` reads itself. A plain `X` in the
//! environment of the pane is the host's, which may be another profile's: it is no value of a reference.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

use mam_share::environment::Environment;
use mam_share::variable::{MAM_LAUNCH, MAM_PROFILE};

use crate::profile::ProfileName;

/// What the name of a variable with a handed-over value begins with.
const PREFIX: &str = "MAM_VALUE_";

/// The variables of a pane that runs `mam launch`: the record `name` of `profile`, with the values of
/// references that the caller has. Only UTF-8 goes through herdr.
pub fn variables(profile: &ProfileName, name: &str, values: &[(String, String)]) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::from([(MAM_LAUNCH.name.to_owned(), name.to_owned())]);
    if !profile.is_root() {
        variables.insert(MAM_PROFILE.name.to_owned(), profile.to_string());
    }
    variables.extend(values.iter().map(|(name, value)| (format!("{PREFIX}{name}"), value.clone())));
    variables
}

/// What was handed over. It holds secrets, and so cannot be printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Handover {
    /// The record's name, as it was given.
    pub name: Option<OsString>,
    /// The values of references.
    pub values: BTreeMap<OsString, OsString>,
    /// The pane's own environment.
    pub pane: BTreeMap<OsString, OsString>,
}

/// Takes the environment of a pane apart.
pub fn take(environment: &Environment) -> Handover {
    let mut taken = Handover::default();
    for (name, value) in environment.variables() {
        let handed = name.as_bytes().strip_prefix(PREFIX.as_bytes()).filter(|name| !name.is_empty());
        if let Some(name) = handed {
            taken.values.insert(OsStr::from_bytes(name).to_owned(), value.to_owned());
        } else if name == MAM_LAUNCH.name {
            taken.name = Some(value.to_owned()).filter(|name| !name.is_empty());
        } else {
            taken.pane.insert(name.to_owned(), value.to_owned());
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_over_is_taken_out_again() {
        let ops = "ops".parse().unwrap();
        let values = [("TOKEN".to_owned(), "se=cret\n".to_owned()), ("EMPTY".to_owned(), String::new())];
        let mut handed = variables(&ops, "review", &values);
        assert_eq!(handed.get("MAM_PROFILE").map(String::as_str), Some("ops"));
        handed.insert("HERDR_PANE_ID".to_owned(), "w1:p1".to_owned());
        handed.insert("TOKEN".to_owned(), "the host's".to_owned());
        let taken = take(&Environment::new(handed, "/", "/tmp"));
        assert_eq!(taken.name, Some("review".into()));
        let expected = [("EMPTY", ""), ("TOKEN", "se=cret\n")];
        assert!(
            taken
                .values
                .iter()
                .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
                .eq(expected.iter().map(|(name, value)| (OsStr::new(*name), OsStr::new(*value))))
        );
        let names: Vec<_> = taken.pane.keys().map(|name| name.to_str().unwrap()).collect();
        assert_eq!(names, ["HERDR_PANE_ID", "MAM_PROFILE", "TOKEN"]);
        assert!(!variables(&ProfileName::root(), "x", &[]).contains_key("MAM_PROFILE"));
    }
}
