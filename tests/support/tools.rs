//! Tools that a test needs and a machine may not have.

use std::path::PathBuf;

/// The path of a tool. Without it, says so and returns `None`; with `MAM_TEST_REQUIRE=1` that fails.
#[expect(clippy::disallowed_methods, reason = "the tester's own PATH and wishes")]
pub(crate) fn needs(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|directory| directory.join(tool)).find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: needs {tool}");
        let required = std::env::var_os("MAM_TEST_REQUIRE").is_some_and(|value| value == "1");
        assert!(!required, "needs {tool}, and MAM_TEST_REQUIRE=1 allows no skipping");
    }
    found
}
