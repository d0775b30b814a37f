//! The wall clock of a zone, calculated by hand, to compare the server's "now" with.

use std::time::{SystemTime, UNIX_EPOCH};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Fails unless `time` is now, with a tolerance for a slow machine.
#[track_caller]
pub fn expect_now(time: &str, wall_clock: fn(i64) -> String) {
    let now = seconds_since_1970();
    let recently = (0..3).map(|minutes| wall_clock(now - minutes * MINUTE));
    assert!(
        recently.into_iter().any(|minute| minute == time),
        "{time:?} isn't now, {:?}",
        wall_clock(now)
    );
}

/// `dd.MM.yyyy HH:mm` in Berlin: an hour ahead, two from the last Sunday of March, 1 o'clock in London, until that of
/// October.
pub fn in_berlin(seconds: i64) -> String {
    let (_, _, year) = date(seconds / DAY);
    let change = |month| last_sunday(year, month) * DAY + HOUR;
    let summer = (change(3)..change(10)).contains(&seconds);
    format(seconds + if summer { 2 * HOUR } else { HOUR })
}

/// Kiritimati has no summer time and is 14 hours ahead.
pub fn in_kiritimati(seconds: i64) -> String {
    format(seconds + 14 * HOUR)
}

/// A zone where today goes on for an hour at least.
pub fn zone_far_from_midnight() -> &'static str {
    match seconds_since_1970() % DAY / HOUR {
        23 => "Asia/Tokyo",
        _ => "UTC",
    }
}

pub fn seconds_since_1970() -> i64 {
    let time = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock after 1970");
    i64::try_from(time.as_secs()).expect("a clock in this age")
}

fn format(seconds: i64) -> String {
    let (day, month, year) = date(seconds.div_euclid(DAY));
    let minutes = seconds.rem_euclid(DAY) / MINUTE;
    format!("{day:02}.{month:02}.{year} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// Day, month and year of a day counted from 01.01.1970.
fn date(days: i64) -> (i64, i64, i64) {
    let mut year = 1970;
    let mut rest = days;
    while rest >= 365 + leap(year) {
        rest -= 365 + leap(year);
        year += 1;
    }
    let mut month = 1;
    while rest >= length(year, month) {
        rest -= length(year, month);
        month += 1;
    }
    (rest + 1, month, year)
}

fn last_sunday(year: i64, month: i64) -> i64 {
    let years: i64 = (1970..year).map(|year| 365 + leap(year)).sum();
    let months: i64 = (1..=month).map(|month| length(year, month)).sum();
    let last = years + months - 1;
    // 01.01.1970 was a Thursday, 04.01. a Sunday.
    last - (last - 3).rem_euclid(7)
}

fn leap(year: i64) -> i64 {
    i64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
}

fn length(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + leap(year),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
