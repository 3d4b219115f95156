//! The `herdr-sim` program: all of it is in the library.
fn main() -> std::process::ExitCode {
    herdr_sim::run()
}
