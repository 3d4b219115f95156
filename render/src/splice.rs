//! Byte-exact edits: an overlay is the user's text with a few splices, and nothing else.

use std::ops::Range;

/// Replaces a range of the input by a text; an empty range is an insertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes of the input that go.
    pub at: Range<usize>,
    /// What they were: with it a splice can be taken back without the input.
    pub old: String,
    /// What stands there instead.
    pub new: String,
    /// The index of the setting this splice is for; `None` for comments.
    pub setting: Option<usize>,
}

/// The input with all splices made. `None` when they are out of order, overlap, lie outside of the
/// text, or do not find what they replace.
pub fn apply(input: &str, splices: &[Splice]) -> Option<String> {
    let grown: usize = splices.iter().map(|splice| splice.new.len()).sum();
    let mut output = String::with_capacity(input.len() + grown);
    let mut done = 0;
    for splice in splices {
        output.push_str(input.get(done..splice.at.start)?);
        if input.get(splice.at.clone())? != splice.old {
            return None;
        }
        output.push_str(&splice.new);
        done = splice.at.end;
    }
    output.push_str(input.get(done..)?);
    Some(output)
}

/// The output with all splices taken back: the input again. `None` when the output does not hold what
/// the splices wrote.
pub fn undo(output: &str, splices: &[Splice]) -> Option<String> {
    let mut input = String::with_capacity(output.len());
    let mut rest = output;
    let mut done = 0;
    for splice in splices {
        let (kept, behind) = rest.split_at_checked(splice.at.start.checked_sub(done)?)?;
        input.push_str(kept);
        input.push_str(&splice.old);
        rest = behind.strip_prefix(splice.new.as_str())?;
        done = splice.at.end;
    }
    input.push_str(rest);
    Some(input)
}

/// What a byte of the output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This byte of the input.
    Input(usize),
    /// Written by the splice of this index.
    Splice(usize),
}

/// Where byte `offset` of the output comes from.
pub fn origin(splices: &[Splice], offset: usize) -> Origin {
    let mut input = 0;
    let mut output = 0;
    for (index, splice) in splices.iter().enumerate() {
        let start = output + (splice.at.start - input);
        if offset < start {
            break;
        }
        if offset < start + splice.new.len() {
            return Origin::Splice(index);
        }
        input = splice.at.end;
        output = start + splice.new.len();
    }
    Origin::Input(input + (offset - output))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(input: &str, at: Range<usize>, new: &str) -> Splice {
        Splice { old: input.get(at.clone()).unwrap().to_owned(), at, new: new.to_owned(), setting: None }
    }

    #[test]
    fn splices_are_made_taken_back_and_traced() {
        let input = "abcdef";
        let splices = [splice(input, 0..0, "<<"), splice(input, 2..4, "X"), splice(input, 6..6, ">")];
        let output = apply(input, &splices).unwrap();
        assert_eq!(output, "<<abXef>");
        assert_eq!(undo(&output, &splices).unwrap(), input);
        let traced: Vec<Origin> = (0..8).map(|offset| origin(&splices, offset)).collect();
        let expected = [
            Origin::Splice(0),
            Origin::Splice(0),
            Origin::Input(0),
            Origin::Input(1),
            Origin::Splice(1),
            Origin::Input(4),
            Origin::Input(5),
            Origin::Splice(2),
        ];
        assert_eq!(traced, expected);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let input = "abcdef";
        assert_eq!(apply(input, &[splice(input, 2..4, ""), splice(input, 3..5, "")]), None);
        assert_eq!(apply("abXdef", &[splice(input, 2..4, "")]), None);
        assert_eq!(apply("ab", &[splice(input, 2..4, "")]), None);
        assert_eq!(undo("abQef", &[splice(input, 2..4, "X")]), None);
        assert_eq!(undo("a", &[splice(input, 2..4, "X")]), None);
    }
}
