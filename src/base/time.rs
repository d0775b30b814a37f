//! German dates and times, parsed and printed strictly, and the clock of the program.
//!
//! A pilot records the time that a clock on the wall shows, so [`WallTime`] has no zone and no seconds; neither type
//! can represent a day that doesn't exist. The zone matters for [`Clock`], which tells the current time, and for the
//! hours that daylight saving time skips or repeats. Knows no setting and no record.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant as Monotonic, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime};

mod zone;

pub use zone::Zone;

/// The years that a date picker offers; a year outside is a typo.
pub const FIRST_YEAR: u32 = 1900;
pub const LAST_YEAR: u32 = 2099;
const YEARS: RangeInclusive<i32> = FIRST_YEAR.cast_signed()..=LAST_YEAR.cast_signed();
/// Days from 0001-01-01, day 1 of chrono's count, to 1970-01-01.
const EPOCH_FROM_CE: i32 = 719_163;
const MINUTES_PER_DAY: i64 = 24 * 60;
const MONTHS_PER_YEAR: i32 = 12;
/// 1900-01-01 00:00, in minutes since 1970-01-01 00:00.
const FIRST_MINUTE: i64 = -25_567 * MINUTES_PER_DAY;
/// 2099-12-31 23:59, in minutes since 1970-01-01 00:00.
const LAST_MINUTE: i64 = 47_482 * MINUTES_PER_DAY - 1;
/// 2026-01-01; an earlier time means that the clock is wrong.
const EARLIEST_SECONDS: i64 = 1_767_225_600;
/// Larger than the offset of any zone from UTC.
const MAX_OFFSET_SECONDS: i64 = 24 * 60 * 60;

/// Why a text is no date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateError {
    /// Another format, or a day or time that doesn't exist.
    Malformed,
    /// A valid day before 1900 or after 2099.
    OutsideYears,
}

/// Wall-clock time without a zone: a day from 01.01.1900 to 31.12.2099 and a minute of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WallTime {
    date: Date,
    minute_of_day: u16,
}

impl WallTime {
    /// Parses exactly `dd.MM.yyyy HH:mm`, from 00:00 to 23:59.
    ///
    /// Nothing is trimmed or completed: an accepted text is printed back unchanged.
    ///
    /// # Errors
    /// Any other format, a day or time that doesn't exist, a year before 1900 or after 2099.
    pub fn parse(text: &str) -> Result<WallTime, DateError> {
        let (date, time) = text.split_once(' ').ok_or(DateError::Malformed)?;
        let minute_of_day = minute_of_day(time).ok_or(DateError::Malformed)?;
        Ok(WallTime {
            date: Date::parse(date)?,
            minute_of_day,
        })
    }

    /// Returns whether the clocks of a zone ever show this time: they skip an hour when daylight saving time begins.
    #[must_use]
    pub fn exists_in(self, zone: Zone) -> bool {
        zone.instants_of(self.naive()).is_some()
    }

    /// Returns whether this time is certainly before another one, even if one of them is in the hour that the zone's
    /// clocks show twice.
    #[must_use]
    pub fn is_before(self, other: WallTime, zone: Zone) -> bool {
        match [self, other].map(|time| zone.instants_of(time.naive())) {
            [Some((_, own_latest)), Some((earliest_other, _))] => own_latest < earliest_other,
            _ => self < other,
        }
    }

    /// Returns the first instant at which a zone's clocks show this time; a skipped time is read as if daylight saving
    /// time hadn't begun.
    #[must_use]
    pub fn instant_in(self, zone: Zone) -> Instant {
        let shown = self.minutes() * 60;
        let instants = zone.instants_of(self.naive());
        clamped(instants.map_or_else(|| shown - zone.offset_at(shown), |(earliest, _)| earliest))
    }

    fn naive(self) -> NaiveDateTime {
        let utc = DateTime::from_timestamp(self.minutes() * 60, 0).unwrap_or_default();
        utc.naive_utc()
    }

    /// Returns the minutes since 01.01.1970 00:00 on the wall clock; negative before.
    #[must_use]
    pub fn minutes(self) -> i64 {
        i64::from(self.date.days()) * MINUTES_PER_DAY + i64::from(self.minute_of_day)
    }

    /// Inverse of [`WallTime::minutes`]; `None` before 1900 and after 2099.
    #[must_use]
    pub fn from_minutes(minutes: i64) -> Option<WallTime> {
        let days = i32::try_from(minutes.div_euclid(MINUTES_PER_DAY)).ok()?;
        let minute_of_day = u16::try_from(minutes.rem_euclid(MINUTES_PER_DAY)).ok()?;
        Some(WallTime {
            date: Date::from_days(days)?,
            minute_of_day,
        })
    }

    /// Like [`WallTime::from_minutes`], but clamps to the first or last minute of the years.
    #[must_use]
    pub fn from_minutes_clamped(minutes: i64) -> WallTime {
        WallTime::from_minutes(minutes.clamp(FIRST_MINUTE, LAST_MINUTE))
            .expect("the minute was just clamped to the years that a WallTime holds")
    }

    /// Returns the wall clock `minutes` later, or earlier if negative.
    ///
    /// Plain arithmetic that ignores changes to or from daylight saving time. `None` if the result is before 1900 or
    /// after 2099.
    #[must_use]
    pub fn plus_minutes(self, minutes: i64) -> Option<WallTime> {
        WallTime::from_minutes(self.minutes().checked_add(minutes)?)
    }

    /// Returns the hour of the day, from 0 to 23.
    #[must_use]
    pub fn hour(self) -> usize {
        usize::from(self.minute_of_day / 60)
    }

    /// Returns the day.
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

/// An instant of the years of [`WallTime`], in whole seconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instant {
    unix_seconds: i64,
}

impl Instant {
    /// Parses RFC 3339 with any offset, such as `2026-03-01T09:05:12.5Z`; a fraction of a second is cut off.
    ///
    /// # Errors
    /// Any other format, or an instant before 1900 or after 2099.
    pub fn parse(text: &str) -> Result<Instant, DateError> {
        let instant = DateTime::parse_from_rfc3339(text).map_err(|_| DateError::Malformed)?;
        Instant::from_unix_seconds(instant.timestamp()).ok_or(DateError::OutsideYears)
    }

    /// Returns the seconds since 01.01.1970 00:00 UTC; negative before.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.unix_seconds
    }

    /// Inverse of [`Instant::unix_seconds`]; `None` before 1900 and after 2099.
    #[must_use]
    pub fn from_unix_seconds(unix_seconds: i64) -> Option<Instant> {
        let years = FIRST_MINUTE * 60..(LAST_MINUTE + 1) * 60;
        years.contains(&unix_seconds).then_some(Instant { unix_seconds })
    }

    /// Returns the instant that is `minutes` later, or earlier if negative; `None` if it is before 1900 or after 2099.
    #[must_use]
    pub fn plus_minutes(self, minutes: i64) -> Option<Instant> {
        Instant::from_unix_seconds(self.unix_seconds.checked_add(minutes.checked_mul(60)?)?)
    }

    /// Returns what a zone's clocks show at this instant.
    #[must_use]
    pub fn wall_time(self, zone: Zone) -> WallTime {
        WallTime::from_minutes_clamped((self.unix_seconds + zone.offset_at(self.unix_seconds)).div_euclid(60))
    }
}

/// Prints RFC 3339 in UTC with seconds.
impl fmt::Display for Instant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&rfc_3339(self.unix_seconds))
    }
}

/// Formats a duration for a sentence with „seit“, in its two largest units: `3 Tagen 4 h`, `12 min`.
#[must_use]
pub fn duration_since_text(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, _) => format!("{hours} h {minutes} min"),
        (1, _, _) => format!("1 Tag {hours} h"),
        _ => format!("{days} Tagen {hours} h"),
    }
}

/// A day from 01.01.1900 to 31.12.2099.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    day: NaiveDate,
}

impl Date {
    /// Parses exactly `DD.MM.YYYY`; nothing is trimmed or completed.
    ///
    /// # Errors
    /// Any other format, a day that doesn't exist, such as 31.02., a year before 1900 or after 2099.
    pub fn parse(text: &str) -> Result<Date, DateError> {
        let day = day(text).ok_or(DateError::Malformed)?;
        Date::within_years(day).ok_or(DateError::OutsideYears)
    }

    /// Returns the days since 01.01.1970; negative before.
    #[must_use]
    pub fn days(self) -> i32 {
        self.day.num_days_from_ce() - EPOCH_FROM_CE
    }

    /// Inverse of [`Date::days`]; `None` before 1900 and after 2099.
    #[must_use]
    pub fn from_days(days: i32) -> Option<Date> {
        let from_ce = days.checked_add(EPOCH_FROM_CE)?;
        Date::within_years(NaiveDate::from_num_days_from_ce_opt(from_ce)?)
    }

    /// Returns the month of this day.
    #[must_use]
    pub fn month(self) -> Month {
        Month {
            since_year_0: self.day.year() * MONTHS_PER_YEAR + self.day.month0().cast_signed(),
        }
    }

    /// Returns the year and the day in it, counted from 0.
    #[must_use]
    pub fn year_and_day(self) -> (u32, u16) {
        let day = u16::try_from(self.day.ordinal0()).unwrap_or_default();
        (self.day.year().unsigned_abs(), day)
    }

    /// Inverse of [`Date::year_and_day`]; `None` if the year has no such day.
    #[must_use]
    pub fn of_year(year: u32, day: u16) -> Option<Date> {
        let ordinal = u32::from(day) + 1;
        Date::within_years(NaiveDate::from_yo_opt(i32::try_from(year).ok()?, ordinal)?)
    }

    /// Returns the same day in another year, the 28th for a 29 February that it doesn't have; `None` before 1900 and
    /// after 2099.
    #[must_use]
    pub fn plus_years(self, years: i32) -> Option<Date> {
        let year = self.day.year().checked_add(years)?;
        let day = self.day.with_year(year);
        Date::within_years(day.or_else(|| NaiveDate::from_ymd_opt(year, 2, 28))?)
    }

    /// Returns the last day of this year.
    #[must_use]
    pub fn end_of_year(self) -> Date {
        let last = NaiveDate::from_ymd_opt(self.day.year(), 12, 31);
        Date {
            day: last.unwrap_or(self.day),
        }
    }

    /// Formats the date as `YYYY-MM-DD`, which sorts chronologically.
    #[must_use]
    pub fn to_iso(self) -> String {
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

/// A month of a particular year.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Month {
    since_year_0: i32,
}

impl Month {
    /// Returns the month of a year, counted from 0.
    #[must_use]
    pub fn of_year(year: u32, month: u8) -> Month {
        Month {
            since_year_0: year.cast_signed() * MONTHS_PER_YEAR + i32::from(month),
        }
    }

    /// Returns the year and the month in it, counted from 0.
    #[must_use]
    pub fn year_and_month(self) -> (u32, usize) {
        // Not negative, because a date's year is at least 1900.
        let [year, month] = [self.since_year_0 / MONTHS_PER_YEAR, self.since_year_0 % MONTHS_PER_YEAR];
        (year.unsigned_abs(), month.unsigned_abs() as usize)
    }

    /// Returns the following month.
    #[must_use]
    pub fn next(self) -> Month {
        Month {
            since_year_0: self.since_year_0 + 1,
        }
    }
}

/// Prints `YYYY-MM`, which sorts chronologically.
impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month) = (
            self.since_year_0 / MONTHS_PER_YEAR,
            self.since_year_0 % MONTHS_PER_YEAR + 1,
        );
        write!(out, "{year:04}-{month:02}")
    }
}

/// The current time: wall-clock time in the configured zone, and Unix seconds.
///
/// Clones share their source, so advancing a fixed clock advances all its clones.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Unix seconds of a fixed clock; `None` follows the system's clock.
    fixed: Option<Arc<AtomicI64>>,
    /// Latest known time and the moment at which it was learned: the system's clock may be set back, or not be set yet.
    newest: Arc<Mutex<Option<(i64, Monotonic)>>>,
    zone: Zone,
}

impl Clock {
    /// Creates a clock that follows the system's, in `zone`.
    #[must_use]
    pub fn system(zone: Zone) -> Clock {
        Clock {
            fixed: None,
            newest: Arc::default(),
            zone,
        }
    }

    /// Creates a clock that stands at `unix_seconds` until it is advanced.
    #[must_use]
    pub fn fixed(unix_seconds: i64, zone: Zone) -> Clock {
        Clock {
            fixed: Some(Arc::new(AtomicI64::new(unix_seconds))),
            newest: Arc::default(),
            zone,
        }
    }

    /// Returns the clock's zone.
    #[must_use]
    pub fn zone(&self) -> Zone {
        self.zone
    }

    /// Advances a fixed clock and all its clones, backwards if negative. Has no effect on the system's clock.
    pub fn advance(&self, seconds: i64) {
        if let Some(fixed) = &self.fixed {
            let later = |now: i64| Some(now.saturating_add(seconds));
            // The closure always returns `Some`, so the update can't fail.
            let _ = fixed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
        }
    }

    /// Returns the current wall-clock time, see [`Clock::wall_time_at`]. Follows the system's clock even when it is set
    /// back, because people correct it on purpose, but not to a time before this program was made.
    #[must_use]
    pub fn now(&self) -> WallTime {
        self.wall_time_at(self.present())
    }

    /// Returns the instant of [`Clock::now`].
    #[must_use]
    pub fn instant(&self) -> Instant {
        clamped(self.present())
    }

    fn present(&self) -> i64 {
        let system = system_seconds();
        match self.fixed.is_none() && system >= EARLIEST_SECONDS {
            true => system,
            false => self.unix_seconds(),
        }
    }

    /// Learns a time known to have passed; [`Clock::unix_seconds`] never returns less. Has no effect on a fixed clock.
    pub fn observe(&self, unix_seconds: i64) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if newest.is_none_or(|(known, _)| known < unix_seconds) {
            *newest = Some((unix_seconds, Monotonic::now()));
        }
    }

    /// Returns the seconds since 01.01.1970 00:00 UTC. They never decrease, so that what has expired stays expired;
    /// negative if the system's clock has only ever been before 1970.
    #[must_use]
    pub fn unix_seconds(&self) -> i64 {
        if let Some(fixed) = &self.fixed {
            return fixed.load(Ordering::Relaxed);
        }
        let system = system_seconds();
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = |at: Monotonic| i64::try_from(at.elapsed().as_secs()).unwrap_or(i64::MAX);
        match *newest {
            Some((known, at)) if known.saturating_add(passed(at)) > system => known.saturating_add(passed(at)),
            _ => {
                *newest = Some((system, Monotonic::now()));
                system
            }
        }
    }

    /// Formats an instant in the zone for file names: `YYYYMMDD-HHMMSS`; an instant beyond the calendar becomes 1970.
    #[must_use]
    pub fn file_stamp_at(&self, unix_seconds: i64) -> String {
        self.zone.wall_at(unix_seconds).format("%Y%m%d-%H%M%S").to_string()
    }

    /// Returns the instant at which the clock shows this time, see [`WallTime::instant_in`].
    #[must_use]
    pub fn instant_of(&self, time: WallTime) -> Instant {
        time.instant_in(self.zone)
    }

    /// Returns the wall-clock time at an instant, truncated to minutes.
    ///
    /// Never fails, since the clock of a board without a battery may show anything: an instant outside 1900 to 2099
    /// becomes the first or last minute of these years.
    #[must_use]
    pub fn wall_time_at(&self, unix_seconds: i64) -> WallTime {
        let earliest = FIRST_MINUTE * 60 - MAX_OFFSET_SECONDS;
        let latest = LAST_MINUTE * 60 + MAX_OFFSET_SECONDS;
        let instant = unix_seconds.clamp(earliest, latest);
        let minutes = (instant + self.zone.offset_at(instant)).div_euclid(60);
        WallTime::from_minutes_clamped(minutes)
    }
}

/// Returns the instant, or the first or last one of the years.
fn clamped(unix_seconds: i64) -> Instant {
    Instant {
        unix_seconds: unix_seconds.clamp(FIRST_MINUTE * 60, LAST_MINUTE * 60),
    }
}

fn system_seconds() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
    }
}

/// Returns the range of a year's minutes, as [`WallTime::minutes`] counts them.
#[must_use]
pub fn minutes_of_year(year: u32) -> Range<i64> {
    let first = |year: u32| {
        let day = NaiveDate::from_ymd_opt(year.cast_signed(), 1, 1).unwrap_or_default();
        i64::from(day.num_days_from_ce() - EPOCH_FROM_CE) * MINUTES_PER_DAY
    };
    first(year)..first(year + 1)
}

/// Formats an instant as RFC 3339 in UTC with seconds; an instant beyond the calendar becomes 1970.
#[must_use]
pub fn rfc_3339(unix_seconds: i64) -> String {
    let instant = DateTime::from_timestamp(unix_seconds, 0).unwrap_or_default();
    instant.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Parses `DD.MM.YYYY` as a day of any year.
fn day(text: &str) -> Option<NaiveDate> {
    let (day, rest) = text.split_once('.')?;
    let (month, year) = rest.split_once('.')?;
    let (day, month, year) = (digits(day, 2)?, digits(month, 2)?, digits(year, 4)?);
    NaiveDate::from_ymd_opt(year.into(), month.into(), day.into())
}

/// Parses `HH:mm` as a minute of the day.
fn minute_of_day(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (digits(hour, 2)?, digits(minute, 2)?);
    (hour <= 23 && minute <= 59).then_some(hour * 60 + minute)
}

/// Parses exactly `length` ASCII digits.
fn digits(text: &str, length: usize) -> Option<u16> {
    let all_digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests;
