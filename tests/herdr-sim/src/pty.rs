//! A program on its own pseudo terminal, with job control.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::procs;

/// How much output is kept for `pane.read`.
const KEPT: usize = 64 * 1024;

/// A width and a height in cells.
pub(crate) type Size = (u16, u16);

/// The server's side of a terminal, and the program on it.
#[derive(Debug)]
pub(crate) struct Terminal {
    master: File,
    pid: i32,
    /// Absent after a handoff: then the program is the child of another process.
    child: Option<Child>,
    output: Vec<u8>,
    size: Size,
}

impl Terminal {
    /// Starts a command as the leader of a new session on a new terminal.
    pub(crate) fn spawn(command: &mut Command, size: Size) -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let name = ptsname(&master, Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(name.as_c_str(), flags, Mode::empty())?;
        tcsetwinsize(&master, winsize(size))?;
        command.stdin(Stdio::from(slave.try_clone()?)).stdout(Stdio::from(slave.try_clone()?));
        command.stderr(Stdio::from(slave));
        // SAFETY: the closure only makes two system calls, which are safe between fork and exec.
        unsafe {
            command.pre_exec(|| {
                rustix::process::setsid()?;
                rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
                Ok(())
            });
        }
        let child = command.spawn()?;
        // The command keeps copies of the slave, which would hide the program's end from us.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
        let mut terminal = Self::adopt(master, pid, size)?;
        terminal.child = Some(child);
        Ok(terminal)
    }

    /// Takes over a terminal whose program another process started.
    pub(crate) fn adopt(master: OwnedFd, pid: i32, size: Size) -> io::Result<Self> {
        fcntl_setfl(&master, fcntl_getfl(&master)? | OFlags::NONBLOCK)?;
        Ok(Self { master: File::from(master), pid, child: None, output: Vec::new(), size })
    }

    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.master.as_fd()
    }

    /// Reads what the program wrote; a busy program is left waiting until the next turn.
    pub(crate) fn drain(&mut self) {
        let mut chunk = [0; 4096];
        for _ in 0..32 {
            match self.master.read(&mut chunk) {
                Ok(count) if count > 0 => self.output.extend(chunk.iter().take(count)),
                _ => break,
            }
        }
        let extra = self.output.len().saturating_sub(KEPT);
        self.output.drain(..extra);
    }

    /// What the program wrote lately.
    pub(crate) fn output(&self) -> &[u8] {
        &self.output
    }

    /// Types into the terminal.
    pub(crate) fn type_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.master.write_all(bytes)
    }

    /// Tells the program a new size; an unchanged one is not told.
    pub(crate) fn resize(&mut self, size: Size) {
        if self.size != size && tcsetwinsize(&self.master, winsize(size)).is_ok() {
            self.size = size;
        }
    }

    /// Whether the program ended.
    pub(crate) fn ended(&mut self) -> bool {
        if let Some(child) = self.child.as_mut() {
            return !matches!(child.try_wait(), Ok(None));
        }
        procs::one(self.pid).is_none_or(|proc| proc.state == 'Z')
    }

    /// Hangs up: the program gets SIGHUP, and the terminal goes when this is dropped.
    pub(crate) fn hang_up(&self) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // A program that is gone needs no signal.
            let _ = kill_process(pid, Signal::HUP);
        }
    }

    /// Closes the terminal and keeps the program, so that it can be waited for.
    pub(crate) fn into_child(self) -> Option<Child> {
        self.child
    }
}

fn winsize((columns, rows): Size) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// Lets a command run in a session of its own, without a terminal.
pub(crate) fn detach(command: &mut Command) {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: the closure makes one system call, which is safe between fork and exec.
    unsafe {
        command.pre_exec(|| rustix::process::setsid().map(|_| ()).map_err(io::Error::from));
    }
}

/// Marks every inherited descriptor but the standard three, so that programs do not get it.
///
/// A lock taken before `exec` stays with the server this way, and its panes never see the file.
pub(crate) fn keep_descriptors_private() {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else {
        return;
    };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    for number in numbers.filter(|number: &i32| *number > 2) {
        if !Path::new(&format!("/proc/self/fd/{number}")).exists() {
            continue;
        }
        // SAFETY: the descriptor is open and is only borrowed for this call.
        let fd = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC);
    }
}
