//! Everything that is to be known before a session is resumed: what the server shows, what the kernel
//! says of its panes, which conversations other servers have, and what processes were started with.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mam_hook::facts::Facts;
use mam_hook::gather::{Herdr, Pick};
use mam_hook::resident::Residents;
use mam_hook::verdict::{Named, Question, SHELLS};
use mam_share::herdr::pane::{self, Conversation, Pane};
use mam_share::herdr::socket::{self, NoAnswer};
use mam_share::herdr::{places, session_name::SessionName};
use mam_share::process::Kernel;
use serde_json::json;

use super::layout::Layout;
use super::live::{self, Arguments, Running};
use super::record::ProcessId;
use super::server::Server;
use crate::context::Context;

/// How long another server may take to say what runs in it.
const LIMIT: Duration = Duration::from_secs(2);

/// What was found.
pub struct Survey {
    /// What the server shows.
    pub layout: Layout,
    /// The same panes, with what the kernel says of those that have a conversation. Panes only where the
    /// platform does not say who listens on a socket.
    pub facts: Facts,
    /// What is asked of restored shells.
    pub question: Question,
    /// The socket of the server.
    pub socket: PathBuf,
    /// Its process, where the platform says who listens.
    pub server: Option<ProcessId>,
    elsewhere: Vec<(SessionName, Vec<Pane>)>,
    processes: Vec<Arguments>,
}

impl Survey {
    /// Looks at `server`, which serves `session`, and around.
    ///
    /// # Errors
    /// The server does not say what it shows.
    pub fn take(context: &Context, session: &SessionName, server: &Server<'_>) -> Result<Self, NoAnswer> {
        let unreadable = || NoAnswer::Unreadable("it does not say which panes there are".to_owned());
        let mut layout = Layout::read(&server.ask(Layout::request())?).ok_or_else(unreadable)?;
        let mut facts = Herdr::find(&server.socket, context.kernel())
            .and_then(|herdr| herdr.facts(&Pick::From(&with_conversation)))
            .unwrap_or_else(|_| Facts { panes: layout.panes.clone(), ..Facts::default() });
        without_those_that_left(&mut facts);
        // The facts are the later look: an agent that ended in between is gone from both.
        for pane in &mut layout.panes {
            if let Some(later) = facts.panes.iter().find(|later| later.pane_id == pane.pane_id) {
                (pane.agent, pane.conversation) = (later.agent.clone(), later.conversation.clone());
            }
        }
        Ok(Self {
            layout,
            facts,
            question: question(context, None),
            socket: server.socket.clone(),
            server: server.process(),
            elsewhere: elsewhere(context, session),
            processes: processes(context.kernel()),
        })
    }

    /// Where a conversation runs already; `programs` are the names of its agent's program.
    pub fn running(&self, conversation: &Conversation, programs: &[&OsStr]) -> Option<Running> {
        live::in_panes(&self.facts, conversation, &self.question)
            .or_else(|| self.in_another_session(conversation))
            .or_else(|| {
                let process = live::in_arguments(&self.processes, conversation, programs)?;
                let place = "outside mam's panes".to_owned();
                Some(Running { place, pane: None, pid: Some(process.pid) })
            })
    }

    fn in_another_session(&self, conversation: &Conversation) -> Option<Running> {
        self.elsewhere.iter().find_map(|(session, panes)| {
            let pane = mam_hook::verdict::runs(panes, conversation).next()?;
            let place = format!("session {session}, pane {}", pane.pane_id);
            Some(Running { place, pane: None, pid: None })
        })
    }

    /// The panes that have the conversation and no agent.
    pub fn idle<'a>(&'a self, conversation: &'a Conversation) -> impl Iterator<Item = &'a Pane> {
        let is_idle =
            move |pane: &&Pane| pane.agent.is_none() && pane.conversation.as_ref() == Some(conversation);
        self.facts.panes.iter().filter(is_idle)
    }
}

/// What is asked of panes when the conversations `named` were resumed.
pub fn question(context: &Context, named: Option<Named>) -> Question {
    Question { named, residents: Residents::new(&context.settings.resident_helpers), waited: Duration::ZERO }
}

/// herdr shows an agent for a moment after it has ended. Where the kernel sees nothing but a shell there is
/// none, and its conversation is about to go as well.
fn without_those_that_left(facts: &mut Facts) {
    let is_shell = |pane: &Pane| {
        let more = facts.shell_of(pane).and_then(|shell| facts.shells.get(&shell.pid));
        more.and_then(|more| more.program.as_deref()).is_some_and(|program| SHELLS.contains(&program))
    };
    let has_left =
        |pane: &Pane| pane.agent.is_some() && is_shell(pane) && live::agent_of(facts, pane).is_none();
    let left: Vec<String> =
        facts.panes.iter().filter(|pane| has_left(pane)).map(|pane| pane.pane_id.clone()).collect();
    for pane in &mut facts.panes {
        if left.contains(&pane.pane_id) {
            (pane.agent, pane.conversation) = (None, None);
        }
    }
}

fn with_conversation(panes: &[Pane]) -> Vec<String> {
    let some = panes.iter().filter(|pane| pane.conversation.is_some() || pane.agent.is_some());
    some.map(|pane| pane.pane_id.clone()).collect()
}

/// The panes of the other named sessions. The default session's server is never spoken to: what it runs
/// is seen by its arguments only.
fn elsewhere(context: &Context, ours: &SessionName) -> Vec<(SessionName, Vec<Pane>)> {
    let directory = places::config_dir(&context.environment).join("sessions");
    let entries = fs_err::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<SessionName>().ok());
    let others: Vec<(SessionName, PathBuf)> = names
        .filter(|name| name != ours)
        .map(|name| (name.clone(), places::socket(&context.environment, Some(&name))))
        .filter(|(_, socket)| !is_default(context, socket))
        .collect();
    std::thread::scope(|scope| {
        let asked: Vec<_> = others
            .into_iter()
            .map(|(name, socket)| (name, scope.spawn(move || panes(&socket).unwrap_or_default())))
            .collect();
        asked.into_iter().filter_map(|(name, asked)| Some((name, asked.join().ok()?))).collect()
    })
}

/// Whether a socket leads to the default session's, as a link could.
fn is_default(context: &Context, socket: &Path) -> bool {
    let default = fs_err::canonicalize(places::socket(&context.environment, None));
    default.is_ok_and(|default| fs_err::canonicalize(socket).is_ok_and(|socket| socket == default))
}

fn panes(socket: &Path) -> Option<Vec<Pane>> {
    pane::panes(&socket::ask(socket, "pane.list", &json!({}), LIMIT).ok()?)
}

/// The arguments of all processes.
fn processes(kernel: &dyn Kernel) -> Vec<Arguments> {
    let Ok(table) = kernel.table() else { return Vec::new() };
    let words = |pid| Some(Arguments { pid, words: kernel.arguments(pid)? });
    table.iter().filter_map(|process| words(process.pid)).collect()
}
