//! Any config with any herdr to judge it.

#![no_main]

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use libfuzzer_sys::fuzz_target;
use mam_fuzz::case::Case;
use mam_fuzz::laws;
use mam_render::leave_out::LeftOut;
use mam_render::overlay;
use mam_render::record::tree_of;
use mam_render::settle::{Draft, settle};
use mam_render::syntax::Config;
use mam_render::tree::Tree;
use mam_render::verdict::{Place, Verdict};

/// Far more than herdr may be asked about one config.
const MOST_QUESTIONS: usize = 1000;

fn holds(tree: &Tree, word: &str) -> bool {
    match tree {
        Tree::Table { entries, .. } => entries.iter().any(|(key, entry)| key == word || holds(entry, word)),
        Tree::Array { elements, .. } => elements.iter().any(|element| holds(element, word)),
        Tree::String(text) => text == word,
        Tree::Integer(_) | Tree::Float(_) | Tree::Boolean(_) | Tree::Datetime(_) => false,
    }
}

fn place_of(text: &str, word: &str) -> Option<Place> {
    let before = text.get(..text.find(word)?)?;
    let in_line = before.rsplit('\n').next().unwrap_or_default();
    Some(Place { line: before.matches('\n').count() + 1, column: in_line.chars().count() + 1 })
}

fn judge(case: &Case<'_>, text: &str) -> Verdict {
    let reason = "no".to_owned();
    let tree = tree_of(text).unwrap_or_else(|| panic!("no TOML: {text}"));
    if let Some(word) = case.words.iter().find(|word| holds(&tree, word)) {
        return Verdict::Rejected { position: case.place.or_else(|| place_of(text, word)), reason };
    }
    let Some(seed) = case.seed else { return Verdict::Accepted(Vec::new()) };
    let mut hasher = DefaultHasher::new();
    (seed, text).hash(&mut hasher);
    let random = hasher.finish();
    let number = |at: u32, most: usize| usize::from((random >> at) as u8) % most;
    let position = Some(Place { line: number(8, text.lines().count() + 2), column: number(16, 40) });
    match random % 8 {
        0..4 => Verdict::Rejected { position, reason },
        4 => Verdict::Rejected { position: None, reason },
        5 if seed % 16 == 0 => Verdict::Unknown(reason),
        _ => Verdict::Accepted(Vec::new()),
    }
}

fuzz_target!(|input: &[u8]| {
    let case = Case::of(input);
    let Some(text) = case.text().filter(|text| text.len() < 4096) else { return };
    let remembered = case.left_out(text);
    let config = Config::new(text);
    let draft = Draft {
        config: &config,
        settings: &case.settings,
        left_out: &[],
        remembered: &remembered,
        banner: None,
    };
    let mut questions = 0;
    let settled = settle(draft, &mut |text| {
        questions += 1;
        judge(&case, text)
    });
    let settled = settled.unwrap_or_else(|error| panic!("{error:?}"));
    assert!(questions < MOST_QUESTIONS, "{questions}");
    assert!(tree_of(&settled.overlay.text).is_some_and(|tree| overlay::is_off(&tree)));
    assert!(settled.is_minimal || !matches!(settled.verdict, Verdict::Rejected { .. }));
    if settled.is_minimal || case.seed.is_some() || questions > 100 {
        return;
    }
    // Herdr follows a rule: nothing is left out that it would have read.
    for index in 0..settled.quarantined.len() {
        let mut fewer: Vec<LeftOut> = settled.quarantined.clone();
        let piece = fewer.remove(index);
        let overlay = laws::render(text, &settled.settings, &fewer);
        let verdict = judge(&case, &overlay.text);
        assert!(matches!(verdict, Verdict::Rejected { .. }), "{} could have stayed", piece.path);
    }
});
