//! Agents: detected by their processes, named by their integrations.

use crate::support::{Rig, wait};
use serde_json::{Value, json};

fn with_agent() -> (Rig, String) {
    let rig = Rig::started();
    rig.home.fake_agent("claude");
    let pane = rig.workspace("a");
    rig.type_line(&pane, "claude --session-id one");
    rig.wait_agent(&pane, Some("claude"));
    (rig, pane)
}

#[test]
fn an_agent_in_the_foreground_appears_and_vanishes() {
    let (rig, pane) = with_agent();
    rig.report(&pane, "claude", "one");
    let session = json!({"source": "herdr:claude", "agent": "claude", "kind": "id", "value": "one"});
    assert_eq!(rig.pane(&pane)["agent_session"], session);
    let agents = rig.call("agent.list", json!({}))["agents"].clone();
    assert_eq!(agents[0]["pane_id"], pane.as_str());
    assert_eq!(agents[0]["agent_session"], session);
    let one = rig.call("agent.get", json!({"target": pane}))["agent"].clone();
    assert_eq!(one["agent"], "claude");
    wait("the screen tells the status", || (rig.pane(&pane)["agent_status"] == "idle").then_some(()));
    rig.call("pane.send_keys", json!({"pane_id": pane, "keys": ["ctrl+c"]}));
    rig.wait_agent(&pane, None);
    assert_eq!(rig.pane(&pane)["agent_session"], Value::Null);
    assert_eq!(rig.pane(&pane)["agent_status"], "unknown");
    assert_eq!(rig.error("agent.get", json!({"target": pane})), "agent_not_found");
}

#[test]
fn a_report_is_accepted_before_detection() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    rig.report(&pane, "claude", "early");
    assert_eq!(rig.pane(&pane)["agent_session"]["value"], "early");
    assert_eq!(rig.pane(&pane)["agent"], Value::Null);
}

#[test]
fn an_agent_behind_an_unknown_wrapper_is_never_detected() {
    let rig = Rig::started();
    rig.home.script("bin/wrapper", "#!/bin/sh\nsleep 304\n");
    let pane = rig.workspace("a");
    rig.type_line(&pane, "wrapper claude");
    wait("it runs", || (!rig.foreground_is_shell(&pane)).then_some(()));
    rig.report(&pane, "claude", "hidden");
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(rig.pane(&pane)["agent"], Value::Null);
    assert_eq!(rig.pane(&pane)["agent_session"]["value"], "hidden");
}

#[test]
fn only_official_sources_name_conversations() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    let report = |source: &str, agent: &str, id: &str| {
        let params = json!({
            "pane_id": pane, "source": source, "agent": agent, "agent_session_id": id,
        });
        rig.call("pane.report_agent_session", params);
        rig.pane(&pane)["agent_session"]["value"].clone()
    };
    assert_eq!(report("mine", "claude", "x"), Value::Null);
    assert_eq!(report("herdr:codex", "claude", "x"), Value::Null);
    assert_eq!(report("herdr:claude", "claude", "with\u{7}bell"), Value::Null);
    assert_eq!(report("herdr:claude", "claude", &"x".repeat(513)), Value::Null);
    assert_eq!(report("herdr:claude", "claude", &"x".repeat(512)), "x".repeat(512));
    assert_eq!(report("herdr:claude", "claude", "newer"), "newer");
    let path = |value: &str| {
        json!({
            "pane_id": pane, "source": "herdr:claude", "agent": "claude",
            "agent_session_path": value,
        })
    };
    rig.call("pane.report_agent_session", path("relative"));
    assert_eq!(rig.pane(&pane)["agent_session"]["value"], "newer");
    rig.call("pane.report_agent_session", path("/absolute"));
    assert_eq!(rig.pane(&pane)["agent_session"]["kind"], "path");
}

#[test]
fn another_source_can_say_that_an_agent_is_there() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    let report = json!({"pane_id": pane, "source": "mine", "agent": "foo", "state": "working"});
    rig.call("pane.report_agent", report);
    assert_eq!(rig.pane(&pane)["agent"], "foo");
    assert_eq!(rig.pane(&pane)["agent_status"], "working");
    let release = json!({"pane_id": pane, "source": "mine", "agent": "foo"});
    rig.call("pane.release_agent", release);
    assert_eq!(rig.pane(&pane)["agent"], Value::Null);
}

#[test]
fn two_panes_may_name_the_same_conversation() {
    let (rig, live) = with_agent();
    let other = rig.workspace("b");
    rig.report(&live, "claude", "same");
    rig.report(&other, "claude", "same");
    let with = rig.panes().into_iter().filter(|pane| pane["agent_session"]["value"] == "same");
    let agents: Vec<Value> = with.map(|pane| pane["agent"].clone()).collect();
    assert_eq!(agents, [json!("claude"), Value::Null]);
}
