//! Each kind of agent that herdr can resume, through a crash: its program sees the arguments it knows.

use serde_json::json;

use super::rig::Agents;
use crate::host::rig::until;
use crate::support::herdr::Herdr;

/// A kind, its program, its source for herdr, what it is launched with, and what it has to find at the
/// resume; `ID` stands for its conversation.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const ROWS: [Row; 17] = [
    ("claude", "claude", "herdr:claude", &["--verbose", "do it"], &["--resume", "ID", "--verbose"]),
    ("codex", "codex", "herdr:codex", &["--yolo", "do it"], &["resume", "ID", "--yolo"]),
    ("copilot", "copilot", "herdr:copilot", &["--allow-all-tools"], &["--resume=ID", "--allow-all-tools"]),
    (
        "devin",
        "devin",
        "herdr:devin",
        &["--permission-mode", "bypass", "--", "do it"],
        &["--resume", "ID", "--permission-mode", "bypass"],
    ),
    ("droid", "droid", "herdr:droid", &["--auto", "high", "do it"], &["--resume", "ID", "--auto", "high"]),
    ("kimi", "kimi", "herdr:kimi", &["--yolo", "-m", "k 2"], &["--session", "ID", "--yolo", "-m", "k 2"]),
    (
        "mastracode",
        "mastracode",
        "herdr:mastracode",
        &["--mode", "plan"],
        &["--thread", "ID", "--mode", "plan"],
    ),
    ("pi", "pi", "herdr:pi", &["--no-tools", "do it"], &["--session", "ID", "--no-tools"]),
    ("omp", "omp", "herdr:omp", &["--yolo", "do it"], &["--resume=ID", "--yolo"]),
    ("hermes", "hermes", "herdr:hermes", &["--yolo"], &["--resume", "ID", "--yolo"]),
    (
        "opencode",
        "opencode",
        "herdr:opencode",
        &["--agent", "build"],
        &["--session", "ID", "--agent", "build"],
    ),
    ("qodercli", "qodercli", "herdr:qodercli", &["-w", "/x y"], &["--resume", "ID", "-w", "/x y"]),
    ("qwen", "qwen", "herdr:qwen", &["-y", "do it"], &["--resume", "ID", "-y"]),
    ("kilo", "kilo", "herdr:kilo", &["--yolo"], &["--session", "ID", "--yolo"]),
    ("cursor", "cursor-agent", "herdr:cursor", &["-f", "do it"], &["--resume", "ID", "-f"]),
    ("agy", "agy", "herdr:antigravity_cli", &["--sandbox"], &["--conversation", "ID", "--sandbox"]),
    ("grok", "grok", "herdr:grok", &["--yolo", "do it"], &["--resume", "ID", "--yolo"]),
];

/// On the simulator: a real herdr knows some of them by what they show on their screen.
#[test]
fn each_kind_comes_back_with_its_flags_and_without_its_prompt() {
    let agents = Agents::new(&Herdr::sim());
    let rig = &agents.rig;
    let work = agents.dir("work");
    let mut saved = Vec::new();
    for (kind, program, source, arguments, _) in ROWS {
        agents.agent(program);
        let words = ["create", kind, "--agent", kind, "--cwd", work.to_str().unwrap(), "--"];
        rig.ok(&[&words, arguments].concat());
        let pane = agents.pane_of(kind);
        let shown = || agents.panes().into_iter().find(|it| it["pane_id"] == *pane).unwrap();
        until("herdr sees the agent", || shown()["agent"] == *kind);
        // claude was given its own; all others are the first to know.
        let id = agents.record(kind).conversation.map_or(format!("of-{kind}"), |it| it.value);
        let report = json!({"pane_id": pane, "source": source, "agent": kind, "agent_session_id": id});
        rig.ask("pane.report_agent_session", &report);
        until("herdr has its conversation", || shown()["agent_session"]["value"] == *id);
        saved.push(id);
    }
    agents.new_launches();
    agents.crash(&saved);

    let ran = rig.ok(&["resume", "--all"]);

    assert!(ran.stdout.ends_with("17 resumed\n"), "{}", ran.stdout);
    assert_eq!(ran.stderr.matches("closed restored pane").count(), ROWS.len(), "{}", ran.stderr);
    let mut found: Vec<Vec<String>> = agents.new_launches().iter().map(super::rig::Launched::words).collect();
    let mut wanted: Vec<Vec<String>> = std::iter::zip(ROWS, &saved)
        .map(|((.., words), id)| words.iter().map(|word| word.replace("ID", id)).collect())
        .collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    rig.ok(&["stop"]);
}
