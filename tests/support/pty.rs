//! A program on a terminal of its own, as a person has it.
#![expect(unsafe_code, reason = "a child has to take its terminal between fork and exec")]

use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::pty::OpenptFlags;

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Pty {
    child: Child,
    terminal: fs_err::File,
    screen: Arc<Mutex<String>>,
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
        std::thread::spawn(move || {
            let mut reader = file(reader);
            let mut buffer = [0; 4096];
            // Linux says EIO when the last program on the terminal is gone.
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 {
                    break;
                }
                written.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        });
        Self { child, terminal: file(controller), screen }
    }

    /// Types `text`, as it is.
    pub(crate) fn send(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
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
