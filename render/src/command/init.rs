//! `mam-render-config init SHELL`: the shell integration.

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::shell::Shell;

use super::answer;
use crate::arguments::Scope;

/// Runs the command.
///
/// # Errors
/// stdout cannot be written.
pub fn run(shell: Shell, scope: Scope) -> Result<Exit, Failure> {
    answer(&text(shell, scope))?;
    Ok(Exit::Done)
}

/// The integration file of `shell`, for `scope`.
pub fn text(shell: Shell, scope: Scope) -> String {
    let hosts = format!("--scope {}", Scope::Hosts.word());
    shell.integration().replace(&hosts, &format!("--scope {}", scope.word()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scope_is_the_one_thing_that_differs() {
        for shell in Shell::ALL {
            assert_eq!(text(shell, Scope::Hosts), shell.integration());
            let all = text(shell, Scope::All);
            assert!(all.contains("exec --scope all -- herdr") && !all.contains("--scope hosts"), "{shell}");
        }
    }
}
