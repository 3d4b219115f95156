//! What holds for every command line: nothing but selectors and prompts ever goes, twice is once.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;

use super::session_argv::{conversation, kinds};
use crate::session::argv::{launch_argv, resume_argv};
use crate::session::kind::{Kind, Positional, Role, Takes};
use crate::session::kinds::Kinds;
use crate::session::reading::{self, What};

static KINDS: LazyLock<Kinds> = LazyLock::new(kinds);

/// Any bytes that an argument may have.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(1..=255u8, 0..8),
        prop::sample::select(vec![
            "", "-", "--", "-c", "--resume", "resume", "it's", "$HOME", "a b", "\n", "="
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

/// A word that no agent takes for an option.
fn word() -> impl Strategy<Value = OsString> {
    bytes().prop_map(|mut bytes| {
        if bytes.first() == Some(&b'-') {
            bytes.insert(0, b'w');
        }
        OsString::from_vec(bytes)
    })
}

/// Numbers that choose options of a kind, and values for them.
type Choice = (usize, usize, OsString, OsString, bool);

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    let any_value = bytes().prop_map(OsString::from_vec);
    vec((any::<usize>(), any::<usize>(), any_value, word(), any::<bool>()), 0..12)
}

/// An option of the kind with its values, and whether it stays.
fn option(kind: &Kind, (which, name, any, word, is_inline): &Choice) -> Option<(bool, Vec<OsString>)> {
    let usable: Vec<_> = kind.options.iter().filter(|(role, _)| *role != Role::Once).collect();
    let (role, form) = usable.get(which % usable.len().max(1))?;
    let name = &form.names[name % form.names.len()];
    let inline = |value: &OsString| OsString::from_vec([name.as_bytes(), b"=", value.as_bytes()].concat());
    let words = match form.takes {
        Takes::Nothing => vec![name.into()],
        _ if *is_inline && name.starts_with("--") => vec![inline(any)],
        Takes::One => vec![name.into(), any.clone()],
        Takes::Optional => vec![name.into(), word.clone()],
        Takes::Many | Takes::Any => vec![name.into(), word.clone(), word.clone()],
    };
    Some((*role == Role::Plain, words))
}

proptest! {
    #[test]
    fn every_argument_that_is_no_selector_survives_a_create_and_two_resumes(
        which in 0..17usize,
        choices in choices(),
        prompt in vec(word(), 0..3),
    ) {
        let kinds = &*KINDS;
        let kind = kinds.all().nth(which).unwrap();
        let options: Vec<_> = choices.iter().filter_map(|choice| option(kind, choice)).collect();
        let stays: Vec<OsString> =
            options.iter().filter(|(stays, _)| *stays).flat_map(|(_, words)| words.clone()).collect();
        let mut given = vec![OsString::from(&kind.executable)];
        given.extend(options.into_iter().flat_map(|(_, words)| words));
        let is_prompt = kind.positional == Positional::Prompt;
        if is_prompt && !prompt.is_empty() {
            given.push("--".into());
            given.extend(prompt);
        }
        let launched = launch_argv(&given, kind, "0-UUID").unwrap();
        for word in &given {
            prop_assert!(launched.argv.contains(word));
        }
        let first = resume_argv(&launched.argv, kind, &conversation(kind, "ONE")).unwrap();
        let second = resume_argv(&first, kind, &conversation(kind, "TWO")).unwrap();
        for (argv, id) in [(&first, "ONE"), (&second, "TWO")] {
            let selector: Vec<OsString> =
                kind.resume.iter().map(|word| word.replace("{}", id).into()).collect();
            let expected =
                [vec![OsString::from(&kind.executable)], selector, stays.clone()].concat();
            prop_assert_eq!(argv, &expected);
        }
    }

    #[test]
    fn whatever_stands_there_what_is_kept_is_read_as_before_and_twice_is_once(
        which in 0..17usize,
        words in vec(bytes().prop_map(OsString::from_vec), 0..10),
        choices in choices(),
    ) {
        let kinds = &*KINDS;
        let kind = kinds.all().nth(which).unwrap();
        let mut argv = vec![OsString::from(&kind.executable)];
        let mut words = words.into_iter();
        for choice in &choices {
            argv.extend(option(kind, choice).into_iter().flat_map(|(_, words)| words));
            argv.extend(words.next());
        }
        argv.extend(words);
        let Ok(first) = resume_argv(&argv, kind, &conversation(kind, "ONE")) else { return Ok(()) };
        prop_assert_eq!(&resume_argv(&first, kind, &conversation(kind, "ONE")), &Ok(first.clone()));
        let kept = |argv: &[OsString]| -> Vec<_> {
            let goes = |what: What| matches!(what, What::Selector | What::Prompt | What::Separator);
            reading::read(&argv[1..], kind).into_iter().filter(|piece| !goes(piece.what)).collect()
        };
        prop_assert_eq!(kept(&argv), kept(&first));
    }
}
