//! Shells that look busy and are idle.

use std::path::Path;
use std::time::{Duration, Instant};

use super::rig::Rig;

on_each_herdr!(
    start_files_take_their_time,
    start_files_that_never_end_are_not_waited_for,
    every_shell_is_judged_by_its_pid,
    helpers_do_not_keep,
    workers_of_zsh_do_not_keep,
    clients_and_lively_prompts_do_not_keep,
);

fn is_here(shell: &str) -> bool {
    let is_here = Path::new(shell).exists();
    if !is_here {
        eprintln!("skipped: needs {shell}");
    }
    is_here
}

#[track_caller]
fn closes(rig: &Rig, what: &str) {
    let said = rig.close("A");
    assert!(said.stderr.contains("closed restored pane"), "{what}: {}", said.stderr);
    assert_eq!(rig.restored("A"), None, "{what}");
}

/// H9.
fn start_files_take_their_time(rig: &mut Rig) {
    rig.write(".bashrc", "sleep 3\n");
    rig.set_shell(Path::new("/bin/bash"));
    rig.restore(&["A"]);
    closes(rig, "a slow start file");
}

/// H9, bounded.
fn start_files_that_never_end_are_not_waited_for(rig: &mut Rig) {
    rig.write(".bashrc", "sleep 300\n");
    rig.set_shell(Path::new("/bin/bash"));
    rig.restore(&["A"]);
    let started = Instant::now();
    let said = rig.close("A");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert!(said.stderr.contains("kept pane"), "{}", said.stderr);
    assert!(rig.restored("A").is_some());
}

/// H21.
fn every_shell_is_judged_by_its_pid(rig: &mut Rig) {
    // A shell that is known by no name, and the script that becomes bash.
    fs_err::copy("/bin/bash", rig.path("bin/unheard-of")).unwrap();
    let [unheard_of, script] = ["bin/unheard-of", "shell.sh"].map(|it| rig.path(it).display().to_string());
    rig.write(".zshrc", "");
    // Without it the first fish of a home reads all manual pages.
    rig.dir(".local/share/fish/generated_completions");
    let shells = ["/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/usr/bin/nu"];
    for shell in shells.into_iter().filter(|shell| is_here(shell)).chain([&*unheard_of, &*script]) {
        rig.set_shell(Path::new(shell));
        rig.restore(&["A"]);
        closes(rig, shell);
        rig.crash();
    }
}

/// H8.
fn helpers_do_not_keep(rig: &mut Rig) {
    let helpers = ["gitstatusd-linux-x86_64", "direnv", "myhelper"];
    for helper in helpers {
        fs_err::copy("/bin/sleep", rig.path("bin").join(helper)).unwrap();
    }
    let start = |helper: &&str| format!("{}/bin/{helper} 300 &\n", rig.root.display());
    rig.write(".bashrc", &helpers.iter().map(start).collect::<String>());
    rig.set_shell(Path::new("/bin/bash"));
    rig.restore(&["A"]);
    let said = rig.close("A");
    assert!(said.stderr.contains("kept pane") && said.stderr.contains("myhelper"), "{}", said.stderr);
    rig.write(".config/mam/config.toml", "[hook]\nresident_helpers = [\"myhelper\"]\n");
    closes(rig, "helpers of everybody and of the user");
}

/// H8: a shell that forked itself onto a terminal of its own, as plugins for zsh do.
fn workers_of_zsh_do_not_keep(rig: &mut Rig) {
    if !is_here("/usr/bin/zsh") {
        return;
    }
    rig.write(
        ".zshrc",
        "zmodload zsh/zpty\nworker() { while read -r line; do print -r -- $line; done }\nzpty -b one worker\n\
         print -r -- $$ > ~/started\n",
    );
    rig.set_shell(Path::new("/usr/bin/zsh"));
    rig.restore(&["A"]);
    let shell = rig.shell(&rig.restored("A").unwrap());
    rig.until("the worker runs", || rig.has_children(shell));
    closes(rig, "a worker");
}

/// H7c. The screen is no witness: clients and clocks redraw it.
fn clients_and_lively_prompts_do_not_keep(rig: &mut Rig) {
    let rows = [
        (
            "/bin/bash",
            ".bashrc",
            "PS1='a prompt that is so long that it wraps in any narrow pane \\w \\t > '\n",
        ),
        (
            "/usr/bin/zsh",
            ".zshrc",
            "setopt prompt_subst\nPROMPT='%D{%H:%M:%S} %# '\nRPROMPT='%~ %D{%T}'\nTMOUT=1\n\
             TRAPALRM() { zle && zle reset-prompt }\n",
        ),
        ("/usr/bin/fish", ".config/fish/config.fish", "function fish_right_prompt\n  date +%T\nend\n"),
    ];
    rig.dir(".local/share/fish/generated_completions");
    for (shell, start_file, text) in rows.into_iter().filter(|(shell, ..)| is_here(shell)) {
        rig.write(start_file, text);
        rig.set_shell(Path::new(shell));
        rig.restore(&["A"]);
        rig.until("the shell is idle", || rig.is_idle(&rig.restored("A").unwrap()));
        rig.await_startup();
        let client = rig.attach();
        client.wait("client", |screen| !screen.is_empty());
        for (rows, columns) in [(20, 60), (50, 200), (24, 80)] {
            client.resize(rows, columns);
            std::thread::sleep(Duration::from_millis(500));
        }
        closes(rig, shell);
        drop(client);
        rig.crash();
    }
}
