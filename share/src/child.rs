//! Running a program for its answer, within a time limit. Whoever is interrupted meanwhile leaves nothing
//! of it behind.
#![expect(unsafe_code, reason = "a child has to get back its signals between fork and exec")]

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::interrupt::Held;

/// The most that is read of a child's output, in bytes; the rest is thrown away.
const OUTPUT_LIMIT: usize = 1024 * 1024;

/// What a finished program said.
#[derive(Debug)]
pub struct Answer {
    /// How it ended.
    pub status: ExitStatus,
    /// Its stdout, at most 1 MiB.
    pub stdout: Vec<u8>,
    /// Its stderr, at most 1 MiB.
    pub stderr: Vec<u8>,
}

/// How a run ended.
#[derive(Debug)]
pub enum Run {
    /// It ended by itself.
    Ended(Answer),
    /// It was still running at the limit and was killed with its whole process group.
    TimedOut,
    /// It could not be started.
    NotStarted(io::Error),
}

/// How long a signal may go unnoticed.
const GLANCE: Duration = Duration::from_millis(20);

/// The signal that interrupted a run. It is still pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted(pub Signal);

/// Runs `command` with no stdin for at most `limit`. A signal that asks this process to end does so, once
/// the command is gone.
pub fn run(command: Command, limit: Duration) -> Run {
    let held = Held::hold();
    let ran = run_holding(command, limit, &held);
    drop(held);
    // Only where the signal does not end this process.
    ran.unwrap_or_else(|Interrupted(signal)| {
        Run::NotStarted(io::Error::new(io::ErrorKind::Interrupted, format!("interrupted by {signal}")))
    })
}

/// The same, for a caller who has something to clean up before the process ends by the signal: when it
/// lets go of what it holds.
///
/// # Errors
/// A signal came; the command is gone.
pub fn run_holding(mut command: Command, limit: Duration, held: &Held) -> Result<Run, Interrupted> {
    if let Some(mask) = held.mask_before() {
        let set_mask = move || mask.thread_set_mask().map_err(io::Error::from);
        // SAFETY: between fork and exec it makes one system call and touches no memory but its own.
        unsafe { command.pre_exec(set_mask) };
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that what it started goes down with it.
    command.process_group(0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ok(Run::NotStarted(error)),
    };
    let deadline = Instant::now() + limit;
    // A child whose pipes cannot be read is of as much use as one that hangs.
    if let Ok(Some(answer)) = listen(&mut child, deadline, held) {
        return Ok(Run::Ended(answer));
    }
    kill_group(&mut child);
    held.pending().map_or(Ok(Run::TimedOut), |signal| Err(Interrupted(signal)))
}

/// Reads both pipes to their ends and waits; `None` at the deadline, and when a signal has come.
fn listen(child: &mut Child, deadline: Instant, held: &Held) -> io::Result<Option<Answer>> {
    let mut stdout = Pipe::new(child.stdout.take());
    let mut stderr = Pipe::new(child.stderr.take());
    while stdout.is_open() || stderr.is_open() {
        let open: Vec<&mut dyn Source> =
            [&mut stdout as &mut dyn Source, &mut stderr].into_iter().filter(|pipe| pipe.is_open()).collect();
        read_ready(open, deadline.min(Instant::now() + GLANCE))?;
        if Instant::now() >= deadline || held.pending().is_some() {
            return Ok(None);
        }
    }
    // Both ends are closed: the program is gone or about to go.
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(Answer { status, stdout: stdout.bytes, stderr: stderr.bytes }));
        }
        if Instant::now() >= deadline || held.pending().is_some() {
            return Ok(None);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Waits until one of the pipes can be read, but no longer than until `deadline`, and reads those that can.
fn read_ready(mut pipes: Vec<&mut dyn Source>, deadline: Instant) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    let ready: Vec<bool> = {
        let mut waited: Vec<PollFd<'_>> = pipes
            .iter()
            .filter_map(|pipe| pipe.descriptor())
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        let timeout = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
        match rustix::event::poll(&mut waited, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        waited.iter().map(|pipe| !pipe.revents().is_empty()).collect()
    };
    for (pipe, _) in pipes.iter_mut().zip(ready).filter(|(_, ready)| *ready) {
        pipe.read_some()?;
    }
    Ok(())
}

struct Pipe<R> {
    source: Option<R>,
    bytes: Vec<u8>,
}

impl<R> Pipe<R> {
    fn new(source: Option<R>) -> Self {
        Self { source, bytes: Vec::new() }
    }
}

trait Source {
    fn is_open(&self) -> bool;
    fn descriptor(&self) -> Option<std::os::fd::BorrowedFd<'_>>;
    fn read_some(&mut self) -> io::Result<()>;
}

impl<R: Read + AsFd> Source for Pipe<R> {
    fn is_open(&self) -> bool {
        self.source.is_some()
    }

    fn descriptor(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        self.source.as_ref().map(AsFd::as_fd)
    }

    fn read_some(&mut self) -> io::Result<()> {
        let mut buffer = [0; 8192];
        let Some(source) = &mut self.source else { return Ok(()) };
        match source.read(&mut buffer)? {
            0 => self.source = None,
            count => {
                let room = OUTPUT_LIMIT.saturating_sub(self.bytes.len()).min(count);
                self.bytes.extend(buffer.iter().take(room));
            }
        }
        Ok(())
    }
}

/// Ends a child that leads a process group, with all of that group.
pub fn kill_group(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may have ended just now, which is what was wanted.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    drop(child.kill());
    drop(child.wait());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Run {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        run(command, limit)
    }

    #[test]
    fn both_streams_and_the_status_arrive() {
        let Run::Ended(answer) = sh("echo out; echo err >&2; exit 3", Duration::from_secs(10)) else {
            panic!()
        };
        assert_eq!((answer.stdout, answer.stderr), (b"out\n".to_vec(), b"err\n".to_vec()));
        assert_eq!(answer.status.code(), Some(3));
    }

    #[test]
    fn more_than_a_pipe_holds_does_not_block() {
        let Run::Ended(answer) = sh("head -c 3000000 /dev/zero", Duration::from_secs(30)) else { panic!() };
        assert_eq!(answer.stdout.len(), OUTPUT_LIMIT);
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        for script in ["sleep 60", "sleep 60 & wait", "exec >&- 2>&-; sleep 60"] {
            let started = Instant::now();
            assert!(matches!(sh(script, Duration::from_millis(100)), Run::TimedOut), "{script}");
            assert!(started.elapsed() < Duration::from_secs(30));
        }
    }

    #[test]
    fn a_missing_program_is_said_to_be_missing() {
        let run = run(Command::new("/nonexistent/program"), Duration::from_secs(1));
        assert!(matches!(run, Run::NotStarted(error) if error.kind() == io::ErrorKind::NotFound));
    }
}
