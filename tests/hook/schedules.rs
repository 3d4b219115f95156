//! Random schedules on real processes: while the hook decides, panes become busy, are typed into or change
//! directory at random moments.
//!
//! A round restores panes of one conversation, has the hook close them, and meanwhile gives some of them
//! something to do. Two moments are compared, both written down by the one who knows:
//!
//! - *done*: when an act had its effect. A command makes a mark once it does what it is there for, and the
//!   mark's time counts; of a half-typed line the shell itself has read every key.
//! - *decided*: when the hook wrote (for the last time) that it is about to close, which it does between its
//!   last look and its request. What is taken is the last moment at which the journal was seen without that
//!   line.
//!
//! A pane whose act was done at least [`LOOK`] before the decision must be there at the end: that is a wrong
//! close. An act after that is *crossed*: nothing can take it into account, since the facts were taken
//! already and herdr closes unconditionally. Those are counted and said. A pane with no act must be gone.
//!
//! `MAM_TEST_ROUNDS` sets the number of rounds and `MAM_TEST_SEED` the first schedule.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use mam_share::process::{Kernel as _, kernel};
use serde_json::{Value, json};

use super::rig::{Rig, Saved, set};

on_each_herdr!(no_schedule_closes_a_busy_pane);

/// The longest that the hook's last look takes before it writes what it closes: the process table, every
/// environment, the terminals; in a debug build, on a machine that runs other tests.
const LOOK: Duration = Duration::from_millis(150);

/// Panes of a round that get something to do, and panes that stay as they are.
const ACTORS: usize = 7;
const IDLE: usize = 3;

/// The conversation of all of them.
const CONVERSATION: &str = "same";

/// What a pane is given to do; `{}` is the mark.
const ACTS: [(&str, &str); 12] = [
    ("job", "sleep 300 & : > {}"),
    ("stopped", "bash -c ': > {}; kill -STOP $$'"),
    ("coproc", "coproc sleep 300; : > {}"),
    ("nested", "bash --norc -c ': > {}; exec bash --norc -i'"),
    ("loop", ": > {}; while :; do :; done"),
    ("read", ": > {}; read x"),
    ("disowned", "sleep 300 & disown; : > {}"),
    ("orphan", "(sleep 300 &); : > {}"),
    ("setsid", "setsid -f sleep 300 </dev/null >/dev/null 2>&1; : > {}"),
    ("foreground", ": > {}; sleep 300"),
    ("moved", "cd /; : > {}"),
    ("typed", "rm -rf x"),
];

/// A small generator, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn milliseconds(&mut self, limit: u64) -> Duration {
        Duration::from_millis(self.below(limit))
    }
}

fn number(name: &'static str, default: u64) -> u64 {
    let text = set(name).map(|value| value.into_os_string().into_string().unwrap());
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

#[expect(clippy::disallowed_methods, reason = "compared with the times of files")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// An act of a round.
struct Act {
    kind: &'static str,
    line: String,
    mark: PathBuf,
    pane: String,
    shell: u32,
    after: Duration,
}

/// What was seen of all rounds.
#[derive(Debug, Default)]
struct Seen {
    acts: u32,
    kept: BTreeMap<&'static str, u32>,
    crossed: Vec<(&'static str, i64)>,
    came_too_late: u32,
    idle_closed: usize,
    unmarked: u32,
}

fn no_schedule_closes_a_busy_pane(rig: &mut Rig) {
    let rounds = number("MAM_TEST_ROUNDS", 6);
    let seed = number("MAM_TEST_SEED", 1);
    let mut seen = Seen::default();
    rig.install();
    for round in seed..seed + rounds {
        // Neighbouring seeds are to have nothing in common.
        let mut random = Random((round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        one_round(rig, &mut random, round, &mut seen);
        rig.crash();
    }
    let kept: u32 = seen.kept.values().sum();
    eprintln!(
        "{rounds} rounds from seed {seed}: {} acts, {kept} kept {:?}, {} crossed {:?} (ms after the \
         decision), {} came after the close; {} idle leftovers closed; {} rounds without marks; 0 wrong closes",
        seen.acts,
        seen.kept,
        seen.crossed.len(),
        seen.crossed,
        seen.came_too_late,
        seen.idle_closed,
        seen.unmarked
    );
}

fn one_round(rig: &mut Rig, random: &mut Random, round: u64, seen: &mut Seen) {
    let zsh = PathBuf::from("/usr/bin/zsh");
    if random.below(3) == 0 && zsh.exists() {
        rig.write(".zshrc", "");
        rig.set_shell(&zsh);
    } else {
        rig.set_shell(&rig.path("shell.sh"));
    }
    let cwd = rig.dir("src");
    let mut saved: Vec<Saved> = (0..ACTORS + IDLE)
        .map(|_| Saved { cwd: cwd.clone(), conversation: Some(CONVERSATION.into()) })
        .collect();
    saved.push(Saved { cwd, conversation: None });
    rig.save(&saved);
    rig.start();
    rig.until("all panes are back", || rig.panes().len() == saved.len());
    let ids: Vec<String> = restored(rig);
    assert_eq!(ids.len(), ACTORS + IDLE);
    let shows = wait(rig, random, &ids, seen);
    let acts = acts(rig, random, round, &ids, shows);
    let hooks: Vec<Duration> =
        (0..=random.below(4) / 3).map(|_| Duration::from_millis(400) + random.milliseconds(100)).collect();
    let (decided, typed) = play(rig, &acts, &hooks);

    let left = restored(rig);
    for act in &acts {
        let done = match act.kind {
            "typed" => typed.get(&act.pane).copied(),
            _ => fs_err::metadata(&act.mark).and_then(|mark| mark.modified()).ok(),
        };
        let Some(done) = done else {
            // The pane went before its shell got to it.
            assert!(!left.contains(&act.pane), "round {round}: {} has no effect in {}", act.kind, act.pane);
            seen.came_too_late += 1;
            continue;
        };
        seen.acts += 1;
        if left.contains(&act.pane) {
            *seen.kept.entry(act.kind).or_default() += 1;
            continue;
        }
        let decided = decided.get(&act.pane).unwrap_or_else(|| panic!("{} went without a word", act.pane));
        let before = decided.duration_since(done).unwrap_or_default();
        assert!(
            before < LOOK,
            "round {round}: wrong close of {}: {} was done {before:?} before the decision",
            act.pane,
            act.kind
        );
        let after = done.duration_since(*decided).unwrap_or_default().as_millis();
        let late = i64::try_from(after).unwrap() - i64::try_from(before.as_millis()).unwrap();
        seen.crossed.push((act.kind, late));
    }
    let idle = ids.iter().filter(|id| acts.iter().all(|act| act.pane != **id));
    for id in idle {
        assert!(!left.contains(id), "round {round}: the idle leftover {id} stays");
        seen.idle_closed += 1;
    }
    assert_eq!(rig.panes().iter().filter(|pane| pane["agent_session"].is_null()).count(), 1);
}

/// The ids of the restored shells.
fn restored(rig: &Rig) -> Vec<String> {
    let of = |pane: &Value| (pane["agent_session"]["value"] == CONVERSATION).then(|| pane["pane_id"].clone());
    rig.panes().iter().filter_map(of).map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// Waits for a random stage of the shells' start. Says whether a line that was typed, and is to be seen in no
/// other way, shows from now on. The kernel keeps the access time of a terminal in steps of 8 s: it does from
/// the next step on, and sooner where herdr called the hook at its start and that has marked the terminals;
/// but not before a shell is past its own start, in which it may read answers of the terminal.
fn wait(rig: &Rig, random: &mut Random, ids: &[String], seen: &mut Seen) -> bool {
    let is_marked = becomes(Duration::from_secs(4), || ids.iter().all(|id| rig.is_marked(id)));
    seen.unmarked += u32::from(!is_marked);
    let stage = random.below(4);
    if stage > 0 {
        rig.until("the shells are idle", || ids.iter().all(|id| rig.is_idle(id)));
    }
    if stage > 1 {
        rig.until("the shells are past their start", || ids.iter().all(|id| rig.is_past_its_start(id)));
    }
    if stage > 2 {
        rig.until_reading_shows();
    }
    stage > 2 || stage > 1 && is_marked
}

fn becomes(limit: Duration, is_so: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    while !is_so() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

fn acts(rig: &Rig, random: &mut Random, round: u64, ids: &[String], shows: bool) -> Vec<Act> {
    let mut free: Vec<&String> = ids.iter().collect();
    // The last ones show only on the terminal.
    let kinds = ACTS.len() as u64 - if shows { 0 } else { 2 };
    (0..ACTORS)
        .map(|number| {
            let (kind, line) = ACTS[usize::try_from(random.below(kinds)).unwrap()];
            let pane = free.remove(usize::try_from(random.below(free.len() as u64)).unwrap()).clone();
            let mark = rig.path(&format!("mark-{round}-{number}"));
            let line = line.replace("{}", &mark.to_string_lossy());
            // The hook is called 0.4 to 0.5 s after the first of these moments.
            let after = random.milliseconds(700);
            Act { kind, line, mark, shell: rig.shell(&pane), pane, after }
        })
        .collect()
}

type Times = BTreeMap<String, SystemTime>;

/// Plays the acts while the hook runs. Returns when the hook decided about each pane that it closed, and
/// when half-typed lines were read.
fn play(rig: &Rig, acts: &[Act], hooks: &[Duration]) -> (Times, Times) {
    let is_over = AtomicBool::new(false);
    let typed = Mutex::new(Times::new());
    let clock = Instant::now();
    let pause = |after: Duration| std::thread::sleep(after.saturating_sub(clock.elapsed()));
    let decided = std::thread::scope(|scope| {
        let watch = scope.spawn(|| decisions(rig, &is_over));
        let closers: Vec<_> = hooks
            .iter()
            .map(|after| {
                scope.spawn(move || {
                    pause(*after);
                    rig.close(CONVERSATION);
                })
            })
            .collect();
        let actors: Vec<_> = acts
            .iter()
            .map(|act| {
                let typed = &typed;
                scope.spawn(move || {
                    pause(act.after);
                    if act.kind == "typed" {
                        let read = type_half(rig, act);
                        typed.lock().unwrap().extend(read.map(|read| (act.pane.clone(), read)));
                    } else {
                        let params = json!({"pane_id": act.pane, "text": act.line, "keys": ["enter"]});
                        // A pane that is gone already takes no line.
                        drop(rig.try_ask("pane.send_input", &params));
                    }
                })
            })
            .collect();
        for thread in actors.into_iter().chain(closers) {
            thread.join().unwrap();
        }
        settle(rig, acts);
        is_over.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    });
    (decided, typed.into_inner().unwrap())
}

/// Waits until every act had its effect or its pane is gone, and every close was carried out.
fn settle(rig: &Rig, acts: &[Act]) {
    rig.until("every act is done or its pane gone", || {
        let left = restored(rig);
        acts.iter().all(|act| act.kind == "typed" || act.mark.exists() || !left.contains(&act.pane))
    });
}

/// Types a line without its end; returns when the shell had read all of it.
fn type_half(rig: &Rig, act: &Act) -> Option<SystemTime> {
    let before = kernel().details(act.shell).bytes_read?;
    rig.try_ask("pane.send_text", &json!({"pane_id": act.pane, "text": act.line})).ok()?;
    let wanted = before + act.line.len() as u64;
    let deadline = Instant::now() + Duration::from_secs(20);
    while kernel().details(act.shell).bytes_read? < wanted {
        assert!(Instant::now() < deadline, "the shell of {} reads nothing", act.pane);
        std::thread::sleep(Duration::from_millis(1));
    }
    Some(now())
}

/// Follows the journal until it `is_over`: for each pane the last moment at which nothing there said that it
/// would be closed.
fn decisions(rig: &Rig, is_over: &AtomicBool) -> Times {
    let journal = || rig.read(".local/state/mam/journal.jsonl");
    let mut known = journal().len();
    let (mut decided, mut before) = (Times::new(), now());
    loop {
        let is_last = is_over.load(Ordering::Relaxed);
        let looked = now();
        let text = journal();
        // A line is written whole, but may be read in half.
        let end = text.rfind('\n').map_or(0, |end| end + 1);
        for line in text.get(known.min(end)..end).unwrap_or_default().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            if line["step"] == "closing" {
                decided.insert(line["pane"].as_str().unwrap().to_owned(), before);
            }
        }
        (known, before) = (end, looked);
        if is_last {
            return decided;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
