//! What the kernel says about processes and terminals, as plain values.
//!
//! [`Kernel`] is the one door: `linux.rs` and `macos.rs` implement it, nothing else in mam asks the
//! operating system about a process. What a platform cannot say is `None`, and whoever decides treats
//! `None` as a doubt. [`table`] holds the values; the parse functions of the platforms are pure.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", test))]
#[cfg_attr(
    not(target_os = "macos"),
    allow(dead_code, clippy::allow_attributes, reason = "parsers are tested here")
)]
mod macos;
pub mod table;

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

pub use table::{Process, ProcessTable, State, Tty};

/// What is asked of one process, beyond its row in the table. Only processes of this user answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Its current directory; a removed one has ` (deleted)` behind it on Linux.
    pub directory: Option<PathBuf>,
    /// The program file it runs, links resolved.
    pub executable: Option<PathBuf>,
    /// How many bytes it has read in its life, from anything.
    pub bytes_read: Option<u64>,
}

/// The environment a process was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartEnvironment(pub Vec<(OsString, OsString)>);

impl StartEnvironment {
    /// The value of `name`.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_os_str())
    }
}

/// The state of a terminal, asked from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// When a program last read from it, in time since 1970 (Linux moves this in steps of 8 s); the
    /// time of its creation when nobody has.
    pub last_input: Option<Duration>,
    /// Whether it hands out whole lines (a shell's own line editor switches this off).
    pub is_canonical: Option<bool>,
}

/// The operating system, as far as it is asked about processes.
pub trait Kernel {
    /// All processes now.
    ///
    /// # Errors
    /// When the table cannot be read or has another form than expected.
    fn table(&self) -> io::Result<ProcessTable>;

    /// What else there is to know about `pid`; all `None` when it is gone or not ours.
    fn details(&self, pid: u32) -> Details;

    /// The environment `pid` was started with; `None` when it is gone, not ours, or the platform does
    /// not say.
    fn environment(&self, pid: u32) -> Option<StartEnvironment>;

    /// The arguments of `pid`, the program first: those it was started with, unless it has put a title in
    /// their place. `None` when it is gone, or the platform does not say each of them.
    fn arguments(&self, pid: u32) -> Option<Vec<OsString>>;

    /// The state of a terminal. Asking does not change it.
    fn terminal(&self, tty: &Tty) -> Terminal;

    /// Puts the time at which a terminal of this user's was last read to `moment`, in time since 1970. Nothing
    /// else about it changes, and nobody who uses it sees that.
    ///
    /// # Errors
    /// It is not there or another user's, or the platform gives that time no such meaning.
    fn set_last_input(&self, tty: &Tty, moment: Duration) -> io::Result<()>;

    /// The process at the other end of a connection, `None` when the platform does not say.
    fn peer(&self, stream: &UnixStream) -> Option<u32>;

    /// What tells this boot of the machine from another.
    fn boot(&self) -> Option<String>;

    /// The row of `pid`, without reading the whole table; `None` when it is gone.
    fn process(&self, pid: u32) -> Option<Process>;

    /// When `pid` started, in time since the same moment as in [`Kernel::table`].
    fn started(&self, pid: u32) -> Option<Duration> {
        Some(self.process(pid)?.started)
    }
}

/// The kernel this process runs on.
#[cfg(target_os = "linux")]
pub fn kernel() -> impl Kernel {
    linux::Proc
}

/// The kernel this process runs on.
#[cfg(target_os = "macos")]
pub fn kernel() -> impl Kernel {
    macos::Ps
}
