//! Everything a shell can do while it looks idle.

use std::time::Duration;

use serde_json::json;

use super::rig::Rig;

on_each_herdr!(
    busy_shells_stay,
    start_files_take_their_time,
    every_shell_is_judged_by_its_pid,
    helpers_do_not_keep
);

/// H6, H7, H10, H22.
fn busy_shells_stay(rig: &mut Rig) {
    let kinds: [(&str, &[&str], &str); 10] = [
        ("job", &["sleep 300 &"], "sleep"),
        ("coproc", &["coproc sleep 300"], "sleep"),
        ("nested", &["bash --norc -i"], "foreground"),
        ("loop", &["while :; do :; done"], "computing"),
        ("read", &["read x"], "it"),
        ("disowned", &["sleep 300 & disown"], "sleep"),
        ("orphan", &["(sleep 300 &)"], "on its terminal"),
        ("setsid", &["setsid -f sleep 300 </dev/null >/dev/null 2>&1"], "was started in it"),
        ("moved", &["cd /"], "it"),
        ("foreground", &["sleep 300"], "foreground"),
    ];
    let mut names: Vec<&str> = kinds.iter().map(|(name, ..)| *name).collect();
    names.extend(["typed", "stopped", "idle"]);
    rig.restore(&names);
    for name in &names {
        rig.until("the shell is idle", || rig.is_idle(&rig.restored(name).unwrap()));
    }
    rig.until_reading_shows();
    for (name, lines, _) in kinds {
        for line in lines {
            rig.type_line(&rig.restored(name).unwrap(), line);
        }
    }
    rig.ask("pane.send_text", &json!({"pane_id": rig.restored("typed").unwrap(), "text": "rm -rf"}));
    let stopped = rig.restored("stopped").unwrap();
    rig.type_line(&stopped, "sleep 300");
    std::thread::sleep(Duration::from_secs(1));
    rig.ask("pane.send_input", &json!({"pane_id": stopped, "text": "\u{1a}", "keys": []}));
    std::thread::sleep(Duration::from_secs(1));

    let before = rig.panes().len();
    let others = [("typed", "typed into"), ("stopped", "stopped job")];
    for (name, why) in kinds.iter().map(|(name, _, why)| (*name, *why)).chain(others) {
        let said = rig.close(name);
        assert!(!said.stderr.contains("closed"), "{name}: {}", said.stderr);
        assert!(said.stderr.contains("kept pane") && said.stderr.contains(why), "{name}: {}", said.stderr);
    }
    assert_eq!(rig.panes().len(), before);
    assert!(rig.close("idle").stderr.contains("closed restored pane"));
}

/// H9.
fn start_files_take_their_time(rig: &mut Rig) {
    rig.write(".bashrc", "sleep 3\n");
    rig.set_shell(std::path::Path::new("/bin/bash"));
    rig.restore(&["A"]);
    let said = rig.close("A");
    assert!(said.stderr.contains("closed restored pane"), "{}", said.stderr);
}

/// H21.
fn every_shell_is_judged_by_its_pid(rig: &mut Rig) {
    for shell in ["/bin/bash", "/bin/sh", "/usr/bin/dash", "/usr/bin/zsh", "/usr/bin/fish"] {
        if !std::path::Path::new(shell).exists() {
            eprintln!("skipped: needs {shell}");
            continue;
        }
        rig.write(".zshrc", "");
        // Without it the first fish of a home reads all manual pages.
        rig.dir(".local/share/fish/generated_completions");
        rig.set_shell(std::path::Path::new(shell));
        rig.restore(&["A"]);
        let said = rig.close("A");
        assert!(said.stderr.contains("closed restored pane"), "{shell}: {}", said.stderr);
        rig.crash();
    }
}

/// H8.
fn helpers_do_not_keep(rig: &mut Rig) {
    fs_err::copy("/bin/sleep", rig.path("bin/gitstatusd-linux-x86_64")).unwrap();
    fs_err::copy("/bin/sleep", rig.path("bin/myhelper")).unwrap();
    rig.write(
        ".bashrc",
        &format!("{0}/bin/gitstatusd-linux-x86_64 300 &\n{0}/bin/myhelper 300 &\n", rig.root.display()),
    );
    rig.set_shell(std::path::Path::new("/bin/bash"));
    rig.restore(&["A"]);
    let said = rig.close("A");
    assert!(said.stderr.contains("kept pane") && said.stderr.contains("myhelper"), "{}", said.stderr);
    rig.write(".config/mam/config.toml", "[hook]\nresident_helpers = [\"myhelper\"]\n");
    let said = rig.close("A");
    assert!(said.stderr.contains("closed restored pane"), "{}", said.stderr);
}
