//! Tools that a test needs and a machine may not have.

use std::path::PathBuf;

/// The path of a tool. Without it, says so and returns `None`; with `MAM_TEST_REQUIRE=1` that fails.
#[expect(clippy::disallowed_methods, reason = "the tester's own PATH and wishes")]
pub(crate) fn needs(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|directory| directory.join(tool)).find(|path| path.is_file());
    if found.is_none() {
        skip(tool);
    }
    found
}

/// Whether the tests run as root. Without it, says so; with `MAM_TEST_REQUIRE=1` that fails.
pub(crate) fn needs_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip("root");
    }
    is_root
}

#[expect(clippy::disallowed_methods, reason = "the tester's own wishes")]
pub(crate) fn skip(what: &str) {
    println!("skipped: needs {what}");
    let required = std::env::var_os("MAM_TEST_REQUIRE").is_some_and(|value| value == "1");
    assert!(!required, "needs {what}, and MAM_TEST_REQUIRE=1 allows no skipping");
}
