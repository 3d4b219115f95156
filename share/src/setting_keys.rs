//! Every key of mam's own config, in one table: a key that is not in it is not read, and the reference in
//! the documentation has a row for each.

/// A key of `config.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The table it stands in.
    pub section: &'static str,
    /// Its name; `*` for a table that has any.
    pub name: &'static str,
    /// What a value looks like, as TOML.
    pub example: &'static str,
    /// What holds without it, for the documentation.
    pub default: &'static str,
    /// Whose config it is read from, for the documentation.
    pub from: &'static str,
    /// What it does, for the documentation.
    pub purpose: &'static str,
}

/// All of them, in the order of the documentation.
pub const ALL: &[Key] = &[
    Key {
        section: "host",
        name: "session",
        example: "\"work\"",
        default: "`\"mam\"`",
        from: "root",
        purpose: "the named herdr session of the host; it gets the overlay",
    },
    Key {
        section: "host",
        name: "more_sessions",
        example: "[\"a\", \"b\"]",
        default: "none",
        from: "root",
        purpose: "further sessions that start with the overlay",
    },
    Key {
        section: "host",
        name: "exclude",
        example: "[\"ops\"]",
        default: "none",
        from: "root",
        purpose: "profiles that the host must not serve",
    },
    Key {
        section: "host",
        name: "standalone",
        example: "true",
        default: "`false`",
        from: "profile",
        purpose: "the profile has a server of its own, on the session `mam-NAME`",
    },
    Key {
        section: "env",
        name: "pass",
        example: "[\"EDITOR\"]",
        default: "none",
        from: "root; profile, if standalone",
        purpose: "names of further variables that the server gets from whoever starts it",
    },
    Key {
        section: "sessions",
        name: "adopt",
        example: "\"off\"",
        default: "`\"auto\"`",
        from: "profile",
        purpose: "`auto` records agents that were started by hand in mam's sessions, `off` only those that `mam adopt` names",
    },
    Key {
        section: "resume",
        name: "on_start",
        example: "true",
        default: "`false`",
        from: "profile",
        purpose: "the profile's sessions are resumed when its server has started",
    },
    Key {
        section: "agents",
        name: "*",
        example: "{ mine = { executable = \"mine\" } }",
        default: "those that mam knows",
        from: "profile",
        purpose: "a kind of agent, or other keys of a known one: see [sessions](sessions.md)",
    },
    Key {
        section: "hook",
        name: "resident_helpers",
        example: "[\"my-prompt-helper\"]",
        default: "none",
        from: "root",
        purpose: "programs that run beside an idle shell and make it no less idle; `*` at the end matches the rest of a name",
    },
    Key {
        section: "overlay",
        name: "*",
        example: "{ ui = { sidebar_width = 30 } }",
        default: "none",
        from: "root",
        purpose: "a setting of herdr's for the overlay, over the one in your config; \
                  `session.resume_agents_on_restore` cannot be set",
    },
];

/// The names of the tables, in alphabetical order.
pub fn sections() -> Vec<&'static str> {
    let mut sections: Vec<&str> = ALL.iter().map(|key| key.section).collect();
    sections.sort_unstable();
    sections.dedup();
    sections
}

/// The names of the keys of a table.
pub fn names(section: &str) -> Vec<&'static str> {
    ALL.iter().filter(|key| key.section == section).map(|key| key.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn every_key_is_read_and_its_example_is_one() {
        for key in ALL {
            let text = match key.name {
                "*" => format!("{} = {}\n", key.section, key.example),
                name => format!("[{}]\n{name} = {}\n", key.section, key.example),
            };
            let (settings, warnings) = Settings::parse(std::path::Path::new("/m"), &text);
            assert_eq!(warnings, [], "{text}");
            assert_ne!(settings, Settings::default(), "{text} changes nothing");
        }
    }
}
