//! `integration status`: which integrations of agents are in the home directory, and how new they are.

use std::path::Path;

use super::{Exit, say, usage};
use crate::env;

/// What stands before the version in an integration's file.
const MARK: &str = "HERDR_INTEGRATION_VERSION=";

/// The name, the file below the home directory, and the version that this herdr has.
const TARGETS: &[(&str, &str, u32)] = &[
    ("pi", ".pi/agent/extensions/herdr-agent-state.ts", 8),
    ("omp", ".omp/agent/extensions/herdr-omp-agent-state.ts", 8),
    ("claude", ".claude/hooks/herdr-agent-state.sh", 7),
    ("codex", ".codex/herdr-agent-state.sh", 7),
    ("copilot", ".copilot/hooks/herdr-agent-state.sh", 2),
    ("devin", ".config/devin/herdr-agent-state.sh", 2),
    ("droid", ".factory/hooks/herdr-agent-state.sh", 2),
    ("kimi", ".kimi-code/hooks/herdr-agent-state.sh", 6),
    ("opencode", ".config/opencode/plugins/herdr-agent-state.js", 9),
    ("kilo", ".config/kilo/plugin/herdr-agent-state.js", 4),
    ("hermes", ".hermes/plugins/herdr-agent-state/__init__.py", 5),
    ("qodercli", ".qoder/hooks/herdr-agent-state.sh", 2),
    ("cursor", ".cursor/herdr-agent-state.sh", 1),
    ("mastracode", ".mastracode/hooks/herdr-agent-state.sh", 2),
    ("antigravity-cli", ".gemini/config/hooks/herdr-agent-state.sh", 1),
    ("grok", ".grok/hooks/herdr-agent-state.sh", 1),
];

/// `herdr integration …`.
pub(super) fn run(args: &[&str]) -> Exit {
    if args != ["status"] {
        return usage("integration status");
    }
    let home = env::var("HOME").unwrap_or_default();
    for (name, file, version) in TARGETS {
        let path = Path::new(&home).join(file);
        let state = match std::fs::read(&path) {
            Err(_) => "not installed".to_owned(),
            Ok(bytes) => state(&String::from_utf8_lossy(&bytes), *version),
        };
        say(&format!("{name}: {state} ({})", path.display()));
    }
    Ok(0)
}

fn state(text: &str, version: u32) -> String {
    let found = text.split_once(MARK).map(|(_, rest)| rest.lines().next().unwrap_or_default().trim());
    match found.and_then(|number| number.parse::<u32>().ok()) {
        Some(number) if number >= version => format!("current (v{number})"),
        Some(number) => format!("outdated (v{number} < v{version})"),
        None => format!("outdated (legacy < v{version})"),
    }
}
