#!/usr/bin/env bash
# How long a start of the host takes, against what it cannot do without: a bare server of herdr until its
# first `ping`, one `herdr config check`, and five times `/bin/true`. Runs are interleaved.
#
#   docs/bench/host.sh [ROUNDS]
#
# Wants a release build (`cargo build --release`) and python3, which runs the loop. MAM_BENCH_HERDR=/path
# names a real herdr; without it herdr-sim is taken (`cargo build --release --features herdr-sim`).
# MAM_BENCH_PROGRAM names another `mam`. 40 rounds take less than a minute.
set -euo pipefail

rounds=${1:-40}
repository=$(cd "$(dirname "$0")/../.." && pwd)
built=${CARGO_TARGET_DIR:-$repository/target}/release
program=${MAM_BENCH_PROGRAM:-$built/mam}
herdr=${MAM_BENCH_HERDR:-$built/herdr-sim}
for needed in "$program" "$herdr"; do
    [[ -x $needed ]] || { printf 'there is no %s\n' "$needed" >&2; exit 69; }
done
# Short: the paths of sockets have to fit.
work=$(mktemp -d /tmp/mam-bench.XXXX)
cleanup() {
    env -i HOME="$work" PATH="$work/bin:/usr/bin:/bin" "$program" -q stop > /dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
mkdir -p "$work/bin" "$work/.config/herdr"
ln -s "$herdr" "$work/bin/herdr"
cp "$repository/docs/bench/config-16k.toml" "$work/.config/herdr/config.toml"
# Nothing may ask the network for updates meanwhile.
grep -q '^\[update\]' "$work/.config/herdr/config.toml" ||
    printf '\n[update]\nversion_check = false\nmanifest_check = false\n' >> "$work/.config/herdr/config.toml"

env -i HOME="$work" PATH="$work/bin:/usr/bin:/bin" TERM=xterm LC_ALL=C.UTF-8 \
    python3 - "$program" "$work" "$rounds" << 'PYTHON'
import json, os, signal, socket, statistics, subprocess, sys, time

program, work, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
herdr = f"{work}/bin/herdr"
PATIENCE = 20

def spawn(words):
    null = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, f"{work}/said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    return os.posix_spawn(words[0], words, os.environ, file_actions=null)

def wait(pid, words, allowed):
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code not in allowed:
        sys.exit(f"{' '.join(words)}: exit {code}\n{open(f'{work}/said').read()}")

def timed(words, allowed=(0,)):
    started = time.perf_counter()
    wait(spawn(words), words, allowed)
    return (time.perf_counter() - started) * 1e3

def answers(path):
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(2)
            client.connect(path)
            client.sendall(b'{"id":"1","method":"ping","params":{}}\n')
            return "result" in json.loads(client.makefile().readline() or "{}")
    except (OSError, ValueError):
        return False

def path_of(session):
    return f"{work}/.config/herdr/sessions/{session}/herdr.sock"

def bare():
    words = [herdr, "--session", "bare", "server"]
    started = time.perf_counter()
    pid = spawn(words)
    while not answers(path_of("bare")):
        if time.perf_counter() - started > PATIENCE or os.waitpid(pid, os.WNOHANG)[0]:
            sys.exit(f"{' '.join(words)} does not answer\n{open(f'{work}/said').read()}")
        time.sleep(0.0002)
    took = (time.perf_counter() - started) * 1e3
    os.kill(pid, signal.SIGTERM)
    wait(pid, words, (0, -signal.SIGTERM))
    return took

def start():
    took = timed([program, "-q", "start"])
    if not answers(path_of("mam")):
        sys.exit("`mam start` has returned, and its host does not answer")
    timed([program, "-q", "stop"])
    return took

def true():
    return sum(timed(["/bin/true"]) for _ in range(5))

def check():
    return timed([herdr, "config", "check"], (0, 1))

names = {"`mam start`": start, "bare server to its first `ping`": bare,
         "`herdr config check`": check, "five times `/bin/true`": true}
times = {name: [] for name in names}
for number in range(rounds + 1):
    for name, run in names.items():
        took = run()
        # The first round renders the overlay, links the plugin and fills the caches.
        if number > 0:
            times[name].append(took)

def row(name, values):
    low, _, high = statistics.quantiles(values, n=4)
    print(f"| {name} | {statistics.median(values):.1f} ms | {low:.1f} to {high:.1f} |")

print("| | median | quartiles |\n|---|---|---|")
for name, values in times.items():
    row(name, values)
parts = list(times.values())[1:]
sums = [sum(values) for values in zip(*list(times.values())[1:])]
row("the three together, round by round", sums)
measured = statistics.median(times["`mam start`"])
print(f"\n`mam start` takes {measured / statistics.median(sums):.2f} of what it may take.")
PYTHON
