//! `mam-restore-hook`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mam_hook::run()
}
