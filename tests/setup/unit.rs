//! The unit is offered where a supervisor is found, and only installed when the user agrees.

use super::rig::Newcomer;

/// A home with a systemd that writes down what it is told.
fn with_systemd() -> Newcomer {
    let new = Newcomer::sim("bash");
    new.home.write("run/systemd/private", "");
    new.home.program("systemctl", "#!/bin/sh\necho \"$*\" >> \"$HOME/told\"\n");
    new
}

fn unit(new: &Newcomer) -> std::path::PathBuf {
    new.home.path(".config/systemd/user/mam.service")
}

#[test]
fn it_is_asked_for_on_its_own() {
    let new = with_systemd();
    let runtime = new.home.path("run");
    let start = |arguments: &[&str]| {
        let mut command = new.command(arguments);
        command.env("XDG_RUNTIME_DIR", &runtime);
        crate::support::pty::Pty::start(command)
    };
    let mut terminal = start(&["setup"]);
    terminal.wait_for("Do this? [y/N]");
    terminal.send("y\n");
    terminal.wait_for("Install the systemd unit too? [y/N]");
    // Both questions come before the first change.
    assert!(!new.home.path(".bashrc").exists());
    terminal.send("n\n");
    assert_eq!(terminal.end(), Some(0), "{}", terminal.screen());
    assert!(new.home.path(".bashrc").exists() && !unit(&new).exists());

    // The rest is done, so that only this is asked.
    let mut terminal = start(&["setup"]);
    terminal.wait_for("Install the systemd unit too? [y/N]");
    terminal.send("y\n");
    assert_eq!(terminal.end(), Some(0), "{}", terminal.screen());
    assert!(unit(&new).exists() && !terminal.screen().contains("Do this?"));

    let mut terminal = start(&["setup", "--undo"]);
    terminal.wait_for("remove the systemd unit");
    terminal.send("y\n");
    assert_eq!(terminal.end(), Some(0), "{}", terminal.screen());
    assert!(!unit(&new).exists());
}

#[test]
fn without_a_question_none_is_installed_and_without_systemd_none_is_offered() {
    let new = with_systemd();
    let mut command = new.command(&["setup", "--yes"]);
    let ran = crate::support::home::run(command.env("XDG_RUNTIME_DIR", new.home.path("run")));
    ran.expect(0);
    assert!(ran.stdout.contains("later: mam unit install systemd"), "{ran}");
    assert!(!unit(&new).exists());
    let ran = new.ok(&["setup"]);
    assert!(ran.stdout.contains("= unit     not needed"), "{ran}");
}
