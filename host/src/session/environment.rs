//! The variables of a launch, from the record, the profile's `.env` and the caller.

use std::ffi::{OsStr, OsString};
use std::fmt;

use super::fingerprint::{Comparison, Key};
use super::record::{Source, Variable};

/// The variables that an agent gets on top of the host's, and what is to be said about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Names and values, in the order of the record.
    pub variables: Vec<(String, OsString)>,
    /// References whose value is not the one of the last launch.
    pub changed: Vec<String>,
    /// The record's variables, with the marks of the values that were found: what the record keeps.
    pub recorded: Vec<Variable>,
}

/// Names that nothing has a value for: all of them, so that one look is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(pub Vec<String>);

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(|name| format!("`{name}`")).collect();
        write!(formatter, "{} is neither in the profile's `.env` nor in the environment", names.join(", "))
    }
}

/// Finds the value of each variable: a stored one in the record, a reference in `dot_env`, else with the
/// `caller`. Without a `key` no mark is made or compared.
///
/// # Errors
/// [`Missing`] names every reference that has no value.
pub fn resolve<'a>(
    recorded: &[Variable],
    dot_env: &[(String, String)],
    caller: impl Fn(&str) -> Option<&'a OsStr>,
    key: Option<&Key>,
) -> Result<Resolved, Missing> {
    let mut resolved = Resolved::default();
    let mut missing = Vec::new();
    for variable in recorded {
        let name = &variable.name;
        let mut kept = variable.clone();
        match &variable.source {
            Source::Stored { value } => resolved.variables.push((name.clone(), value.clone())),
            // What an adopted agent happened to have: it gets it where it is, and can do without.
            Source::Noted => {
                let found = found(name, dot_env, &caller);
                resolved.variables.extend(found.map(|value| (name.clone(), value)));
            }
            Source::Reference { seen } => {
                let Some(value) = found(name, dot_env, &caller) else {
                    missing.push(name.clone());
                    continue;
                };
                if let (Some(key), Some(seen)) = (key, seen)
                    && key.compare(seen, name, &value) == Comparison::Changed
                {
                    resolved.changed.push(name.clone());
                }
                let mark = key.map(|key| key.mark(name, &value));
                kept.source = Source::Reference { seen: mark.or_else(|| seen.clone()) };
                resolved.variables.push((name.clone(), value));
            }
        }
        resolved.recorded.push(kept);
    }
    if missing.is_empty() { Ok(resolved) } else { Err(Missing(missing)) }
}

fn found<'a>(
    name: &str,
    dot_env: &[(String, String)],
    caller: &impl Fn(&str) -> Option<&'a OsStr>,
) -> Option<OsString> {
    // The last line of a file wins, as in a shell.
    let own = dot_env.iter().rev().find(|(own, _)| own == name).map(|(_, value)| OsString::from(value));
    own.or_else(|| caller(name).map(OsStr::to_owned))
}

/// A variable as it is given on a command line: `NAME=VALUE` is stored, `NAME` is a reference.
///
/// # Errors
/// Why it is neither.
pub fn parse(given: &OsStr) -> Result<Variable, String> {
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = given.as_bytes();
    let (name, source) = match bytes.iter().position(|byte| *byte == b'=') {
        None => (bytes, Source::Reference { seen: None }),
        Some(place) => {
            let (name, value) = bytes.split_at_checked(place).unwrap_or((bytes, &[]));
            let value = OsStr::from_bytes(value.get(1..).unwrap_or_default()).to_owned();
            (name, Source::Stored { value })
        }
    };
    let name = std::str::from_utf8(name).ok().filter(|name| is_name(name));
    // The value may be a secret and is not shown.
    let name = name.ok_or("a variable is NAME or NAME=VALUE, with letters, digits and `_` in the name")?;
    Ok(Variable { name: name.to_owned(), source })
}

/// Whether a shell could set a variable of this name.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(name: &str, seen: Option<(&Key, &str)>) -> Variable {
        let seen = seen.map(|(key, value)| key.mark(name, OsStr::new(value)));
        Variable { name: name.to_owned(), source: Source::Reference { seen } }
    }

    fn stored(name: &str, value: &str) -> Variable {
        Variable { name: name.to_owned(), source: Source::Stored { value: value.into() } }
    }

    #[test]
    fn values_come_from_the_record_the_profile_and_the_caller_in_this_order() {
        let key = Key::new([3; 16]);
        let caller = |name: &str| matches!(name, "CALLER" | "BOTH" | "NOTED").then(|| OsStr::new("caller's"));
        let dot_env = [("BOTH".to_owned(), "first".to_owned()), ("BOTH".to_owned(), "profile's".to_owned())];
        let recorded = [
            stored("BOTH2", "$x y"),
            reference("BOTH", Some((&key, "other"))),
            reference("CALLER", Some((&key, "caller's"))),
            Variable { name: "NOTED".into(), source: Source::Noted },
            Variable { name: "GONE".into(), source: Source::Noted },
        ];
        let resolved = resolve(&recorded, &dot_env, caller, Some(&key)).unwrap();
        let expected =
            [("BOTH2", "$x y"), ("BOTH", "profile's"), ("CALLER", "caller's"), ("NOTED", "caller's")];
        assert_eq!(
            resolved.variables,
            expected.map(|(name, value)| (name.to_owned(), OsString::from(value)))
        );
        assert_eq!(resolved.changed, ["BOTH"]);
        // The next launch compares with this one, and nothing but marks is kept.
        assert_eq!(resolved.recorded[1], reference("BOTH", Some((&key, "profile's"))));
        let text = serde_json::to_string(&resolved.recorded).unwrap();
        assert!(!text.contains("profile's") && !text.contains("caller's"), "{text}");
    }

    #[test]
    fn everything_that_is_missing_is_named_at_once() {
        let recorded = [reference("ONE", None), stored("TWO", ""), reference("THREE", None)];
        let missing = resolve(&recorded, &[], |_| None, None).unwrap_err();
        assert_eq!(missing.0, ["ONE", "THREE"]);
        assert!(missing.to_string().starts_with("`ONE`, `THREE` is neither in"), "{missing}");
    }

    #[test]
    fn without_the_key_of_the_last_time_nothing_is_said() {
        let (ours, theirs) = (Key::new([1; 16]), Key::new([2; 16]));
        let recorded = [reference("A", Some((&theirs, "x")))];
        let caller = |_: &str| Some(OsStr::new("y"));
        for key in [None, Some(&ours)] {
            assert_eq!(resolve(&recorded, &[], caller, key).unwrap().changed, Vec::<String>::new());
        }
    }

    #[test]
    fn a_variable_is_given_with_or_without_its_value() {
        assert_eq!(parse(OsStr::new("A=b=c")), Ok(stored("A", "b=c")));
        assert_eq!(parse(OsStr::new("A=")), Ok(stored("A", "")));
        assert_eq!(parse(OsStr::new("A_1")), Ok(reference("A_1", None)));
        for odd in ["", "=x", "1A=x", "A B=secret", "Ä"] {
            let why = parse(OsStr::new(odd)).unwrap_err();
            assert!(!why.contains("secret"), "{odd}");
        }
    }
}
