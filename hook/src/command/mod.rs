//! One file per command: each gathers, calls the core, and prints.

pub mod close;
pub mod event;
pub mod install;
pub mod list;
pub mod startup;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::socket::NoAnswer;
use mam_share::message::{self, Messages};
use mam_share::places::{Homeless, Places};
use mam_share::process::Kernel;
use mam_share::settings::Settings;
use mam_share::variable::HERDR_CONFIG_PATH;
use std::io::IsTerminal as _;
use std::path::Path;
use std::time::Duration;

use crate::gather::Herdr;
use crate::overlay;
use crate::resident::Residents;
use crate::target::{self, Target};
use crate::verdict::{Named, Question};

/// What every command is given.
pub struct Context<'a> {
    /// The environment of this process.
    pub environment: &'a Environment,
    /// mam's directories.
    pub places: &'a Places,
    /// The voice on stderr.
    pub messages: Messages,
    /// The kernel.
    pub kernel: &'a dyn Kernel,
}

impl Context<'_> {
    /// What is asked of every pane, with the user's resident helpers.
    pub fn question(&self, named: Option<Named>) -> Question {
        let (settings, warnings) = Settings::load(&self.places.settings());
        for warning in &warnings {
            self.messages.warn(warning);
        }
        Question { named, residents: Residents::new(&settings.resident_helpers), waited: Duration::ZERO }
    }

    /// The session that is asked about; `None` for the default session and where none is named. Nothing is
    /// said then, but to a person at a terminal, who sees nothing happen.
    ///
    /// # Errors
    /// It is no session.
    pub fn session(&self, given: Option<&str>) -> Result<Option<Target>, Failure> {
        let target = target::named(given, self.environment)?;
        let target = target.filter(|target| !target.is_default_session(self.environment));
        if target.is_none() && std::io::stderr().is_terminal() {
            let text = "no session is named, or it is the default one, which mam never touches; for mam's own: \
                --session mam";
            self.messages.say(text);
        }
        Ok(target)
    }

    /// The server of a session that a person named.
    ///
    /// # Errors
    /// There is none, or it does not say who it is.
    pub fn server(&self, target: &Target) -> Result<Herdr<'_>, Failure> {
        Herdr::find(&target.socket, self.kernel).map_err(|error| no_answer(target, &error))
    }
}

/// Whether `herdr` runs on an overlay of mam. On others, herdr's calls are not for us.
pub fn runs_on_ours(herdr: &Herdr<'_>, places: &Places) -> bool {
    let config = herdr.variable(HERDR_CONFIG_PATH.name);
    config.is_some_and(|config| overlay::is_ours(Path::new(&config), places))
}

/// mam's directories.
///
/// # Errors
/// There is no home directory.
pub fn places(environment: &Environment) -> Result<Places, Failure> {
    Places::find(environment).map_err(|Homeless| {
        Failure::new(
            Exit::NeedsChange,
            "there is no home directory: HOME is not set and the user database has none",
        )
        .hint("set HOME, or both MAM_HOME and MAM_STATE_DIR")
    })
}

/// The failure of a command that herdr does not answer.
pub fn no_answer(target: &Target, error: &NoAnswer) -> Failure {
    let Target { session, socket } = target;
    match error {
        NoAnswer::NotRunning => {
            let text = format!("no herdr serves session `{session}` at `{}`", socket.display());
            Failure::new(Exit::NoHerdr, text).hint("`herdr session list` shows the sessions")
        }
        NoAnswer::Broken(_) | NoAnswer::Unreadable(_) | NoAnswer::Refused { .. } => {
            let text = format!("herdr does not say which panes session `{session}` has: {error}");
            Failure::new(Exit::TryAgain, text).hint("no pane was touched; run this again")
        }
    }
}

/// Prints the answer of a command.
///
/// # Errors
/// stdout cannot be written, for another reason than a reader that went away.
pub fn answer(text: &str) -> Result<(), Failure> {
    message::answer(text.as_bytes())
        .map_err(|error| Failure::new(Exit::CannotWrite, format!("the answer cannot be written: {error}")))
}
