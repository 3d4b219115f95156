//! The core at three sizes of config: the time has to grow in proportion to the bytes.
//!
//! `cargo bench`; the throughput column is the one to compare.

use std::fmt;
use std::fmt::Write as _;
use std::hint::black_box;

use divan::Bencher;
use divan::counter::BytesCount;
use mam_render::compose::{Inputs, UserConfig};
use mam_render::freshness;
use mam_render::overlay::{self, Ingredients, Overlay};
use mam_render::record::{Record, Rendering};
use mam_render::setting::{Setting, Source};
use mam_render::site::Site;
use mam_render::syntax::Config;
use mam_render::verdict::Verdict;

/// A config that is mostly comments, as most are.
const USUAL: &str = include_str!("../../docs/bench/config-16k.toml");

fn main() {
    divan::main();
}

/// A config of some size and density.
#[derive(Clone, Copy)]
enum Sample {
    Kilobyte,
    Usual,
    Commands(usize),
}

const CONFIGS: [Sample; 5] = [
    Sample::Kilobyte,
    Sample::Usual,
    // 10 KiB, 100 KiB, 1 MiB.
    Sample::Commands(50),
    Sample::Commands(500),
    Sample::Commands(5_000),
];

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kilobyte => formatter.write_str("1 KiB"),
            Self::Usual => formatter.write_str("16 KiB"),
            Self::Commands(count) => write!(formatter, "{count} commands"),
        }
    }
}

impl Sample {
    fn text(self) -> String {
        match self {
            Self::Kilobyte => USUAL.split_inclusive('\n').scan(0, up_to_a_kilobyte).collect(),
            Self::Usual => USUAL.to_owned(),
            Self::Commands(count) => commands(count),
        }
    }
}

fn up_to_a_kilobyte<'a>(length: &mut usize, line: &'a str) -> Option<&'a str> {
    *length += line.len();
    (*length <= 1024).then_some(line)
}

/// Tables of commands, each of about 210 bytes.
fn commands(count: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "[[keys.command]]\n# The command with the number {number:05}, and a comment as people write them.\n\
             key = \"prefix+alt+{number:05}\"\ncommand = \"echo 'one of many' && sleep {number:05}\"\n\
             type = \"shell\"\ndescription = \"number {number:05}\"\n\n"
        );
    }
    text
}

fn settings() -> Vec<Setting> {
    let more = [("ui.sidebar_width", "30"), ("theme.name", "\"nord\""), ("onboarding", "false")];
    let more = more.into_iter().map(|(path, value)| {
        Setting::new(path.parse().expect("a path"), value, Source::Command).expect("a value")
    });
    std::iter::once(Setting::restore_off()).chain(more).collect()
}

fn overlay_of(text: &str, settings: &[Setting]) -> Overlay {
    let config = &Config::new(text);
    let ingredients = Ingredients { config, settings, left_out: &[], banner: Some("a benchmark") };
    overlay::render(ingredients).expect("a proved overlay")
}

/// Parse, splice, parse again, prove.
#[divan::bench(args = CONFIGS)]
fn render(bencher: Bencher<'_, '_>, config: Sample) {
    let (text, settings) = (config.text(), settings());
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| overlay_of(black_box(&text), &settings));
}

/// What a run does that finds nothing to do, but for reading the files: the record is read and
/// compared with what is there.
#[divan::bench(args = CONFIGS)]
fn unchanged(bencher: Bencher<'_, '_>, config: Sample) {
    let text = config.text();
    let overlay = overlay_of(&text, &[Setting::restore_off()]).text;
    let site = Site {
        config: "/home/someone/.config/herdr/config.toml".into(),
        overlay: "/home/someone/.config/herdr/config.mam.toml".into(),
        record: "/home/someone/.local/state/mam/overlays/0.record".into(),
        lock: "/home/someone/.local/state/mam/overlays/0.lock".into(),
        moved_because: None,
    };
    let rendering = Rendering {
        by: "1".to_owned(),
        user: Some(text.clone()),
        managed: Vec::new(),
        text: overlay.clone(),
        kept: Vec::new(),
        quarantined: Vec::new(),
        dropped: Vec::new(),
        is_minimal: false,
        herdr: None,
        verdict: Verdict::Accepted(Vec::new()),
    };
    let record = Record::to_bytes(&site.overlay, &site.config, &rendering).expect("a record");
    let length = text.len();
    let user = UserConfig::Text(Config::new(text));
    bencher.counter(BytesCount::new(length)).bench_local(|| {
        let rendering = Record::rendering_in(black_box(record.clone())).expect("a record");
        let last = Some(&rendering);
        let inputs = Inputs {
            site: &site,
            user: &user,
            managed: &[],
            last,
            present: Some(&overlay),
            herdr: None,
            by: "1",
        };
        assert!(freshness::reasons(inputs).is_empty());
    });
}
