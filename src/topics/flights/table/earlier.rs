//! The shape of flights in earlier releases.

use serde::{Deserialize, Serialize};

use super::{FlightRecord, PartRecord, PayloadRecord};
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// Record of 1.5.0, before the instants of start and end were stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct FlightRecord1 {
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

impl Initial for FlightRecord1 {}

upgrade! {
    previous: FlightRecord1 => FlightRecord {
        start_instant: None,
        end_instant: None,
        start, location, start_latitude, start_longitude, end_latitude, end_longitude, minutes, maximum_altitude,
        distance, maximum_distance, speed, start_voltage, end_voltage, consumed_capacity, mode, weather, purpose, notes,
        copter, equipments, payloads, weight, open,
    }
}
