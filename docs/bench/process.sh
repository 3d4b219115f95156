#!/usr/bin/env bash
# Whole processes against each other, runs interleaved: whatever else the machine does hits all alike.
#
#   docs/bench/process.sh [ROUNDS]
#
# Wants a release build (`cargo build --release`), and GNU time for the memory. With MAM_BENCH_HERDR=/path
# a real herdr is asked, else a script that always agrees. With python3 it makes a virtual environment with
# tomlkit (from PyPI) to compare with.
set -euo pipefail

rounds=${1:-300}
repository=$(cd "$(dirname "$0")/../.." && pwd)
program=${MAM_BENCH_PROGRAM:-${CARGO_TARGET_DIR:-$repository/target}/release/mam-render-config}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work"/bin "$work"/home/.config/herdr "$work"/huge "$work"/first "$work"/python
if [[ -n ${MAM_BENCH_HERDR:-} ]]; then
    ln -s "$MAM_BENCH_HERDR" "$work/bin/herdr"
else
    printf '#!/bin/sh\necho "config: ok"\n' > "$work/bin/herdr"
    chmod +x "$work/bin/herdr"
fi
cp "$repository/docs/bench/config-16k.toml" "$work/home/.config/herdr/config.toml"
cp "$repository/docs/bench/config-16k.toml" "$work/first/config.toml"
cp "$repository/docs/bench/config-16k.toml" "$work/python/config.toml"
for number in $(seq -w 0 4999); do
    printf '[[keys.command]]\n# The command with the number 0%s, and a comment as people write them.\n' "$number"
    printf 'key = "prefix+alt+%s"\ncommand = "echo one of many && sleep %s"\n' "$number" "$number"
    printf 'type = "shell"\ndescription = "number %s"\n\n' "$number"
done > "$work/huge/config.toml"

cat > "$work/tomlkit.py" <<'PYTHON'
import sys, tomlkit
source, target = sys.argv[1:]
with open(source, newline="") as file:
    document = tomlkit.parse(file.read())
document.setdefault("session", tomlkit.table())["resume_agents_on_restore"] = False
with open(target, "w", newline="") as file:
    file.write(tomlkit.dumps(document))
PYTHON
python=${MAM_BENCH_PYTHON:-}
if [[ -z $python ]] && command -v python3 > /dev/null; then
    python3 -m venv "$work/venv" && "$work/venv/bin/pip" --quiet install tomlkit && python="$work/venv/bin/python"
fi

clean=(env -i "HOME=$work/home" "PATH=$work/bin:/usr/bin:/bin" "TMPDIR=$work")
names=() commands=()
# A name, and what to type. `RESET FILE…;` before a command removes files, outside of the measured time.
compare() { names+=("$1"); commands+=("$2"); }
huge="--config $work/huge/config.toml --output $work/huge/config.mam.toml"
first="--config $work/first/config.toml --output $work/first/config.mam.toml"
compare '/bin/true' '/bin/true'
compare 'nothing to do, 16 KiB' "$program"
compare 'check, 16 KiB' "$program check"
compare 'nothing to do, 1 MiB' "$program --no-herdr-check $huge.kept"
compare 'first render, 16 KiB, herdr not asked' "RESET $work/first; $program --no-herdr-check $first"
compare 'first render, 16 KiB, herdr asked' "RESET $work/first; $program $first"
compare 'first render, 1 MiB, herdr not asked' "RESET $work/huge; $program --no-herdr-check $huge"
[[ -z $python ]] || compare 'Python and tomlkit, 16 KiB' "$python $work/tomlkit.py $work/python/config.toml $work/python/out.toml"
[[ -z $python ]] || compare 'Python alone' "$python -c 0"

cat > "$work/interleave.py" <<'PYTHON'
PYTHON
