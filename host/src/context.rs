//! What every verb is given: who calls, for which profile, and where everything is.

use std::path::{Path, PathBuf};

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::places;
use mam_share::message::{Messages, Warning};
use mam_share::places::{Homeless, Places};
use mam_share::process::{self, Kernel};
use mam_share::settings::Settings;
use mam_share::variable::MAM_PROFILE;

use crate::agents::{Agents, NoAgents};
use crate::decision::{Observation, Patience};
use crate::lock::HostLock;
use crate::log::{Level, Log};
use crate::membership::Membership;
use crate::observe::{self, Look, Place};
use crate::profile::ProfileName;
use crate::store::Store;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// Warnings and failures.
    Quiet,
    /// And what is done.
    Normal,
    /// And each step.
    Verbose,
}

/// The surroundings of one call.
pub struct Context {
    /// The environment of this process.
    pub environment: Environment,
    /// The root home and the state directory.
    pub places: Places,
    /// The profile that is acted for.
    pub profile: ProfileName,
    /// Its home.
    pub home: PathBuf,
    /// The home of the profile that calls: not the same when a named profile has the root act.
    pub caller: PathBuf,
    /// The root's settings: the host's.
    pub settings: Settings,
    /// The profile's own settings.
    pub own: Settings,
    /// What was odd about the settings.
    pub warnings: Vec<Warning>,
    /// How much is said.
    pub voice: Voice,
    /// The recorded agent sessions.
    pub agents: Box<dyn Agents>,
    messages: Messages,
    kernel: Box<dyn Kernel>,
    lock: Result<HostLock, String>,
    log: Log,
}

impl Context {
    /// Finds everything. The profile is the named one, else that of `MAM_PROFILE`, else the root.
    ///
    /// # Errors
    /// No home directory, no such profile, a profile name that is none.
    pub fn new(
        environment: Environment,
        messages: Messages,
        named: Option<&ProfileName>,
        voice: Voice,
    ) -> Result<Self, Failure> {
        Self::with_lock(environment, messages, named, voice, HostLock::open)
    }

    /// The same for a verb that only looks: no directory and no lock file is made.
    ///
    /// # Errors
    /// As [`Context::new`].
    pub fn looking(
        environment: Environment,
        messages: Messages,
        named: Option<&ProfileName>,
        voice: Voice,
    ) -> Result<Self, Failure> {
        Self::with_lock(environment, messages, named, voice, HostLock::peek)
    }

    fn with_lock(
        environment: Environment,
        messages: Messages,
        named: Option<&ProfileName>,
        voice: Voice,
        open: fn(&Path) -> Result<HostLock, String>,
    ) -> Result<Self, Failure> {
        let places = Places::find(&environment).map_err(|Homeless| {
            let text = "there is no home directory: HOME is not set and the user database has none";
            Failure::new(Exit::NeedsChange, text).hint("set HOME, or both MAM_HOME and MAM_STATE_DIR")
        })?;
        let profile = match named {
            Some(profile) => profile.clone(),
            None => of_variable(&environment)?,
        };
        let home = profile.home(&places.home);
        if !profile.is_root() && !home.is_dir() {
            let text = format!("there is no profile `{profile}`: `{}` is no directory", home.display());
            let create = format!("mam profile create {profile}");
            return Err(Failure::new(Exit::NeedsChange, text).hint(create).hint("mam profile list"));
        }
        let (settings, mut warnings) = Settings::load(&places.settings());
        let own = if profile.is_root() {
            settings.clone()
        } else {
            let (own, odd) = Settings::load(&home.join("config.toml"));
            warnings.extend(odd);
            own
        };
        let lock = open(&places.state);
        let log = Log::new(&home);
        let kernel = Box::new(process::kernel());
        let agents = Box::new(NoAgents);
        Ok(Self {
            environment,
            places,
            profile,
            caller: home.clone(),
            home,
            settings,
            own,
            warnings,
            voice,
            agents,
            messages,
            kernel,
            lock,
            log,
        })
    }

    /// The same call, for the root. Its log stays the caller's.
    ///
    /// # Errors
    /// As [`Context::new`].
    pub fn as_root(&self) -> Result<Self, Failure> {
        let root = ProfileName::root();
        // The lock file is opened once per process: a second descriptor that is closed gives up a lock.
        // None of ours is held here, and both stay open until the end.
        let context = Self::new(self.environment.clone(), self.messages, Some(&root), self.voice)?;
        Ok(Self { log: self.log.clone(), caller: self.caller.clone(), ..context })
    }

    /// What is set for a profile.
    pub fn membership(&self, profile: &ProfileName) -> Membership {
        Membership::of(profile, &self.places.home, &self.settings)
    }

    /// The kernel.
    pub fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// The lock.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub fn lock(&self) -> Result<&HostLock, &str> {
        self.lock.as_ref().map_err(String::as_str)
    }

    /// The host record.
    pub fn store(&self) -> Store {
        Store::new(&self.places.state)
    }

    /// The profile's log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The API socket of the host's session.
    pub fn socket(&self) -> PathBuf {
        places::socket(&self.environment, Some(&self.settings.session))
    }

    /// Who owns the host, with nothing changed; `None` when there never was one.
    pub fn peek(&self) -> Option<Look> {
        let socket = self.socket();
        let place = Place { state: &self.places.state, lock: self.lock(), socket: &socket };
        let was_there = self.places.state.join("host.lock").exists();
        was_there.then(|| observe::look(&place, self.kernel()))
    }

    /// Looks at the host, and has the record name a server that took over in a live handoff.
    pub fn look(&self) -> Look {
        let socket = self.socket();
        let place = Place { state: &self.places.state, lock: self.lock(), socket: &socket };
        let look = observe::look(&place, self.kernel());
        if look.is_handed_over {
            crate::handoff::adopt(self, &look);
        }
        look
    }

    /// What the decision about `look` is made from.
    pub fn observation(&self, look: &Look, patience: Patience) -> Observation {
        let membership = self.membership(&self.profile);
        Observation {
            profile: self.profile.clone(),
            force: false,
            replace: false,
            is_standalone: membership.is_standalone,
            is_excluded: membership.is_excluded,
            is_parked: membership.is_parked,
            owner: look.owner.clone(),
            patience,
        }
    }

    /// Says what is done, unless quiet.
    pub fn say(&self, text: &str) {
        if self.voice > Voice::Quiet {
            self.messages.say(text);
        }
    }

    /// Says a step, when verbose.
    pub fn step(&self, text: &str) {
        if self.voice == Voice::Verbose {
            self.messages.say(text);
        }
    }

    /// Says a warning.
    pub fn warn(&self, warning: &Warning) {
        self.messages.warn(warning);
    }

    /// The voice on stderr, for the rendering of the overlay.
    pub fn messages(&self) -> Messages {
        self.messages
    }

    /// Writes what was done into the profile's log. A log that cannot be written stops nothing.
    pub fn note(&self, verb: &str, reason: &str, message: &str) {
        if let Err(why) = self.log.write(Level::Info, verb, reason, message) {
            self.step(&format!("the log cannot be written: {why}"));
        }
    }

    /// Writes a refusal into the profile's log, before it is printed.
    pub fn note_refusal(&self, verb: &str, reason: &str, message: &str) {
        if let Err(why) = self.log.write(Level::Warning, verb, reason, message) {
            self.messages.warn(&Warning::new(format!("the log cannot be written: {why}")));
        }
    }
}

fn of_variable(environment: &Environment) -> Result<ProfileName, Failure> {
    let Some(value) = environment.filled(MAM_PROFILE) else { return Ok(ProfileName::root()) };
    let text = value.to_string_lossy();
    text.parse().map_err(|why| {
        Failure::new(Exit::Usage, format!("MAM_PROFILE is `{text}`: {why}"))
            .hint("unset MAM_PROFILE, or use -p")
    })
}
