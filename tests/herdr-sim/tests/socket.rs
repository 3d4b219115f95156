//! The API socket: one request per connection, answered on the server's turn.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use crate::support::Rig;
use serde_json::{Value, json};

#[test]
fn one_request_per_connection() {
    let rig = Rig::started();
    let ping = "{\"id\":\"a\",\"method\":\"ping\",\"params\":{}}";
    let answer = rig.raw(&format!("{ping}\n{ping}")).unwrap();
    assert_eq!(answer.lines().count(), 1, "{answer}");
    let pong: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        pong,
        json!({"id": "a", "result": {
            "type": "pong", "version": "0.8.2", "protocol": 20,
            "capabilities": {"live_handoff": true, "detached_server_daemon": true},
        }})
    );
}

#[test]
fn what_cannot_be_read_is_refused_without_an_id() {
    let rig = Rig::started();
    let bad = [
        ("nonsense", "invalid request: "),
        ("{\"id\":\"x\",\"method\":\"no.such\",\"params\":{}}", "unknown variant `no.such`, expected"),
        ("{\"id\":\"x\",\"method\":\"pane.get\",\"params\":{}}", "missing field `pane_id`"),
        (
            "{\"id\":\"x\",\"method\":\"pane.split\",\"params\":{\"direction\":\"up\"}}",
            "unknown variant `up`",
        ),
        ("{\"id\":\"x\",\"method\":\"popup.close\",\"params\":{}}", "herdr-sim does not answer"),
    ];
    for (line, said) in bad {
        let answer: Value = serde_json::from_str(&rig.raw(line).unwrap()).unwrap();
        assert_eq!(answer["id"], "", "{answer}");
        assert_eq!(answer["error"]["code"], "invalid_request", "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(said), "{answer}");
    }
    assert!(rig.file("herdr-server.log").contains("refused: {\"id\":\"x\",\"method\":\"popup.close\""));
}

#[test]
fn other_errors_carry_the_id_and_a_code() {
    let rig = Rig::started();
    let answer = rig.answer("pane.get", json!({"pane_id": "w9:p9"}));
    let error = json!({"code": "pane_not_found", "message": "pane w9:p9 not found"});
    assert_eq!(answer, json!({"id": "t", "error": error}));
    assert_eq!(rig.error("agent.get", json!({"target": "w9:p9"})), "agent_not_found");
    assert_eq!(rig.error("workspace.get", json!({"workspace_id": "w9"})), "workspace_not_found");
    assert_eq!(rig.error("tab.get", json!({"tab_id": "w9:t1"})), "tab_not_found");
}

#[test]
fn a_line_may_have_a_mebibyte() {
    let rig = Rig::started();
    let line = |size: usize| {
        let start = "{\"id\":\"x\",\"method\":\"ping\",\"params\":{\"pad\":\"";
        let end = "\"}}";
        let pad = "x".repeat(size - start.len() - end.len() - 1);
        format!("{start}{pad}{end}")
    };
    assert!(rig.raw(&line(1024 * 1024)).unwrap().contains("pong"));
    let too_long = rig.raw(&line(1024 * 1024 + 1));
    assert!(too_long.is_err() || too_long.is_ok_and(|answer| answer.is_empty()));
}

#[test]
fn waiting_requests_are_answered_in_one_turn() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    let line = json!({"id": "x", "method": "pane.process_info", "params": {"pane_id": pane}});
    let line = format!("{line}\n");
    let together = || {
        let start = Instant::now();
        let mut streams: Vec<UnixStream> = (0..50)
            .map(|_| {
                let mut stream = UnixStream::connect(rig.socket()).unwrap();
                stream.write_all(line.as_bytes()).unwrap();
                stream
            })
            .collect();
        for stream in &mut streams {
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.contains("shell_pid"), "{answer}");
        }
        start.elapsed()
    };
    let alone = || {
        let start = Instant::now();
        (0..10).for_each(|_| drop(rig.raw(line.trim_end()).unwrap()));
        start.elapsed()
    };
    // A busy machine may disturb a measurement, so one good one is enough.
    crate::support::wait("ten one after another take turns, fifty at once take few", || {
        let (together, alone) = (together(), alone());
        (alone > Duration::from_millis(150) && together < alone).then_some(())
    });
}

#[test]
fn a_silent_client_is_given_up() {
    let rig = Rig::started();
    let mut stream = UnixStream::connect(rig.socket()).unwrap();
    stream.write_all(b"{\"id\":").unwrap();
    let start = Instant::now();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.is_empty());
    assert!((4..8).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}
