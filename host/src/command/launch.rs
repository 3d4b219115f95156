//! `mam launch`: what a pane runs. Internal: `mam create` and `mam resume` open the panes.
//!
//! It takes the record's lease, runs the agent in the foreground of the pane as a shell would, writes
//! down how it ended, and becomes the user's shell, so that the pane stays. What it is told, and by whom,
//! is in [`handover`].
//!
//! To end the agent and keep the pane, signal the *agent* (the record names it). SIGTERM or SIGHUP for
//! this process end both, and the pane closes.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::binary;
use mam_share::variable::{MAM_LAUNCH, PATH};
use rustix::process::Pid;

use crate::clock;
use crate::context::Context;
use crate::dot_env;
use crate::lock::Taking;
use crate::session::agent_environment::{self, Sources};
use crate::session::environment;
use crate::session::fingerprint::Key;
use crate::session::foreground::decision::{Asked, End};
use crate::session::foreground::signals;
use crate::session::foreground::stage::{self, Program};
use crate::session::foreground::terminal::Terminal;
use crate::session::foreground::watch::{self, Behind, Happenings};
use crate::session::handover::{self, Handover};
use crate::session::launching;
use crate::session::lease::Lease;
use crate::session::liveness;
use crate::session::name::{NameError, RecordName};
use crate::session::record::{SessionRecord, Status};
use crate::session::store::SessionStore;
use crate::session::trouble::StoreError;
use crate::session::user_shell::UserShell;
use crate::words::{self, Trouble};

/// Runs the command. Once the lease is taken this process becomes a shell in the end, unless it was asked
/// to end itself.
///
/// # Errors
/// No terminal, no such record, somebody else who runs it, a launch that nobody asked for: nothing is
/// started, and the pane closes.
pub fn run(context: &Context, named: Option<&RecordName>) -> Result<Exit, Trouble> {
    let handover = handover::take(&context.environment);
    let name = name(named, &handover)?;
    let terminal = Terminal::open(&context.environment).map_err(|why| {
        let text = format!("`mam launch` runs an agent in a pane of its own: {why}");
        Trouble::new("no-terminal", Exit::NeedsChange, text).hint(format!("mam resume {name}"))
    })?;
    signals::block()
        .map_err(|error| Failure::new(Exit::No, format!("signals cannot be blocked: {error}")))?;
    let store = SessionStore::new(&context.home);
    let lease = lease(context, &name)?;
    let record = store
        .read(&name)
        .and_then(|record| record.ok_or(StoreError::Missing(name.clone())))
        .map_err(|error| error.failure())?;
    launching::permit(&record, &context.profile, |process| liveness::is_alive(context.kernel(), process))?;
    let shell = UserShell::of(&handover.pane, &record.cwd, cfg!(target_os = "macos"));
    let mut launch = Launch { context, store: &store, record, terminal: &terminal, shell };
    let happenings = Happenings::listen();
    let asked = match launch.agent(&handover, &happenings) {
        Ok(asked) => asked,
        Err(trouble) => {
            launch.failed(&trouble);
            None
        }
    };
    // The shell that follows is nobody's agent.
    drop(lease);
    match asked {
        Some(_) => Ok(Exit::Done),
        None => Err(launch.become_shell().into()),
    }
}

fn name(named: Option<&RecordName>, handover: &Handover) -> Result<RecordName, Failure> {
    if let Some(name) = named {
        return Ok(name.clone());
    }
    let Some(given) = &handover.name else {
        let text = format!("which session? No NAME, and {} is not set", MAM_LAUNCH.name);
        return Err(Failure::new(Exit::Usage, text).hint("mam list"));
    };
    let text = given.to_string_lossy();
    let refused = |why: String| Failure::new(Exit::Usage, format!("{} is `{text}`: {why}", MAM_LAUNCH.name));
    text.parse().map_err(|error: NameError| refused(error.to_string()))
}

fn lease(context: &Context, name: &RecordName) -> Result<Lease, Trouble> {
    let unusable = |why: String| {
        let text = format!("the lease of session `{name}` cannot be taken: {why}; nothing was started");
        Trouble::new("lease", Exit::CannotWrite, text)
            .hint("make the state directory usable, or set MAM_STATE_DIR")
    };
    let lease = Lease::open(&context.places.state, &context.profile, name).map_err(unusable)?;
    match lease.take() {
        Ok(Taking::Got) => Ok(lease),
        Ok(Taking::Held(holder)) => Err(launching::held(name, holder)),
        Err(error) => Err(unusable(error.to_string())),
    }
}

/// One launch, by the holder of the lease.
struct Launch<'a> {
    context: &'a Context,
    store: &'a SessionStore,
    record: SessionRecord,
    terminal: &'a Terminal,
    shell: UserShell,
}

impl Launch<'_> {
    /// Runs the agent until it has ended; what this process was asked meanwhile.
    fn agent(&mut self, handover: &Handover, happenings: &Happenings) -> Result<Option<Asked>, Trouble> {
        let directory = self.record.cwd.clone();
        if !directory.is_dir() {
            let text =
                format!("the directory `{}` of the agent is gone; nothing was started", directory.display());
            let resume =
                format!("{} resume {} --cwd DIR", words::mam(&self.context.profile), self.record.name);
            return Err(Trouble::new("no-directory", Exit::NeedsChange, text).hint(resume));
        }
        let environment = self.environment(handover)?;
        let argv = self.record.argv.clone();
        let path = self.find(&argv, &environment)?;
        let program = Program { path: &path, argv: &argv, environment: &environment, directory: &directory };
        let cannot = |error: std::io::Error| {
            let text = format!("`{}` cannot be run: {error}", path.display());
            Trouble::new("not-run", Exit::NeedsChange, text)
        };
        let waiting = stage::start(&program).map_err(cannot)?;
        // Nothing runs before it is written down.
        self.running(waiting.pid())?;
        let pid = waiting.go().map_err(cannot)?;
        Ok(watch::watch(self.terminal, pid, happenings, self))
    }

    /// The environment of the agent. Notes which values its references have now, without keeping them.
    fn environment(&mut self, handover: &Handover) -> Result<BTreeMap<OsString, OsString>, Trouble> {
        let context = self.context;
        let (own, mut warnings) = dot_env::load(&context.home);
        let others = if context.profile.is_root() {
            Vec::new()
        } else {
            let (others, odd) = dot_env::load(&context.places.home);
            warnings.extend(odd);
            others
        };
        for warning in &warnings {
            context.warn(warning);
        }
        let key = Key::load(&context.places.state);
        if let Err(why) = &key {
            context.step(&format!("values are not marked: {why}"));
        }
        let caller = |name: &str| handover.values.get(OsStr::new(name)).map(OsString::as_os_str);
        let resolved = environment::resolve(&self.record.environment, &own, caller, key.as_ref().ok());
        let resolved = resolved.map_err(|missing| {
            let text = format!("the agent needs a variable: {missing}; nothing was started");
            let name = missing.0.first().map_or("NAME", String::as_str);
            let resume = format!("{name}=… {} resume {}", words::mam(&context.profile), self.record.name);
            Trouble::new("variable", Exit::NeedsChange, text).hint(resume)
        })?;
        for name in &resolved.changed {
            context.say(&format!("`{name}` has another value than at the last launch"));
        }
        self.record.environment = resolved.recorded;
        Ok(agent_environment::compose(&Sources {
            pane: &handover.pane,
            others: &others,
            own: &own,
            recorded: &resolved.variables,
            directory: &self.record.cwd,
        }))
    }

    fn find(
        &self,
        argv: &[OsString],
        environment: &BTreeMap<OsString, OsString>,
    ) -> Result<PathBuf, Trouble> {
        let name = argv.first().cloned().unwrap_or_default();
        let variables = environment.iter().map(|(name, value)| (name.clone(), value.clone()));
        let environment = Environment::new(variables, &self.record.cwd, "/tmp");
        binary::find(name.as_ref(), &environment).map(|(path, _)| path).ok_or_else(|| {
            let searched = environment.get(PATH).unwrap_or_default().to_string_lossy().into_owned();
            let text = format!(
                "there is no program `{}`; nothing was started\nPATH searched: {searched}",
                name.to_string_lossy()
            );
            let resume = format!(
                "install it; then: {} resume {}",
                words::mam(&self.context.profile),
                self.record.name
            );
            Trouble::new("no-program", Exit::NeedsChange, text).hint(resume)
        })
    }

    fn running(&self, pid: Pid) -> Result<(), Trouble> {
        let pid = u32::try_from(pid.as_raw_nonzero().get()).unwrap_or_default();
        let process = liveness::identity(self.context.kernel(), pid);
        let variables = self.record.environment.clone();
        let written = self.change(|record| {
            if let Some(launch) = record.history.first_mut() {
                launch.pid = Some(pid);
            }
            record.environment = variables;
            record.status = Status::Running { process };
        });
        written.map_err(|failure| {
            Failure { message: format!("{}; nothing was started", failure.message), ..failure }.into()
        })
    }

    /// Says why there is no agent, in the pane, the log and the record.
    fn failed(&self, trouble: &Trouble) {
        // The stage may have been in the foreground already.
        self.terminal.take_back();
        let reason = trouble.failure.message.clone();
        self.context.note_refusal("launch", trouble.reason, &crate::log::text_of(&trouble.failure));
        self.context.messages().fail(&trouble.failure);
        self.noted(|record| record.status = Status::Failed { reason, at: clock::utc(clock::now()) });
    }

    fn change(&self, change: impl FnOnce(&mut SessionRecord)) -> Result<(), Failure> {
        self.store.update(&self.record.name, change).map(|_| ()).map_err(|error| error.failure())
    }

    /// Changes the record when all is over: there is nothing left that could be refused.
    fn noted(&self, change: impl FnOnce(&mut SessionRecord)) {
        if let Err(failure) = self.change(change) {
            self.context.messages().fail(&failure);
        }
    }

    /// Becomes the user's shell, or at least one.
    fn become_shell(self) -> Failure {
        if let Err(error) = signals::unblock() {
            self.context.step(&format!("signals stay blocked: {error}"));
        }
        let error = self.shell.exec();
        let text = format!("`{}` cannot be run: {error}", self.shell.program.display());
        self.context.warn(&mam_share::message::Warning::new(text.clone()));
        Failure::new(Exit::No, format!("{text}; and {}", self.shell.plain().exec()))
    }
}

impl Behind for Launch<'_> {
    fn step_aside(&mut self) -> std::io::Result<Pid> {
        let agent = &self.record.agent;
        self.context.messages().say(&format!(
            "{agent} is stopped, and this is a shell beside it: leave it (exit, ctrl-d) and {agent} goes on"
        ));
        let shell = &self.shell;
        let program = Program {
            path: &shell.program,
            argv: &shell.argv,
            environment: &shell.environment,
            directory: &shell.directory,
        };
        stage::start(&program).and_then(stage::Waiting::go).inspect_err(|error| {
            let text = format!("`{}` cannot be run: {error}; {agent} goes on", shell.program.display());
            self.context.warn(&mam_share::message::Warning::new(text));
        })
    }

    fn ended(&mut self, end: End) {
        self.noted(|record| record.note_end(launching::recorded(end), &clock::utc(clock::now())));
        let farewell = launching::farewell(&self.record, &self.context.profile, end);
        self.context.note("launch", "ended", &farewell);
        self.context.messages().say(&farewell);
    }
}
