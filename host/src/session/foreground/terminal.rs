//! The terminal of this process: who is in its foreground, and in which modes it is.

use std::io::{self, Write as _};
use std::os::fd::{AsFd, OwnedFd};

use mam_share::environment::Environment;
use mam_share::variable::TERM;
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::termios::{OptionalActions, Termios};

/// Takes back what a program that crashed may have left switched on: pictures in progress, mouse, focus
/// and paste reports, key protocols, a hidden cursor, colours, and the alternate screen. The position is
/// saved before, because leaving the alternate screen that one is not in goes to the last saved one.
const SANE: &[u8] = b"\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\
    \x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[>4;0m\x1b[<99u\x1b7\x1b[?1049l\x1b[?25h\x1b[r\x1b8\x1b[0m";

/// The controlling terminal of this process, in whose foreground it is.
pub struct Terminal {
    descriptor: OwnedFd,
    /// Our own process group.
    group: Pid,
    /// The modes it had when we came.
    modes: Termios,
    /// Whether it understands [`SANE`].
    is_able: bool,
}

impl Terminal {
    /// The terminal on stdin.
    ///
    /// # Errors
    /// Why nothing can be run in its foreground, as the end of a sentence.
    pub fn open(environment: &Environment) -> Result<Self, String> {
        let (stdin, stdout) = (rustix::stdio::stdin(), rustix::stdio::stdout());
        if !rustix::termios::isatty(stdin) {
            return Err("stdin is no terminal".to_owned());
        }
        let device = |fd| rustix::fs::fstat(fd).map(|stat| stat.st_rdev);
        if !rustix::termios::isatty(stdout) || device(stdout) != device(stdin) {
            return Err("stdout is not the terminal that stdin is".to_owned());
        }
        let group = rustix::process::getpgrp();
        match rustix::termios::tcgetpgrp(stdin) {
            Ok(foreground) if foreground == group => {}
            Ok(_) => return Err("it was started in the background".to_owned()),
            Err(error) => return Err(format!("it is not this process's own terminal: {error}")),
        }
        let unusable = |error: Errno| format!("the terminal cannot be used: {error}");
        let descriptor = rustix::io::fcntl_dupfd_cloexec(stdin, 3).map_err(unusable)?;
        let modes = rustix::termios::tcgetattr(&descriptor).map_err(unusable)?;
        let is_able = environment.filled(TERM).is_some_and(|term| term != "dumb");
        Ok(Self { descriptor, group, modes, is_able })
    }

    /// Puts a process group into the foreground.
    ///
    /// # Errors
    /// The group is gone, or the terminal is.
    pub fn give(&self, group: Pid) -> io::Result<()> {
        foreground(&self.descriptor, group)
    }

    /// Puts a process group into the foreground, with the modes that it had.
    ///
    /// # Errors
    /// As [`Terminal::give`].
    pub fn give_again(&self, group: Pid, modes: Option<&Termios>) -> io::Result<()> {
        if let Some(modes) = modes {
            self.set(modes);
        }
        self.give(group)
    }

    /// Puts this process into the foreground, and the terminal into the modes it had at first. Returns
    /// the modes that it is in now. A terminal that is gone is left alone.
    pub fn take_back(&self) -> Option<Termios> {
        let theirs = rustix::termios::tcgetattr(&self.descriptor).ok();
        // A terminal that was hung up has no foreground, and needs none.
        drop(self.give(self.group));
        self.set(&self.modes);
        if self.is_able {
            drop(io::stdout().write_all(SANE).and_then(|()| io::stdout().flush()));
        }
        theirs
    }

    fn set(&self, modes: &Termios) {
        // At once: output that nobody reads would be waited for.
        while rustix::termios::tcsetattr(&self.descriptor, OptionalActions::Now, modes) == Err(Errno::INTR) {}
    }
}

/// Puts the process group of this process into the foreground of the terminal on stdin.
///
/// # Errors
/// As [`Terminal::give`].
pub fn take_stdin() -> io::Result<()> {
    foreground(rustix::stdio::stdin(), rustix::process::getpgrp())
}

fn foreground(terminal: impl AsFd, group: Pid) -> io::Result<()> {
    loop {
        match rustix::termios::tcsetpgrp(terminal.as_fd(), group) {
            Err(Errno::INTR) => {}
            outcome => return outcome.map_err(Into::into),
        }
    }
}
