//! The command line, as it was typed. Nothing here looks at the world.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Closes the empty shells that herdr restored in place of agents that were resumed elsewhere.
///
/// Nothing else is ever closed: a pane stays at the slightest doubt, and `list` says which.
#[derive(Debug, Parser)]
#[command(name = "mam-restore-hook", version)]
#[command(after_help = "Examples:
  mam-restore-hook install                 have herdr call it by itself
  mam-restore-hook list --session mam      what is left over, and why it stays
  mam-restore-hook close --session mam     close what is left over now

Exit codes: 0 done, 1 no (install --check), 2 usage, 69 herdr is not there, 73 cannot write,
75 try again, 78 will not work until someone changes something.")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands. `startup` and `event` are told apart before this is built.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Close leftovers
    #[command(visible_alias = "close-restored-shells")]
    Close(Close),
    /// Show every restored shell and whether it would be closed
    List(List),
    /// Have herdr call this program: link it as a plugin
    Install(Install),
    /// Undo install
    Uninstall {
        /// The herdr program [default: the one on PATH]
        #[arg(long, value_name = "PATH")]
        herdr: Option<PathBuf>,
    },
    /// What herdr calls when a server has started
    Startup,
    /// What herdr calls when it has detected an agent
    Event,
}

/// Arguments of `close`.
#[derive(Debug, Args)]
pub struct Close {
    /// The conversation that was resumed: its restored shells are closed even where nobody can see it
    /// run. Without it, those whose conversation runs in another pane
    #[arg(long, value_name = "ID")]
    pub session_id: Option<String>,
    /// The herdr session [default: $HERDR_SESSION_NAME, else $HERDR_SESSION]
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
    /// Show what would be done, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
    /// Taken and not needed: the session's socket is used
    #[arg(long, value_name = "PATH", hide = true)]
    pub herdr: Option<PathBuf>,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// The herdr session [default: $HERDR_SESSION_NAME, else $HERDR_SESSION]
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `install`.
#[derive(Debug, Args)]
pub struct Install {
    /// Say whether the plugin is linked, enabled and current, and change nothing
    #[arg(long)]
    pub check: bool,
    /// The herdr program [default: the one on PATH]
    #[arg(long, value_name = "PATH")]
    pub herdr: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
