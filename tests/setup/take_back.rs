//! What an undo does: every byte back, and what the user changed since is refused by line.

use super::rig::{Newcomer, SHELLS};
use crate::support::herdr::Herdr;
use crate::support::home::{read, write};

#[test]
fn every_file_is_as_it_was_to_the_byte() {
    let texts: [Option<&[u8]>; 6] =
        [None, Some(b""), Some(b"a\n"), Some(b"a"), Some(b"a\r\nb"), Some(b"\xff\xfe not UTF-8")];
    for herdr in Herdr::all() {
        for (index, shell) in SHELLS.iter().enumerate() {
            // Each shell with some of them, bash with all.
            for text in texts.iter().skip(index.min(3)) {
                let new = Newcomer::new(&herdr, shell.name);
                if let Some(text) = text {
                    new.home.write(shell.profile, text);
                    new.chmod(shell.profile, 0o600);
                }
                let before = new.users_own();
                new.ok(&["setup", "--yes"]);
                assert_ne!(new.users_own(), before);
                let ran = new.ok(&["setup", "--undo", "--yes"]);
                assert_eq!(new.users_own(), before, "{} {text:?}\n{ran}", shell.name);
                assert!(!new.home.path(".local/state/mam/setup.json").exists());
                new.ok(&["setup", "--undo", "--yes"]).says("has changed nothing that is still there");
            }
        }
    }
}

#[test]
fn what_the_user_wrote_around_the_block_stays() {
    let new = Newcomer::sim("bash");
    new.ok(&["setup", "--yes"]);
    let text = read(&new.home.path(".bashrc"));
    write(&new.home.path(".bashrc"), format!("before\n{text}after\n"));
    new.ok(&["setup", "--undo", "--yes"]);
    assert_eq!(new.bytes(".bashrc"), b"before\nafter\n");
}

#[test]
fn a_block_and_a_file_that_were_changed_stay_and_are_named_by_line() {
    let new = Newcomer::sim("bash");
    new.home.write(".bashrc", "1\n2\n");
    new.ok(&["setup", "--yes"]);
    let changed = read(&new.home.path(".bashrc")).replace("fi\n", "fi\necho mine\n");
    write(&new.home.path(".bashrc"), &changed);
    let init = new.home.path(".config/mam/init.bash");
    write(&init, format!("# mine\n{}", read(&init)));
    let ran = new.mam(&["setup", "--undo", "--yes"]);
    ran.expect(1);
    assert!(ran.stdout.contains("- shell    ~/.bashrc:5: the block was changed since, and stays"), "{ran}");
    assert!(ran.stdout.contains("~/.config/mam/init.bash:1: changed since, and stays"), "{ran}");
    assert_eq!(read(&new.home.path(".bashrc")), changed);
    assert!(!new.home.overlay().exists(), "the rest is undone");
    // The user takes it out, and the rest of the undo has nothing to stand against it.
    write(&new.home.path(".bashrc"), "1\n2\n");
    fs_err::remove_file(init).unwrap();
    new.ok(&["setup", "--undo", "--yes"]);
    assert!(!new.home.path(".config/mam").exists());
}

#[test]
fn a_block_is_known_without_the_receipt() {
    let new = Newcomer::sim("fish");
    new.home.write(".config/fish/config.fish", "a\n");
    new.ok(&["setup", "--yes"]);
    fs_err::remove_file(new.home.path(".local/state/mam/setup.json")).unwrap();
    new.ok(&["setup", "--undo", "--yes"]);
    assert_eq!(new.bytes(".config/fish/config.fish"), b"a\n");
}

#[test]
fn what_was_there_before_the_setup_stays() {
    let new = Newcomer::sim("bash");
    new.home.render(&[]);
    new.home.write(".config/mam/init.bash", new.home.render(&["init", "bash"]).stdout);
    let before = new.users_own();
    new.ok(&["setup", "--yes"]);
    new.ok(&["setup", "--undo", "--yes"]);
    assert_eq!(new.users_own(), before);
}

#[test]
fn an_overlay_in_use_stays_until_the_host_is_stopped() {
    for herdr in Herdr::all() {
        let new = Newcomer::new(&herdr, "bash");
        let before = new.users_own();
        new.ok(&["setup", "--yes"]);
        new.ok(&["start"]);
        let ran = new.mam(&["setup", "--undo", "--yes"]);
        ran.expect(1);
        assert!(ran.stdout.contains("runs on it\n           mam stop --all, then mam setup --undo"), "{ran}");
        assert!(new.home.overlay().exists() && !new.home.path(".bashrc").exists());
        new.ok(&["stop", "--all"]);
        new.ok(&["setup", "--undo", "--yes"]);
        fs_err::remove_dir_all(new.home.path(".config/mam")).unwrap();
        assert_eq!(new.users_own(), before);
    }
}

#[test]
fn what_herdr_wrote_into_the_overlay_is_not_thrown_away() {
    let new = Newcomer::sim("bash");
    new.ok(&["setup", "--yes"]);
    write(&new.home.overlay(), format!("{}\n[theme]\nname = \"nord\"\n", new.home.overlay_text()));
    let ran = new.mam(&["setup", "--undo", "--yes"]);
    ran.expect(1);
    assert!(ran.stdout.contains("changed since, and stays"), "{ran}");
    new.home.render(&[]);
    let ran = new.mam(&["setup", "--undo", "--yes"]);
    ran.expect(1);
    assert!(ran.stdout.contains("mam-render-config write-back"), "{ran}");
    new.home.render(&["write-back", "--yes"]);
    new.ok(&["setup", "--undo", "--yes"]);
    assert!(!new.home.overlay().exists());
}
