//! `mam start` links mam's plugin, without which nobody closes a leftover.

use super::rig::{Rig, is_alive, on_each};
use crate::support::home::{Ran, read, run};

const HOOK: &str = env!("CARGO_BIN_EXE_mam-restore-hook");

fn check(rig: &Rig) -> Ran {
    run(rig.home.command(HOOK).args(["install", "--check"]))
}

#[test]
fn a_start_links_it_once_and_it_works() {
    on_each(|rig| {
        let first = rig.ok(&["start"]);
        first.says("mam's plugin is linked");
        assert_eq!(check(rig).expect(0).stdout, "linked, enabled, current\n");
        assert_eq!(rig.status()["pluginLinked"], true);
        let manifest = read(&rig.state().join("plugin/herdr-plugin.toml"));
        assert!(manifest.contains(&format!("[\"{HOOK}\", \"startup\"]")), "{manifest}");
        let again = rig.ok(&["start"]);
        assert!(!again.stderr.contains("plugin"), "{again}");
        // Whoever takes it out has it back with the next start of mam.
        let mut uninstall = rig.home.command(HOOK);
        run(uninstall.arg("uninstall")).expect(0);
        let shown = rig.ok(&["status"]).stdout;
        assert!(shown.contains("plugin       not linked: mam-restore-hook install\n"), "{shown}");
        rig.ok(&["start"]).says("mam's plugin is linked");
    });
}

#[test]
fn a_plugin_that_cannot_be_linked_is_said_and_the_host_runs() {
    on_each(|rig| {
        // Where its manifest would go there is a file.
        rig.home.write(".local/state/mam/plugin", "");
        let started = rig.ok(&["start"]);
        started.says("warning: mam's plugin is not linked: ").says("hint: mam-restore-hook install");
        assert!(is_alive(rig.pid()));
        assert_eq!(rig.status()["pluginLinked"], false);
        let shown = rig.ok(&["status"]).stdout;
        assert!(shown.contains("plugin       not linked: mam-restore-hook install\n"), "{shown}");
        fs_err::remove_file(rig.state().join("plugin")).unwrap();
        rig.ok(&["start"]).says("mam's plugin is linked");
    });
}
