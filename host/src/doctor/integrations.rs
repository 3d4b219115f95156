//! herdr's integrations of agents, by which a conversation is reported: what `herdr integration status`
//! says of them.

/// herdr's name of an integration, and the program of the agent.
const PROGRAMS: &[(&str, &str)] = &[
    ("pi", "pi"),
    ("omp", "omp"),
    ("claude", "claude"),
    ("codex", "codex"),
    ("copilot", "copilot"),
    ("devin", "devin"),
    ("droid", "droid"),
    ("kimi", "kimi"),
    ("opencode", "opencode"),
    ("kilo", "kilo"),
    ("hermes", "hermes"),
    ("qodercli", "qodercli"),
    ("cursor", "cursor-agent"),
    ("mastracode", "mastracode"),
    ("antigravity-cli", "agy"),
    ("grok", "grok"),
];

/// How things stand with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// As new as this herdr has it.
    Current,
    /// Older.
    Outdated,
    /// Not there.
    Missing,
    /// herdr says something that is not known here.
    Unknown,
}

/// An integration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integration {
    /// herdr's name of it.
    pub name: String,
    /// How things stand.
    pub standing: Standing,
    /// herdr's words.
    pub said: String,
}

/// The integrations in the output of `herdr integration status`: a line for each, `NAME: STATE (PATH)`.
pub fn parse(output: &str) -> Vec<Integration> {
    let rows = output.lines().filter_map(|line| {
        let (name, rest) = line.split_once(": ")?;
        let is_name = !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
        // The path is of no interest, and may have parentheses of its own.
        let said = rest.split_once(" (/").map_or(rest, |(said, _)| said);
        let standing = match said.split_whitespace().next()? {
            "current" => Standing::Current,
            "outdated" => Standing::Outdated,
            "not" => Standing::Missing,
            _ => Standing::Unknown,
        };
        is_name.then(|| Integration { name: name.to_owned(), standing, said: said.to_owned() })
    });
    rows.collect()
}

/// The program of an integration's agent, as it is looked for on `PATH`.
pub fn program(name: &str) -> &str {
    PROGRAMS.iter().find(|(known, _)| *known == name).map_or(name, |(_, program)| program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_others_are_not() {
        let output = "pi: not installed (/h/.pi/x.ts)\nclaude: current (v7) (/h/.claude/x (1).sh)\n\
            codex: outdated (v1 < v7) (/h/x)\nkimi: outdated (legacy < v6) (/h/x)\nnew: better (/h)\n\
            warning: of herdr\n\nsome text\n";
        let found: Vec<(String, Standing, String)> =
            parse(output).into_iter().map(|one| (one.name, one.standing, one.said)).collect();
        let expected = [
            ("pi", Standing::Missing, "not installed"),
            ("claude", Standing::Current, "current (v7)"),
            ("codex", Standing::Outdated, "outdated (v1 < v7)"),
            ("kimi", Standing::Outdated, "outdated (legacy < v6)"),
            ("new", Standing::Unknown, "better"),
            ("warning", Standing::Unknown, "of herdr"),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(name, standing, said)| (name.to_owned(), standing, said.to_owned()))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(
            (program("cursor"), program("antigravity-cli"), program("new")),
            ("cursor-agent", "agy", "new")
        );
    }
}
