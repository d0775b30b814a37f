//! Records of flights, with their index by start.

pub mod borrowed;
pub mod check;
mod earlier;

use std::ops::{Bound, Range};

use serde::{Deserialize, Serialize};

use super::model::{Entries, FlightFields, FlightMode, FlightPart, Instants, Payload, StoredFlight};
use crate::equipment::model::Kind;
use borrowed::BorrowedParts;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, UserId};
use fluglog_base::time::{Instant, WallTime};
use fluglog_store::{Snapshot, Writer, owned_by, record, schema};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FlightRecord {
    /// Minutes since 1970-01-01 00:00, wall clock.
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
    /// Unix seconds
    start_instant: Option<i64>,
    end_instant: Option<i64>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct PartRecord {
    id: u128,
    kind: u8,
    weight: Option<f64>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct PayloadRecord {
    name: String,
    weight: f64,
}

record!(FlightRecord: (Owner, u128) = FLIGHTS, with upgrade);

/// Returns a flight of a user.
///
/// # Errors
/// [`Error::NotFound`] when this user has no such flight.
pub fn find(data: &Snapshot<'_>, owner: UserId, id: FlightId) -> Result<StoredFlight> {
    let record = data
        .get::<FlightRecord>((owner.key(), id.key()))?
        .ok_or(Error::NotFound)?;
    let mut flight = stored(id.key(), record)?;
    BorrowedParts::of_some(data, owner)?.apply(data, &mut flight)?;
    Ok(flight)
}

/// Returns all flights of a user, latest start first. Scanning and sorting the records is faster than looking up each
/// by the index.
pub fn all(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<StoredFlight>> {
    let borrowed = BorrowedParts::of_all(data, owner)?;
    let mut flights = data
        .of::<FlightRecord>(owner)?
        .into_iter()
        .map(|(key, record)| with_borrowed(data, &borrowed, key.1, record))
        .collect::<Result<Vec<_>>>()?;
    if flights.len() != data.count_keys(&schema::FLIGHTS_BY_START, owned_by(owner))? {
        return Err(index_mismatch());
    }
    flights.sort_unstable_by_key(|flight| std::cmp::Reverse(flight.place()));
    Ok(flights)
}

/// Returns the ids of all flights of a user, latest start first.
pub fn ids(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<FlightId>> {
    let places = data.keys_descending(&schema::FLIGHTS_BY_START, owned_by(owner), usize::MAX)?;
    if places.len() != data.count_keys(&schema::FLIGHTS, owned_by(owner))? {
        return Err(index_mismatch());
    }
    Ok(places
        .into_iter()
        .map(|(.., flight)| FlightId::from_key(flight))
        .collect())
}

/// Rejects ids without a flight.
///
/// # Errors
/// [`Error::Internal`] if there is such an id, since the ids come from an index.
pub(crate) fn check_there(data: &Snapshot<'_>, owner: UserId, ids: &[FlightId]) -> Result<()> {
    let keys = ids.iter().map(|id| (owner.key(), id.key()));
    match data.has_all(&schema::FLIGHTS, keys)? {
        true => Ok(()),
        false => Err(index_mismatch()),
    }
}

/// Returns flights of a user; those that don't exist are left out.
pub fn load(data: &Snapshot<'_>, owner: UserId, ids: &[FlightId]) -> Result<Vec<StoredFlight>> {
    let records = data.get_each::<FlightRecord>(ids.iter().map(|id| (owner.key(), id.key())))?;
    let borrowed = BorrowedParts::of_some(data, owner)?;
    let found = records.into_iter().zip(ids);
    found
        .filter_map(|(record, id)| Some(with_borrowed(data, &borrowed, id.key(), record?)))
        .collect()
}

/// Returns at most `most` flights of a user between two positions in the list, latest start first: the latest ones, or
/// the earliest if only `after` is given.
pub fn page(
    data: &Snapshot<'_>,
    owner: UserId,
    before: Option<(WallTime, FlightId)>,
    after: Option<(WallTime, FlightId)>,
    most: usize,
) -> Result<Vec<FlightId>> {
    let place = |(start, flight): (WallTime, FlightId)| (owner.key(), start.minutes(), flight.key());
    let lower = match after {
        Some(after) => Bound::Excluded(place(after)),
        None => Bound::Included((owner.key(), i64::MIN, 0)),
    };
    let upper = match before {
        Some(before) => Bound::Excluded(place(before)),
        None => Bound::Included((owner.key(), i64::MAX, u128::MAX)),
    };
    let places = match (before, after) {
        (None, Some(_)) => {
            let mut places = data.keys_ascending(&schema::FLIGHTS_BY_START, (lower, upper), most)?;
            places.reverse();
            places
        }
        // The range would be inverted, which the database rejects.
        (Some(before), Some(after)) if before <= after => Vec::new(),
        _ => data.keys_descending(&schema::FLIGHTS_BY_START, (lower, upper), most)?,
    };
    Ok(places
        .into_iter()
        .map(|(.., flight)| FlightId::from_key(flight))
        .collect())
}

/// Returns the flights of a user that began within these minutes.
pub fn between(data: &Snapshot<'_>, owner: UserId, minutes: Range<i64>) -> Result<Vec<StoredFlight>> {
    let keys: Vec<_> = ids_between(data, owner, minutes)?
        .map(|flight| (owner.key(), flight.key()))
        .collect();
    let records = data.get_all::<FlightRecord>(keys.iter().copied())?;
    let borrowed = BorrowedParts::of_some(data, owner)?;
    let flights = records.into_iter().zip(keys);
    flights
        .map(|(record, (_, flight))| with_borrowed(data, &borrowed, flight, record))
        .collect()
}

/// Returns the ids of the flights of a user that began within these minutes.
pub fn ids_between(
    data: &Snapshot<'_>,
    owner: UserId,
    minutes: Range<i64>,
) -> Result<impl Iterator<Item = FlightId> + use<>> {
    let places = (owner.key(), minutes.start, 0)..(owner.key(), minutes.end, 0);
    let places = data.keys_descending(&schema::FLIGHTS_BY_START, places, usize::MAX)?;
    Ok(places.into_iter().map(|(.., flight)| FlightId::from_key(flight)))
}

/// Returns the starts of the first and the last flight of a user, in minutes.
pub fn span(data: &Snapshot<'_>, owner: UserId) -> Result<Option<(i64, i64)>> {
    let first = data.first_key(&schema::FLIGHTS_BY_START, owned_by(owner))?;
    let last = data.keys_descending(&schema::FLIGHTS_BY_START, owned_by(owner), 1)?;
    Ok(first.zip(last.first()).map(|(first, last)| (first.1, last.1)))
}

/// Stores a flight; `before` is its earlier state.
pub fn put(writer: &Writer<'_>, owner: UserId, flight: &StoredFlight, before: Option<&StoredFlight>) -> Result<()> {
    let (old, new) = (before.map(|before| place(owner, before)), place(owner, flight));
    if old != Some(new) {
        if let Some(old) = old {
            writer.remove_key(&schema::FLIGHTS_BY_START, old)?;
        }
        writer.insert_key(&schema::FLIGHTS_BY_START, new)?;
    }
    for part in flight.parts() {
        if let Some(lent) = &part.borrowed {
            borrowed::put(writer, owner, flight.id, part.id, lent)?;
        }
    }
    writer.put((owner.key(), flight.id.key()), &record(flight))
}

/// Removes a flight.
pub fn remove(writer: &Writer<'_>, owner: UserId, flight: &StoredFlight) -> Result<()> {
    writer.remove_key(&schema::FLIGHTS_BY_START, place(owner, flight))?;
    borrowed::remove_of_flight(writer, owner, flight.id)?;
    writer.remove::<FlightRecord>((owner.key(), flight.id.key()))
}

fn index_mismatch() -> Error {
    Error::Internal("flights: some are missing, or in the index".to_owned())
}

fn place(owner: UserId, flight: &StoredFlight) -> (u128, i64, u128) {
    (owner.key(), flight.entries.start.minutes(), flight.id.key())
}

fn record(flight: &StoredFlight) -> FlightRecord {
    let fields = flight.entries.fields.clone();
    let part = |part: &FlightPart| PartRecord {
        id: part.id.key(),
        kind: part.kind.code(),
        weight: part.weight,
    };
    FlightRecord {
        start: flight.entries.start.minutes(),
        location: fields.location,
        start_latitude: fields.start_latitude,
        start_longitude: fields.start_longitude,
        end_latitude: fields.end_latitude,
        end_longitude: fields.end_longitude,
        minutes: fields.minutes,
        maximum_altitude: fields.maximum_altitude,
        distance: fields.distance,
        maximum_distance: fields.maximum_distance,
        speed: fields.speed,
        start_voltage: fields.start_voltage,
        end_voltage: fields.end_voltage,
        consumed_capacity: fields.consumed_capacity,
        mode: fields.mode.code(),
        weather: fields.weather,
        purpose: fields.purpose,
        notes: fields.notes,
        copter: part(&flight.copter),
        equipments: flight.equipments.iter().map(part).collect(),
        payloads: flight
            .payloads
            .iter()
            .map(|payload| PayloadRecord {
                name: payload.name.clone(),
                weight: payload.weight,
            })
            .collect(),
        weight: flight.weight,
        open: flight.open,
        start_instant: flight.entries.instants.start.map(Instant::unix_seconds),
        end_instant: flight.entries.instants.end.map(Instant::unix_seconds),
    }
}

/// Converts a record, with the borrowed items of the flight.
fn with_borrowed(
    data: &Snapshot<'_>,
    borrowed: &BorrowedParts,
    id: u128,
    record: FlightRecord,
) -> Result<StoredFlight> {
    let mut flight = stored(id, record)?;
    borrowed.apply(data, &mut flight)?;
    Ok(flight)
}

/// Converts a record, whose borrowed items aren't known as such yet.
fn stored(id: u128, record: FlightRecord) -> Result<StoredFlight> {
    let damaged = || Error::Internal("flights: a record holds an impossible value".to_owned());
    let instant = |seconds| Instant::from_unix_seconds(seconds).ok_or_else(damaged);
    let part = |part: PartRecord| {
        Ok::<_, Error>(FlightPart {
            id: EquipmentId::from_key(part.id),
            kind: Kind::from_code(part.kind).ok_or_else(damaged)?,
            weight: part.weight,
            borrowed: None,
        })
    };
    Ok(StoredFlight {
        id: FlightId::from_key(id),
        entries: Entries {
            start: WallTime::from_minutes(record.start).ok_or_else(damaged)?,
            instants: Instants {
                start: record.start_instant.map(instant).transpose()?,
                end: record.end_instant.map(instant).transpose()?,
            },
            fields: FlightFields {
                location: record.location,
                start_latitude: record.start_latitude,
                start_longitude: record.start_longitude,
                end_latitude: record.end_latitude,
                end_longitude: record.end_longitude,
                minutes: record.minutes,
                maximum_altitude: record.maximum_altitude,
                distance: record.distance,
                maximum_distance: record.maximum_distance,
                speed: record.speed,
                start_voltage: record.start_voltage,
                end_voltage: record.end_voltage,
                consumed_capacity: record.consumed_capacity,
                mode: FlightMode::from_code(record.mode).ok_or_else(damaged)?,
                weather: record.weather,
                purpose: record.purpose,
                notes: record.notes,
            },
        },
        copter: part(record.copter)?,
        equipments: record.equipments.into_iter().map(part).collect::<Result<_>>()?,
        payloads: record
            .payloads
            .into_iter()
            .map(|payload| Payload {
                name: payload.name,
                weight: payload.weight,
            })
            .collect(),
        weight: record.weight,
        open: record.open,
    })
}

#[cfg(test)]
mod tests;
