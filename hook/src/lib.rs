//! herdr event in, leftovers closed: the library behind `mam-restore-hook`.
//!
//! The pure core: [`facts`] is one moment of one server as plain values, [`verdict`] judges one pane of
//! it ([`reason`] says why a pane is kept, [`resident`] knows the helpers of idle shells), [`plan`]
//! judges all of them together, [`watch`] is the schedule of the watcher, [`target`] says which session a
//! call is for, [`plugin`] what has to be done to be herdr's plugin.
//!
//! The edge: [`gather`] takes the facts, [`closer`] closes and checks, [`journal`] writes it down,
//! [`overlay`] and [`life`] touch files, [`report`] puts things into words, and [`command`] has one file
//! per command.

pub mod arguments;
pub mod closer;
pub mod command;
pub mod facts;
pub mod gather;
pub mod journal;
pub mod life;
pub mod overlay;
pub mod plan;
pub mod plugin;
pub mod reason;
pub mod report;
pub mod resident;
pub mod target;
pub mod verdict;
pub mod watch;

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser as _;
use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::Messages;
use mam_share::process::kernel;

use arguments::{Arguments, Command};
use command::Context;

/// The program. herdr's two calls are told apart first: they come often, and no argument parser is
/// built for them. Whatever happens, they end with 0: herdr has nobody to tell.
pub fn run() -> ExitCode {
    let environment = Environment::of_process();
    // With anything behind them they are a person's, who may want to know what they are.
    let first = std::env::args_os().nth(1).filter(|_| std::env::args_os().len() == 2);
    match first.as_deref().and_then(|word| word.to_str()) {
        Some("startup") => with_context(&environment, &|context| command::startup::run(context)),
        Some("event") => with_context(&environment, &|context| command::event::run(context)),
        Some(_) | None => return asked(&environment),
    }
    Exit::Done.into()
}

fn with_context(environment: &Environment, run: &dyn Fn(&Context<'_>)) {
    let Ok(places) = command::places(environment) else { return };
    let messages = Messages::new("mam-restore-hook", environment);
    run(&Context { environment, places: &places, messages, kernel: &kernel() });
}

/// The commands of people.
fn asked(environment: &Environment) -> ExitCode {
    let arguments = Arguments::parse();
    let messages = Messages::new("mam-restore-hook", environment);
    let exit = dispatch(environment, messages, &arguments).unwrap_or_else(|failure| {
        messages.fail(&failure);
        failure.exit
    });
    exit.into()
}

fn dispatch(environment: &Environment, messages: Messages, arguments: &Arguments) -> Result<Exit, Failure> {
    let places = command::places(environment)?;
    let context = Context { environment, places: &places, messages, kernel: &kernel() };
    match &arguments.command {
        Command::Close(arguments) => command::close::run(&context, arguments),
        Command::List(arguments) => command::list::run(&context, arguments),
        Command::Install(arguments) => command::install::install(&context, arguments),
        Command::Uninstall { herdr } => command::install::uninstall(&context, herdr.as_deref()),
        Command::Startup => {
            command::startup::run(&context);
            Ok(Exit::Done)
        }
        Command::Event => {
            command::event::run(&context);
            Ok(Exit::Done)
        }
    }
}
