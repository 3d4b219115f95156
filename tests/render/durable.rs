//! What has been written survives a loss of power: the system calls say so.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::home::{Home, write};
use crate::support::pty::Pty;
use crate::support::tools::needs;

/// A call, and the paths in it.
#[derive(Debug, PartialEq)]
enum Call {
    Synced(PathBuf),
    Renamed(PathBuf, PathBuf),
}

/// What `strace` wrote down, in order.
fn calls(trace: &str) -> Vec<Call> {
    let mut found = Vec::new();
    for line in trace.lines().filter(|line| line.ends_with(" = 0")) {
        let quoted: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        if line.contains("fsync(") || line.contains("fdatasync(") {
            let path = line.split_once('<').unwrap().1.rsplit_once(">)").unwrap().0;
            // With -yy a file that has been renamed is shown under its new name.
            found.push(Call::Synced(path.into()));
        } else if let ([from, to], true) = (&quoted[..], line.contains("rename")) {
            found.push(Call::Renamed(from.into(), to.into()));
        }
    }
    found
}

/// Each file that took its place was synced before, and its directory after.
#[track_caller]
fn assert_durable(calls: &[Call], expected: &[&Path]) {
    let renamed: Vec<&Path> = calls
        .iter()
        .filter_map(|call| match call {
            Call::Renamed(_, to) => Some(to.as_path()),
            Call::Synced(_) => None,
        })
        .collect();
    assert_eq!(renamed, expected, "{calls:#?}");
    for (index, call) in calls.iter().enumerate() {
        let Call::Renamed(from, to) = call else { continue };
        let before = index.checked_sub(1).and_then(|index| calls.get(index));
        assert_eq!(before, Some(&Call::Synced(from.clone())), "not synced before: {calls:#?}");
        let directory = Call::Synced(to.parent().unwrap().to_owned());
        assert_eq!(calls.get(index + 1), Some(&directory), "the directory is not synced: {calls:#?}");
    }
}

fn traced(home: &Home, strace: &Path, arguments: &[&str]) -> Vec<Call> {
    let trace = home.path("trace");
    let mut command = home.command(strace);
    command
        .args(["-y", "-f", "-o"])
        .arg(&trace)
        .args(["-e", "trace=fsync,fdatasync,rename,renameat,renameat2"]);
    command.arg(home.renderer()).args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().unwrap().success(), "{arguments:?}");
    calls(&crate::support::home::read(&trace))
}

#[test]
fn each_file_is_synced_before_it_takes_its_place_and_its_directory_after() {
    let Some(strace) = needs("strace") else { return };
    let home = Home::with_prefix("mam");
    home.write_config("[ui]\n");
    let calls = traced(&home, &strace, &["--no-herdr-check"]);
    let record = fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap();
    let record = record
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "record"))
        .unwrap();
    // The record names what is about to be there first.
    assert_durable(&calls, &[&record, &home.overlay(), &record]);

    // A user's file, through a link.
    write(&home.overlay(), home.overlay_text() + "\n[theme]\nname = \"nord\"\n");
    home.render(&["--no-herdr-check"]);
    let file = home.write("dot/h.toml", "[ui]\n");
    fs_err::remove_file(home.config()).unwrap();
    std::os::unix::fs::symlink(&file, home.config()).unwrap();
    let calls = traced(&home, &strace, &["write-back", "--yes", "--no-herdr-check"]);
    assert_durable(&calls[..3], &[&file]);

    assert_eq!(traced(&home, &strace, &["--no-herdr-check"]), [], "nothing to do, nothing written");
}

#[test]
fn a_config_that_changes_while_the_question_stands_is_not_overwritten() {
    let home = Home::new();
    home.program("herdr", "#!/bin/sh\necho 'config: ok'\n");
    home.write_config("[ui]\n");
    home.render(&[]);
    write(&home.overlay(), home.overlay_text() + "\n[theme]\nname = \"nord\"\n");
    let mut terminal = Pty::start(home.mam(&["write-back"]));
    terminal.wait_for("? [y/N] ");
    home.write_config("[ui]\nsidebar_width = 31\n");
    terminal.send("y\n");
    assert_eq!(terminal.end(), Some(75));
    terminal.wait_for("it was changed meanwhile");
    terminal.wait_for("run write-back again");
    assert_eq!(crate::support::home::read(&home.config()), "[ui]\nsidebar_width = 31\n");
    let mut terminal = Pty::start(home.mam(&["write-back"]));
    terminal.wait_for("? [y/N] ");
    terminal.send("y\n");
    assert_eq!(terminal.end(), Some(0));
    assert_eq!(
        crate::support::home::read(&home.config()),
        "[ui]\nsidebar_width = 31\n\n[theme]\nname = \"nord\"\n"
    );
}
