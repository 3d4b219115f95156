//! `mam-restore-hook startup`: herdr has started a server.

use std::time::Duration;

use mam_share::lock::Attempt;
use mam_share::message::Warning;

use super::{Context, runs_on_ours};
use crate::closer::Closer;
use crate::gather::Herdr;
use crate::journal::Journal;
use crate::life::Life;
use crate::target::{self, Target};
use crate::terminals::Terminals;
use crate::{notice, report};

/// How long shells that are still starting are waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long another closer of the same server is waited for.
const LOCK_PATIENCE: Duration = Duration::from_secs(130);

/// Marks the terminals of restored shells, lets `mam` know, and closes what already is a leftover; once in
/// the life of a server that runs on an overlay of mam.
/// After a live handoff it runs again, and every shell is older than the new server.
pub fn run(context: &Context<'_>) {
    let Some(target) = target::of_caller(context.environment) else { return };
    let Ok(herdr) = Herdr::find(&target.socket, context.kernel) else { return };
    if !runs_on_ours(&herdr, context.places) {
        return;
    }
    let life = Life::new(context.places, &herdr.server);
    match life.is_first_start() {
        Ok(true) => {}
        Ok(false) => return,
        Err(error) => {
            context.messages.warn(&Warning::new(format!("mam's state directory cannot be used: {error}")));
            return;
        }
    }
    // First of all: what is typed before that goes unseen.
    let mut terminals = Terminals::new(&herdr.server, context.kernel);
    terminals.look();
    // What is resumed now closes its own restored shell.
    notice::startup(context.environment, &target);
    terminals.watch();
    life.sweep(context.kernel);
    close(context, &target, &herdr, &life);
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
