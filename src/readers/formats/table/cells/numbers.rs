//! Numbers and coordinates.

use crate::formats::values;
use crate::samples::Point;

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number<'c> {
    /// The value if its sign, or the last of several, is the decimal sign.
    pub value: f64,
    /// The value if its only sign separates thousands: `1.250`.
    pub grouped: Option<f64>,
    /// The decimal sign, if the number has one or, with `grouped`, may have one.
    pub sign: Option<char>,
    /// The text after the digits.
    pub unit: &'c str,
}

const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

impl<'c> Number<'c> {
    /// Parses a number with optional separators between thousands, a leading `≈`, and a unit after it.
    pub fn parse(cell: &'c str) -> Option<Number<'c>> {
        let cell = cell
            .trim_start_matches(['≈', '~', '\'', '+'])
            .trim_start_matches(BLANKS);
        let cell = cell.strip_prefix("ca.").unwrap_or(cell).trim_start_matches(BLANKS);
        let (is_negative, cell) = match cell.strip_prefix(['-', '−']) {
            Some(rest) => (true, rest),
            None => (false, cell),
        };
        let (digits, unit) = cell.split_at(length_of_digits(cell));
        if unit.contains(|character: char| character.is_ascii_digit())
            || !digits.starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let plain: String = digits
            .chars()
            .filter(|c| c.is_ascii_digit() || matches!(c, ',' | '.'))
            .collect();
        let signed = |value: f64| if is_negative { -value } else { value };
        let (value, grouped, sign) = value(&plain)?;
        Some(Number {
            value: signed(value),
            grouped: grouped.map(signed),
            sign,
            unit: unit.trim(),
        })
    }

    /// Returns the value in a column with this decimal sign. Only a number that can be read in two ways depends on it.
    pub fn with(self, decimal: char) -> f64 {
        match self.grouped {
            Some(grouped) if self.sign != Some(decimal) => grouped,
            _ => self.value,
        }
    }
}

/// Returns the length of the digits and signs at the beginning. A blank or an apostrophe counts between thousands.
fn length_of_digits(cell: &str) -> usize {
    let mut length = 0;
    for (at, character) in cell.char_indices() {
        let rest = &cell[at + character.len_utf8()..];
        let is_part = match character {
            '0'..='9' | ',' | '.' => true,
            '\'' | '’' => is_group(rest),
            blank if BLANKS.contains(&blank) => length > 0 && is_group(rest),
            _ => false,
        };
        if !is_part {
            break;
        }
        length = at + character.len_utf8();
    }
    // A full stop or comma at the end belongs to the text.
    cell[..length].trim_end_matches(['.', ',']).len()
}

/// Returns whether a text begins with exactly three digits.
fn is_group(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3
}

/// Returns the value of digits with signs, the value if the only sign separates thousands, and the decimal sign.
fn value(digits: &str) -> Option<(f64, Option<f64>, Option<char>)> {
    let parse = |text: &str| values::number(text);
    let signs: Vec<(usize, char)> = digits.char_indices().filter(|(_, c)| !c.is_ascii_digit()).collect();
    match signs.as_slice() {
        [] => Some((parse(digits)?, None, None)),
        [(at, sign)] => {
            let (whole, fraction) = (&digits[..*at], &digits[at + 1..]);
            let value = parse(&format!("{whole}.{fraction}"))?;
            let may_group = fraction.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
            let grouped = match may_group {
                true => parse(&format!("{whole}{fraction}")),
                false => None,
            };
            Some((value, grouped, Some(*sign)))
        }
        [first @ .., (at, last)] => {
            let group = first.first().map(|(_, sign)| *sign)?;
            let is_decimal = *last != group;
            let whole = if is_decimal { &digits[..*at] } else { digits };
            let groups: Vec<&str> = whole.split(group).collect();
            let are_groups =
                groups.iter().skip(1).all(|part| part.len() == 3) && groups.first().is_some_and(|part| part.len() <= 3);
            if !are_groups || whole.contains(|c: char| !c.is_ascii_digit() && c != group) {
                return None;
            }
            let fraction = if is_decimal { &digits[at + 1..] } else { "" };
            let decimal = if group == '.' { ',' } else { '.' };
            Some((parse(&format!("{}.{fraction}", groups.concat()))?, None, Some(decimal)))
        }
    }
}

/// Parses a coordinate in degrees, with an optional direction: `50,93° N`.
pub(crate) fn degrees(cell: &str) -> Option<f64> {
    let direction = |character: char| "NSEOWnseow°".contains(character);
    let is_opposite = cell.contains(['S', 's', 'W', 'w']);
    let digits = cell
        .trim()
        .trim_matches(|character: char| direction(character) || character == ' ');
    let number = Number::parse(digits).filter(|number| number.unit.is_empty())?;
    let value = if is_opposite { -number.value.abs() } else { number.value };
    (value.abs() <= 180.0).then_some(value)
}

/// Parses latitude and longitude in one cell: `50.93, 6.95`.
pub(crate) fn position(cell: &str) -> Option<Point> {
    let parts = [";", ", ", " / ", "/", " ", ","];
    let (latitude, longitude) = parts.iter().find_map(|between| {
        let (latitude, longitude) = cell.trim().split_once(between)?;
        Some((degrees(latitude)?, degrees(longitude)?))
    })?;
    (latitude.abs() <= 90.0).then_some(Point { latitude, longitude })
}
