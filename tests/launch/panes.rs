//! `mam launch` in the panes of a herdr, as mam's plugin opens them.

use mam_host::profile::ProfileName;
use mam_host::session::handover;
use mam_host::session::name::RecordName;
use mam_host::session::place::{self, Opened, Opening, Spot};
use mam_host::session::record::{Ended, Launch, LaunchedBy, SessionRecord, Status};
use mam_host::session::server::Server;
use mam_host::session::store::SessionStore;
use mam_share::process;
use serde_json::{Value, json};

use super::rig::is_alive;
use crate::host::rig::{Rig, on_each, until};
use crate::support::home::read;

fn store(rig: &Rig) -> SessionStore {
    SessionStore::new(&rig.root())
}

fn name() -> RecordName {
    "review".parse().unwrap()
}

fn status(rig: &Rig) -> Status {
    store(rig).read(&name()).unwrap().unwrap().status
}

/// Opens a pane for a recorded agent that runs `script` as `claude`.
fn open(rig: &Rig, script: &str) -> Opened {
    rig.home.link_program("claude", "/bin/sh".as_ref());
    rig.home.write("work dir/here", "");
    rig.ok(&["start"]);
    let argv = ["claude", "-c", script, "claude", "", "it's $HOME\n"].map(Into::into).into();
    let now = "2026-12-01T00:00:00Z";
    let mut record = SessionRecord::new(name(), "claude", argv, rig.home.path("work dir"), "mam", now);
    record.note_launch(Launch::new(LaunchedBy::Create, now));
    store(rig).create(&record).unwrap();
    let kernel = process::kernel();
    let server = Server::find(&rig.socket(), &kernel).unwrap();
    let opening = Opening {
        spot: Spot::Workspace("agents".to_owned()),
        cwd: rig.home.path("work dir"),
        label: None,
        variables: handover::variables(&ProfileName::root(), "review", &[]),
    };
    let opened = place::open(&server, &[opening]).pop().unwrap();
    opened.unwrap_or_else(|why| panic!("{why:?}\n{}", crate::host::rig::log_of(&rig.root())))
}

fn pane(rig: &Rig, id: &str) -> Option<Value> {
    let list = rig.ask("pane.list", &json!({}));
    list["panes"].as_array().unwrap().iter().find(|pane| pane["pane_id"] == id).cloned()
}

fn running(rig: &Rig) -> u32 {
    let pid = std::cell::Cell::new(0);
    until("the agent runs", || match status(rig) {
        Status::Running { process } => {
            pid.set(process.pid);
            true
        }
        Status::Launching { .. } => false,
        other @ (Status::Ended { .. } | Status::Failed { .. }) => panic!("{other:?}"),
    });
    pid.get()
}

/// Types into the pane.
fn send(rig: &Rig, pane: &str, text: &str) {
    rig.ask("pane.send_text", &json!({"pane_id": pane, "text": text}));
}

#[test]
fn herdr_sees_the_agent_and_its_conversation_and_closing_the_pane_ends_it() {
    on_each(|rig| {
        let script = "cat /proc/$$/environ > \"$HOME/environ\"; cat /proc/$$/cmdline > \"$HOME/cmdline\"; \
            while :; do sleep 0.2; done";
        let opened = open(rig, script);
        let agent = running(rig);
        until("herdr sees the agent", || {
            pane(rig, &opened.pane_id).is_some_and(|pane| pane["agent"] == "claude")
        });
        let environ = read(&rig.home.path("environ"));
        let own = format!("HERDR_PANE_ID={}", opened.pane_id);
        assert!(environ.split('\0').any(|entry| entry == own), "{environ}");
        assert!(environ.contains("HERDR_SOCKET_PATH=") && environ.contains("HERDR_ENV=1"), "{environ}");
        assert!(!environ.contains("MAM_LAUNCH") && !environ.contains("MAM_HOST"), "{environ}");
        let cmdline = read(&rig.home.path("cmdline"));
        assert_eq!(cmdline, format!("claude\0-c\0{script}\0claude\0\0it's $HOME\n\0"));
        rig.ask(
            "pane.report_agent_session",
            &json!({"pane_id": opened.pane_id, "source": "herdr:claude", "agent": "claude",
                "agent_session_id": "11111111-2222-3333-4444-555555555555"}),
        );
        until("herdr has its conversation", || {
            pane(rig, &opened.pane_id).is_some_and(|pane| pane["agent_session"]["value"].is_string())
        });
        // Its group is the one in the foreground.
        let info = rig.ask("pane.process_info", &json!({"pane_id": opened.pane_id}));
        assert!(info.to_string().contains(&format!("\"foreground_process_group_id\":{agent}")), "{info}");
        rig.ask("pane.close", &json!({"pane_id": opened.pane_id}));
        until("the agent is gone", || !is_alive(agent));
        until("its end is recorded", || matches!(status(rig), Status::Ended { .. }));
    });
}

#[test]
fn when_the_agent_ends_the_pane_stays_with_the_users_shell() {
    on_each(|rig| {
        let opened = open(rig, "read line; exit 3");
        running(rig);
        until("herdr sees the agent", || {
            pane(rig, &opened.pane_id).is_some_and(|pane| pane["agent"] == "claude")
        });
        send(rig, &opened.pane_id, "x\n");
        until("its end is recorded", || matches!(status(rig), Status::Ended { how: Ended::Code(3), .. }));
        send(rig, &opened.pane_id, "echo $PWD $$ > \"$HOME/after\"; mv \"$HOME/after\" \"$HOME/then\"\n");
        until("the shell reads", || rig.home.path("then").exists());
        let info = rig.ask("pane.process_info", &json!({"pane_id": opened.pane_id}));
        let shell = read(&rig.home.path("then"));
        let (directory, pid) = shell.trim().rsplit_once(' ').unwrap();
        assert_eq!(directory, rig.home.path("work dir").to_str().unwrap());
        assert!(info.to_string().contains(&format!("\"shell_pid\":{pid}")), "{info} {shell}");
        until("herdr sees no agent", || {
            pane(rig, &opened.pane_id).is_some_and(|pane| pane["agent"].is_null())
        });
    });
}

#[test]
fn an_agent_ends_with_a_server_that_crashes() {
    on_each(|rig| {
        open(rig, "while :; do sleep 0.2; done");
        let agent = running(rig);
        crate::host::rig::kill(rig.pid());
        until("the agent is gone", || !is_alive(agent));
        until("its end is recorded", || matches!(status(rig), Status::Ended { how: Ended::Signal(1), .. }));
    });
}
