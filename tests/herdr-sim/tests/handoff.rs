//! Live handoff: a new process takes the session over, the programs stay.

use crate::support::{Rig, process_env, wait};
use serde_json::{Value, json};

#[test]
fn panes_and_shells_survive_and_the_server_is_another() {
    let mut rig = Rig::new();
    rig.env("KEPT", "yes");
    rig.env("HERDR_SIM_HANDOFF_MS", "600");
    rig.home.fake_agent("claude");
    rig.probe("[[startup]]\ncommand = [\"./hook\"]\n[[events]]\non = \"pane.agent_detected\"\ncommand = [\"./hook\"]\n");
    rig.start();
    let pane = rig.workspace("a");
    let plain = rig.split(&pane);
    rig.type_line(&pane, "claude");
    rig.wait_agent(&pane, Some("claude"));
    rig.report(&pane, "claude", "one");
    wait("the hooks ran", || (rig.events().len() == 2).then_some(()));
    let before = (rig.shell_pid(&pane), rig.shell_pid(&plain));
    let old = i64::from(rig.pid());
    rig.call("server.live_handoff", json!({}));
    rig.server.take().unwrap().wait().unwrap();
    wait("the new server answers", || rig.try_call("ping", json!({})));
    let agents = rig.call("agent.list", json!({}))["agents"].clone();
    assert_eq!(agents, json!([]), "for a moment no agent is known");
    assert_eq!((rig.shell_pid(&pane), rig.shell_pid(&plain)), before);
    assert_eq!(rig.pane(&pane)["agent_session"]["value"], "one");
    let peer = std::os::unix::net::UnixStream::connect(rig.socket()).unwrap();
    let peer = rustix::net::sockopt::socket_peercred(&peer).unwrap();
    let new = i64::from(peer.pid.as_raw_nonzero().get());
    assert_ne!(new, old);
    let env = process_env(new);
    assert!(env.contains(&"HERDR_SESSION=s".to_owned()) && env.contains(&"KEPT=yes".to_owned()));
    let argv = std::fs::read_to_string(format!("/proc/{new}/cmdline")).unwrap();
    assert!(argv.contains("server\0--handoff-import\0"), "{argv}");
    assert!(kernel_start(new) > kernel_start(before.0), "the panes are older than the server");
    wait("startup ran again", || {
        (rig.events().iter().filter(|event| *event == "startup").count() == 2).then_some(())
    });
    rig.wait_agent(&pane, Some("claude"));
    rig.type_line(&plain, "echo still here > told");
    wait("the terminal works", || (rig.home.read("a/told") == "still here\n").then_some(()));
    rig.type_line(&plain, "exit");
    wait("and the end is noticed", || (rig.panes().len() == 1).then_some(()));
    assert_eq!(rig.split(&pane), "w1:p3");
}

fn kernel_start(pid: i64) -> i64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit(") ").next().unwrap().split(' ').nth(19).unwrap().parse().unwrap()
}

#[test]
fn a_session_without_panes_is_handed_over_too() {
    let mut rig = Rig::started();
    rig.call("server.live_handoff", json!({}));
    rig.server.take().unwrap().wait().unwrap();
    wait("the new server answers", || rig.try_call("ping", json!({})));
    assert_eq!(rig.panes(), Vec::<Value>::new());
    rig.workspace("a");
}

#[test]
fn the_agent_list_can_be_wrong_for_a_moment() {
    let mut rig = Rig::new();
    rig.env("HERDR_SIM_HANDOFF", "wrong");
    rig.env("HERDR_SIM_HANDOFF_MS", "600");
    rig.start();
    let pane = rig.workspace("a");
    rig.report(&pane, "claude", "one");
    rig.call("server.live_handoff", json!({}));
    rig.server.take().unwrap().wait().unwrap();
    wait("the new server answers", || rig.try_call("ping", json!({})));
    assert_eq!(rig.pane(&pane)["agent"], "claude", "only a shell runs there");
    rig.wait_agent(&pane, None);
    assert_eq!(rig.pane(&pane)["agent_session"]["value"], "one");
}
