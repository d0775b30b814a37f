//! Dates and times of day.

use crate::formats::table::mapping::DateOrder;
use crate::formats::values::{Moment, days, moment, time_of_day};

/// 1 January 1950, in seconds since 1970.
const FIRST_FLIGHT: f64 = -7_305.0 * 86_400.0;
/// The beginnings of weekdays in German, English and French.
const WEEKDAYS: [&str; 21] = [
    "mo", "di", "mi", "do", "fr", "sa", "so", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "lun", "mar", "mer",
    "jeu", "ven", "sam", "dim",
];

/// The names of the months in German, English and French, whole and abbreviated.
const MONTHS: [&[&str]; 12] = [
    &["jan", "januar", "jän", "jänner", "january", "janv", "janvier"],
    &["feb", "februar", "feber", "february", "fév", "févr", "février"],
    &["mär", "märz", "mrz", "maerz", "mar", "march", "mars"],
    &["apr", "april", "avr", "avril"],
    &["mai", "may"],
    &["jun", "juni", "june", "juin"],
    &["jul", "juli", "july", "juil", "juillet"],
    &["aug", "august", "août", "aout"],
    &["sep", "sept", "september", "septembre"],
    &["okt", "oktober", "oct", "october", "octobre"],
    &["nov", "november", "novembre"],
    &["dez", "dezember", "dec", "december", "déc", "décembre"],
];

fn month_named(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let found = (1..).zip(MONTHS).find(|(_, names)| names.contains(&word.as_str()));
    found.map(|(month, _)| month)
}

/// The parts of a date as written, before their order is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Written {
    parts: Parts,
    pub is_dotted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Parts {
    /// Each number with its count of digits.
    Three([(u32, usize); 3]),
    /// `3.4.`
    Two(u32, u32),
    /// `3. April 2026`
    Named {
        day: u32,
        month: u32,
        year: Option<(u32, usize)>,
    },
}

impl Written {
    /// Returns whether it says the order of its parts itself, as a year at the beginning or a name does.
    pub fn is_clear(&self) -> bool {
        match self.parts {
            Parts::Three([(_, digits), ..]) => digits == 4,
            Parts::Named { .. } => true,
            Parts::Two(..) => false,
        }
    }

    /// Returns whether the year is at the beginning.
    pub fn is_year_first(&self) -> bool {
        matches!(self.parts, Parts::Three([(_, 4), ..]))
    }

    pub fn has_year(&self) -> bool {
        !matches!(self.parts, Parts::Two(..) | Parts::Named { year: None, .. })
    }

    /// Returns the days since 1970 in this order; `year` is the year of a date without one.
    pub fn days(&self, order: DateOrder, year: Option<i32>) -> Option<f64> {
        match self.parts {
            Parts::Named { day, month, year: own } => match own {
                Some(own) => days(full_year(own)?, month, day),
                None => days(year?, month, day),
            },
            Parts::Two(first, second) => match order {
                DateOrder::Dmy | DateOrder::Ymd => days(year?, second, first),
                DateOrder::Mdy => days(year?, first, second),
            },
            Parts::Three([first, second, third]) => {
                let (year, month, day) = match order {
                    DateOrder::Ymd => (first, second, third),
                    DateOrder::Dmy => (third, second, first),
                    DateOrder::Mdy => (third, first, second),
                };
                if month.1 > 2 || day.1 > 2 {
                    return None;
                }
                days(full_year(year)?, month.0, day.0)
            }
        }
    }

    /// Like [`Written::days`], but a date that can only be meant in one order is read in that.
    pub fn days_or_clear(&self, order: DateOrder, year: Option<i32>) -> Option<f64> {
        let in_order = || self.days(order, year);
        match self.parts {
            Parts::Three([(_, 4), ..]) => self.days(DateOrder::Ymd, year),
            Parts::Three([.., (_, 4)]) if order == DateOrder::Ymd && self.is_dotted => self.days(DateOrder::Dmy, year),
            _ => in_order(),
        }
    }
}

/// Returns the year of two or four digits.
fn full_year((year, digits): (u32, usize)) -> Option<i32> {
    let year = i32::try_from(year).ok()?;
    match digits {
        4 => Some(year),
        2 => Some(2000 + year),
        _ => None,
    }
}

/// Parses the date at the beginning of a cell. Returns it with the rest of the cell.
pub(crate) fn written(cell: &str) -> Option<(Written, &str)> {
    let cell = cell.trim().trim_start_matches('\'');
    written_here(cell).or_else(|| {
        // `Fr, 03.04.2026`
        let end = cell.find(|c: char| !c.is_alphabetic())?;
        let word = cell[..end].to_lowercase();
        let is_weekday = WEEKDAYS.contains(&word.as_str())
            || (word.ends_with("tag") || word.ends_with("day") || word.ends_with("di"))
            || matches!(word.as_str(), "mittwoch" | "sonnabend" | "dimanche");
        let rest = cell[end..].trim_start_matches(['.', ',', ' ']);
        let rest = rest.strip_prefix("den ").unwrap_or(rest);
        is_weekday.then(|| written_here(rest)).flatten()
    })
}

fn written_here(text: &str) -> Option<(Written, &str)> {
    numeric(text).or_else(|| named(text))
}

/// Parses the digits at the beginning. Returns their value, their count, and the rest.
fn leading(text: &str) -> Option<((u32, usize), &str)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let value = text[..count].parse().ok()?;
    Some(((value, count), &text[count..]))
}

fn numeric(text: &str) -> Option<(Written, &str)> {
    let (first, rest) = leading(text)?;
    if first.1 == 8 && (1900..2200).contains(&(first.0 / 10_000)) && (rest.is_empty() || rest.starts_with([' ', 'T'])) {
        let parts = Parts::Three([(first.0 / 10_000, 4), (first.0 / 100 % 100, 2), (first.0 % 100, 2)]);
        return Some((
            Written {
                parts,
                is_dotted: false,
            },
            rest,
        ));
    }
    let sign = rest.chars().next().filter(|sign| matches!(sign, '.' | '/' | '-'))?;
    let (second, rest) = leading(rest[1..].trim_start_matches(' '))?;
    let is_dotted = sign == '.';
    let fits = |(_, digits): (u32, usize)| matches!(digits, 1 | 2 | 4);
    let short = |rest| {
        Some((
            Written {
                parts: Parts::Two(first.0, second.0),
                is_dotted,
            },
            rest,
        ))
    };
    if !fits(first) || second.1 > 2 {
        return None;
    }
    let Some(after) = rest.strip_prefix(sign) else {
        return short(rest).filter(|_| first.1 <= 2 && is_end(rest));
    };
    match leading(after.trim_start_matches(' ')) {
        Some((third, rest)) if fits(third) && is_end(rest) && (third.1 != 1 || first.1 == 4) => Some((
            Written {
                parts: Parts::Three([first, second, third]),
                is_dotted,
            },
            rest,
        )),
        // `3.4. 14:05`
        _ => short(after).filter(|_| first.1 <= 2 && is_dotted && is_end(after)),
    }
}

fn is_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', 'T', 't', ',', ';', '\u{a0}'])
}

/// Parses `3. April 2026`, `3-Apr-26` and `Apr 3, 2026`.
fn named(text: &str) -> Option<(Written, &str)> {
    let between = |text: &'_ str| -> usize { text.len() - text.trim_start_matches(['.', ' ', '-', ',', '/']).len() };
    let word_of = |text: &str| text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (day, month, rest) = match leading(text) {
        Some((day, rest)) => {
            let rest = &rest[between(rest)..];
            let end = word_of(rest);
            (day, month_named(&rest[..end])?, &rest[end..])
        }
        None => {
            let end = word_of(text);
            let month = month_named(&text[..end])?;
            let rest = &text[end..];
            let (day, rest) = leading(&rest[between(rest)..])?;
            let rest = ["st", "nd", "rd", "th"]
                .iter()
                .find_map(|ending| rest.strip_prefix(ending))
                .unwrap_or(rest);
            (day, month, rest)
        }
    };
    if day.1 > 2 {
        return None;
    }
    let after = &rest[between(rest)..];
    let year = leading(after).filter(|((_, digits), rest)| matches!(digits, 2 | 4) && is_end(rest));
    let (year, rest) = year.map_or((None, rest), |(year, rest)| (Some(year), rest));
    let parts = Parts::Named {
        day: day.0,
        month,
        year,
    };
    Some((Written { parts, is_dotted: true }, rest))
}

/// Returns whether a cell is a date in any order of day, month and year. A date without a year needs a point after it
/// or a name, as it is a number otherwise.
pub(crate) fn reads_as_date(cell: &str) -> bool {
    let Some((written, rest)) = written(cell) else {
        return false;
    };
    let is_whole = rest.is_empty() || time_after(rest).is_some() || moment(cell).is_some();
    let is_date = written.has_year() || written.is_clear() || is_short(cell);
    is_whole
        && is_date
        && DateOrder::ALL
            .iter()
            .any(|order| written.days(*order, Some(2024)).is_some())
}

/// Returns whether a cell is a date without a year: `3.4.`.
pub(crate) fn is_short(cell: &str) -> bool {
    let has_point = |rest: &str| cell.trim().strip_suffix(rest).is_some_and(|date| date.ends_with('.'));
    written(cell).is_some_and(|(written, rest)| !written.has_year() && (written.is_clear() || has_point(rest)))
}

/// Parses a date in the given order; `year` is the year of a date without one. Returns days since 1970.
pub(crate) fn date(cell: &str, order: DateOrder, year: Option<i32>) -> Option<f64> {
    let (written, rest) = written(cell)?;
    let is_alone = rest.trim().is_empty() || time_after(rest).is_some();
    is_alone.then(|| written.days_or_clear(order, year)).flatten()
}

/// Parses the time after a date. Returns seconds since midnight.
fn time_after(rest: &str) -> Option<f64> {
    let rest = rest.trim_start_matches(['T', 't', ' ', ',', ';', '\u{a0}']);
    let rest = rest
        .strip_prefix("um ")
        .or_else(|| rest.strip_prefix("at "))
        .or_else(|| rest.strip_prefix("- "))
        .unwrap_or(rest);
    clock(rest)
}

/// Parses a date with a time. Returns the seconds since 1970, and the zone if the cell has one.
pub(crate) fn moment_in(cell: &str, order: DateOrder, year: Option<i32>) -> Option<Moment> {
    if let Some(moment) = moment(cell) {
        return Some(moment);
    }
    let (written, rest) = written(cell)?;
    let (rest, offset) = match rest.strip_suffix(['Z', 'z']).or_else(|| rest.strip_suffix("UTC")) {
        Some(rest) => (rest, Some(0)),
        None => (rest, None),
    };
    let shown = written.days_or_clear(order, year)? * 86_400.0 + time_after(rest)?;
    Some(Moment { shown, offset })
}

/// Returns whether a cell is a date with a time.
pub(crate) fn reads_as_moment(cell: &str, order: DateOrder) -> bool {
    moment_in(cell, order, Some(2024)).is_some()
}

/// Returns whether a cell is a date with a time of day. Spreadsheets write a midnight after a date without time, and a
/// date before [`FIRST_FLIGHT`] before a time without date.
pub(crate) fn reads_as_start(cell: &str, order: DateOrder) -> bool {
    // `14.05 - 14.12` is rather a range of times.
    let moment = moment_in(cell, order, Some(2024)).filter(|_| clocks(cell).is_none());
    moment.is_some_and(|moment| moment.shown > FIRST_FLIGHT && moment.shown.rem_euclid(86_400.0) != 0.0)
}

/// Parses a time of day: `10:31`, `10:31 Uhr`, `10.31`, `1031`, `10h31`. Returns seconds since midnight.
pub(crate) fn clock(cell: &str) -> Option<f64> {
    let cell = cell.trim();
    let named = [" Uhr", "Uhr", " MESZ", " MEZ", " CEST", " CET", " h"]
        .iter()
        .find_map(|name| cell.strip_suffix(name));
    let cell = named.unwrap_or(cell).trim_end();
    time_of_day(cell).or_else(|| {
        let is_digit = |c: char| c.is_ascii_digit();
        if (3..=4).contains(&cell.len()) && cell.chars().all(is_digit) {
            let (hours, minutes) = cell.split_at(cell.len() - 2);
            return time_of_day(format!("{hours}:{minutes}"));
        }
        let parts: Vec<&str> = cell.split(['.', 'h', 'H']).collect();
        let are_parts =
            parts.iter().skip(1).all(|part| part.len() == 2) && parts.first().is_some_and(|hours| hours.len() <= 2);
        let has_digits = parts.iter().all(|part| part.chars().all(is_digit));
        ((2..=3).contains(&parts.len()) && are_parts && has_digits).then(|| time_of_day(parts.join(":")))?
    })
}

/// Parses a time of day, or the times of start and end: `14:05–14:12`, `14.05 bis 14.12 Uhr`.
pub(crate) fn clocks(cell: &str) -> Option<(f64, Option<f64>)> {
    if let Some(start) = clock(cell) {
        return Some((start, None));
    }
    let (start, end) = ["–", "—", "-", " bis ", "→", " to "]
        .iter()
        .find_map(|between| cell.split_once(between))?;
    let start = start.trim().strip_prefix("von ").unwrap_or(start);
    Some((clock(start)?, Some(clock(end)?)))
}
