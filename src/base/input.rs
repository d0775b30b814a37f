//! Named values as a client sent them. Knows no rule of a field (see [`crate::field`]), no HTTP and no topic.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::declared::Declared;
use crate::error::{Error, Result};
use crate::text;
use crate::time::Zone;

/// The values of one request, or of one JSON object in it.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    values: BTreeMap<String, Value>,
    /// The fields that may be read: `None` permits all, for forms built by the program itself; a request's fields
    /// permit none until its call is known.
    declared: Option<&'static [Declared]>,
    /// Time zone of the pilot's clock, once it is known.
    zone: Option<Zone>,
}

#[derive(Debug, Clone)]
enum Value {
    Empty,
    Text(String),
    /// A JSON number, `true` or `false`, as written.
    Literal(String),
    /// A JSON array or object, as written.
    Nested(String),
}

/// A form's change of a stored value.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Change<T> {
    /// The field wasn't sent.
    #[default]
    Keep,
    Set(T),
}

impl<T: Clone> Change<T> {
    /// Changes the value if the field was sent.
    pub fn apply(&self, value: &mut T) {
        if let Change::Set(new) = self {
            value.clone_from(new);
        }
    }

    /// Returns the new value; `None` if the field wasn't sent.
    #[must_use]
    pub fn set(&self) -> Option<T> {
        match self {
            Change::Keep => None,
            Change::Set(new) => Some(new.clone()),
        }
    }

    /// Returns the new value, or `old` if the field wasn't sent.
    #[must_use]
    pub fn or(&self, old: T) -> T {
        self.set().unwrap_or(old)
    }
}

impl Fields {
    /// Creates the fields of a form. Empty ones count as absent, except for [`Fields::has`].
    ///
    /// # Errors
    /// A field was sent twice.
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

    /// Parses the members of a JSON object.
    ///
    /// # Errors
    /// The text is no JSON object, or names a member twice.
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
                _ => Value::Literal(decimal(raw.get())),
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

    /// Total length of all values in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let bytes = |value: &Value| match value {
            Value::Empty => 0,
            Value::Text(text) | Value::Literal(text) | Value::Nested(text) => text.len(),
        };
        self.values.values().map(bytes).sum()
    }

    /// Restricts reading to the fields that a call, or an object in it, declares.
    #[must_use]
    pub fn declared_as(self, declared: &'static [Declared]) -> Fields {
        Fields {
            declared: Some(declared),
            ..self
        }
    }

    /// Sets the time zone of the pilot's clock: times that it skips are refused.
    #[must_use]
    pub fn in_zone(self, zone: Option<Zone>) -> Fields {
        Fields { zone, ..self }
    }

    /// Returns the time zone of the pilot's clock; `None` in forms built by the program itself.
    #[must_use]
    pub fn zone(&self) -> Option<Zone> {
        self.zone
    }

    /// # Errors
    /// [`Error::Internal`] for a field that the call doesn't declare: the API document would be wrong.
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

    /// Returns whether the field was sent, empty or not.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Returns the value as sent; `None` if absent or empty.
    ///
    /// # Errors
    /// The value is an array or object.
    pub(super) fn exact(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            None | Some(Value::Empty) => Ok(None),
            Some(Value::Text(value) | Value::Literal(value)) => Ok(Some(value)),
            Some(Value::Nested(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
        }
    }

    /// Returns the JSON of an object: a form field's text, or a nested object.
    ///
    /// # Errors
    /// The value is a number or boolean.
    pub(super) fn object(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            Some(Value::Nested(raw)) => Ok(Some(raw)),
            _ => self.quoted(name),
        }
    }

    /// Returns a value that has to be a string.
    ///
    /// # Errors
    /// The value is of another JSON type, except null.
    pub(super) fn quoted(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            Some(Value::Literal(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
            _ => self.exact(name),
        }
    }

    /// Parses a JSON array; returns an empty one if absent or empty.
    ///
    /// # Errors
    /// The value is of another type, or an item isn't a `T`.
    pub(super) fn nested<T: serde::de::DeserializeOwned + Default>(&self, name: &'static str) -> Result<T> {
        match self.values.get(name) {
            None | Some(Value::Empty) => Ok(T::default()),
            Some(Value::Nested(raw)) => {
                serde_json::from_str(raw).map_err(|_| Error::invalid(name, text::INVALID_INPUT))
            }
            Some(Value::Text(_) | Value::Literal(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
        }
    }
}

/// Writes a number with a negative exponent as a decimal: JSON serializers print numbers near zero like that, while no
/// person types one.
fn decimal(bare: &str) -> String {
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

/// The members of an object in their order, including duplicates.
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
