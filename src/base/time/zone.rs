//! The time zones of the world, as the program holds them.

use std::fmt;

use chrono::{DateTime, NaiveDateTime, TimeDelta};
use tz::TimeZoneRef;

/// The lead and the lag of every zone are shorter than this: an instant that a clock shows lies between.
const FURTHER_THAN_ANY_OFFSET: TimeDelta = TimeDelta::hours(24);

/// A zone of the IANA database.
#[derive(Clone, Copy)]
pub struct Zone {
    name: &'static str,
    rules: &'static TimeZoneRef<'static>,
}

impl Zone {
    /// Europe/Berlin.
    pub const GERMANY: Zone = Zone {
        name: "Europe/Berlin",
        rules: &tzdb_data::time_zone::europe::BERLIN,
    };
    /// Without an offset and without summer time.
    pub const UTC: Zone = Zone {
        name: "UTC",
        rules: &tzdb_data::time_zone::UTC,
    };

    /// The zone of exactly this name, such as `Europe/Berlin`.
    #[must_use]
    pub fn named(name: &str) -> Option<Zone> {
        let name = Zone::names().find(|known| *known == name)?;
        let rules = tzdb_data::find_tz(name.as_bytes())?;
        Some(Zone { name, rules })
    }

    /// The names of all zones.
    pub fn names() -> impl Iterator<Item = &'static str> {
        tzdb_data::TZ_NAMES.iter().copied()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Seconds by which its clocks are ahead of UTC at an instant; negative west of it.
    #[must_use]
    pub(super) fn offset_at(self, unix_seconds: i64) -> i64 {
        let found = self.rules.find_local_time_type(unix_seconds);
        found.map_or(0, |local| local.ut_offset().into())
    }

    /// The instants at which its clocks show this time, in seconds since 1970 UTC: the earliest and the latest, which
    /// differ in an hour that they show twice; `None` in one that they leave out.
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

    /// The wall time at an instant; the beginning of 1970 for one beyond the calendar.
    #[must_use]
    pub(super) fn wall_at(self, unix_seconds: i64) -> NaiveDateTime {
        let shown = unix_seconds.saturating_add(self.offset_at(unix_seconds));
        DateTime::from_timestamp(shown, 0).unwrap_or_default().naive_utc()
    }
}

/// The name says it all.
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

/// Prints its name.
impl fmt::Display for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}
