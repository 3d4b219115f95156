//! Asking a herdr program what it makes of a config.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mam_share::child::{self, Interrupted, Run};
use mam_share::environment::Environment;
use mam_share::files;
use mam_share::interrupt::Held;
use mam_share::variable::HERDR_CONFIG_PATH;

use crate::verdict::{self, Verdict};

/// How long `herdr config check` may take. It needs some milliseconds; a machine under load or a
/// shim that starts a version manager needs more.
const LIMIT: Duration = Duration::from_secs(5);

/// A herdr to ask, and where a text is put for it to read.
#[derive(Debug)]
pub struct Herdr<'a> {
    program: PathBuf,
    environment: &'a Environment,
    /// The file the text is to become: herdr resolves relative paths against its directory.
    beside: &'a Path,
    /// It did not answer once: it is not asked again, so that one wait is all it can cost.
    is_silent: bool,
}

impl<'a> Herdr<'a> {
    /// The herdr at `program`, asked about texts that are to become the file `beside`.
    pub fn new(program: PathBuf, environment: &'a Environment, beside: &'a Path) -> Self {
        Self { program, environment, beside, is_silent: false }
    }

    /// Asks. The text is in a private temporary file for as long as it takes.
    pub fn ask(&mut self, text: &str) -> Verdict {
        let silent =
            format!("`{} config check` did not answer within {} s", self.program.display(), LIMIT.as_secs());
        if self.is_silent {
            return Verdict::Unknown(silent);
        }
        // From before the file is there until it is gone.
        let held = Held::hold();
        let candidate = match files::temporary_beside(self.beside).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            Ok(file.into_temp_path())
        }) {
            Ok(candidate) => candidate,
            Err(error) => return Verdict::Unknown(format!("no file to show it to herdr: {error}")),
        };
        match child::run_holding(self.command(&candidate), LIMIT, &held) {
            Err(Interrupted(signal)) => {
                drop(candidate);
                drop(held);
                // Only where the signal does not end this process.
                Verdict::Unknown(format!("interrupted by {signal}"))
            }
            Ok(Run::Ended(answer)) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                verdict::read(&text(&answer.stdout), &text(&answer.stderr))
            }
            Ok(Run::TimedOut) => {
                self.is_silent = true;
                Verdict::Unknown(silent)
            }
            Ok(Run::NotStarted(error)) => {
                Verdict::Unknown(format!("`{}` cannot be started: {error}", self.program.display()))
            }
        }
    }

    fn command(&self, candidate: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["config", "check"]).env_clear();
        // A version manager's shim needs its variables; herdr's own would name another server.
        let inherited = self.environment.variables();
        command.envs(inherited.filter(|(name, _)| !name.as_encoded_bytes().starts_with(b"HERDR_")));
        command.env(HERDR_CONFIG_PATH.name, candidate);
        command
    }
}
