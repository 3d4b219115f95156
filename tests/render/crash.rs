//! Many renders at once, renders that are killed, and a full disk.

use std::process::Stdio;
use std::time::Duration;

use crate::support::herdr::Herdr;
use crate::support::home::{Home, run, write};

fn strays(home: &Home) -> Vec<String> {
    [".config/herdr", ".local/state/mam/overlays"]
        .iter()
        .flat_map(|directory| fs_err::read_dir(home.path(directory)).into_iter().flatten())
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".mam-tmp"))
        .collect()
}

fn is_whole(text: &str) -> bool {
    let table: Result<toml::Table, _> = text.parse();
    table.is_ok_and(|table| {
        table.get("session").and_then(|session| session.get("resume_agents_on_restore"))
            == Some(&toml::Value::Boolean(false))
            && table.get("last").is_some()
    })
}

fn config(number: usize) -> String {
    format!("number = {number}\nfill = \"{}\"\nlast = true\n", "x".repeat(number * 200))
}

#[test]
fn a_hundred_renders_at_once_agree() {
    let home = Home::new();
    home.link_program("herdr", &Herdr::sim().path);
    home.write_config(config(1));
    let mut children: Vec<_> = (0..100)
        .map(|_| home.mam(&[]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert!(is_whole(&home.overlay_text()));
    assert_eq!(strays(&home), [""; 0]);
    home.render(&["check"]);
}

#[test]
fn a_render_that_is_killed_leaves_the_old_or_the_new_overlay() {
    let home = Home::new();
    home.link_program("herdr", &Herdr::sim().path);
    home.write_config(config(1));
    home.render(&[]);
    for round in 0..120_usize {
        home.write_config(config(round % 7 + 1));
        let mut child = home.mam(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Steps well below the time a render takes, so that every part of it is hit.
        std::thread::sleep(Duration::from_micros(u64::try_from(round).unwrap() * 150));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_whole(&home.overlay_text()), "round {round}\n{}", home.overlay_text());
        if round % 4 == 0 {
            let ran = home.render(&[]);
            assert!(
                !ran.stderr.contains("kept") && !ran.stderr.contains("changed"),
                "our own crash looks like herdr\n{ran}"
            );
            assert_eq!(strays(&home), [""; 0], "round {round}");
            let explained = home.render(&["explain"]).stdout;
            assert_eq!(explained.lines().count(), 1, "{explained}");
        }
    }
}

#[test]
fn renders_of_one_overlay_take_turns() {
    let home = Home::new();
    home.write_config(config(1));
    home.render(&["--no-herdr-check"]);
    let before = home.overlay_text();
    let directory = fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap();
    let lock = directory
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "lock"));
    let lock = fs_err::File::open(lock.unwrap()).unwrap();
    lock.file().lock().unwrap();
    home.write_config(config(2));
    let mut child =
        home.mam(&["--no-herdr-check"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(
        child.try_wait().unwrap().is_none() && home.overlay_text() == before,
        "it did not wait for its turn"
    );
    lock.file().unlock().unwrap();
    assert!(child.wait().unwrap().success());
    assert_ne!(home.overlay_text(), before);
}

/// A kill at each system call that changes a file. What is left must never look like a change that
/// herdr made.
#[test]
fn a_kill_at_each_step_leaves_nothing_to_guess() {
    let Some(strace) = crate::support::tools::needs("strace") else { return };
    for call in ["rename", "fsync", "write", "fchmod"] {
        for count in 1..=6 {
            let home = Home::new();
            home.write_config(config(1));
            home.render(&["--no-herdr-check"]);
            home.write_config(config(2));
            let mut command = home.command(&strace);
            let inject = format!("inject={call}:signal=KILL:when={count}");
            command.args([
                "-o",
                "/dev/null",
                "-e",
                &inject,
                env!("CARGO_BIN_EXE_mam-render-config"),
                "--no-herdr-check",
            ]);
            run(&mut command);
            assert!(is_whole(&home.overlay_text()), "{call} {count}");
            home.render(&["--no-herdr-check"]).silent();
            assert_eq!(strays(&home), [""; 0], "{call} {count}");
            let explained = home.render(&["explain", "--no-herdr-check"]).stdout;
            assert_eq!(explained.lines().count(), 1, "{call} {count}: {explained}");
            assert!(home.overlay_text().contains("number = 2"), "{call} {count}");
        }
    }
}

#[test]
fn a_full_disk_keeps_the_old_overlay() {
    let home = Home::new();
    home.write_config(config(1));
    home.render(&["--no-herdr-check"]);
    let before = home.overlay_text();
    home.write_config(config(300));
    // A limit on the size of files fails a write half-way, as a full disk does.
    let mut command = home.command("sh");
    command.args([
        "-c",
        "trap '' XFSZ; ulimit -f 8; exec \"$0\" --no-herdr-check",
        env!("CARGO_BIN_EXE_mam-render-config"),
    ]);
    let ran = run(&mut command);
    ran.expect(73).says("cannot write the overlay");
    assert_eq!(home.overlay_text(), before);
    assert_eq!(strays(&home), [""; 0]);
    home.render(&["--no-herdr-check"]);
    assert!(is_whole(&home.overlay_text()));
}

#[test]
fn a_record_that_is_broken_is_reported_and_made_again() {
    let home = Home::new();
    home.write_config(config(1));
    home.render(&["--no-herdr-check"]);
    for entry in fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "record") {
            write(&path, "{\"half\":");
        }
    }
    home.render(&["--no-herdr-check"]).says("is not used:");
    home.render(&["--no-herdr-check"]).silent();
}
