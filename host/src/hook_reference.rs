//! The command line of `mam-restore-hook` as clap has it, for its manual pages and completions. That program
//! is to stay small and has neither clap nor what makes pages of it; this one has both.

use clap::{Arg, ArgAction, Command, CommandFactory as _};
use mam_hook::arguments::PROGRAM;
use mam_hook::command_line::Opt;

use crate::arguments::Arguments;

/// The command line of this program, or of the hook's.
pub fn program(of_hook: bool) -> Command {
    if of_hook { hook() } else { Arguments::command() }
}

fn hook() -> Command {
    let commands = PROGRAM.commands.iter().map(|command| {
        let made = Command::new(command.name).about(command.about).visible_aliases(command.alias);
        made.args(command.options.iter().map(option))
    });
    Command::new(PROGRAM.name)
        .version(env!("CARGO_PKG_VERSION"))
        .about(PROGRAM.about)
        .long_about(format!("{}.\n\n{}", PROGRAM.about, PROGRAM.more))
        .after_help(PROGRAM.after)
        .subcommand_required(true)
        .subcommands(commands)
}

fn option(option: &Opt) -> Arg {
    let arg = Arg::new(option.name).long(option.name).help(option.help).hide(option.is_hidden);
    match option.value {
        Some(value) => arg.value_name(value),
        None => arg.action(ArgAction::SetTrue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_read_the_same_command_lines() {
        hook().debug_assert();
        let lines = [
            "close",
            "close --json",
            "close --session-id x --dry-run",
            "close --session=x --herdr /h",
            "list --json",
            "close-restored-shells --session x",
            "install --check",
            "uninstall --herdr h",
            "event",
            "startup",
            "lst",
            "list x",
            "list --session",
            "list --json=x",
            "list --json --json",
            "install -c",
            "event --json",
            "--json",
            "close --session-id=",
            "list --session --json",
            "",
        ];
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let theirs = hook().try_get_matches_from([&[PROGRAM.name], &words[..]].concat());
            let ours = mam_hook::arguments::read(words.iter().map(Into::into));
            // What differs: clap takes an option for no value. A session may be named so.
            let is_same = theirs.is_ok() == ours.is_ok() || line == "list --session --json";
            assert!(is_same || line.is_empty(), "{line}: {theirs:?} {ours:?}");
        }
    }
}
