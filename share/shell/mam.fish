# mam's integration for fish: sources nothing, starts nothing, prints nothing.
#
# It defines one function, `herdr`, which hands its whole command line to `mam-render-config exec`.
# That gives mam's own sessions the overlay in which restore is off, and runs herdr untouched for
# everything else. Source it from ~/.config/fish/config.fish. To have every herdr of this shell on
# the overlay, take the output of `mam-render-config init fish --scope all` instead.

# Interactive shells only; not in herdr's panes, which have the environment of their server; not over
# a function of the same name that is yours, nor a second time.
if status is-interactive; and test "$HERDR_ENV" != 1; and not functions -q herdr
    function herdr --wraps herdr --description 'herdr, on the overlay of mam where it belongs'
        if builtin command -q mam-render-config
            command mam-render-config exec --scope hosts -- herdr $argv
        else
            command herdr $argv
        end
    end
end
