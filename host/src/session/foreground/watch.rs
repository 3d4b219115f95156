//! Stands behind a program until it has ended.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use rustix::termios::Termios;

use super::decision::{self, Asked, End, Event, State, Step};
use super::job::Job;
use super::terminal::Terminal;

/// How long a program is left alone whose shell cannot be started: it may stop itself again at once.
const PAUSE: Duration = Duration::from_secs(1);

/// What is done for whoever runs the program.
pub trait Behind {
    /// Starts a shell in the foreground, beside the stopped program, and says so.
    ///
    /// # Errors
    /// It cannot be started.
    fn step_aside(&mut self) -> io::Result<Pid>;

    /// The program has ended.
    fn ended(&mut self, end: End);
}

/// Everything that happens.
pub struct Happenings {
    sender: Sender<Event>,
    receiver: Receiver<Event>,
}

impl Happenings {
    /// Fetches signals from now on, which must be blocked.
    pub fn listen() -> Self {
        let (sender, receiver) = std::sync::mpsc::channel();
        super::signals::listen(sender.clone());
        Self { sender, receiver }
    }

    fn next(&self, state: State, begin: Instant) -> Event {
        let State::Ending { until, .. } = state else {
            // The thread that fetches signals holds a sender.
            return self.receiver.recv().unwrap_or(Event::TimeIsOver);
        };
        match self.receiver.recv_timeout(until.saturating_sub(begin.elapsed())) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Event::TimeIsOver,
        }
    }
}

/// Stands behind `program`, which is in the foreground, until it has ended and the terminal is ours
/// again. What was asked of this process meanwhile.
pub fn watch(
    terminal: &Terminal,
    program: Pid,
    happenings: &Happenings,
    behind: &mut dyn Behind,
) -> Option<Asked> {
    let begin = Instant::now();
    let program = Job::watch(program, Event::Program, happenings.sender.clone());
    let mut aside: Option<Job> = None;
    let mut modes: Option<Termios> = None;
    let mut state = State::Program { given_back: None };
    loop {
        let event = happenings.next(state, begin);
        let was_noted = matches!(state, State::AsideAlone(_));
        let (next, step) = decision::decide(state, event, begin.elapsed());
        state = next;
        if let (Event::Aside(decision::Change::Ended(_)), Some(job)) = (event, aside) {
            job.collect();
            aside = None;
        }
        match step {
            Step::Wait => {}
            Step::GiveBack => {
                // A shell that only stopped itself has been left as well.
                if let Some(job) = aside.take() {
                    hang_up(job, Signal::HUP);
                }
                if modes.is_some() {
                    terminal.take_back();
                }
                drop(terminal.give_again(program.group(), modes.take().as_ref()));
                program.go_on();
            }
            Step::Aside => {
                modes = terminal.take_back();
                if let Ok(shell) = behind.step_aside() {
                    aside = Some(Job::watch(shell, Event::Aside, happenings.sender.clone()));
                } else {
                    std::thread::sleep(PAUSE);
                    // As if the user had left it. The receiver is ours, so it is there.
                    let _ = happenings.sender.send(Event::Aside(decision::Change::Ended(End::Unseen)));
                }
            }
            Step::Note(end) => {
                program.collect();
                behind.ended(end);
            }
            Step::PassOn(asked) => {
                let signal = match asked {
                    Asked::HangUp => Signal::HUP,
                    Asked::Terminate => Signal::TERM,
                };
                hang_up(program, signal);
                // An interactive shell does not end at SIGTERM.
                if let Some(shell) = aside {
                    hang_up(shell, Signal::HUP);
                }
            }
            Step::Kill => {
                program.signal(Signal::KILL);
                if let Some(shell) = aside {
                    shell.signal(Signal::KILL);
                }
            }
            Step::Finish(end) => {
                if let Some(shell) = aside {
                    hang_up(shell, Signal::HUP);
                }
                terminal.take_back();
                if !was_noted {
                    program.collect();
                    behind.ended(end);
                }
                return match state {
                    State::Ending { asked, .. } => Some(asked),
                    State::Program { .. } | State::Aside | State::AsideAlone(_) => None,
                };
            }
        }
    }
}

/// Sends a signal that ends a group, stopped or not.
fn hang_up(job: Job, signal: Signal) {
    job.signal(signal);
    job.go_on();
}
