# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_mam_render_config_global_optspecs
    string join \n config= output= set= herdr= no-herdr-check strict reload json h/help V/version
end

function __fish_mam_render_config_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_mam_render_config_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_mam_render_config_using_subcommand
    set -l cmd (__fish_mam_render_config_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l strict -d 'Fail when the overlay is not the whole config (65), or unchecked (69); it is written all the same'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l reload -d 'Have running servers of mam\'s sessions read their config again'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -l json -d 'Print the answer as JSON'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -s V -l version -d 'Print version'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "check" -d 'Say whether the overlay is fresh: exit 0 yes, 1 no, 65 when the user config cannot be read'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "print" -d 'Print what the overlay would be; write nothing'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "diff" -d 'Print how the overlay would differ from the user config; write nothing'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "explain" -d 'List each setting that is not the user\'s, where it comes from, and what it replaces'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "write-back" -d 'Move settings that herdr wrote into the overlay to the user config, after showing the change'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "exec" -d 'Run herdr, on the overlay when the call is for one of mam\'s sessions'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "env" -d 'Render, and print the line that exports HERDR_CONFIG_PATH'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "init" -d 'Print the shell integration, a file for your profile to source'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "completions" -d 'Print the completions for a shell'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "man" -d 'Print the manual page, of one command when it is named'
complete -c mam-render-config -n "__fish_mam_render_config_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand check" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand check" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand check" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand check" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand check" -l json -d 'Print the answer as JSON'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand check" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand check" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand print" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand print" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand print" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand print" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand print" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand print" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand diff" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand diff" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand diff" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand diff" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand diff" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand diff" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand explain" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand explain" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand explain" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand explain" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand explain" -l json -d 'Print the answer as JSON'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand explain" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand explain" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand write-back" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand write-back" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand write-back" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand write-back" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand write-back" -l yes -d 'Do not ask'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand write-back" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand write-back" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand exec" -l scope -d 'Which calls get the overlay' -r -f -a "hosts\t'Those for mam\'s own sessions'
all\t'All of them'"
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand exec" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand exec" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand exec" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand exec" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand exec" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand exec" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand env" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand env" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand env" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand env" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand env" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand env" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand init" -l scope -d 'Which calls of herdr get the overlay' -r -f -a "hosts\t'Those for mam\'s own sessions'
all\t'All of them'"
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand init" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand init" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand init" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand init" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand init" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand completions" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand completions" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand completions" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand completions" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand completions" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand completions" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand man" -l config -d 'The user config [default: $HERDR_CONFIG_PATH, else herdr\'s own config.toml]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand man" -l output -d 'The overlay [default: config.mam.toml beside the user config]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand man" -l set -d 'Set a key in the overlay, as `ui.sidebar_width=30`; may be given more than once' -r
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand man" -l herdr -d 'The herdr that has to be able to read the overlay [default: the one on PATH]' -r -F
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand man" -l no-herdr-check -d 'Do not ask herdr whether it can read the overlay'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand man" -s h -l help -d 'Print help'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "check" -d 'Say whether the overlay is fresh: exit 0 yes, 1 no, 65 when the user config cannot be read'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "print" -d 'Print what the overlay would be; write nothing'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "diff" -d 'Print how the overlay would differ from the user config; write nothing'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "explain" -d 'List each setting that is not the user\'s, where it comes from, and what it replaces'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "write-back" -d 'Move settings that herdr wrote into the overlay to the user config, after showing the change'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "exec" -d 'Run herdr, on the overlay when the call is for one of mam\'s sessions'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "env" -d 'Render, and print the line that exports HERDR_CONFIG_PATH'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "init" -d 'Print the shell integration, a file for your profile to source'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "completions" -d 'Print the completions for a shell'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "man" -d 'Print the manual page, of one command when it is named'
complete -c mam-render-config -n "__fish_mam_render_config_using_subcommand help; and not __fish_seen_subcommand_from check print diff explain write-back exec env init completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
