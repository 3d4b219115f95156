//! What follows from what happened to a program in the foreground.
//!
//! A shell that sees its job stop shows its prompt. Behind an agent there is none, so one is started
//! beside it ([`Step::Aside`]), and when the user leaves it, the agent goes on. A program that was only
//! stopped because something else took the foreground (a child that is a shell, and was killed) gets it
//! back at once. Nothing here ever leaves a pane in which nobody reads.

use std::time::Duration;

/// How long a program has to end after it was asked to.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A program that is stopped by the terminal more often than this is left stopped, and a shell started.
const CALM: Duration = Duration::from_secs(1);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Nobody knows.
    Unseen,
}

/// What became of a process that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It ended.
    Ended(End),
    /// It was stopped because it used the terminal from the background.
    StoppedByTerminal,
    /// It was stopped for another reason: ctrl-z, or somebody's SIGSTOP.
    Stopped,
}

/// Who asked this process to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The terminal is gone: the pane was closed, or its server ended.
    HangUp,
    /// Somebody sent SIGTERM.
    Terminate,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// To the program.
    Program(Change),
    /// To the shell beside it.
    Aside(Change),
    /// To this process.
    Asked(Asked),
    /// The time of [`State::Ending`] is over.
    TimeIsOver,
}

/// How things stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The program is in the foreground.
    Program {
        /// When it last got the terminal back.
        given_back: Option<Duration>,
    },
    /// The program is stopped, and a shell in the foreground.
    Aside,
    /// The program has ended, and the shell beside it not yet.
    AsideAlone(End),
    /// Both were asked to end.
    Ending {
        /// By what.
        asked: Asked,
        /// Until when they are waited for.
        until: Duration,
        /// Whether they were killed.
        is_killed: bool,
    },
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing.
    Wait,
    /// Give the terminal to the program and let it go on.
    GiveBack,
    /// Take the terminal, and start a shell in its foreground.
    Aside,
    /// Write down how the program ended; the shell goes on.
    Note(End),
    /// Send this to the program and to the shell.
    PassOn(Asked),
    /// Kill both.
    Kill,
    /// It is over.
    Finish(End),
}

/// The state and the step that follow from `event` at `now`, in time since some fixed moment.
pub fn decide(state: State, event: Event, now: Duration) -> (State, Step) {
    match (state, event) {
        (State::AsideAlone(end), Event::Asked(asked)) => {
            (State::Ending { asked, until: now, is_killed: true }, Step::Finish(end))
        }
        (State::Ending { .. }, Event::Asked(_)) => (state, Step::Wait),
        (_, Event::Asked(asked)) => {
            (State::Ending { asked, until: now + PATIENCE, is_killed: false }, Step::PassOn(asked))
        }
        (State::Program { .. } | State::Ending { .. }, Event::Program(Change::Ended(end))) => {
            (state, Step::Finish(end))
        }
        (State::Program { given_back }, Event::Program(Change::StoppedByTerminal))
            if given_back.is_none_or(|then| now.saturating_sub(then) > CALM) =>
        {
            (State::Program { given_back: Some(now) }, Step::GiveBack)
        }
        (State::Program { .. }, Event::Program(_)) => (State::Aside, Step::Aside),
        (State::Aside, Event::Program(Change::Ended(end))) => (State::AsideAlone(end), Step::Note(end)),
        (State::Aside, Event::Aside(_)) => (State::Program { given_back: Some(now) }, Step::GiveBack),
        (State::AsideAlone(end), Event::Aside(_)) => (state, Step::Finish(end)),
        (State::Ending { asked, is_killed: false, .. }, Event::TimeIsOver) => {
            (State::Ending { asked, until: now + PATIENCE, is_killed: true }, Step::Kill)
        }
        (State::Ending { .. }, Event::TimeIsOver) => (state, Step::Finish(End::Unseen)),
        // What was asked to end and is stopped would not hear of it.
        (State::Ending { asked, .. }, Event::Program(_)) => (state, Step::PassOn(asked)),
        (State::Aside | State::AsideAlone(_), Event::Program(_))
        | (State::Program { .. } | State::Ending { .. }, Event::Aside(_))
        | (State::Program { .. } | State::Aside | State::AsideAlone(_), Event::TimeIsOver) => {
            (state, Step::Wait)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: State = State::Program { given_back: None };

    /// Plays a story of `(second, event, step)`.
    fn play(story: &[(u64, Event, Step)]) {
        let mut state = START;
        for (index, (second, event, expected)) in story.iter().enumerate() {
            let (next, step) = decide(state, *event, Duration::from_secs(*second));
            assert_eq!(step, *expected, "step {index} of {story:?}, in {state:?}");
            state = next;
        }
    }

    #[test]
    fn every_story_has_its_end_and_none_leaves_a_dead_pane() {
        use Change::{Ended, Stopped, StoppedByTerminal};
        use Event::{Aside, Asked, Program, TimeIsOver};
        let (zero, segv) = (End::Code(0), End::Signal(11));
        let (hang_up, terminate) = (super::Asked::HangUp, super::Asked::Terminate);
        play(&[(1, Program(Ended(zero)), Step::Finish(zero))]);
        // ctrl-z, and back again; and once more, at once.
        play(&[
            (1, Program(Stopped), Step::Aside),
            (2, Program(StoppedByTerminal), Step::Wait),
            (3, Aside(Ended(zero)), Step::GiveBack),
            (3, Program(Stopped), Step::Aside),
            (4, Aside(Stopped), Step::GiveBack),
            (9, Program(Ended(segv)), Step::Finish(segv)),
        ]);
        // It is killed while it is stopped: that is known at once, and the user's shell stays.
        play(&[
            (1, Program(Stopped), Step::Aside),
            (2, Program(Ended(segv)), Step::Note(segv)),
            (3, Aside(Ended(zero)), Step::Finish(segv)),
        ]);
        // Its foreground is stolen: once is mended, and all the time is left to the user.
        play(&[
            (1, Program(StoppedByTerminal), Step::GiveBack),
            (3, Program(StoppedByTerminal), Step::GiveBack),
            (3, Program(StoppedByTerminal), Step::Aside),
            (4, Aside(Ended(zero)), Step::GiveBack),
        ]);
        play(&[(1, Asked(hang_up), Step::PassOn(hang_up)), (1, Program(Ended(segv)), Step::Finish(segv))]);
        // It does not listen.
        play(&[
            (1, Asked(terminate), Step::PassOn(terminate)),
            (2, Asked(hang_up), Step::Wait),
            (3, Program(Stopped), Step::PassOn(terminate)),
            (11, TimeIsOver, Step::Kill),
            (21, TimeIsOver, Step::Finish(End::Unseen)),
        ]);
        // Both are asked, and only the program's end counts.
        play(&[
            (1, Program(Stopped), Step::Aside),
            (2, Asked(hang_up), Step::PassOn(hang_up)),
            (2, Aside(Ended(zero)), Step::Wait),
            (2, Program(Ended(segv)), Step::Finish(segv)),
        ]);
        play(&[
            (1, Program(Stopped), Step::Aside),
            (2, Program(Ended(zero)), Step::Note(zero)),
            (3, Asked(hang_up), Step::Finish(zero)),
        ]);
    }
}
