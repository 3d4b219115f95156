//! Whether the process of a record still is that process.

use mam_share::process::{Kernel, State};

use super::record::ProcessId;
use crate::handle::started_of;

/// Whether a recorded process lives: the same pid, start and boot. What cannot be told counts as alive. One
/// that is dead and not yet collected is dead: in a container nobody may ever do that.
pub fn is_alive(kernel: &dyn Kernel, process: &ProcessId) -> bool {
    let is_other_boot = match (&process.boot, kernel.boot()) {
        (Some(then), Some(now)) => *then != now,
        (None, _) | (_, None) => false,
    };
    let started = started_of(kernel, process.pid);
    !is_other_boot
        && started.is_some()
        && (process.start.is_none() || process.start == started)
        && !is_zombie(kernel, process.pid)
}

/// A process as a record keeps it.
pub fn identity(kernel: &dyn Kernel, pid: u32) -> ProcessId {
    ProcessId { pid, start: started_of(kernel, pid), boot: kernel.boot() }
}

fn is_zombie(kernel: &dyn Kernel, pid: u32) -> bool {
    kernel.table().is_ok_and(|table| table.get(pid).is_some_and(|found| found.state == State::Zombie))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_is_alive_until_it_is_dead_or_another_one() {
        let kernel = mam_share::process::kernel();
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let process = identity(&kernel, child.id());
        assert!(is_alive(&kernel, &process));
        assert!(is_alive(&kernel, &ProcessId { start: None, boot: None, ..process.clone() }));
        assert!(!is_alive(
            &kernel,
            &ProcessId { start: process.start.map(|start| start + 10), ..process.clone() }
        ));
        assert!(!is_alive(&kernel, &ProcessId { boot: Some("another".into()), ..process.clone() }));
        child.kill().unwrap();
        // Nobody has collected it.
        for _ in 0..500 {
            if !is_alive(&kernel, &process) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(!is_alive(&kernel, &process));
        child.wait().unwrap();
        assert!(!is_alive(&kernel, &process));
    }
}
