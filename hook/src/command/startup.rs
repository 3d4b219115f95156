//! `mam-restore-hook startup`: herdr has started a server.

use std::time::Duration;

use mam_share::lock::Attempt;
use mam_share::message::Warning;

use super::{Context, runs_on_ours};
use crate::closer::Closer;
use crate::gather::{Herdr, Pick};
use crate::journal::Journal;
use crate::life::Life;
use crate::target::{self, Target};
use crate::{notice, plan, report, verdict};

/// How long shells that are still starting are waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long another closer of the same server is waited for.
const LOCK_PATIENCE: Duration = Duration::from_secs(130);

/// Closes what already is a leftover, and lets `mam` know, once in the life of a server that runs on an
/// overlay of mam.
/// After a live handoff it runs again, and every shell is older than the new server.
pub fn run(context: &Context<'_>) {
    let Some(target) = target::of_caller(context.environment) else { return };
    let Ok(herdr) = Herdr::find(&target.socket, context.kernel) else { return };
    if !runs_on_ours(&herdr, context.places) {
        return;
    }
    let life = Life::new(context.places, &herdr.server);
    match life.is_first_start() {
        Ok(true) => life.sweep(context.kernel),
        Ok(false) => return,
        Err(error) => {
            context.messages.warn(&Warning::new(format!("mam's state directory cannot be used: {error}")));
            return;
        }
    }
    mark(context, &herdr);
    close(context, &target, &herdr, &life);
    // After it: what is resumed now closes its own restored shell.
    notice::startup(context.environment, &target);
}

fn close(context: &Context<'_>, target: &Target, herdr: &Herdr<'_>, life: &Life) {
    let Attempt::Held(_turn) = life.close_lock(LOCK_PATIENCE) else { return };
    let journal = Journal::new(context.places, target.session.as_str(), "startup");
    let question = context.question(None);
    match (Closer { herdr, question, journal: &journal, patience: PATIENCE }).run() {
        Ok(done) => done.iter().filter_map(report::line).for_each(|line| context.messages.say(&line)),
        Err(error) => context.messages.say(&format!("no pane was touched: {error}")),
    }
}

/// Marks the terminals of the shells that were just restored, so that a key shows from now on. Without the
/// mark one that is typed in the first seconds does not; that is all there is to lose.
fn mark(context: &Context<'_>, herdr: &Herdr<'_>) {
    let Ok(facts) = herdr.facts(&Pick::From(&plan::idle)) else { return };
    for (tty, time) in facts.panes.iter().filter_map(|pane| verdict::mark(&facts, pane)) {
        drop(context.kernel.set_last_input(&tty, time));
    }
}
