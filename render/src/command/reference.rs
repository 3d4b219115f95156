//! `completions` and `man` of any of mam's programs, generated from the definition of its command line.

use clap::Command;
use mam_share::exit::Exit;
use mam_share::failure::Failure;

use super::answer;

/// Runs `completions` of `program`.
///
/// # Errors
/// stdout cannot be written.
pub fn completions(mut program: Command, shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    let name = program.get_name().to_owned();
    clap_complete::generate(shell, &mut program, name, &mut text);
    answer(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}

/// Runs `man` of `program`.
///
/// # Errors
/// A command that does not exist.
pub fn man(program: Command, of: Option<&str>) -> Result<Exit, Failure> {
    answer(&page(program, of)?)?;
    Ok(Exit::Done)
}

fn page(mut program: Command, of: Option<&str>) -> Result<String, Failure> {
    // Fills in what subcommands inherit, such as the global options.
    program.build();
    let command = match of {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
            let known = shown.map(Command::get_name).collect::<Vec<_>>().join(", ");
            found.ok_or_else(|| {
                Failure::new(Exit::Usage, format!("there is no command `{name}`; there are {known}"))
            })?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut text)
        .map_err(|error| Failure::new(Exit::CannotWrite, format!("the page cannot be made: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
