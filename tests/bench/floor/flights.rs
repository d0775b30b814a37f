//! Flights like those of a database: equal in number and in size, with made-up content.
//!
//! Deliberately doesn't use the program's own conversion from a record to a row: the record is declared here a second
//! time, so that the cost of that conversion counts for the program and not for the floor.

use std::path::Path;

use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::time::WallTime;
use fluglog_store::record::{Initial, Record, decode, encode};
use fluglog_store::{Store, Table, schema};
use fluglog_topics::equipment::model::Kind;
use fluglog_topics::flights::model::{FlightItem, FlightRow, Payload};
use serde::{Deserialize, Serialize};

use super::Result;

/// Names and models of the copter and the battery in world.mts: a row shows them, but a flight's record doesn't
/// contain them.
const COPTER: (&str, &str) = ("Nazgul Evoque F5", "F5D V2");
const BATTERY: (&str, &str) = ("Akku 1", "");

/// A record with the entries of a flight.
#[derive(Serialize, Deserialize)]
struct FlightRecord {
    start: i64,
    location: String,
    start_latitude: Option<f64>,
    start_longitude: Option<f64>,
    end_latitude: Option<f64>,
    end_longitude: Option<f64>,
    minutes: Option<f64>,
    maximum_altitude: Option<f64>,
    distance: Option<f64>,
    maximum_distance: Option<f64>,
    speed: Option<f64>,
    start_voltage: Option<f64>,
    end_voltage: Option<f64>,
    consumed_capacity: Option<f64>,
    mode: u8,
    weather: String,
    purpose: String,
    notes: String,
    copter: PartRecord,
    equipments: Vec<PartRecord>,
    payloads: Vec<PayloadRecord>,
    weight: f64,
    open: bool,
}

#[derive(Serialize, Deserialize)]
struct PartRecord {
    id: u128,
    kind: u8,
    weight: Option<f64>,
}

#[derive(Serialize, Deserialize)]
struct PayloadRecord {
    name: String,
    weight: f64,
}

impl Initial for FlightRecord {}

impl Record for FlightRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::FLIGHTS;
}

/// A flight as it is stored.
pub struct Stored {
    pub key: (u128, u128),
    pub bytes: Vec<u8>,
}

/// Makes as many flights as a database has, each of the same size as its record there.
pub fn like_stored(data_dir: &Path) -> Result<Vec<Stored>> {
    let store = Store::open(data_dir, false).map_err(|error| format!("{}: {error:?}", data_dir.display()))?;
    let mut flights = Vec::new();
    store
        .read(|data| {
            data.each_row(&schema::FLIGHTS, |key, bytes| {
                flights.push((key, bytes.len()));
                Ok(())
            })
        })
        .map_err(|error| format!("{error:?}"))?;
    let own_bytes = encode((0, 0), &typical(String::new()))?.len();
    flights
        .into_iter()
        .map(|(key, size)| {
            let notes = "n".repeat(size.saturating_sub(own_bytes));
            let bytes = encode(key, &typical(notes))?;
            Ok(Stored { key, bytes })
        })
        .collect()
}

/// A flight like those that world.mts saves.
fn typical(notes: String) -> FlightRecord {
    let part = |kind: Kind, weight| PartRecord {
        id: u128::MAX / 3,
        kind: kind.code(),
        weight: Some(weight),
    };
    FlightRecord {
        start: 29_000_000,
        location: "Modellflugplatz Harsefeld".to_owned(),
        start_latitude: None,
        start_longitude: None,
        end_latitude: None,
        end_longitude: None,
        minutes: Some(4.5),
        maximum_altitude: Some(60.0),
        distance: Some(1.5),
        maximum_distance: Some(310.0),
        speed: Some(92.0),
        start_voltage: Some(25.1),
        end_voltage: Some(21.4),
        consumed_capacity: Some(950.0),
        mode: 0,
        weather: String::new(),
        purpose: String::new(),
        notes,
        copter: part(Kind::Copter, 412.0),
        equipments: vec![part(Kind::Battery, 183.0)],
        payloads: Vec::new(),
        weight: 595.0,
        open: false,
    }
}

/// Converts a record into a row.
pub fn row(key: (u128, u128), bytes: &[u8]) -> Result<FlightRow> {
    let record = decode(key, bytes)?;
    shown(key.1, record).ok_or_else(|| "a flight outside of the calendar, or of an unknown kind".into())
}

fn shown(id: u128, record: FlightRecord) -> Option<FlightRow> {
    let item = |part: PartRecord, (name, model): (&str, &str)| {
        Some(FlightItem {
            dpf_id: EquipmentId::from_key(part.id).to_string(),
            r#type: Kind::from_code(part.kind)?,
            name: name.to_owned(),
            model: model.to_owned(),
            weight: part.weight,
        })
    };
    let payload = |PayloadRecord { name, weight }| Payload { name, weight };
    Some(FlightRow {
        dpf_id: FlightId::from_key(id).to_string(),
        start_time: WallTime::from_minutes(record.start)?.to_string(),
        location: record.location,
        start_latitude: None,
        start_longitude: None,
        distance: record.distance,
        maximum_distance: record.maximum_distance,
        max_distance: record.maximum_distance,
        speed: record.speed,
        flight_time: record.minutes,
        maximum_altitude: record.maximum_altitude,
        weight: record.weight,
        open: record.open,
        copter: item(record.copter, COPTER)?,
        equipments: record
            .equipments
            .into_iter()
            .map(|part| item(part, BATTERY))
            .collect::<Option<_>>()?,
        first_image: None,
        path: Vec::new(),
        payloads: record.payloads.into_iter().map(payload).collect(),
    })
}
