//! Start of a flight: the clock of its file, converted to the pilot's.

use super::matcher::Matcher;
use crate::imports::model::normalized;
use crate::imports::table::FoundFlightRecord;
use fluglog_base::time::{WallTime, rfc_3339};

/// 2010-01-01: an earlier time means that the clock of the radio or camera was never set.
const EARLIEST_SECONDS: i64 = 1_262_304_000;
/// 2000-01-01: satellite time is earlier only without a fix.
const EARLIEST_UTC_SECONDS: i64 = 946_684_800;
/// A start may be this much later than now, because clocks differ; as for a typed start.
const AHEAD_SECONDS: i64 = 5 * 60;

impl Matcher<'_> {
    /// Returns the minutes by which the file's time is shifted: as chosen, else as remembered for this radio or camera.
    pub fn shift(&self, flight: &FoundFlightRecord) -> i64 {
        if let Some(shift) = self.shifts.get(&flight.file) {
            return i64::from(*shift);
        }
        if flight.is_utc || flight.about.name.is_empty() || self.foreign.of(flight).is_some() {
            return 0;
        }
        let alias = self.aliases.get("copter", &normalized(&flight.about.name));
        alias.map_or(0, |alias| alias.shift_minutes)
    }

    /// Returns the start on the pilot's clock; `None` when the clock of the file was wrong, or the time doesn't exist
    /// in the pilot's time zone.
    pub fn start(&self, flight: &FoundFlightRecord, shift_minutes: i64) -> Option<WallTime> {
        let seconds = flight.start?.div_euclid(1000);
        let shifted = seconds.checked_add(shift_minutes.checked_mul(60)?)?;
        let earliest = match flight.is_utc {
            true => EARLIEST_UTC_SECONDS,
            false => EARLIEST_SECONDS,
        };
        if shifted < earliest && self.foreign.of(flight).is_none() {
            return None;
        }
        let start = match flight.is_utc {
            true => self.clock.wall_time_at(shifted),
            false => WallTime::from_minutes(shifted.div_euclid(60))?,
        };
        let latest = self.clock.wall_time_at(self.clock.unix_seconds() + AHEAD_SECONDS);
        (start <= latest && start.exists_in(self.clock.zone())).then_some(start)
    }

    /// Returns the time in the file, if it differs from `start`.
    pub(super) fn time_of_file(&self, flight: &FoundFlightRecord, start: Option<WallTime>) -> String {
        match (flight.start, flight.day) {
            (Some(millis), _) if flight.is_utc => {
                let utc = rfc_3339(millis.div_euclid(1000));
                format!("{} UTC", utc.get(11..16).unwrap_or_default())
            }
            (Some(millis), _) => {
                let shown = WallTime::from_minutes(millis.div_euclid(60_000));
                let shown = shown.filter(|shown| Some(*shown) != start);
                shown.map(|shown| shown.to_string()).unwrap_or_default()
            }
            (None, Some(day)) => {
                let minutes = day.checked_mul(24 * 60).and_then(WallTime::from_minutes);
                minutes.map(|time| time.date().to_string()).unwrap_or_default()
            }
            (None, None) => String::new(),
        }
    }
}
