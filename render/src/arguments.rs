//! The command line, as it was typed. Nothing here looks at the world.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use mam_share::shell::Shell;

use crate::key_path::KeyPath;
use crate::setting;

/// Renders an overlay of your herdr config in which herdr does not relaunch agents by itself.
///
/// Without a command it renders, and prints the path of the overlay. Your own config is never
/// written to; start herdr with HERDR_CONFIG_PATH set to the overlay to put it in force.
#[derive(Debug, Default, Parser)]
#[command(name = "mam-render-config", version, arg_required_else_help = false)]
#[command(after_help = "Examples:
  mam-render-config                        render, print the overlay's path
  mam-render-config explain                what is different in it, and why
  mam-render-config exec -- herdr --session mam
                                           start herdr on the overlay
  mam-render-config init bash > ~/.config/mam/init.bash
                                           the shell integration, to be sourced

Exit codes: 0 done, 1 no (check: stale), 2 usage, 65 bad config (check, --strict),
69 herdr is missing, 73 cannot write, 75 try again, 78 refused to start herdr.")]
pub struct Arguments {
    /// What to do; nothing means render.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Which files.
    #[command(flatten)]
    pub selection: Selection,
    /// How to render.
    #[command(flatten)]
    pub render: Render,
}

/// Which files, which settings, which herdr. For every command.
#[derive(Args, Debug, Default, PartialEq)]
pub struct Selection {
    /// The user config [default: $HERDR_CONFIG_PATH, else herdr's own config.toml]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// The overlay [default: config.mam.toml beside the user config]
    #[arg(long, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
    /// Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once
    #[arg(long = "set", value_name = "KEY=VALUE", global = true, value_parser = setting::parse_assignment)]
    pub assignments: Vec<(KeyPath, String)>,
    /// The herdr that has to be able to read the overlay [default: the one on PATH]
    #[arg(long, value_name = "PATH", global = true)]
    pub herdr: Option<PathBuf>,
    /// Do not ask herdr whether it can read the overlay
    #[arg(long, global = true)]
    pub no_herdr_check: bool,
}

/// Options of rendering.
#[derive(Args, Debug, Default)]
pub struct Render {
    /// Fail when the overlay is not the whole config (65), or unchecked (69); it is written all the same
    #[arg(long)]
    pub strict: bool,
    /// Have running servers of mam's sessions read their config again
    #[arg(long)]
    pub reload: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say whether the overlay is fresh: exit 0 yes, 1 no, 65 when the user config cannot be read
    Check {
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print what the overlay would be; write nothing
    Print,
    /// Print how the overlay would differ from the user config; write nothing
    Diff,
    /// List each setting that is not the user's, where it comes from, and what it replaces
    Explain {
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Move settings that herdr wrote into the overlay to the user config, after showing the change
    WriteBack {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Run herdr, on the overlay when the call is for one of mam's sessions
    Exec {
        /// Which calls get the overlay
        #[arg(long, value_enum, default_value_t = Scope::Hosts)]
        scope: Scope,
        /// herdr and its arguments
        #[arg(required = true, last = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
    /// Render, and print the line that exports HERDR_CONFIG_PATH
    Env {
        /// The shell
        #[arg(value_parser = shells())]
        shell: Shell,
    },
    /// Print the shell integration, a file for your profile to source
    Init {
        /// The shell
        #[arg(value_parser = shells())]
        shell: Shell,
        /// Which calls of herdr get the overlay
        #[arg(long, value_enum, default_value_t = Scope::Hosts)]
        scope: Scope,
    },
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of one command when it is named
    Man {
        /// A command of this program
        #[arg(value_name = "COMMAND")]
        of: Option<String>,
    },
}

/// The shells by name, listed in help and completions.
fn shells() -> impl clap::builder::TypedValueParser<Value = Shell> {
    PossibleValuesParser::new(Shell::ALL.map(Shell::name)).try_map(|name| name.parse::<Shell>())
}

impl Arguments {
    /// Takes the command line apart. Ends the process with a message where it is wrong, or asks for help.
    pub fn of_process() -> Self {
        Self::parse().consistent().unwrap_or_else(|error| error.exit())
    }

    /// An option of rendering before a command counts for the command, or is refused: never is it ignored.
    fn consistent(mut self) -> Result<Self, clap::Error> {
        let Render { strict, reload, json } = self.render;
        let Some(command) = &mut self.command else { return Ok(self) };
        let own_json = match command {
            Command::Check { json } | Command::Explain { json } => Some(json),
            Command::Print
            | Command::Diff
            | Command::WriteBack { .. }
            | Command::Exec { .. }
            | Command::Env { .. }
            | Command::Init { .. }
            | Command::Completions { .. }
            | Command::Man { .. } => None,
        };
        let is_json_lost = match own_json {
            Some(own) => {
                *own |= json;
                false
            }
            None => json,
        };
        let lost = [(strict, "--strict"), (reload, "--reload"), (is_json_lost, "--json")];
        let Some((_, option)) = lost.into_iter().find(|(is_lost, _)| *is_lost) else { return Ok(self) };
        let text = format!("the argument '{option}' cannot be used with this command");
        Err(Self::command().error(ErrorKind::ArgumentConflict, text))
    }
}

/// Which calls of herdr get the overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// Those for mam's own sessions
    Hosts,
    /// All of them
    All,
}

impl Scope {
    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hosts => "hosts",
            Self::All => "all",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_of_rendering_count_for_the_command_or_are_refused() {
        let rows: &[(&[&str], Result<&str, &str>)] = &[
            (&["--json"], Ok("None json: true")),
            (&["--strict", "--reload"], Ok("None json: false")),
            (&["--json", "check"], Ok("Some(Check { json: true })")),
            (&["check", "--json"], Ok("Some(Check { json: true })")),
            (&["check"], Ok("Some(Check { json: false })")),
            (&["--json", "explain"], Ok("Some(Explain { json: true })")),
            (&["--json", "print"], Err("'--json' cannot be used")),
            (&["--json", "write-back"], Err("'--json' cannot be used")),
            (&["--json", "exec", "--", "herdr"], Err("'--json' cannot be used")),
            (&["--json", "env", "sh"], Err("'--json' cannot be used")),
            (&["--strict", "check"], Err("'--strict' cannot be used")),
            (&["--reload", "diff"], Err("'--reload' cannot be used")),
            (&["--reload", "man"], Err("'--reload' cannot be used")),
        ];
        for (words, expected) in rows {
            let parsed = Arguments::parse_from([&["mam-render-config"], *words].concat()).consistent();
            match (parsed, expected) {
                (Ok(parsed), Ok(expected)) => {
                    let shown = format!("{:?} json: {}", parsed.command, parsed.render.json);
                    assert!(shown.starts_with(expected), "{words:?}: {shown}");
                }
                (Err(error), Err(expected)) => {
                    assert!(error.to_string().contains(expected), "{words:?}: {error}");
                    assert_eq!(error.exit_code(), 2, "{words:?}");
                }
                (parsed, _) => panic!("{words:?}: {parsed:?}"),
            }
        }
    }

    #[test]
    fn no_arguments_are_the_defaults() {
        let parsed = Arguments::parse_from(["mam-render-config"]);
        assert_eq!(format!("{parsed:?}"), format!("{:?}", Arguments::default()));
    }
}
