//! Reading herdr's answers by their form: an object is an object, and a list is a list.
//!
//! serde fills a struct from a JSON array too, by position. herdr never answers so; an array in the place
//! of an object is something that is not known, and must not pass for a pane.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde_json::{Error, Value};

/// `value` as a `T`, every struct in it from an object; `None` when it has another form.
pub fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(Form(value)).ok()
}

struct Form<'a>(&'a Value);

impl<'de> Deserializer<'de> for Form<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.as_str(), Form(value)));
                visitor.visit_map(MapDeserializer::new(fields))
            }
            Value::Array(entries) => visitor.visit_seq(SeqDeserializer::new(entries.iter().map(Form))),
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                plain.deserialize_any(visitor)
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.0.is_object() { self.deserialize_any(visitor) } else { Err(Error::custom("no object")) }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Form<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        name: String,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Outer {
        number: u32,
        inner: Option<Inner>,
        #[serde(default)]
        list: Vec<Inner>,
        #[serde(default)]
        anything: Value,
    }

    #[test]
    fn a_struct_is_read_from_an_object_at_every_depth_and_from_nothing_else() {
        let inner = || Inner { name: "x".into() };
        let outer = |inner, list, anything| Some(Outer { number: 1, inner, list, anything });
        let rows = [
            (json!({"number": 1}), outer(None, vec![], Value::Null)),
            (json!({"number": 1, "inner": null, "new": [{}]}), outer(None, vec![], Value::Null)),
            (json!({"number": 1, "inner": {"name": "x"}}), outer(Some(inner()), vec![], Value::Null)),
            (json!({"number": 1, "list": [{"name": "x"}]}), outer(None, vec![inner()], Value::Null)),
            (json!({"number": 1, "anything": [[1], {"y": 2}]}), outer(None, vec![], json!([[1], {"y": 2}]))),
            (json!([1, null, [], null]), None),
            (json!({"number": 1, "inner": ["x"]}), None),
            (json!({"number": 1, "list": [["x"]]}), None),
            (json!({"number": 1, "list": {"name": "x"}}), None),
            (json!({"number": 1, "list": "x"}), None),
            (json!({"number": -1}), None),
            (json!({"number": 1.0}), None),
            (json!({"number": "1"}), None),
            (json!({"number": 4_294_967_296_u64}), None),
            (json!({}), None),
            (json!(null), None),
            (json!("x"), None),
        ];
        for (value, expected) in rows {
            assert_eq!(read::<Outer>(&value), expected, "{value}");
        }
    }
}
