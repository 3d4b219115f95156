//! `mam completions` and `mam man`, generated from the command line's definition.

use clap::CommandFactory as _;
use mam_share::exit::Exit;
use mam_share::failure::Failure;

use super::answer;
use crate::arguments::Arguments;

/// Runs `completions`.
///
/// # Errors
/// stdout cannot be written.
pub fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "mam", &mut text);
    answer(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}

/// Runs `man`.
///
/// # Errors
/// A command that does not exist.
pub fn man(of: Option<&str>) -> Result<Exit, Failure> {
    let mut program = Arguments::command();
    // Fills in what subcommands inherit, such as the global options.
    program.build();
    let command = match of {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let known = program.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>().join(", ");
            found.ok_or_else(|| {
                Failure::new(Exit::Usage, format!("there is no command `{name}`; there are {known}"))
            })?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut text)
        .map_err(|error| Failure::new(Exit::CannotWrite, format!("the page cannot be made: {error}")))?;
    answer(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}
