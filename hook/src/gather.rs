//! Taking the facts: herdr first, the kernel last, since the kernel's change faster.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mam_share::herdr::pane::{self, Pane, ProcessInfo};
use mam_share::herdr::parallel::{Request, ask_all};
use mam_share::herdr::socket::{NoAnswer, connect};
use mam_share::process::{Details, Kernel, ProcessTable, StartEnvironment};
use mam_share::variable::HERDR_SOCKET_PATH;
use serde_json::Value;

use crate::facts::{Facts, Job, Server, Shell};
use crate::plan;
use crate::reason::Reason;

/// How long one round of requests may take. herdr itself gives up on a request after 5 s.
pub const ROUND: Duration = Duration::from_secs(6);

/// One server process behind a socket. Another one in its place is never spoken to.
pub struct Herdr<'a> {
    /// The server.
    pub server: Server,
    socket: PathBuf,
    kernel: &'a dyn Kernel,
}

/// Which panes herdr is asked about.
pub enum Pick<'a> {
    /// These.
    These(&'a [String]),
    /// Those that this takes from the list.
    From(&'a dyn Fn(&[Pane]) -> Vec<String>),
}

impl<'a> Herdr<'a> {
    /// The server that listens at `socket` now.
    ///
    /// # Errors
    /// Nobody listens, or the kernel does not say who.
    pub fn find(socket: &Path, kernel: &'a dyn Kernel) -> Result<Self, NoAnswer> {
        let stream = connect(socket, ROUND)?;
        let unknown = |what: &str| NoAnswer::Broken(std::io::Error::other(what.to_owned()));
        let pid = kernel.peer(&stream).ok_or_else(|| unknown("this system does not say who listens"))?;
        let started = kernel.started(pid).ok_or(NoAnswer::NotRunning)?;
        let boot = kernel.boot().ok_or_else(|| unknown("this system does not name its boot"))?;
        Ok(Self { server: Server { pid, started, boot }, socket: socket.to_owned(), kernel })
    }

    /// The value of a variable in the environment of the server; `None` also when it cannot be read.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        Some(self.kernel.environment(self.server.pid)?.get(name)?.to_owned())
    }

    /// Whether the server still is there.
    pub fn is_alive(&self) -> bool {
        self.kernel.started(self.server.pid) == Some(self.server.started)
    }

    /// Sends all requests at once.
    pub fn ask(&self, requests: &[Request]) -> Vec<Result<Value, NoAnswer>> {
        self.ask_if(requests, &|_| true)
    }

    /// Sends all requests at once, but for those that `may_be_sent` refuses. It is asked right before each.
    pub fn ask_if(
        &self,
        requests: &[Request],
        may_be_sent: &dyn Fn(usize) -> bool,
    ) -> Vec<Result<Value, NoAnswer>> {
        let is_right = |number: usize, stream: &UnixStream| {
            self.kernel.peer(stream) == Some(self.server.pid) && may_be_sent(number)
        };
        ask_all(&self.socket, requests, ROUND, &is_right)
    }

    /// Whether the shell of `pane` is, in this very moment, what it was in `facts`. Costs a few system calls
    /// and asks herdr nothing.
    ///
    /// # Errors
    /// What has changed.
    pub fn glance(&self, facts: &Facts, pane: &Pane) -> Result<(), Reason> {
        let gone = || Reason::Changed("the shell");
        let then = facts.shell_of(pane).ok_or_else(gone)?;
        let more = facts.shells.get(&then.pid).ok_or_else(gone)?;
        let now = self.kernel.process(then.pid).ok_or_else(gone)?;
        let details = self.kernel.details(now.pid);
        let later = Shell {
            start_directory: more.start_directory.clone(),
            directory: details.directory.as_deref().map(alive),
            program: program(&details),
            terminal: now.tty.as_ref().map(|tty| self.kernel.terminal(tty)).unwrap_or_default(),
        };
        plan::is_same_shell((then, more), (&now, &later))
    }

    /// All panes.
    ///
    /// # Errors
    /// No answer, or one without a list of panes.
    pub fn panes(&self) -> Result<Vec<Pane>, NoAnswer> {
        read_panes(self.ask(&[pane::list_request()]).into_iter().next())
    }

    /// One moment of the server. With [`Pick::These`] in one round of requests, else in two.
    ///
    /// # Errors
    /// As [`Herdr::panes`]. What else cannot be found out is missing in the facts.
    pub fn facts(&self, pick: &Pick<'_>) -> Result<Facts, NoAnswer> {
        let infos = |ids: &[String]| -> Vec<Request> {
            ids.iter().map(|id| pane::process_info_request(id)).collect()
        };
        let mut requests = vec![pane::list_request(), pane::workspaces_request()];
        if let Pick::These(ids) = pick {
            requests.extend(infos(ids));
        }
        let mut answers = self.ask(&requests).into_iter();
        let panes = read_panes(answers.next())?;
        let workspaces = answers.next().and_then(Result::ok).and_then(|answer| pane::workspaces(&answer));
        let (ids, answers): (Vec<String>, Vec<_>) = match pick {
            Pick::These(ids) => (ids.to_vec(), answers.collect()),
            Pick::From(choose) => {
                let ids = choose(&panes);
                let answers = self.ask(&infos(&ids));
                (ids, answers)
            }
        };
        let informed = ids.into_iter().zip(answers.into_iter().map(read_info));
        let mut facts = Facts { server: self.server.clone(), panes, workspaces, ..Facts::default() };
        facts.informed.extend(informed);
        self.ask_kernel(&mut facts);
        Ok(facts)
    }

    fn ask_kernel(&self, facts: &mut Facts) {
        let infos = facts.informed.values().filter_map(|info| info.as_ref().ok());
        let pids: Vec<u32> = infos.filter_map(|info| info.shell_pid).collect();
        if pids.is_empty() {
            return;
        }
        let Some(table) = self.kernel.table().ok() else { return };
        let server = self.kernel.environment(self.server.pid).unwrap_or_default();
        facts
            .shells
            .extend(pids.into_iter().filter_map(|pid| Some((pid, self.shell(&table, pid, &server)?))));
        facts.jobs = self.jobs(&table, &facts.shells);
        facts.table = Some(table);
    }

    fn shell(&self, table: &ProcessTable, pid: u32, server: &StartEnvironment) -> Option<Shell> {
        let tty = table.get(pid)?.tty.as_ref();
        let details = self.kernel.details(pid);
        let environment = self.kernel.environment(pid);
        // A shell that herdr starts inherits the server's PWD; another value was set where it started.
        let start = environment.as_ref().and_then(|environment| environment.get("PWD"));
        let start = start.filter(|start| Some(*start) != server.get("PWD")).map(Path::new);
        Some(Shell {
            start_directory: start.map(resolved),
            directory: details.directory.as_deref().map(alive),
            program: program(&details),
            terminal: tty.map(|tty| self.kernel.terminal(tty)).unwrap_or_default(),
        })
    }

    /// The processes that were started in a pane of this server. Not this one, and not the commands of
    /// plugins, whose variables name the focused pane whatever they are for.
    fn jobs(&self, table: &ProcessTable, shells: &BTreeMap<u32, Shell>) -> Vec<Job> {
        let own = std::process::id();
        let later = table.iter().filter(|process| {
            process.started >= self.server.started
                && process.pid != own
                && process.pid != self.server.pid
                && !shells.contains_key(&process.pid)
        });
        let job = |pid: u32| {
            let environment = self.kernel.environment(pid)?;
            let ours = environment.get(HERDR_SOCKET_PATH.name)? == self.socket.as_os_str();
            let command = environment.get("HERDR_PLUGIN_ID").is_some();
            let pane_id = environment.get("HERDR_PANE_ID")?.to_str()?.to_owned();
            (ours && !command).then_some(Job { pid, pane_id })
        };
        later.filter_map(|process| job(process.pid)).collect()
    }
}

fn read_panes(answer: Option<Result<Value, NoAnswer>>) -> Result<Vec<Pane>, NoAnswer> {
    let answer = answer.unwrap_or_else(|| Err(NoAnswer::Unreadable("there is none".into())))?;
    pane::panes(&answer).ok_or_else(|| NoAnswer::Unreadable("it holds no list of panes".into()))
}

fn read_info(answer: Result<Value, NoAnswer>) -> Result<ProcessInfo, String> {
    let answer = answer.map_err(|error| error.to_string())?;
    pane::process_info(&answer).ok_or_else(|| "the answer has an unknown form".to_owned())
}

/// The name of a program file.
fn program(details: &Details) -> Option<String> {
    let name = details.executable.as_ref().and_then(|path| path.file_name());
    name.map(|name| name.to_string_lossy().into_owned())
}

/// `path` without links, as the kernel shows a process's directory.
fn resolved(path: &Path) -> PathBuf {
    fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A directory as the kernel shows it, without the mark of one that was removed.
fn alive(directory: &Path) -> PathBuf {
    let shown = directory.as_os_str().to_str().and_then(|text| text.strip_suffix(" (deleted)"));
    shown.filter(|_| !directory.exists()).map_or_else(|| directory.to_owned(), PathBuf::from)
}
