//! The herdrs that tests run on.

use std::path::PathBuf;

use super::home::{Home, run};

/// A herdr to test on.
#[derive(Debug)]
pub(crate) struct Herdr {
    pub(crate) name: &'static str,
    pub(crate) path: PathBuf,
}

impl Herdr {
    pub(crate) fn sim() -> Self {
        Self { name: "herdr-sim", path: env!("CARGO_BIN_EXE_herdr-sim").into() }
    }

    /// The simulator, and the real one when `MAM_TEST_HERDR` names it.
    #[expect(clippy::disallowed_methods, reason = "the one variable that a tester sets")]
    pub(crate) fn all() -> Vec<Self> {
        let real = std::env::var_os("MAM_TEST_HERDR").filter(|path| !path.is_empty());
        let real = real.map(|path| Self { name: "herdr", path: path.into() });
        std::iter::once(Self::sim()).chain(real).collect()
    }
}

/// Runs a test once for each herdr, in a home that has it on its PATH.
pub(crate) fn on_each(test: impl Fn(&Home)) {
    for herdr in Herdr::all() {
        eprintln!("on {}", herdr.name);
        let home = Home::new();
        home.link_program("herdr", &herdr.path);
        test(&home);
    }
}

/// What herdr itself says of the overlay in `home`: whether it reads the file at all.
pub(crate) fn reads_overlay(home: &Home) -> bool {
    let mut check = home.command(home.path("bin/herdr"));
    check.args(["config", "check"]).env("HERDR_CONFIG_PATH", home.overlay());
    let ran = run(&mut check);
    assert!(ran.stdout.starts_with("config: "), "{ran}");
    !ran.stdout.contains("using defaults\n")
}

/// Asserts that a herdr that is started on the overlay does not relaunch agents: it reads the file,
/// and the file says so.
#[track_caller]
pub(crate) fn assert_off(home: &Home, what: &str) {
    let text = home.overlay_text();
    assert!(reads_overlay(home), "{what}: herdr drops the overlay\n{text}");
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{what}: {error}\n{text}"));
    let setting = table.get("session").and_then(|session| session.get("resume_agents_on_restore"));
    assert_eq!(setting, Some(&toml::Value::Boolean(false)), "{what}\n{text}");
}
