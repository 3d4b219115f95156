//! `mam-restore-hook` end to end: on the simulator, and on the herdr that `MAM_TEST_HERDR` names.
//!
//! Every test body takes a [`rig::Rig`]: a throw-away home with one herdr in it. The bodies are the same
//! for both herdrs; `on_each_herdr!` makes the tests of them.

/// Two tests of each function: `simulated::NAME` and `real::NAME`.
macro_rules! on_each_herdr {
    ($($name:ident),* $(,)?) => {
        mod simulated {
            $(#[test] fn $name() { super::super::on(super::super::rig::Which::Simulated, super::$name); })*
        }
        mod real {
            $(#[test] fn $name() { super::super::on(super::super::rig::Which::Real, super::$name); })*
        }
    };
}

mod busy;
mod calls;
mod crowd;
mod faults;
mod idle;
mod never;
mod plugin;
pub(crate) mod rig;
mod said;
mod schedules;
mod seed;
mod told;
mod typed;
mod worktrees;

/// Runs one body on one herdr. Without it the test is skipped, which [`rig::Rig::new`] says.
fn on(which: rig::Which, body: fn(&mut rig::Rig)) {
    if let Some(mut rig) = rig::Rig::new(which) {
        body(&mut rig);
    }
}
