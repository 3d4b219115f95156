//! Telling `mam` what herdr has told: that a server has started, that agents were seen.
//!
//! What follows from it (a record that changes hands, sessions that are resumed or recorded) is none of
//! this program's business: nobody waits for it. A machine without `mam` has nobody to tell.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mam_share::child;
use mam_share::environment::Environment;
use mam_share::herdr::pane::Pane;
use mam_share::sibling;

use crate::target::Target;

/// The program that is told.
const LISTENER: &str = "mam";

/// How long `mam` may be at agents that were seen: it asks herdr a few things and writes some files.
const LIMIT: Duration = Duration::from_secs(20);

/// Tells `mam` that a server has started.
pub fn startup(environment: &Environment, target: &Target) {
    drop(tell("startup", environment, target));
}

/// Tells `mam` that agents were seen, whenever there is something new to see and the one before has ended.
pub struct Agents<'a> {
    environment: &'a Environment,
    target: Target,
    known: BTreeSet<[String; 3]>,
    is_due: bool,
    told: Option<(Child, Instant)>,
}

impl<'a> Agents<'a> {
    /// Nothing was seen so far.
    pub fn new(environment: &'a Environment, target: Target) -> Self {
        Self { environment, target, known: BTreeSet::new(), is_due: false, told: None }
    }

    /// Takes a look at the panes: an agent, or another conversation of one, is news.
    pub fn see(&mut self, panes: &[Pane]) {
        let with_agent = panes.iter().filter_map(|pane| {
            let conversation = pane.conversation.as_ref().map(|it| it.value.clone());
            Some([pane.terminal_id.clone(), pane.agent.clone()?, conversation.unwrap_or_default()])
        });
        let seen: BTreeSet<[String; 3]> = with_agent.collect();
        self.is_due |= !seen.is_subset(&self.known);
        self.known = seen;
    }

    /// Tells what is due; while `mam` is still at the last one, later. One that takes too long is ended.
    pub fn tell(&mut self) {
        self.told.take_if(|(told, since)| {
            let runs = matches!(told.try_wait(), Ok(None));
            if runs && since.elapsed() > LIMIT {
                child::kill_group(told);
            }
            !runs || since.elapsed() > LIMIT
        });
        if self.is_due && self.told.is_none() {
            self.told = tell("agents", self.environment, &self.target).map(|told| (told, Instant::now()));
            self.is_due = false;
        }
    }
}

/// Starts `mam notice WHAT` in a process group of its own; what it has to say goes into its log.
fn tell(what: &str, environment: &Environment, target: &Target) -> Option<Child> {
    let mut listener = Command::new(sibling::find(LISTENER, environment)?);
    listener.args(["-q", "notice", what, "--session", target.session.as_str(), "--socket"]);
    listener.arg(&target.socket).process_group(0);
    listener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    listener.spawn().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mam_share::herdr::pane::panes;
    use serde_json::{Value, json};

    fn pane(terminal: &str, agent: Option<&str>, conversation: Option<&str>) -> Value {
        let session = conversation
            .map(|value| json!({"source": "herdr:claude", "agent": "claude", "kind": "id", "value": value}));
        json!({"pane_id": terminal, "terminal_id": terminal, "workspace_id": "w1", "tab_id": "w1:t1",
            "focused": false, "agent": agent, "agent_session": session, "agent_status": "unknown"})
    }

    #[test]
    fn only_news_is_due() {
        let environment = Environment::new([("HOME", "/h")], "/", "/tmp");
        let target = crate::target::named(Some("s"), &environment).unwrap().unwrap();
        let mut agents = Agents::new(&environment, target);
        let rows: &[(&[Value], bool)] = &[
            (&[], false),
            (&[pane("t1", None, Some("A"))], false),
            (&[pane("t1", Some("claude"), None)], true),
            (&[pane("t1", Some("claude"), None)], false),
            (&[pane("t1", Some("claude"), Some("A"))], true),
            (&[pane("t1", Some("claude"), Some("A")), pane("t2", None, None)], false),
            (&[pane("t1", Some("claude"), Some("B"))], true),
            (&[], false),
            (&[pane("t1", Some("claude"), Some("B"))], true),
        ];
        for (number, (shown, is_news)) in rows.iter().enumerate() {
            agents.see(&panes(&json!({"panes": shown})).unwrap());
            assert_eq!(std::mem::take(&mut agents.is_due), *is_news, "row {number}");
        }
    }
}
