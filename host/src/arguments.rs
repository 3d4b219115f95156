//! The command line, as it was typed. Nothing here looks at the world.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use mam_share::shell::Shell;

use crate::profile::ProfileName;
use crate::session::arguments as session;
use crate::session::name::RecordName;
use crate::supervisor::Kind;

/// Keeps coding agents alive across herdr restarts: one herdr server for all profiles.
///
/// Without a command, on a terminal, it is `mam attach`.
#[derive(Debug, Parser)]
#[command(name = "mam", version, arg_required_else_help = false)]
#[command(after_help = "Examples:
  mam                                      make sure the host runs, and attach to it
  mam start                                make sure the host runs and serves you
  mam -p ops stop                          profile `ops` is not served any more
  mam restart --all                        another server process, same panes
  mam why                                  why the last command was refused

Exit codes: 0 done, 1 no, 2 usage, 69 herdr is missing, 73 cannot write,
75 try again, 78 will not work until someone changes something.")]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How.
    #[command(flatten)]
    pub common: Common,
}

/// For every command.
#[derive(Args, Debug, Default)]
pub struct Common {
    /// The profile [default: `MAM_PROFILE`, else the root]
    #[arg(short, long, value_name = "NAME", global = true)]
    pub profile: Option<ProfileName>,
    /// Print the answer as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Say warnings and failures only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say each step
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make sure the host runs, and become a client of it
    Attach,
    /// Become the host, in the foreground: what a supervisor runs
    Run(Run),
    /// Make sure the host runs and serves this profile
    Start(All),
    /// Stop serving this profile; for the root, stop the host
    Stop(All),
    /// Stop and resume the agents of this profile; for the root, restart the host
    Restart(All),
    /// Launch an agent, and remember how
    Create(session::Create),
    /// Bring agents back exactly as they were launched
    Resume(session::Resume),
    /// The recorded agents, and what became of each
    List,
    /// One recorded agent, with its launches and conversations
    Show(session::Named),
    /// End an agent; its record and its pane stay
    StopSession(session::Named),
    /// Forget how an agent was launched; one that runs is left alone
    Forget(session::Named),
    /// Give a recorded agent another name
    Rename(session::Rename),
    /// Record an agent that was started by hand
    Adopt(session::Adopt),
    /// Who owns the host, whom it serves, what runs
    Status,
    /// The last refusal of this profile, and what to type
    Why,
    /// Render the overlay, and have the host read it
    Reload,
    /// What is in the environment of the host
    Env {
        /// What to say about it
        #[command(subcommand)]
        command: Env,
    },
    /// The profiles
    Profile {
        /// What to do with them
        #[command(subcommand)]
        command: Profile,
    },
    /// The host under a supervisor
    Unit {
        /// What to do with its unit
        #[command(subcommand)]
        command: Unit,
    },
    /// What mam's plugin of herdr has seen
    #[command(hide = true)]
    Notice {
        /// What it is
        #[command(subcommand)]
        command: Notice,
    },
    /// What a pane of a session runs: its agent, then a shell. Internal; `mam resume` opens such panes
    Launch {
        /// The session [default: `MAM_LAUNCH`]
        name: Option<RecordName>,
    },
    /// Set mam up for this user, after showing what will be done
    #[command(after_help = "Examples:
  mam setup --dry-run       what it would do
  mam setup                 the same, then asks
  mam setup --yes           does it without asking; no unit is installed
  mam setup --shell fish    the integration for another shell than $SHELL
  mam setup --undo          every file as it was before

Exit codes: 0 done or nothing to do, 1 you said no or a step was left,
2 nobody can be asked (stdin is no terminal, and no --yes), 69 herdr is missing,
73 a file cannot be written, 75 a file was changed meanwhile.")]
    Setup(Setup),
    /// Check everything, and say what to do about what is wrong; changes nothing
    #[command(after_help = "Exit codes: 0 all is well, 1 something is not.")]
    Doctor,
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
        /// Of mam-restore-hook instead of this program
        #[arg(long)]
        hook: bool,
    },
    /// Print the manual page, of one command when it is named
    Man {
        /// A command of this program
        #[arg(value_name = "COMMAND")]
        of: Option<String>,
        /// Of mam-restore-hook instead of this program
        #[arg(long)]
        hook: bool,
    },
}

/// `mam run`
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Run {
    /// Take the place of the host that serves this profile
    #[arg(long)]
    pub replace: bool,
    /// Start in any case, on a session of its own
    #[arg(long)]
    pub force: bool,
    /// With `--replace`: the process to replace, and no other
    #[arg(long, hide = true, value_name = "PID", requires = "replace")]
    pub old: Option<u32>,
    /// In a session of its own, as `mam start` has it
    #[arg(long, hide = true)]
    pub detached: bool,
}

/// `mam setup`
#[derive(Args, Clone, Debug, Default)]
pub struct Setup {
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
    /// Show what would be done, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Take back what a setup has done
    #[arg(long, conflicts_with = "shell")]
    pub undo: bool,
    /// The shell that gets the integration: bash, zsh, sh, fish or none [default: $SHELL]
    #[arg(long, value_name = "NAME", value_parser = parse_shell)]
    pub shell: Option<ShellChoice>,
}

/// A shell, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShellChoice(pub Option<Shell>);

fn parse_shell(text: &str) -> Result<ShellChoice, String> {
    if text == "none" { Ok(ShellChoice(None)) } else { Ok(ShellChoice(Some(text.parse()?))) }
}

/// For the whole host, or for one profile.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct All {
    /// The host, with all that it serves
    #[arg(long)]
    pub all: bool,
}

/// `mam env`
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Env {
    /// Each variable, and why it is there or not
    Explain {
        /// Show the values too, secrets included
        #[arg(long)]
        values: bool,
    },
}

/// `mam profile`
#[derive(Clone, Debug, Subcommand)]
pub enum Profile {
    /// List the profiles
    List,
    /// Make a profile
    Create {
        /// Its name
        name: ProfileName,
    },
    /// Remove a profile that nobody serves, with its home
    Remove {
        /// Its name
        name: ProfileName,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

/// `mam unit`
#[derive(Clone, Debug, Subcommand)]
pub enum Unit {
    /// Print the files of a unit
    Print {
        /// systemd, s6, runit or launchd
        kind: Kind,
    },
    /// Write the files of a unit; a host that runs is left alone
    Install {
        /// systemd, s6, runit or launchd
        kind: Kind,
        /// The service directory, for s6 and runit; for the others where the file goes
        #[arg(long, value_name = "PATH")]
        directory: Option<PathBuf>,
    },
    /// Remove the files of a unit; a host that runs is left alone
    Uninstall {
        /// systemd, s6, runit or launchd
        kind: Kind,
    },
}

/// `mam notice`
#[derive(Clone, Debug, Subcommand)]
pub enum Notice {
    /// A server has started, or has taken over in a live handoff
    Startup(Noticed),
    /// Agents were seen
    Agents(Noticed),
}

/// The server that a notice is about.
#[derive(Args, Clone, Debug)]
pub struct Noticed {
    /// Its session
    #[arg(long, value_name = "NAME")]
    pub session: String,
    /// Its API socket
    #[arg(long, value_name = "PATH")]
    pub socket: PathBuf,
}

impl Command {
    /// Whether it must not make anything before it has decided to.
    pub fn only_looks(&self) -> bool {
        matches!(self, Self::Setup(_) | Self::Doctor)
    }

    /// The verb's name, as it is typed.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Attach => "attach",
            Self::Run(_) => "run",
            Self::Start(_) => "start",
            Self::Stop(_) => "stop",
            Self::Restart(_) => "restart",
            Self::Create(_) => "create",
            Self::Resume(_) => "resume",
            Self::List => "list",
            Self::Show(_) => "show",
            Self::StopSession(_) => "stop-session",
            Self::Forget(_) => "forget",
            Self::Rename(_) => "rename",
            Self::Adopt(_) => "adopt",
            Self::Status => "status",
            Self::Why => "why",
            Self::Reload => "reload",
            Self::Env { .. } => "env",
            Self::Profile { .. } => "profile",
            Self::Unit { .. } => "unit",
            Self::Notice { .. } => "notice",
            Self::Launch { .. } => "launch",
            Self::Setup(_) => "setup",
            Self::Doctor => "doctor",
            Self::Completions { .. } => "completions",
            Self::Man { .. } => "man",
        }
    }
}
