//! What a recorded session needs to be resumed and does not have any more.

use std::ffi::OsStr;
use std::path::Path;

use crate::session::record::{SessionRecord, Source};

/// The world of a record.
pub struct World<'a> {
    /// Whether there is such a directory.
    pub is_directory: &'a dyn Fn(&Path) -> bool,
    /// Whether there is such a program.
    pub is_program: &'a dyn Fn(&OsStr) -> bool,
    /// Whether somebody gives such a variable.
    pub is_given: &'a dyn Fn(&str) -> bool,
}

/// What is missing, in words.
pub fn missing(record: &SessionRecord, world: &World<'_>) -> Vec<String> {
    let mut found = Vec::new();
    if !(world.is_directory)(&record.cwd) {
        found.push(format!("its directory `{}` is gone", record.cwd.display()));
    }
    match record.argv.first() {
        None => found.push("it has no command line".to_owned()),
        Some(program) if !(world.is_program)(program) => {
            found.push(format!("its program `{}` is not there", program.to_string_lossy()));
        }
        Some(_) => {}
    }
    for variable in &record.environment {
        match variable.source {
            Source::Reference { .. } if !(world.is_given)(&variable.name) => {
                found.push(format!("its variable {} is in neither .env nor this environment", variable.name));
            }
            Source::Reference { .. } | Source::Stored { .. } | Source::Noted => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> SessionRecord {
        serde_json::from_str(
            r#"{"version": 1, "name": "a", "agent": "claude", "argv": ["claude", "-x"], "flags": "known",
            "cwd": "/src", "session": "mam", "origin": "created", "status": {"state": "launching", "at": ""},
            "environment": [{"name": "TOKEN", "source": "reference"}, {"name": "X", "source": "noted"}]}"#,
        )
        .unwrap()
    }

    #[test]
    fn each_missing_thing_is_named() {
        let says = |directory: bool, program: bool, variable: bool| {
            let world = World {
                is_directory: &move |path| directory && path == Path::new("/src"),
                is_program: &move |name| program && name == "claude",
                is_given: &move |name| variable && name == "TOKEN",
            };
            missing(&record(), &world)
        };
        assert_eq!(says(true, true, true), [""; 0]);
        assert_eq!(says(false, true, true), ["its directory `/src` is gone"]);
        assert_eq!(says(true, false, true), ["its program `claude` is not there"]);
        assert_eq!(says(true, true, false), ["its variable TOKEN is in neither .env nor this environment"]);
        let none = SessionRecord { argv: Vec::new(), ..record() };
        let world = World { is_directory: &|_| true, is_program: &|_| true, is_given: &|_| true };
        assert_eq!(missing(&none, &world), ["it has no command line"]);
    }
}
