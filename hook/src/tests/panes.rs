//! What herdr says: which panes are candidates, and which may go.

use std::collections::BTreeSet;

use mam_share::herdr::pane::Worktree;
use mam_share::process::{Process, State, Tty};

use super::scene::{BOOT, Row, SHELL, Scene, check, conversation, pane};
use crate::plan::{candidates, idle, plan, unchanged};
use crate::verdict::{Resumed, Verdict, judge};

const ROWS: &[Row] = &[
    ("resumed in another pane", |_| {}, "close"),
    (
        "named by the caller",
        |scene| {
            scene.named = Some("X".into());
            scene.panes.remove(1);
        },
        "close",
    ),
    ("the agent is not to be seen", |scene| drop(scene.processes.pop()), "keep only-a-shell"),
    (
        "the agent is not to be seen, and the caller names it",
        |scene| {
            scene.processes.pop();
            scene.named = Some("X".into());
        },
        "close",
    ),
    ("nothing is to be seen of the agent's pane", |scene| scene.processes.truncate(2), "keep only-a-shell"),
    ("another one is named", |scene| scene.named = Some("Y".into()), "keep not-resumed"),
    ("resumed nowhere", |scene| scene.panes[1].conversation = conversation("Y"), "keep not-resumed"),
    ("the other pane is a restored shell too", |scene| scene.panes[1].agent = None, "keep not-resumed"),
    ("the other agent has no name", |scene| scene.panes[1].agent = Some(String::new()), "keep not-resumed"),
    (
        "the same id of another kind of agent",
        |scene| {
            scene.panes[1].conversation.as_mut().unwrap().agent = "codex".into();
        },
        "keep not-resumed",
    ),
    (
        "the same text as a path",
        |scene| {
            scene.panes[1].conversation.as_mut().unwrap().kind = "path".into();
        },
        "keep not-resumed",
    ),
    ("an agent runs in it", |scene| scene.panes[0].agent = Some("claude".into()), "keep agent-runs"),
    (
        "an agent without a name or of an unknown form",
        |scene| scene.panes[0].agent = Some(String::new()),
        "keep agent-runs",
    ),
    ("a plain shell", |scene| scene.panes[0].conversation = None, "keep no-conversation"),
    (
        "an empty id",
        |scene| {
            scene.panes[0].conversation = conversation("");
            scene.named = Some(String::new());
        },
        "keep no-conversation",
    ),
    (
        "the last pane",
        |scene| {
            scene.named = Some("X".into());
            scene.panes.truncate(1);
        },
        "keep last-pane",
    ),
    ("its directory is gone", |scene| scene.panes[0].cwd = Some("/home".into()), "close"),
    ("no process information", |scene| scene.info = None, "keep no-process-info"),
    ("an unknown form", |scene| scene.info = Some(Err("odd".into())), "keep no-process-info"),
    ("information about another pane", |scene| scene.info().pane_id = "w9:p9".into(), "keep other-pane"),
    ("no shell is named", |scene| scene.info().shell_pid = None, "keep shell-gone"),
    ("a shell that is not there", |scene| scene.info().shell_pid = Some(7), "keep shell-gone"),
    ("no foreground group", |scene| scene.info().foreground_group = None, "keep no-process-info"),
    ("no foreground processes", |scene| scene.info().foreground.clear(), "keep foreground"),
];

#[test]
fn candidates_are_idle_panes_whose_conversation_went_on() {
    // Well past its youth, so that nothing is waited for.
    check(ROWS);
}

#[test]
fn the_head_of_a_worktree_group_keeps_its_only_pane() {
    let group = |key: Option<&str>, is_linked: Option<bool>| {
        Some(Worktree { repo_key: key.map(str::to_owned), is_linked_worktree: is_linked })
    };
    let key = Some("/r/.git");
    let rows = [
        (group(key, Some(false)), group(key, Some(true)), "keep heads-worktrees"),
        (group(key, None), group(key, Some(true)), "keep heads-worktrees"),
        (group(None, Some(false)), group(key, Some(true)), "keep heads-worktrees"),
        (group(key, Some(true)), group(key, Some(false)), "close"),
        (group(key, Some(false)), group(Some("/other"), Some(true)), "close"),
        (group(key, Some(false)), None, "close"),
        (None, group(key, Some(false)), "close"),
    ];
    for (ours, other, expected) in rows {
        let mut scene = Scene::new();
        let workspaces = scene.workspaces.as_mut().unwrap();
        workspaces[0].worktree = ours.clone();
        workspaces[2].worktree = other.clone();
        assert_eq!(scene.short(), expected, "{ours:?} {other:?}");
        // With a second pane in it the workspace stays, whatever it heads.
        let mut second = pane("w1:p2", None, None);
        second.workspace_id = "w1".into();
        scene.panes.push(second);
        assert_eq!(scene.short(), "close");
    }
    let mut scene = Scene::new();
    scene.workspaces.as_mut().unwrap().remove(0);
    assert_eq!(scene.short(), "keep no-workspace");
    scene.workspaces = None;
    assert_eq!(scene.short(), "keep no-workspace");
}

#[test]
fn panes_that_are_about_to_go_count_no_more() {
    let scene = Scene::new();
    let facts = scene.facts();
    let gone: BTreeSet<String> = ["w2:p1", "w3:p1"].map(str::to_owned).into();
    let verdict = judge(&facts, &facts.panes[0], &scene.question(), &gone);
    assert!(matches!(verdict, Verdict::Keep(reason) if reason.name() == "last-pane"));

    // Two leftovers alone in a session: the second one stays.
    let mut scene = Scene::new();
    scene.named = Some("X".into());
    scene.panes = vec![pane("w1:p1", None, conversation("X")), pane("w1:p1", None, conversation("X"))];
    scene.panes[1].terminal_id = "term-other".into();
    let shell = scene.shell().clone();
    let second = Process { pid: SHELL + 1, group: SHELL + 1, foreground: Some(SHELL + 1), ..shell };
    scene.processes.push(Process { tty: Some(Tty::new("pts/9")), ..second });
    let mut facts = scene.facts();
    facts.panes[1].pane_id = "w1:p2".into();
    facts.shells.insert(SHELL + 1, scene.more().clone());
    let mut info = scene.info().clone();
    info.pane_id = "w1:p2".into();
    info.shell_pid = Some(SHELL + 1);
    info.foreground_group = Some(SHELL + 1);
    info.foreground[0].pid = SHELL + 1;
    facts.informed.insert("w1:p2".into(), Ok(info));
    let verdicts: Vec<bool> = plan(&facts, &scene.question())
        .iter()
        .map(|judged| matches!(judged.verdict, Verdict::Close(_)))
        .collect();
    assert_eq!(verdicts, [true, false]);
}

#[test]
fn a_shell_that_herdr_names_for_two_panes_proves_neither() {
    let mut scene = Scene::new();
    scene.named = Some("X".into());
    let mut facts = scene.facts();
    let other = facts.informed.get_mut("w2:p1").unwrap().as_mut().unwrap();
    other.shell_pid = Some(SHELL);
    let verdict = judge(&facts, &facts.panes[0], &scene.question(), &BTreeSet::new());
    assert!(matches!(verdict, Verdict::Keep(reason) if reason.name() == "shares-shell"));
}

#[test]
fn only_panes_that_can_be_leftovers_are_asked_about() {
    let scene = Scene::new();
    assert_eq!(idle(&scene.panes), ["w1:p1"]);
    assert_eq!(candidates(&scene.panes, None), ["w1:p1"]);
    assert_eq!(candidates(&scene.panes, Some(&["X".to_owned()].into())), ["w1:p1"]);
    assert!(candidates(&scene.panes, Some(&["Y".to_owned()].into())).is_empty());
    assert!(candidates(&scene.panes[..1], None).is_empty());
    assert_eq!(scene.verdict(), Verdict::Close(Resumed::In("w2:p1".into())));
}

#[test]
fn a_pane_that_is_another_at_the_second_look_is_left_alone() {
    let before = Scene::new().facts();
    let rows: [(&str, fn(&mut Scene), Option<&str>); 14] = [
        ("nothing", |_| {}, None),
        ("time", |scene| scene.now += 1, None),
        (
            "the id was given to another terminal",
            |scene| scene.panes[0].terminal_id = "new".into(),
            Some("the terminal"),
        ),
        ("the pane is gone", |scene| drop(scene.panes.remove(0)), Some("the pane")),
        ("another conversation", |scene| scene.panes[0].conversation = conversation("Y"), Some("the pane")),
        (
            "a new shell of the same id",
            |scene| scene.shell().started += super::scene::seconds(1),
            Some("the shell"),
        ),
        (
            "the shell has read a key",
            |scene| scene.more().terminal.last_input = Some(super::scene::seconds(BOOT + 101)),
            Some("the use of its terminal"),
        ),
        (
            "a line is read",
            |scene| scene.more().terminal.is_canonical = Some(true),
            Some("the use of its terminal"),
        ),
        ("a command in front", |scene| scene.shell().foreground = Some(7), Some("the foreground")),
        ("it computes", |scene| scene.shell().state = State::Running, Some("what the shell does")),
        ("another program", |scene| scene.more().program = Some("vim".into()), Some("the shell's program")),
        ("the server let go of it", |scene| scene.shell().parent = 1, Some("the shell")),
        (
            "another directory",
            |scene| scene.more().directory = Some("/tmp".into()),
            Some("the shell's directory"),
        ),
        ("nothing is known of the shell", |scene| scene.shell = None, Some("the shell")),
    ];
    for (what, change, expected) in rows {
        let mut scene = Scene::new();
        change(&mut scene);
        let found = unchanged(&before, &scene.facts(), &before.panes[0]);
        let expected = expected.map_or(Ok(()), |what| Err(crate::reason::Reason::Changed(what)));
        assert_eq!(found, expected, "{what}");
    }
    let mut other = Scene::new().facts();
    other.server.boot = "next".into();
    assert!(unchanged(&before, &other, &before.panes[0]).is_err());
}
