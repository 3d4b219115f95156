//! A host with fake agents in it, which write down how they were launched.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use mam_host::session::name::RecordName;
use mam_host::session::record::SessionRecord;
use mam_host::session::store::SessionStore;
use serde_json::{Value, json};

use crate::host::rig::{Rig, is_alive, kill, until};
use crate::support::herdr::Herdr;
use crate::support::home::read;

/// Runs a test once for each herdr.
pub(super) fn on_each(test: impl Fn(&Agents)) {
    for herdr in Herdr::all() {
        eprintln!("on {}", herdr.name);
        test(&Agents::new(&herdr));
    }
}

/// What an agent was launched with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Launched {
    /// The arguments behind the program.
    pub(super) argv: Vec<Vec<u8>>,
    pub(super) environment: BTreeMap<String, String>,
    pub(super) cwd: PathBuf,
}

impl Launched {
    pub(super) fn words(&self) -> Vec<String> {
        self.argv.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    }
}

pub(super) struct Agents {
    pub(super) rig: Rig,
    seen: AtomicUsize,
}

impl Agents {
    pub(super) fn new(herdr: &Herdr) -> Self {
        let rig = Rig::new(herdr);
        fs_err::create_dir(rig.home.path("launches")).unwrap();
        let agents = Self { rig, seen: AtomicUsize::new(0) };
        agents.agent("claude");
        agents
    }

    /// A program that writes down how it was launched and stays, or ends at once with the code in the file
    /// `end`.
    pub(super) fn agent(&self, name: &str) {
        self.rig.home.program(
            name,
            "#!/usr/bin/env bash\n\
             if [ -e \"$HOME/end\" ]; then exit \"$(cat \"$HOME/end\")\"; fi\n\
             f=$(mktemp \"$HOME/launches/XXXXXX\")\n\
             env -0 > \"$f.env\"; pwd > \"$f.cwd\"\n\
             if [ $# -gt 0 ]; then printf '%s\\0' \"$@\" > \"$f\"; fi\n\
             mv \"$f\" \"$f.argv\"\n\
             echo 'Welcome to Claude Code (fake)'\nwhile :; do sleep 1; done\n",
        );
    }

    /// All launches so far, in any order.
    pub(super) fn launches(&self) -> Vec<Launched> {
        let entries = fs_err::read_dir(self.rig.home.path("launches")).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "argv"));
        let age = |path: &PathBuf| fs_err::metadata(path).unwrap().modified().unwrap();
        paths.sort_by_key(age);
        paths.iter().map(|path| launched(path)).collect()
    }

    /// The launches since the last call.
    pub(super) fn new_launches(&self) -> Vec<Launched> {
        let all = self.launches();
        let seen = self.seen.swap(all.len(), Ordering::Relaxed);
        all.into_iter().skip(seen).collect()
    }

    /// How many launches there were since [`Self::new_launches`].
    pub(super) fn unseen(&self) -> usize {
        self.launches().len() - self.seen.load(Ordering::Relaxed)
    }

    pub(super) fn store(&self) -> SessionStore {
        SessionStore::new(&self.rig.root())
    }

    pub(super) fn record(&self, name: &str) -> SessionRecord {
        let name: RecordName = name.parse().unwrap();
        self.store().read(&name).unwrap().unwrap()
    }

    /// The id of its conversation.
    pub(super) fn conversation(&self, name: &str) -> String {
        self.record(name).conversation.unwrap().value
    }

    /// The pane it was opened in.
    pub(super) fn pane_of(&self, name: &str) -> String {
        self.record(name).place.unwrap().pane
    }

    pub(super) fn dir(&self, below: &str) -> PathBuf {
        let path = self.rig.home.path(below);
        fs_err::create_dir_all(&path).unwrap();
        path
    }

    /// Creates a session in a directory of its own; the directory.
    pub(super) fn create(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let cwd = self.dir(&format!("work {name}"));
        let words =
            [&["create", name, "--agent", "claude", "--cwd", cwd.to_str().unwrap()], arguments].concat();
        self.rig.ok(&words);
        cwd
    }

    pub(super) fn panes(&self) -> Vec<Value> {
        self.rig.ask("pane.list", &json!({}))["panes"].as_array().unwrap().clone()
    }

    /// What the integration of claude reports once it knows its conversation.
    pub(super) fn report(&self, pane: &str, conversation: &str) {
        self.rig.ask(
            "pane.report_agent_session",
            &json!({"pane_id": pane, "source": "herdr:claude", "agent": "claude",
                "agent_session_id": conversation}),
        );
    }

    /// The same of a conversation that the user began with `/clear`.
    pub(super) fn clear(&self, pane: &str, conversation: &str) {
        self.rig.ask(
            "pane.report_agent_session",
            &json!({"pane_id": pane, "source": "herdr:claude", "agent": "claude",
                "agent_session_id": conversation, "session_start_source": "clear"}),
        );
    }

    /// Waits until herdr sees the agents of these sessions, and has each report its conversation.
    pub(super) fn settle(&self, names: &[&str]) {
        for name in names {
            let pane = self.pane_of(name);
            until("herdr sees the agent", || {
                self.panes().iter().any(|it| it["pane_id"] == *pane && !it["agent"].is_null())
            });
            self.report(&pane, &self.conversation(name));
        }
    }

    /// Waits until the server has saved these texts.
    pub(super) fn wait_until_saved(&self, saved: &[String]) {
        let file = self.rig.socket().with_file_name("session.json");
        until("the layout is saved", || {
            let text = fs_err::read_to_string(&file).unwrap_or_default();
            saved.iter().all(|saved| text.contains(saved.as_str()))
        });
    }

    /// SIGKILL for the server, when it has saved these texts; whatever ran in it is gone then.
    pub(super) fn crash(&self, saved: &[String]) {
        self.wait_until_saved(saved);
        let pid = self.rig.pid();
        kill(pid);
        until("the server is gone", || !is_alive(pid));
        until("its agents are gone", || self.rig.processes().is_empty());
    }

    /// Crash of a host that runs these sessions.
    pub(super) fn crash_with(&self, names: &[&str]) {
        self.settle(names);
        let saved: Vec<String> = names.iter().map(|name| self.conversation(name)).collect();
        self.crash(&saved);
    }

    /// How many agents run.
    pub(super) fn running(&self) -> usize {
        let launches = self.rig.home.path("bin/claude");
        let names_it = |pid: &u32| {
            let line = fs_err::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|word| word == launches.as_os_str().as_encoded_bytes())
        };
        self.rig.processes().iter().filter(|pid| names_it(pid)).count()
    }

    /// Whether an agent, and no shell, has the foreground of a pane.
    pub(super) fn has_agent(&self, pane: &str) -> bool {
        let info = self.rig.ask("pane.process_info", &json!({"pane_id": pane}))["process_info"].clone();
        info["foreground_process_group_id"] != info["shell_pid"]
    }

    /// What `mam list` says of the sessions: name to state.
    pub(super) fn states(&self) -> BTreeMap<String, String> {
        let listed: Value = serde_json::from_str(&self.rig.ok(&["list", "--json"]).stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let sessions = listed["sessions"].as_array().unwrap();
        sessions.iter().map(|session| (text(&session["name"]), text(&session["state"]))).collect()
    }
}

fn launched(path: &Path) -> Launched {
    let split = |bytes: Vec<u8>| -> Vec<Vec<u8>> {
        let mut words: Vec<Vec<u8>> = bytes.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
        words.pop();
        words
    };
    let environment = split(fs_err::read(path.with_extension("env")).unwrap());
    let pair = |entry: Vec<u8>| {
        let text = String::from_utf8_lossy(&entry).into_owned();
        text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    Launched {
        argv: split(fs_err::read(path).unwrap()),
        environment: environment.into_iter().filter_map(pair).collect(),
        cwd: read(&path.with_extension("cwd")).trim_end().into(),
    }
}
