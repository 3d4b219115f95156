//! The agents that herdr knows: how it recognises them and how it resumes them.

/// One agent that herdr resumes.
#[derive(Debug)]
pub(crate) struct Resumable {
    pub(crate) agent: &'static str,
    pub(crate) source: &'static str,
    /// The command before the id; it ends in `=` when nothing separates the two.
    command: &'static str,
}

const fn resumable(agent: &'static str, source: &'static str, command: &'static str) -> Resumable {
    Resumable { agent, source, command }
}

const RESUMABLE: &[Resumable] = &[
    resumable("claude", "herdr:claude", "claude --resume"),
    resumable("codex", "herdr:codex", "codex resume"),
    resumable("copilot", "herdr:copilot", "copilot --resume="),
    resumable("devin", "herdr:devin", "devin --resume"),
    resumable("droid", "herdr:droid", "droid --resume"),
    resumable("kimi", "herdr:kimi", "kimi --session"),
    resumable("mastracode", "herdr:mastracode", "mastracode --thread"),
    resumable("pi", "herdr:pi", "pi --session"),
    resumable("omp", "herdr:omp", "omp --resume="),
    resumable("hermes", "herdr:hermes", "hermes --resume"),
    resumable("opencode", "herdr:opencode", "opencode --session"),
    resumable("qodercli", "herdr:qodercli", "qodercli --resume"),
    resumable("qwen", "herdr:qwen", "qwen --resume"),
    resumable("kilo", "herdr:kilo", "kilo --session"),
    resumable("cursor", "herdr:cursor", "cursor-agent --resume"),
    resumable("agy", "herdr:antigravity_cli", "agy --conversation"),
    resumable("grok", "herdr:grok", "grok --resume"),
];

/// Executable names that are not the agent's own name.
const ALIASES: &[(&str, &str)] = &[
    ("claude-code", "claude"),
    ("cursor-agent", "cursor"),
    ("antigravity-cli", "agy"),
    ("mastra-code", "mastracode"),
    ("open-code", "opencode"),
    ("github-copilot", "copilot"),
    ("kimi-code", "kimi"),
    ("hermes-agent", "hermes"),
    ("kilo-code", "kilo"),
    ("grok-build", "grok"),
];

/// Agents that herdr detects but does not resume.
const OTHERS: &[&str] = &["gemini", "cline", "kiro", "amp", "maki"];

/// Programs that run an agent's script.
const RUNTIMES: &[&str] = &["sh", "bash", "zsh", "fish", "node", "bun", "python", "python3"];

/// Whether that is the name of an agent, and not another name for one.
pub(crate) fn is_known(name: &str) -> bool {
    RESUMABLE.iter().any(|known| known.agent == name) || OTHERS.contains(&name)
}

/// The entry of the official source for that agent.
pub(crate) fn official(agent: &str, source: &str) -> Option<&'static Resumable> {
    RESUMABLE.iter().find(|known| known.agent == agent && known.source == source)
}

/// The bare command with which herdr resumes a conversation.
pub(crate) fn resume_command(agent: &str, source: &str, value: &str) -> Option<String> {
    let command = official(agent, source)?.command;
    let quoted = if value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./:".contains(&b)) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    };
    let space = if command.ends_with('=') { "" } else { " " };
    Some(format!("{command}{space}{quoted}"))
}

/// Whether a running agent may name another conversation that began in this way.
pub(crate) fn may_replace(agent: &str, began: Option<&str>) -> bool {
    let ways: &[&str] = match agent {
        "claude" => &["clear", "resume", "compact"],
        "codex" => &["startup", "clear", "resume", "compact"],
        "mastracode" => &["startup"],
        "hermes" => &["startup", "new", "resume"],
        "opencode" => &["new"],
        "pi" => &["new", "resume", "fork"],
        "omp" => &["startup", "new", "resume", "fork"],
        "agy" => return began.is_none(),
        _ => &[],
    };
    began.is_some_and(|began| ways.contains(&began))
}

/// Whether herdr takes that value as the id (or the path) of a conversation.
pub(crate) fn acceptable(value: &str, is_path: bool) -> bool {
    let most = if is_path { 4096 } else { 512 };
    let fits = !value.is_empty() && value.len() <= most && !value.chars().any(char::is_control);
    fits && (!is_path || value.starts_with('/'))
}

/// The agent that a command line runs, by its executable or by the script of its interpreter.
pub(crate) fn identify(comm: &str, argv: &[String]) -> Option<&'static str> {
    let program = argv.first().map_or(comm, |arg| base_name(arg));
    if let Some(agent) = by_name(program).or_else(|| by_name(comm)) {
        return Some(agent);
    }
    if !RUNTIMES.contains(&program.trim_start_matches('-')) {
        return None;
    }
    let mut args = argv.iter().skip(1);
    match args.find(|arg| !arg.starts_with('-') || is_code_flag(arg)) {
        Some(arg) if !is_code_flag(arg) => by_name(base_name(arg)),
        _ => None,
    }
}

/// Flags after which comes code or a module, not a script.
fn is_code_flag(arg: &str) -> bool {
    matches!(arg, "-c" | "-m" | "-e" | "-p" | "--eval" | "--print")
}

fn by_name(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let name = name.trim_end_matches(".js");
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, agent)| *agent);
    let own = RESUMABLE.iter().map(|known| known.agent).chain(OTHERS.iter().copied());
    alias.or_else(|| own.into_iter().find(|agent| *agent == name))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{acceptable, identify, resume_command};

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn agents_are_known_by_executable_or_script() {
        assert_eq!(identify("claude", &argv("claude --resume x")), Some("claude"));
        assert_eq!(identify("bash", &argv("bash /home/u/bin/claude --resume x")), Some("claude"));
        assert_eq!(identify("node", &argv("node /opt/codex.js")), Some("codex"));
        assert_eq!(identify("cursor-agent", &argv("/opt/cursor-agent")), Some("cursor"));
        assert_eq!(identify("bash", &argv("bash -c claude")), None);
        assert_eq!(identify("vim", &argv("vim claude")), None);
        assert_eq!(identify("bash", &argv("-bash")), None);
    }

    #[test]
    fn resume_commands_are_bare() {
        let resume = |agent, source| resume_command(agent, source, "ID");
        assert_eq!(resume("claude", "herdr:claude").as_deref(), Some("claude --resume ID"));
        assert_eq!(resume("copilot", "herdr:copilot").as_deref(), Some("copilot --resume=ID"));
        assert_eq!(resume("cursor", "herdr:cursor").as_deref(), Some("cursor-agent --resume ID"));
        assert_eq!(resume("agy", "herdr:antigravity_cli").as_deref(), Some("agy --conversation ID"));
        assert_eq!(resume("claude", "other"), None);
    }

    #[test]
    fn values_have_limits() {
        assert!(acceptable(&"x".repeat(512), false) && !acceptable(&"x".repeat(513), false));
        assert!(acceptable("/a/b", true) && !acceptable("a/b", true) && !acceptable("a\u{7}", false));
    }
}
