//! The time zones of the IANA database, compiled in.

use std::fmt;

use chrono::{DateTime, NaiveDateTime, TimeDelta};
use tz::TimeZoneRef;

/// Longer than the offset of any zone: a wall time's instant is less than this from the same time in UTC.
const FURTHER_THAN_ANY_OFFSET: TimeDelta = TimeDelta::hours(24);

/// A zone of the IANA database.
#[derive(Clone, Copy)]
pub struct Zone {
    name: &'static str,
    rules: &'static TimeZoneRef<'static>,
}

impl Zone {
    pub const GERMANY: Zone = Zone {
        name: "Europe/Berlin",
        rules: &tzdb_data::time_zone::europe::BERLIN,
    };
    pub const UTC: Zone = Zone {
        name: "UTC",
        rules: &tzdb_data::time_zone::UTC,
    };

    /// Returns the zone of exactly this name, such as `Europe/Berlin`.
    #[must_use]
    pub fn named(name: &str) -> Option<Zone> {
        let name = Zone::names().find(|known| *known == name)?;
        let rules = tzdb_data::find_tz(name.as_bytes())?;
        Some(Zone { name, rules })
    }

    /// Returns the names of all zones.
    pub fn names() -> impl Iterator<Item = &'static str> {
        tzdb_data::TZ_NAMES.iter().copied()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns the seconds by which the zone is ahead of UTC at an instant; negative west of it.
    #[must_use]
    pub(super) fn offset_at(self, unix_seconds: i64) -> i64 {
        let found = self.rules.find_local_time_type(unix_seconds);
        found.map_or(0, |local| local.ut_offset().into())
    }

    /// Returns the earliest and the latest instant at which the zone's clocks show this time, in Unix seconds. They
    /// differ in the hour that is shown twice; `None` in the hour that is skipped.
    #[must_use]
    pub(super) fn instants_of(self, wall: NaiveDateTime) -> Option<(i64, i64)> {
        let shown = wall.and_utc().timestamp();
        let before = self.offset_at((wall - FURTHER_THAN_ANY_OFFSET).and_utc().timestamp());
        let after = self.offset_at((wall + FURTHER_THAN_ANY_OFFSET).and_utc().timestamp());
        let shows_it = |offset: &i64| self.offset_at(shown - offset) == *offset;
        let instants = || {
            [before, after]
                .into_iter()
                .filter(shows_it)
                .map(|offset| shown - offset)
        };
        Some((instants().min()?, instants().max()?))
    }

    /// Returns the wall time at an instant; the beginning of 1970 for an instant beyond the calendar.
    #[must_use]
    pub(super) fn wall_at(self, unix_seconds: i64) -> NaiveDateTime {
        let shown = unix_seconds.saturating_add(self.offset_at(unix_seconds));
        DateTime::from_timestamp(shown, 0).unwrap_or_default().naive_utc()
    }
}

/// A name identifies a zone.
impl PartialEq for Zone {
    fn eq(&self, other: &Zone) -> bool {
        self.name == other.name
    }
}

impl Eq for Zone {}

impl fmt::Debug for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}
