//! Any text as herdr's answer to `config check`; behind a NUL, what it said on stderr.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mam_render::verdict::{self, Verdict};

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let (stdout, stderr) = text.split_once('\0').unwrap_or((&text, ""));
    match verdict::read(stdout, stderr) {
        Verdict::Accepted(remarks) => {
            assert!(!stdout.contains("; using defaults"), "a dropped file is no accepted one");
            assert!(remarks.iter().all(|remark| !remark.contains('\u{1b}')));
        }
        Verdict::Rejected { reason, .. } | Verdict::Unknown(reason) => {
            assert!(!reason.contains(['\n', '\u{1b}']), "{reason:?}");
        }
    }
});
