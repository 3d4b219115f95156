//! Marks on the terminals of restored shells, so that no key that is typed into one goes unseen.
//!
//! Linux keeps the time at which something was last read from a terminal in steps of 8 s: what is read in
//! the step in which the terminal was made leaves no trace, and a command that was half typed there would
//! be closed with its pane. So whoever is called when a server has started puts that time back, by two
//! steps and with a signature: the first thing that is read afterwards moves it to now.
//!
//! A shell may ask its terminal something while it starts (its colours, where the cursor is) and read the
//! answer. Until it has settled at its prompt it is marked anew after each such reading, and never after
//! that.

use std::time::Duration;

/// How long after its start a shell may read answers of its terminal. What is read later was typed.
pub const STARTING: Duration = Duration::from_secs(2);

/// How long after its start a shell's terminal can be marked for the first time. herdr calls about 60 ms
/// after the launch; what is typed before the mark goes unseen.
pub const PROMPTLY: Duration = Duration::from_secs(1);

/// How long a shell is at its prompt until it counts as settled: an answer of the terminal comes within one
/// turn of herdr.
const CALM: Duration = Duration::from_millis(150);

/// The step of the kernel, in seconds.
const STEP: u64 = 8;

/// How far a mark puts the time back, in seconds: two steps, so that no later time is in the same one.
const BACK: u64 = 2 * STEP;

/// The nanoseconds of a mark. The kernel writes whole seconds; older ones leave the nanoseconds as they are.
const SIGNATURE: u32 = 616_161_616;

/// What the time of the last reading says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Nothing was read since the mark.
    Never,
    /// Something was read after the start.
    Typed,
    /// Something was read while the shell started: an answer of the terminal, or a key. Whether more was
    /// read in the same step would not show.
    AtStart,
    /// It is that of the terminal's creation: nobody has marked it, and what was read in the same step would
    /// not show.
    Unmarked,
    /// It does not fit to the start of the shell: the clock was changed.
    Clock,
}

/// The mark on the terminal of a shell that `started` then, in time since 1970.
pub fn mark(started: Duration) -> Duration {
    Duration::new(started.as_secs().saturating_sub(BACK), SIGNATURE)
}

/// What `last`, the time of the last reading, says about a shell that `started` then.
pub fn usage(last: Duration, started: Duration) -> Use {
    let mark = mark(started);
    // The start is computed from two clocks that are read one after the other.
    if last.subsec_nanos() == SIGNATURE && last.abs_diff(mark) <= STARTING {
        Use::Never
    } else if last > started + STARTING {
        Use::Typed
    } else if last + STARTING < started {
        Use::Clock
    } else if matches!(last.subsec_nanos(), 0 | SIGNATURE) {
        Use::AtStart
    } else {
        Use::Unmarked
    }
}

/// Whether something that is read `now` would leave no trace on a terminal that was last read then.
pub fn is_same_step(last: Duration, now: Duration) -> bool {
    last.as_secs() / STEP == now.as_secs() / STEP
}

/// One look at a starting shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The moment, in time since 1970.
    pub now: Duration,
    /// When the shell started, likewise.
    pub started: Duration,
    /// When its terminal was last read, likewise.
    pub last_input: Duration,
    /// Whether it waits at a prompt: asleep, in the foreground, its line editor at work.
    pub is_idle: bool,
}

/// What to do after a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Put the mark on its terminal, and look again.
    Mark,
    /// Look again.
    Wait,
    /// Leave its terminal alone from now on.
    Over,
}

/// A shell that is watched while it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    was_marked: bool,
    is_over: bool,
    idle_since: Option<Duration>,
}

impl Watch {
    /// Takes a look; what to do.
    pub fn see(&mut self, sample: Sample) -> Step {
        let step = if self.is_over { Step::Over } else { self.next(sample) };
        self.was_marked |= step == Step::Mark;
        self.is_over = step == Step::Over;
        step
    }

    fn next(&mut self, Sample { now, started, last_input, is_idle }: Sample) -> Step {
        let age = now.saturating_sub(started);
        match usage(last_input, started) {
            Use::Never => {
                let since = is_idle.then(|| self.idle_since.unwrap_or(now));
                self.idle_since = since;
                let is_settled = since.is_some_and(|since| now >= since + CALM);
                if is_settled || age >= STARTING { Step::Over } else { Step::Wait }
            }
            Use::AtStart | Use::Unmarked if age <= if self.was_marked { STARTING } else { PROMPTLY } => {
                self.idle_since = None;
                Step::Mark
            }
            Use::AtStart | Use::Unmarked | Use::Typed | Use::Clock => Step::Over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(1_700_000_003_700 + milliseconds)
    }

    #[test]
    fn a_time_is_a_mark_or_says_what_happened() {
        let start = at(0);
        let rows = [
            ("the mark", mark(start), Use::Never),
            ("the mark of a start that is computed a little later", mark(at(400)), Use::Never),
            ("the same time without the signature", Duration::from_secs(mark(start).as_secs()), Use::Clock),
            ("made with the shell", start, Use::Unmarked),
            (
                "read at the start, on a kernel that keeps the signature",
                Duration::new(start.as_secs(), SIGNATURE),
                Use::AtStart,
            ),
            ("an answer of the terminal", Duration::from_secs(at(1900).as_secs()), Use::AtStart),
            ("a key", at(2100), Use::Typed),
            (
                "a key, on a kernel that keeps the signature",
                Duration::new(at(9000).as_secs(), SIGNATURE),
                Use::Typed,
            ),
            (
                "made before the clock was put forward",
                start.saturating_sub(Duration::from_secs(3600)),
                Use::Clock,
            ),
            (
                "marked before the clock was put forward",
                mark(start.saturating_sub(Duration::from_secs(3600))),
                Use::Clock,
            ),
            ("marked before the clock was put back", mark(start + Duration::from_secs(3600)), Use::Typed),
            ("put back by what a mark puts back", mark(start + Duration::from_secs(BACK)), Use::AtStart),
        ];
        for (what, last, expected) in rows {
            assert_eq!(usage(last, start), expected, "{what}");
        }
    }

    /// The kernel's rule: only a time of another step is written.
    fn reads(last: &mut Duration, now: Duration) {
        if (last.as_secs() ^ now.as_secs()) >= 8 {
            *last = Duration::from_secs(now.as_secs());
        }
    }

    #[test]
    fn whatever_is_read_after_a_mark_shows_in_every_step() {
        for start in (0..16_000).step_by(250) {
            for later in (0..20_000).step_by(250) {
                let mut last = mark(at(start));
                reads(&mut last, at(start + later));
                let usage = usage(last, at(start));
                assert!(matches!(usage, Use::Typed | Use::AtStart), "{start} {later}: {usage:?}");
                if later >= 3000 {
                    assert_eq!(usage, Use::Typed, "{start} {later}");
                }
            }
        }
    }

    /// A story: at each moment whether the shell is idle, and whether it has read something since the look
    /// before; the steps that are taken, and what its terminal says in the end.
    #[track_caller]
    fn story(moments: &[(u64, bool, bool)], expected: &[Step], end: Use) {
        let (mut watch, mut last) = (Watch::default(), at(0));
        let mut steps = Vec::new();
        for (moment, is_idle, has_read) in moments {
            if *has_read {
                reads(&mut last, at(*moment));
            }
            let sample = Sample { now: at(*moment), started: at(0), last_input: last, is_idle: *is_idle };
            let step = watch.see(sample);
            if step == Step::Mark {
                last = mark(at(0));
            }
            steps.push(step);
        }
        assert_eq!(steps, expected);
        assert_eq!(usage(last, at(0)), end);
    }

    #[test]
    fn a_shell_is_marked_until_it_has_settled() {
        use Step::{Mark, Over, Wait};
        // Nothing is read: marked once.
        story(
            &[(60, false, false), (160, true, false), (260, true, false), (360, true, false)],
            &[Mark, Wait, Wait, Over],
            Use::Never,
        );
        // It reads an answer, and another one while it is at its prompt already.
        story(
            &[
                (60, true, false),
                (160, false, true),
                (260, true, true),
                (360, true, false),
                (560, true, false),
            ],
            &[Mark, Mark, Mark, Wait, Over],
            Use::Never,
        );
        // A key after it has settled is left to be seen.
        story(
            &[
                (60, true, false),
                (160, true, false),
                (360, true, false),
                (460, true, true),
                (560, true, false),
            ],
            &[Mark, Wait, Over, Over, Over],
            Use::AtStart,
        );
        story(
            &[(60, false, false), (2500, false, false), (2600, true, true)],
            &[Mark, Over, Over],
            Use::Typed,
        );
        // A start file that takes long is not waited for; what it reads then is typed.
        story(&[(60, false, false), (2100, false, true)], &[Mark, Over], Use::AtStart);
        story(&[(60, false, false), (3100, false, true)], &[Mark, Over], Use::Typed);
        // Whoever comes late has not seen what was typed, and leaves it so.
        story(&[(1100, true, false), (1200, true, false)], &[Over, Over], Use::Unmarked);
    }
}
