//! Agents that somebody starts by hand in a pane of the host: what is recorded of them, and what is not.

use std::path::PathBuf;

use mam_host::context::{Context, Voice};
use mam_host::session::adoption;
use mam_host::session::conversation;
use mam_host::session::kinds::Kinds;
use mam_host::session::record::{Ended, Flags, LaunchedBy, SessionRecord, Source, Status};
use mam_host::session::server::Server;
use mam_host::session::store::SessionStore;
use mam_share::environment::Environment;
use mam_share::herdr::pane;
use mam_share::message::Messages;
use serde_json::{Value, json};

use crate::host::rig::{Rig, is_alive, kill, on_each, until};
use crate::support::home::read;
use crate::support::tools::needs;

/// A fake agent: says that it is one, and stays.
const AGENT: &str = "#!/usr/bin/env bash\necho 'Welcome to Claude Code (fake)'\nwhile :; do sleep 1; done\n";

struct Pane<'a> {
    rig: &'a Rig,
    id: String,
}

impl<'a> Pane<'a> {
    /// A pane with a shell in a directory of its own.
    fn open(rig: &'a Rig, directory: &str) -> Self {
        let cwd = rig.home.path(directory);
        fs_err::create_dir_all(&cwd).unwrap();
        let made = rig.ask("workspace.create", &json!({"cwd": cwd, "label": directory}));
        let id = made["root_pane"]["pane_id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        let pane = Self { rig, id };
        pane.shell_waits();
        pane
    }

    fn info(&self) -> Value {
        self.rig.ask("pane.process_info", &json!({"pane_id": self.id}))["process_info"].clone()
    }

    fn shell_waits(&self) {
        until("the shell waits", || {
            let info = self.info();
            info["foreground_process_group_id"] == info["shell_pid"] && !info["shell_pid"].is_null()
        });
    }

    fn shown(&self) -> Value {
        let panes = self.rig.ask("pane.list", &json!({}));
        let panes = panes["panes"].as_array().unwrap().clone();
        panes.into_iter().find(|pane| pane["pane_id"] == *self.id).unwrap()
    }

    /// Types a line, and waits until herdr sees an agent.
    fn start(&self, line: &str) {
        self.rig.ask("pane.send_input", &json!({"pane_id": self.id, "text": line, "keys": ["Enter"]}));
        until("herdr sees the agent", || !self.shown()["agent"].is_null());
    }

    /// Ends what is in front of the shell.
    fn end(&self) -> u32 {
        let info = self.info();
        let pid = u32::try_from(info["foreground_process_group_id"].as_u64().unwrap()).unwrap();
        kill(pid);
        until("the agent is gone", || !is_alive(pid));
        until("herdr sees that it is gone", || self.shown()["agent"].is_null());
        pid
    }

    fn report(&self, conversation: &str, began: Option<&str>) {
        let mut report = json!({"pane_id": self.id, "source": "herdr:claude", "agent": "claude",
            "agent_session_id": conversation});
        if let Some(began) = began {
            report["session_start_source"] = json!(began);
        }
        self.rig.ask("pane.report_agent_session", &report);
    }
}

fn context(rig: &Rig) -> Context {
    let home = rig.home.path("");
    let path = rig.home.search_path();
    let variables = [("HOME", home.to_str().unwrap().trim_end_matches('/')), ("PATH", &path)];
    let environment = Environment::new(variables, "/", "/tmp");
    let messages = Messages::new("mam", &environment);
    Context::new(environment, messages, None, Voice::Quiet).unwrap()
}

fn kinds() -> Kinds {
    Kinds::load(&toml::Table::new(), &PathBuf::from("/m")).0
}

/// herdr's call of the plugin records nothing: the test does, one step at a time.
fn not_by_itself(rig: &Rig) {
    rig.home.write(".config/mam/config.toml", "[sessions]\nadopt = \"off\"\n");
}

/// What herdr's hook has mam do when agents were seen; the names of what is new.
fn seen(rig: &Rig) -> Vec<String> {
    let context = context(rig);
    let server = Server::find(&rig.socket(), context.kernel()).unwrap();
    let names = adoption::all(&context, &kinds(), "mam", &server);
    names.into_iter().map(Into::into).collect()
}

fn records(rig: &Rig) -> Vec<SessionRecord> {
    SessionStore::new(&rig.root()).list().records
}

fn words(record: &SessionRecord) -> Vec<String> {
    record.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

#[test]
fn an_agent_is_recorded_once_with_its_arguments_and_taken_up_again() {
    on_each(|rig| {
        rig.home.program("claude", AGENT);
        not_by_itself(rig);
        rig.ok(&["start"]);
        let pane = Pane::open(rig, "src app");
        assert_eq!(seen(rig), Vec::<String>::new());
        pane.start(
            "CLAUDE_CONFIG_DIR='/c d' SECRET=hunter2 claude --dangerously-skip-permissions --model 'm x'",
        );
        assert_eq!(seen(rig), ["claude-src-app"]);
        assert_eq!(seen(rig), Vec::<String>::new());
        let record = records(rig).pop().unwrap();
        assert_eq!(words(&record)[2..], ["--dangerously-skip-permissions", "--model", "m x"]);
        assert_eq!((record.flags, record.history[0].how), (Flags::Known, LaunchedBy::Adopt));
        assert_eq!(record.cwd, rig.home.path("src app"));
        assert_eq!((record.workspace.as_deref(), &record.conversation), (Some("src app"), &None));
        let stored = Source::Stored { value: "/c d".into() };
        assert!(record.environment.iter().any(|it| it.name == "CLAUDE_CONFIG_DIR" && it.source == stored));
        assert!(record.environment.iter().any(|it| it.name == "SECRET" && it.source == Source::Noted));
        assert!(!read(&rig.root().join("sessions/claude-src-app.json")).contains("hunter2"));

        // The integration reports, then the user types /clear.
        for (conversation, began) in [("A", None), ("B", Some("clear"))] {
            pane.report(conversation, began);
            let panes = pane::panes(&rig.ask("pane.list", &json!({}))).unwrap();
            let store = SessionStore::new(&rig.root());
            let learned = store.update(&record.name, |record| {
                conversation::learn(record, &panes, &kinds(), "t");
            });
            assert_eq!(learned.unwrap().conversation.unwrap().value, conversation);
        }
        assert_eq!(records(rig)[0].earlier[0].conversation.value, "A");

        // It ends; somebody takes it up again by hand, without its flags.
        pane.end();
        until("its end is noted", || {
            seen(rig);
            matches!(records(rig)[0].status, Status::Ended { how: Ended::Unseen(()), .. })
        });
        pane.start("claude --resume B");
        assert_eq!(seen(rig), ["claude-src-app"]);
        let again = records(rig);
        assert_eq!((again.len(), again[0].history.len()), (1, 2));
        assert_eq!(words(&again[0])[2..], ["--dangerously-skip-permissions", "--model", "m x"]);
        assert!(matches!(again[0].status, Status::Running { .. }));

        // Another one beside it is another session, and what answers once is none.
        let other = Pane::open(rig, "src app");
        other.start("claude --verbose");
        assert_eq!(seen(rig), ["claude-src-app-2"]);
        let third = Pane::open(rig, "once");
        third.start("claude -p hello");
        assert_eq!(seen(rig), Vec::<String>::new());
        rig.ok(&["stop"]);
    });
}

#[test]
fn an_agent_that_has_put_a_title_over_its_arguments_is_recorded_without_them() {
    let Some(perl) = needs("perl") else { return };
    on_each(|rig| {
        let script = format!(
            "#!{}\n$0 = 'claude'; $| = 1; print \"Welcome to Claude Code (fake)\\n\"; sleep 1 while 1;\n",
            perl.display()
        );
        rig.home.program("claude", &script);
        not_by_itself(rig);
        rig.ok(&["start"]);
        let pane = Pane::open(rig, "src");
        pane.start("claude --dangerously-skip-permissions");
        until("the title is there", || !seen(rig).is_empty());
        let record = records(rig).pop().unwrap();
        assert_eq!((record.flags, words(&record)), (Flags::Unknown, vec!["claude".to_owned()]));
        rig.ok(&["stop"]);
    });
}
