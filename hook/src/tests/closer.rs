//! A run of the closer against a server that says what the scene says, and a kernel of the test's own.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mam_share::files::{Trust, read};
use mam_share::places::Places;
use mam_share::process::{Details, Kernel, Process, ProcessTable, StartEnvironment, State, Terminal, Tty};
use serde_json::{Value, json};

use super::scene::{BOOT, LIVE, SERVER, SHELL, Scene, seconds};
use crate::closer::{Closer, Done, Outcome};
use crate::gather::Herdr;
use crate::journal::Journal;

/// The scene's kernel. What `later` changes has happened once `mark` is there.
struct Scripted {
    later: fn(&mut Scene),
    mark: PathBuf,
}

impl Scripted {
    fn scene(&self) -> Scene {
        let mut scene = Scene::new();
        if self.mark.exists() {
            (self.later)(&mut scene);
        }
        scene
    }
}

impl Kernel for Scripted {
    fn table(&self) -> io::Result<ProcessTable> {
        self.scene().facts().table.ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    fn details(&self, pid: u32) -> Details {
        let shell = self.scene().facts().shells.remove(&pid);
        let executable = shell.as_ref().and_then(|shell| shell.program.as_ref()).map(PathBuf::from);
        Details { directory: shell.and_then(|shell| shell.directory), executable, bytes_read: None }
    }

    fn environment(&self, pid: u32) -> Option<StartEnvironment> {
        Some(StartEnvironment((pid == SHELL).then(|| ("PWD".into(), "/src".into())).into_iter().collect()))
    }

    fn arguments(&self, _pid: u32) -> Option<Vec<OsString>> {
        None
    }

    fn terminal(&self, tty: &Tty) -> Terminal {
        let scene = self.scene();
        scene.shell.filter(|_| *tty == Tty::new("pts/1")).map(|shell| shell.terminal).unwrap_or_default()
    }

    fn set_last_input(&self, _tty: &Tty, _moment: Duration) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn peer(&self, _stream: &UnixStream) -> Option<u32> {
        Some(SERVER)
    }

    fn boot(&self) -> Option<String> {
        Some("boot".into())
    }

    fn process(&self, pid: u32) -> Option<Process> {
        self.scene().facts().table?.get(pid).cloned()
    }
}

/// A herdr with the panes of the scene; what it was asked to close.
fn serve(socket: &Path) -> Arc<Mutex<Vec<String>>> {
    let listener = UnixListener::bind(socket).unwrap();
    let closed = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&closed);
    let answer = move |request: &Value| {
        let pane = request["params"]["pane_id"].as_str().unwrap_or_default();
        match request["method"].as_str().unwrap() {
            "pane.list" => {
                let panes: Vec<Value> = ["w1:p1", "w2:p1", "w3:p1"]
                    .iter()
                    .filter(|id| !told.lock().unwrap().contains(&(**id).to_owned()))
                    .map(|id| {
                        let mut pane = json!({"pane_id": id, "terminal_id": format!("term-{id}"),
                            "workspace_id": id.split(':').next()});
                        if *id != "w3:p1" {
                            pane["agent_session"] = json!({"agent": "claude", "kind": "id", "value": "X"});
                        }
                        if *id == "w2:p1" {
                            pane["agent"] = json!("claude");
                        }
                        pane
                    })
                    .collect();
                json!({"panes": panes})
            }
            "workspace.list" => {
                let spaces = ["w1", "w2", "w3"].map(|id| json!({"workspace_id": id}));
                json!({"workspaces": spaces})
            }
            "pane.process_info" => {
                let (shell, front) = if pane == "w1:p1" { (SHELL, SHELL) } else { (LIVE, LIVE + 1) };
                json!({"process_info": {"pane_id": pane, "shell_pid": shell,
                    "foreground_process_group_id": front,
                    "foreground_processes": [{"pid": front, "name": "bash"}]}})
            }
            "pane.close" => {
                told.lock().unwrap().push(pane.to_owned());
                json!({})
            }
            other => panic!("{other}"),
        }
    };
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
            if let Ok(request) = serde_json::from_str(&line) {
                // Whoever asked may have gone.
                drop(stream.write_all(format!("{}\n", json!({"result": answer(&request)})).as_bytes()));
            }
        }
    });
    closed
}

/// Runs a closer; what became of the one candidate, what herdr was asked to close, and the steps in the
/// journal.
fn run(later: fn(&mut Scene), mark: &str) -> (Outcome, Vec<String>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let places = Places { home: dir.path().into(), state: dir.path().join("state") };
    let socket = dir.path().join("s");
    let closed = serve(&socket);
    let kernel = Scripted { later, mark: dir.path().join(mark) };
    let herdr = Herdr::find(&socket, &kernel).unwrap();
    let journal = Journal::new(&places, "mam", "close");
    let question = Scene::new().question();
    let closer = Closer { herdr: &herdr, question, journal: &journal, patience: Duration::ZERO };
    let mut done: Vec<Done> = closer.run().unwrap();
    assert_eq!(done.len(), 1, "{done:?}");
    let text = read(&places.state.join("journal.jsonl"), Trust::Ours).unwrap().unwrap_or_default();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        format!("{} {}", line["step"].as_str().unwrap(), line["reason"].as_str().unwrap_or("-"))
    };
    let steps = String::from_utf8(text).unwrap().lines().map(line).collect();
    let closed = closed.lock().unwrap().clone();
    (done.remove(0).outcome, closed, steps)
}

#[test]
fn a_leftover_is_closed_once_and_both_steps_are_in_the_journal() {
    let (outcome, closed, steps) = run(|_| {}, "never");
    assert!(matches!(outcome, Outcome::Closed(_)), "{outcome:?}");
    assert_eq!((closed, steps), (vec!["w1:p1".to_owned()], vec!["closing -".into(), "closed -".into()]));
}

/// What happens while the journal is being written is seen: the file is there, the request is not sent.
#[test]
fn what_a_shell_does_in_the_last_moment_keeps_its_pane() {
    let rows: [(&str, fn(&mut Scene), &str); 6] = [
        ("a key", |scene| scene.more().terminal.last_input = Some(seconds(BOOT + 299)), "typed"),
        ("a command", |scene| scene.shell().foreground = Some(7), "foreground"),
        ("a stop", |scene| scene.shell().state = State::Stopped, "odd-state"),
        ("a directory", |scene| scene.more().directory = Some("/tmp".into()), "moved"),
        ("another shell of this pid", |scene| scene.shell().started = seconds(290), "younger-than-restore"),
        ("no shell", |scene| scene.processes.retain(|process| process.pid != SHELL), "shell-gone"),
    ];
    for (what, later, expected) in rows {
        let (outcome, closed, steps) = run(later, "state/journal.jsonl");
        let Outcome::Kept(reason) = outcome else { panic!("{what}: {outcome:?}") };
        assert_eq!(reason.name(), expected, "{what}");
        assert_eq!((closed, steps), (vec![], vec!["closing -".into(), "kept changed".into()]), "{what}");
    }
}
