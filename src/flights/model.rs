//! Rules of flights and the shapes that calls answer with. No store, no web.

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::base::id::{EquipmentId, FlightId, ImageId};
use crate::base::input::{Change, Fields, TEXT_MOST_CHARACTERS};
use crate::base::text;
use crate::base::time::WallTime;
use crate::equipment::model::Kind;

/// The longest text of a flight, in characters.
pub const FLIGHT_TEXT_MOST_CHARACTERS: usize = 10_000;
/// Items and payloads of one flight.
const ITEMS_MOST: usize = 50;
const PAYLOADS_MOST: usize = 50;
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

    fn read(fields: &Fields) -> Result<FlightMode> {
        match fields.whole("flightMode", text::FLIGHT_MODE_UNKNOWN)? {
            None => Ok(FlightMode::default()),
            Some(code) => {
                FlightMode::from_code(code).ok_or_else(|| Error::invalid("flightMode", text::FLIGHT_MODE_UNKNOWN))
            }
        }
    }
}

/// What is chosen before a flight.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    pub copter: EquipmentId,
    pub equipments: Vec<EquipmentId>,
    pub payloads: Vec<Payload>,
}

/// Something that the copter carries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct Payload {
    pub name: String,
    /// g
    pub weight: f64,
}

impl Configuration {
    /// Reads copter, equipments and payloads.
    ///
    /// # Errors
    /// No copter, an item twice, a payload without name or weight, too many of either, or an id that can't be one of the pilot's.
    pub fn read(fields: &Fields) -> Result<Configuration> {
        let copter = fields
            .exact("copter")?
            .ok_or_else(|| Error::invalid("copter", text::FLIGHT_NEEDS_COPTER))?;
        let copter = EquipmentId::parse(copter).ok_or(Error::NotYours)?;
        let equipments = fields.texts("equipments")?;
        if equipments.len() > ITEMS_MOST {
            return Err(Error::invalid("equipments", text::FLIGHT_TOO_MANY_ITEMS));
        }
        let equipments: Vec<_> = equipments
            .iter()
            .map(|id| EquipmentId::parse(id).ok_or(Error::NotYours))
            .collect::<Result<_>>()?;
        let mut seen = std::collections::HashSet::from([copter]);
        if !equipments.iter().all(|id| seen.insert(*id)) {
            return Err(Error::invalid("equipments", text::FLIGHT_ITEM_TWICE));
        }
        let payloads = fields.objects("payloads")?;
        if payloads.len() > PAYLOADS_MOST {
            return Err(Error::invalid("payloads", text::FLIGHT_TOO_MANY_PAYLOADS));
        }
        Ok(Configuration {
            copter,
            equipments,
            payloads: payloads.iter().map(read_payload).collect::<Result<_>>()?,
        })
    }
}

fn read_payload(fields: &Fields) -> Result<Payload> {
    let name = fields.line("name", TEXT_MOST_CHARACTERS)?;
    let weight = fields.number("weight")?;
    match weight {
        Some(weight) if !name.is_empty() => Ok(Payload { name, weight }),
        _ => Err(Error::invalid("payloads", text::PAYLOAD_INCOMPLETE)),
    }
}

/// An item of a flight. Its weight is what it was when the flight was created.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    pub id: EquipmentId,
    pub kind: Kind,
    /// g
    pub weight: Option<f64>,
}

/// What the copter weighs at the start, in g: itself, batteries, video cameras and payloads; goggles and transmitters stay with the
/// pilot. Rounded to thousandths, which hides the noise of binary fractions.
#[must_use]
pub fn start_weight(parts: &[Part], payloads: &[Payload]) -> f64 {
    let carried = parts.iter().filter(|part| part.kind.is_carried());
    // The library's sum of nothing is -0.
    let sum = carried
        .filter_map(|part| part.weight)
        .chain(payloads.iter().map(|payload| payload.weight))
        .fold(0.0, |sum, weight| sum + weight);
    (sum * 1000.0).round() / 1000.0
}

/// What a pilot enters about a flight.
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

/// What a form changes about the entries of a flight.
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

impl EntryChanges {
    /// Reads what is sent. What is absent stays, what is empty is cleared; only the start time can't be.
    ///
    /// # Errors
    /// The first value that breaks its rule.
    pub fn read(fields: &Fields) -> Result<EntryChanges> {
        let text = |name| fields.change(name, |name| fields.lines(name, FLIGHT_TEXT_MOST_CHARACTERS));
        let number = |name| fields.change(name, |name| fields.number(name));
        let degrees = |name, most, sentence| fields.change(name, |name| fields.coordinate(name, most, sentence));
        Ok(EntryChanges {
            start: fields.change("startTime", |_| read_start(fields))?,
            location: fields.change("location", |name| fields.line(name, FLIGHT_TEXT_MOST_CHARACTERS))?,
            weather: text("weatherConditions")?,
            purpose: text("purpose")?,
            notes: text("notes")?,
            minutes: number("flightTime")?,
            maximum_altitude: number("maximumAltitude")?,
            distance: number("distance")?,
            speed: number("speed")?,
            start_voltage: number("batteryStartVoltage")?,
            end_voltage: number("batteryEndVoltage")?,
            consumed_capacity: number("consumedCapacity")?,
            // One value with two names: the list calls it maxDistance.
            maximum_distance: match (number("maxDistance")?, number("maximumDistance")?) {
                (short, Change::Keep) => short,
                (_, long) => long,
            },
            start_latitude: degrees("startLatitude", 90.0, text::BAD_LATITUDE)?,
            start_longitude: degrees("startLongitude", 180.0, text::BAD_LONGITUDE)?,
            end_latitude: degrees("endLatitude", 90.0, text::BAD_LATITUDE)?,
            end_longitude: degrees("endLongitude", 180.0, text::BAD_LONGITUDE)?,
            mode: fields.change("flightMode", |_| FlightMode::read(fields))?,
        })
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

fn read_start(fields: &Fields) -> Result<WallTime> {
    fields
        .time("startTime")?
        .ok_or_else(|| Error::invalid("startTime", text::START_TIME_MISSING))
}

/// The start of a flight that is created at `now`: as it is sent, or else now.
///
/// # Errors
/// In the future, or too long ago for a flight that isn't over.
pub fn read_start_of_open(fields: &Fields, now: WallTime) -> Result<WallTime> {
    let start = not_later(fields.time("startTime")?.unwrap_or(now), now)?;
    if now.minutes() - start.minutes() > OPEN_MOST_MINUTES {
        return Err(Error::invalid("startTime", text::START_TIME_TOO_OLD));
    }
    Ok(start)
}

/// A flight that is over: when it began, and everything about it.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedEntries {
    pub start: WallTime,
    pub changes: EntryChanges,
}

impl FinishedEntries {
    /// Reads the form of a flight that is over at `now`.
    ///
    /// # Errors
    /// No start, one in the future, or as [`EntryChanges::read`].
    pub fn read(fields: &Fields, now: WallTime) -> Result<FinishedEntries> {
        Ok(FinishedEntries {
            start: not_later(read_start(fields)?, now)?,
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
        return Err(Error::invalid("startTime", text::START_TIME_IN_FUTURE));
    }
    Ok(start)
}

/// A flight as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredFlight {
    pub id: FlightId,
    pub entries: Entries,
    pub copter: Part,
    pub equipments: Vec<Part>,
    pub payloads: Vec<Payload>,
    /// g; fixed when the flight was created.
    pub weight: f64,
    pub open: bool,
}

impl StoredFlight {
    /// Whether it was configured like this.
    #[must_use]
    pub fn has(&self, configuration: &Configuration) -> bool {
        let sorted = |mut ids: Vec<EquipmentId>| {
            ids.sort_unstable();
            ids
        };
        let own = self.equipments.iter().map(|part| part.id).collect();
        self.copter.id == configuration.copter
            && sorted(own) == sorted(configuration.equipments.clone())
            && self.payloads == configuration.payloads
    }

    /// Copter and equipment.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.copter).chain(&self.equipments)
    }
}

/// An item of a flight on the wire: named as it is named today, with the weight that it had then.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FlightItem {
    pub dpf_id: String,
    pub r#type: Kind,
    pub name: String,
    pub model: String,
    /// g
    pub weight: Option<f64>,
}

/// A flight on the wire.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct Flight {
    pub dpf_id: String,
    pub start_time: String,
    pub location: String,
    pub start_latitude: Option<f64>,
    pub start_longitude: Option<f64>,
    pub end_latitude: Option<f64>,
    pub end_longitude: Option<f64>,
    /// min
    pub flight_time: Option<f64>,
    /// m
    pub maximum_altitude: Option<f64>,
    /// km
    pub distance: Option<f64>,
    /// m
    pub maximum_distance: Option<f64>,
    /// m; the same as `maximumDistance`.
    pub max_distance: Option<f64>,
    /// km/h
    pub speed: Option<f64>,
    /// V
    pub battery_start_voltage: Option<f64>,
    /// V
    pub battery_end_voltage: Option<f64>,
    /// mAh
    pub consumed_capacity: Option<f64>,
    #[cfg_attr(test, ts(type = "\"0\" | \"1\" | \"2\""))]
    pub flight_mode: String,
    pub weather_conditions: String,
    pub purpose: String,
    pub notes: String,
    /// g
    pub weight: f64,
    pub copter: FlightItem,
    pub equipments: Vec<FlightItem>,
    pub payloads: Vec<Payload>,
    /// Ids of images.
    pub images: Vec<String>,
    pub open: bool,
}

/// A flight in the list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FlightRow {
    pub dpf_id: String,
    pub start_time: String,
    pub location: String,
    /// km
    pub distance: Option<f64>,
    /// m
    pub maximum_distance: Option<f64>,
    /// m; the same as `maximumDistance`.
    pub max_distance: Option<f64>,
    /// km/h
    pub speed: Option<f64>,
    /// min
    pub flight_time: Option<f64>,
    /// m
    pub maximum_altitude: Option<f64>,
    /// g
    pub weight: f64,
    pub open: bool,
    pub copter: FlightItem,
    pub equipments: Vec<FlightItem>,
    pub payloads: Vec<Payload>,
}

impl Flight {
    /// A stored flight with its images, and its items named by `named`.
    #[must_use]
    pub fn new(flight: StoredFlight, images: &[ImageId], named: impl Fn(&Part) -> FlightItem) -> Flight {
        let entries = flight.entries;
        Flight {
            dpf_id: flight.id.to_string(),
            start_time: entries.start.to_string(),
            location: entries.location,
            start_latitude: entries.start_latitude,
            start_longitude: entries.start_longitude,
            end_latitude: entries.end_latitude,
            end_longitude: entries.end_longitude,
            flight_time: entries.minutes,
            maximum_altitude: entries.maximum_altitude,
            distance: entries.distance,
            maximum_distance: entries.maximum_distance,
            max_distance: entries.maximum_distance,
            speed: entries.speed,
            battery_start_voltage: entries.start_voltage,
            battery_end_voltage: entries.end_voltage,
            consumed_capacity: entries.consumed_capacity,
            flight_mode: entries.mode.code().to_string(),
            weather_conditions: entries.weather,
            purpose: entries.purpose,
            notes: entries.notes,
            weight: flight.weight,
            copter: named(&flight.copter),
            equipments: flight.equipments.iter().map(&named).collect(),
            payloads: flight.payloads,
            images: images.iter().map(ImageId::to_string).collect(),
            open: flight.open,
        }
    }
}

impl FlightRow {
    /// A stored flight with its items named by `named`.
    #[must_use]
    pub fn new(flight: StoredFlight, named: impl Fn(&Part) -> FlightItem) -> FlightRow {
        let entries = flight.entries;
        FlightRow {
            dpf_id: flight.id.to_string(),
            start_time: entries.start.to_string(),
            location: entries.location,
            distance: entries.distance,
            maximum_distance: entries.maximum_distance,
            max_distance: entries.maximum_distance,
            speed: entries.speed,
            flight_time: entries.minutes,
            maximum_altitude: entries.maximum_altitude,
            weight: flight.weight,
            open: flight.open,
            copter: named(&flight.copter),
            equipments: flight.equipments.iter().map(&named).collect(),
            payloads: flight.payloads,
        }
    }
}

#[cfg(test)]
mod tests;
