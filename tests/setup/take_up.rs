//! What a setup does, in each shell, and when it does nothing.

use super::rig::{Newcomer, SHELLS};
use crate::support::herdr::Herdr;
use crate::support::home::{read, run};
use crate::support::tools::needs;

#[test]
fn a_new_shell_has_the_integration_and_a_second_setup_has_nothing_to_do() {
    for herdr in Herdr::all() {
        for shell in SHELLS {
            let new = Newcomer::new(&herdr, shell.name);
            new.home.write(shell.profile, "# mine\n");
            let first = new.ok(&["setup", "--yes"]);
            assert!(first.stdout.contains("+ overlay  render ~/.config/herdr/config.mam.toml"), "{first}");
            assert!(first.stdout.contains("Done. Next:\n  mam "), "{first}");
            assert!(new.home.overlay_text().contains("resume_agents_on_restore = false"));
            new.ok(&["doctor"]);

            if let Some(program) = needs(shell.name) {
                let mut interactive = new.home.command(program);
                interactive.env("ENV", new.home.path("shrc")).args(match shell.name {
                    "bash" => &["--norc", "-i", "-c", ". ~/.bashrc; type herdr"][..],
                    // fish draws no prompt here, and reads its config all the same.
                    "fish" => &["-i", "-c", "type herdr"],
                    "zsh" => &["-i", "+Z", "-c", "type herdr; functions herdr"],
                    _ => &["-i", "-c", ". \"$ENV\"; type herdr"],
                });
                interactive.env("fish_features", "no-query-term").env("TERM", "dumb");
                let ran = run(&mut interactive);
                assert!(ran.stdout.contains("function"), "{}: {ran}", shell.name);
            }

            let before = new.picture(&[]);
            let second = new.ok(&["setup"]);
            assert!(!second.stdout.lines().any(|line| line.starts_with('+')), "{second}");
            assert_eq!(new.picture(&[]), before, "{}: a second setup changed something", shell.name);
        }
    }
}

#[test]
fn a_dry_run_changes_no_byte() {
    for herdr in Herdr::all() {
        let new = Newcomer::new(&herdr, "bash");
        new.home.write(".bashrc", "# mine");
        let before = new.picture(&[]);
        let ran = new.ok(&["setup", "--dry-run"]);
        assert!(ran.stdout.contains("+ shell    write ~/.config/mam/init.bash"), "{ran}");
        let json = new.ok(&["setup", "--dry-run", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!((&json["version"], &json["applied"]), (&1.into(), &false.into()));
        new.ok(&["setup", "--undo", "--dry-run"]);
        new.mam(&["doctor"]).expect(1);
        assert_eq!(new.picture(&[]), before);
        // And where there is something to look at.
        new.ok(&["setup", "--yes"]);
        let before = new.picture(&[]);
        new.ok(&["setup", "--undo", "--dry-run"]);
        new.mam(&["doctor"]);
        assert_eq!(new.picture(&[]), before);
    }
}

#[test]
fn without_a_terminal_it_shows_the_plan_and_asks_for_yes() {
    let new = Newcomer::sim("bash");
    let before = new.picture(&[]);
    let ran = new.mam(&["setup"]);
    ran.expect(2).says("nothing was changed").says("hint: mam setup --yes");
    assert!(ran.stdout.contains("+          make ~/.bashrc:"), "{ran}");
    new.mam(&["setup", "--json"]).expect(2);
    assert_eq!(new.picture(&[]), before);
}

#[test]
fn no_and_ctrl_c_change_nothing_and_yes_does_it() {
    let new = Newcomer::sim("bash");
    let before = new.picture(&[]);
    for (typed, is_killed) in [("n\n", false), ("\n", false), ("\u{3}", true), ("\u{4}", false)] {
        let mut terminal = new.on_terminal(&["setup"]);
        terminal.wait_for("Do this? [y/N]");
        terminal.send(typed);
        let code = terminal.end();
        assert_eq!(code, if is_killed { None } else { Some(1) }, "{typed:?}: {}", terminal.screen());
        assert_eq!(new.picture(&[]), before, "{typed:?}");
    }
    let mut terminal = new.on_terminal(&["setup"]);
    terminal.wait_for("Do this? [y/N]");
    terminal.send("y\n");
    assert_eq!(terminal.end(), Some(0), "{}", terminal.screen());
    assert!(read(&new.home.path(".bashrc")).contains("# >>> mam >>>"));
}

#[test]
fn a_linked_profile_file_is_edited_where_it_is() {
    let new = Newcomer::sim("zsh");
    new.home.write("dot files/zshrc", "a\r\nb");
    new.chmod("dot files/zshrc", 0o640);
    std::os::unix::fs::symlink("dot files/zshrc", new.home.path("link")).unwrap();
    std::os::unix::fs::symlink("link", new.home.path(".zshrc")).unwrap();
    let ran = new.ok(&["setup", "--yes"]);
    assert!(ran.stdout.contains("add to ~/dot files/zshrc, where ~/.zshrc leads:"), "{ran}");
    assert!(fs_err::symlink_metadata(new.home.path(".zshrc")).unwrap().is_symlink());
    let bytes = new.bytes("dot files/zshrc");
    assert!(bytes.starts_with(b"a\r\nb\n# >>> mam >>>") && bytes.ends_with(b"# <<< mam <<<"));
    let mode = new.picture(&[])[std::path::Path::new("dot files/zshrc")].0;
    assert_eq!(mode & 0o7777, 0o640);
}

#[test]
fn what_must_not_be_edited_is_named_with_what_to_add() {
    let rows: &[(&str, fn(&Newcomer), &str)] = &[
        ("read-only", |new| new.chmod(".bashrc", 0o444), "~/.bashrc is left alone: it is read-only"),
        (
            "two names",
            |new| fs_err::hard_link(new.home.path(".bashrc"), new.home.path("other")).unwrap(),
            "it has 2 names",
        ),
        (
            "a directory",
            |new| {
                fs_err::remove_file(new.home.path(".bashrc")).unwrap();
                fs_err::create_dir(new.home.path(".bashrc")).unwrap();
            },
            "it is a directory",
        ),
        (
            "half a block",
            |new| drop(new.home.write(".bashrc", "x\n# >>> mam >>>\n")),
            "~/.bashrc:2: a block begins here, and has no end",
        ),
    ];
    for (name, change, text) in rows {
        let new = Newcomer::sim("bash");
        new.home.write(".bashrc", "# mine\n");
        change(&new);
        let before = new.picture(&[".config", ".local"]);
        let ran = new.mam(&["setup", "--yes"]);
        ran.expect(1);
        assert!(ran.stdout.contains(text), "{name}: {ran}");
        assert_eq!(new.picture(&[".config", ".local"]), before, "{name}");
        assert!(!new.home.path(".config/mam").exists(), "{name}: a file that nobody sources");
        assert!(new.home.overlay().exists(), "{name}: the rest is done");
    }
}

#[test]
fn an_integration_by_hand_and_an_unknown_shell_are_left_alone() {
    let new = Newcomer::sim("bash");
    new.home.write(".bashrc", "a\n. ~/.config/mam/init.bash\n");
    let ran = new.ok(&["setup", "--yes"]);
    assert!(ran.stdout.contains("~/.bashrc has the integration already, on line 2"), "{ran}");
    assert_eq!(new.bytes(".bashrc"), b"a\n. ~/.config/mam/init.bash\n");

    let new = Newcomer::sim("nu");
    let ran = new.mam(&["setup", "--yes"]);
    ran.expect(1);
    assert!(ran.stdout.contains("mam has no integration for `nu`"), "{ran}");
    new.ok(&["setup", "--yes", "--shell", "none"]);
    new.ok(&["setup", "--yes", "--shell", "bash"]);
    assert!(new.home.path(".bashrc").exists());
    new.mam(&["setup", "--shell", "tcsh"]).expect(2);
}

#[test]
fn without_herdr_nothing_is_done() {
    let new = Newcomer::sim("bash");
    fs_err::remove_file(new.home.path("bin/herdr")).unwrap();
    let before = new.picture(&[]);
    let ran = new.mam(&["setup", "--yes"]);
    ran.expect(69).says("there is no herdr on PATH");
    assert!(ran.stdout.contains("- herdr    not on PATH"), "{ran}");
    assert_eq!(new.picture(&[]), before);
}
