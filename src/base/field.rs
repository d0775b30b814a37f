//! The fields of calls. One constant per field holds its name, rule and limit: a call declares it, and reads the value
//! with it. Knows no call.
//!
//! A field is absent, empty or has a value. In a form, an empty field counts as absent; in a JSON object, `""` and
//! `null` are empty, which clears the stored value in a call that changes only fields present.

use std::ops::RangeInclusive;
use std::str::FromStr;

use serde_json::value::RawValue;

use crate::declared::{Declared, Kind};
use crate::error::{Error, Result};
use crate::id::{ClientChosenId, RequestId};
use crate::input::{Change, Fields};
use crate::time::{Date, DateError, Instant, WallTime};
use crate::{number, text};

/// Default limit of a text field, in characters.
pub const MAX_TEXT_CHARACTERS: usize = 200;

/// Limit of long texts, such as the notes of a flight, a log or a feedback, in characters.
pub const MAX_LONG_TEXT_CHARACTERS: usize = 10_000;

/// An optional field.
pub struct Field<T> {
    declared: Declared,
    /// The error sentence for a value out of range.
    out_of_range: &'static str,
    reader: Reader<T>,
}

type Reader<T> = fn(&Fields, &Field<T>) -> Result<Option<T>>;

/// A required field.
pub struct Required<T> {
    field: Field<T>,
    missing: &'static str,
}

impl<T> Field<T> {
    const fn new(name: &'static str, kind: Kind, out_of_range: &'static str, reader: Reader<T>) -> Field<T> {
        let declared = Declared {
            name,
            kind,
            is_required: false,
        };
        Field {
            declared,
            out_of_range,
            reader,
        }
    }

    /// Makes the field required; `missing` is the error sentence if it is absent or empty.
    #[must_use]
    pub const fn required(self, missing: &'static str) -> Required<T> {
        let declared = self.declared.required();
        let field = Field { declared, ..self };
        Required { field, missing }
    }

    #[must_use]
    pub const fn declared(&self) -> Declared {
        self.declared
    }

    /// Reads the value; `None` if absent or empty.
    ///
    /// # Errors
    /// A value breaks the field's rule.
    pub fn read(&self, fields: &Fields) -> Result<Option<T>> {
        fields.check_declared(&self.declared)?;
        (self.reader)(fields, self)
    }

    /// Reads a change of a stored value: an absent field keeps it, an empty one clears it.
    ///
    /// # Errors
    /// As for [`Field::read`].
    pub fn change(&self, fields: &Fields) -> Result<Change<Option<T>>> {
        let value = self.read(fields)?;
        Ok(match fields.has(self.declared.name) {
            true => Change::Set(value),
            false => Change::Keep,
        })
    }

    /// Reads a change of a stored value that can't be cleared; `missing` is the error sentence for an empty field.
    ///
    /// # Errors
    /// As for [`Field::read`], or the field is empty.
    pub fn replacement(&self, fields: &Fields, missing: &'static str) -> Result<Change<T>> {
        match self.change(fields)? {
            Change::Keep => Ok(Change::Keep),
            Change::Set(Some(value)) => Ok(Change::Set(value)),
            Change::Set(None) => Err(self.invalid(missing)),
        }
    }

    /// Creates the error for a value that breaks a further rule.
    #[must_use]
    pub fn invalid(&self, sentence: &'static str) -> Error {
        Error::invalid(self.declared.name, sentence)
    }
}

impl<T: Default> Field<T> {
    /// Reads a change of a stored value; an empty field sets the type's default.
    ///
    /// # Errors
    /// As for [`Field::read`].
    pub fn change_or_default(&self, fields: &Fields) -> Result<Change<T>> {
        Ok(match self.change(fields)? {
            Change::Keep => Change::Keep,
            Change::Set(value) => Change::Set(value.unwrap_or_default()),
        })
    }
}

impl<T> Required<T> {
    #[must_use]
    pub const fn declared(&self) -> Declared {
        self.field.declared
    }

    /// Creates the error for a value that breaks a further rule.
    #[must_use]
    pub fn invalid(&self, sentence: &'static str) -> Error {
        self.field.invalid(sentence)
    }

    /// Reads the value.
    ///
    /// # Errors
    /// The field is absent or empty, or its value breaks the rule.
    pub fn read(&self, fields: &Fields) -> Result<T> {
        self.field.read(fields)?.ok_or_else(|| self.field.invalid(self.missing))
    }
}

impl Field<String> {
    /// A text that the server issued, also by mail, read unchanged.
    #[must_use]
    pub const fn token(name: &'static str) -> Field<String> {
        Field::new(name, Kind::Token, text::INVALID_INPUT, exact)
    }

    /// A text read unchanged. The call checks the length itself: a wrong password must be refused as wrong before it is
    /// refused as too short.
    #[must_use]
    pub const fn exact(name: &'static str, characters: RangeInclusive<usize>) -> Field<String> {
        let kind = Kind::Exact {
            min_characters: *characters.start(),
            max_characters: *characters.end(),
        };
        Field::new(name, kind, text::INVALID_INPUT, exact)
    }

    /// A text of one line without control characters; surrounding blanks are trimmed.
    #[must_use]
    pub const fn line(name: &'static str, max_characters: usize) -> Field<String> {
        let kind = Kind::Line { max_characters };
        Field::new(name, kind, text::INVALID_INPUT, |fields, field| {
            let name = field.declared.name;
            let value = fields.quoted(name)?.unwrap_or_default();
            Ok(not_empty(one_line(name, value, field.max_characters())?))
        })
    }

    /// A text of several lines without control characters except tabs; trailing blanks are trimmed, line ends become
    /// `\n`.
    #[must_use]
    pub const fn lines(name: &'static str, max_characters: usize) -> Field<String> {
        let kind = Kind::Lines { max_characters };
        Field::new(name, kind, text::INVALID_INPUT, |fields, field| {
            let name = field.declared.name;
            let value = fields.quoted(name)?.unwrap_or_default();
            check_length(name, value, field.max_characters())?;
            if value
                .chars()
                .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
            {
                return Err(field.invalid(text::CONTROL_CHARACTERS));
            }
            Ok(not_empty(
                value.replace("\r\n", "\n").replace('\r', "\n").trim_end().to_owned(),
            ))
        })
    }

    const fn max_characters(&self) -> usize {
        match self.declared.kind {
            Kind::Line { max_characters } | Kind::Lines { max_characters } => max_characters,
            _ => 0,
        }
    }
}

impl<T: FromStr> Field<T> {
    /// An id; malformed ids get the same error as ids of someone else.
    #[must_use]
    pub const fn id(name: &'static str) -> Field<T> {
        Field::new(name, Kind::Id, text::INVALID_INPUT, |fields, field| {
            fields.exact(field.declared.name)?.map(parse_id).transpose()
        })
    }
}

impl<T: ClientChosenId> Field<T> {
    /// The id that the client chooses for what it creates.
    #[must_use]
    pub const fn new_id(name: &'static str) -> Field<T> {
        Field::new(name, Kind::NewId, text::INVALID_INPUT, |fields, field| {
            let id = fields.exact(field.declared.name)?;
            id.map(|id| T::from_client(id).ok_or_else(|| field.invalid(text::INVALID_INPUT)))
                .transpose()
        })
    }
}

impl<T: ClientChosenId> Field<Vec<T>> {
    /// A JSON array of ids that the client chooses, at most `most`; `too_many` is the error sentence for more.
    #[must_use]
    pub const fn new_ids(name: &'static str, most: usize, too_many: &'static str) -> Field<Vec<T>> {
        Field::new(name, Kind::NewIds { most }, too_many, |fields, field| {
            let Some(json) = fields.exact(field.declared.name)? else {
                return Ok(None);
            };
            let wrong = || field.invalid(text::INVALID_INPUT);
            let ids: Vec<String> = serde_json::from_str(json).map_err(|_| wrong())?;
            field.check_count(ids.len())?;
            let ids = ids.iter().map(|id| T::from_client(id).ok_or_else(wrong));
            ids.collect::<Result<_>>().map(Some)
        })
    }
}

impl Field<RequestId> {
    /// The id that the client gives a request.
    #[must_use]
    pub const fn request_id(name: &'static str) -> Field<RequestId> {
        Field::new(name, Kind::Id, text::INVALID_INPUT, |fields, field| {
            let id = fields.exact(field.declared.name)?;
            id.map(|id| RequestId::parse(id).ok_or_else(|| field.invalid(text::INVALID_INPUT)))
                .transpose()
        })
    }
}

impl<T: FromStr> Field<Vec<T>> {
    /// A JSON array of at most `most` ids; `too_many` is the error sentence for more.
    #[must_use]
    pub const fn ids(name: &'static str, most: usize, too_many: &'static str) -> Field<Vec<T>> {
        Field::new(name, Kind::Ids { most }, too_many, |fields, field| {
            let ids: Vec<String> = fields.nested(field.declared.name)?;
            field.check_count(ids.len())?;
            ids.iter().map(|id| parse_id(id)).collect::<Result<_>>().map(Some)
        })
    }
}

impl Field<Vec<Fields>> {
    /// A JSON array of at most `most` objects; `too_many` is the error sentence for more.
    #[must_use]
    pub const fn objects(
        name: &'static str,
        most: usize,
        too_many: &'static str,
        members: &'static [Declared],
    ) -> Field<Vec<Fields>> {
        Field::new(name, Kind::Objects { most, members }, too_many, |fields, field| {
            let items: Vec<Box<RawValue>> = fields.nested(field.declared.name)?;
            let mut objects = Vec::with_capacity(items.len());
            for item in &items {
                let object = Fields::from_json(item.get()).map_err(|_| field.invalid(text::INVALID_INPUT))?;
                objects.push(field.with_members(object, fields));
            }
            field.check_count(objects.len())?;
            Ok(Some(objects))
        })
    }
}

impl Field<Fields> {
    /// A JSON object.
    #[must_use]
    pub const fn object(name: &'static str, members: &'static [Declared]) -> Field<Fields> {
        Field::new(name, Kind::Object { members }, text::INVALID_INPUT, |fields, field| {
            let Some(json) = fields.object(field.declared.name)? else {
                return Ok(None);
            };
            match Fields::from_json(json) {
                Ok(object) => Ok(Some(field.with_members(object, fields))),
                Err(Error::Invalid { sentence, .. }) => Err(Error::invalid(field.declared.name, sentence)),
                Err(other) => Err(other),
            }
        })
    }
}

impl<T> Field<T> {
    fn no_date(&self, error: DateError, malformed: &'static str) -> Error {
        self.invalid(match error {
            DateError::Malformed => malformed,
            DateError::OutsideYears => text::BAD_YEAR,
        })
    }

    fn check_count(&self, items: usize) -> Result<()> {
        match self.declared.kind {
            Kind::Ids { most } | Kind::NewIds { most } | Kind::Objects { most, .. } if items > most => {
                Err(self.invalid(self.out_of_range))
            }
            _ => Ok(()),
        }
    }

    fn with_members(&self, object: Fields, parent: &Fields) -> Fields {
        let object = object.in_zone(parent.zone());
        match self.declared.kind {
            Kind::Object { members } | Kind::Objects { members, .. } => object.declared_as(members),
            _ => object,
        }
    }
}

impl Field<f64> {
    /// A number that is not negative, by the rule of [`number::parse`].
    #[must_use]
    pub const fn number(name: &'static str) -> Field<f64> {
        Field::new(name, Kind::Number, text::INVALID_INPUT, |fields, field| {
            let value = fields.exact(field.declared.name)?;
            value
                .map(|value| number::parse(value).ok_or_else(|| field.invalid(text::INVALID_INPUT)))
                .transpose()
        })
    }

    /// A coordinate in degrees, from `-most` to `most`; `out_of_range` is the error sentence for others.
    #[must_use]
    pub const fn degrees(name: &'static str, most: u32, out_of_range: &'static str) -> Field<f64> {
        Field::new(name, Kind::Degrees { most }, out_of_range, |fields, field| {
            let Some(value) = fields.exact(field.declared.name)? else {
                return Ok(None);
            };
            let value = value.trim();
            let (sign, digits) = match value.strip_prefix('-') {
                Some(digits) => (-1.0, digits),
                None => (1.0, value),
            };
            let degrees = number::parse(digits).ok_or_else(|| field.invalid(text::INVALID_INPUT))?;
            match field.declared.kind {
                Kind::Degrees { most } if degrees > f64::from(most) => Err(field.invalid(field.out_of_range)),
                // Adding zero turns -0 into 0.
                _ => Ok(Some(sign * degrees + 0.0)),
            }
        })
    }
}

impl<T: TryFrom<u32>> Field<T> {
    /// A whole number in digits, without sign or leading zero; surrounding blanks are trimmed. `wrong` is the error
    /// sentence for anything else and for numbers out of range.
    #[must_use]
    pub const fn integer(name: &'static str, range: RangeInclusive<u32>, wrong: &'static str) -> Field<T> {
        let kind = Kind::Integer {
            least: *range.start(),
            most: *range.end(),
        };
        Field::new(name, kind, wrong, |fields, field| field.whole(fields, str::trim))
    }

    /// Like [`Field::integer`], but blanks around the number are refused: a code is typed exactly as it is printed.
    #[must_use]
    pub const fn code(name: &'static str, range: RangeInclusive<u32>, wrong: &'static str) -> Field<T> {
        Field {
            reader: |fields, field| field.whole(fields, |value| value),
            ..Field::integer(name, range, wrong)
        }
    }

    fn whole(&self, fields: &Fields, part: fn(&str) -> &str) -> Result<Option<T>> {
        let Kind::Integer { least, most } = self.declared.kind else {
            return Ok(None);
        };
        let whole = |value: &str| {
            let number: u32 = value.parse().ok()?;
            // In canonical form: no sign and no leading zero.
            let number = Some(number).filter(|number| number.to_string() == value)?;
            let in_range = (least..=most).contains(&number);
            in_range.then(|| T::try_from(number).ok()).flatten()
        };
        let value = fields.exact(self.declared.name)?;
        value
            .map(|value| whole(part(value)).ok_or_else(|| self.invalid(self.out_of_range)))
            .transpose()
    }
}

impl Field<Date> {
    /// A date `DD.MM.YYYY`.
    #[must_use]
    pub const fn date(name: &'static str) -> Field<Date> {
        Field::new(name, Kind::Date, text::INVALID_INPUT, |fields, field| {
            let value = fields.quoted(field.declared.name)?;
            value
                .map(|value| Date::parse(value.trim()).map_err(|error| field.no_date(error, text::BAD_DATE)))
                .transpose()
        })
    }
}

impl Field<WallTime> {
    /// A time `dd.MM.yyyy HH:mm`; refused if the pilot's clock skipped it.
    #[must_use]
    pub const fn time(name: &'static str) -> Field<WallTime> {
        Field::new(name, Kind::Time, text::INVALID_INPUT, |fields, field| {
            let value = fields.quoted(field.declared.name)?;
            let Some(value) = value else { return Ok(None) };
            let time = WallTime::parse(value.trim()).map_err(|error| field.no_date(error, text::BAD_TIME))?;
            match fields.zone() {
                Some(zone) if !time.exists_in(zone) => Err(field.invalid(text::TIME_LEFT_OUT)),
                _ => Ok(Some(time)),
            }
        })
    }
}

impl Field<Instant> {
    /// An instant in the format of RFC 3339.
    #[must_use]
    pub const fn instant(name: &'static str) -> Field<Instant> {
        Field::new(name, Kind::Instant, text::INVALID_INPUT, |fields, field| {
            let value = fields.quoted(field.declared.name)?;
            value
                .map(|value| Instant::parse(value.trim()).map_err(|error| field.no_date(error, text::INVALID_INPUT)))
                .transpose()
        })
    }
}

impl Field<bool> {
    /// `true` or `false`.
    #[must_use]
    pub const fn boolean(name: &'static str) -> Field<bool> {
        Field::new(name, Kind::Boolean, text::INVALID_INPUT, |fields, field| {
            match fields.exact(field.declared.name)? {
                None => Ok(None),
                Some("false") => Ok(Some(false)),
                Some("true") => Ok(Some(true)),
                Some(_) => Err(field.invalid(text::INVALID_INPUT)),
            }
        })
    }
}

/// Defines the changes of a value by a form, from one list of fields. Each line is `name: type = FIELD by read`, where
/// `read` takes the field and the form, as [`Field::change`] does. They are read in the order of the list.
#[macro_export]
macro_rules! changes {
    ($(#[$about:meta])* $changes:ident of $value:ty { $($name:ident: $type:ty = $field:ident by $read:path,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $changes {
            $($name: $crate::input::Change<$type>,)*
        }

        impl $changes {
            /// Reads the fields that were sent: an empty one clears, an absent one keeps.
            ///
            /// # Errors
            /// A value breaks its rule.
            pub fn read(fields: &$crate::input::Fields) -> $crate::error::Result<$changes> {
                Ok($changes {
                    $($name: $read(&$field, fields)?,)*
                })
            }

            /// Applies the changes to a value.
            pub fn apply(&self, value: &mut $value) {
                $(self.$name.apply(&mut value.$name);)*
            }
        }
    };
}
pub use changes;

fn exact(fields: &Fields, field: &Field<String>) -> Result<Option<String>> {
    Ok(fields.exact(field.declared.name)?.map(str::to_owned))
}

fn parse_id<T: FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| Error::NotFound)
}

fn not_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// Returns a text of one line without surrounding blanks.
///
/// # Errors
/// The text is longer than `max_characters` or has control characters.
fn one_line(name: &'static str, value: &str, max_characters: usize) -> Result<String> {
    check_length(name, value, max_characters)?;
    if value.chars().any(char::is_control) {
        return Err(Error::invalid(name, text::CONTROL_CHARACTERS));
    }
    Ok(value.trim().to_owned())
}

fn check_length(name: &'static str, value: &str, max_characters: usize) -> Result<()> {
    // Stops counting at the limit: the text may be as long as the body.
    if value.chars().nth(max_characters).is_some() {
        return Err(Error::invalid(name, text::too_long(max_characters)));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
