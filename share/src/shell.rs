//! Shells: their names, how they quote, and the integration files that are installed for them.

use std::fmt;
use std::str::FromStr;

/// A shell that mam can write for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// GNU bash.
    Bash,
    /// zsh.
    Zsh,
    /// Any POSIX shell: dash, ash, ksh, sh.
    Sh,
    /// fish.
    Fish,
}

impl Shell {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bash, Self::Zsh, Self::Sh, Self::Fish];

    /// The name as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Sh => "sh",
            Self::Fish => "fish",
        }
    }

    /// The integration file: a text that an interactive shell sources.
    pub fn integration(self) -> &'static str {
        match self {
            Self::Bash => include_str!("../shell/mam.bash"),
            Self::Zsh => include_str!("../shell/mam.zsh"),
            Self::Sh => include_str!("../shell/mam.sh"),
            Self::Fish => include_str!("../shell/mam.fish"),
        }
    }

    /// `text` as one word of this shell.
    pub fn quote(self, text: &str) -> String {
        match self {
            // In single quotes nothing is special but the quote itself, which has to stand outside.
            Self::Bash | Self::Zsh | Self::Sh => format!("'{}'", text.replace('\'', r"'\''")),
            // fish also reads `\\` and `\'` inside single quotes.
            Self::Fish => format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'")),
        }
    }

    /// The line that exports `name` with `value`.
    pub fn export(self, name: &str, value: &str) -> String {
        let value = self.quote(value);
        match self {
            Self::Fish => format!("set -gx {name} {value}"),
            Self::Bash | Self::Zsh | Self::Sh => format!("export {name}={value}"),
        }
    }
}

impl fmt::Display for Shell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Shell {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let named = |shell: &Self| shell.name() == name;
        Self::ALL.into_iter().find(named).ok_or_else(|| "one of bash, zsh, sh, fish".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_each_shell() {
        let path = r"/it's a \dir/$x";
        assert_eq!(Shell::Sh.export("V", path), r"export V='/it'\''s a \dir/$x'");
        assert_eq!(Shell::Bash.export("V", path), Shell::Zsh.export("V", path));
        assert_eq!(Shell::Fish.export("V", path), r"set -gx V '/it\'s a \\dir/$x'");
    }
}
