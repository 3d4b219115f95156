//! What holds for any document, any settings and any herdr.

use proptest::prelude::*;
use proptest::sample::Index;

use super::documents;
use crate::kept;
use crate::leave_out::LeftOut;
use crate::overlay::{self, Ingredients, NoOverlay, Overlay};
use crate::record::tree_of;
use crate::setting::Setting;
use crate::splice;
use crate::syntax::Config;
use crate::{syntax, verdict};

fn render(
    text: &str,
    settings: &[Setting],
    left_out: &[LeftOut],
    banner: bool,
) -> Result<Overlay, NoOverlay> {
    let banner = banner.then_some("mam");
    overlay::render(Ingredients { config: &Config::new(text), settings, left_out, banner })
}

/// The input without the bytes that splices replaced, and the output without those they wrote.
fn untouched<'a>(input: &'a str, overlay: &'a Overlay) -> (String, String) {
    let (mut of_input, mut of_output) = (String::new(), String::new());
    let (mut done, mut written) = (0, 0);
    for splice in &overlay.splices {
        of_input.push_str(input.get(done..splice.at.start).unwrap());
        let start = written + (splice.at.start - done);
        of_output.push_str(overlay.text.get(written..start).unwrap());
        done = splice.at.end;
        written = start + splice.new.len();
    }
    of_input.push_str(input.get(done..).unwrap());
    of_output.push_str(overlay.text.get(written..).unwrap());
    (of_input, of_output)
}

fn rendered_right(
    text: &str,
    settings: &[Setting],
    picks: &[Index],
    banner: bool,
) -> Result<(), TestCaseError> {
    let left_out = documents::picked(text, picks);
    let overlay = match render(text, settings, &left_out, banner) {
        Ok(overlay) => overlay,
        Err(error) => return Err(TestCaseError::fail(format!("{error:?} without {left_out:?}"))),
    };
    let output = &overlay.text;
    let values = tree_of(output);
    prop_assert!(values.is_some(), "no TOML: {output}");
    let values = values.unwrap();
    prop_assert!(overlay::is_off(&values));
    prop_assert_eq!(splice::undo(output, &overlay.splices), Some(text.to_owned()));
    let (of_input, of_output) = untouched(text, &overlay);
    prop_assert_eq!(of_input, of_output);

    let again = render(text, settings, &left_out, banner);
    prop_assert_eq!(again, Ok(overlay.clone()));
    let of_overlay = render(output, settings, &[], banner);
    let of_overlay = of_overlay.ok().and_then(|overlay| tree_of(&overlay.text));
    prop_assert_eq!(of_overlay, Some(values.clone()));
    let user = tree_of(text).unwrap();
    let kept = kept::collect(&[], &values, &values, &user, settings);
    prop_assert_eq!(kept, kept::Reconciled::default());
    // What herdr's own, older parser reads it still reads.
    if text.parse::<toml_of_herdr::Table>().is_ok() && !documents::adds_to_header(text) {
        let read = output.parse::<toml_of_herdr::Table>();
        prop_assert!(read.is_ok(), "herdr cannot read {output}: {read:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn an_overlay_is_the_input_with_the_settings_applied_and_nothing_else(
        text in documents::document(),
        settings in documents::settings(),
        picks in documents::picks(),
        banner: bool,
    ) {
        rendered_right(&text, &settings, &picks, banner)?;
    }

    /// The proof compares without making a second tree.
    #[test]
    fn a_tree_is_that_of_a_table_when_it_equals_it(
        one in documents::document(),
        other in documents::document(),
        settings in documents::settings(),
        picks in documents::picks(),
    ) {
        let edited = render(&one, &settings, &documents::picked(&one, &picks), false).unwrap().text;
        for (left, right) in [(&one, &one), (&one, &other), (&one, &edited), (&edited, &one)] {
            let (tree, document) = (tree_of(left).unwrap(), syntax::parse(right).unwrap());
            let is_same = tree == tree_of(right).unwrap();
            prop_assert_eq!(tree.is_of(document.as_table()), is_same, "{}\n--\n{}", left, right);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        drop(syntax::text(&bytes).and_then(|text| syntax::parse(text).map(drop)));
    }

    #[test]
    fn any_answer_of_herdr_is_read(
        head in prop::sample::select(&["", "config: ok\n", "config: issues found\n"][..]),
        line in prop::sample::select(&["", "config parse error:", "config read error:", "; using defaults"][..]),
        place in prop::sample::select(&["", "at line 3, column 4", "at line , column", "at line 99999999999999999999999, column 1"][..]),
        stdout: String,
        stderr: String,
    ) {
        drop(verdict::read(&format!("{head}{line}{place}{stdout}"), &stderr));
        drop(verdict::read(&format!("{head}{stdout}{line}{stderr}{place}"), &stderr));
    }
}
