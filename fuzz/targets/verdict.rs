//! Any text as herdr's answer to `config check`; behind a NUL, what it said on stderr.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mam_render::verdict::{self, Verdict};

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let (stdout, stderr) = text.split_once('\0').unwrap_or((&text, ""));
    match verdict::read(stdout, stderr) {
        Verdict::Accepted(remarks) => {
            // In the middle of a line it is what a user wrote, into a key that herdr does not know.
            let is_dropped = |line: &str| line.trim().ends_with("; using defaults");
            let is_error = |line: &str| {
                ["config parse error:", "config read error:"].iter().any(|start| line.starts_with(start))
            };
            assert!(
                !stdout.lines().any(|line| is_dropped(line) || is_error(line)),
                "a dropped file is no accepted one"
            );
            assert!(remarks.iter().all(|remark| !remark.contains('\u{1b}')));
        }
        Verdict::Rejected { reason, .. } | Verdict::Unknown(reason) => {
            assert!(!reason.contains(['\n', '\u{1b}']), "{reason:?}");
        }
    }
});
