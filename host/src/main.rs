//! `mam`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mam_host::run()
}
