//! Words as a person would type them into a shell.

/// `word`, in single quotes when a shell would read it as something else.
pub fn word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn words_are_quoted_when_they_must_be() {
        for (text, expected) in
            [("claude", "claude"), ("m x", "'m x'"), ("", "''"), ("$HOME", "'$HOME'"), ("it's", "'it'\\''s'")]
        {
            assert_eq!(word(text), expected);
        }
    }
}
