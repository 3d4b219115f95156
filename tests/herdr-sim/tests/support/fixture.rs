//! Answers that a herdr was seen to give, in `answers/`, and whether another one is of the same form.
//!
//! Everything must be equal, the order of fields included, but for: `{HOME}` and `{HERDR}` in a text; a
//! text `<KIND>`, which stands for any value of that kind; `<KIND:NAME>`, for the same one at each of its
//! places; a text that ends with `…`, for any with that beginning.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::Home;

/// The text of a fixture, with the places of this home.
pub(crate) fn text(home: &Home, name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/herdr-sim/tests/answers");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.replace("{HOME}", home.text("").trim_end_matches('/')).replace("{HERDR}", home.herdr())
}

/// Every way in which `answer` differs from the fixture `NAME.json`.
pub(crate) fn differences(home: &Home, name: &str, answer: &Value) -> Vec<String> {
    let fixture: Value = serde_json::from_str(&text(home, &format!("{name}.json"))).unwrap();
    let mut comparison = Comparison::default();
    comparison.compare(name, &fixture, answer);
    comparison.differences
}

/// Whether the answer of `request` is of the form of a fixture; gives up after a while and says why.
pub(crate) fn expect(home: &Home, name: &str, mut request: impl FnMut() -> Value) {
    let mut last = Vec::new();
    let found = super::wait_or_not(std::time::Duration::from_secs(15), || {
        let answer = request();
        last = differences(home, name, &answer);
        last.push(format!("in {answer}"));
        (last.len() == 1).then_some(())
    });
    assert!(found.is_some(), "{}: {}", home.herdr(), last.join("\n"));
}

#[derive(Default)]
struct Comparison {
    named: BTreeMap<String, Value>,
    differences: Vec<String>,
}

impl Comparison {
    fn compare(&mut self, place: &str, fixture: &Value, answer: &Value) {
        match (fixture, answer) {
            (Value::Object(fixture), Value::Object(answer)) => {
                let (known, found): (Vec<_>, Vec<_>) = (fixture.keys().collect(), answer.keys().collect());
                if known != found {
                    self.differences.push(format!("{place}: {found:?} instead of {known:?}"));
                }
                for (key, known) in fixture {
                    if let Some(found) = answer.get(key) {
                        self.compare(&format!("{place}.{key}"), known, found);
                    }
                }
            }
            (Value::Array(fixture), Value::Array(answer)) => {
                if fixture.len() != answer.len() {
                    let (known, found) = (fixture.len(), answer.len());
                    self.differences.push(format!("{place}: {found} entries instead of {known}"));
                }
                for (index, (known, found)) in fixture.iter().zip(answer).enumerate() {
                    self.compare(&format!("{place}[{index}]"), known, found);
                }
            }
            (Value::String(known), found) if !self.matches(known, found) => {
                self.differences.push(format!("{place}: {found} instead of {known}"));
            }
            (Value::String(_), _) => {}
            (known, found) if known != found => {
                self.differences.push(format!("{place}: {found} instead of {known}"));
            }
            _ => {}
        }
    }

    fn matches(&mut self, known: &str, found: &Value) -> bool {
        let stand_in = known.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let Some(stand_in) = stand_in else {
            let text = found.as_str();
            return match known.strip_suffix('…') {
                Some(start) => text.is_some_and(|text| text.starts_with(start)),
                None => text == Some(known),
            };
        };
        let (kind, name) = stand_in.split_once(':').unwrap_or((stand_in, ""));
        let is_of_kind = match kind {
            "text" => found.as_str().is_some_and(|text| !text.is_empty()),
            "number" => found.is_u64(),
            "flag" => found.is_boolean(),
            "pid" => found.as_u64().is_some_and(|pid| pid > 1),
            "terminal" => found.as_str().is_some_and(|text| text.starts_with("term_")),
            "status" => found.as_str().is_some_and(|text| ["unknown", "idle", "working"].contains(&text)),
            other => panic!("a fixture speaks of <{other}>"),
        };
        let same = self.named.entry(stand_in.to_owned()).or_insert_with(|| found.clone());
        is_of_kind && (name.is_empty() || same == found)
    }
}

#[test]
fn a_difference_of_any_kind_is_seen() {
    let home = Home::new();
    let seen = |known: Value, found: Value| {
        let mut comparison = Comparison::default();
        comparison.compare("", &known, &found);
        !comparison.differences.is_empty()
    };
    let rows = [
        (json!({"a": 1, "b": "x"}), json!({"a": 1, "b": "x"}), false),
        (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1}), true),
        (json!({"a": 1}), json!({"a": 1, "new": 1}), true),
        (json!({"a": 1, "b": 1}), json!({"a": 1}), true),
        (json!({"a": null}), json!({"a": false}), true),
        (json!([1, 2]), json!([1]), true),
        (json!([1]), json!([1, 2]), true),
        (json!([]), json!({}), true),
        (json!("x"), json!("y"), true),
        (json!("x…"), json!("xyz"), false),
        (json!("x…"), json!("y"), true),
        (json!("<pid>"), json!(7), false),
        (json!("<pid>"), json!("7"), true),
        (json!("<text>"), json!(""), true),
        (json!(["<pid:a>", "<pid:a>", "<pid:b>"]), json!([7, 7, 8]), false),
        (json!(["<pid:a>", "<pid:a>"]), json!([7, 8]), true),
        (json!(["<pid>", "<pid>"]), json!([7, 8]), false),
        (json!("<terminal:1>"), json!("w1:p1"), true),
    ];
    for (known, found, expected) in rows {
        assert_eq!(seen(known.clone(), found.clone()), expected, "{known} {found}");
    }
    assert_eq!(differences(&home, "pane-send-input", &json!({"id": "t", "result": {"type": "ok"}})), [""; 0]);
}
