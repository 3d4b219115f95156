//! Names of keys, as `pane.send_keys` takes them, and the bytes that a terminal gets.

/// The bytes of one key, `None` for a name that herdr does not know.
pub(crate) fn bytes(name: &str) -> Option<Vec<u8>> {
    let lower = name.to_ascii_lowercase();
    let named: &[u8] = match lower.as_str() {
        "enter" | "return" => b"\r",
        "tab" => b"\t",
        "esc" | "escape" => b"\x1b",
        "space" => b" ",
        "backspace" => b"\x7f",
        "delete" => b"\x1b[3~",
        "up" => b"\x1b[A",
        "down" => b"\x1b[B",
        "right" => b"\x1b[C",
        "left" => b"\x1b[D",
        "home" => b"\x1b[H",
        "end" => b"\x1b[F",
        "pageup" => b"\x1b[5~",
        "pagedown" => b"\x1b[6~",
        _ => return chord(name),
    };
    Some(named.to_vec())
}

/// A single character, with or without `ctrl+` or `alt+`.
fn chord(name: &str) -> Option<Vec<u8>> {
    let (modifier, key) = name.split_once(['+', '-']).unwrap_or(("", name));
    let mut characters = key.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else {
        return None;
    };
    match modifier.to_ascii_lowercase().as_str() {
        "" => Some(character.to_string().into_bytes()),
        "alt" => Some(format!("\x1b{character}").into_bytes()),
        "ctrl" | "c" if character.is_ascii() => Some(vec![character as u8 & 0x1f]),
        _ => None,
    }
}
