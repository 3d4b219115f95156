//! The same requests to the simulator and, with `MAM_TEST_HERDR`, to a real herdr: both give the answers that
//! a herdr was seen to give. Where they differ the simulator is wrong.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::support::fixture::{self, expect};
use crate::support::{Rig, SIM, wait};

#[test]
fn the_simulator_answers_as_herdr_was_seen_to() {
    conversation_with(SIM.into());
}

#[test]
fn a_real_herdr_answers_as_herdr_was_seen_to() {
    match std::env::var_os("MAM_TEST_HERDR").filter(|path| !path.is_empty()) {
        Some(path) => conversation_with(path.into()),
        None => eprintln!("skipped: needs a herdr in MAM_TEST_HERDR"),
    }
}

/// Everything that was captured, in the order in which it comes about.
fn conversation_with(herdr: PathBuf) {
    let mut rig = Rig::of(herdr);
    prepare(&mut rig);
    serve(&mut rig);
    expect(&rig.home, "ping", || rig.answer("ping", json!({})));
    errors(&rig);
    panes_and_an_agent(&rig);
    let saved = || serde_json::from_str(&rig.file("session.json")).unwrap_or_default();
    expect(&rig.home, "session", saved);
    rig.crash();
    serve(&mut rig);
    restored(&rig);
}

/// A config of its own kind, an agent and a plugin that writes down what it is told.
fn prepare(rig: &mut Rig) {
    let shell = rig.home.text("shell.sh");
    let config = format!(
        "[terminal]\ndefault_shell = \"{shell}\"\n[session]\nresume_agents_on_restore = false\n\
         [update]\nversion_check = false\nmanifest_check = false\n"
    );
    let overlay = rig.home.write("overlay.toml", config.as_bytes());
    rig.env("HERDR_CONFIG_PATH", overlay.to_str().unwrap());
    let agent = "#!/usr/bin/env bash\necho 'Welcome to Claude Code (fake)'\nwhile :; do sleep 1; done\n";
    rig.home.script("bin/claude", agent);
    let told = rig.home.dir("told");
    let hook = format!(
        "#!/bin/sh\nset -C\nenv | grep -E '^HERDR_' | grep -v '^HERDR_SIM_' > {told}/$$ && mv -n {told}/$$ {told}/$HERDR_PLUGIN_EVENT\n"
    );
    let events = ["pane.created", "pane.agent_detected", "pane.agent_status_changed"];
    let entry = |event: &str| format!("[[events]]\non = \"{event}\"\ncommand = [\"./hook\"]\n");
    rig.probe(&(events.map(entry).concat() + "[[startup]]\ncommand = [\"./hook\"]\n"));
    rig.home.script("plug/hook", &hook);
}

/// Starts the server; what it says is as it was seen. 0.8.0 says it on stderr.
fn serve(rig: &mut Rig) {
    let said = std::fs::File::create(rig.home.path("said")).unwrap();
    let mut command = rig.server_command();
    command.stdout(said.try_clone().unwrap()).stderr(said);
    rig.start_with(command);
    let known = fixture::text(&rig.home, "server-stdout.txt");
    // It answers before it says so.
    wait("it says where it is", || (rig.home.read("said").len() >= known.len()).then_some(()));
    assert_eq!(rig.home.read("said"), known);
}

fn errors(rig: &Rig) {
    let nobody = json!({"pane_id": "w9:p9"});
    for method in ["pane.get", "pane.process_info", "pane.close"] {
        expect(&rig.home, "error-pane-not-found", || rig.answer(method, nobody.clone()));
    }
    expect(&rig.home, "error-unknown-method", || rig.answer("no.such", json!({})));
}

fn panes_and_an_agent(rig: &Rig) {
    let [one, two] = ["one", "two"].map(|name| rig.home.dir(name));
    // Of a first start nothing is kept: the one in front is not there yet.
    wait("the startup was told", || rig.home.path("told/startup").exists().then_some(()));
    std::fs::remove_file(rig.home.path("told/startup")).unwrap();
    let made = rig.answer("workspace.create", json!({"cwd": one, "label": "First"}));
    expect(&rig.home, "workspace-create", || made.clone());
    told(rig, "pane.created", "plugin-env-created");
    rig.wait_idle("w1:p1");
    rig.call("workspace.create", json!({"cwd": two, "label": "Second", "focus": false}));
    rig.wait_idle("w2:p1");
    expect(&rig.home, "process-info-idle-shell", || info(rig, "w2:p1"));

    let line = json!({"pane_id": "w1:p1", "text": "claude --session-id a-conversation", "keys": ["enter"]});
    let sent = rig.answer("pane.send_input", line);
    expect(&rig.home, "pane-send-input", || sent.clone());
    rig.wait_agent("w1:p1", Some("claude"));
    told(rig, "pane.agent_detected", "plugin-env-detected");
    told(rig, "pane.agent_status_changed", "plugin-env-status");
    let report = json!({"pane_id": "w1:p1", "source": "herdr:claude", "agent": "claude", "state": "idle",
        "agent_session_id": "a-conversation"});
    expect(&rig.home, "pane-report-agent", || rig.answer("pane.report_agent", report.clone()));
    expect(&rig.home, "pane-list-live", || rig.answer("pane.list", json!({})));
    expect(&rig.home, "process-info-agent", || info(rig, "w1:p1"));
    expect(&rig.home, "session-snapshot", || rig.answer("session.snapshot", json!({})));
}

fn restored(rig: &Rig) {
    expect(&rig.home, "pane-list-restored", || rig.answer("pane.list", json!({})));
    told(rig, "startup", "plugin-env-startup");
    rig.wait_idle("w1:p1");
    expect(&rig.home, "process-info-restored-shell", || info(rig, "w1:p1"));
    rig.type_line("w1:p1", "sleep 50");
    expect(&rig.home, "process-info-busy-shell", || info(rig, "w1:p1"));
    rig.call("pane.send_keys", json!({"pane_id": "w1:p1", "keys": ["ctrl+z"]}));
    expect(&rig.home, "process-info-suspended-job", || info(rig, "w1:p1"));
}

fn info(rig: &Rig, pane: &str) -> Value {
    rig.answer("pane.process_info", json!({"pane_id": pane}))
}

/// What the plugin was told of an event the first time, with the JSON in it read.
fn told(rig: &Rig, event: &str, name: &str) {
    expect(&rig.home, name, || {
        let text = rig.home.read(&format!("told/{event}"));
        let mut lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('=')).collect();
        lines.sort_unstable();
        let value = |name: &str, value: &str| {
            let is_json = name.ends_with("_JSON");
            if is_json { serde_json::from_str(value).unwrap_or_default() } else { Value::from(value) }
        };
        let variables = lines.into_iter().map(|(name, text)| (name.to_owned(), value(name, text)));
        Value::Object(variables.collect::<Map<_, _>>())
    });
}
