//! Everything a shell can do while herdr shows nothing but the shell.

use std::time::Duration;

use serde_json::json;

use super::rig::Rig;

on_each_herdr!(busy_shells_stay, a_busy_zsh_stays, a_key_right_after_the_restore_is_seen);

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
    rig.await_startup();
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

/// H7 in the other shell with job control that everybody has.
fn a_busy_zsh_stays(rig: &mut Rig) {
    let zsh = std::path::Path::new("/usr/bin/zsh");
    if !zsh.exists() {
        eprintln!("skipped: needs /usr/bin/zsh");
        return;
    }
    rig.write(".zshrc", "");
    rig.set_shell(zsh);
    let kinds = [
        ("read", "read x"),
        ("loop", "while :; do :; done"),
        ("coproc", "coproc sleep 300"),
        ("disowned", "sleep 300 &!"),
    ];
    let mut names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
    names.push("idle");
    rig.restore(&names);
    for name in &names {
        rig.until("the shell is idle", || rig.is_idle(&rig.restored(name).unwrap()));
    }
    for (name, line) in kinds {
        let pane = rig.restored(name).unwrap();
        rig.type_line(&pane, line);
        let shell = rig.shell(&pane);
        rig.until("the shell has read it", || !rig.is_idle(&pane) || rig.shares_terminal(shell));
    }
    for (name, _) in kinds {
        let said = rig.close(name);
        assert!(said.stderr.contains("kept pane"), "{name}: {}", said.stderr);
        assert!(rig.restored(name).is_some(), "{name}");
    }
    assert!(rig.close("idle").stderr.contains("closed restored pane"));
}

/// H7 and H10 within the step of 8 s in which the kernel keeps the access time of a terminal: herdr called
/// the hook at its start, and that has marked the terminals. These shells do not say where they started.
fn a_key_right_after_the_restore_is_seen(rig: &mut Rig) {
    rig.install();
    rig.write(".bashrc", "");
    rig.set_shell(std::path::Path::new("/bin/bash"));
    let names = ["typed", "moved", "ran", "idle"];
    rig.restore(&names);
    for name in names {
        let pane = rig.restored(name).unwrap();
        rig.until("the terminal is marked", || rig.is_marked(&pane));
        rig.until("the shell is past its start", || rig.is_idle(&pane) && rig.is_past_its_start(&pane));
    }
    let pane = |name: &str| rig.restored(name).unwrap();
    rig.ask("pane.send_text", &json!({"pane_id": pane("typed"), "text": "rm -rf"}));
    rig.type_line(&pane("moved"), "cd /");
    rig.type_line(&pane("ran"), "precious=1");
    for name in ["typed", "moved", "ran"] {
        rig.until("the shell has read it", || !rig.is_marked(&pane(name)));
        let said = rig.close(name);
        assert!(said.stderr.contains("typed into"), "{name}: {}", said.stderr);
    }
    assert!(rig.close("idle").stderr.contains("closed restored pane"));
}
