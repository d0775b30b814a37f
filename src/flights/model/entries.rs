//! The entries of a flight, their form, and the changes that a form makes to them.

use crate::base::declared::{Declared, joined};
use crate::base::error::Result;
use crate::base::field::{Field, LONG_TEXT_MOST_CHARACTERS};
use crate::base::input::{Change, Fields};
use crate::base::text;
use crate::base::time::{WallTime, Zone};

/// A flight may begin so much later than now: clocks differ.
const AHEAD_MOST_MINUTES: i64 = 5;
/// A flight that isn't over began so long ago at most.
const OPEN_MOST_MINUTES: i64 = 30 * 24 * 60;

/// How the copter is flown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlightMode {
    #[default]
    Angle,
    Horizontal,
    Manual,
}

impl FlightMode {
    const ALL: [FlightMode; 3] = [FlightMode::Angle, FlightMode::Horizontal, FlightMode::Manual];

    /// 0 Winkel, 1 Horizontal, 2 Manuell.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The mode with this code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<FlightMode> {
        FlightMode::ALL.into_iter().find(|mode| mode.code() == code)
    }
}

impl TryFrom<u32> for FlightMode {
    type Error = ();

    fn try_from(code: u32) -> std::result::Result<FlightMode, ()> {
        let code = u8::try_from(code).ok();
        code.and_then(FlightMode::from_code).ok_or(())
    }
}

/// A flight, as the pilot enters it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entries {
    pub start: WallTime,
    pub location: String,
    /// Degrees
    pub start_latitude: Option<f64>,
    pub start_longitude: Option<f64>,
    pub end_latitude: Option<f64>,
    pub end_longitude: Option<f64>,
    /// min
    pub minutes: Option<f64>,
    /// m
    pub maximum_altitude: Option<f64>,
    /// km
    pub distance: Option<f64>,
    /// m
    pub maximum_distance: Option<f64>,
    /// km/h
    pub speed: Option<f64>,
    /// V
    pub start_voltage: Option<f64>,
    /// V
    pub end_voltage: Option<f64>,
    /// mAh
    pub consumed_capacity: Option<f64>,
    pub mode: FlightMode,
    pub weather: String,
    pub purpose: String,
    pub notes: String,
}

impl Entries {
    /// Reads a whole flight.
    ///
    /// # Errors
    /// No start, or as [`EntryChanges::read`].
    pub fn read(fields: &Fields) -> Result<Entries> {
        let mut entries = Entries::starting(START_TIME.required(text::START_TIME_MISSING).read(fields)?);
        EntryChanges::read(fields)?.apply(&mut entries);
        Ok(entries)
    }

    /// Fills what is empty with what others have.
    pub fn fill(&mut self, others: &Entries) {
        let text = |own: &mut String, other: &String| {
            if own.is_empty() {
                own.clone_from(other);
            }
        };
        text(&mut self.location, &others.location);
        text(&mut self.weather, &others.weather);
        text(&mut self.purpose, &others.purpose);
        text(&mut self.notes, &others.notes);
        // A position is both of its numbers.
        if self.start_latitude.is_none() && self.start_longitude.is_none() {
            (self.start_latitude, self.start_longitude) = (others.start_latitude, others.start_longitude);
        }
        if self.end_latitude.is_none() && self.end_longitude.is_none() {
            (self.end_latitude, self.end_longitude) = (others.end_latitude, others.end_longitude);
        }
        for (own, other) in [
            (&mut self.minutes, others.minutes),
            (&mut self.maximum_altitude, others.maximum_altitude),
            (&mut self.distance, others.distance),
            (&mut self.maximum_distance, others.maximum_distance),
            (&mut self.speed, others.speed),
            (&mut self.start_voltage, others.start_voltage),
            (&mut self.end_voltage, others.end_voltage),
            (&mut self.consumed_capacity, others.consumed_capacity),
        ] {
            *own = own.or(other);
        }
    }

    /// The entries of a flight that just starts.
    #[must_use]
    pub fn starting(start: WallTime) -> Entries {
        Entries {
            start,
            location: String::new(),
            start_latitude: None,
            start_longitude: None,
            end_latitude: None,
            end_longitude: None,
            minutes: None,
            maximum_altitude: None,
            distance: None,
            maximum_distance: None,
            speed: None,
            start_voltage: None,
            end_voltage: None,
            consumed_capacity: None,
            mode: FlightMode::default(),
            weather: String::new(),
            purpose: String::new(),
            notes: String::new(),
        }
    }
}

/// The changes of a form to the entries of a flight.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntryChanges {
    start: Change<WallTime>,
    location: Change<String>,
    start_latitude: Change<Option<f64>>,
    start_longitude: Change<Option<f64>>,
    end_latitude: Change<Option<f64>>,
    end_longitude: Change<Option<f64>>,
    minutes: Change<Option<f64>>,
    maximum_altitude: Change<Option<f64>>,
    distance: Change<Option<f64>>,
    maximum_distance: Change<Option<f64>>,
    speed: Change<Option<f64>>,
    start_voltage: Change<Option<f64>>,
    end_voltage: Change<Option<f64>>,
    consumed_capacity: Change<Option<f64>>,
    mode: Change<FlightMode>,
    weather: Change<String>,
    purpose: Change<String>,
    notes: Change<String>,
}

pub const START_TIME: Field<WallTime> = Field::time("startTime");
const LOCATION: Field<String> = Field::line("location", LONG_TEXT_MOST_CHARACTERS);
const WEATHER: Field<String> = Field::lines("weatherConditions", LONG_TEXT_MOST_CHARACTERS);
const PURPOSE: Field<String> = Field::lines("purpose", LONG_TEXT_MOST_CHARACTERS);
const NOTES: Field<String> = Field::lines("notes", LONG_TEXT_MOST_CHARACTERS);
const FLIGHT_TIME: Field<f64> = Field::number("flightTime");
const MAXIMUM_ALTITUDE: Field<f64> = Field::number("maximumAltitude");
const DISTANCE: Field<f64> = Field::number("distance");
const MAXIMUM_DISTANCE: Field<f64> = Field::number("maximumDistance");
/// As the list calls [`MAXIMUM_DISTANCE`], which wins.
const MAX_DISTANCE: Field<f64> = Field::number("maxDistance");
const SPEED: Field<f64> = Field::number("speed");
const START_VOLTAGE: Field<f64> = Field::number("batteryStartVoltage");
const END_VOLTAGE: Field<f64> = Field::number("batteryEndVoltage");
const CONSUMED_CAPACITY: Field<f64> = Field::number("consumedCapacity");
const START_LATITUDE: Field<f64> = Field::degrees("startLatitude", 90, text::BAD_LATITUDE);
const START_LONGITUDE: Field<f64> = Field::degrees("startLongitude", 180, text::BAD_LONGITUDE);
const END_LATITUDE: Field<f64> = Field::degrees("endLatitude", 90, text::BAD_LATITUDE);
const END_LONGITUDE: Field<f64> = Field::degrees("endLongitude", 180, text::BAD_LONGITUDE);
const FLIGHT_MODE: Field<FlightMode> = Field::integer("flightMode", 0..=2, text::FLIGHT_MODE_UNKNOWN);

/// The fields of the form but the start.
const ENTRIES: &[Declared] = &[
    LOCATION.declared(),
    START_LATITUDE.declared(),
    START_LONGITUDE.declared(),
    END_LATITUDE.declared(),
    END_LONGITUDE.declared(),
    FLIGHT_TIME.declared(),
    MAXIMUM_ALTITUDE.declared(),
    DISTANCE.declared(),
    MAXIMUM_DISTANCE.declared(),
    MAX_DISTANCE.declared(),
    SPEED.declared(),
    START_VOLTAGE.declared(),
    END_VOLTAGE.declared(),
    CONSUMED_CAPACITY.declared(),
    FLIGHT_MODE.declared(),
    WEATHER.declared(),
    PURPOSE.declared(),
    NOTES.declared(),
];
/// The fields of a flight that starts, of one that is over, and of one that is changed.
pub const STARTING: &[Declared] = ENTRIES;
pub const FINISHED: &[Declared] = joined!(&[START_TIME.declared().required()], ENTRIES);
pub const CHANGED: &[Declared] = joined!(&[START_TIME.declared()], ENTRIES);

impl EntryChanges {
    /// Reads the fields of a form. An absent field stays as it is, an empty one is cleared; only the start time can't be empty.
    ///
    /// # Errors
    /// The first value that breaks its rule.
    pub fn read(fields: &Fields) -> Result<EntryChanges> {
        let start = START_TIME.replacement(fields, text::START_TIME_MISSING)?;
        Ok(EntryChanges {
            start,
            ..EntryChanges::read_but_start(fields)?
        })
    }

    fn read_but_start(fields: &Fields) -> Result<EntryChanges> {
        Ok(EntryChanges {
            start: Change::Keep,
            location: LOCATION.change_or_default(fields)?,
            weather: WEATHER.change_or_default(fields)?,
            purpose: PURPOSE.change_or_default(fields)?,
            notes: NOTES.change_or_default(fields)?,
            minutes: FLIGHT_TIME.change(fields)?,
            maximum_altitude: MAXIMUM_ALTITUDE.change(fields)?,
            distance: DISTANCE.change(fields)?,
            speed: SPEED.change(fields)?,
            start_voltage: START_VOLTAGE.change(fields)?,
            end_voltage: END_VOLTAGE.change(fields)?,
            consumed_capacity: CONSUMED_CAPACITY.change(fields)?,
            maximum_distance: match (MAX_DISTANCE.change(fields)?, MAXIMUM_DISTANCE.change(fields)?) {
                (short, Change::Keep) => short,
                (_, long) => long,
            },
            start_latitude: START_LATITUDE.change(fields)?,
            start_longitude: START_LONGITUDE.change(fields)?,
            end_latitude: END_LATITUDE.change(fields)?,
            end_longitude: END_LONGITUDE.change(fields)?,
            mode: FLIGHT_MODE.change_or_default(fields)?,
        })
    }

    /// Reads the fields of a JSON object, of a pilot whose clock goes by this zone.
    ///
    /// # Errors
    /// As [`EntryChanges::read`].
    pub fn of_json(json: &str, zone: Zone) -> Result<EntryChanges> {
        EntryChanges::read(&Fields::from_json(json)?.declared_as(CHANGED).in_zone(Some(zone)))
    }

    /// Changes the entries of a flight.
    pub fn apply(&self, entries: &mut Entries) {
        self.start.apply(&mut entries.start);
        self.location.apply(&mut entries.location);
        self.start_latitude.apply(&mut entries.start_latitude);
        self.start_longitude.apply(&mut entries.start_longitude);
        self.end_latitude.apply(&mut entries.end_latitude);
        self.end_longitude.apply(&mut entries.end_longitude);
        self.minutes.apply(&mut entries.minutes);
        self.maximum_altitude.apply(&mut entries.maximum_altitude);
        self.distance.apply(&mut entries.distance);
        self.maximum_distance.apply(&mut entries.maximum_distance);
        self.speed.apply(&mut entries.speed);
        self.start_voltage.apply(&mut entries.start_voltage);
        self.end_voltage.apply(&mut entries.end_voltage);
        self.consumed_capacity.apply(&mut entries.consumed_capacity);
        self.mode.apply(&mut entries.mode);
        self.weather.apply(&mut entries.weather);
        self.purpose.apply(&mut entries.purpose);
        self.notes.apply(&mut entries.notes);
    }
}

/// A flight that isn't there yet: when it begins, and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntries {
    pub start: WallTime,
    pub changes: EntryChanges,
}

impl NewEntries {
    /// A flight that is created at `now` and isn't over: it begins then, unless `start` says otherwise. `form` has the rest.
    ///
    /// # Errors
    /// A start in the future, or too long ago for a flight that isn't over; or as [`EntryChanges::read`].
    pub fn read_open(start: Option<WallTime>, form: Option<&Fields>, now: WallTime) -> Result<NewEntries> {
        let start = not_later(start.unwrap_or(now), now)?;
        if now.minutes() - start.minutes() > OPEN_MOST_MINUTES {
            return Err(START_TIME.invalid(text::START_TIME_TOO_OLD));
        }
        let changes = form.map(EntryChanges::read_but_start).transpose()?;
        Ok(NewEntries {
            start,
            changes: changes.unwrap_or_default(),
        })
    }

    /// Reads the form of a flight that is over at `now`.
    ///
    /// # Errors
    /// No start, one in the future, or as [`EntryChanges::read`].
    pub fn read_finished(fields: &Fields, now: WallTime) -> Result<NewEntries> {
        Ok(NewEntries {
            start: not_later(START_TIME.required(text::START_TIME_MISSING).read(fields)?, now)?,
            changes: EntryChanges::read(fields)?,
        })
    }

    /// The entries of a flight that wasn't there before.
    #[must_use]
    pub fn entries(&self) -> Entries {
        let mut entries = Entries::starting(self.start);
        self.changes.apply(&mut entries);
        entries
    }
}

fn not_later(start: WallTime, now: WallTime) -> Result<WallTime> {
    if start.minutes() - now.minutes() > AHEAD_MOST_MINUTES {
        return Err(START_TIME.invalid(text::START_TIME_IN_FUTURE));
    }
    Ok(start)
}
