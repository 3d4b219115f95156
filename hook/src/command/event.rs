//! `mam-restore-hook event`: herdr has detected an agent.
//!
//! herdr calls this for every detection, at most 32 at a time, and drops further calls. So one call
//! per server becomes the watcher and all others leave at once, after they let it know: the way to
//! there reads no configuration and no JSON, and asks herdr nothing.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use mam_share::herdr::pane::Pane;
use mam_share::lock::Attempt;

use super::{Context, runs_on_ours};
use crate::closer::{Closer, Outcome};
use crate::gather::Herdr;
use crate::journal::Journal;
use crate::life::Life;
use crate::notice::Agents;
use crate::target::{self, Target};
use crate::verdict::Question;
use crate::watch::{self, Step};
use crate::{overlay, plan, report};

/// How long another closer of the same server is waited for.
const LOCK_PATIENCE: Duration = Duration::from_secs(130);

/// The longest sleep between two looks for detections.
const NAP: Duration = Duration::from_millis(500);

/// Becomes the watcher, or lets it know.
pub fn run(context: &Context<'_>) {
    let Some(target) = target::of_caller(context.environment) else { return };
    let Ok(herdr) = Herdr::find(&target.socket, context.kernel) else { return };
    let life = Life::new(context.places, &herdr.server);
    while let Attempt::Held(lock) = life.try_watch() {
        if !runs_on_ours(&herdr, context.places) {
            return;
        }
        let seen = Watcher::new(context, &target, &herdr, &life).run();
        drop(lock);
        // Whoever came after the last look found the lock taken, and left.
        if !herdr.is_alive() || life.detections() == seen {
            return;
        }
    }
}

struct Watcher<'a> {
    context: &'a Context<'a>,
    herdr: &'a Herdr<'a>,
    life: &'a Life,
    journal: Journal,
    question: Question,
    /// Terminals whose verdict stands until the next detection.
    settled: BTreeSet<String>,
    /// What was said already.
    said: BTreeSet<String>,
    agents: Agents<'a>,
}

impl<'a> Watcher<'a> {
    fn new(context: &'a Context<'a>, target: &Target, herdr: &'a Herdr<'a>, life: &'a Life) -> Self {
        Self {
            context,
            herdr,
            life,
            journal: Journal::new(context.places, target.session.as_str(), "event"),
            question: context.question(None),
            settled: BTreeSet::new(),
            said: BTreeSet::new(),
            agents: Agents::new(context.environment, target.clone()),
        }
    }

    /// Looks until the window of the last detection is over; returns the detection it knows of.
    fn run(mut self) -> Option<std::time::SystemTime> {
        let clock = Instant::now();
        let (mut seen, mut detected, mut looked) = (self.life.detections(), Duration::ZERO, None);
        let mut is_first = true;
        loop {
            let latest = self.life.detections();
            if latest != seen {
                (seen, detected) = (latest, clock.elapsed());
                self.settled.clear();
            }
            match watch::step(clock.elapsed(), detected, looked) {
                Step::End => return seen,
                Step::Sleep(time) => std::thread::sleep(time.min(NAP)),
                Step::Look => {
                    let now = clock.elapsed();
                    self.look();
                    looked = Some(now);
                }
            }
            if !self.herdr.is_alive() {
                return seen;
            }
            self.agents.tell();
            if std::mem::take(&mut is_first) {
                self.life.sweep(self.context.kernel);
                overlay::refresh(self.context.environment);
            }
        }
    }

    fn look(&mut self) {
        // An answer that does not come now may come at the next look.
        let Ok(panes) = self.herdr.panes() else { return };
        self.agents.see(&panes);
        let open = |pane: &&Pane| !self.settled.contains(&pane.terminal_id);
        let candidates = plan::candidates(&panes, None);
        if !panes.iter().filter(open).any(|pane| candidates.contains(&pane.pane_id)) {
            return;
        }
        let Attempt::Held(_turn) = self.life.close_lock(LOCK_PATIENCE) else { return };
        let closer = Closer {
            herdr: self.herdr,
            question: self.question.clone(),
            journal: &self.journal,
            patience: Duration::from_secs(1),
        };
        let Ok(done) = closer.run() else { return };
        for done in done {
            if !matches!(done.outcome, Outcome::Unsettled(_)) {
                self.settled.insert(done.pane.terminal_id.clone());
            }
            if let Some(line) = report::line(&done).filter(|line| self.said.insert(line.clone())) {
                self.context.messages.say(&line);
            }
        }
    }
}
