//! How each kind of agent is resumed: rows of what was launched and what is run then.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use mam_share::herdr::pane::Conversation;

use crate::session::argv::{Launch, Why, conversation_of, launch_argv, resume_argv};
use crate::session::kind::Kind;
use crate::session::kinds::Kinds;

pub(super) fn kinds() -> Kinds {
    let (kinds, warnings) = Kinds::load(&toml::Table::new(), Path::new("/m"));
    assert_eq!(warnings, []);
    kinds
}

pub(super) fn conversation(kind: &Kind, value: &str) -> Conversation {
    let form = if value.starts_with('/') { "path" } else { "id" };
    Conversation { agent: kind.name.clone(), kind: form.to_owned(), value: value.to_owned() }
}

/// Words by blanks; `_` stands for a blank in a word and `''` for an empty word.
fn argv(text: &str) -> Vec<OsString> {
    let word = |word: &str| if word == "''" { String::new() } else { word.replace('_', " ") };
    text.split_whitespace().map(|text| word(text).into()).collect()
}

#[test]
fn each_kind_is_resumed_with_what_it_was_launched_with() {
    let rows = [
        ("claude", "claude", "claude --resume NEW"),
        ("claude", "claude --session-id OLD --model opus", "claude --resume NEW --model opus"),
        ("claude", "/opt/claude --resume OLD do_it", "/opt/claude --resume NEW"),
        ("claude", "claude -r OLD --verbose", "claude --resume NEW --verbose"),
        ("claude", "claude -rOLD --verbose", "claude --resume NEW --verbose"),
        ("claude", "claude --resume=OLD --fork-session", "claude --resume NEW"),
        ("claude", "claude --resume --verbose", "claude --resume NEW --verbose"),
        ("claude", "claude -c --model m_x do_it", "claude --resume NEW --model m_x"),
        ("claude", "claude --continue -- -a_prompt", "claude --resume NEW"),
        ("claude", "claude --verbose --", "claude --resume NEW --verbose --"),
        ("claude", "claude do_it --verbose", "claude --resume NEW --verbose"),
        ("claude", "claude --from-pr 12 --teleport", "claude --resume NEW"),
        ("claude", "claude --model -c", "claude --resume NEW --model -c"),
        ("claude", "claude --model=-c", "claude --resume NEW --model=-c"),
        (
            "claude",
            "claude --append-system-prompt --resume x",
            "claude --resume NEW --append-system-prompt --resume",
        ),
        ("claude", "claude --add-dir a b c", "claude --resume NEW --add-dir a b c"),
        ("claude", "claude --add-dir a b -c do_it", "claude --resume NEW --add-dir a b"),
        ("claude", "claude --debug hooks do_it", "claude --resume NEW --debug hooks"),
        ("claude", "claude -d", "claude --resume NEW -d"),
        ("claude", "claude -cd", "claude --resume NEW -d"),
        ("claude", "claude -cdhooks", "claude --resume NEW -dhooks"),
        ("claude", "claude -cn name do_it", "claude --resume NEW -n name"),
        ("claude", "claude -cr OLD", "claude --resume NEW"),
        ("claude", "claude --new-thing value --verbose", "claude --resume NEW --new-thing value --verbose"),
        ("claude", "claude --new-thing=value do_it", "claude --resume NEW --new-thing=value"),
        ("claude", "claude -X9 value", "claude --resume NEW -X9 value"),
        ("claude", "claude '' $HOME it's", "claude --resume NEW"),
        (
            "claude",
            "node /n/claude-code/cli.js -c --verbose",
            "node /n/claude-code/cli.js --resume NEW --verbose",
        ),
        ("claude", "my-wrapper -c --verbose", "my-wrapper --resume NEW --verbose"),
        ("codex", "codex", "codex resume NEW"),
        ("codex", "codex --yolo -m o3 do_it", "codex resume NEW --yolo -m o3"),
        ("codex", "codex -m o3 resume OLD --yolo do_it", "codex resume NEW -m o3 --yolo"),
        ("codex", "codex resume --last -c a=b", "codex resume NEW -c a=b"),
        ("codex", "codex resume --all", "codex resume NEW"),
        ("codex", "codex resume -m o3 OLD do_it", "codex resume NEW -m o3"),
        ("codex", "codex fork OLD --search", "codex resume NEW --search"),
        ("codex", "codex -i a.png b.png -s read-only", "codex resume NEW -s read-only"),
        ("codex", "codex --new-flag resume OLD", "codex resume NEW --new-flag"),
        ("codex", "codex -- resume", "codex resume NEW"),
        ("copilot", "copilot --allow-all-tools --resume=OLD", "copilot --resume=NEW --allow-all-tools"),
        ("copilot", "copilot -r --allow-tool a b --continue", "copilot --resume=NEW --allow-tool a b"),
        ("copilot", "copilot -i do_it -n name --session-id OLD", "copilot --resume=NEW"),
        ("devin", "devin --permission-mode bypass -- do it", "devin --resume NEW --permission-mode bypass"),
        ("devin", "devin -r OLD --prompt-file p", "devin --resume NEW"),
        ("droid", "droid --cwd /x do it", "droid --resume NEW --cwd /x"),
        ("droid", "droid resume OLD", "droid --resume NEW"),
        ("droid", "droid resume --last --auto high", "droid --resume NEW --auto high"),
        ("droid", "droid --fork OLD", "droid --resume NEW"),
        ("kimi", "kimi -S OLD --yolo", "kimi --session NEW --yolo"),
        ("kimi", "kimi -r -w /x", "kimi --session NEW -w /x"),
        ("kimi", "kimi -c do_it -m k2", "kimi --session NEW -m k2"),
        ("kimi", "kimi -c -m k2", "kimi --session NEW -m k2"),
        ("kimi", "kimi -C --prompt do_it", "kimi --session NEW"),
        ("mastracode", "mastracode -t OLD --mode plan", "mastracode --thread NEW --mode plan"),
        ("mastracode", "mastracode -c --clone-thread", "mastracode --thread NEW"),
        ("pi", "pi --session OLD -ne @file do_it", "pi --session NEW -ne"),
        ("pi", "pi -r --no-tools", "pi --session NEW --no-tools"),
        ("pi", "pi -c --model --resume", "pi --session NEW --model --resume"),
        ("omp", "omp --resume OLD --yolo do_it", "omp --resume=NEW --yolo"),
        ("omp", "omp --session=OLD --from-claude", "omp --resume=NEW"),
        ("hermes", "hermes -w --yolo -c my_chat", "hermes --resume NEW -w --yolo"),
        ("hermes", "hermes -w chat -q hi -m x", "hermes -w chat --resume NEW -m x"),
        ("hermes", "hermes chat --resume OLD", "hermes chat --resume NEW"),
        ("opencode", "opencode /src -s OLD --agent build", "opencode --session NEW /src --agent build"),
        ("opencode", "opencode -c --fork --prompt hi", "opencode --session NEW"),
        ("kilo", "kilo --session OLD --cloud-fork --yolo", "kilo --session NEW --yolo"),
        ("qodercli", "qodercli -c -w /x", "qodercli --resume NEW -w /x"),
        ("qodercli", "qodercli --session-id OLD -i hi", "qodercli --resume NEW"),
        ("qwen", "qwen -yr OLD", "qwen --resume NEW -y"),
        ("qwen", "qwen --sessionId OLD hi --approval-mode plan", "qwen --resume NEW --approval-mode plan"),
        ("cursor", "cursor-agent --resume OLD -f hi", "cursor-agent --resume NEW -f"),
        ("cursor", "agent resume", "agent --resume NEW"),
        ("cursor", "cursor-agent agent --force hi", "cursor-agent agent --resume NEW --force"),
        ("agy", "agy --conversation=OLD --sandbox", "agy --conversation NEW --sandbox"),
        ("agy", "agy -i hi -continue", "agy --conversation NEW"),
        ("grok", "grok -s OLD -r OLD --restore-code --yolo hi", "grok --resume NEW --yolo"),
    ];
    let kinds = kinds();
    for (name, recorded, expected) in rows {
        let kind = kinds.get(name).unwrap();
        let resumed = resume_argv(&argv(recorded), kind, &conversation(kind, "NEW")).unwrap();
        assert_eq!(resumed, argv(expected), "{recorded}");
        let again = resume_argv(&resumed, kind, &conversation(kind, "LATER")).unwrap();
        let later = expected.replace("NEW", "LATER");
        assert_eq!(again, argv(&later), "twice: {recorded}");
        assert_eq!(conversation_of(&resumed, kind), Some(conversation(kind, "NEW")), "{resumed:?}");
    }
    let covered = |kind: &&Kind| rows.iter().any(|(name, _, _)| *name == kind.name);
    assert_eq!(kinds.all().filter(|kind| !covered(kind)).count(), 0, "a kind without a row");
}

#[test]
fn every_byte_of_every_other_argument_arrives() {
    let kinds = kinds();
    let kind = kinds.get("claude").unwrap();
    let odd = OsString::from_vec((1..=255).collect());
    let recorded: Vec<OsString> = vec![
        "claude".into(),
        "--dangerously-skip-permissions".into(),
        "--model".into(),
        "m x".into(),
        "--append-system-prompt".into(),
        "".into(),
        "--settings".into(),
        "$HOME".into(),
        "--system-prompt".into(),
        "it's".into(),
        "--mcp-config".into(),
        odd,
    ];
    let resumed = resume_argv(&recorded, kind, &conversation(kind, "X")).unwrap();
    assert_eq!(resumed[1..3], ["--resume", "X"]);
    assert_eq!(resumed[3..], recorded[1..]);
}

#[test]
fn a_path_resumes_where_the_agent_takes_one() {
    let kinds = kinds();
    for (name, expected) in [("pi", "pi --session /s/a.jsonl"), ("omp", "omp --resume=/s/a.jsonl")] {
        let kind = kinds.get(name).unwrap();
        let path = conversation(kind, "/s/a.jsonl");
        assert_eq!(resume_argv(&argv(name), kind, &path), Ok(argv(expected)));
        assert_eq!(conversation_of(&argv(expected), kind), Some(path));
    }
    let claude = kinds.get("claude").unwrap();
    assert!(matches!(
        resume_argv(&argv("claude"), claude, &conversation(claude, "/x")),
        Err(Why::Conversation(_))
    ));
}

#[test]
fn what_is_no_session_or_no_conversation_is_refused() {
    let kinds = kinds();
    let rows = [
        ("claude", "claude -p hi", "X", "`-p` makes the agent answer once"),
        ("claude", "claude -cp hi", "X", "`-p` makes the agent answer once"),
        ("claude", "claude --verbose mcp list", "X", "`mcp` of this agent is no session"),
        ("codex", "codex exec hi", "X", "`exec` of this agent is no session"),
        ("qwen", "qwen --prompt=hi", "X", "`--prompt=hi` makes the agent answer once"),
        ("claude", "", "X", "its argv is empty"),
        ("claude", "claude", "", "its conversation cannot be resumed: it is empty"),
        ("claude", "claude", "-x", "its conversation cannot be resumed: it begins with `-`"),
        ("claude", "claude", "a\nb", "its conversation cannot be resumed: it holds a control"),
        ("claude", "claude", &"x".repeat(513), "its conversation cannot be resumed: it is too long"),
        // Without `-c` the directory would be the value of an option that nobody knows.
        ("opencode", "opencode --unknown -c /src", "X", "`--unknown` would be read as something else"),
    ];
    for (name, recorded, value, expected) in rows {
        let kind = kinds.get(name).unwrap();
        let why = resume_argv(&argv(recorded), kind, &conversation(kind, value)).unwrap_err().to_string();
        assert!(why.starts_with(expected), "{recorded}: {why}");
    }
    let claude = kinds.get("claude").unwrap();
    let others = conversation(kinds.get("codex").unwrap(), "X");
    assert!(matches!(resume_argv(&argv("claude"), claude, &others), Err(Why::Conversation(_))));
    let bare = Kind { name: "bare".into(), executable: "bare".into(), ..Kind::default() };
    assert_eq!(
        resume_argv(&argv("bare"), &bare, &conversation(&bare, "X")),
        Err(Why::NoResume("bare".to_owned()))
    );
}

#[test]
fn a_first_launch_names_its_conversation_where_it_can() {
    let kinds = kinds();
    let rows = [
        ("claude", "claude --model opus do_it", "claude --session-id UUID --model opus do_it", Some("UUID")),
        ("claude", "claude -- do it", "claude --session-id UUID -- do it", Some("UUID")),
        ("claude", "claude --resume OLD", "claude --resume OLD", Some("OLD")),
        ("claude", "claude --session-id MINE x", "claude --session-id MINE x", Some("MINE")),
        ("claude", "claude --resume OLD --fork-session", "claude --resume OLD --fork-session", None),
        ("claude", "claude --continue", "claude --continue", None),
        ("claude", "claude --resume", "claude --resume", None),
        ("claude", "claude -p hi", "claude -p hi", None),
        ("codex", "codex -m o3 hi", "codex -m o3 hi", None),
        ("codex", "codex resume OLD", "codex resume OLD", Some("OLD")),
        ("codex", "codex fork OLD", "codex fork OLD", None),
        ("pi", "pi hi", "pi hi", None),
    ];
    for (name, given, expected, id) in rows {
        let kind = kinds.get(name).unwrap();
        let launch = launch_argv(&argv(given), kind, "UUID");
        let conversation = id.map(|id| conversation(kind, id));
        assert_eq!(launch, Ok(Launch { argv: argv(expected), conversation }), "{given}");
    }
    let claude = kinds.get("claude").unwrap();
    assert_eq!(launch_argv(&argv("claude mcp list"), claude, "U"), Err(Why::OtherCommand("mcp".to_owned())));
}

#[test]
fn options_that_a_user_adds_to_a_resume_are_there_once() {
    let table: toml::Table =
        "claude = { resume = [\"--resume\", \"{}\", \"--chrome\", \"--effort\", \"high\"] }".parse().unwrap();
    let (kinds, warnings) = Kinds::load(&table, Path::new("/m"));
    assert_eq!(warnings, []);
    let kind = kinds.get("claude").unwrap();
    let mut recorded = argv("claude --session-id OLD --verbose --add-dir a b");
    for id in ["N1", "N2"] {
        recorded = resume_argv(&recorded, kind, &conversation(kind, id)).unwrap();
        let expected = format!("claude --resume {id} --chrome --effort high --verbose --add-dir a b");
        assert_eq!(recorded, argv(&expected));
    }
}
