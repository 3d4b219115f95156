#!/usr/bin/env bash
# How long it takes until sessions run again after their server was killed: all at once (`mam resume --all`)
# against one `mam resume NAME` after another. Rounds alternate between the two.
#
#   docs/bench/sessions.sh [SESSIONS] [ROUNDS]
#
# Wants a release build (`cargo build --release`) and python3, which runs the loop. MAM_BENCH_HERDR=/path
# names a real herdr; without it herdr-sim is taken (`cargo build --release --features herdr-sim`).
# MAM_BENCH_PROGRAM names another `mam`. 50 sessions take half a minute a round.
set -euo pipefail

sessions=${1:-50}
rounds=${2:-3}
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
    # Agents that have just been stopped may still write.
    rm -rf "$work" 2> /dev/null || { sleep 1; rm -rf "$work"; }
}
trap cleanup EXIT
mkdir -p "$work/bin" "$work/src" "$work/.config/herdr"
ln -s "$herdr" "$work/bin/herdr"
# Nothing may ask the network for updates meanwhile.
printf '[update]\nversion_check = false\nmanifest_check = false\n' > "$work/.config/herdr/config.toml"
# A stand-in that costs nothing.
cat > "$work/bin/claude" << 'AGENT'
#!/bin/sh
echo 'Welcome to Claude Code (a stand-in)'
while :; do sleep 3600; done
AGENT
chmod +x "$work/bin/claude"

env -i HOME="$work" PATH="$work/bin:/usr/bin:/bin" TERM=xterm LC_ALL=C.UTF-8 SHELL=/bin/bash \
    python3 - "$program" "$work" "$sessions" "$rounds" << 'PYTHON'
import json, os, resource, signal, socket, statistics, subprocess, sys, time

program, work, count, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
names = [f"s{number:02}" for number in range(count)]
directory = f"{work}/.config/herdr/sessions/mam"

def mam(*words):
    ran = subprocess.run([program, "-q", *words], capture_output=True, text=True, timeout=300)
    if ran.returncode != 0:
        sys.exit(f"mam {' '.join(words)}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout

def ask(method, params):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"{directory}/herdr.sock")
        client.sendall((json.dumps({"id": "1", "method": method, "params": params}) + "\n").encode())
        answer = json.loads(client.makefile().readline())
        return answer["result"]

def until(what, is_so):
    deadline = time.monotonic() + 60
    while not is_so():
        if time.monotonic() > deadline:
            sys.exit(f"it did not come about that {what}")
        time.sleep(0.1)

def sessions():
    return json.loads(mam("list", "--json"))["sessions"]

def saved():
    try:
        return open(f"{directory}/session.json").read()
    except FileNotFoundError:
        return ""

def crash():
    """Each agent reports its conversation, herdr saves them, and its server is killed."""
    ids = {session["pane"]: session["conversation"] for session in sessions()}
    ids = {pane: it["value"] if isinstance(it, dict) else it for pane, it in ids.items()}
    def seen():
        return sum(pane["pane_id"] in ids and pane.get("agent") is not None for pane in ask("pane.list", {})["panes"])
    until("herdr sees the agents", lambda: seen() == count)
    for pane, value in ids.items():
        ask("pane.report_agent_session", {"pane_id": pane, "source": "herdr:claude", "agent": "claude",
            "agent_session_id": value})
    until("the layout is saved", lambda: all(value in saved() for value in ids.values()))
    os.kill(json.loads(mam("status", "--json"))["pid"], signal.SIGKILL)
    time.sleep(1)
    mam("start")
    until("the shells are there", lambda: all(it["state"] == "restoredShell" for it in sessions()))
    time.sleep(3)

def measured(run):
    peak, started = 0, time.perf_counter()
    for words in run:
        child = subprocess.Popen([program, "-q", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, status, usage = os.wait4(child.pid, 0)
        if status != 0:
            sys.exit(f"mam {' '.join(words)}: {status}\n{child.stderr.read().decode()}")
        child.returncode = 0
        peak = max(peak, usage.ru_maxrss)
    took = time.perf_counter() - started
    states = [it["state"] for it in sessions()]
    if states != ["running"] * count:
        sys.exit(f"they do not all run: {states}")
    until("the restored shells are closed", lambda: all(
        pane.get("agent_session") is None or pane.get("agent") is not None
        for pane in ask("pane.list", {})["panes"]))
    return took, peak

mam("start")
for number, name in enumerate(names):
    mam("create", name, "--agent", "claude", "--cwd", f"{work}/src", "--workspace", f"w{number % 5}")
ways = {
    f"`mam resume --all`, {count} sessions": [["resume", "--all"]],
    f"`mam resume NAME`, {count} times": [["resume", name] for name in names],
}
found = {way: [] for way in ways}
for _ in range(rounds):
    for way, run in ways.items():
        crash()
        found[way].append(measured(run))
last = statistics.median(took for took, _ in found[list(ways)[-1]])
print("| way | median | of one after another | most memory of one `mam` |\n|---|---|---|---|")
for way, results in found.items():
    took = statistics.median(took for took, _ in results)
    print(f"| {way} | {took:.2f} s | {took / last:.2f} | {max(peak for _, peak in results) / 1024:.1f} MiB |")
PYTHON
