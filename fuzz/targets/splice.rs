//! Any bytes as a config, with any settings and any nodes left out.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mam_fuzz::case::Case;
use mam_fuzz::laws;

fuzz_target!(|input: &[u8]| {
    let case = Case::of(input);
    if let Some(text) = case.text() {
        laws::rendered_right(text, &case.settings, &case.left_out(text));
    }
});
