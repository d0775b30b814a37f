//! German dates and times: read and printed strictly, and the one clock of the program.
//!
//! A pilot writes down what the clock on the wall showed, so [`WallTime`] has no zone and no seconds, and
//! neither type can hold a day that doesn't exist. The zone matters to [`Clock`], which says what "now" is,
//! and in the hours that summer time leaves out or repeats. This file doesn't know which zone is
//! configured, what a time is used for, or how a record keeps it.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime};

mod zone;

pub use zone::Zone;

/// The years that a date picker offers; everything outside is a slip of the finger.
pub const FIRST_YEAR: u32 = 1900;
pub const LAST_YEAR: u32 = 2099;
const YEARS: RangeInclusive<i32> = FIRST_YEAR.cast_signed()..=LAST_YEAR.cast_signed();
/// Days from the first day of year 1, which is day 1 of chrono's count, to 1970-01-01.
const EPOCH_FROM_CE: i32 = 719_163;
const MINUTES_PER_DAY: i64 = 24 * 60;
const MONTHS_PER_YEAR: i32 = 12;
/// 1900-01-01 00:00, in minutes since 1970-01-01 00:00.
const FIRST_MINUTE: i64 = -25_567 * MINUTES_PER_DAY;
/// 2099-12-31 23:59, in minutes since 1970-01-01 00:00.
const LAST_MINUTE: i64 = 47_482 * MINUTES_PER_DAY - 1;
/// 2026-01-01: no clock that is right says an earlier time.
const EARLIEST_SECONDS: i64 = 1_767_225_600;
/// No zone was ever further than this from UTC.
const MOST_OFFSET_SECONDS: i64 = 24 * 60 * 60;

/// The reason why a text is no date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoDate {
    /// Another form, or a day or time that doesn't exist.
    Malformed,
    /// A real day before 1900 or after 2099.
    OutsideYears,
}

/// A pilot's wall clock: a real day from 01.01.1900 to 31.12.2099 and a minute of it, without a zone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WallTime {
    date: Date,
    minute_of_day: u16,
}

impl WallTime {
    /// Reads exactly `dd.MM.yyyy HH:mm`, from 00:00 to 23:59.
    ///
    /// Nothing is trimmed or completed: a text that is accepted is the text that is printed again.
    ///
    /// # Errors
    /// Any other form, a day or time that doesn't exist, a year before 1900 or after 2099.
    pub fn parse(text: &str) -> Result<WallTime, NoDate> {
        let (date, time) = text.split_once(' ').ok_or(NoDate::Malformed)?;
        let minute_of_day = minute_of_day(time).ok_or(NoDate::Malformed)?;
        Ok(WallTime {
            date: Date::parse(date)?,
            minute_of_day,
        })
    }

    /// Whether the clocks of a zone ever show it: they leave an hour out when summer time begins.
    #[must_use]
    pub fn exists_in(self, zone: Zone) -> bool {
        zone.instants_of(self.naive()).is_some()
    }

    /// Whether it is before another time, whichever is meant of an hour that the clocks of a zone show twice.
    #[must_use]
    pub fn is_before(self, other: WallTime, zone: Zone) -> bool {
        match [self, other].map(|time| zone.instants_of(time.naive())) {
            [Some((_, own_latest)), Some((earliest_other, _))] => own_latest < earliest_other,
            _ => self < other,
        }
    }

    fn naive(self) -> NaiveDateTime {
        let utc = DateTime::from_timestamp(self.minutes() * 60, 0).unwrap_or_default();
        utc.naive_utc()
    }

    /// Minutes since 01.01.1970 00:00 of the same wall clock; negative before.
    #[must_use]
    pub fn minutes(self) -> i64 {
        i64::from(self.date.days()) * MINUTES_PER_DAY + i64::from(self.minute_of_day)
    }

    /// The inverse of [`WallTime::minutes`]; `None` before 1900 and after 2099.
    #[must_use]
    pub fn from_minutes(minutes: i64) -> Option<WallTime> {
        let days = i32::try_from(minutes.div_euclid(MINUTES_PER_DAY)).ok()?;
        let minute_of_day = u16::try_from(minutes.rem_euclid(MINUTES_PER_DAY)).ok()?;
        Some(WallTime {
            date: Date::from_days(days)?,
            minute_of_day,
        })
    }

    /// As [`WallTime::from_minutes`], but the first or last minute of the years for one outside of them.
    #[must_use]
    pub fn nearest(minutes: i64) -> WallTime {
        WallTime::from_minutes(minutes.clamp(FIRST_MINUTE, LAST_MINUTE))
            .expect("the minute was just clamped to the years that a WallTime holds")
    }

    /// The wall clock so many minutes later, or earlier when negative.
    ///
    /// Plain arithmetic on the clock's face: a switch to or from summer time isn't seen.
    /// `None` when that leaves the years 1900 to 2099.
    #[must_use]
    pub fn plus_minutes(self, minutes: i64) -> Option<WallTime> {
        WallTime::from_minutes(self.minutes().checked_add(minutes)?)
    }

    /// The hour of the day, from 0 to 23.
    #[must_use]
    pub fn hour(self) -> usize {
        usize::from(self.minute_of_day / 60)
    }

    /// The day of this time.
    #[must_use]
    pub fn date(self) -> Date {
        self.date
    }
}

/// Prints `dd.MM.yyyy HH:mm`.
impl fmt::Display for WallTime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute) = (self.minute_of_day / 60, self.minute_of_day % 60);
        write!(out, "{} {hour:02}:{minute:02}", self.date)
    }
}

/// A span of time in the words after „seit“, in its two largest units: `3 Tagen 4 h`, `12 min`.
#[must_use]
pub fn span(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, _) => format!("{hours} h {minutes} min"),
        (1, _, _) => format!("1 Tag {hours} h"),
        _ => format!("{days} Tagen {hours} h"),
    }
}

/// A real day from 01.01.1900 to 31.12.2099.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    day: NaiveDate,
}

impl Date {
    /// Reads exactly `DD.MM.YYYY`; nothing is trimmed or completed.
    ///
    /// # Errors
    /// Any other form, a day that doesn't exist, such as 31.02., a year before 1900 or after 2099.
    pub fn parse(text: &str) -> Result<Date, NoDate> {
        let day = day(text).ok_or(NoDate::Malformed)?;
        Date::within_years(day).ok_or(NoDate::OutsideYears)
    }

    /// Days since 01.01.1970; negative before.
    #[must_use]
    pub fn days(self) -> i32 {
        self.day.num_days_from_ce() - EPOCH_FROM_CE
    }

    /// The inverse of [`Date::days`]; `None` before 1900 and after 2099.
    #[must_use]
    pub fn from_days(days: i32) -> Option<Date> {
        let from_ce = days.checked_add(EPOCH_FROM_CE)?;
        Date::within_years(NaiveDate::from_num_days_from_ce_opt(from_ce)?)
    }

    /// The month of this day.
    #[must_use]
    pub fn month(self) -> Month {
        Month {
            since_year_0: self.day.year() * MONTHS_PER_YEAR + self.day.month0().cast_signed(),
        }
    }

    /// The year, and which of its days this is, counted from 0.
    #[must_use]
    pub fn in_year(self) -> (u32, u16) {
        let day = u16::try_from(self.day.ordinal0()).unwrap_or_default();
        (self.day.year().unsigned_abs(), day)
    }

    /// The inverse of [`Date::in_year`]; `None` when the year has no such day.
    #[must_use]
    pub fn of_year(year: u32, day: u16) -> Option<Date> {
        let ordinal = u32::from(day) + 1;
        Date::within_years(NaiveDate::from_yo_opt(i32::try_from(year).ok()?, ordinal)?)
    }

    /// It as `YYYY-MM-DD`, which sorts as it counts.
    #[must_use]
    pub fn sortable(self) -> String {
        format!("{:04}-{:02}-{:02}", self.day.year(), self.day.month(), self.day.day())
    }

    fn within_years(day: NaiveDate) -> Option<Date> {
        YEARS.contains(&day.year()).then_some(Date { day })
    }
}

/// Prints `DD.MM.YYYY`.
impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, month, year) = (self.day.day(), self.day.month(), self.day.year());
        write!(out, "{day:02}.{month:02}.{year:04}")
    }
}

/// A month of a certain year.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Month {
    since_year_0: i32,
}

impl Month {
    /// The month of a year, counted from 0.
    #[must_use]
    pub fn of_year(year: u32, month: u8) -> Month {
        Month {
            since_year_0: year.cast_signed() * MONTHS_PER_YEAR + i32::from(month),
        }
    }

    /// The year, and which of its months this is, counted from 0.
    #[must_use]
    pub fn in_year(self) -> (u32, usize) {
        // No year that a date has is before 1900.
        let [year, month] = [self.since_year_0 / MONTHS_PER_YEAR, self.since_year_0 % MONTHS_PER_YEAR];
        (year.unsigned_abs(), month.unsigned_abs() as usize)
    }

    /// The month after this one.
    #[must_use]
    pub fn next(self) -> Month {
        Month {
            since_year_0: self.since_year_0 + 1,
        }
    }
}

/// Prints `YYYY-MM`, which sorts as it counts.
impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month) = (
            self.since_year_0 / MONTHS_PER_YEAR,
            self.since_year_0 % MONTHS_PER_YEAR + 1,
        );
        write!(out, "{year:04}-{month:02}")
    }
}

/// The current time: for people in the configured zone, for the program in seconds since 1970 UTC.
///
/// Clones share their source, so a test that advances one advances all.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Seconds since 1970 UTC of a clock that stands still; `None` follows the system's clock.
    fixed: Option<Arc<AtomicI64>>,
    /// The newest time that is known of, and when it was: the system's clock may be set back, or not be set yet.
    newest: Arc<Mutex<Option<(i64, Instant)>>>,
    zone: Zone,
}

impl Clock {
    /// The system's clock, read in `zone`.
    #[must_use]
    pub fn system(zone: Zone) -> Clock {
        Clock {
            fixed: None,
            newest: Arc::default(),
            zone,
        }
    }

    /// A clock that stands at `unix_seconds` until it is advanced.
    #[must_use]
    pub fn fixed(unix_seconds: i64, zone: Zone) -> Clock {
        Clock {
            fixed: Some(Arc::new(AtomicI64::new(unix_seconds))),
            newest: Arc::default(),
            zone,
        }
    }

    /// The zone that it is read in.
    #[must_use]
    pub fn zone(&self) -> Zone {
        self.zone
    }

    /// Moves a fixed clock and all its clones, back when negative. The system's clock isn't touched.
    pub fn advance(&self, seconds: i64) {
        if let Some(fixed) = &self.fixed {
            let later = |now: i64| Some(now.saturating_add(seconds));
            // The closure always answers `Some`, so there is no failed update to look at.
            let _ = fixed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
        }
    }

    /// The wall clock of the zone now, see [`Clock::wall_time_at`]. It follows the system's clock back, for people
    /// correct that, but not to a time before this program.
    #[must_use]
    pub fn now(&self) -> WallTime {
        let system = system_seconds();
        match self.fixed.is_none() && system >= EARLIEST_SECONDS {
            true => self.wall_time_at(system),
            false => self.wall_time_at(self.unix_seconds()),
        }
    }

    /// Takes notice of a time that has been: [`Clock::unix_seconds`] is never before it. A fixed clock isn't touched.
    pub fn learn(&self, unix_seconds: i64) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if newest.is_none_or(|(known, _)| known < unix_seconds) {
            *newest = Some((unix_seconds, Instant::now()));
        }
    }

    /// Seconds since 01.01.1970 00:00 UTC; negative when the system's clock is set before that. They never go back:
    /// what has ended stays so.
    #[must_use]
    pub fn unix_seconds(&self) -> i64 {
        if let Some(fixed) = &self.fixed {
            return fixed.load(Ordering::Relaxed);
        }
        let system = system_seconds();
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = |at: Instant| i64::try_from(at.elapsed().as_secs()).unwrap_or(i64::MAX);
        match *newest {
            Some((known, at)) if known.saturating_add(passed(at)) > system => known.saturating_add(passed(at)),
            _ => {
                *newest = Some((system, Instant::now()));
                system
            }
        }
    }

    /// An instant in the zone as names of files have it: `YYYYMMDD-HHMMSS`; what no calendar holds becomes 1970.
    #[must_use]
    pub fn stamp_at(&self, unix_seconds: i64) -> String {
        self.zone.wall_at(unix_seconds).format("%Y%m%d-%H%M%S").to_string()
    }

    /// The first instant at which the wall clock of the zone shows this time, in Unix seconds; the one without summer
    /// time for a time that it leaves out.
    #[must_use]
    pub fn instant_of(&self, time: WallTime) -> i64 {
        let shown = time.minutes() * 60;
        let instants = self.zone.instants_of(time.naive());
        instants.map_or_else(|| shown - self.zone.offset_at(shown), |(earliest, _)| earliest)
    }

    /// The wall clock of the zone at an instant, seconds cut off.
    ///
    /// Never fails, since a board without a battery may believe anything: an instant outside
    /// 1900 to 2099 becomes the first or last minute of these years.
    #[must_use]
    pub fn wall_time_at(&self, unix_seconds: i64) -> WallTime {
        let earliest = FIRST_MINUTE * 60 - MOST_OFFSET_SECONDS;
        let latest = LAST_MINUTE * 60 + MOST_OFFSET_SECONDS;
        let instant = unix_seconds.clamp(earliest, latest);
        let minutes = (instant + self.zone.offset_at(instant)).div_euclid(60);
        WallTime::nearest(minutes)
    }
}

fn system_seconds() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
    }
}

/// The minutes of a year, as [`WallTime::minutes`] counts them.
#[must_use]
pub fn minutes_of_year(year: u32) -> Range<i64> {
    let first = |year: u32| {
        let day = NaiveDate::from_ymd_opt(year.cast_signed(), 1, 1).unwrap_or_default();
        i64::from(day.num_days_from_ce() - EPOCH_FROM_CE) * MINUTES_PER_DAY
    };
    first(year)..first(year + 1)
}

/// An instant as RFC 3339 in UTC, to the second; what no calendar holds becomes 1970.
#[must_use]
pub fn rfc_3339(unix_seconds: i64) -> String {
    let instant = DateTime::from_timestamp(unix_seconds, 0).unwrap_or_default();
    instant.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// `DD.MM.YYYY` as a day of any year.
fn day(text: &str) -> Option<NaiveDate> {
    let (day, rest) = text.split_once('.')?;
    let (month, year) = rest.split_once('.')?;
    let (day, month, year) = (digits(day, 2)?, digits(month, 2)?, digits(year, 4)?);
    NaiveDate::from_ymd_opt(year.into(), month.into(), day.into())
}

/// `HH:mm` as a minute of the day.
fn minute_of_day(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (digits(hour, 2)?, digits(minute, 2)?);
    (hour <= 23 && minute <= 59).then_some(hour * 60 + minute)
}

/// The number that exactly `length` ASCII digits write.
fn digits(text: &str, length: usize) -> Option<u16> {
    let all_digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests;
