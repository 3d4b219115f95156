//! End-to-end tests: real programs, real files, real shells.
//!
//! Each test has a home of its own under `/tmp` and runs the binaries that were just built. Tests
//! that need a herdr run on herdr-sim and, when `MAM_TEST_HERDR` names one, on a real herdr as well.
//! A test that needs an absent tool says `skipped: needs …`, and fails when `MAM_TEST_REQUIRE=1`.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test ends with a panic, and tells its tester what it skipped"
)]

mod adoption;
mod hook;
mod host;
mod json;
mod launch;
mod package;
mod readme;
mod reference;
mod render;
mod session;
mod setup;
mod shell;
mod support;
mod tidy;
mod tour;
mod words;
