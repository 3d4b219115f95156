//! Reading herdr's answers by their form: an object is an object, and a list is a list.
//!
//! Not by serde, which fills a struct from a JSON array too, by position. herdr never answers so; an array
//! in the place of an object is something that is not known, and must not pass for a pane. Fields that are
//! not asked for are ignored, and a field that is `null` is not there.

use serde_json::{Map, Value};

/// Something of another form than it is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odd;

/// What is read from a part of an answer.
pub trait Read: Sized {
    /// What `value` says.
    ///
    /// # Errors
    /// It has another form.
    fn read(value: &Value) -> Result<Self, Odd>;
}

/// An object of an answer.
///
/// # Errors
/// Of its functions: the field has another form, or is not there and has to be.
#[derive(Clone, Copy)]
pub struct Object<'a>(&'a Map<String, Value>);

impl<'a> Object<'a> {
    /// `value`, when it is an object.
    pub fn of(value: &'a Value) -> Result<Self, Odd> {
        value.as_object().map(Self).ok_or(Odd)
    }

    /// A field of any form, when it is there.
    pub fn get(self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A text that has to be there.
    pub fn text(self, key: &str) -> Result<String, Odd> {
        self.any_text(key)?.ok_or(Odd)
    }

    /// A text that may be missing.
    pub fn any_text(self, key: &str) -> Result<Option<String>, Odd> {
        self.any(key, |value| value.as_str().map(str::to_owned))
    }

    /// A truth that may be missing.
    pub fn any_flag(self, key: &str) -> Result<Option<bool>, Odd> {
        self.any(key, Value::as_bool)
    }

    /// The id of a process or a group that may be missing.
    pub fn any_id(self, key: &str) -> Result<Option<u32>, Odd> {
        self.any(key, |value| u32::try_from(value.as_u64()?).ok())
    }

    /// A part that has to be there.
    pub fn part<T: Read>(self, key: &str) -> Result<T, Odd> {
        T::read(self.get(key).ok_or(Odd)?)
    }

    /// A part that may be missing.
    pub fn any_part<T: Read>(self, key: &str) -> Result<Option<T>, Odd> {
        self.get(key).map(T::read).transpose()
    }

    /// A list that may be missing; no entry of it may be odd.
    pub fn any_list<T: Read>(self, key: &str) -> Result<Vec<T>, Odd> {
        let entries = self.any(key, Value::as_array)?;
        entries.into_iter().flatten().map(T::read).collect()
    }

    fn any<T>(self, key: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>, Odd> {
        self.get(key).map(|value| read(value).ok_or(Odd)).transpose()
    }
}

/// The entries of the list `key` of an answer.
///
/// # Errors
/// There is no such list.
pub fn list<'a>(answer: &'a Value, key: &str) -> Result<&'a [Value], Odd> {
    Object::of(answer)?.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or(Odd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_an_object_has_fields_and_null_is_none() {
        for odd in [json!([]), json!([["a", "x"]]), json!("a"), json!(null), json!(1)] {
            assert!(Object::of(&odd).is_err(), "{odd}");
            assert!(list(&odd, "a").is_err(), "{odd}");
        }
        let answer = json!({"text": "x", "id": 7, "flag": false, "list": [1], "null": null, "object": {}});
        let object = Object::of(&answer).unwrap();
        assert_eq!(object.text("text").as_deref(), Ok("x"));
        assert_eq!(object.any_text("text"), Ok(Some("x".into())));
        assert_eq!(object.any_id("id"), Ok(Some(7)));
        assert_eq!(object.any_flag("flag"), Ok(Some(false)));
        assert_eq!(list(&answer, "list"), Ok(&[json!(1)][..]));
        for missing in ["null", "missing"] {
            assert_eq!(object.text(missing), Err(Odd));
            assert_eq!(object.any_text(missing), Ok(None));
            assert_eq!(object.any_id(missing), Ok(None));
            assert_eq!(object.any_flag(missing), Ok(None));
            assert_eq!(list(&answer, missing), Err(Odd));
        }
        for (key, is_text, is_id, is_flag) in [
            ("text", true, false, false),
            ("id", false, true, false),
            ("flag", false, false, true),
            ("list", false, false, false),
            ("object", false, false, false),
        ] {
            assert_eq!(object.any_text(key).is_ok(), is_text, "{key}");
            assert_eq!(object.any_id(key).is_ok(), is_id, "{key}");
            assert_eq!(object.any_flag(key).is_ok(), is_flag, "{key}");
        }
        for odd in [json!({"id": -1}), json!({"id": 4_294_967_296_u64}), json!({"id": 1.0})] {
            assert_eq!(Object::of(&odd).unwrap().any_id("id"), Err(Odd), "{odd}");
        }
    }
}
