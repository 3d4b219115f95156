//! What every verb is given: who calls, for which profile, and where everything is.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::{Messages, Warning};
use mam_share::places::{Homeless, Places};
use mam_share::process::{self, Kernel};
use mam_share::settings::Settings;
use mam_share::variable::MAM_PROFILE;

use crate::agents::Agents;
use crate::decision::{Observation, Patience};
use crate::gather::Whose;
use crate::lock::HostLock;
use crate::log::{Level, Log};
use crate::membership::Membership;
use crate::observe::Look;
use crate::profile::ProfileName;
use crate::seat::{self, Seat};
use crate::session::roster::Roster;
use crate::words::{self, Trouble};

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
    host: Seat,
    own_seat: OnceCell<Seat>,
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
        let host = Seat::host(&environment, &places, &settings.session, open(&places.state));
        let log = Log::new(&home);
        let kernel = Box::new(process::kernel());
        let agents = Box::new(Roster::new(&environment, messages, voice));
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
            host,
            own_seat: OnceCell::new(),
            log,
        })
    }

    /// The same call, for the root. Its log stays the caller's.
    ///
    /// # Errors
    /// As [`Context::new`].
    pub fn as_root(&self) -> Result<Self, Failure> {
        let root = ProfileName::root();
        let context = Self::new(self.environment.clone(), self.messages, Some(&root), self.voice)?;
        Ok(Self { log: self.log.clone(), caller: self.caller.clone(), ..context })
    }

    /// The same call, for another profile, whose log it writes.
    ///
    /// # Errors
    /// As [`Context::new`].
    pub fn of_profile(&self, profile: &ProfileName) -> Result<Self, Failure> {
        Self::new(self.environment.clone(), self.messages, Some(profile), self.voice)
    }

    /// What is set for a profile.
    pub fn membership(&self, profile: &ProfileName) -> Membership {
        Membership::of(profile, &self.places.home, &self.settings)
    }

    /// The kernel.
    pub fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// The host's seat.
    pub fn host(&self) -> &Seat {
        &self.host
    }

    /// The seat of the profile's own server.
    ///
    /// # Errors
    /// A host session whose name leaves no room.
    pub fn own_seat(&self) -> Result<&Seat, Trouble> {
        if let Some(seat) = self.own_seat.get() {
            return Ok(seat);
        }
        let seat = self.seat_of(&self.profile)?;
        Ok(self.own_seat.get_or_init(|| seat))
    }

    /// The seat of another profile's own server.
    ///
    /// # Errors
    /// As [`Context::own_seat`].
    pub fn seat_of(&self, profile: &ProfileName) -> Result<Seat, Trouble> {
        let session = profile
            .own_session(&self.settings.session)
            .ok_or_else(|| words::no_session(&self.settings.session, profile))?;
        Ok(Seat::own(&self.environment, &self.places, profile, session))
    }

    /// Whether a profile has, or once had, a server of its own.
    pub fn has_own_seat(&self, profile: &ProfileName) -> bool {
        self.membership(profile).is_standalone || seat::own_directory(&self.places.state, profile).is_dir()
    }

    /// The seat of the server that the profile's verbs are about: its own when it is standalone.
    ///
    /// # Errors
    /// As [`Context::own_seat`].
    pub fn seat(&self) -> Result<&Seat, Trouble> {
        if self.membership(&self.profile).is_standalone { self.own_seat() } else { Ok(&self.host) }
    }

    /// The profile's log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The API socket of the host's session.
    pub fn socket(&self) -> PathBuf {
        self.host.socket.clone()
    }

    /// Who owns the host, with nothing changed; `None` when there never was one.
    pub fn peek(&self) -> Option<Look> {
        let was_there = self.host.directory.join("host.lock").exists();
        was_there.then(|| self.host.look(self.kernel()))
    }

    /// Looks at the host, as [`Context::look_at`] does.
    pub fn look(&self) -> Look {
        self.look_at(&self.host)
    }

    /// Looks at who has a seat, and has its record name a server that took over in a live handoff.
    pub fn look_at(&self, seat: &Seat) -> Look {
        let look = seat.look(self.kernel());
        if look.is_handed_over {
            crate::handoff::adopt(self, &look);
        }
        look
    }

    /// What the decision about `look` is made from. Whether the host serves the profile does not matter
    /// for a server of its own.
    pub fn observation(&self, look: &Look, patience: Patience) -> Observation {
        let membership = match look.whose {
            Whose::Host => self.membership(&self.profile),
            Whose::Own => Membership::default(),
        };
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
