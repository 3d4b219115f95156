//! Has the unwinder of GCC linked into the programs instead of loaded at every start: finding, mapping
//! and relocating `libgcc_s.so.1` takes a fifth of the time of a run that has nothing to do.
//!
//! The archive comes with every GCC for GNU/Linux. Where it is not found, and on other systems, the
//! library is loaded as ever.
#![expect(clippy::disallowed_methods, reason = "how Cargo speaks to a build script; it runs at build time")]

use std::env;
use std::path::Path;
use std::process::Command;

const ARCHIVE: &str = "libgcc_eh.a";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    if is_loaded_by_default() && linker_has_archive() {
        // The linker finds it itself; it comes before the shared library, which is then not needed.
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Whether Rust's own libraries ask for the shared unwinder on this target.
fn is_loaded_by_default() -> bool {
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let is_static = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    target("OS") == "linux" && target("ENV") == "gnu" && !is_static
}

fn linker_has_archive() -> bool {
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let Ok(answer) = Command::new(linker).arg(format!("-print-file-name={ARCHIVE}")).output() else {
        return false;
    };
    // A compiler that has no such file answers with the bare name.
    let path = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    path != ARCHIVE && Path::new(&path).is_file()
}
