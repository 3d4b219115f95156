//! The process that becomes the program: `mam become PROGRAM ARGV…`, never typed by anybody and not a
//! command that people are shown.
//!
//! Its stdin is a socket to the process that started it; stdout is the terminal. A byte says that its pid
//! is written down and that it may go; the socket's end says that nobody waits any more, and it ends. An
//! `exec` closes the socket; when it fails, the error's number is sent first.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::sibling;
use rustix::process::Pid;

use super::{signals, terminal};
use crate::descriptors;

/// How long the stage may take to become the program. Whoever takes longer (a program on a network
/// drive) is taken for started.
const PATIENCE: Duration = Duration::from_secs(20);

/// What tells the stage from every command.
const VERB: &str = "become";

/// What is run.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// The file. Absolute, or relative to the directory.
    pub path: &'a Path,
    /// Its arguments, its own name first. Not empty.
    pub argv: &'a [OsString],
    /// All of its environment.
    pub environment: &'a BTreeMap<OsString, OsString>,
    /// Its directory.
    pub directory: &'a Path,
}

/// A stage that waits for "go". Dropped before, it ends and no program is run.
pub struct Waiting {
    child: Option<Child>,
    socket: UnixStream,
    pid: Pid,
}

/// Starts the stage in a process group of its own.
///
/// # Errors
/// It cannot be started: the directory, the memory, the number of processes.
pub fn start(program: &Program<'_>) -> io::Result<Waiting> {
    let (socket, theirs) = UnixStream::pair()?;
    let mut command = Command::new(sibling::this()?);
    command.arg0("mam").arg(VERB).arg(program.path).args(program.argv);
    command.env_clear().envs(program.environment).current_dir(program.directory);
    command.stdin(Stdio::from(OwnedFd::from(theirs))).process_group(0);
    let child = command.spawn()?;
    let raw = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let pid = raw.ok_or_else(|| io::Error::other("a process id that is none"))?;
    Ok(Waiting { child: Some(child), socket, pid })
}

impl Waiting {
    /// The process and its group: the program's, if it becomes one.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Has it become the program.
    ///
    /// # Errors
    /// Why the program could not be executed; the stage is gone then.
    pub fn go(mut self) -> io::Result<Pid> {
        self.socket.set_read_timeout(Some(PATIENCE))?;
        let mut number = Vec::new();
        // A stage that is gone already has said why, or was ended by a signal: whoever waits sees that.
        let said = self.socket.write_all(b"g").and_then(|()| self.socket.read_to_end(&mut number));
        let number = said.ok().and_then(|_| <[u8; 4]>::try_from(number).ok());
        if let Some(number) = number {
            return Err(io::Error::from_raw_os_error(i32::from_ne_bytes(number)));
        }
        self.child = None;
        Ok(self.pid)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(self.socket.shutdown(std::net::Shutdown::Both));
            drop(child.wait());
        }
    }
}

/// The program and its arguments, when this command line is that of the stage.
pub fn asked(arguments: impl Iterator<Item = OsString>) -> Option<(PathBuf, Vec<OsString>)> {
    let mut arguments = arguments.skip(1);
    if arguments.next()? != VERB {
        return None;
    }
    let program = arguments.next()?.into();
    let argv: Vec<OsString> = arguments.collect();
    (!argv.is_empty()).then_some((program, argv))
}

/// The stage's own part; returns when it does not become the program.
pub fn run(program: &Path, argv: &[OsString]) -> Exit {
    let Ok(mut socket) = socket() else { return Exit::Usage };
    let mut go = [0];
    if !matches!(socket.read(&mut go), Ok(1)) {
        return Exit::TryAgain;
    }
    // Without the foreground the program stops at its first read, and is given the terminal again.
    drop(terminal::take_stdin());
    descriptors::close_at_exec();
    let error = match signals::unblock() {
        Ok(()) => execute(program, argv),
        Err(error) => error,
    };
    drop(socket.write_all(&error.raw_os_error().unwrap_or_default().to_ne_bytes()));
    Exit::NoHerdr
}

/// The socket on stdin, in whose place the terminal comes.
fn socket() -> io::Result<UnixStream> {
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::stdio::dup2_stdin(rustix::stdio::stdout())?;
    Ok(UnixStream::from(socket))
}

fn execute(program: &Path, argv: &[OsString]) -> io::Error {
    let (name, arguments) = argv.split_first().map_or((OsStr::new(""), &[][..]), |(name, rest)| (name, rest));
    Command::new(program).arg0(name).args(arguments).exec()
}
