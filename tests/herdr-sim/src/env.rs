//! The environment, read the way herdr reads it: a value that is not UTF-8 counts as unset.

use std::time::Duration;

/// The value of a variable; a set but empty one is `Some("")`.
pub(crate) fn var(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A test switch `HERDR_SIM_<name>`; an empty one counts as unset.
pub(crate) fn switch(name: &str) -> Option<String> {
    var(&format!("HERDR_SIM_{name}")).filter(|value| !value.is_empty())
}

/// A test switch that holds milliseconds.
pub(crate) fn millis(name: &str, default: u64) -> Duration {
    let given = switch(name).and_then(|value| value.parse().ok());
    Duration::from_millis(given.unwrap_or(default))
}

/// The version that the simulator claims to be.
pub(crate) fn version() -> String {
    switch("VERSION").unwrap_or_else(|| "0.8.2".to_owned())
}
