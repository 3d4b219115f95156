//! Supervisors: how one is recognised, and what each exit code has to mean to it.
//!
//! One table makes the unit of every kind of supervisor.

use std::str::FromStr;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::variable::{INVOCATION_ID, MAM_SUPERVISED, XPC_SERVICE_NAME};

/// A kind of supervisor that mam has a unit for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A systemd user unit.
    Systemd,
    /// An s6 service directory.
    S6,
    /// A runit service directory.
    Runit,
    /// A launchd agent.
    Launchd,
}

/// What a supervisor does when the host has exited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// The unit stays down until somebody starts it.
    StayDown,
    /// It is started again.
    Restart,
}

/// What an exit code means to every supervisor. A planned stop stays down; so does what will not work
/// until someone changes something. Everything else is tried again.
pub fn reaction(exit: Exit) -> Reaction {
    match exit {
        Exit::Done | Exit::NeedsChange => Reaction::StayDown,
        Exit::No
        | Exit::Usage
        | Exit::BadInput
        | Exit::NoHerdr
        | Exit::CannotWrite
        | Exit::TryAgain
        | Exit::NotPermitted => Reaction::Restart,
    }
}

/// Whether a supervisor runs this process: systemd and launchd set a variable, our own units another.
pub fn is_supervised(environment: &Environment) -> bool {
    let filled = |variable| environment.filled(variable).is_some();
    let is_job = environment.filled(XPC_SERVICE_NAME).is_some_and(|name| name != "0");
    filled(INVOCATION_ID) || is_job || environment.get(MAM_SUPERVISED).is_some_and(|value| value == "1")
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Systemd, Self::S6, Self::Runit, Self::Launchd];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Systemd => "systemd",
            Self::S6 => "s6",
            Self::Runit => "runit",
            Self::Launchd => "launchd",
        }
    }

    /// Whether the unit is a service directory of its own.
    pub fn is_directory(self) -> bool {
        match self {
            Self::S6 | Self::Runit => true,
            Self::Systemd | Self::Launchd => false,
        }
    }

    /// The files of the unit: their names and texts, and whether each is executable. `program` is the
    /// absolute path of `mam`, `variables` what was set at the moment of the installation and says where
    /// things are; none of them may hold a line break.
    pub fn files(self, program: &str, variables: &[(String, String)]) -> Vec<UnitFile> {
        let lines = |line: &dyn Fn(&str, &str) -> String, between: &str| {
            variables.iter().map(|(name, value)| line(name, value)).collect::<Vec<_>>().join(between)
        };
        let environment = match self {
            Self::Systemd => {
                lines(&|name, value| format!("Environment=\"{name}={}\"", systemd_value(value)), "\n")
            }
            Self::S6 | Self::Runit => {
                lines(&|name, value| format!("export {name}='{}'", shell_word(value)), "\n")
            }
            Self::Launchd => lines(&|name, value| format!("{name}='{}'", xml_in_shell_word(value)), " "),
        };
        let fill = |template: &str, quote: fn(&str) -> String| {
            template.replace("@PROGRAM@", &quote(program)).replace("@ENVIRONMENT@", &environment)
        };
        match self {
            Self::Systemd => {
                let text = fill(include_str!("../../share/service/mam.service"), systemd_word);
                vec![UnitFile { name: "mam.service", text, is_executable: false }]
            }
            Self::S6 => vec![
                script("run", fill(include_str!("../../share/service/s6/run"), shell_word)),
                script("finish", include_str!("../../share/service/s6/finish").to_owned()),
            ],
            Self::Runit => vec![
                script("run", fill(include_str!("../../share/service/runit/run"), shell_word)),
                script("finish", include_str!("../../share/service/runit/finish").to_owned()),
            ],
            Self::Launchd => {
                let text = fill(include_str!("../../share/service/mam.plist"), xml_in_shell_word);
                vec![UnitFile { name: "dev.mam.host.plist", text, is_executable: false }]
            }
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let named = |kind: &Self| kind.name() == word;
        Self::ALL.into_iter().find(named).ok_or_else(|| "one of systemd, s6, runit, launchd".to_owned())
    }
}

/// A file of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFile {
    /// Its name in the unit's place.
    pub name: &'static str,
    /// Its text.
    pub text: String,
    /// Whether it is run.
    pub is_executable: bool,
}

fn script(name: &'static str, text: String) -> UnitFile {
    UnitFile { name, text, is_executable: true }
}

/// `text` inside the double quotes of a command in a unit file: `%` starts a specifier, `$` a variable.
fn systemd_word(text: &str) -> String {
    systemd_value(text).replace('$', "$$")
}

/// `text` inside the double quotes of an assignment in a unit file, where `$` is a letter like others.
fn systemd_value(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"").replace('%', "%%")
}

/// `text` inside the single quotes of a shell script.
fn shell_word(text: &str) -> String {
    text.replace('\'', r"'\''")
}

/// `text` inside the single quotes of a shell command that stands in XML.
fn xml_in_shell_word(text: &str) -> String {
    shell_word(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supervisors_are_recognised_by_their_variables() {
        let rows: &[(&[(&str, &str)], bool)] = &[
            (&[], false),
            (&[("INVOCATION_ID", "abc")], true),
            (&[("INVOCATION_ID", "")], false),
            (&[("XPC_SERVICE_NAME", "0")], false),
            (&[("XPC_SERVICE_NAME", "dev.mam.host")], true),
            (&[("MAM_SUPERVISED", "1")], true),
            (&[("MAM_SUPERVISED", "0")], false),
        ];
        for (variables, expected) in rows {
            let environment = Environment::new(variables.iter().copied(), "/", "/tmp");
            assert_eq!(is_supervised(&environment), *expected, "{variables:?}");
        }
    }

    #[test]
    fn every_unit_says_of_each_code_what_the_table_says() {
        let text = |kind: Kind| {
            kind.files(
                "/opt/m am/mam",
                &[("PATH".into(), "/a:/b".into()), ("MAM_HOME".into(), "/m $x".into())],
            )
            .into_iter()
            .map(|file| file.text)
            .collect::<String>()
        };
        assert_eq!(reaction(Exit::Done), Reaction::StayDown);
        assert_eq!(reaction(Exit::No), Reaction::Restart);
        assert_eq!(reaction(Exit::TryAgain), Reaction::Restart);
        assert_eq!(reaction(Exit::NeedsChange), Reaction::StayDown);
        for (kind, lines) in [
            (
                Kind::Systemd,
                &[
                    "Restart=on-failure",
                    "RestartSec=5",
                    "SuccessExitStatus=75",
                    "RestartForceExitStatus=75",
                    "RestartPreventExitStatus=78",
                    "StartLimitIntervalSec=0",
                    "KillMode=process",
                    "Environment=MAM_SUPERVISED=1",
                    "Environment=\"PATH=/a:/b\"\nEnvironment=\"MAM_HOME=/m $x\"\n",
                ][..],
            ),
            (
                Kind::S6,
                &[
                    "0 | 78) exit 125 ;;",
                    "export MAM_SUPERVISED=1",
                    "export PATH='/a:/b'\nexport MAM_HOME='/m $x'\n",
                ],
            ),
            (Kind::Runit, &["0 | 78) exec sv down", "export MAM_SUPERVISED=1"]),
            (
                Kind::Launchd,
                &[
                    "<key>SuccessfulExit</key>",
                    "78) exit 0",
                    "export MAM_SUPERVISED=1 PATH='/a:/b' MAM_HOME='/m $x';",
                ],
            ),
        ] {
            for line in lines {
                assert!(text(kind).contains(line), "{}: {line}\n{}", kind.name(), text(kind));
            }
            assert!(!text(kind).contains('@'), "{}: a place was not filled", kind.name());
        }
    }

    #[test]
    fn paths_are_quoted_for_each_kind() {
        let odd = "/it's 100% \"$x\" <&>/mam";
        let text = |kind: Kind| kind.files(odd, &[]).into_iter().map(|file| file.text).collect::<String>();
        assert!(
            text(Kind::Systemd).contains("\"/it's 100%% \\\"$$x\\\" <&>/mam\" run"),
            "{}",
            text(Kind::Systemd)
        );
        assert!(text(Kind::S6).contains("'/it'\\''s 100% \"$x\" <&>/mam' run"));
        assert!(text(Kind::Launchd).contains("'/it'\\''s 100% \"$x\" &lt;&amp;&gt;/mam' run"));
    }
}
