//! The one host server: who owns it, and what a verb does about it.
//!
//! The pure core: [`profile`] and [`record`] are the words, [`owner`] says who owns the host from what
//! was seen, [`decision`] what `mam run` does about it, [`words`] how that is said, [`surroundings`]
//! what is in the host's environment, and [`supervisor`] what an exit code means.
//!
//! The edge: [`lock`], [`store`], [`observe`], [`handle`], [`log`] and [`dot_env`] touch files and
//! processes, [`context`] holds what a verb is given; [`launch`] becomes the host, [`ending`] ends it,
//! [`ready`] makes sure that there is one. [`command`] has one file per verb.

pub mod agents;
pub mod arguments;
pub mod background;
pub mod clock;
pub mod command;
pub mod context;
pub mod decision;
pub mod descriptors;
pub mod doctor;
pub mod dot_env;
pub mod ending;
pub mod gather;
pub mod handle;
pub mod handoff;
pub mod hook_reference;
pub mod inside;
pub mod launch;
pub mod lock;
pub mod log;
pub mod membership;
pub mod observe;
pub mod owner;
pub mod plugin;
pub mod ready;
pub mod record;
pub mod seat;
pub mod session;
pub mod setup;
pub mod status;
pub mod store;
pub mod supervisor;
pub mod surroundings;
pub mod unit;
pub mod words;

pub use mam_share::profile;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use mam_render::command::reference;
use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::message::Messages;

use arguments::{Arguments, Command, Env, Notice};
use context::{Context, Voice};
use session::foreground::stage;
use words::Trouble;

#[cfg(test)]
mod tests;

/// The program: parses, runs the verb, and turns a failure into a log entry, a message and an exit code.
pub fn run() -> ExitCode {
    // Before any parser: it has the environment and the arguments of an agent, which say nothing to us.
    if let Some((program, argv)) = stage::asked(std::env::args_os()) {
        return stage::run(&program, &argv).into();
    }
    let environment = Environment::of_process();
    let arguments = Arguments::parse();
    let messages = Messages::new("mam", &environment);
    let exit = dispatch(environment, messages, &arguments).unwrap_or_else(|trouble| {
        messages.fail(&trouble.failure);
        trouble.failure.exit
    });
    exit.into()
}

fn dispatch(environment: Environment, messages: Messages, arguments: &Arguments) -> Result<Exit, Trouble> {
    let command = match &arguments.command {
        Some(Command::Completions { shell, hook }) => {
            return Ok(reference::completions(hook_reference::program(*hook), *shell)?);
        }
        Some(Command::Man { of, hook }) => {
            return Ok(reference::man(hook_reference::program(*hook), of.as_deref())?);
        }
        Some(command) => command,
        None if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() => &Command::Attach,
        None => {
            command::answer(&Arguments::command().render_help().to_string())?;
            return Ok(Exit::Usage);
        }
    };
    let common = &arguments.common;
    let voice = match (common.quiet, common.verbose) {
        (true, _) => Voice::Quiet,
        (false, false) => Voice::Normal,
        (false, true) => Voice::Verbose,
    };
    let context = if command.only_looks() { Context::looking } else { Context::new };
    let context = context(environment, messages, common.profile.as_ref(), voice)?;
    for warning in &context.warnings {
        context.warn(warning);
    }
    verb(&context, command, common.json).inspect_err(|trouble| {
        // Before it is printed: a supervisor may throw away what is.
        if !command.only_looks() {
            context.note_refusal(command.name(), trouble.reason, &log::text_of(&trouble.failure));
        }
    })
}

fn verb(context: &Context, command: &Command, json: bool) -> Result<Exit, Trouble> {
    match command {
        Command::Attach => command::attach::run(context),
        Command::Run(options) => command::run::run(context, *options),
        Command::Start(scope) if scope.all => command::start::all(context, json),
        Command::Start(_) => command::start::run(context, json),
        Command::Stop(scope) => command::stop::run(context, scope.all, json),
        Command::Restart(scope) => command::restart::run(context, scope.all, json),
        Command::Create(arguments) => command::create::run(context, arguments, json),
        Command::Resume(arguments) => command::resume::run(context, arguments, json),
        Command::List => command::list::run(context, json),
        Command::Show(named) => command::show::run(context, &named.name, json),
        Command::StopSession(named) => command::stop_session::run(context, &named.name, json),
        Command::Forget(named) => command::forget::run(context, &named.name),
        Command::Rename(rename) => command::rename::run(context, rename),
        Command::Adopt(arguments) => command::adopt::run(context, arguments, json),
        Command::Status => command::status::run(context, json),
        Command::Why => command::why::run(context, json),
        Command::Reload => command::reload::run(context),
        Command::Env { command: Env::Explain { values } } => command::env::explain(context, *values, json),
        Command::Profile { command } => command::profile::run(context, command, json),
        Command::Setup(options) => command::setup::run(context, options, json),
        Command::Doctor => command::doctor::run(context, json),
        Command::Unit { command } => command::unit::run(context, command),
        Command::Notice { command: Notice::Startup(noticed) } => command::notice::startup(context, noticed),
        Command::Notice { command: Notice::Agents(noticed) } => command::notice::agents(context, noticed),
        Command::Launch { name } => command::launch::run(context, name.as_ref()),
        Command::Completions { shell, hook } => {
            Ok(reference::completions(hook_reference::program(*hook), *shell)?)
        }
        Command::Man { of, hook } => Ok(reference::man(hook_reference::program(*hook), of.as_deref())?),
    }
}
