//! Ending the owner of the host: only one that is proved, and only that process.

use mam_share::exit::Exit;

use crate::context::Context;
use crate::decision::Owner;
use crate::handle::{self, Ending};
use crate::observe::Look;
use crate::words::Trouble;

/// Ends the process `pid` that `look` proved to be the owner, and retracts its record.
///
/// # Errors
/// It is not proved, or it is still there. Nothing was started in its place.
pub fn end(context: &Context, look: &Look, pid: u32) -> Result<(), Trouble> {
    let is_proven = matches!(look.owner, Owner::Process { pid: owner, is_proven: true, .. } if owner == pid);
    // After a live handoff the record named the old process when it was looked at.
    let started = match &look.record {
        Some(record) if record.pid == pid => record.create_time,
        Some(_) if look.is_handed_over => handle::started_of(context.kernel(), pid),
        Some(_) | None => None,
    };
    let (true, Some(started)) = (is_proven, started) else { return Err(unproven(pid)) };
    context.step(&format!("ending pid {pid}"));
    match handle::end(context.kernel(), pid, started) {
        // A pid that another process has now is the best proof that its process is gone.
        Ending::Gone | Ending::Another => {}
        Ending::StillThere(why) => {
            let text = format!("pid {pid} does not end: {why}; nothing was started in its place");
            return Err(Trouble::new("still-there", Exit::TryAgain, text).hint(format!(
                "look at it: ps -o pid,stat,lstart,args -p {pid}; when it is gone: mam start"
            )));
        }
    }
    look.store.retract(pid).map_err(|why| {
        let text = format!("pid {pid} is gone, but its record cannot be removed: {why}");
        Trouble::new("record", Exit::CannotWrite, text).hint("the next `mam start` sees that it is stale")
    })
}

/// What is said of an owner that cannot be proved to be ours.
pub fn unproven(pid: u32) -> Trouble {
    let text = format!(
        "pid {pid} owns the host, but is not proved to be the one that was recorded; it is left alone"
    );
    Trouble::new("unproven", Exit::TryAgain, text)
        .hint("try again; it may just be starting")
        .hint(format!("if you know that it is the host, end it yourself: kill {pid}"))
}
