//! Telling a supervisor to start or stop the unit.

use std::ffi::OsString;
use std::process::Command;
use std::time::Duration;

use mam_share::child::{self, Run};

use super::Installed;
use crate::context::Context;
use crate::supervisor::Kind;

/// How long a supervisor may take to take an order.
const LIMIT: Duration = Duration::from_secs(30);

impl Installed {
    /// Has the host started.
    ///
    /// # Errors
    /// What the supervisor said.
    pub fn start(&self, context: &Context) -> Result<(), String> {
        self.refresh(context);
        let directory = self.directory.as_os_str().to_owned();
        match self.kind {
            Kind::Systemd => {
                // One that has failed for good counts as failed until it is told otherwise.
                drop(tell("systemctl", &["--user".into(), "reset-failed".into(), "mam.service".into()]));
                tell("systemctl", &["--user".into(), "start".into(), "mam.service".into()])
            }
            Kind::S6 => tell("s6-svc", &["-u".into(), directory]),
            Kind::Runit => tell("sv", &["up".into(), directory]),
            Kind::Launchd => {
                let file = self.directory.join("dev.mam.host.plist").into_os_string();
                // It may be loaded already.
                drop(tell("launchctl", &["bootstrap".into(), domain().into(), file]));
                tell("launchctl", &["kickstart".into(), service().into()])
            }
        }
    }

    /// Has the host stopped, and not started again.
    ///
    /// # Errors
    /// What the supervisor said.
    pub fn stop(&self, _context: &Context) -> Result<(), String> {
        let directory = self.directory.as_os_str().to_owned();
        match self.kind {
            Kind::Systemd => tell("systemctl", &["--user".into(), "stop".into(), "mam.service".into()]),
            // Both wait until it is down: an order to start that comes before would be forgotten.
            Kind::S6 => tell("s6-svc", &["-wD".into(), "-T10000".into(), "-d".into(), directory]),
            Kind::Runit => tell("sv", &["-w10".into(), "stop".into(), directory]),
            Kind::Launchd => tell("launchctl", &["bootout".into(), service().into()]),
        }
    }
}

pub(super) fn domain() -> String {
    format!("gui/{}", rustix::process::getuid().as_raw())
}

fn service() -> String {
    format!("{}/dev.mam.host", domain())
}

/// Runs a supervisor's own tool.
///
/// # Errors
/// What it said.
pub(super) fn tell(program: &str, arguments: &[OsString]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments);
    match child::run(command, LIMIT) {
        Run::Ended(answer) if answer.status.success() => Ok(()),
        Run::Ended(answer) => {
            let said = [answer.stderr, answer.stdout].concat();
            Err(format!("`{program}` said: {}", String::from_utf8_lossy(&said).trim()))
        }
        Run::TimedOut => Err(format!("`{program}` did not end within {} s", LIMIT.as_secs())),
        Run::NotStarted(error) => Err(format!("`{program}` cannot be run: {error}")),
    }
}
