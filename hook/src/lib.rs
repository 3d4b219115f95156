//! herdr event in, leftovers closed: the library behind `mam-restore-hook`.
//!
//! The pure core: [`facts`] is one moment of one server as plain values, [`verdict`] judges one pane of
//! it ([`reason`] says why a pane is kept, [`resident`] knows the helpers of idle shells), [`plan`]
//! judges all of them together, [`watch`] is the schedule of the watcher, [`target`] says which session a
//! call is for, [`plugin`] what has to be done to be herdr's plugin, [`command_line`] and [`arguments`]
//! what was typed.
//!
//! The edge: [`gather`] takes the facts, [`closer`] closes and checks, [`journal`] writes it down,
//! [`overlay`] and [`life`] touch files, [`report`] puts things into words, and [`command`] has one file
//! per command.

pub mod arguments;
pub mod closer;
pub mod command;
pub mod command_line;
pub mod facts;
pub mod gather;
pub mod journal;
pub mod life;
pub mod mark;
pub mod notice;
pub mod overlay;
pub mod plan;
pub mod plugin;
pub mod reason;
pub mod report;
pub mod resident;
pub mod target;
pub mod terminals;
pub mod verdict;
pub mod watch;

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::Messages;
use mam_share::process::kernel;

use arguments::Wanted;
use command::Context;

/// The program. Whatever happens in herdr's two calls, they end with 0: herdr has nobody to tell.
pub fn run() -> ExitCode {
    let environment = Environment::of_process();
    let messages = Messages::new(arguments::PROGRAM.name, &environment);
    let exit = arguments::read(std::env::args_os().skip(1))
        .and_then(|wanted| dispatch(&environment, messages, wanted))
        .unwrap_or_else(|failure| {
            messages.fail(&failure);
            failure.exit
        });
    exit.into()
}

fn dispatch(environment: &Environment, messages: Messages, wanted: Wanted) -> Result<Exit, Failure> {
    let kernel = kernel();
    let places = command::places(environment);
    let context = |places| Context { environment, places, messages, kernel: &kernel };
    match wanted {
        Wanted::Answer(text) => command::answer(&text).map(|()| Exit::Done),
        Wanted::Help(text) => {
            command::answer(&text)?;
            Ok(Exit::Usage)
        }
        Wanted::Startup => {
            // Without a home nothing of mam's is there.
            if let Ok(places) = &places {
                command::startup::run(&context(places));
            }
            Ok(Exit::Done)
        }
        Wanted::Event => {
            if let Ok(places) = &places {
                command::event::run(&context(places));
            }
            Ok(Exit::Done)
        }
        Wanted::Close(arguments) => command::close::run(&context(&places?), &arguments),
        Wanted::List(arguments) => command::list::run(&context(&places?), &arguments),
        Wanted::Install(arguments) => command::install::install(&context(&places?), &arguments),
        Wanted::Uninstall(herdr) => command::install::uninstall(&context(&places?), herdr.as_deref()),
    }
}
