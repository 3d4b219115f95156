//! A live handoff: herdr replaced its own process. The lock is free then, and the new server carries
//! the mark of the old one.

use crate::context::Context;
use crate::decision::Owner;
use crate::handle::started_of;
use crate::observe::Look;
use crate::record::HostRecord;

/// Has the record name the new process, so that it is proved like any other from now on.
pub fn adopt(context: &Context, look: &Look) {
    let (Owner::Process { pid, .. }, Some(record)) = (&look.owner, &look.record) else { return };
    let Some(started) = started_of(context.kernel(), *pid) else { return };
    let taken_over = HostRecord {
        pid: *pid,
        create_time: Some(started),
        boot_id: context.kernel().boot(),
        ..record.clone()
    };
    // Only if nobody did so in between.
    let changed = look.store.change(record.pid, |now| *now = taken_over);
    match changed {
        Ok(true) => {
            let text = format!("pid {pid} took over from pid {} in a live handoff", record.pid);
            context.note("look", "handed-over", &text);
        }
        Ok(false) => {}
        Err(why) => context.step(&format!("the record of the live handoff cannot be written: {why}")),
    }
}
