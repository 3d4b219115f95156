//! The marked block in a profile file: what it says, where it is, putting it in and taking it out.
//! Everything outside of it is the user's, to the byte.

use std::ops::Range;
use std::path::Path;

use mam_share::shell::Shell;

/// How the first line of a block begins, whatever version of mam wrote it.
const BEGIN: &str = "# >>> mam >>>";

/// How the last line begins.
const END: &str = "# <<< mam <<<";

/// Markers that make no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odd {
    /// The line of the marker, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: &'static str,
}

/// The block that has `shell` source `init`, without a line break at its end. A path below `home` is
/// written so that the file may be shared between machines.
pub fn text(shell: Shell, init: &Path, home: Option<&Path>) -> String {
    let below = home.and_then(|home| init.strip_prefix(home).ok());
    let word = match below {
        Some(below) => format!("\"$HOME\"/{}", shell.quote(&below.to_string_lossy())),
        None => shell.quote(&init.to_string_lossy()),
    };
    let line = match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh => format!("if [ -r {word} ]; then . {word}; fi"),
        Shell::Fish => format!("if test -r {word}; source {word}; end"),
    };
    format!("{BEGIN} (by `mam setup`; `mam setup --undo` takes it out)\n{line}\n{END}")
}

/// The block of a file, without the line break behind it.
///
/// # Errors
/// Markers that make no block.
pub fn find(file: &[u8]) -> Result<Option<Range<usize>>, Odd> {
    let mut begin: Option<(usize, usize)> = None;
    let mut found = None;
    let mut start = 0;
    for (index, line) in file.split(|&byte| byte == b'\n').enumerate() {
        let odd = |what| Err(Odd { line: index + 1, what });
        if line.starts_with(BEGIN.as_bytes()) {
            if begin.is_some() || found.is_some() {
                return odd("a block begins here, and there is another one");
            }
            begin = Some((start, index + 1));
        } else if line.starts_with(END.as_bytes()) {
            match begin.take() {
                Some((from, _)) => found = Some(from..start + line.len()),
                None => return odd("a block ends here, and none has begun"),
            }
        }
        start += line.len() + 1;
    }
    match begin {
        Some((_, line)) => Err(Odd { line, what: "a block begins here, and has no end" }),
        None => Ok(found),
    }
}

/// The file with the block at its end. A last line without a line break has none afterwards either.
pub fn insert(file: &[u8], block: &str) -> Vec<u8> {
    if file.is_empty() || file.ends_with(b"\n") {
        [file, block.as_bytes(), b"\n"].concat()
    } else {
        [file, b"\n", block.as_bytes()].concat()
    }
}

/// The file with another block in the place of the one at `range`.
pub fn replace(file: &[u8], range: &Range<usize>, block: &str) -> Vec<u8> {
    [file.get(..range.start).unwrap_or_default(), block.as_bytes(), file.get(range.end..).unwrap_or_default()]
        .concat()
}

/// The file without the block at `range`: what it was before [`insert`], with all that was changed
/// around it since.
pub fn remove(file: &[u8], range: &Range<usize>) -> Vec<u8> {
    let before = file.get(..range.start).unwrap_or_default();
    match file.get(range.end..).unwrap_or_default() {
        [] => before.strip_suffix(b"\n").unwrap_or(before).to_vec(),
        [b'\n', after @ ..] | after => [before, after].concat(),
    }
}

/// The first line of `is` that is not as in `was`, from 1; `None` when they are the same.
pub fn first_difference(is: &[u8], was: &[u8]) -> Option<usize> {
    if is == was {
        return None;
    }
    let lines = |text: &[u8]| -> Vec<Vec<u8>> { text.split(|&byte| byte == b'\n').map(Vec::from).collect() };
    let (is, was) = (lines(is), lines(was));
    let same = is.iter().zip(&was).take_while(|(one, other)| one == other).count();
    // Where one is the beginning of the other, it is the end of the shorter one.
    Some((same + 1).min(is.len().max(1)))
}

/// The line, from 1, that byte `offset` is on.
pub fn line_of(file: &[u8], offset: usize) -> usize {
    file.iter().take(offset).filter(|&&byte| byte == b'\n').count() + 1
}

/// The same as `by_hand` for what is outside of a block.
pub fn by_hand_outside(file: &[u8], shell: Shell) -> Option<usize> {
    match find(file) {
        Ok(Some(_)) | Err(_) => None,
        Ok(None) => by_hand(file, shell),
    }
}

/// The line, from 1, on which the user has had the shell take up the integration without a block.
fn by_hand(file: &[u8], shell: Shell) -> Option<usize> {
    let words = [format!("mam/init.{shell}"), format!("mam-render-config init {shell}")];
    let text = String::from_utf8_lossy(file);
    let is_it = |line: &str| {
        !line.trim_start().starts_with('#') && words.iter().any(|word| line.contains(word.as_str()))
    };
    text.split('\n').position(is_it).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> String {
        text(Shell::Bash, Path::new("/h/.config/mam/init.bash"), Some(Path::new("/h")))
    }

    #[test]
    fn the_line_is_one_of_the_shell() {
        let rows = [
            (Shell::Zsh, "/h", "if [ -r \"$HOME\"/'m/init' ]; then . \"$HOME\"/'m/init'; fi"),
            (Shell::Sh, "/other", "if [ -r '/h/m/init' ]; then . '/h/m/init'; fi"),
            (Shell::Fish, "/h", "if test -r \"$HOME\"/'m/init'; source \"$HOME\"/'m/init'; end"),
        ];
        for (shell, home, line) in rows {
            let text = text(shell, Path::new("/h/m/init"), Some(Path::new(home)));
            assert_eq!(text.lines().nth(1), Some(line));
        }
    }

    #[test]
    fn what_was_put_in_is_taken_out_to_the_byte() {
        let files: [&[u8]; 8] =
            [b"", b"\n", b"a\n", b"a", b"a\r\nb\r\n", b"a\r\nb", b"\xff\xfe\n\n", b"\xef\xbb\xbfa\n# mam\n"];
        for file in files {
            let with = insert(file, &block());
            let range = find(&with).unwrap().unwrap();
            assert_eq!(&with[range.clone()], block().as_bytes(), "{file:?}");
            assert!(with.starts_with(file));
            assert_eq!(with.ends_with(b"\n"), file.is_empty() || file.ends_with(b"\n"), "{file:?}");
            assert_eq!(remove(&with, &range), file, "{file:?}");
            assert_eq!(replace(&with, &range, &block()), with);
        }
    }

    #[test]
    fn what_the_user_changed_around_it_stays() {
        type Change = fn(&[u8]) -> Vec<u8>;
        let rows: [(&[u8], Change, &[u8]); 4] = [
            (b"a\n", |with| [with, b"b\n"].concat(), b"a\nb\n"),
            (b"a", |with| [with, b"\nb"].concat(), b"a\nb"),
            (b"a\n", |with| [b"0\n", with].concat(), b"0\na\n"),
            (b"", |with| [with, b"b"].concat(), b"b"),
        ];
        for (file, change, expected) in rows {
            let changed = change(&insert(file, &block()));
            let range = find(&changed).unwrap().unwrap();
            assert_eq!(remove(&changed, &range), expected, "{file:?}");
        }
    }

    #[test]
    fn markers_that_make_no_block_are_named_by_line() {
        let rows = [
            ("a\n# >>> mam >>>\nb\n", 2, "no end"),
            ("a\nb\n# <<< mam <<<\n", 3, "none has begun"),
            ("# >>> mam >>>\n# >>> mam >>>\n# <<< mam <<<\n", 2, "another one"),
            ("# >>> mam >>>\n# <<< mam <<<\n# >>> mam >>>\n# <<< mam <<<\n", 3, "another one"),
        ];
        for (text, line, what) in rows {
            let odd = find(text.as_bytes()).unwrap_err();
            assert!(odd.line == line && odd.what.contains(what), "{text:?}: {odd:?}");
        }
        assert_eq!(find(b"echo '# >>> mam >>>'\n"), Ok(None));
    }

    #[test]
    fn a_difference_is_named_by_its_line() {
        let rows: [(&str, &str, Option<usize>); 5] = [
            ("a\nb", "a\nb", None),
            ("a\nX", "a\nb", Some(2)),
            ("a", "a\nb", Some(1)),
            ("a\nb\nc", "a\nb", Some(3)),
            ("", "a", Some(1)),
        ];
        for (is, was, expected) in rows {
            assert_eq!(first_difference(is.as_bytes(), was.as_bytes()), expected, "{is:?} {was:?}");
        }
        assert_eq!(line_of(b"a\nb\n", 2), 2);
    }

    #[test]
    fn an_integration_by_hand_is_seen_and_a_comment_is_none() {
        assert_eq!(by_hand(b"a\n. ~/.config/mam/init.bash\n", Shell::Bash), Some(2));
        assert_eq!(by_hand(b"eval \"$(mam-render-config init bash)\"", Shell::Bash), Some(1));
        assert_eq!(by_hand(b"# . ~/.config/mam/init.bash\n", Shell::Bash), None);
        assert_eq!(by_hand(b". ~/.config/mam/init.zsh\n", Shell::Bash), None);
    }
}
