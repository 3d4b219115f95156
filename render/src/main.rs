//! `mam-render-config`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mam_render::run()
}
