//! `mam-render-config`. On GNU/Linux the C library enters it directly, which is a good deal faster: see
//! `mam_share::start`. There the arguments are known without Rust's own start, too.
#![cfg_attr(all(not(test), target_os = "linux", target_env = "gnu"), no_main)]

#[cfg(all(not(test), target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the C library looks for a function of this name and type")]
// SAFETY: no other function of this program has the name.
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    mam_render::run_bare() as i32
}

#[cfg(not(all(not(test), target_os = "linux", target_env = "gnu")))]
fn main() -> std::process::ExitCode {
    mam_render::run()
}
