# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_mam_global_optspecs
    string join \n p/profile= json q/quiet v/verbose h/help V/version
end

function __fish_mam_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_mam_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_mam_using_subcommand
    set -l cmd (__fish_mam_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c mam -n "__fish_mam_needs_command" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_needs_command" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_needs_command" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_needs_command" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c mam -n "__fish_mam_needs_command" -s V -l version -d 'Print version'
complete -c mam -n "__fish_mam_needs_command" -f -a "attach" -d 'Make sure the host runs, and become a client of it'
complete -c mam -n "__fish_mam_needs_command" -f -a "run" -d 'Become the host, in the foreground: what a supervisor runs'
complete -c mam -n "__fish_mam_needs_command" -f -a "start" -d 'Make sure the host runs and serves this profile'
complete -c mam -n "__fish_mam_needs_command" -f -a "stop" -d 'Stop serving this profile; for the root, stop the host'
complete -c mam -n "__fish_mam_needs_command" -f -a "restart" -d 'Stop and resume the agents of this profile; for the root, restart the host'
complete -c mam -n "__fish_mam_needs_command" -f -a "create" -d 'Launch an agent, and remember how'
complete -c mam -n "__fish_mam_needs_command" -f -a "resume" -d 'Bring agents back exactly as they were launched'
complete -c mam -n "__fish_mam_needs_command" -f -a "list" -d 'The recorded agents, and what became of each'
complete -c mam -n "__fish_mam_needs_command" -f -a "show" -d 'One recorded agent, with its launches and conversations'
complete -c mam -n "__fish_mam_needs_command" -f -a "stop-session" -d 'End an agent; its record and its pane stay'
complete -c mam -n "__fish_mam_needs_command" -f -a "forget" -d 'Forget how an agent was launched; one that runs is left alone'
complete -c mam -n "__fish_mam_needs_command" -f -a "rename" -d 'Give a recorded agent another name'
complete -c mam -n "__fish_mam_needs_command" -f -a "adopt" -d 'Record an agent that was started by hand'
complete -c mam -n "__fish_mam_needs_command" -f -a "status" -d 'Who owns the host, whom it serves, what runs'
complete -c mam -n "__fish_mam_needs_command" -f -a "why" -d 'The last refusal of this profile, and what to type'
complete -c mam -n "__fish_mam_needs_command" -f -a "reload" -d 'Render the overlay, and have the host read it'
complete -c mam -n "__fish_mam_needs_command" -f -a "env" -d 'What is in the environment of the host'
complete -c mam -n "__fish_mam_needs_command" -f -a "profile" -d 'The profiles'
complete -c mam -n "__fish_mam_needs_command" -f -a "unit" -d 'The host under a supervisor'
complete -c mam -n "__fish_mam_needs_command" -f -a "notice" -d 'What mam\'s plugin of herdr has seen'
complete -c mam -n "__fish_mam_needs_command" -f -a "launch" -d 'What a pane of a session runs: its agent, then a shell. Internal; `mam resume` opens such panes'
complete -c mam -n "__fish_mam_needs_command" -f -a "setup" -d 'Set mam up for this user, after showing what will be done'
complete -c mam -n "__fish_mam_needs_command" -f -a "doctor" -d 'Check everything, and say what to do about what is wrong; changes nothing'
complete -c mam -n "__fish_mam_needs_command" -f -a "completions" -d 'Print the completions for a shell'
complete -c mam -n "__fish_mam_needs_command" -f -a "man" -d 'Print the manual page, of one command when it is named'
complete -c mam -n "__fish_mam_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand attach" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand attach" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand attach" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand attach" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand attach" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand run" -l old -d 'With `--replace`: the process to replace, and no other' -r
complete -c mam -n "__fish_mam_using_subcommand run" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand run" -l replace -d 'Take the place of the host that serves this profile'
complete -c mam -n "__fish_mam_using_subcommand run" -l force -d 'Start in any case, on a session of its own'
complete -c mam -n "__fish_mam_using_subcommand run" -l detached -d 'In a session of its own, as `mam start` has it'
complete -c mam -n "__fish_mam_using_subcommand run" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand run" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand run" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand run" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand start" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand start" -l all -d 'The host, with all that it serves'
complete -c mam -n "__fish_mam_using_subcommand start" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand start" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand start" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand start" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand stop" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand stop" -l all -d 'The host, with all that it serves'
complete -c mam -n "__fish_mam_using_subcommand stop" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand stop" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand stop" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand stop" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand restart" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand restart" -l all -d 'The host, with all that it serves'
complete -c mam -n "__fish_mam_using_subcommand restart" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand restart" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand restart" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand restart" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand create" -s a -l agent -d 'The kind of agent: claude, codex, …' -r
complete -c mam -n "__fish_mam_using_subcommand create" -l cwd -d 'The directory it starts in [default: this one]' -r -F
complete -c mam -n "__fish_mam_using_subcommand create" -s e -l env -d 'A variable of the agent; `K` alone is a reference: its value is taken from the profile\'s `.env` or from the caller at every launch, and never stored' -r
complete -c mam -n "__fish_mam_using_subcommand create" -l role -d 'What it is for, in your words' -r
complete -c mam -n "__fish_mam_using_subcommand create" -l session -d 'The herdr session it runs in [default: the host\'s]' -r
complete -c mam -n "__fish_mam_using_subcommand create" -l workspace -d 'The label of its workspace; where there is one, it gets a tab there [default: the name]' -r
complete -c mam -n "__fish_mam_using_subcommand create" -l beside -d 'Open it in a split of this pane' -r
complete -c mam -n "__fish_mam_using_subcommand create" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand create" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand create" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand create" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand create" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand resume" -l cwd -d 'Start it in another directory, from now on' -r -F
complete -c mam -n "__fish_mam_using_subcommand resume" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand resume" -l all -d 'All of the profile that do not run'
complete -c mam -n "__fish_mam_using_subcommand resume" -l new -d 'Start a new conversation where none is known'
complete -c mam -n "__fish_mam_using_subcommand resume" -l widen -d 'Allow more to the agent than it was launched with, where its entry in agents.toml says so'
complete -c mam -n "__fish_mam_using_subcommand resume" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand resume" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand resume" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand resume" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand list" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand list" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand list" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand list" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand list" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand show" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand show" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand show" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand show" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand show" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand stop-session" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand stop-session" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand stop-session" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand stop-session" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand stop-session" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand forget" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand forget" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand forget" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand forget" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand forget" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand rename" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand rename" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand rename" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand rename" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand rename" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand adopt" -l name -d 'The name of its session [default: made from its kind and directory]' -r
complete -c mam -n "__fish_mam_using_subcommand adopt" -l session -d 'The herdr session of the pane [default: the host\'s]' -r
complete -c mam -n "__fish_mam_using_subcommand adopt" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand adopt" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand adopt" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand adopt" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand adopt" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand status" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand status" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand status" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand status" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand status" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand why" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand why" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand why" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand why" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand why" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand reload" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand reload" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand reload" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand reload" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand reload" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand env; and not __fish_seen_subcommand_from explain help" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand env; and not __fish_seen_subcommand_from explain help" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand env; and not __fish_seen_subcommand_from explain help" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand env; and not __fish_seen_subcommand_from explain help" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand env; and not __fish_seen_subcommand_from explain help" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand env; and not __fish_seen_subcommand_from explain help" -f -a "explain" -d 'Each variable, and why it is there or not'
complete -c mam -n "__fish_mam_using_subcommand env; and not __fish_seen_subcommand_from explain help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from explain" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from explain" -l values -d 'Show the values too, secrets included'
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from explain" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from explain" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from explain" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from explain" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from help" -f -a "explain" -d 'Each variable, and why it is there or not'
complete -c mam -n "__fish_mam_using_subcommand env; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -f -a "list" -d 'List the profiles'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -f -a "create" -d 'Make a profile'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -f -a "remove" -d 'Remove a profile that nobody serves, with its home'
complete -c mam -n "__fish_mam_using_subcommand profile; and not __fish_seen_subcommand_from list create remove help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from list" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from create" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from create" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from create" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from create" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from remove" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from remove" -l yes -d 'Do not ask'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from remove" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from remove" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the profiles'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from help" -f -a "create" -d 'Make a profile'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from help" -f -a "remove" -d 'Remove a profile that nobody serves, with its home'
complete -c mam -n "__fish_mam_using_subcommand profile; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -f -a "print" -d 'Print the files of a unit'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -f -a "install" -d 'Write the files of a unit; a host that runs is left alone'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -f -a "uninstall" -d 'Remove the files of a unit; a host that runs is left alone'
complete -c mam -n "__fish_mam_using_subcommand unit; and not __fish_seen_subcommand_from print install uninstall help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from print" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from print" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from print" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from print" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from print" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from install" -l directory -d 'The service directory, for s6 and runit; for the others where the file goes' -r -F
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from install" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from install" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from install" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from install" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from install" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from uninstall" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from uninstall" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from uninstall" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from uninstall" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from uninstall" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from help" -f -a "print" -d 'Print the files of a unit'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from help" -f -a "install" -d 'Write the files of a unit; a host that runs is left alone'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from help" -f -a "uninstall" -d 'Remove the files of a unit; a host that runs is left alone'
complete -c mam -n "__fish_mam_using_subcommand unit; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -f -a "startup" -d 'A server has started, or has taken over in a live handoff'
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -f -a "agents" -d 'Agents were seen'
complete -c mam -n "__fish_mam_using_subcommand notice; and not __fish_seen_subcommand_from startup agents help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from startup" -l session -d 'Its session' -r
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from startup" -l socket -d 'Its API socket' -r -F
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from startup" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from startup" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from startup" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from startup" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from startup" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from agents" -l session -d 'Its session' -r
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from agents" -l socket -d 'Its API socket' -r -F
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from agents" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from agents" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from agents" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from agents" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from agents" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from help" -f -a "startup" -d 'A server has started, or has taken over in a live handoff'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from help" -f -a "agents" -d 'Agents were seen'
complete -c mam -n "__fish_mam_using_subcommand notice; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand launch" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand launch" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand launch" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand launch" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand launch" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand setup" -l shell -d 'The shell that gets the integration: bash, zsh, sh, fish or none [default: $SHELL]' -r
complete -c mam -n "__fish_mam_using_subcommand setup" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand setup" -l yes -d 'Do not ask'
complete -c mam -n "__fish_mam_using_subcommand setup" -l dry-run -d 'Show what would be done, and change nothing'
complete -c mam -n "__fish_mam_using_subcommand setup" -l undo -d 'Take back what a setup has done'
complete -c mam -n "__fish_mam_using_subcommand setup" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand setup" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand setup" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand setup" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand doctor" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand doctor" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand doctor" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand doctor" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand completions" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand completions" -l hook -d 'Of mam-restore-hook instead of this program'
complete -c mam -n "__fish_mam_using_subcommand completions" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand completions" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand completions" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand completions" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand man" -s p -l profile -d 'The profile [default: `MAM_PROFILE`, else the root]' -r
complete -c mam -n "__fish_mam_using_subcommand man" -l hook -d 'Of mam-restore-hook instead of this program'
complete -c mam -n "__fish_mam_using_subcommand man" -l json -d 'Print the answer as JSON'
complete -c mam -n "__fish_mam_using_subcommand man" -s q -l quiet -d 'Say warnings and failures only'
complete -c mam -n "__fish_mam_using_subcommand man" -s v -l verbose -d 'Say each step'
complete -c mam -n "__fish_mam_using_subcommand man" -s h -l help -d 'Print help'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "attach" -d 'Make sure the host runs, and become a client of it'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "run" -d 'Become the host, in the foreground: what a supervisor runs'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "start" -d 'Make sure the host runs and serves this profile'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "stop" -d 'Stop serving this profile; for the root, stop the host'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "restart" -d 'Stop and resume the agents of this profile; for the root, restart the host'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "create" -d 'Launch an agent, and remember how'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "resume" -d 'Bring agents back exactly as they were launched'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "list" -d 'The recorded agents, and what became of each'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "show" -d 'One recorded agent, with its launches and conversations'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "stop-session" -d 'End an agent; its record and its pane stay'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "forget" -d 'Forget how an agent was launched; one that runs is left alone'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "rename" -d 'Give a recorded agent another name'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "adopt" -d 'Record an agent that was started by hand'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "status" -d 'Who owns the host, whom it serves, what runs'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "why" -d 'The last refusal of this profile, and what to type'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "reload" -d 'Render the overlay, and have the host read it'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "env" -d 'What is in the environment of the host'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "profile" -d 'The profiles'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "unit" -d 'The host under a supervisor'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "notice" -d 'What mam\'s plugin of herdr has seen'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "launch" -d 'What a pane of a session runs: its agent, then a shell. Internal; `mam resume` opens such panes'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "setup" -d 'Set mam up for this user, after showing what will be done'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "doctor" -d 'Check everything, and say what to do about what is wrong; changes nothing'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "completions" -d 'Print the completions for a shell'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "man" -d 'Print the manual page, of one command when it is named'
complete -c mam -n "__fish_mam_using_subcommand help; and not __fish_seen_subcommand_from attach run start stop restart create resume list show stop-session forget rename adopt status why reload env profile unit notice launch setup doctor completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from env" -f -a "explain" -d 'Each variable, and why it is there or not'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from profile" -f -a "list" -d 'List the profiles'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from profile" -f -a "create" -d 'Make a profile'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from profile" -f -a "remove" -d 'Remove a profile that nobody serves, with its home'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from unit" -f -a "print" -d 'Print the files of a unit'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from unit" -f -a "install" -d 'Write the files of a unit; a host that runs is left alone'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from unit" -f -a "uninstall" -d 'Remove the files of a unit; a host that runs is left alone'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from notice" -f -a "startup" -d 'A server has started, or has taken over in a live handoff'
complete -c mam -n "__fish_mam_using_subcommand help; and __fish_seen_subcommand_from notice" -f -a "agents" -d 'Agents were seen'
