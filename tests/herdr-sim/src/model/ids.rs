//! Public numbers of workspaces, tabs and panes: `w9` is followed by `wA`, `wZ` by `w0`, then `w11`.

/// The digits for 1 to 32; letters that look like digits or like each other are left out.
const DIGITS: &[u8; 32] = b"123456789ABCDEFGHJKMNPQRSTVWXYZ0";

/// How a number, counted from 1, is written.
pub(crate) fn encode(mut number: u32) -> String {
    let mut digits = Vec::new();
    while number > 0 {
        number -= 1;
        digits.extend(DIGITS.get((number % 32) as usize).copied().map(char::from));
        number /= 32;
    }
    digits.iter().rev().collect()
}

/// The number that is written so.
pub(crate) fn decode(text: &str) -> Option<u32> {
    text.bytes().try_fold(0_u32, |number, byte| {
        let digit = DIGITS.iter().position(|digit| *digit == byte)?;
        number.checked_mul(32)?.checked_add(u32::try_from(digit).ok()? + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn numbers_are_written_in_base_32_without_a_zero() {
        let written = [(1, "1"), (9, "9"), (10, "A"), (18, "J"), (31, "Z"), (32, "0")];
        let long = [(33, "11"), (41, "19"), (42, "1A"), (64, "10"), (65, "21"), (100, "34")];
        for (number, text) in written.into_iter().chain(long) {
            assert_eq!(encode(number), text);
            assert_eq!(decode(text), Some(number));
        }
        assert_eq!(decode("l"), None);
    }
}
