//! Entries of a flight, their form, and changes of them by a form.

use serde::{Serialize, Serializer};

use fluglog_base::coded;
use fluglog_base::declared::{Declared, joined};
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_LONG_TEXT_CHARACTERS};
use fluglog_base::input::{Change, Fields};
use fluglog_base::text;
use fluglog_base::time::{Clock, Instant, WallTime, Zone};

/// A flight may begin this much later than now, because clocks differ.
const MAX_AHEAD_MINUTES: i64 = 5;
/// Greatest age of an open flight.
const MAX_OPEN_MINUTES: i64 = 30 * 24 * 60;

coded! {
    /// How the copter is flown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum FlightMode {
        #[default]
        Angle = 0,
        Horizontal = 1,
        Manual = 2,
        /// For a flight from a file without the mode.
        Unknown = 3,
    }
}

impl Serialize for FlightMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            FlightMode::Unknown => serializer.serialize_str(""),
            known => serializer.collect_str(&known.code()),
        }
    }
}

const START_TIME: Field<WallTime> = Field::time("startTime");
const START_INSTANT: Field<Instant> = Field::instant("startInstant");
const END_INSTANT: Field<Instant> = Field::instant("endInstant");
const LOCATION: Field<String> = Field::line("location", MAX_LONG_TEXT_CHARACTERS);
const WEATHER: Field<String> = Field::lines("weatherConditions", MAX_LONG_TEXT_CHARACTERS);
const PURPOSE: Field<String> = Field::lines("purpose", MAX_LONG_TEXT_CHARACTERS);
const NOTES: Field<String> = Field::lines("notes", MAX_LONG_TEXT_CHARACTERS);
const FLIGHT_TIME: Field<f64> = Field::number("flightTime");
const MAXIMUM_ALTITUDE: Field<f64> = Field::number("maximumAltitude");
const DISTANCE: Field<f64> = Field::number("distance");
const MAXIMUM_DISTANCE: Field<f64> = Field::number("maximumDistance");
/// Name of [`MAXIMUM_DISTANCE`] in the list of flights; ignored if both are sent.
const MAX_DISTANCE: Field<f64> = Field::number("maxDistance");
const SPEED: Field<f64> = Field::number("speed");
const START_VOLTAGE: Field<f64> = Field::number("batteryStartVoltage");
const END_VOLTAGE: Field<f64> = Field::number("batteryEndVoltage");
const CONSUMED_CAPACITY: Field<f64> = Field::number("consumedCapacity");
const START_LATITUDE: Field<f64> = Field::degrees("startLatitude", 90, text::BAD_LATITUDE);
const START_LONGITUDE: Field<f64> = Field::degrees("startLongitude", 180, text::BAD_LONGITUDE);
const END_LATITUDE: Field<f64> = Field::degrees("endLatitude", 90, text::BAD_LATITUDE);
const END_LONGITUDE: Field<f64> = Field::degrees("endLongitude", 180, text::BAD_LONGITUDE);
const FLIGHT_MODE: Field<FlightMode> = Field::code("flightMode", 0..=2, text::FLIGHT_MODE_UNKNOWN);

/// Defines a flight's values and their changes by a form, from one list of fields. Each line is `name: type =
/// field.read`, where `change` reads a value that may be unknown.
macro_rules! fields {
    ($($(#[$about:meta])* $name:ident: $type:ty = $field:ident.$read:ident,)*) => {
        /// Fields of a flight except its start, as entered and on the wire.
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
        pub struct FlightFields {
            $($(#[$about])* pub $name: $type,)*
        }

        /// Changes of a flight's entries by a form.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct EntryChanges {
            start: Change<WallTime>,
            /// The zone of the server's clock.
            zone: Option<Zone>,
            $($name: Change<$type>,)*
        }

        /// Form fields except the start.
        const ENTRIES: &[Declared] = &[$($field.declared(),)* MAX_DISTANCE.declared()];

        impl EntryChanges {
            fn read_but_start(fields: &Fields) -> Result<EntryChanges> {
                let mut changes = EntryChanges {
                    start: Change::Keep,
                    zone: fields.zone(),
                    $($name: $field.$read(fields)?,)*
                };
                if changes.maximum_distance == Change::Keep {
                    changes.maximum_distance = MAX_DISTANCE.change(fields)?;
                }
                Ok(changes)
            }

            /// Applies the changes to the entries of a flight.
            pub fn apply(&self, entries: &mut Entries) {
                if let Change::Set(start) = self.start {
                    entries.move_start(start, self.zone);
                }
                $(self.$name.apply(&mut entries.fields.$name);)*
            }
        }

        impl FlightFields {
            /// Fills empty fields from `others`. A position is only filled as a whole.
            pub fn fill(&mut self, others: &FlightFields) {
                let mut others = others.clone();
                if self.mode == FlightMode::Unknown {
                    self.mode = others.mode;
                }
                others.mode = self.mode;
                if self.start_latitude.or(self.start_longitude).is_some() {
                    (others.start_latitude, others.start_longitude) = (None, None);
                }
                if self.end_latitude.or(self.end_longitude).is_some() {
                    (others.end_latitude, others.end_longitude) = (None, None);
                }
                $(if self.$name == <$type>::default() {
                    self.$name = others.$name;
                })*
            }
        }
    };
}

fields! {
    location: String = LOCATION.change_or_default,
    /// Degrees
    start_latitude: Option<f64> = START_LATITUDE.change,
    start_longitude: Option<f64> = START_LONGITUDE.change,
    end_latitude: Option<f64> = END_LATITUDE.change,
    end_longitude: Option<f64> = END_LONGITUDE.change,
    /// min
    #[serde(rename = "flightTime")]
    minutes: Option<f64> = FLIGHT_TIME.change,
    /// m
    maximum_altitude: Option<f64> = MAXIMUM_ALTITUDE.change,
    /// km
    distance: Option<f64> = DISTANCE.change,
    /// m
    maximum_distance: Option<f64> = MAXIMUM_DISTANCE.change,
    /// km/h
    speed: Option<f64> = SPEED.change,
    /// V
    #[serde(rename = "batteryStartVoltage")]
    start_voltage: Option<f64> = START_VOLTAGE.change,
    /// V
    #[serde(rename = "batteryEndVoltage")]
    end_voltage: Option<f64> = END_VOLTAGE.change,
    /// mAh
    consumed_capacity: Option<f64> = CONSUMED_CAPACITY.change,
    #[serde(rename = "flightMode")]
    #[cfg_attr(feature = "schema", ts(type = "\"0\" | \"1\" | \"2\" | \"\""), schema(value_type = String))]
    mode: FlightMode = FLIGHT_MODE.change_or_default,
    #[serde(rename = "weatherConditions")]
    weather: String = WEATHER.change_or_default,
    purpose: String = PURPOSE.change_or_default,
    notes: String = NOTES.change_or_default,
}

/// A flight as entered by the pilot.
#[derive(Debug, Clone, PartialEq)]
pub struct Entries {
    /// On the clock that the pilot saw, whatever its zone.
    pub start: WallTime,
    pub instants: Instants,
    pub fields: FlightFields,
}

/// When a flight began, and when the pilot ended it, as far as that is known: their difference is a duration, which
/// that of two wall clocks isn't.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Instants {
    pub start: Option<Instant>,
    pub end: Option<Instant>,
}

impl Instants {
    /// # Errors
    /// A value is no instant.
    pub fn read(fields: &Fields) -> Result<Instants> {
        Ok(Instants {
            start: START_INSTANT.read(fields)?,
            end: END_INSTANT.read(fields)?,
        })
    }

    /// Reads the instant of the end only.
    ///
    /// # Errors
    /// The value is no instant.
    pub(crate) fn read_end(fields: &Fields) -> Result<Instants> {
        Ok(Instants {
            start: None,
            end: END_INSTANT.read(fields)?,
        })
    }

    /// Replaces the instants that are known here.
    pub(crate) fn apply(self, instants: &mut Instants) {
        instants.start = self.start.or(instants.start);
        instants.end = self.end.or(instants.end);
    }
}

impl Entries {
    /// Reads a whole flight of an export.
    ///
    /// # Errors
    /// The start is missing, or like [`EntryChanges::read`].
    pub fn read(fields: &Fields) -> Result<Entries> {
        let mut entries = Entries::starting(START_TIME.required(text::START_TIME_MISSING).read(fields)?);
        EntryChanges::read(fields)?.apply(&mut entries);
        entries.instants = Instants::read(fields)?;
        entries.fields.mode = FLIGHT_MODE.read(fields)?.unwrap_or(FlightMode::Unknown);
        Ok(entries)
    }

    /// Creates the entries of a flight that is just starting.
    #[must_use]
    pub fn starting(start: WallTime) -> Entries {
        Entries {
            start,
            instants: Instants::default(),
            fields: FlightFields::default(),
        }
    }

    /// Corrects the start. Its instant is that of `zone` if the start was on a clock there, else as much later as the
    /// time is.
    pub fn move_start(&mut self, start: WallTime, zone: Option<Zone>) {
        let before = std::mem::replace(&mut self.start, start);
        self.instants.start = self.instants.start.and_then(|instant| match zone {
            _ if before == start => Some(instant),
            Some(zone) if instant.wall_time(zone) == before => Some(start.instant_in(zone)),
            _ => instant.plus_minutes(start.minutes() - before.minutes()),
        });
    }
}

/// Fields beside the form of a flight that is created or finished, and of one that is ended.
pub const INSTANTS: &[Declared] = &[START_INSTANT.declared(), END_INSTANT.declared()];
pub const STARTED: &[Declared] = &[START_TIME.declared(), START_INSTANT.declared()];
pub const ENDED: &[Declared] = &[END_INSTANT.declared()];
/// Form fields of a flight that is created open, of a finished one, and of a changed one.
pub const STARTING: &[Declared] = ENTRIES;
pub const FINISHED: &[Declared] = joined!(&[START_TIME.declared().required()], ENTRIES);
pub const CHANGED: &[Declared] = joined!(&[START_TIME.declared()], ENTRIES);

impl EntryChanges {
    /// Reads the fields of a form: an empty field clears, an absent one keeps. The start must not be empty.
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

    /// Reads the fields of a JSON object, for a pilot in this time zone.
    ///
    /// # Errors
    /// Like [`EntryChanges::read`].
    pub(crate) fn of_json(json: &str, zone: Zone) -> Result<EntryChanges> {
        EntryChanges::read(&Fields::from_json(json)?.declared_as(CHANGED).in_zone(Some(zone)))
    }
}

/// Entries of a new flight: its start, and the fields that are known.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntries {
    start: Start,
    /// As they were sent.
    pub instants: Instants,
    pub changes: EntryChanges,
}

/// The start of a new flight.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Start {
    time: WallTime,
    instant: Instant,
    /// What the server's clock showed.
    here: WallTime,
}

impl Start {
    /// Completes a start of which the time, the instant, both or, if it is now, neither was sent. A time alone is one
    /// of the server's clock.
    ///
    /// # Errors
    /// The start is in the future.
    fn of(time: Option<WallTime>, instant: Option<Instant>, clock: &Clock) -> Result<Start> {
        let known = match time {
            Some(time) => instant.unwrap_or_else(|| clock.instant_of(time)),
            None => instant.unwrap_or_else(|| clock.instant()),
        };
        let shown = || clock.wall_time_at(known.unix_seconds());
        let time = time.unwrap_or_else(shown);
        let here = if instant.is_some() { shown() } else { time };
        if here.minutes() - clock.now().minutes() > MAX_AHEAD_MINUTES {
            return Err(START_TIME.invalid(text::START_TIME_IN_FUTURE));
        }
        Ok(Start {
            time,
            instant: known,
            here,
        })
    }
}

impl NewEntries {
    /// Reads a flight that is created open and begins now, unless the fields of the start are sent. `form` has the
    /// other fields.
    ///
    /// # Errors
    /// The start is in the future, or too long ago for an open flight; or like [`EntryChanges::read`].
    pub(crate) fn read_open(fields: &Fields, form: Option<&Fields>, clock: &Clock) -> Result<NewEntries> {
        let instant = START_INSTANT.read(fields)?;
        let start = Start::of(read_start(fields, instant)?, instant, clock)?;
        if clock.now().minutes() - start.here.minutes() > MAX_OPEN_MINUTES {
            return Err(START_TIME.invalid(text::START_TIME_TOO_OLD));
        }
        let changes = form.map(EntryChanges::read_but_start).transpose()?;
        Ok(NewEntries {
            start,
            instants: Instants::default(),
            changes: changes.unwrap_or_default(),
        })
    }

    /// Reads the form of a finished flight, and the instants beside it.
    ///
    /// # Errors
    /// The start is missing or in the future, or like [`EntryChanges::read`].
    pub fn read_finished(form: &Fields, instants: Instants, clock: &Clock) -> Result<NewEntries> {
        let time = read_start(form, instants.start)?;
        let time = time.ok_or_else(|| START_TIME.invalid(text::START_TIME_MISSING))?;
        Ok(NewEntries {
            start: Start::of(Some(time), instants.start, clock)?,
            instants,
            changes: EntryChanges {
                start: Change::Set(time),
                ..EntryChanges::read_but_start(form)?
            },
        })
    }

    /// Returns the entries of the new flight.
    #[must_use]
    pub fn entries(&self) -> Entries {
        let mut entries = Entries::starting(self.start.time);
        self.changes.apply(&mut entries);
        entries.instants = Instants {
            start: Some(self.start.instant),
            end: self.instants.end,
        };
        entries
    }

    /// Applies the form of a finished flight to the open one.
    pub(crate) fn finish(&self, entries: &mut Entries) {
        self.changes.apply(entries);
        self.instants.apply(&mut entries.instants);
    }

    /// Returns what the server's clock showed when the flight began.
    #[must_use]
    pub fn start_here(&self) -> WallTime {
        self.start.here
    }
}

/// Reads the time of a start. With its instant it is one of any zone, whose clocks may show what the server's skip.
fn read_start(fields: &Fields, instant: Option<Instant>) -> Result<Option<WallTime>> {
    match instant {
        Some(_) => START_TIME.read(&fields.clone().in_zone(None)),
        None => START_TIME.read(fields),
    }
}
