//! Random schedules: whatever becomes busy in whatever order, no busy pane is closed.

use mam_share::process::{Process, State};

use super::scene::{BOOT, SHELL, STARTED, Scene, process, seconds};
use crate::mark::mark;

/// A small generator, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn no_mix_of_doubts_ever_closes() {
    let doubts: [fn(&mut Scene); 9] = [
        |scene| scene.processes.push(process(1020, SHELL, "sleep")),
        |scene| scene.processes.push(Process { state: State::Stopped, ..process(1021, SHELL, "vim") }),
        |scene| scene.processes.push(process(1022, 1, "tail")),
        |scene| scene.shell().state = State::Running,
        |scene| scene.shell().foreground = Some(1030),
        |scene| scene.more().terminal.is_canonical = Some(true),
        |scene| scene.more().terminal.last_input = Some(seconds(BOOT + 150)),
        |scene| scene.more().directory = Some("/elsewhere".into()),
        |scene| scene.panes[0].agent = Some("claude".into()),
    ];
    let harmless: [fn(&mut Scene); 4] = [
        |scene| scene.processes.push(process(1040, SHELL, "gitstatusd")),
        |scene| scene.panes.swap(1, 2),
        |scene| scene.named = Some("X".into()),
        |scene| scene.more().start_directory = None,
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..5000 {
        let mut scene = Scene::new();
        scene.now = 101 + random.below(200);
        scene.waited = seconds(random.below(3));
        let mut is_busy = false;
        for change in harmless {
            if random.below(2) == 0 {
                change(&mut scene);
            }
        }
        let lost_start = scene.more().start_directory.is_none();
        for (index, change) in doubts.iter().enumerate() {
            if random.below(6) == 0 && !(index == 7 && lost_start) {
                change(&mut scene);
                is_busy = true;
            }
        }
        // A terminal cannot have been used in the future.
        if scene.now >= 150 || scene.more().terminal.last_input == Some(mark(STARTED)) {
            assert_eq!(scene.short() == "close", !is_busy, "round {round}: {}", scene.short());
        }
    }
}
