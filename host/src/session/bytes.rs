//! Arguments, paths and values in JSON: a string when they are UTF-8, else `{"hex": "…"}`.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The two forms.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Hex { hex: String },
}

impl Form {
    fn of(bytes: &OsStr) -> Self {
        match bytes.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Hex { hex: hex(bytes.as_bytes()) },
        }
    }

    fn into_bytes(self) -> Result<OsString, &'static str> {
        let bytes = match self {
            Self::Text(text) => {
                return if text.contains('\0') { Err("it holds a NUL") } else { Ok(text.into()) };
            }
            Self::Hex { hex } => of_hex(&hex).ok_or("`hex` is not pairs of hexadecimal digits")?,
        };
        if bytes.contains(&0) { Err("it holds a NUL") } else { Ok(OsString::from_vec(bytes)) }
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn of_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect::<Option<_>>()?;
    digits.chunks(2).map(|pair| if let [high, low] = pair { Some(high * 16 + low) } else { None }).collect()
}

/// One value.
pub mod one {
    use serde::de::Error as _;

    use super::{Deserialize as _, Deserializer, Form, OsStr, OsString, Serialize as _, Serializer};

    /// Writes it.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<S: Serializer>(value: impl AsRef<OsStr>, serializer: S) -> Result<S::Ok, S::Error> {
        Form::of(value.as_ref()).serialize(serializer)
    }

    /// Reads it.
    ///
    /// # Errors
    /// Another form, or a NUL, which no argument, path or value can hold.
    pub fn deserialize<'de, D: Deserializer<'de>, T: From<OsString>>(deserializer: D) -> Result<T, D::Error> {
        Form::deserialize(deserializer)?.into_bytes().map(T::from).map_err(D::Error::custom)
    }
}

/// A list of values.
pub mod list {
    use serde::de::Error as _;

    use super::{Deserialize as _, Deserializer, Form, OsString, Serialize as _, Serializer};

    /// Writes it.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<S: Serializer>(values: &[OsString], serializer: S) -> Result<S::Ok, S::Error> {
        values.iter().map(|value| Form::of(value)).collect::<Vec<_>>().serialize(serializer)
    }

    /// Reads it.
    ///
    /// # Errors
    /// As for one value.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
        let forms = Vec::<Form>::deserialize(deserializer)?;
        forms.into_iter().map(|form| form.into_bytes().map_err(D::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Both {
        #[serde(with = "one")]
        path: PathBuf,
        #[serde(with = "list")]
        argv: Vec<OsString>,
    }

    #[test]
    fn any_bytes_come_back_and_text_stays_readable() {
        let every: Vec<u8> = (1..=255).collect();
        let both = Both {
            path: OsString::from_vec(b"/x\xff".to_vec()).into(),
            argv: vec!["m x".into(), "".into(), OsString::from_vec(every), "ü\u{1}".into()],
        };
        let text = serde_json::to_string(&both).unwrap();
        assert!(text.starts_with(r#"{"path":{"hex":"2f78ff"},"argv":["m x","",{"hex":"010203"#), "{text}");
        assert_eq!(serde_json::from_str::<Both>(&text).unwrap(), both);
    }

    #[test]
    fn other_forms_are_refused() {
        for odd in
            ["3", "null", "[1]", "{}", r#"{"hex":"0"}"#, r#"{"hex":"zz"}"#, r#"{"hex":"00"}"#, "\"a\\u0000\""]
        {
            let text = format!("{{\"path\":{odd},\"argv\":[]}}");
            assert!(serde_json::from_str::<Both>(&text).is_err(), "{odd}");
        }
    }
}
