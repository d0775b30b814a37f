//! Rules of flights and the shapes that calls answer with. No store, no web.

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::base::id::{EquipmentId, FlightId, ImageId};
use crate::base::input::{Fields, TEXT_MOST_CHARACTERS};
use crate::base::text;
use crate::base::time::WallTime;
use crate::equipment::model::Kind;

/// The longest text of a flight, in characters.
pub const FLIGHT_TEXT_MOST_CHARACTERS: usize = 10_000;
/// Items and payloads of one flight.
const ITEMS_MOST: usize = 50;
const PAYLOADS_MOST: usize = 50;

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

    /// Sets what the fields say. What is absent stays, what is empty is cleared; only the start time can't be.
    ///
    /// # Errors
    /// The first value that breaks its rule; then the entries are half changed and of no use.
    pub fn apply(&mut self, fields: &Fields) -> Result<()> {
        if fields.has("startTime") {
            self.start = fields
                .time("startTime")?
                .ok_or_else(|| Error::invalid("startTime", text::START_TIME_MISSING))?;
        }
        if fields.has("location") {
            self.location = fields.line("location", FLIGHT_TEXT_MOST_CHARACTERS)?;
        }
        for (name, text) in [
            ("weatherConditions", &mut self.weather),
            ("purpose", &mut self.purpose),
            ("notes", &mut self.notes),
        ] {
            if fields.has(name) {
                *text = fields.lines(name, FLIGHT_TEXT_MOST_CHARACTERS)?;
            }
        }
        self.apply_numbers(fields)?;
        if fields.has("flightMode") {
            self.mode = match fields.whole("flightMode", text::FLIGHT_MODE_UNKNOWN)? {
                None => FlightMode::default(),
                Some(code) => FlightMode::from_code(code)
                    .ok_or_else(|| Error::invalid("flightMode", text::FLIGHT_MODE_UNKNOWN))?,
            };
        }
        Ok(())
    }

    fn apply_numbers(&mut self, fields: &Fields) -> Result<()> {
        for (name, value) in [
            ("flightTime", &mut self.minutes),
            ("maximumAltitude", &mut self.maximum_altitude),
            ("distance", &mut self.distance),
            ("speed", &mut self.speed),
            ("batteryStartVoltage", &mut self.start_voltage),
            ("batteryEndVoltage", &mut self.end_voltage),
            ("consumedCapacity", &mut self.consumed_capacity),
        ] {
            if fields.has(name) {
                *value = fields.number(name)?;
            }
        }
        // One value with two names: the list calls it maxDistance.
        let both = [fields.has("maxDistance"), fields.has("maximumDistance")];
        if both[0] {
            self.maximum_distance = fields.number("maxDistance")?;
        }
        if both[1] {
            self.maximum_distance = fields.number("maximumDistance")?;
        }
        for (name, most, sentence, value) in [
            ("startLatitude", 90.0, text::BAD_LATITUDE, &mut self.start_latitude),
            ("startLongitude", 180.0, text::BAD_LONGITUDE, &mut self.start_longitude),
            ("endLatitude", 90.0, text::BAD_LATITUDE, &mut self.end_latitude),
            ("endLongitude", 180.0, text::BAD_LONGITUDE, &mut self.end_longitude),
        ] {
            if fields.has(name) {
                *value = fields.coordinate(name, most, sentence)?;
            }
        }
        Ok(())
    }
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
