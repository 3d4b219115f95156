//! A program on a terminal of its own, as a person has it.
#![expect(unsafe_code, reason = "a child has to take its terminal between fork and exec")]

use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::pty::OpenptFlags;

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Pty {
    child: Child,
    terminal: Option<fs_err::File>,
    screen: Arc<Mutex<String>>,
    is_hung_up: Arc<AtomicBool>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Pty {
    /// Starts `command` as the leader of a session whose terminal is a new pty of 200 columns.
    pub(crate) fn start(mut command: Command) -> Self {
        let controller =
            rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        rustix::pty::grantpt(&controller).unwrap();
        rustix::pty::unlockpt(&controller).unwrap();
        let name = rustix::pty::ptsname(&controller, Vec::new()).unwrap();
        let size = rustix::termios::Winsize { ws_row: 50, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(&controller, size).unwrap();
        let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC;
        let terminal = rustix::fs::open(name.as_c_str(), flags, rustix::fs::Mode::empty()).unwrap();
        let stdio = |fd: &OwnedFd| Stdio::from(fd.try_clone().unwrap());
        command.stdin(stdio(&terminal)).stdout(stdio(&terminal)).stderr(stdio(&terminal));
        let take_terminal = || {
            rustix::process::setsid()?;
            rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
            Ok(())
        };
        // SAFETY: between fork and exec it makes two system calls and touches no memory but its stack.
        unsafe { command.pre_exec(take_terminal) };
        let child = command.spawn().unwrap();
        drop(terminal);
        let screen = Arc::new(Mutex::new(String::new()));
        let reader = controller.as_fd().try_clone_to_owned().unwrap();
        let written = Arc::clone(&screen);
        let is_hung_up = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&is_hung_up);
        let reader = std::thread::spawn(move || {
            let mut reader = file(reader);
            let mut buffer = [0; 4096];
            while !is_over.load(Ordering::Relaxed) {
                if !is_readable(&reader) {
                    continue;
                }
                // Linux says EIO when the last program on the terminal is gone.
                match reader.read(&mut buffer) {
                    Ok(0) | Err(_) => break,
                    Ok(count) => written.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count])),
                }
            }
        });
        Self { child, terminal: Some(file(controller)), screen, is_hung_up, reader: Some(reader) }
    }

    /// The process that was started.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        let size = rustix::termios::Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(self.terminal.as_ref().unwrap().file(), size).unwrap();
    }

    /// Takes the terminal away, as when a window is closed.
    pub(crate) fn hang_up(&mut self) {
        self.is_hung_up.store(true, Ordering::Relaxed);
        self.reader.take().unwrap().join().unwrap();
        self.terminal = None;
    }

    /// Waits until the process that was started has ended.
    #[track_caller]
    pub(crate) fn wait_for_end(&mut self) -> std::process::ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types `text`, as it is.
    pub(crate) fn send(&mut self, text: &str) {
        self.terminal.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// All output so far.
    pub(crate) fn screen(&self) -> String {
        self.screen.lock().unwrap().clone()
    }

    /// Waits until `is_there` says yes of the output; panics with it otherwise.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_there(&self.screen()) {
            assert!(Instant::now() < deadline, "no {what} on the terminal:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the program has ended; its exit code, `None` when a signal ended it.
    #[track_caller]
    pub(crate) fn end(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < deadline, "it does not end:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn wait_for(&self, text: &str) {
        self.wait(&format!("{text:?}"), |screen| screen.contains(text));
    }
}

/// Whether there is something to read, or an end; looks for a moment.
fn is_readable(file: &fs_err::File) -> bool {
    let mut waited = [rustix::event::PollFd::new(file.file(), rustix::event::PollFlags::IN)];
    let moment = rustix::event::Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    rustix::event::poll(&mut waited, Some(&moment)).is_ok_and(|ready| ready > 0)
}

impl Drop for Pty {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[expect(clippy::disallowed_types, reason = "a descriptor has no path to put into a message")]
fn file(fd: OwnedFd) -> fs_err::File {
    fs_err::File::from_parts(std::fs::File::from(fd), "a pty")
}
