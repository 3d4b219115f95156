# mam's integration for bash: sources nothing, starts nothing, prints nothing.
#
# It defines one function, `herdr`, which hands its whole command line to `mam-render-config exec`.
# That gives mam's own sessions the overlay in which restore is off, and runs herdr untouched for
# everything else. Source it from ~/.bashrc. To have every herdr of this shell on the overlay, take
# the output of `mam-render-config init bash --scope all` instead.

# Interactive shells only; not in herdr's panes, which have the environment of their server; not over
# a function of the same name that is yours, nor a second time.
if [[ $- == *i* && "${HERDR_ENV-}" != 1 ]] && ! \builtin declare -F herdr >/dev/null; then
    # shellcheck disable=SC2317
    function herdr {
        if \builtin type -P mam-render-config >/dev/null; then
            \command mam-render-config exec --scope hosts -- herdr "$@"
        else
            \command herdr "$@"
        fi
    }
fi
