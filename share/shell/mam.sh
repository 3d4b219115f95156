# mam's integration for POSIX shells: sources nothing, starts nothing, prints nothing.
#
# It defines one function, `herdr`, which hands its whole command line to `mam-render-config exec`.
# That gives mam's own sessions the overlay in which restore is off, and runs herdr untouched for
# everything else. Source it from the file that $ENV names. To have every herdr of this shell on the
# overlay, take the output of `mam-render-config init sh --scope all` instead.
# shellcheck shell=sh

# Interactive shells only; not in herdr's panes, which have the environment of their server. An alias
# of the same name would be expanded in the definition: with one, this does nothing, so define it
# after sourcing this.
case "$-:${HERDR_ENV-}" in
*i*:1) ;;
*i*:*)
    if ! \alias herdr >/dev/null 2>&1; then
        \eval '
            herdr() {
                if \command -v mam-render-config >/dev/null; then
                    \command mam-render-config exec --scope hosts -- herdr "$@"
                else
                    \command herdr "$@"
                fi
            }
        '
    fi
    ;;
esac
