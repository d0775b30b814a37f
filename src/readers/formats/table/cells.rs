//! Cells as people write them: dates, moments, numbers, durations.

use super::mapping::DateOrder;
use crate::formats::values::{self, days, moment, time_of_day};

/// In any order of its parts.
pub fn reads_as_date(cell: &str) -> bool {
    let orders = [DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd];
    orders
        .iter()
        .any(|order| date(cell, *order).is_some() || moment_in(cell, *order).is_some())
}

/// Days since 1970 of a date whose parts stand in this order.
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

/// Seconds since midnight: `10:31`, `10:31 Uhr`.
pub fn clock(cell: &str) -> Option<f64> {
    time_of_day(cell.trim_end_matches(" Uhr"))
}

/// Seconds since 1970 of a date and a time, with anything between them.
pub fn moment_in(cell: &str, order: DateOrder) -> Option<f64> {
    if let (DateOrder::Ymd, Some(moment)) = (order, moment(cell)) {
        return Some(moment.shown);
    }
    let (day, time) = cell.trim().split_once([' ', 'T'])?;
    let day = date(day.trim_end_matches(','), order)?;
    let time = time.trim().trim_start_matches("um ").trim_end_matches(" Uhr");
    Some(day * 86_400.0 + time_of_day(time)?)
}

/// A number as people write it: with signs between thousands, with `≈` in front, with its unit behind.
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

/// Seconds of `7`, `7,5` (minutes, unless the unit says otherwise), `0:07`, `0:07:30` (hours first).
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
