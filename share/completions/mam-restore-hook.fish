# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_mam_restore_hook_global_optspecs
    string join \n h/help V/version
end

function __fish_mam_restore_hook_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_mam_restore_hook_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_mam_restore_hook_using_subcommand
    set -l cmd (__fish_mam_restore_hook_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -s V -l version -d 'Print version'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "close" -d 'Close leftovers'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "close-restored-shells" -d 'Close leftovers'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "list" -d 'Show every restored shell and whether it would be closed'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "install" -d 'Have herdr call this program: link it as a plugin'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "uninstall" -d 'Undo install'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "startup" -d 'What herdr calls when a server has started'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "event" -d 'What herdr calls when it has detected an agent'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close" -l session-id -d 'The conversation that was resumed: its restored shells are closed even where nobody can see it run. Without it, those whose conversation runs in another pane' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close" -l session -d 'The herdr session [default: $HERDR_SESSION_NAME, else $HERDR_SESSION]' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close" -l herdr -d 'Taken and not needed: the session\'s socket is used' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close" -l dry-run -d 'Show what would be done, and change nothing'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close" -l json -d 'Print the answer as JSON'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close" -s h -l help -d 'Print help'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close-restored-shells" -l session-id -d 'The conversation that was resumed: its restored shells are closed even where nobody can see it run. Without it, those whose conversation runs in another pane' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close-restored-shells" -l session -d 'The herdr session [default: $HERDR_SESSION_NAME, else $HERDR_SESSION]' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close-restored-shells" -l herdr -d 'Taken and not needed: the session\'s socket is used' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close-restored-shells" -l dry-run -d 'Show what would be done, and change nothing'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close-restored-shells" -l json -d 'Print the answer as JSON'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand close-restored-shells" -s h -l help -d 'Print help'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand list" -l session -d 'The herdr session [default: $HERDR_SESSION_NAME, else $HERDR_SESSION]' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand list" -l json -d 'Print the answer as JSON'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand list" -s h -l help -d 'Print help'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand install" -l herdr -d 'The herdr program [default: the one on PATH]' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand install" -l check -d 'Say whether the plugin is linked, enabled and current, and change nothing'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand install" -s h -l help -d 'Print help'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand uninstall" -l herdr -d 'The herdr program [default: the one on PATH]' -r
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand uninstall" -s h -l help -d 'Print help'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand startup" -s h -l help -d 'Print help'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand event" -s h -l help -d 'Print help'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand help; and not __fish_seen_subcommand_from close list install uninstall startup event help" -f -a "close" -d 'Close leftovers'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand help; and not __fish_seen_subcommand_from close list install uninstall startup event help" -f -a "list" -d 'Show every restored shell and whether it would be closed'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand help; and not __fish_seen_subcommand_from close list install uninstall startup event help" -f -a "install" -d 'Have herdr call this program: link it as a plugin'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand help; and not __fish_seen_subcommand_from close list install uninstall startup event help" -f -a "uninstall" -d 'Undo install'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand help; and not __fish_seen_subcommand_from close list install uninstall startup event help" -f -a "startup" -d 'What herdr calls when a server has started'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand help; and not __fish_seen_subcommand_from close list install uninstall startup event help" -f -a "event" -d 'What herdr calls when it has detected an agent'
complete -c mam-restore-hook -n "__fish_mam_restore_hook_using_subcommand help; and not __fish_seen_subcommand_from close list install uninstall startup event help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
