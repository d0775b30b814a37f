//! The minimal cost of a list of flights: decoding the records of a database and writing them as JSON in a loop,
//! without a server, a user, an index or a disk. `make bench` compares GetFlights with it.
//!
//! `cargo bench --bench floor -- --data-dir DIR`, while no server runs on DIR. The last word of stdout is the milliseconds of
//! one round.
//!
//! It deliberately doesn't use the program's own way from a record to a row: the record is declared here a second time, so that
//! what the program does on that way counts for the program and not for the floor. The database says how many flights there are
//! and how large each is; their content is made up here.

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fluglog::base::id::{EquipmentId, FlightId};
use fluglog::base::time::WallTime;
use fluglog::equipment::model::Kind;
use fluglog::flights::model::{FlightItem, FlightRow, Payload};
use fluglog::store::record::{Initial, Record, decode, encode};
use fluglog::store::{Store, Table, schema};
use serde::{Deserialize, Serialize};

/// The median of this many rounds counts.
const ROUNDS: usize = 41;
/// Name and model of the copter and of the battery in bench.mts: a row shows them, but they aren't in the flight's
/// record.
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

fn main() -> Result<(), Box<dyn Error>> {
    let flights = flights_like_stored(&data_dir()?)?;
    let mut milliseconds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        black_box(as_json(black_box(&flights))?);
        milliseconds.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    milliseconds.sort_by(f64::total_cmp);
    let median = milliseconds[ROUNDS / 2];
    let bytes = as_json(&flights)?.len();
    // The output of this program.
    #[expect(clippy::print_stdout)]
    {
        println!(
            "{} flights, {bytes} bytes of JSON, milliseconds: {median:.3}",
            flights.len()
        );
    }
    Ok(())
}

/// The value of `--data-dir`; cargo adds words of its own.
fn data_dir() -> Result<PathBuf, &'static str> {
    let mut words = std::env::args_os().skip_while(|word| word != "--data-dir");
    words.nth(1).map(PathBuf::from).ok_or("say --data-dir DIR")
}

/// A flight as it is stored.
struct Stored {
    key: (u128, u128),
    bytes: Vec<u8>,
}

/// As many flights as a database has, each as large as its record there.
fn flights_like_stored(data_dir: &Path) -> Result<Vec<Stored>, Box<dyn Error>> {
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

/// A flight as bench.mts saves it.
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

fn as_json(flights: &[Stored]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut json = vec![b'['];
    for Stored { key, bytes } in flights {
        let row = row(key.1, decode(*key, bytes)?).ok_or("a flight outside of the calendar, or of an unknown kind")?;
        serde_json::to_writer(&mut json, &row)?;
        json.push(b',');
    }
    json.pop();
    json.push(b']');
    Ok(json)
}

fn row(id: u128, record: FlightRecord) -> Option<FlightRow> {
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
        payloads: record.payloads.into_iter().map(payload).collect(),
    })
}
