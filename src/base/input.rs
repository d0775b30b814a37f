//! Named values as a client sent them. Knows no rule of a field (see [`crate::field`]), no HTTP and no topic.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::declared::Declared;
use crate::error::{Error, Result};
use crate::text;
use crate::time::Zone;

/// The values of one request or of one JSON object in it.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    values: BTreeMap<String, Value>,
    /// The fields that may be read; all of them in a form of the program's own, and none of a request until its call is
    /// known.
    declared: Option<&'static [Declared]>,
    /// The zone of the pilot's clock, once it is known.
    zone: Option<Zone>,
}

#[derive(Debug, Clone)]
enum Value {
    Empty,
    Text(String),
    /// A JSON number, `true` or `false`, as it was written.
    Bare(String),
    /// A JSON array or object, as it was written.
    Nested(String),
}

/// The change of a form to a value that is there already.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Change<T> {
    /// The field wasn't sent.
    #[default]
    Keep,
    Set(T),
}

impl<T: Clone> Change<T> {
    /// Changes the value, if the field was sent.
    pub fn apply(&self, value: &mut T) {
        if let Change::Set(new) = self {
            value.clone_from(new);
        }
    }

    /// The new value, or else the old one.
    #[must_use]
    pub fn or(&self, old: T) -> T {
        match self {
            Change::Keep => old,
            Change::Set(new) => new.clone(),
        }
    }
}

impl Fields {
    /// The fields of a form. Empty ones count as absent for all but [`Fields::has`].
    ///
    /// # Errors
    /// A field that was sent twice.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Fields> {
        let mut values = BTreeMap::new();
        for (name, value) in pairs {
            if values.insert(name, value).is_some() {
                return Err(without_field(text::FIELD_TWICE));
            }
        }
        Ok(Fields {
            values: values
                .into_iter()
                .map(|(name, value)| match value.is_empty() {
                    true => (name, Value::Empty),
                    false => (name, Value::Text(value)),
                })
                .collect(),
            declared: Some(&[]),
            zone: None,
        })
    }

    /// The members of a JSON object.
    ///
    /// # Errors
    /// Text that is no JSON object, or names a member twice.
    pub fn from_json(json: &str) -> Result<Fields> {
        let members = serde_json::from_str::<Members>(json).map_err(|_| without_field(text::INVALID_INPUT))?;
        let mut values = BTreeMap::new();
        for (name, raw) in members.0 {
            let value = match raw.get().as_bytes().first() {
                Some(b'"') => {
                    let value: String =
                        serde_json::from_str(raw.get()).map_err(|_| without_field(text::INVALID_INPUT))?;
                    if value.is_empty() {
                        Value::Empty
                    } else {
                        Value::Text(value)
                    }
                }
                Some(b'n') => Value::Empty,
                Some(b'[' | b'{') => Value::Nested(raw.get().to_owned()),
                _ => Value::Bare(written_out(raw.get())),
            };
            if values.insert(name, value).is_some() {
                return Err(without_field(text::FIELD_TWICE));
            }
        }
        Ok(Fields {
            values,
            declared: None,
            zone: None,
        })
    }

    /// How long all texts are together, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let bytes = |value: &Value| match value {
            Value::Empty => 0,
            Value::Text(text) | Value::Bare(text) | Value::Nested(text) => text.len(),
        };
        self.values.values().map(bytes).sum()
    }

    /// The same values for a call, or an object in it, that declares these fields: no other one can be read.
    #[must_use]
    pub fn declared_as(self, declared: &'static [Declared]) -> Fields {
        Fields {
            declared: Some(declared),
            ..self
        }
    }

    /// The same values of a pilot whose clock goes by this zone: times that it never shows can't be read.
    #[must_use]
    pub fn in_zone(self, zone: Option<Zone>) -> Fields {
        Fields { zone, ..self }
    }

    /// The zone of the pilot's clock; none in a form of the program's own.
    #[must_use]
    pub fn zone(&self) -> Option<Zone> {
        self.zone
    }

    /// # Errors
    /// [`Error::Internal`] for a field that the call doesn't declare: what is said about the call would be wrong.
    pub(super) fn check_declared(&self, field: &Declared) -> Result<()> {
        match self.declared {
            Some(declared)
                if !declared
                    .iter()
                    .any(|one| (one.name, one.kind) == (field.name, field.kind)) =>
            {
                Err(Error::Internal(format!("the call doesn't declare {field:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether the field was sent at all, empty or not.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The value exactly as it was sent; `None` when absent or empty.
    ///
    /// # Errors
    /// An array or object.
    pub(super) fn exact(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            None | Some(Value::Empty) => Ok(None),
            Some(Value::Text(value) | Value::Bare(value)) => Ok(Some(value)),
            Some(Value::Nested(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
        }
    }

    /// A JSON object: in a form its text, in an object itself.
    ///
    /// # Errors
    /// A number or a truth value.
    pub(super) fn object(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            Some(Value::Nested(raw)) => Ok(Some(raw)),
            _ => self.quoted(name),
        }
    }

    /// A value that has to be a text.
    ///
    /// # Errors
    /// Any other JSON value but null.
    pub(super) fn quoted(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            Some(Value::Bare(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
            _ => self.exact(name),
        }
    }

    /// A JSON array; an empty one when absent or empty.
    ///
    /// # Errors
    /// Any other value, or an item that is no `T`.
    pub(super) fn nested<T: serde::de::DeserializeOwned + Default>(&self, name: &'static str) -> Result<T> {
        match self.values.get(name) {
            None | Some(Value::Empty) => Ok(T::default()),
            Some(Value::Nested(raw)) => {
                serde_json::from_str(raw).map_err(|_| Error::invalid(name, text::INVALID_INPUT))
            }
            Some(Value::Text(_) | Value::Bare(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
        }
    }
}

/// Programs print a number near zero with an exponent, we too; nobody types one.
fn written_out(bare: &str) -> String {
    match bare.parse::<f64>() {
        Ok(small) if bare.contains("e-") || bare.contains("E-") => small.to_string(),
        _ => bare.to_owned(),
    }
}

fn without_field(sentence: &str) -> Error {
    Error::Invalid {
        field: None,
        sentence: sentence.to_owned(),
    }
}

/// The members of an object in their order, twice named ones included.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Members, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_field_that_is_sent_twice_is_refused() {
        let twice = [("a", "1"), ("a", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert!(Fields::from_pairs(twice).is_err());
        assert!(Fields::from_json(r#"{"a": 1, "a": 2}"#).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_reading_panic(json in "\\PC{0,200}") {
            let _ = Fields::from_json(&json);
        }
    }
}
