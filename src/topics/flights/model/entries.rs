//! Entries of a flight, their form, and changes of them by a form.

use serde::{Serialize, Serializer};

use fluglog_base::coded;
use fluglog_base::declared::{Declared, joined};
use fluglog_base::error::Result;
use fluglog_base::field::{Field, LONG_TEXT_MOST_CHARACTERS};
use fluglog_base::input::{Change, Fields};
use fluglog_base::text;
use fluglog_base::time::{WallTime, Zone};

/// A flight may begin this much later than now, because clocks differ.
const AHEAD_MOST_MINUTES: i64 = 5;
/// Greatest age of an open flight.
const OPEN_MOST_MINUTES: i64 = 30 * 24 * 60;

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

pub const START_TIME: Field<WallTime> = Field::time("startTime");
const LOCATION: Field<String> = Field::line("location", LONG_TEXT_MOST_CHARACTERS);
const WEATHER: Field<String> = Field::lines("weatherConditions", LONG_TEXT_MOST_CHARACTERS);
const PURPOSE: Field<String> = Field::lines("purpose", LONG_TEXT_MOST_CHARACTERS);
const NOTES: Field<String> = Field::lines("notes", LONG_TEXT_MOST_CHARACTERS);
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
            $($name: Change<$type>,)*
        }

        /// Form fields except the start.
        const ENTRIES: &[Declared] = &[$($field.declared(),)* MAX_DISTANCE.declared()];

        impl EntryChanges {
            fn read_but_start(fields: &Fields) -> Result<EntryChanges> {
                let mut changes = EntryChanges {
                    start: Change::Keep,
                    $($name: $field.$read(fields)?,)*
                };
                if changes.maximum_distance == Change::Keep {
                    changes.maximum_distance = MAX_DISTANCE.change(fields)?;
                }
                Ok(changes)
            }

            /// Applies the changes to the entries of a flight.
            pub fn apply(&self, entries: &mut Entries) {
                self.start.apply(&mut entries.start);
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
    pub start: WallTime,
    pub fields: FlightFields,
}

impl Entries {
    /// Reads a whole flight of an export.
    ///
    /// # Errors
    /// The start is missing, or like [`EntryChanges::read`].
    pub fn read(fields: &Fields) -> Result<Entries> {
        let mut entries = Entries::starting(START_TIME.required(text::START_TIME_MISSING).read(fields)?);
        EntryChanges::read(fields)?.apply(&mut entries);
        entries.fields.mode = FLIGHT_MODE.read(fields)?.unwrap_or(FlightMode::Unknown);
        Ok(entries)
    }

    /// Creates the entries of a flight that is just starting.
    #[must_use]
    pub fn starting(start: WallTime) -> Entries {
        Entries {
            start,
            fields: FlightFields::default(),
        }
    }
}

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
    pub start: WallTime,
    pub changes: EntryChanges,
}

impl NewEntries {
    /// Reads a flight that is created open at `now` and begins then, unless `start` is given. `form` has the other
    /// fields.
    ///
    /// # Errors
    /// The start is in the future, or too long ago for an open flight; or like [`EntryChanges::read`].
    pub(crate) fn read_open(start: Option<WallTime>, form: Option<&Fields>, now: WallTime) -> Result<NewEntries> {
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

    /// Reads the form of a flight that is finished at `now`.
    ///
    /// # Errors
    /// The start is missing or in the future, or like [`EntryChanges::read`].
    pub fn read_finished(fields: &Fields, now: WallTime) -> Result<NewEntries> {
        Ok(NewEntries {
            start: not_later(START_TIME.required(text::START_TIME_MISSING).read(fields)?, now)?,
            changes: EntryChanges::read(fields)?,
        })
    }

    /// Returns the entries of the new flight.
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
