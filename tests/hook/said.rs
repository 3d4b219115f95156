//! What a person is told when there is nothing to do, or nothing that can be done.

use super::rig::{HOOK, Rig, SESSION};
use crate::support::pty::Pty;

on_each_herdr!(nothing_to_do_is_said, a_herdr_that_is_not_there_is_named);

fn nothing_to_do_is_said(rig: &mut Rig) {
    rig.restore(&["A"]);
    let of_b = format!("session `{SESSION}` has no restored shell of conversation `B`\n");
    let none = format!("session `{SESSION}` has no restored shell whose conversation runs in another pane\n");
    let rows: [(&[&str], &str, String); 5] = [
        (&["close", "--session-id", "B"], "", format!("mam-restore-hook: {of_b}")),
        (&["close"], "", format!("mam-restore-hook: {none}")),
        (&["close", "--dry-run"], &none, String::new()),
        (&["close", "--dry-run", "--session-id", "B"], &of_b, String::new()),
        (&["close", "--session-id", ""], "", String::new()),
    ];
    for (words, stdout, stderr) in rows {
        let said = rig.hook(words);
        assert_eq!((said.code, said.stdout.as_str(), said.stderr), (0, stdout, stderr), "{words:?}");
    }
    let said = rig.hook(&["close", "--json"]);
    assert_eq!(said.stderr, "");
    assert!(said.stdout.contains("\"panes\": []"), "{}", said.stdout);
    // Without a session a program sees nothing, and a person why.
    for words in [&["list"][..], &["list", "--session", "default"], &["close"]] {
        let said = rig.run(HOOK, words);
        assert_eq!((said.code, said.stdout + &said.stderr), (0, String::new()), "{words:?}");
        let mut command = rig.command(HOOK);
        command.args(words);
        let mut terminal = Pty::start(command);
        terminal.wait_for("mam never touches");
        assert_eq!(terminal.end(), Some(0));
    }
}

fn a_herdr_that_is_not_there_is_named(rig: &mut Rig) {
    let rows: [(&[&str], &str); 4] = [
        (&["install"], "there is no `herdr` on PATH\nhint: name it: mam-restore-hook install --herdr PATH\n"),
        (
            &["install", "--check"],
            "there is no `herdr` on PATH\nhint: name it: mam-restore-hook install --check --herdr PATH\n",
        ),
        (
            &["uninstall"],
            "there is no `herdr` on PATH\nhint: name it: mam-restore-hook uninstall --herdr PATH\n",
        ),
        (
            &["install", "--herdr", "/no/herdr"],
            "`/no/herdr` is no program\nhint: name it: mam-restore-hook install --herdr PATH\n",
        ),
    ];
    for (words, message) in rows {
        let said = rig.run_with(HOOK, words, &[("PATH", "/nonexistent")]);
        let expected = format!("mam-restore-hook: error: {message}");
        assert_eq!((said.code, said.stdout.as_str(), said.stderr), (69, "", expected), "{words:?}");
    }
}
