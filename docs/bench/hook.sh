#!/usr/bin/env bash
# What the hook costs: a call of herdr's event while a watcher runs, against `/bin/true`; the watcher while
# nothing happens; and 50 leftovers among 100 panes, against asking herdr's command line about one pane after
# the other. Runs are interleaved: whatever else the machine does hits all alike.
#
#   docs/bench/hook.sh [HERDR] [ROUNDS] [EVENTS]
#
# Wants a release build (`cargo build --release`) and python3, which runs the loops. HERDR, else
# MAM_TEST_HERDR, is a real herdr; without one herdr-sim is taken (`cargo build --release --features
# herdr-sim`), whose figures say little about herdr. MAM_BENCH_PROGRAM names another `mam-restore-hook`,
# which has to have `mam-render-config` beside it. Takes two minutes.
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
built=${CARGO_TARGET_DIR:-$repository/target}/release
herdr=${1:-${MAM_TEST_HERDR:-$built/herdr-sim}}
rounds=${2:-6}
events=${3:-400}
program=${MAM_BENCH_PROGRAM:-$built/mam-restore-hook}
for needed in "$program" "$(dirname "$program")/mam-render-config" "$herdr"; do
    [[ -x $needed ]] || { printf 'there is no %s\n' "$needed" >&2; exit 69; }
done
# Short: the paths of sockets have to fit.
work=$(mktemp -d /tmp/mam-bench.XXXX)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/.config/herdr" "$work/src"
printf '#!/bin/sh\nexec bash --norc -i\n' > "$work/shell.sh"
chmod +x "$work/shell.sh"
printf '[terminal]\ndefault_shell = "%s/shell.sh"\n[update]\nversion_check = false\nmanifest_check = false\n' \
    "$work" > "$work/.config/herdr/config.toml"

env -i HOME="$work" PATH=/usr/bin:/bin TERM=xterm-256color LC_ALL=C.UTF-8 \
    python3 - "$program" "$herdr" "$work" "$rounds" "$events" << 'PYTHON'
import atexit, json, os, signal, socket, statistics, subprocess, sys, time

program, herdr, work = sys.argv[1:4]
rounds, events = int(sys.argv[4]), int(sys.argv[5])
SESSION, PANES, LEFTOVERS, PATIENCE = "bench", 100, 50, 60
data = f"{work}/.config/herdr/sessions/{SESSION}"
renderer = os.path.join(os.path.dirname(program), "mam-render-config")
server = None

def spawn(words, environment=os.environ):
    null = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, f"{work}/said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    return os.posix_spawn(words[0], words, environment, file_actions=null)

def wait(pid, words):
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code != 0:
        sys.exit(f"{' '.join(words)}: exit {code}\n{open(f'{work}/said').read()}")

def timed(words, environment=os.environ):
    started = time.perf_counter()
    wait(spawn(words, environment), words)
    return (time.perf_counter() - started) * 1e3

def said(words):
    return subprocess.run(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True).stdout

def until(what, is_so):
    started = time.perf_counter()
    while not is_so():
        if time.perf_counter() - started > PATIENCE:
            sys.exit(f"never: {what}")
        time.sleep(0.05)

def ask(method):
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(10)
            client.connect(f"{data}/herdr.sock")
            client.sendall(json.dumps({"id": "1", "method": method, "params": {}}).encode() + b"\n")
            return json.loads(client.makefile().readline() or "{}").get("result")
    except (OSError, ValueError):
        return None

def stop():
    global server
    if server:
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)
        server = None
atexit.register(stop)

def workspace(number):
    # Every second pane held the conversation that was resumed.
    value = "resumed" if number % (PANES // LEFTOVERS) == 0 else f"other-{number}"
    pane = {"cwd": f"{work}/src", "agent_session":
            {"source": "herdr:claude", "agent": "claude", "kind": "id", "value": value}}
    key = str(number)
    tab = {"custom_name": None, "layout": {"Pane": number}, "panes": {key: pane}, "zoomed": False,
           "focused": number, "root_pane": number}
    return {"id": f"w{number}", "custom_name": key, "identity_cwd": f"{work}/src",
            "public_pane_numbers": {key: 1}, "next_public_pane_number": 2, "public_tab_numbers": [1],
            "next_public_tab_number": 2, "tabs": [tab], "active_tab": 0}

def restore():
    """A server that has restored all panes, their shells at their prompts."""
    global server
    stop()
    overlay = said([renderer, "--herdr", herdr]).decode().strip()
    os.makedirs(data, exist_ok=True)
    layout = {"version": 3, "workspaces": [workspace(number) for number in range(1, PANES + 1)], "active": 0,
              "selected": 0, "sidebar_width": 26, "sidebar_section_split": 0.5, "collapsed_space_keys": []}
    with open(f"{data}/session.json", "w") as file:
        json.dump(layout, file)
    server = spawn([herdr, "--session", SESSION, "server"], {**os.environ, "HERDR_CONFIG_PATH": overlay})
    until("all panes are back", lambda: len((ask("pane.list") or {"panes": []})["panes"]) == PANES)
    dry = [program, "close", "--session", SESSION, "--session-id", "resumed", "--dry-run", "--json"]
    def settled():
        panes = json.loads(said(dry))["panes"]
        return sum(pane["verdict"] == "close" for pane in panes) == LEFTOVERS
    until("the leftovers can be closed", settled)

def closed():
    left = len(ask("pane.list")["panes"])
    if left != PANES - LEFTOVERS:
        sys.exit(f"{left} panes are left of {PANES}, {LEFTOVERS} of them leftovers")

def by_hook():
    restore()
    took = timed([program, "close", "--session", SESSION, "--session-id", "resumed"])
    closed()
    return took

def one_by_one():
    restore()
    started = time.perf_counter()
    panes = json.loads(said([herdr, "--session", SESSION, "pane", "list"]))["result"]["panes"]
    leftovers = [pane["pane_id"] for pane in panes if pane["agent_session"]["value"] == "resumed"]
    for pane in leftovers:
        said([herdr, "--session", SESSION, "pane", "process-info", "--pane", pane])
    for pane in leftovers:
        said([herdr, "--session", SESSION, "pane", "close", pane])
    took = (time.perf_counter() - started) * 1e3
    closed()
    return took

def calls():
    """Calls of the event while a watcher runs, and what the watcher uses in 20 s without any."""
    restore()
    environment = {**os.environ, "HERDR_SESSION": SESSION, "HERDR_SOCKET_PATH": f"{data}/herdr.sock"}
    event = [program, "event"]
    watcher = spawn(event, environment)
    locks = f"{work}/.local/state/mam/hook"
    until("the watcher runs", lambda: os.path.isdir(locks) and any(n.endswith(".watch") for n in os.listdir(locks)))
    time.sleep(1)
    times = {"`/bin/true`": [], "`event` while a watcher runs": []}
    for number in range(events + 1):
        for name, words in zip(times, (["/bin/true"], event)):
            took = timed(words, environment)
            # The first round fills the caches.
            if number > 0:
                times[name].append(took)
    if os.waitpid(watcher, os.WNOHANG)[0]:
        sys.exit("the watcher has ended")
    # Nanoseconds on a processor.
    used = lambda: int(open(f"/proc/{watcher}/schedstat").read().split()[0])
    time.sleep(3)
    before = used()
    time.sleep(20)
    asleep = (used() - before) / 1e6
    os.kill(watcher, signal.SIGKILL)
    os.waitpid(watcher, 0)
    return times, asleep

def row(name, values, base):
    low, _, high = statistics.quantiles(values, n=4)
    median = statistics.median(values)
    print(f"| {name} | {median:.2f} ms | {low:.2f} to {high:.2f} | {median / statistics.median(base):.2f} |")

times, asleep = calls()
wholes = {"one process after another": [], "`mam-restore-hook close`": []}
for _ in range(rounds):
    for name, run in zip(wholes, (one_by_one, by_hook)):
        wholes[name].append(run())
print(f"{said([herdr, '--version']).decode().strip()}, {events} calls, {rounds} runs of {PANES} panes\n")
print("| | median | quartiles | of the first |\n|---|---|---|---|")
for group in (times, wholes):
    for name, values in group.items():
        row(name, values, next(iter(group.values())))
print(f"\nThe watcher of {PANES} panes used {asleep:.1f} ms of a processor in 20 s in which nothing happened.")
PYTHON
