//! The laws. Each panics where it does not hold.

use mam_render::kept;
use mam_render::leave_out::LeftOut;
use mam_render::overlay::{self, Ingredients, Overlay};
use mam_render::record::tree_of;
use mam_render::setting::Setting;
use mam_render::splice;
use mam_render::syntax::Config;
use mam_render::tree::Tree;
use toml_edit::{Item, Table};

/// Renders a config that is a TOML document.
pub fn render(text: &str, settings: &[Setting], left_out: &[LeftOut]) -> Overlay {
    let config = &Config::new(text);
    let ingredients = Ingredients { config, settings, left_out, banner: Some("mam") };
    overlay::render(ingredients).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// An overlay is the config with the settings applied, and nothing else.
pub fn rendered_right(text: &str, settings: &[Setting], left_out: &[LeftOut]) {
    let overlay = render(text, settings, left_out);
    let output = &overlay.text;
    let values = tree_of(output).unwrap_or_else(|| panic!("no TOML: {output}"));
    assert!(overlay::is_off(&values));
    assert_eq!(splice::undo(output, &overlay.splices).as_deref(), Some(text));
    assert_eq!(splice::apply(text, &overlay.splices).as_ref(), Some(output));

    assert_eq!(render(text, settings, left_out), overlay);
    let of_overlay = render(output, settings, &[]);
    assert_eq!(
        tree_of(&of_overlay.text).as_ref(),
        Some(&values),
        "{output}\n-- and again --\n{}",
        of_overlay.text
    );
    let user = tree_of(text).unwrap_or_else(Tree::empty);
    assert_eq!(kept::collect(&[], &values, &values, &user, settings), kept::Reconciled::default());
    assert_read_by_herdr(text, output, settings);
}

/// What herdr's own, older parser reads it still reads.
fn assert_read_by_herdr(text: &str, output: &str, settings: &[Setting]) {
    let reads = |text: &str| text.parse::<toml_of_herdr::Table>();
    let older = |setting: &Setting| reads(&format!("x = {}", setting.text)).is_ok();
    if reads(text).is_ok() && settings.iter().all(older) && !adds_to_header(text) {
        let read = reads(output);
        assert!(read.is_ok(), "herdr cannot read {output}: {read:?}");
    }
}

/// Whether a dotted key adds to a table that a header has made. TOML forbids it; the parsers allow some.
fn adds_to_header(text: &str) -> bool {
    fn any(text: &str, table: &Table) -> bool {
        table.iter().any(|(key, item)| match item {
            Item::None | Item::Value(_) => false,
            Item::Table(inner) => {
                let first = mam_render::node::statements(text, table, key).into_iter().next();
                let first = first.and_then(|first| text.get(first)).unwrap_or_default();
                inner.is_dotted() && first.trim_start().starts_with('[') || any(text, inner)
            }
            Item::ArrayOfTables(tables) => tables.iter().any(|inner| any(text, inner)),
        })
    }
    mam_render::syntax::parse(text).is_ok_and(|document| any(text, document.as_table()))
}
