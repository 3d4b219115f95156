//! mam as herdr's plugin.

use super::rig::{HOOK, Rig};

on_each_herdr!(it_is_linked_checked_and_taken_out);

fn it_is_linked_checked_and_taken_out(rig: &mut Rig) {
    let herdr = rig.herdr().to_owned();
    let run = |rig: &Rig, words: &[&str]| {
        let said = rig.run(HOOK, &[words, &["--herdr", &herdr]].concat());
        (said.code, said.stdout + &said.stderr)
    };
    for is_running in [false, true] {
        if is_running {
            rig.start();
        }
        assert_eq!(run(rig, &["install", "--check"]).0, 1);
        let (code, said) = run(rig, &["install"]);
        assert_eq!(code, 0, "{said}");
        assert_eq!(run(rig, &["install", "--check"]), (0, "linked, enabled, current\n".into()));
        assert_eq!(run(rig, &["install"]).0, 0, "twice");
        let manifest = rig.read(".local/state/mam/plugin/herdr-plugin.toml");
        assert!(manifest.contains(&format!("[\"{HOOK}\", \"event\"]")), "{manifest}");

        rig.write(".local/state/mam/plugin/herdr-plugin.toml", &manifest.replace("Close left", "Shut left"));
        let (code, said) = run(rig, &["install", "--check"]);
        assert!(code == 1 && said.contains("not current"), "{said}");
        assert_eq!(run(rig, &["install"]).0, 0);
        assert_eq!(run(rig, &["install", "--check"]).0, 0);

        let (code, said) = run(rig, &["uninstall"]);
        assert_eq!(code, 0, "{said}");
        let (code, said) = run(rig, &["install", "--check"]);
        assert!(code == 1 && said.contains("not linked"), "{said}");
    }
}
