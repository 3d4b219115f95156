//! The watcher's schedule: when to look at the pane list, and when to stop.
//!
//! No event says that a resumed agent has reported its conversation, so the list is looked at for a
//! while after every detection: often at first, when most reports come, then seldom.

use std::time::Duration;

/// How long is looked after the last detection. Measured: integrations report within some seconds.
pub const WINDOW: Duration = Duration::from_secs(30);

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Look at the pane list.
    Look,
    /// Nothing for this long; then look for detections and ask again.
    Sleep(Duration),
    /// The window is over.
    End,
}

/// The step at `now`, when the last detection came at `detected` and the last look was at `looked`,
/// all on one clock.
pub fn step(now: Duration, detected: Duration, looked: Option<Duration>) -> Step {
    let since = now.saturating_sub(detected);
    let last_look_is_due = looked.is_none_or(|looked| looked < detected + WINDOW);
    if since >= WINDOW && !last_look_is_due {
        return Step::End;
    }
    let Some(looked) = looked else { return Step::Look };
    let next = (looked + pause(looked.saturating_sub(detected))).min(detected + WINDOW);
    match next.checked_sub(now) {
        None | Some(Duration::ZERO) => Step::Look,
        Some(left) => Step::Sleep(left),
    }
}

/// How long after a look the next one is, by how long the detection was ago then.
fn pause(since: Duration) -> Duration {
    Duration::from_millis(match since.as_secs() {
        0..=2 => 250,
        3..=9 => 500,
        _ => 1000,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn looks_are_frequent_then_seldom_and_the_last_one_is_at_the_end() {
        use Step::{End, Look, Sleep};
        let rows: &[(u64, u64, Option<u64>, Step)] = &[
            (0, 0, None, Look),
            (10, 0, Some(0), Sleep(milliseconds(240))),
            (250, 0, Some(0), Look),
            (5000, 0, Some(4999), Sleep(milliseconds(499))),
            (12_000, 0, Some(11_500), Sleep(milliseconds(500))),
            (29_900, 0, Some(29_800), Sleep(milliseconds(100))),
            (30_000, 0, Some(29_800), Look),
            (31_000, 0, Some(29_999), Look),
            (30_000, 0, Some(30_000), End),
            // A detection opens the window again.
            (30_010, 30_005, Some(30_000), Sleep(milliseconds(240))),
            (30_010, 30_005, None, Look),
            // A clock that jumps back is a detection in the future.
            (0, 5, Some(0), Sleep(milliseconds(250))),
        ];
        for (now, detected, looked, expected) in rows {
            let step = step(milliseconds(*now), milliseconds(*detected), looked.map(milliseconds));
            assert_eq!(step, *expected, "{now} {detected} {looked:?}");
        }
    }

    #[test]
    fn a_watch_ends_and_looks_a_bounded_number_of_times() {
        let (mut now, mut looked, mut looks) = (Duration::ZERO, None, 0);
        loop {
            match step(now, Duration::ZERO, looked) {
                Step::Look => (looked, looks) = (Some(now), looks + 1),
                Step::Sleep(time) => now += time,
                Step::End => break,
            }
        }
        assert_eq!(now, WINDOW);
        assert!((30..60).contains(&looks), "{looks}");
    }
}
