//! Wall clocks computed independently of the program, to compare its times with.

use std::time::{SystemTime, UNIX_EPOCH};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Fails unless `time` is the current time, with a tolerance for slow machines.
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

/// `dd.MM.yyyy HH:mm` in Berlin: UTC+1; UTC+2 from the last Sunday of March, 1:00 UTC, to that of October.
pub fn in_berlin(seconds: i64) -> String {
    let (_, _, year) = date(seconds / DAY);
    let change = |month| last_sunday(year, month) * DAY + HOUR;
    let summer = (change(3)..change(10)).contains(&seconds);
    format(seconds + if summer { 2 * HOUR } else { HOUR })
}

/// `dd.MM.yyyy HH:mm` in Kiritimati: always UTC+14.
pub fn in_kiritimati(seconds: i64) -> String {
    format(seconds + 14 * HOUR)
}

/// `dd.MM.yyyy HH:mm` where clocks are this many hours ahead of UTC.
pub fn at_offset(seconds: i64, hours: i64) -> String {
    format(seconds + hours * HOUR)
}

/// `2026-03-01T09:05:12Z`
pub fn rfc_3339(seconds: i64) -> String {
    let (day, month, year) = date(seconds.div_euclid(DAY));
    let within = seconds.rem_euclid(DAY);
    let (hours, minutes, seconds) = (within / HOUR, within % HOUR / MINUTE, within % MINUTE);
    format!("{year}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
}

/// A time zone where the current day lasts for at least another hour.
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

/// Day, month and year of a day counted from 1970-01-01.
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
    // 1970-01-01 was a Thursday, the 4th a Sunday.
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
