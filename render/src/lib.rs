//! User config in, overlay out: the library behind `mam-render-config`.
//!
//! The pure core, from the bottom up: [`key_path`], [`tree`], [`node`] and [`splice`] are words for
//! TOML and for edits of it; [`plan`] and [`leave_out`] decide which bytes change; [`overlay`] makes
//! and proves one overlay; [`verdict`] and [`settle`] bring it into a form that herdr can read;
//! [`kept`] keeps what herdr wrote; [`compose`] puts it all together, and [`freshness`] says whether
//! that is needed. None of them reads a file, a clock or the environment.
//!
//! The edge: [`site`], [`renderer`] and `store` read and write files, [`judge`] asks herdr, [`safe`] chooses
//! what a herdr is started on, [`hosted`] which calls are for a server of mam's, [`report`] and
//! [`explain`] put things into words, and [`command`] has one file per command.

pub mod arguments;
pub mod banner;
pub mod command;
pub mod compose;
pub mod explain;
pub mod freshness;
pub mod hosted;
pub mod judge;
pub mod kept;
pub mod key_path;
pub mod leave_out;
pub mod managed;
pub mod node;
pub mod overlay;
pub mod plan;
pub mod record;
pub mod renderer;
pub mod report;
pub mod safe;
pub mod setting;
pub mod settle;
pub mod site;
pub mod splice;
mod store;
pub mod syntax;
pub mod tree;
pub mod verdict;

use std::process::ExitCode;

use clap::CommandFactory as _;
use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::Messages;
use mam_share::places::{Homeless, Places};

use arguments::{Arguments, Command};
use command::Context;

#[cfg(test)]
mod tests;

/// The program: parses, runs the command, and turns a failure into a message and an exit code.
pub fn run() -> ExitCode {
    exit().into()
}

/// The same where Rust's own start has not run.
pub fn run_bare() -> Exit {
    mam_share::start::prepare();
    exit()
}

fn exit() -> Exit {
    let environment = Environment::of_process();
    // The call that scripts repeat has no arguments. It skips the parser, which takes as long as the
    // rest of a render that has nothing to do.
    let is_bare = std::env::args_os().len() == 1;
    let arguments = if is_bare { Arguments::default() } else { Arguments::of_process() };
    let messages = Messages::new("mam-render-config", &environment);
    dispatch(&environment, messages, &arguments).unwrap_or_else(|failure| {
        messages.fail(&failure);
        failure.exit
    })
}

fn dispatch(environment: &Environment, messages: Messages, arguments: &Arguments) -> Result<Exit, Failure> {
    let selection = &arguments.selection;
    let places = || {
        Places::find(environment).map_err(|Homeless| {
            Failure::new(
                Exit::NeedsChange,
                "there is no home directory: HOME is not set and the user database has none",
            )
            .hint("set HOME, or both MAM_HOME and MAM_STATE_DIR")
        })
    };
    let with = |run: &dyn Fn(&Context<'_>) -> Result<Exit, Failure>| {
        let places = places()?;
        run(&Context { environment, places: &places, messages })
    };
    match &arguments.command {
        None => with(&|context| command::render::run(context, selection, &arguments.render)),
        Some(Command::Check { json }) => with(&|context| command::check::run(context, selection, *json)),
        Some(Command::Print) => with(&|context| command::diff::print(context, selection)),
        Some(Command::Diff) => with(&|context| command::diff::diff(context, selection)),
        Some(Command::Explain { json }) => with(&|context| command::explain::run(context, selection, *json)),
        Some(Command::WriteBack { yes }) => {
            with(&|context| command::write_back::run(context, selection, *yes))
        }
        Some(Command::Exec { scope, command }) => {
            with(&|context| command::exec::run(context, selection, *scope, command))
        }
        Some(Command::Env { shell }) => with(&|context| command::env::run(context, selection, *shell)),
        Some(Command::Init { shell, scope }) => command::init::run(*shell, *scope),
        Some(Command::Completions { shell }) => command::reference::completions(Arguments::command(), *shell),
        Some(Command::Man { of }) => command::reference::man(Arguments::command(), of.as_deref()),
    }
}
