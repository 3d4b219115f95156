//! The recorded agent sessions of a profile, as far as the host's verbs need them.

use mam_share::failure::Failure;
use mam_share::herdr::session_name::SessionName;

use crate::profile::ProfileName;

/// What became of a recorded session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its agent runs.
    Running,
    /// Its agent ended, and the record says how.
    Ended,
    /// Nobody runs it, and nothing says why.
    Lost,
}

/// A recorded session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub state: State,
}

/// The agents that were launched through mam.
pub trait Agents {
    /// The sessions of a profile.
    fn sessions(&self, profile: &ProfileName) -> Vec<Session>;

    /// Stops the agents of a profile; how many there were.
    ///
    /// # Errors
    /// One that does not stop.
    fn stop(&self, profile: &ProfileName) -> Result<usize, Failure>;

    /// Resumes the agents of a profile; how many there were.
    ///
    /// # Errors
    /// One that cannot be resumed.
    fn resume(&self, profile: &ProfileName) -> Result<usize, Failure>;

    /// A server has started that serves the profile: resumes the agents that were to be resumed then; how
    /// many there were.
    ///
    /// # Errors
    /// One that cannot be resumed.
    fn started(&self, _profile: &ProfileName) -> Result<usize, Failure> {
        Ok(0)
    }

    /// Agents were seen in the server of `session`.
    ///
    /// # Errors
    /// What was seen cannot be recorded.
    fn seen(&self, _session: &SessionName) -> Result<(), Failure> {
        Ok(())
    }

    /// How many leftovers the host has; `None` when nobody looked.
    fn leftovers(&self) -> Option<usize>;
}

/// No session is recorded.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAgents;

impl Agents for NoAgents {
    fn sessions(&self, _profile: &ProfileName) -> Vec<Session> {
        Vec::new()
    }

    fn stop(&self, _profile: &ProfileName) -> Result<usize, Failure> {
        Ok(0)
    }

    fn resume(&self, _profile: &ProfileName) -> Result<usize, Failure> {
        Ok(0)
    }

    fn leftovers(&self) -> Option<usize> {
        None
    }
}
