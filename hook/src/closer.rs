//! Closing leftovers: look, judge, look again right before, write it down, close, check.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use mam_share::herdr::pane::Pane;
use mam_share::herdr::parallel::Request;
use mam_share::herdr::socket::NoAnswer;
use serde_json::{Value, json};

use crate::facts::Facts;
use crate::gather::{Herdr, Pick};
use crate::journal::{Journal, Step};
use crate::plan::{self, Judged};
use crate::reason::Reason;
use crate::verdict::{Question, Resumed, Verdict};

/// The most panes that are closed between two looks. herdr takes some 17 ms for each, so this bounds how
/// long before its close the last of them was looked at.
const AT_ONCE: usize = 8;

/// How long nothing is done before unsettled panes are looked at again.
const PAUSE: Duration = Duration::from_millis(250);

/// How often a pane that changes between two looks is tried.
const TRIES: u32 = 5;

/// The most time a run may take, waiting included.
const LIMIT: Duration = Duration::from_secs(120);

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is closed.
    Closed(Resumed),
    /// Somebody else had closed it.
    Gone,
    /// It stays.
    Kept(Reason),
    /// It stays for now; it may become closable by itself.
    Unsettled(Reason),
}

/// A candidate and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The pane, as it was.
    pub pane: Pane,
    /// What became of it.
    pub outcome: Outcome,
}

/// One run over one server.
pub struct Closer<'a> {
    /// The server.
    pub herdr: &'a Herdr<'a>,
    /// What is asked.
    pub question: Question,
    /// Where closes are written down.
    pub journal: &'a Journal,
    /// How long unsettled panes are waited for.
    pub patience: Duration,
}

/// A close that stands in the journal and is not yet checked.
struct Sent {
    pane: Pane,
    resumed: Resumed,
    answer: Answer,
}

/// What came of it.
enum Answer {
    /// It was sent, and herdr said this.
    Herdr(Result<Value, NoAnswer>),
    /// It was not sent: at the last moment the shell was not what it had been.
    Withheld(Reason),
}

impl Closer<'_> {
    /// Closes what is a leftover, and says what became of every candidate, in herdr's order.
    ///
    /// # Errors
    /// The pane list cannot be had. What was closed before that is in the journal.
    pub fn run(&self) -> Result<Vec<Done>, NoAnswer> {
        let began = Instant::now();
        let mut results = Results::default();
        loop {
            let waited = began.elapsed();
            let question = Question { waited, ..self.question.clone() };
            let facts = self.look(&mut results, &question)?;
            let judged = plan::plan(&facts, &question);
            let is_over = waited >= LIMIT;
            let (mut close, mut unsettled) = (Vec::new(), false);
            for Judged { pane, verdict } in judged {
                match verdict {
                    Verdict::Close(resumed) if !is_over && results.may_try(&pane) => {
                        close.push((pane, resumed));
                    }
                    Verdict::Close(_) => results.keep_if_new(pane, Reason::Changed("it")),
                    Verdict::Keep(reason) => results.set(pane, Outcome::Kept(reason)),
                    Verdict::Settling(reason) => {
                        unsettled = true;
                        results.set(pane, Outcome::Unsettled(reason));
                    }
                }
            }
            for some in close.chunks(AT_ONCE) {
                self.close(&mut results, &facts, some, &question)?;
            }
            if close.is_empty() {
                if !unsettled || waited >= self.patience || is_over {
                    return Ok(results.in_order);
                }
                std::thread::sleep(PAUSE.min(self.patience.saturating_sub(waited)));
            }
        }
    }

    /// The facts of now, with everything that was sent checked against them.
    fn look(&self, results: &mut Results, question: &Question) -> Result<Facts, NoAnswer> {
        let named = question.named.as_ref();
        let facts = self.herdr.facts(&Pick::From(&|panes| plan::candidates_and_witnesses(panes, named)))?;
        self.check(results, &facts);
        Ok(facts)
    }

    /// Closes those of `some` that still are leftovers, and nothing else of them.
    fn close(
        &self,
        results: &mut Results,
        before: &Facts,
        some: &[(Pane, Resumed)],
        question: &Question,
    ) -> Result<(), NoAnswer> {
        let mut ids: Vec<String> = some.iter().map(|(pane, _)| pane.pane_id.clone()).collect();
        for (_, resumed) in some {
            match resumed {
                Resumed::In(other) if !ids.contains(other) => ids.push(other.clone()),
                Resumed::In(_) | Resumed::Named => {}
            }
        }
        let now = self.herdr.facts(&Pick::These(&ids))?;
        self.check(results, &now);
        let mut still = Vec::new();
        for (then, _) in some {
            if let Err(reason) = plan::unchanged(before, &now, then) {
                results.set(then.clone(), Outcome::Unsettled(reason));
            }
        }
        for Judged { pane, verdict } in plan::plan(&now, question) {
            let Some((then, _)) = some.iter().find(|(then, _)| then.pane_id == pane.pane_id) else {
                continue;
            };
            match verdict {
                Verdict::Close(resumed) if plan::unchanged(before, &now, then).is_ok() => {
                    still.push((pane, resumed));
                }
                Verdict::Close(_) => {}
                Verdict::Keep(reason) => results.set(pane, Outcome::Kept(reason)),
                Verdict::Settling(reason) => results.set(pane, Outcome::Unsettled(reason)),
            }
        }
        let at = wall_seconds();
        let lines = still.iter().map(|(pane, resumed)| (pane, resumed, Step::Closing));
        if let Err(error) = self.journal.write(at, &self.herdr.server, lines) {
            for (pane, _) in still {
                results.refuse(pane, Reason::NoJournal(error.to_string()));
            }
            return Ok(());
        }
        let answers = self.send(&now, &still);
        let sent = still.into_iter().zip(answers);
        let sent: Vec<Sent> = sent.map(|((pane, resumed), answer)| Sent { pane, resumed, answer }).collect();
        let focus = focus_after(&sent);
        results.sent.extend(sent);
        if let Some(pane_id) = focus {
            // Where the focus goes is a kindness; nothing depends on it.
            drop(self.herdr.ask(&[Request::new("pane.focus", json!({"pane_id": pane_id}))]));
        }
        Ok(())
    }

    /// Sends a close for each. Writing the journal took its time, so right before each request the kernel
    /// is asked once more about that one shell.
    fn send(&self, facts: &Facts, still: &[(Pane, Resumed)]) -> Vec<Answer> {
        let request =
            |(pane, _): &(Pane, Resumed)| Request::new("pane.close", json!({"pane_id": pane.pane_id}));
        let withheld = RefCell::new(BTreeMap::new());
        let may_be_sent = |number: usize| {
            let glance = still.get(number).map_or(Ok(()), |(pane, _)| self.herdr.glance(facts, pane));
            glance.map_err(|reason| withheld.borrow_mut().insert(number, reason)).is_ok()
        };
        let answers = self.herdr.ask_if(&still.iter().map(request).collect::<Vec<_>>(), &may_be_sent);
        let mut withheld = withheld.into_inner();
        let answer =
            |(number, answer)| withheld.remove(&number).map_or(Answer::Herdr(answer), Answer::Withheld);
        answers.into_iter().enumerate().map(answer).collect()
    }

    /// Decides what became of everything that was sent, by the panes of `now`.
    fn check(&self, results: &mut Results, now: &Facts) {
        let sent = std::mem::take(&mut results.sent);
        let mut lines = Vec::new();
        for Sent { pane, resumed, answer } in sent {
            let is_there = now.panes.iter().any(|other| other.terminal_id == pane.terminal_id);
            let (step, outcome) = match (answer, is_there) {
                (Answer::Withheld(_), false) => (Step::Gone, Outcome::Gone),
                (Answer::Withheld(reason), true) => (Step::Kept(reason.name()), Outcome::Unsettled(reason)),
                (Answer::Herdr(Err(NoAnswer::Refused { code, .. })), false) if code == "pane_not_found" => {
                    (Step::Gone, Outcome::Gone)
                }
                // Also when the answer was lost on the way: the pane is gone, so it was heard.
                (Answer::Herdr(_), false) => (Step::Closed, Outcome::Closed(resumed.clone())),
                (Answer::Herdr(Ok(_)), true) => kept(Reason::StillThere),
                (Answer::Herdr(Err(NoAnswer::Refused { code, message })), true) => {
                    kept(Reason::Refused(code, message))
                }
                (Answer::Herdr(Err(error)), true) => kept(Reason::NoAnswer(error.to_string())),
            };
            lines.push((pane.clone(), resumed, step));
            match outcome {
                Outcome::Kept(reason) => results.refuse(pane, reason),
                Outcome::Closed(_) | Outcome::Gone | Outcome::Unsettled(_) => results.set(pane, outcome),
            }
        }
        let lines = lines.iter().map(|(pane, resumed, step)| (pane, resumed, step.clone()));
        // That it would happen stands in the journal already.
        drop(self.journal.write(wall_seconds(), &self.herdr.server, lines));
    }
}

fn kept(reason: Reason) -> (Step, Outcome) {
    (Step::Kept(reason.name()), Outcome::Kept(reason))
}

/// The pane that takes over the focus, when the session's focused pane is among those closed.
fn focus_after(all: &[Sent]) -> Option<String> {
    let focused = all.iter().find(|sent| sent.pane.focused)?;
    match (&focused.resumed, &focused.answer) {
        (Resumed::In(other), Answer::Herdr(Ok(_))) => Some(other.clone()),
        (Resumed::In(_) | Resumed::Named, Answer::Herdr(_) | Answer::Withheld(_)) => None,
    }
}

#[expect(clippy::disallowed_methods, reason = "the journal carries the time")]
fn wall_seconds() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// What became of each candidate so far.
#[derive(Default)]
struct Results {
    in_order: Vec<Done>,
    tries: BTreeMap<String, u32>,
    sent: Vec<Sent>,
}

impl Results {
    /// Notes what became of `pane`; the latest counts.
    fn set(&mut self, pane: Pane, outcome: Outcome) {
        let known = self.in_order.iter_mut().find(|done| done.pane.terminal_id == pane.terminal_id);
        match known {
            Some(done) => done.outcome = outcome,
            None => self.in_order.push(Done { pane, outcome }),
        }
    }

    /// Notes that `pane` stays, whatever later looks say of it.
    fn refuse(&mut self, pane: Pane, reason: Reason) {
        self.tries.insert(pane.terminal_id.clone(), TRIES);
        self.set(pane, Outcome::Kept(reason));
    }

    /// Whether `pane` is tried (once more): not one that herdr refused, nor one that never holds still.
    fn may_try(&mut self, pane: &Pane) -> bool {
        let tries = self.tries.entry(pane.terminal_id.clone()).or_default();
        *tries += 1;
        *tries <= TRIES
    }

    fn keep_if_new(&mut self, pane: Pane, reason: Reason) {
        let kept = self.in_order.iter_mut().find(|done| done.pane.terminal_id == pane.terminal_id);
        match kept.map(|done| &mut done.outcome) {
            None => self.set(pane, Outcome::Kept(reason)),
            Some(outcome) => {
                if let Outcome::Unsettled(reason) = outcome.clone() {
                    *outcome = Outcome::Kept(reason);
                }
            }
        }
    }
}
