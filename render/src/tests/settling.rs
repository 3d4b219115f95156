//! What holds when an overlay settles with any herdr: it ends, it is off, and no more is left out than
//! has to be.

use std::collections::BTreeSet;

use mam_share::excerpt::Position;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use toml_edit::{Item, TableLike, Value};

use super::documents;
use crate::leave_out::LeftOut;
use crate::overlay::{self, Ingredients};
use crate::record::tree_of;
use crate::setting::Setting;
use crate::settle::{Draft, Settled, settle};
use crate::syntax;
use crate::syntax::Config;
use crate::verdict::{Place, Verdict};

/// The most that herdr may be asked: until it accepts, and to put back.
const MOST_QUESTIONS: usize = 401;

/// So many that there may have been none left to put back everything.
const MANY_QUESTIONS: usize = 200;

/// What a herdr dislikes, and where it says that it is.
#[derive(Clone, Debug)]
struct Rule {
    keys: BTreeSet<String>,
    dislikes: Dislike,
    points_at: Pointer,
}

#[derive(Clone, Copy, Debug)]
enum Dislike {
    Nothing,
    Strings,
    Arrays,
    InlineTables,
    Integers,
}

#[derive(Clone, Copy, Debug)]
enum Pointer {
    Value,
    Key,
    LastHeader,
    Nowhere,
    Wrong(usize, usize),
}

fn rule() -> impl Strategy<Value = Rule> {
    let keys = select(&["a", "b", "c", "ui", "session", "a b", ""][..]).prop_map(str::to_owned);
    let dislikes =
        [Dislike::Nothing, Dislike::Strings, Dislike::Arrays, Dislike::InlineTables, Dislike::Integers];
    let points_at = prop_oneof![
        3 => Just(Pointer::Value),
        1 => Just(Pointer::Key),
        1 => Just(Pointer::LastHeader),
        1 => Just(Pointer::Nowhere),
        1 => (0..9_usize, 0..20_usize).prop_map(|(line, column)| Pointer::Wrong(line, column)),
    ];
    (prop::collection::btree_set(keys, 0..3), select(dislikes.to_vec()), points_at)
        .prop_map(|(keys, dislikes, points_at)| Rule { keys, dislikes, points_at })
}

impl Rule {
    fn judge(&self, text: &str) -> Verdict {
        let document = syntax::parse(text).unwrap();
        let mut offences = Vec::new();
        self.collect(document.as_table(), &mut offences);
        let Some((key, value)) = offences.into_iter().min() else { return Verdict::Accepted(Vec::new()) };
        let place = |offset: usize| {
            let Position { line, column } = Position::of(text, offset);
            Place { line, column }
        };
        let header = || text.get(..key).unwrap().rfind("\n[").map_or(0, |at| at + 1);
        let position = match self.points_at {
            Pointer::Value => Some(place(value)),
            Pointer::Key => Some(place(key)),
            Pointer::LastHeader => Some(place(header())),
            Pointer::Nowhere => None,
            Pointer::Wrong(line, column) => Some(Place { line, column }),
        };
        Verdict::Rejected { position, reason: "no".to_owned() }
    }

    /// The places of all keys and values that this herdr refuses.
    fn collect(&self, table: &dyn TableLike, offences: &mut Vec<(usize, usize)>) {
        for (key, item) in table.iter() {
            let at = table.key(key).and_then(toml_edit::Key::span).unwrap().start;
            let value = item.span().map_or(at, |span| span.start);
            if self.keys.contains(key) {
                offences.push((at, value));
            }
            match item {
                Item::None => {}
                Item::Value(inner) => self.collect_value(inner, at, offences),
                Item::Table(inner) => self.collect(inner, offences),
                Item::ArrayOfTables(tables) => {
                    tables.iter().for_each(|inner| self.collect(inner, offences));
                }
            }
        }
    }

    fn collect_value(&self, value: &Value, key: usize, offences: &mut Vec<(usize, usize)>) {
        let is_disliked = match self.dislikes {
            Dislike::Nothing => false,
            Dislike::Strings => value.is_str(),
            Dislike::Arrays => value.is_array(),
            Dislike::InlineTables => value.as_inline_table().is_some_and(|table| !table.is_dotted()),
            Dislike::Integers => value.is_integer(),
        };
        if is_disliked {
            offences.push((key, value.span().unwrap().start));
        }
        if let Some(table) = value.as_inline_table() {
            self.collect(table, offences);
        }
        for inner in value.as_array().into_iter().flatten() {
            self.collect_value(inner, key, offences);
        }
    }
}

fn render(text: &str, settings: &[Setting], left_out: &[LeftOut]) -> String {
    overlay::render(Ingredients { config: &Config::new(text), settings, left_out, banner: None })
        .unwrap()
        .text
}

fn run(
    text: &str,
    settings: &[Setting],
    remembered: &[LeftOut],
    judge: &mut dyn FnMut(&str) -> Verdict,
) -> Result<(Settled, usize), TestCaseError> {
    let config = &Config::new(text);
    let draft = Draft { config, settings, left_out: &[], remembered, banner: None };
    let mut questions = 0;
    let settled = settle(draft, &mut |text| {
        questions += 1;
        judge(text)
    });
    prop_assert!(questions <= MOST_QUESTIONS, "{questions} questions");
    let settled = settled.map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    prop_assert!(overlay::is_off(&tree_of(&settled.overlay.text).unwrap()));
    if !settled.is_minimal {
        let is_refused = matches!(settled.verdict, Verdict::Rejected { .. });
        prop_assert!(!is_refused);
        prop_assert_eq!(&settled.overlay.text, &render(text, &settled.settings, &settled.quarantined));
    }
    Ok((settled, questions))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_left_out_that_herdr_would_have_read(
        text in documents::document(),
        settings in documents::settings(),
        rule in rule(),
    ) {
        let (settled, questions) = run(&text, &settings, &[], &mut |text| rule.judge(text))?;
        let is_refused = |text: &str| matches!(rule.judge(text), Verdict::Rejected { .. });
        if settled.is_minimal {
            // Not even the setting that matters is read.
            prop_assert!(is_refused(&render("", &[Setting::restore_off()], &[])));
            return Ok(());
        }
        // A config with that many faults may lose more than it has to.
        prop_assume!(questions < MANY_QUESTIONS);
        for index in 0..settled.quarantined.len() {
            let mut fewer = settled.quarantined.clone();
            let piece = fewer.remove(index);
            let fuller = render(&text, &settled.settings, &fewer);
            prop_assert!(is_refused(&fuller), "{} could have stayed in\n{}", piece.path, settled.overlay.text);
        }
        for (setting, _) in &settled.dropped {
            let more: Vec<Setting> = settled.settings.iter().chain([setting]).cloned().collect();
            let fuller = render(&text, &more, &settled.quarantined);
            prop_assert!(is_refused(&fuller), "{} could have stayed in\n{}", setting.path, settled.overlay.text);
        }
    }

    #[test]
    fn a_herdr_that_follows_no_rule_does_no_harm(
        text in documents::document(),
        settings in documents::settings(),
        remembered in documents::picks(),
        answers in prop::collection::vec((0..5_usize, 0..9_usize, 0..20_usize), 1..30),
        tired: Index,
    ) {
        let remembered = documents::picked(&text, &remembered);
        let tired = tired.index(100);
        let mut asked = 0;
        run(&text, &settings, &remembered, &mut |_| {
            let (kind, line, column) = answers[asked % answers.len()];
            asked += 1;
            match kind {
                _ if asked == tired => Verdict::Unknown("tired".to_owned()),
                0 => Verdict::Accepted(Vec::new()),
                1 => Verdict::Rejected { position: None, reason: String::new() },
                _ => Verdict::Rejected { position: Some(Place { line, column }), reason: String::new() },
            }
        })?;
    }
}
