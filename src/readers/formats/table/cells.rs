//! Cells as people write them: dates, times, numbers, durations.

use super::mapping::DateOrder;
use crate::formats::values::{self, days, moment, time_of_day};

/// Returns whether a cell is a date in any order of day, month and year.
pub(crate) fn reads_as_date(cell: &str) -> bool {
    let orders = [DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd];
    orders
        .iter()
        .any(|order| date(cell, *order).is_some() || moment_in(cell, *order).is_some())
}

/// Parses a date in the given order. Returns days since 1970.
pub fn date(cell: &str, order: DateOrder) -> Option<f64> {
    let parts: Vec<&str> = cell.trim().split(['.', '/', '-']).map(str::trim).collect();
    let [first, second, third] = parts.as_slice() else {
        return None;
    };
    let (year, month, day) = match order {
        DateOrder::Dmy => (third, second, first),
        DateOrder::Mdy => (third, first, second),
        DateOrder::Ymd => (first, second, third),
    };
    let is_number =
        |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number(month, 2) || !is_number(day, 2) || !is_number(year, 4) || year.len() == 1 || year.len() == 3 {
        return None;
    }
    let short = year.len() == 2;
    let year: i32 = year.parse().ok()?;
    days(
        if short { 2000 + year } else { year },
        month.parse().ok()?,
        day.parse().ok()?,
    )
}

/// Parses a time of day: `10:31`, `10:31 Uhr`. Returns seconds since midnight.
pub fn clock(cell: &str) -> Option<f64> {
    time_of_day(cell.trim_end_matches(" Uhr"))
}

/// Parses a date with a time. Returns seconds since 1970 on the clock of the table.
pub(crate) fn moment_in(cell: &str, order: DateOrder) -> Option<f64> {
    if let (DateOrder::Ymd, Some(moment)) = (order, moment(cell)) {
        return Some(moment.shown);
    }
    let (day, time) = cell.trim().split_once([' ', 'T'])?;
    let day = date(day.trim_end_matches(','), order)?;
    let time = time.trim().trim_start_matches("um ").trim_end_matches(" Uhr");
    Some(day * 86_400.0 + time_of_day(time)?)
}

/// Parses a number with optional separators between thousands, a leading `≈`, and a unit after it.
pub fn number(cell: &str, decimal: char) -> Option<f64> {
    let thousands = if decimal == ',' { '.' } else { ',' };
    let digits: String = cell
        .chars()
        .skip_while(|character| matches!(character, '≈' | '~' | ' '))
        .take_while(|character| character.is_ascii_digit() || matches!(character, ',' | '.' | '-' | '\''))
        .filter(|character| *character != thousands && *character != '\'')
        .map(|character| if character == decimal { '.' } else { character })
        .collect();
    values::number(&digits)
}

/// Parses a duration: `7` and `7,5` in minutes unless the unit differs, `0:07`, `0:07:30` with hours first. Returns
/// seconds.
pub fn duration(cell: &str, unit: &str, decimal: char) -> Option<f64> {
    if cell.contains(':') {
        return time_of_day(cell);
    }
    let factor = match unit {
        "s" | "sec" | "sek" => 1.0,
        "h" | "std" => 3600.0,
        _ => 60.0,
    };
    number(cell, decimal).map(|value| value * factor)
}
