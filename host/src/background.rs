//! `mam run` in the background: in a session of its own, its output in a log.

use std::ffi::OsString;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fs_err::os::unix::fs::OpenOptionsExt as _;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::{files, sibling};

use crate::context::Context;
use crate::gather::{self, Whose};

/// A `mam run` that was started in the background.
pub struct Background {
    child: Child,
    log: PathBuf,
    /// Where its output begins in the log.
    begin: u64,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Code(i32),
    /// By a signal: somebody ended it.
    Signal,
}

/// Starts `mam run`, as the context's profile, with `arguments`.
///
/// # Errors
/// It cannot be started.
pub fn start(context: &Context, whose: Whose, arguments: &[&str]) -> Result<Background, Failure> {
    let cannot =
        |what: String| Failure::new(Exit::CannotWrite, format!("`mam run` cannot be started: {what}"));
    let log = context.home.join("logs").join("host.log");
    files::private_dir(files::parent(&log)).map_err(|error| cannot(files::reason(&error)))?;
    let mut options = fs_err::OpenOptions::new();
    options.create(true).append(true).mode(files::PRIVATE);
    let output = options.open(&log).map_err(|error| cannot(files::reason(&error)))?;
    let begin = output.metadata().map_or(0, |metadata| metadata.len());
    let program = sibling::this().map_err(|error| cannot(error.to_string()))?;
    let mut command = Command::new(program);
    command.arg0("mam");
    if !context.profile.is_root() {
        command.args(["--profile", context.profile.as_str()]);
    }
    command.args(["--quiet", "run"]).args(arguments).arg("--detached");
    command.env_clear().envs(gather::of_background(context, whose));
    let errors = output.try_clone().map_err(|error| cannot(files::reason(&error)))?;
    command.stdin(Stdio::null()).stdout(output.into_parts().0).stderr(errors.into_parts().0);
    let child = command.spawn().map_err(|error| cannot(error.to_string()))?;
    Ok(Background { child, log, begin })
}

impl Background {
    /// How it ended, when it has: it is herdr as long as it runs.
    pub fn end(&mut self) -> Option<End> {
        let status = self.child.try_wait().ok()??;
        Some(status.code().map_or(End::Signal, End::Code))
    }

    /// Its process id: the server's, if it becomes one.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it said.
    pub fn output(&self) -> String {
        const LONGEST: u64 = 16 * 1024;
        let mut bytes = Vec::new();
        let read = fs_err::File::open(&self.log).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.begin))?;
            file.take(LONGEST).read_to_end(&mut bytes)
        });
        if read.is_err() {
            return String::new();
        }
        String::from_utf8_lossy(&bytes).trim_end().to_owned()
    }
}

/// Leaves the session, the open files and the directory of whoever started this process.
///
/// # Errors
/// No directory can be entered.
pub fn detach(home: Option<&Path>) -> Result<(), Failure> {
    crate::descriptors::close_at_exec();
    // Fails only for the leader of a process group, which is on its own already.
    let _ = rustix::process::setsid();
    let directory = home.filter(|home| home.is_dir()).unwrap_or(Path::new("/"));
    std::env::set_current_dir(directory)
        .map_err(|error| Failure::new(Exit::No, format!("`{}`: {error}", directory.display())))
}

/// The path of this program as a text for units.
///
/// # Errors
/// A path that is not UTF-8.
pub fn program_text() -> Result<String, OsString> {
    sibling::this().unwrap_or_default().into_os_string().into_string()
}
