//! The known word that somebody may have meant.

/// The word of `known` that is nearest to `word`, when it is near enough to be what was meant: at most
/// a third of the letters are others.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let limit = word.chars().count().div_ceil(3);
    let near = known.iter().map(|candidate| (distance(word, candidate), *candidate));
    near.filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many letters have to be put in, taken out or changed (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut next = vec![index + 1];
        for ((&of_other, &diagonal), &above) in other.iter().zip(&row).zip(row.iter().skip(1)) {
            let left = next.last().copied().unwrap_or_default();
            let changed = diagonal + usize::from(of_other != letter);
            next.push(changed.min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_another_word() {
        let known = ["session", "more_sessions", "exclude", "standalone"];
        for (word, expected) in [
            ("sesion", Some("session")),
            ("sessoin", Some("session")),
            ("exlude", Some("exclude")),
            ("stand_alone", Some("standalone")),
            ("theme", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &known), expected, "{word}");
        }
    }
}
