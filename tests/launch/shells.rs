//! Users' shells, with files that break whoever types into them.

use super::rig::Rig;
use crate::support::pty::Pty;
use crate::support::tools::needs;

/// An rc file that reads what is typed, throws away the PATH, hides the agent and does not care.
fn hostile(shell: &str) -> (&'static str, &'static str) {
    match shell {
        "bash" => (
            ".bashrc",
            "read -r line; PATH=/nonexistent; alias agent=false; agent() { false; }; stty -isig; stty isig; \
             PS1='ready> '; export MINE=yes\n",
        ),
        "zsh" => (
            ".zshrc",
            "read -r line; path=(/nonexistent); alias agent=false; stty -isig; stty isig; PS1='ready> '; export MINE=yes\n",
        ),
        _ => (
            ".config/fish/config.fish",
            "read line; set -x PATH /nonexistent; alias agent=false; stty -isig; stty isig\n\
             function fish_prompt; echo 'ready> '; end; set -x MINE yes\n",
        ),
    }
}

fn each(test: impl Fn(&str, &Rig, Pty)) {
    for shell in ["bash", "zsh", "fish"] {
        let Some(program) = needs(shell) else { continue };
        eprintln!("with {shell}");
        let rig = Rig::new();
        let (file, text) = hostile(shell);
        rig.home.write(file, text);
        rig.script("echo up; read line; echo got $line; exec sleep 60", &[]);
        let mut command = rig.command();
        command.env("SHELL", program).env("ZDOTDIR", rig.home.path("")).env("fish_greeting", "");
        test(shell, &rig, Pty::start(command));
    }
}

#[test]
fn the_agent_starts_under_any_shell_and_the_shell_has_job_control_after_it() {
    each(|shell, _rig, mut pty| {
        // No rc file has run: what is typed is the agent's.
        pty.wait_for("up");
        pty.send("words\n");
        pty.wait_for("got words");
        pty.send("\x03");
        pty.wait_for("claude was ended by SIGINT;");
        // The rc file reads a line before anything else.
        pty.send("for the rc file\n");
        pty.wait_for("ready>");
        pty.send("echo mine $MINE\n");
        pty.wait_for("mine yes");
        // ctrl-z, fg, ctrl-c.
        pty.send("/bin/sleep 61\n");
        std::thread::sleep(std::time::Duration::from_millis(300));
        pty.send("\x1a");
        pty.wait(&format!("{shell} to say that it stopped"), |screen| {
            screen.to_lowercase().contains("stopped") || screen.contains("suspended")
        });
        pty.send("fg\n");
        std::thread::sleep(std::time::Duration::from_millis(300));
        pty.send("\x03");
        pty.send("echo after $MINE $MINE\n");
        pty.wait_for("after yes yes");
    });
}
