//! Each shape of user config, with the overlay to the byte.

use crate::leave_out::LeftOut;
use crate::node::{NodePath, Step};
use crate::overlay::{self, Ingredients};
use crate::setting::{self, Setting, Source};
use crate::syntax::Config;

fn settings(assignments: &[&str]) -> Vec<Setting> {
    let parsed = assignments.iter().map(|text| {
        let (path, value) = setting::parse_assignment(text).unwrap();
        Setting::new(path, &value, Source::Command).unwrap()
    });
    std::iter::once(Setting::restore_off()).chain(parsed).collect()
}

fn path(text: &str) -> NodePath {
    let step = |word: &str| word.parse().map_or_else(|_| Step::Key(word.to_owned()), Step::Index);
    NodePath(text.split('/').map(step).collect())
}

#[track_caller]
fn check_all(input: &str, assignments: &[&str], left_out: &[&str], expected: &str) {
    let left_out: Vec<LeftOut> =
        left_out.iter().map(|text| LeftOut { path: path(text), reason: "why".to_owned() }).collect();
    let settings = settings(assignments);
    let config = &Config::new(input);
    let ingredients = Ingredients { config, settings: &settings, left_out: &left_out, banner: None };
    match overlay::render(ingredients) {
        Ok(overlay) => assert_eq!(overlay.text, expected, "\ninput: {input:?}"),
        Err(error) => panic!("{error:?}\ninput: {input:?}"),
    }
}

#[track_caller]
fn check(input: &str, expected: &str) {
    check_all(input, &[], &[], expected);
}

#[test]
fn nothing_there() {
    check("", "[session]\nresume_agents_on_restore = false\n");
    check("# only\n", "# only\n\n[session]\nresume_agents_on_restore = false\n");
    check("# only", "# only\n\n[session]\nresume_agents_on_restore = false");
    check("\u{feff}", "\u{feff}[session]\nresume_agents_on_restore = false\n");
    check("x = 1\r\n", "x = 1\r\n\r\n[session]\r\nresume_agents_on_restore = false\r\n");
    check(
        "\u{feff}x = 1\r\ny = 2",
        "\u{feff}x = 1\r\ny = 2\r\n\r\n[session]\r\nresume_agents_on_restore = false",
    );
}

#[test]
fn a_session_table_gets_the_key_behind_its_header() {
    let commented = "[session]\n# resume_agents_on_restore = true\n\n[ui]\n";
    check(
        commented,
        "[session]\nresume_agents_on_restore = false\n# resume_agents_on_restore = true\n\n[ui]\n",
    );
    for header in ["[ session ]", "[\"session\"]", "['session'] # note", "\t[session]\t"] {
        check(&format!("{header}\nx = 1\n"), &format!("{header}\nresume_agents_on_restore = false\nx = 1\n"));
        check(header, &format!("{header}\nresume_agents_on_restore = false"));
    }
    check("a=1\n[session]\r\n[ui]\r\n", "a=1\n[session]\r\nresume_agents_on_restore = false\n[ui]\r\n");
}

#[test]
fn a_value_is_replaced_and_nothing_beside_it() {
    let rows = [
        "[session]\nresume_agents_on_restore = @  # keep me\n",
        "session.resume_agents_on_restore = @\n[ui]\nx = 1\n",
        "\"session\" . 'resume_agents_on_restore'=@",
        "session = { resume_agents_on_restore = @, x = 1 }\n",
        "\u{feff}[session]\r\n  resume_agents_on_restore\t=\t@\r\n",
    ];
    for row in rows {
        for value in ["true", "\"false\"", "[1, # x\n2]", "{ a = 1 }", "'''\ntrue'''", "false"] {
            check(&row.replace('@', value), &row.replace('@', "false"));
        }
    }
}

#[test]
fn dotted_and_inline_tables_stay_what_they_are() {
    check(
        "a = 1\nsession.startup_per_agent_delay_ms = 5\nb = 2\n",
        "a = 1\nsession.resume_agents_on_restore = false\nsession.startup_per_agent_delay_ms = 5\nb = 2\n",
    );
    check("session.a.b = 5\n", "session.resume_agents_on_restore = false\nsession.a.b = 5\n");
    check("session = {}\n", "session = { resume_agents_on_restore = false }\n");
    check("session = { }\n", "session = { resume_agents_on_restore = false }\n");
    check("session = {x=1}\n", "session = { resume_agents_on_restore = false, x=1}\n");
    check("session = { x = 1 } # c\n", "session = { resume_agents_on_restore = false, x = 1 } # c\n");
    check("session = { a.b = 1 }\n", "session = { resume_agents_on_restore = false, a.b = 1 }\n");
}

#[test]
fn a_subtable_alone_gets_its_parent_at_the_end() {
    check(
        "[session.extra]\nx = 1\n",
        "[session.extra]\nx = 1\n\n[session]\nresume_agents_on_restore = false\n",
    );
}

#[test]
fn what_cannot_be_a_session_table_makes_room() {
    check("session = 3 # c\n", "session = { resume_agents_on_restore = false } # c\n");
    check("session = [1]\n", "session = { resume_agents_on_restore = false }\n");
    check(
        "[[session]]\nx = [\n1]\n[ui]\n[[session]]\n[session.y]\nz = 1\n",
        "# left out by mam: session: a managed setting takes its place\n# [[session]]\n# x = [\n# 1]\n[ui]\n\
         # [[session]]\n# [session.y]\n# z = 1\n\n[session]\nresume_agents_on_restore = false\n",
    );
    check(
        "[session.resume_agents_on_restore]\nx = 1\n",
        "# left out by mam: session.resume_agents_on_restore: a managed setting takes its place\n\
         # [session.resume_agents_on_restore]\n# x = 1\n\n[session]\nresume_agents_on_restore = false\n",
    );
    check(
        "session.resume_agents_on_restore.x = 1\n",
        "session.resume_agents_on_restore = false\n\
         # left out by mam: session.resume_agents_on_restore: a managed setting takes its place\n\
         # session.resume_agents_on_restore.x = 1\n",
    );
    check(
        "session = { resume_agents_on_restore.x = 1 }\n",
        "# left out by mam: session.resume_agents_on_restore: a managed setting takes its place\n\
         session = { resume_agents_on_restore = false }\n",
    );
}

#[test]
fn lookalikes_are_not_touched() {
    let input = "x = '''\n[session]\nresume_agents_on_restore = true\n'''\n# [session]\n";
    check(input, &format!("{input}\n[session]\nresume_agents_on_restore = false\n"));
    let input =
        "a = 0o17\nb = 1_000\nc = +inf\nd = 1979-05-27T07:32:00Z\ne = \"\\u00e9\"\n'f g' = nan # 日本\n";
    check(input, &format!("{input}\n[session]\nresume_agents_on_restore = false\n"));
    let input =
        "[keys]\na = 1\n[[keys.command]]\nk = 1\n[session]\nx=1\n[ui]\n[[keys.command]]\n[keys.more]\n";
    check(input, &input.replace("[session]\n", "[session]\nresume_agents_on_restore = false\n"));
}

#[test]
fn further_settings_go_into_all_the_shapes() {
    check_all(
        "# c\n[ui]\nx = 1\n",
        &[
            "onboarding=false",
            "ui.sidebar_width=30",
            "ui.toast.delivery=off",
            "ui.toast.n=1",
            "theme.name=nord",
        ],
        &[],
        "onboarding = false\n# c\n[ui]\nsidebar_width = 30\nx = 1\n\n[session]\nresume_agents_on_restore = false\n\
         \n[ui.toast]\ndelivery = \"off\"\nn = 1\n\n[theme]\nname = \"nord\"\n",
    );
    check_all(
        "session = 3\nui = {}\na.b = 1\n",
        &["session.x=1", "session.y.z=2", "ui.x=1", "ui.y.z=2", "a.c.d=3"],
        &[],
        "session = { resume_agents_on_restore = false, x = 1, y.z = 2 }\nui = { x = 1, y.z = 2 }\na.c.d = 3\na.b = 1\n",
    );
    check_all(
        "[a]\nt = { u = { v = 1 }, w.x = 2 }\n",
        &["a.t.u.new=1", "a.t.w.x=3", "a.t.w.y=4", "a.t.u.v=5"],
        &[],
        "[a]\nt = { w.y = 4, u = { new = 1, v = 5 }, w.x = 3 }\n\n[session]\nresume_agents_on_restore = false\n",
    );
}

#[test]
fn room_that_a_later_setting_makes_leaves_no_comma_behind() {
    check_all(
        "ui = { a.b = 1 }\n",
        &["ui.x=1", "ui.a=2"],
        &[],
        "# left out by mam: ui.a: a managed setting takes its place\nui = { x = 1, a = 2 }\n\
         \n[session]\nresume_agents_on_restore = false\n",
    );
}

#[test]
fn statements_are_left_out_as_comments() {
    check_all(
        "[ui]\nsidebar_width = \"wide\" # n\nb = [\n  1,\n]\n",
        &[],
        &["ui/sidebar_width", "ui/b"],
        "[ui]\n# left out by mam: ui.sidebar_width: why\n# sidebar_width = \"wide\" # n\n\
         # left out by mam: ui.b: why\n# b = [\n#   1,\n# ]\n\n[session]\nresume_agents_on_restore = false\n",
    );
    check_all(
        "[[k.c]]\na = 1\n[k.c.d]\n[z]\n[[k.c]]\na = 2\n",
        &[],
        &["k/c/0"],
        "# left out by mam: k.c[0]: why\n# [[k.c]]\n# a = 1\n# [k.c.d]\n[z]\n[[k.c]]\na = 2\n\
         \n[session]\nresume_agents_on_restore = false\n",
    );
    check_all(
        "\u{feff}session = { x = 1 }\r\n",
        &[],
        &["session"],
        "\u{feff}# left out by mam: session: why\r\n# session = { x = 1 }\r\n\r\n[session]\r\nresume_agents_on_restore = false\r\n",
    );
}

#[test]
fn entries_are_cut_with_one_comma() {
    let tail = "\n[session]\nresume_agents_on_restore = false\n";
    let rows: &[(&str, &[&str], &str)] = &[
        ("x = [1, 2, 3]", &["x/0"], "x = [ 2, 3]"),
        ("x = [1, 2, 3]", &["x/1"], "x = [1, 3]"),
        ("x = [1, 2, 3,]", &["x/2"], "x = [1, 2,]"),
        ("x = [1, 2, 3]", &["x/0", "x/1"], "x = [ 3]"),
        ("x = [1, 2, 3]", &["x/0", "x/2"], "x = [ 2]"),
        ("x = [1,]", &["x/0"], "x = []"),
        ("x = [{ a = 1, b = 2 }, { a = 3 }]", &["x/0/b"], "x = [{ a = 1 }, { a = 3 }]"),
        ("x = [{ a = 1, b = 2 }, { a = 3 }]", &["x/1/a"], "x = [{ a = 1, b = 2 }, { }]"),
        ("x = [[1, [2]], 3]", &["x/0/1/0", "x/1"], "x = [[1, []]]"),
        ("x = { 'a,b'.c = 1, d = 2 }", &["x/a,b"], "x = { d = 2 }"),
    ];
    for (input, left_out, expected) in rows {
        let settings = settings(&[]);
        let left_out: Vec<LeftOut> =
            left_out.iter().map(|text| LeftOut { path: path(text), reason: "why".to_owned() }).collect();
        let config = Config::new(format!("{input}\n"));
        let overlay = overlay::render(Ingredients {
            config: &config,
            settings: &settings,
            left_out: &left_out,
            banner: None,
        });
        let overlay = overlay.unwrap_or_else(|error| panic!("{input}: {error:?}")).text;
        let without_notes: String =
            overlay.split_inclusive('\n').filter(|line| !line.starts_with("# left out")).collect();
        assert_eq!(without_notes, format!("{expected}\n{tail}"), "{input}");
        assert!(overlay.starts_with("# left out by mam: "), "{overlay}");
    }
    check_all(
        "session = { x = 1, resume_agents_on_restore = true }\n",
        &[],
        &["session/x", "session/resume_agents_on_restore"],
        "# left out by mam: session.x: why\n# left out by mam: session.resume_agents_on_restore: why\n\
         session = { resume_agents_on_restore = false }\n",
    );
}

#[test]
fn a_banner_is_the_first_line() {
    let settings = settings(&["onboarding=false"]);
    let config = Config::new("\u{feff}x = 1\r\n");
    let ingredients =
        Ingredients { config: &config, settings: &settings, left_out: &[], banner: Some("by mam") };
    let overlay = overlay::render(ingredients).unwrap();
    assert!(
        overlay.text.starts_with("\u{feff}# by mam\r\nonboarding = false\r\nx = 1\r\n"),
        "{}",
        overlay.text
    );
}
