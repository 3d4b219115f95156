//! herdr-sim: a small stand-in for the terminal multiplexer herdr 0.8.2, for tests.

mod cli;
mod config;
mod env;
mod paths;

/// Runs the program on the arguments of the process.
#[must_use]
pub fn run() -> std::process::ExitCode {
    cli::run()
}
