//! Numbers, units and times as programs print them.

use chrono::NaiveDate;

/// Parses a finite number with a decimal point.
#[must_use]
pub fn number(text: impl AsRef<[u8]>) -> Option<f64> {
    let text = text.as_ref();
    short_number(text).or_else(|| {
        let number: f64 = std::str::from_utf8(text).ok()?.trim().parse().ok()?;
        number.is_finite().then_some(number)
    })
}

/// Parses a number of at most 15 digits, which nearly all in logs are. Digits and power of ten are exact floats, so a
/// single division rounds correctly (Clinger, How to Read Floating Point Numbers Accurately, 1990).
fn short_number(text: &[u8]) -> Option<f64> {
    let (is_negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let (value, whole, rest) = digits(0, text);
    let (value, decimals, rest) = match rest {
        [b'.', rest @ ..] => digits(value, rest),
        _ => (value, 0, rest),
    };
    if whole + decimals == 0 || whole + decimals > MAX_DIGITS || !rest.is_empty() {
        return None;
    }
    let value = scaled(value, decimals);
    Some(if is_negative { -value } else { value })
}

/// A float represents all integers of this many digits exactly.
const MAX_DIGITS: usize = 15;

/// Appends the leading digits of a text to a number. Returns the number, the count of digits and the rest of the text.
/// With more than [`MAX_DIGITS`] digits the number is meaningless.
fn digits(mut value: u64, mut text: &[u8]) -> (u64, usize, &[u8]) {
    let length = text.len();
    while let [digit @ b'0'..=b'9', rest @ ..] = text {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        text = rest;
    }
    (value, length - text.len(), text)
}

/// Shifts a number of at most [`MAX_DIGITS`] digits right by this many decimals.
#[expect(clippy::cast_precision_loss, reason = "it has at most 15 digits")]
fn scaled(value: u64, decimals: usize) -> f64 {
    const TENS: [f64; MAX_DIGITS + 1] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    value as f64 / TENS[decimals]
}

/// Parses the number at the beginning of a text.
#[must_use]
pub(crate) fn leading_number(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let end = text
        .find(|character: char| !(character.is_ascii_digit() || matches!(character, '.' | '-' | '+')))
        .unwrap_or(text.len());
    number(&text[..end])
}

/// Returns the factor from a unit of speed to km/h.
#[must_use]
pub(crate) fn speed_unit(unit: &str) -> Option<f64> {
    Some(match unit.trim().to_ascii_lowercase().as_str() {
        "km/h" | "kmh" | "kph" => 1.0,
        "m/s" | "ms" | "mps" => 3.6,
        "mph" => 1.609_344,
        "kts" | "kt" | "knots" | "kn" => 1.852,
        _ => return None,
    })
}

/// Returns the factor from a unit of length to m.
#[must_use]
pub(crate) fn length_unit(unit: &str) -> Option<f64> {
    Some(match unit.trim().to_ascii_lowercase().as_str() {
        "m" | "meter" | "meters" | "metres" => 1.0,
        "km" | "kilometers" => 1000.0,
        "ft" | "feet" => 0.3048,
        "mi" | "miles" => 1609.344,
        "nm" => 1852.0,
        _ => return None,
    })
}

/// A date with time, parsed from a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds since 1970 on the clock that the text shows.
    pub shown: f64,
    /// Seconds by which this clock is ahead of UTC, if the text contains a zone.
    pub offset: Option<i32>,
}

impl Moment {
    /// Returns the Unix seconds; without a zone the text is taken as UTC.
    #[must_use]
    pub fn utc(self) -> f64 {
        self.shown - f64::from(self.offset.unwrap_or_default())
    }
}

/// The most bytes of a text with a date and time.
const MAX_MOMENT_BYTES: usize = 64;

/// Parses `2026-05-17T08:20:15.123+02:00`, also with a blank instead of `T`, with `.` or `/` in the date, and without
/// fraction or zone.
#[must_use]
pub fn moment(text: &str) -> Option<Moment> {
    let text = text.trim();
    if text.len() > MAX_MOMENT_BYTES {
        return None;
    }
    let (date, time) = text.split_once(['T', ' ', 't'])?;
    let days = day(date)?;
    let time = time.trim();
    let zone = time.find(['Z', 'z', '+', '-']);
    let (time, zone) = match zone {
        Some(at) => time.split_at(at),
        None => (time, ""),
    };
    let offset = match zone {
        "" => None,
        "Z" | "z" => Some(0),
        _ => Some(zone_offset(zone)?),
    };
    let time = time.trim();
    let seconds = time_of_day(time)?;
    Some(Moment {
        shown: days * 86_400.0 + seconds,
        offset,
    })
}

/// Finds a date with time anywhere in a line, such as `2026-05-15 08:24:18.623`, `2017.08.05 14:11:51` or
/// `2022-08-07 13:40:40,774,808`. Returns the seconds since 1970 on the clock that it shows.
#[must_use]
pub(crate) fn moment_within(line: &str) -> Option<f64> {
    line.match_indices(':').find_map(|(colon, _)| {
        let start = colon.checked_sub("2026-05-15 08".len())?;
        moment(first_two(line.get(start..)?)).map(|moment| moment.shown)
    })
}

fn first_two(text: &str) -> &str {
    let mut blanks = text.match_indices(' ').map(|(at, _)| at);
    match blanks.nth(1) {
        Some(end) => &text[..end],
        None => text,
    }
}

fn zone_offset(zone: &str) -> Option<i32> {
    let sign = match zone.as_bytes().first()? {
        b'-' => -1,
        _ => 1,
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { "0" } else { minutes };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 18 && minutes < 60).then(|| sign * (hours * 3600 + minutes * 60))
}

/// Parses `2026-05-17`, `2026/05/17` or `2026.05.17`. Returns days since 1970.
#[must_use]
pub fn day(text: &str) -> Option<f64> {
    let mut parts = text.split(['-', '/', '.']);
    let year = parts.next().filter(|year| year.len() == 4)?;
    let (month, day) = (parts.next()?, parts.next()?);
    if parts.next().is_some() || month.len() != 2 || day.len() != 2 {
        return None;
    }
    days(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

/// Returns the days since 1970; `None` if the date doesn't exist.
#[must_use]
pub fn days(year: i32, month: u32, day: u32) -> Option<f64> {
    let day = NaiveDate::from_ymd_opt(year, month, day)?;
    let since = day.signed_duration_since(NaiveDate::default());
    #[expect(clippy::cast_precision_loss, reason = "a calendar has few days")]
    let days = since.num_days() as f64;
    Some(days)
}

/// Parses `10:31`, `10:31:07` or `10:31:07.120` with optional `AM` or `PM`. Returns seconds since midnight. A comma is
/// allowed as decimal point, and anything after a second one is dropped.
#[must_use]
pub(crate) fn time_of_day(text: impl AsRef<[u8]>) -> Option<f64> {
    let text = text.as_ref().trim_ascii();
    let (text, noon) = match text {
        [time @ .., b'A' | b'a', b'M' | b'm'] => (time.trim_ascii(), Some(0.0)),
        [time @ .., b'P' | b'p', b'M' | b'm'] => (time.trim_ascii(), Some(12.0)),
        _ => (text, None),
    };
    let (hours, rest) = whole(text)?;
    let (minutes, rest) = whole(rest.strip_prefix(b":")?)?;
    let (seconds, rest) = match rest {
        [b':', rest @ ..] => whole(rest)?,
        _ => (0.0, rest),
    };
    let fraction = match rest {
        [] => 0.0,
        [b',' | b'.', rest @ ..] => fraction(rest)?,
        _ => return None,
    };
    if hours >= 24.0 || minutes >= 60.0 || seconds + fraction >= 61.0 {
        return None;
    }
    let hours = match noon {
        Some(noon) if hours <= 12.0 => hours % 12.0 + noon,
        _ => hours,
    };
    Some(hours * 3600.0 + minutes * 60.0 + seconds + fraction)
}

/// Parses up to four leading digits. Returns the number and the rest of the text.
fn whole(text: &[u8]) -> Option<(f64, &[u8])> {
    match digits(0, text) {
        (value, 1..=4, rest) => Some((scaled(value, 0), rest)),
        _ => None,
    }
}

/// Parses the digits of a fraction of a second, up to a second point or comma.
fn fraction(text: &[u8]) -> Option<f64> {
    match digits(0, text.get(..MAX_DIGITS).unwrap_or(text)) {
        (value, count, [] | [b',' | b'.', ..]) => Some(scaled(value, count)),
        _ => None,
    }
}

/// Cleans a text from a file for showing: one line without control characters, trimmed, of at most `most` characters.
#[must_use]
pub(crate) fn display_text(text: &str, most: usize) -> String {
    let line = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character });
    let cut: String = line.take(most).collect();
    cut.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn timestamps_are_read_as_programs_print_them() {
        for (text, utc) in [
            ("2026-05-17T08:20:15+00:00", Some(1_779_006_015.0)),
            ("2026-05-17T10:20:15+02:00", Some(1_779_006_015.0)),
            ("2026-05-17 08:20:15.5", Some(1_779_006_015.5)),
            ("2026.05.17 08:20:15", Some(1_779_006_015.0)),
            ("2026-05-17 08:20:15,500,123", Some(1_779_006_015.5)),
            ("2026-05-17T08:20:15Z", Some(1_779_006_015.0)),
            ("2026-02-30 08:20:15", None),
            ("2026-05-17 25:20:15", None),
            ("2000-00-00 00:00:00", None),
            ("2026-05-17", None),
            ("2026-05-17T08:20:15+00999999999", None),
            ("", None),
        ] {
            assert_eq!(moment(text).map(Moment::utc), utc, "{text}");
        }
        assert_eq!(time_of_day("12:05:00.5 AM"), Some(300.5));
        assert_eq!(time_of_day("1:05 pm"), Some(47_100.0));
    }

    proptest! {
        #[test]
        fn a_number_is_what_rust_reads_between_blanks(
            text in " ?[+-]?[0-9]{0,18}[.]?[0-9]{0,18}(e[0-9])? ?|[-+.0-9e ]{0,8}",
        ) {
            let expected = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            prop_assert_eq!(number(&text).map(f64::to_bits), expected.map(f64::to_bits));
        }

        #[test]
        fn no_text_makes_reading_panic(text in "\\PC{0,80}|[0-9:TZ.,+ -]{0,40}") {
            let _ = (moment(&text), time_of_day(&text), number(&text), leading_number(&text));
        }
    }
}
