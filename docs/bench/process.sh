#!/usr/bin/env bash
# Whole processes against each other, runs interleaved: whatever else the machine does hits all alike.
#
#   docs/bench/process.sh [ROUNDS]
#
# Wants a release build (`cargo build --release`), python3 with venv (it runs the loop, and tomlkit from
# PyPI is compared with), and GNU time for the memory. With MAM_BENCH_HERDR=/path a real herdr is asked,
# else a script that always agrees. MAM_BENCH_PROGRAM names another build.
set -euo pipefail

rounds=${1:-300}
repository=$(cd "$(dirname "$0")/../.." && pwd)
program=${MAM_BENCH_PROGRAM:-${CARGO_TARGET_DIR:-$repository/target}/release/mam-render-config}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/bin"
if [[ -n ${MAM_BENCH_HERDR:-} ]]; then
    ln -s "$MAM_BENCH_HERDR" "$work/bin/herdr"
else
    printf '#!/bin/sh\necho "config: ok"\n' > "$work/bin/herdr"
    chmod +x "$work/bin/herdr"
fi
python3 -m venv "$work/venv"
"$work/venv/bin/pip" --quiet --disable-pip-version-check install tomlkit

usual=$repository/docs/bench/config-16k.toml
huge=$work/huge.toml
for number in $(seq -w 1 5000); do
    printf '[[keys.command]]\n# The command with the number %s, and a comment as people write them.\n' "0$number"
    printf 'key = "prefix+alt+0%s"\ncommand = "echo one of many && sleep 0%s"\n' "$number" "$number"
    printf 'type = "shell"\ndescription = "number 0%s here"\n\n' "$number"
done > "$huge"
cat > "$work/overlay.py" << 'PYTHON'
import sys, tomlkit
source, target = sys.argv[1:]
with open(source, newline="") as file:
    document = tomlkit.parse(file.read())
document.setdefault("session", tomlkit.table())["resume_agents_on_restore"] = False
with open(target, "w", newline="") as file:
    file.write(tomlkit.dumps(document))
PYTHON

# Each with a home of its own: `again` renders what is rendered already, `first` starts from nothing.
scenarios=()
scenario() { # NAME again|first CONFIG COMMAND…
    local home=$work/home-${#scenarios[@]}
    mkdir -p "$home/.config/herdr"
    cp "$3" "$home/.config/herdr/config.toml"
    scenarios+=("$1|$2|$home|${*:4}")
}
scenario '`/bin/true`' again "$usual" /bin/true
scenario 'render, nothing to do, 16 KiB' again "$usual" "$program"
scenario '`check`, fresh, 16 KiB' again "$usual" "$program" check
scenario 'first render, 16 KiB, herdr not asked' first "$usual" "$program" --no-herdr-check
scenario 'first render, 16 KiB, herdr asked' first "$usual" "$program"
scenario 'render, nothing to do, 1 MiB' again "$huge" "$program" --no-herdr-check
scenario 'first render, 1 MiB, herdr not asked' first "$huge" "$program" --no-herdr-check
scenario '`herdr config check`, 16 KiB' again "$usual" "$work/bin/herdr" config check
scenario 'Python, `-c 0`' again "$usual" "$work/venv/bin/python" -c 0
scenario 'Python with tomlkit, 16 KiB' again "$usual" "$work/venv/bin/python" "$work/overlay.py" "$usual" "$work/out.toml"

printf '%s\n' "${scenarios[@]}" > "$work/scenarios"
env -i PATH="$work/bin:/usr/bin:/bin" TMPDIR="$work" python3 - "$work/scenarios" "$rounds" << 'PYTHON'
import os, shutil, statistics, subprocess, sys, time

def run(home, command, prefix=()):
    environment = {"HOME": home, "PATH": os.environ["PATH"], "TMPDIR": os.environ["TMPDIR"]}
    words = [*prefix, *command]
    null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    started = time.perf_counter_ns()
    pid = os.posix_spawn(words[0], words, environment, file_actions=null)
    _, status = os.waitpid(pid, 0)
    took = time.perf_counter_ns() - started
    if os.waitstatus_to_exitcode(status) not in (0, 1 if command[-2:] == ["config", "check"] else 0):
        sys.exit(f"{words}: {status}")
    return took / 1e6

def reset(kind, home):
    if kind == "first":
        shutil.rmtree(f"{home}/.local", ignore_errors=True)
        if os.path.exists(f"{home}/.config/herdr/config.mam.toml"):
            os.remove(f"{home}/.config/herdr/config.mam.toml")

scenarios = [line.split("|") for line in open(sys.argv[1]).read().splitlines()]
scenarios = [(name, kind, home, command.split(" ")) for name, kind, home, command in scenarios]
for _, _, home, command in scenarios:
    if command[-1] == "check" and len(command) == 2:
        run(home, command[:1])
times = {name: [] for name, *_ in scenarios}
for number in range(int(sys.argv[2]) + 1):
    for name, kind, home, command in scenarios:
        reset(kind, home)
        took = run(home, command)
        # The first round fills the caches.
        if number > 0:
            times[name].append(took)

def resident(kind, home, command):
    reset(kind, home)
    target = os.environ["TMPDIR"] + "/resident"
    run(home, command, ["/usr/bin/time", "-f", "%M", "-o", target])
    return int(open(target).read().split()[-1]) / 1024

base = statistics.median(times[scenarios[0][0]])
print("| | median | quartiles | of `/bin/true` | resident |\n|---|---|---|---|---|")
for name, kind, home, command in scenarios:
    median = statistics.median(times[name])
    low, _, high = statistics.quantiles(times[name], n=4)
    peak = resident(kind, home, command) if os.path.exists("/usr/bin/time") else float("nan")
    print(f"| {name} | {median:.2f} ms | {low:.2f} to {high:.2f} | {median / base:.2f} | {peak:.1f} MiB |")
PYTHON
