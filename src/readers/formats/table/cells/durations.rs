//! Durations.

use super::numbers::Number;

/// A duration as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Duration<'c> {
    /// `7,5`
    Number(Number<'c>),
    /// `7.30`: a number, or minutes and seconds.
    Dotted(Number<'c>, f64, f64),
    /// `7:30`, in minutes and seconds or in hours and minutes.
    Pair(f64, f64),
    /// `0:07:30`
    Triple(f64, f64, f64),
    /// Seconds, of a duration with its units: `7 min 30 s`.
    Seconds(f64),
}

/// A copter rarely flies longer.
pub(crate) const LONG_SECONDS: f64 = 7200.0;
const HOUR: f64 = 3600.0;
const MINUTE: f64 = 60.0;

/// Returns the word for a unit or form of durations, as in a mapping.
pub(crate) fn unit_word(unit: &str) -> Option<&'static str> {
    let unit = unit.trim().trim_end_matches('.').to_lowercase();
    Some(match unit.as_str() {
        "min" | "mins" | "minuten" | "minute" | "minutes" | "minutos" | "mn" => "min",
        "s" | "sec" | "secs" | "sek" | "sekunden" | "sekunde" | "seconds" | "second" | "secondes" => "s",
        "h" | "std" | "stunden" | "stunde" | "hours" | "hour" | "hrs" | "hr" | "heures" | "heure" => "h",
        "mm:ss" | "m:ss" | "m:s" | "min:s" | "min:ss" | "min:sek" | "min:sec" | "mm.ss" | "min.sek" | "mmss" => "mm:ss",
        "h:mm" | "hh:mm" | "h:m" | "h:min" | "std:min" | "hh.mm" | "std.min" | "hhmm" => "h:mm",
        "mm:ss:00" => "mm:ss:00",
        "h:mm:ss" | "hh:mm:ss" | "std:min:s" | "h:m:s" | "std:min:sek" => "h:mm:ss",
        _ => return None,
    })
}

impl<'c> Duration<'c> {
    pub fn parse(cell: &'c str) -> Option<Duration<'c>> {
        let cell = cell.trim().trim_start_matches(['≈', '~']);
        let cell = cell.strip_prefix("ca.").unwrap_or(cell).trim_start();
        if let Some(colons) = with_colons(cell) {
            return Some(colons);
        }
        if let Some(seconds) = with_units(cell) {
            return Some(Duration::Seconds(seconds));
        }
        let number = Number::parse(cell).filter(|number| number.unit.is_empty());
        let number = number.filter(|number| number.value >= 0.0)?;
        Some(match dotted(cell) {
            Some((minutes, seconds)) => Duration::Dotted(number, minutes, seconds),
            None => Duration::Number(number),
        })
    }
}

/// Parses minutes and two digits of seconds: `7.30`.
fn dotted(cell: &str) -> Option<(f64, f64)> {
    let (minutes, seconds) = cell.split_once(['.', ','])?;
    let whole = |digits: &str| {
        digits
            .parse::<u8>()
            .ok()
            .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let seconds = whole(seconds).filter(|value| seconds.len() == 2 && *value < 60)?;
    Some((whole(minutes)?.into(), seconds.into()))
}

/// Parses `7:30` and `0:07:30`, also with a unit that says what they are: `7:30 min`.
fn with_colons(cell: &str) -> Option<Duration<'static>> {
    let end = cell
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | ',')))
        .unwrap_or(cell.len());
    let (digits, unit) = cell.split_at(end);
    let mut parts = digits.split(':');
    let whole = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 4).map(f64::from);
    let below_sixty = |value: f64| (value < 60.0).then_some(value);
    let (first, second, third) = (whole(parts.next()?)?, below_sixty(whole(parts.next()?)?)?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let unit = unit.trim();
    match (third, unit_word(unit)) {
        (Some(third), _) => {
            let third = Number::parse(third).and_then(|number| below_sixty(number.value))?;
            Some(Duration::Triple(first, second, third))
        }
        (None, None) if unit.is_empty() => Some(Duration::Pair(first, second)),
        (None, Some("min" | "mm:ss")) => Some(Duration::Seconds(first * MINUTE + second)),
        (None, Some("h" | "h:mm")) => Some(Duration::Seconds(first * HOUR + second * MINUTE)),
        (None, _) => None,
    }
}

/// Parses numbers that each have a unit: `7 min 30 s`, `7m30`, `7'30''`, `1 h`, `PT7M30S`. Returns seconds.
fn with_units(cell: &str) -> Option<f64> {
    let lower = cell
        .to_lowercase()
        .replace(['′', '’', '´'], "'")
        .replace(['″', '”'], "\"");
    let mut rest = lower.strip_prefix("pt").unwrap_or(&lower).trim();
    let mut seconds = 0.0;
    let mut last: Option<f64> = None;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
            .unwrap_or(rest.len());
        let number = Number::parse(&rest[..digits]);
        let number = number.filter(|number| number.unit.is_empty() && number.grouped.is_none())?;
        rest = rest[digits..].trim_start();
        let end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let unit = rest[..end]
            .trim()
            .trim_end_matches("und")
            .trim_end_matches([',', ' ', '.']);
        let factor = match (unit, last) {
            ("''" | "\"", _) => 1.0,
            ("'" | "m", _) => MINUTE,
            // After minutes, seconds need no unit, and minutes none after hours.
            ("", Some(last)) if last > 1.0 => last / 60.0,
            _ => match unit_word(unit)? {
                "s" => 1.0,
                "min" => MINUTE,
                "h" => HOUR,
                _ => return None,
            },
        };
        if last.is_some_and(|last| factor >= last) {
            return None;
        }
        seconds += number.value * factor;
        last = Some(factor);
        rest = rest[end..].trim_start();
    }
    last.map(|_| seconds)
}

/// Returns the seconds of a duration in a column with this unit or form, and this decimal sign. `0:07` has hours first
/// unless the form says minutes and seconds.
pub(crate) fn duration_of(duration: Duration<'_>, unit: &str, decimal: char) -> f64 {
    match duration {
        Duration::Seconds(seconds) => seconds,
        Duration::Dotted(_, minutes, seconds) if unit_word(unit) == Some("mm:ss") => minutes * MINUTE + seconds,
        Duration::Number(number) | Duration::Dotted(number, ..) => {
            let factor = match unit_word(unit) {
                Some("s") => 1.0,
                Some("h") => HOUR,
                _ => MINUTE,
            };
            number.with(decimal) * factor
        }
        Duration::Pair(first, second) if unit_word(unit) == Some("mm:ss") => first * MINUTE + second,
        Duration::Pair(first, second) => first * HOUR + second * MINUTE,
        Duration::Triple(first, second, 0.0) if unit_word(unit) == Some("mm:ss:00") => first * MINUTE + second,
        Duration::Triple(first, second, third) => first * HOUR + second * MINUTE + third,
    }
}

/// Parses a duration. Returns its seconds, and whether they are doubtful: longer than a copter flies in a form about
/// which no column is asked. A bare number among durations such as `7:30` is read if it can be minutes.
pub(crate) fn duration(cell: &str, unit: &str, decimal: char) -> Option<(f64, bool)> {
    let duration = Duration::parse(cell)?;
    let seconds = duration_of(duration, unit, decimal);
    let form = unit_word(unit).unwrap_or_default();
    let is_in_parts = form.contains(':');
    let is_long = seconds > LONG_SECONDS;
    match duration {
        Duration::Dotted(..) if form == "mm:ss" => Some((seconds, false)),
        Duration::Number(_) | Duration::Dotted(..) if is_in_parts && (is_long || seconds < MINUTE) => None,
        Duration::Seconds(_) => Some((seconds, is_long)),
        Duration::Triple(_, _, last) => Some((seconds, is_long && last != 0.0)),
        Duration::Number(_) | Duration::Dotted(..) | Duration::Pair(..) => Some((seconds, false)),
    }
}
