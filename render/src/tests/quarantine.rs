//! What is left out when herdr refuses, with a judge that refuses by rule and names places as herdr does.

use mam_share::excerpt::Position;

use crate::leave_out::LeftOut;
use crate::node::{NodePath, Step};
use crate::overlay::NoOverlay;
use crate::setting::{Setting, Source};
use crate::settle::{Draft, Settled, settle};
use crate::syntax::Config;
use crate::verdict::{Place, Verdict};

/// `text` with its comments blanked out, every byte in its place.
fn live(text: &str) -> String {
    let blank = |line: &str| " ".repeat(line.len() - 1) + "\n";
    let line = |line: &str| if line.starts_with('#') { blank(line) } else { line.to_owned() };
    text.split_inclusive('\n').map(line).collect()
}

fn rejected(text: &str, offset: usize) -> Verdict {
    let Position { line, column } = Position::of(text, offset);
    Verdict::Rejected { position: Some(Place { line, column }), reason: "no".to_owned() }
}

fn accepted() -> Verdict {
    Verdict::Accepted(Vec::new())
}

/// Refuses the first of `words` that stands in the text outside of comments, at its place.
fn refuse(words: &'static [&'static str]) -> impl FnMut(&str) -> Verdict {
    move |text| {
        let live = live(text);
        match words.iter().filter_map(|word| live.find(word)).min() {
            None => Verdict::Accepted(Vec::new()),
            Some(offset) => rejected(&live, offset),
        }
    }
}

fn run(text: &str, more: &[Setting], judge: &mut dyn FnMut(&str) -> Verdict) -> Settled {
    let settings: Vec<Setting> = std::iter::once(Setting::restore_off()).chain(more.to_vec()).collect();
    let config = &Config::new(text);
    let draft = Draft { config, settings: &settings, left_out: &[], remembered: &[], banner: Some("mam") };
    settle(draft, judge).unwrap()
}

fn names(settled: &Settled) -> Vec<String> {
    settled.quarantined.iter().map(|item| item.path.to_string()).collect()
}

#[test]
fn the_smallest_piece_at_the_place_goes() {
    let rows: &[(&str, &[&str])] = &[
        ("[ui]\nsidebar_width = BAD\nx = 1\n", &["ui.sidebar_width"]),
        ("ui.toast.delivery = BAD\nui.x = 1\n", &["ui.toast.delivery"]),
        ("k = [{ a = 1, t = BAD }, { a = 2 }]\n", &["k[0].t"]),
        ("k = [[1, 2], [BAD]]\n", &["k[1][0]"]),
        ("k = { a = { b = BAD, c = 1 } }\n", &["k.a.b"]),
        ("[[k.c]]\na = 1\n[[k.c]]\nt = BAD\n", &["k.c[1].t"]),
        ("[[k.c]]\na = 1\n[[ k.BAD ]]\n", &["k._BAD_[0]"]),
        ("a = [\n  1,\n  BAD,\n]\n", &["a[1]"]),
        ("a = BAD\nb = BAD\n[c]\nd = BAD\ne = 1\n", &["a", "b", "c.d"]),
    ];
    for (text, expected) in rows {
        let text = text
            .replace("k.BAD", "k.'_BAD_'")
            .replace("= BAD", "= '_BAD_'")
            .replace("[BAD", "['_BAD_'")
            .replace("  BAD", "  '_BAD_'");
        let settled = run(&text, &[], &mut refuse(&["'_BAD_'"]));
        assert_eq!(names(&settled), *expected, "{text}");
        assert!(matches!(settled.verdict, Verdict::Accepted(_)) && !settled.is_minimal, "{text}");
    }
}

#[test]
fn a_piece_that_is_refused_for_another_reason_takes_its_table_with_it() {
    // Once `t` is gone, herdr misses it and points at the table's header.
    let mut judge = |text: &str| {
        let live = live(text);
        match live.find("'bad'").or_else(|| live.find("[[k]]").filter(|_| !live.contains("t ="))) {
            Some(offset) => rejected(&live, offset),
            None => Verdict::Accepted(Vec::new()),
        }
    };
    let settled = run("x = 1\n[[k]]\nt = 'bad'\nu = 2\n", &[], &mut judge);
    assert_eq!(names(&settled), ["k[0]"]);
    assert!(settled.overlay.text.contains("\nx = 1\n"));
}

#[test]
fn an_error_without_a_place_costs_only_what_causes_it() {
    for position in [None, Some(Place { line: 1, column: 1 }), Some(Place { line: 99, column: 1 })] {
        let mut judge = |text: &str| {
            let bad = text.lines().any(|line| line.starts_with("bad"));
            if bad {
                Verdict::Rejected { position, reason: "no".to_owned() }
            } else {
                Verdict::Accepted(Vec::new())
            }
        };
        let settled = run("a = 1\nbad = 2\n[c]\nd = 1\n", &[], &mut judge);
        assert_eq!(names(&settled), ["bad"], "{position:?}");
        let settled = run("a = 1\n[c]\nbad = 2\nd = 1\n", &[], &mut judge);
        assert_eq!(names(&settled), ["c.bad"], "{position:?}");
        assert!(settled.overlay.text.contains("\na = 1\n") && settled.overlay.text.contains("\nd = 1\n"));
    }
}

#[test]
fn many_errors_without_a_place_are_all_found() {
    let mut judge = |text: &str| {
        let is_bad = text.lines().any(|line| line.starts_with("bad"));
        let refusal = Verdict::Rejected { position: None, reason: "no".to_owned() };
        if is_bad { refusal } else { accepted() }
    };
    let tables: Vec<String> = (0..30).map(|number| format!("[t{number}]\nbad = 1\ngood = 2\n")).collect();
    let settled = run(&tables.concat(), &[], &mut judge);
    let expected: Vec<String> = (0..30).map(|number| format!("t{number}.bad")).collect();
    assert_eq!(names(&settled), expected);
}

#[test]
fn an_error_at_the_header_of_a_table_costs_only_the_value_that_causes_it() {
    let rows: &[(&str, &[&str])] = &[
        ("[t]\na = 1\nb = 'bad'\nc = 2\n[u]\nd = 1\n", &["t.b"]),
        ("[t]\na = 1\n[t.u]\nb = 'bad'\nc = { d = 1, e = 'bad' }\n", &["t.u.b", "t.u.c.e"]),
        ("[[t]]\na = 1\n[[t]]\nb = 'bad'\nc = [1, 'bad']\n", &["t[1].b", "t[1].c[1]"]),
    ];
    for (text, expected) in rows {
        let mut judge = |text: &str| {
            let live = live(text);
            let header = |offset: usize| live.get(..offset).unwrap().rfind("\n[").unwrap() + 1;
            live.find("'bad'").map_or(Verdict::Accepted(Vec::new()), |offset| rejected(&live, header(offset)))
        };
        let settled = run(text, &[], &mut judge);
        assert_eq!(names(&settled), *expected, "{text}");
    }
}

#[test]
fn a_setting_of_ours_that_herdr_refuses_is_dropped_but_never_the_one_that_matters() {
    let kept = Setting::new("theme.name".parse().unwrap(), "'BAD'", Source::Kept).unwrap();
    let settled = run("x = 1\n", std::slice::from_ref(&kept), &mut refuse(&["'BAD'"]));
    assert_eq!(settled.dropped, [(kept, "no".to_owned())]);
    assert!(settled.overlay.text.contains("resume_agents_on_restore = false"));

    let settled = run("x = 1\n", &[], &mut refuse(&["resume_agents_on_restore"]));
    assert!(settled.is_minimal && matches!(settled.verdict, Verdict::Rejected { .. }));
    assert!(settled.overlay.text.contains("resume_agents_on_restore = false"));
}

#[test]
fn a_setting_of_ours_that_herdr_refuses_without_a_place_costs_nothing_of_the_users() {
    let setting = |text: &str| Setting::new(text.parse().unwrap(), "'BAD'", Source::Command).unwrap();
    let good = Setting::new("a".parse().unwrap(), "1", Source::Kept).unwrap();
    let mut judge = |text: &str| {
        let position = None;
        let is_bad = text.contains("'BAD'");
        if is_bad { Verdict::Rejected { position, reason: "no".to_owned() } } else { accepted() }
    };
    let settled = run("x = 1\n", &[setting("ui.x"), good.clone()], &mut judge);
    let dropped: Vec<String> = settled.dropped.iter().map(|(setting, _)| setting.path.to_string()).collect();
    assert_eq!((dropped, names(&settled)), (vec!["ui.x".to_owned()], Vec::new()));
    assert_eq!(settled.settings, [Setting::restore_off(), good]);
}

#[test]
fn a_setting_of_ours_that_stands_where_herdr_points_comes_back() {
    // Herdr points at the header for a value in a table below it.
    let mut judge = |text: &str| {
        let live = live(text);
        let header = live.find("[t]").unwrap_or_default();
        live.find("'bad'").map_or_else(accepted, |_| rejected(&live, header))
    };
    let ours = Setting::new("t.x".parse().unwrap(), "1", Source::Command).unwrap();
    let settled = run("[t.u]\na = 'bad'\nb = 1\n", std::slice::from_ref(&ours), &mut judge);
    assert_eq!((names(&settled), settled.dropped), (vec!["t.u.a".to_owned()], Vec::new()));
    assert_eq!(settled.settings, [Setting::restore_off(), ours]);
}

#[test]
fn a_herdr_that_refuses_everything_gets_the_minimal_overlay() {
    let mut judge = |text: &str| {
        if text.contains("x = 1") {
            Verdict::Rejected { position: None, reason: "no".to_owned() }
        } else {
            Verdict::Accepted(Vec::new())
        }
    };
    let settled = run("x = 1\n", &[], &mut judge);
    assert!(settled.is_minimal && matches!(settled.verdict, Verdict::Accepted(_)));
}

#[test]
fn when_nobody_can_be_asked_what_was_refused_before_stays_out() {
    let remembered = LeftOut { path: NodePath(vec![Step::Key("x".into())]), reason: "before".into() };
    let settings = [Setting::restore_off()];
    let draft = Draft {
        config: &Config::new("x = 1\ny = 2\n"),
        settings: &settings,
        left_out: &[],
        remembered: std::slice::from_ref(&remembered),
        banner: None,
    };
    let settled = settle(draft, &mut |_| Verdict::Unknown("hangs".into())).unwrap();
    assert_eq!(settled.quarantined, [remembered]);
    assert!(settled.overlay.text.contains("# x = 1\ny = 2\n"));
}

#[test]
fn a_config_that_is_no_toml_is_not_settled() {
    let settings = [Setting::restore_off()];
    let config = &Config::new("[");
    let draft = Draft { config, settings: &settings, left_out: &[], remembered: &[], banner: None };
    let error = settle(draft, &mut |_| panic!("asked")).unwrap_err();
    assert!(matches!(error, NoOverlay::Syntax(_)));
}
