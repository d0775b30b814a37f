//! Named values as a client sent them, and the rules that every field shares: length, control characters, numbers, dates.
//! Knows no HTTP, no topic and no table.
//!
//! A field is absent, empty or holds a value. On a form an empty field counts as absent; in a JSON object `""` and `null`
//! are empty, which clears a stored value where a call changes only what is present.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::base::declared::Declared;
use crate::base::error::{Error, Result};
use crate::base::time::{Date, WallTime};
use crate::base::{number, text};

/// The longest text of a field, in characters, where nothing else is said.
pub const TEXT_MOST_CHARACTERS: usize = 200;

/// The values of one request or of one JSON object in it.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    values: BTreeMap<String, Value>,
    /// What may be read; everything where no call is answered.
    declared: Option<&'static [Declared]>,
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

/// What a form says about a value that is there already.
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
            declared: None,
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
        Ok(Fields { values, declared: None })
    }

    /// The same values for a call, or an object in it, that declares these fields: no other one can be read.
    #[must_use]
    pub fn declared_as(self, declared: &'static [Declared]) -> Fields {
        Fields {
            declared: Some(declared),
            ..self
        }
    }

    /// # Errors
    /// [`Error::Internal`] for a field that the call doesn't declare: what is said about the call would be wrong.
    pub(super) fn check_declared(&self, field: &Declared) -> Result<()> {
        match self.declared {
            Some(declared) if !declared.contains(field) => {
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

    /// What a field changes; `read` reads it where it was sent, empty or not.
    ///
    /// # Errors
    /// What `read` says.
    pub fn change<T>(&self, name: &'static str, read: impl FnOnce(&'static str) -> Result<T>) -> Result<Change<T>> {
        match self.has(name) {
            true => read(name).map(Change::Set),
            false => Ok(Change::Keep),
        }
    }

    /// The value exactly as it was sent, for passwords and ids; `None` when absent or empty.
    ///
    /// # Errors
    /// An array or object.
    pub fn exact(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            None | Some(Value::Empty) => Ok(None),
            Some(Value::Text(value) | Value::Bare(value)) => Ok(Some(value)),
            Some(Value::Nested(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
        }
    }

    /// A value that has to be a text.
    pub(super) fn quoted(&self, name: &'static str) -> Result<Option<&str>> {
        match self.values.get(name) {
            Some(Value::Bare(_)) => Err(Error::invalid(name, text::INVALID_INPUT)),
            _ => self.exact(name),
        }
    }

    /// The value exactly as it was sent.
    ///
    /// # Errors
    /// Absent, empty, an array or object.
    pub fn required(&self, name: &'static str) -> Result<&str> {
        self.exact(name)?
            .ok_or_else(|| Error::invalid(name, text::FIELD_MISSING))
    }

    /// A text of one line without blanks around it; `""` when absent or empty.
    ///
    /// # Errors
    /// Longer than `most_characters`, with control characters, or no text but a JSON number or truth value.
    pub fn line(&self, name: &'static str, most_characters: usize) -> Result<String> {
        one_line(name, self.quoted(name)?.unwrap_or_default(), most_characters)
    }

    /// A text of several lines, without blanks at its end; `""` when absent or empty. Line ends become `\n`.
    ///
    /// # Errors
    /// Longer than `most_characters`, or with control characters other than line ends and tabs.
    pub fn lines(&self, name: &'static str, most_characters: usize) -> Result<String> {
        let value = self.quoted(name)?.unwrap_or_default();
        check_length(name, value, most_characters)?;
        if value
            .chars()
            .any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
        {
            return Err(Error::invalid(name, text::CONTROL_CHARACTERS));
        }
        Ok(value.replace("\r\n", "\n").replace('\r', "\n").trim_end().to_owned())
    }

    /// A number that is not negative; `None` when absent or empty.
    ///
    /// # Errors
    /// Anything but digits with one optional `.` or `,`, at most 9 of them before it.
    pub fn number(&self, name: &'static str) -> Result<Option<f64>> {
        self.exact(name)?
            .map(|value| number::parse(value).ok_or_else(|| Error::invalid(name, text::INVALID_INPUT)))
            .transpose()
    }

    /// A whole number, as digits and nothing else; `None` when absent or empty.
    ///
    /// # Errors
    /// Anything else, a sign too, or too large a one: `sentence`.
    pub fn whole<T: FromStr>(&self, name: &'static str, sentence: &'static str) -> Result<Option<T>> {
        let digits = |value: &str| {
            let only_digits = value.bytes().all(|byte| byte.is_ascii_digit());
            only_digits.then(|| value.parse().ok()).flatten()
        };
        self.exact(name)?
            .map(|value| digits(value.trim()).ok_or_else(|| Error::invalid(name, sentence)))
            .transpose()
    }

    /// A coordinate in degrees, from `-most` to `most`; `None` when absent or empty.
    ///
    /// # Errors
    /// Anything but a number in that range; out of it `sentence`.
    pub fn coordinate(&self, name: &'static str, most: f64, sentence: &'static str) -> Result<Option<f64>> {
        let Some(value) = self.exact(name)? else {
            return Ok(None);
        };
        let value = value.trim();
        let (sign, digits) = match value.strip_prefix('-') {
            Some(digits) => (-1.0, digits),
            None => (1.0, value),
        };
        match number::parse(digits) {
            None => Err(Error::invalid(name, text::INVALID_INPUT)),
            Some(degrees) if degrees > most => Err(Error::invalid(name, sentence)),
            // Adding zero turns -0 into 0.
            Some(degrees) => Ok(Some(sign * degrees + 0.0)),
        }
    }

    /// A date; `None` when absent or empty.
    ///
    /// # Errors
    /// Anything but a real date `DD.MM.YYYY`.
    pub fn date(&self, name: &'static str) -> Result<Option<Date>> {
        self.quoted(name)?
            .map(|value| Date::parse(value.trim()).ok_or_else(|| Error::invalid(name, text::BAD_DATE)))
            .transpose()
    }

    /// A time; `None` when absent or empty.
    ///
    /// # Errors
    /// Anything but a real time `dd.MM.yyyy HH:mm`.
    pub fn time(&self, name: &'static str) -> Result<Option<WallTime>> {
        self.quoted(name)?
            .map(|value| WallTime::parse(value.trim()).ok_or_else(|| Error::invalid(name, text::BAD_TIME)))
            .transpose()
    }

    /// `true` or `false`; `false` when absent or empty.
    ///
    /// # Errors
    /// Anything else.
    pub fn truth(&self, name: &'static str) -> Result<bool> {
        match self.exact(name)? {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(Error::invalid(name, text::INVALID_INPUT)),
        }
    }

    /// The JSON object that a form field holds as text.
    ///
    /// # Errors
    /// Absent, or no JSON object.
    pub fn object(&self, name: &'static str) -> Result<Fields> {
        Fields::from_json(self.required(name)?).map_err(|error| match error {
            Error::Invalid { sentence, .. } => Error::invalid(name, sentence),
            other => other,
        })
    }

    /// The texts of an array, for lists of ids; empty when absent.
    ///
    /// # Errors
    /// Anything but an array of texts.
    pub fn texts(&self, name: &'static str) -> Result<Vec<String>> {
        self.nested(name)
    }

    /// The objects of an array; empty when absent.
    ///
    /// # Errors
    /// Anything but an array of JSON objects.
    pub fn objects(&self, name: &'static str) -> Result<Vec<Fields>> {
        let items: Vec<Box<RawValue>> = self.nested(name)?;
        items
            .iter()
            .map(|item| Fields::from_json(item.get()).map_err(|_| Error::invalid(name, text::INVALID_INPUT)))
            .collect()
    }

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

/// A text of one line without blanks around it.
///
/// # Errors
/// Longer than `most_characters`, or with control characters.
pub fn one_line(name: &'static str, value: &str, most_characters: usize) -> Result<String> {
    check_length(name, value, most_characters)?;
    if value.chars().any(char::is_control) {
        return Err(Error::invalid(name, text::CONTROL_CHARACTERS));
    }
    Ok(value.trim().to_owned())
}

/// Programs print a number near zero with an exponent, we too; nobody types one.
fn written_out(bare: &str) -> String {
    match bare.parse::<f64>() {
        Ok(small) if bare.contains("e-") || bare.contains("E-") => small.to_string(),
        _ => bare.to_owned(),
    }
}

fn check_length(name: &'static str, value: &str, most_characters: usize) -> Result<()> {
    // Counting stops at the limit: the text may be as long as the body.
    if value.chars().nth(most_characters).is_some() {
        return Err(Error::invalid(name, text::too_long(most_characters)));
    }
    Ok(())
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

    fn one(value: &str) -> Fields {
        Fields::from_pairs([("feld".to_owned(), value.to_owned())]).unwrap()
    }

    #[test]
    fn a_field_that_is_sent_twice_is_refused() {
        let twice = [("a", "1"), ("a", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert!(Fields::from_pairs(twice).is_err());
        assert!(Fields::from_json(r#"{"a": 1, "a": 2}"#).is_err());
    }

    #[test]
    fn in_json_null_and_the_empty_text_are_present_but_empty() {
        let fields = Fields::from_json(r#"{"a": null, "b": "", "c": 1.5, "d": "1,5", "e": [1]}"#).unwrap();
        assert!(fields.has("a") && fields.has("b") && !fields.has("f"));
        assert_eq!(fields.number("a"), Ok(None));
        assert_eq!(fields.number("b"), Ok(None));
        assert_eq!(fields.number("c"), Ok(Some(1.5)));
        assert_eq!(fields.number("d"), Ok(Some(1.5)));
        assert!(fields.number("e").is_err());
    }

    #[test]
    fn a_json_number_obeys_the_same_rule_as_a_typed_one() {
        for wrong in ["-1", "1e9", "1E2", "1234567890"] {
            let fields = Fields::from_json(&format!(r#"{{"a": {wrong}}}"#)).unwrap();
            assert_eq!(
                fields.number("a"),
                Err(Error::invalid("a", text::INVALID_INPUT)),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_number_near_zero_may_come_as_programs_print_it() {
        let read = |json: &str| Fields::from_json(json).unwrap().number("a");
        assert_eq!(read(r#"{"a": 1e-7}"#), Ok(Some(1e-7)));
        assert_eq!(read(r#"{"a": 1.25E-05}"#), Ok(Some(0.000_012_5)));
        assert!(read(r#"{"a": -1e-7}"#).is_err(), "negative");
        assert!(read(r#"{"a": 1e-300}"#).is_err(), "more decimals than anybody means");
        assert!(read(r#"{"a": "1e-7"}"#).is_err(), "typed");
    }

    #[test]
    fn a_text_may_have_its_limit_but_not_one_character_more() {
        assert_eq!(one(&"ü".repeat(200)).line("feld", 200), Ok("ü".repeat(200)));
        assert!(one(&"ü".repeat(201)).line("feld", 200).is_err());
    }

    #[test]
    fn control_characters_are_refused_and_line_ends_only_where_lines_are_expected() {
        assert!(one("a\u{0}b").lines("feld", 200).is_err());
        assert!(one("a\nb").line("feld", 200).is_err());
        assert_eq!(one("a\r\nb\n").lines("feld", 200), Ok("a\nb".to_owned()));
    }

    #[test]
    fn a_whole_number_is_digits_and_nothing_else() {
        let read = |value: &str| one(value).whole::<u8>("feld", text::INVALID_INPUT).ok().flatten();
        assert_eq!((read("0"), read(" 12 ")), (Some(0), Some(12)));
        for wrong in ["+5", "-1", "1.0", "1e1", "٥", "256", " "] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn coordinates_have_a_sign_and_a_range() {
        let read = |value: &str| one(value).coordinate("feld", 90.0, text::BAD_LATITUDE);
        assert_eq!(read("-53,5511"), Ok(Some(-53.5511)));
        assert_eq!(read("90"), Ok(Some(90.0)));
        assert!(read("90.001").is_err());
        assert!(read("--1").is_err());
        assert!(read("1e1").is_err());
        assert_eq!(read("-0").unwrap().map(f64::to_bits), Some(0.0f64.to_bits()));
    }

    proptest! {
        #[test]
        fn no_text_makes_reading_panic(json in "\\PC{0,200}") {
            let _ = Fields::from_json(&json);
        }

        #[test]
        fn whatever_number_is_read_is_finite_and_not_negative(value in "[0-9.,eE+-]{0,20}") {
            if let Ok(Some(number)) = one(&value).number("feld") {
                prop_assert!(number.is_finite() && number >= 0.0);
            }
        }
    }
}
