//! Why a pane is kept.

use std::fmt;
use std::path::PathBuf;

use mam_share::message::harmless;

/// The reason. Its [`name`](Reason::name) is stable, its text is for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It never held an agent, or herdr does not know the conversation.
    NoConversation,
    /// An agent runs in it.
    AgentRuns(String),
    /// The process table cannot be read.
    NoProcessTable,
    /// herdr gives no information about its processes, or of an unknown form.
    NoProcessInfo(String),
    /// herdr's information is about another pane.
    OtherPane(String),
    /// herdr names the same shell for another pane.
    SharesShell(String),
    /// The process that herdr names is not there.
    ShellGone(Option<u32>),
    /// Its shell is no child of the server.
    NotTheServers(u32),
    /// Its shell is older than the server, as after a live handoff.
    OlderThanServer,
    /// Its shell started later than a restore would have started it.
    Younger(u64),
    /// Nobody resumed its conversation.
    NotResumed,
    /// herdr shows its agent in this pane, and the kernel shows only a shell there.
    OnlyAShell(String),
    /// It is the last pane of the session.
    LastPane,
    /// herdr did not say how its workspace is tied to others.
    NoWorkspace,
    /// It is the only pane of a workspace that heads a worktree group.
    HeadsWorktrees,
    /// Its shell is not in the foreground.
    Foreground(String),
    /// Its shell computes.
    Computes,
    /// Its shell is stopped, dying, or in a state that is not known.
    OddState(String),
    /// Its shell has a child.
    Child(u32, String),
    /// Its shell has a stopped job.
    StoppedJob(u32, String),
    /// Another process is on its terminal.
    SharesTerminal(u32, String),
    /// A process that was started in it goes on without its terminal.
    Job(u32, String),
    /// The state of its terminal is not known.
    NoTerminal,
    /// Something was typed into it.
    Typed,
    /// Nobody watched its terminal when its shell started, or the shell read something then.
    Unwatched,
    /// The times of its terminal and its shell do not fit together, as after a change of the clock.
    Clock,
    /// Whole lines are read from it, and one that is half typed would not be seen.
    ReadsLine,
    /// The directory of its shell is not known.
    NoDirectory,
    /// Its shell is in another directory than it started in.
    Moved(PathBuf, PathBuf),
    /// It is not what it was at the first look.
    Changed(&'static str),
    /// The journal cannot be written.
    NoJournal(String),
    /// herdr refused.
    Refused(String, String),
    /// herdr did not answer.
    NoAnswer(String),
    /// herdr said done, and it is still there.
    StillThere,
}

impl Reason {
    /// A stable name, for `--json` and the journal.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoConversation => "no-conversation",
            Self::AgentRuns(_) => "agent-runs",
            Self::NoProcessTable => "no-process-table",
            Self::NoProcessInfo(_) => "no-process-info",
            Self::OtherPane(_) => "other-pane",
            Self::SharesShell(_) => "shares-shell",
            Self::ShellGone(_) => "shell-gone",
            Self::NotTheServers(_) => "not-the-servers",
            Self::OlderThanServer => "older-than-server",
            Self::Younger(_) => "younger-than-restore",
            Self::NotResumed => "not-resumed",
            Self::OnlyAShell(_) => "only-a-shell",
            Self::LastPane => "last-pane",
            Self::NoWorkspace => "no-workspace",
            Self::HeadsWorktrees => "heads-worktrees",
            Self::Foreground(_) => "foreground",
            Self::Computes => "computes",
            Self::OddState(_) => "odd-state",
            Self::Child(..) => "child",
            Self::StoppedJob(..) => "stopped-job",
            Self::SharesTerminal(..) => "shares-terminal",
            Self::Job(..) => "job",
            Self::NoTerminal => "no-terminal",
            Self::Typed => "typed",
            Self::Unwatched => "unwatched",
            Self::Clock => "clock",
            Self::ReadsLine => "reads-line",
            Self::NoDirectory => "no-directory",
            Self::Moved(..) => "moved",
            Self::Changed(_) => "changed",
            Self::NoJournal(_) => "no-journal",
            Self::Refused(..) => "refused",
            Self::NoAnswer(_) => "no-answer",
            Self::StillThere => "still-there",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::NoConversation => "it holds no conversation".into(),
            Self::AgentRuns(agent) if agent.is_empty() => "an agent without a name runs in it".into(),
            Self::AgentRuns(agent) => format!("{} runs in it", harmless(agent)),
            Self::NoProcessTable => "the process table cannot be read".into(),
            Self::NoProcessInfo(why) => format!("herdr does not say what runs in it: {}", harmless(why)),
            Self::OtherPane(other) => format!("herdr spoke of pane {} instead", harmless(other)),
            Self::SharesShell(other) => format!("herdr names its shell for pane {} too", harmless(other)),
            Self::ShellGone(None) => "herdr names no shell in it".into(),
            Self::ShellGone(Some(pid)) => format!("its shell (pid {pid}) is not there"),
            Self::NotTheServers(pid) => format!("its shell (pid {pid}) is no child of the server"),
            Self::OlderThanServer => "its shell is older than the server (a live handoff)".into(),
            Self::Younger(seconds) => {
                format!("its shell started {seconds} s after the server, so no restore made it")
            }
            Self::NotResumed => "its conversation runs in no other pane".into(),
            Self::OnlyAShell(other) => {
                format!("herdr shows its agent in {}, where only a shell is to be seen", harmless(other))
            }
            Self::LastPane => "it is the last pane of the session".into(),
            Self::NoWorkspace => "herdr does not say how its workspace is tied to others".into(),
            Self::HeadsWorktrees => "it is the only pane of a workspace that heads a worktree group".into(),
            Self::Foreground(name) => format!("{} is in the foreground", harmless(name)),
            Self::Computes => "its shell is computing".into(),
            Self::OddState(state) => format!("its shell is in state {}", harmless(state)),
            Self::Child(pid, name) => format!("its shell runs {} (pid {pid})", harmless(name)),
            Self::StoppedJob(pid, name) => {
                format!("its shell has a stopped job, {} (pid {pid})", harmless(name))
            }
            Self::SharesTerminal(pid, name) => format!("{} (pid {pid}) is on its terminal", harmless(name)),
            Self::Job(pid, name) => {
                format!("{} (pid {pid}) was started in it and still runs", harmless(name))
            }
            Self::NoTerminal => "the state of its terminal is not known".into(),
            Self::Typed => "something was typed into it".into(),
            Self::Unwatched => {
                "nobody can say whether something was typed into it right after its start".into()
            }
            Self::Clock => "the clock has changed, so nobody can say whether it was typed into".into(),
            Self::ReadsLine => "a program, or a shell without a line editor, reads a line from it".into(),
            Self::NoDirectory => "the directory of its shell is not known".into(),
            Self::Moved(from, to) => {
                let show = |path: &PathBuf| harmless(&path.to_string_lossy());
                format!("its shell went from {} to {}", show(from), show(to))
            }
            Self::Changed(what) => format!("{what} changed while it was looked at"),
            Self::NoJournal(why) => format!("the journal cannot be written: {}", harmless(why)),
            Self::Refused(code, text) => format!("herdr refused ({}): {}", harmless(code), harmless(text)),
            Self::NoAnswer(why) => harmless(why),
            Self::StillThere => "herdr answered that it is gone, and it is still there".into(),
        };
        formatter.write_str(&text)
    }
}
