//! Equipment as records, with what its flights add up to and the index by which that is kept.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::model::{Details, Item, Kind, Retirement, Totals, Use, milliminutes};
use crate::error::{Error, Result};
use crate::id::{EquipmentId, FlightId, UserId};
use crate::store::record::Record;
use crate::store::{Snapshot, Table, Writer, schema};
use crate::time::{Date, WallTime};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct EquipmentRecord {
    kind: u8,
    name: String,
    model: String,
    manufacturer: String,
    /// Days since 1970-01-01.
    purchase_day: Option<i32>,
    seller: String,
    weight: Option<f64>,
    firmware_number: String,
    battery_type: String,
    capacity: Option<f64>,
    retirement: Option<RetirementRecord>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct RetirementRecord {
    /// Minutes since 1970-01-01 00:00, wall clock.
    minute: i64,
    reason: String,
}

impl Record for EquipmentRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::EQUIPMENT;
    const VERSION: u8 = 1;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TotalsRecord {
    milliminutes: i64,
    last_start: Option<i64>,
    end_voltage: Option<f64>,
    current_charge: Option<f64>,
    open_flight: Option<u128>,
}

impl Record for TotalsRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::EQUIPMENT_TOTALS;
    const VERSION: u8 = 1;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct UseRecord {
    start: i64,
    milliminutes: i64,
    start_voltage: Option<f64>,
    end_voltage: Option<f64>,
}

impl Record for UseRecord {
    type Key = (u128, u128, u128);
    const TABLE: Table<(u128, u128, u128)> = schema::EQUIPMENT_USES;
    const VERSION: u8 = 1;
}

/// All items of a user.
pub fn all(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<Item>> {
    let owned = (owner.key(), 0)..=(owner.key(), u128::MAX);
    let mut totals: HashMap<_, _> = data.scan::<TotalsRecord>(owned.clone())?.into_iter().collect();
    data.scan::<EquipmentRecord>(owned)?
        .into_iter()
        .map(|(key, record)| item(key.1, record, totals.remove(&key)))
        .collect()
}

/// One item of a user.
///
/// # Errors
/// [`Error::NotYours`] when this user has no such item.
pub fn find(data: &Snapshot<'_>, owner: UserId, id: EquipmentId) -> Result<Item> {
    let key = (owner.key(), id.key());
    let record = data.get::<EquipmentRecord>(key)?.ok_or(Error::NotYours)?;
    item(id.key(), record, data.get::<TotalsRecord>(key)?)
}

/// Stores what the pilot entered about an item, and its retirement.
pub fn put(writer: &Writer<'_>, owner: UserId, item: &Item) -> Result<()> {
    let details = &item.details;
    let record = EquipmentRecord {
        kind: item.kind.code(),
        name: details.name.clone(),
        model: details.model.clone(),
        manufacturer: details.manufacturer.clone(),
        purchase_day: details.purchase_date.map(Date::days),
        seller: details.seller.clone(),
        weight: details.weight,
        firmware_number: details.firmware_number.clone(),
        battery_type: details.battery_type.clone(),
        capacity: details.capacity,
        retirement: item.retirement.as_ref().map(|retirement| RetirementRecord {
            minute: retirement.time.minutes(),
            reason: retirement.reason.clone(),
        }),
    };
    writer.put((owner.key(), item.id.key()), &record)
}

/// Stores what a flight did to an item, in place of what the same flight did before.
pub fn put_use(writer: &Writer<'_>, owner: UserId, item: EquipmentId, new: &Use) -> Result<()> {
    let before = take_out(writer, owner, item, new.flight)?;
    let record = UseRecord {
        start: new.start.minutes(),
        milliminutes: milliminutes(new.minutes),
        start_voltage: new.start_voltage,
        end_voltage: new.end_voltage,
    };
    let key = (owner.key(), item.key(), new.flight.key());
    writer.put(key, &record)?;
    for place in record.places(key) {
        writer.mark(&schema::EQUIPMENT_USES_BY_START, place)?;
    }
    let change = Change {
        milliminutes: record.milliminutes - before,
        flight: new.flight,
        open: new.open,
    };
    add_up(writer, owner, item, &change)
}

/// Takes back what a flight did to an item.
pub fn remove_use(writer: &Writer<'_>, owner: UserId, item: EquipmentId, flight: FlightId) -> Result<()> {
    let before = take_out(writer, owner, item, flight)?;
    let change = Change {
        milliminutes: -before,
        flight,
        open: false,
    };
    add_up(writer, owner, item, &change)
}

/// What a use of an item changes about its totals.
struct Change {
    milliminutes: i64,
    flight: FlightId,
    open: bool,
}

/// Removes a use and its index; says how long it was.
fn take_out(writer: &Writer<'_>, owner: UserId, item: EquipmentId, flight: FlightId) -> Result<i64> {
    let key = (owner.key(), item.key(), flight.key());
    let Some(old) = writer.get::<UseRecord>(key)? else {
        return Ok(0);
    };
    writer.remove::<UseRecord>(key)?;
    for place in old.places(key) {
        writer.unmark(&schema::EQUIPMENT_USES_BY_START, place)?;
    }
    Ok(old.milliminutes)
}

/// Brings the totals of an item up to date: the sum and the open flight by the change, the rest from its latest uses. The work
/// doesn't grow with the number of flights.
fn add_up(writer: &Writer<'_>, owner: UserId, item: EquipmentId, change: &Change) -> Result<()> {
    let key = (owner.key(), item.key());
    let before = writer.get::<TotalsRecord>(key)?;
    let flight = change.flight.key();
    let last = latest(writer, key, Aspect::Every)?;
    let last_voltage = latest(writer, key, Aspect::Voltage)?;
    let totals = TotalsRecord {
        milliminutes: before.as_ref().map_or(0, |totals| totals.milliminutes) + change.milliminutes,
        last_start: last.map(|used| used.start),
        end_voltage: latest(writer, key, Aspect::EndVoltage)?.and_then(|used| used.end_voltage),
        current_charge: last_voltage.and_then(|used| used.end_voltage.or(used.start_voltage)),
        open_flight: match before.and_then(|totals| totals.open_flight) {
            _ if change.open => Some(flight),
            Some(open) if open == flight => None,
            open => open,
        },
    };
    writer.put(key, &totals)
}

/// Which uses a part of the index lists. The numbers are on disk.
#[derive(Clone, Copy)]
enum Aspect {
    Every = 0,
    Voltage = 1,
    EndVoltage = 2,
}

impl UseRecord {
    /// The places of this use in the index.
    fn places(&self, (owner, item, flight): (u128, u128, u128)) -> impl Iterator<Item = UsePlace> {
        let has_voltage = self.start_voltage.or(self.end_voltage).is_some();
        let start = self.start;
        [
            (Aspect::Every, true),
            (Aspect::Voltage, has_voltage),
            (Aspect::EndVoltage, self.end_voltage.is_some()),
        ]
        .into_iter()
        .filter(|(_, listed)| *listed)
        .map(move |(aspect, _)| (owner, item, aspect as u8, start, flight))
    }
}

type UsePlace = (u128, u128, u8, i64, u128);

/// The latest use of an item that this part of the index lists.
fn latest(data: &Snapshot<'_>, (owner, item): (u128, u128), aspect: Aspect) -> Result<Option<UseRecord>> {
    let aspect = aspect as u8;
    let listed = (owner, item, aspect, i64::MIN, 0)..=(owner, item, aspect, i64::MAX, u128::MAX);
    let places = data.last_keys(&schema::EQUIPMENT_USES_BY_START, listed, 1)?;
    let keys = places
        .iter()
        .map(|(owner, item, _, _, flight)| (*owner, *item, *flight));
    Ok(data.get_all::<UseRecord>(keys)?.pop())
}

fn item(id: u128, record: EquipmentRecord, totals: Option<TotalsRecord>) -> Result<Item> {
    let damaged = || Error::Internal("equipment: a record holds an impossible value".to_owned());
    let time = |minute: i64| WallTime::from_minutes(minute).ok_or_else(damaged);
    let date = |day: i32| Date::from_days(day).ok_or_else(damaged);
    Ok(Item {
        id: EquipmentId::from_key(id),
        kind: Kind::from_code(record.kind).ok_or_else(damaged)?,
        details: Details {
            name: record.name,
            model: record.model,
            manufacturer: record.manufacturer,
            purchase_date: record.purchase_day.map(date).transpose()?,
            seller: record.seller,
            weight: record.weight,
            firmware_number: record.firmware_number,
            battery_type: record.battery_type,
            capacity: record.capacity,
        },
        retirement: record
            .retirement
            .map(|retirement| {
                Ok::<_, Error>(Retirement {
                    time: time(retirement.minute)?,
                    reason: retirement.reason,
                })
            })
            .transpose()?,
        totals: match totals {
            None => Totals::default(),
            Some(totals) => Totals {
                milliminutes: totals.milliminutes,
                last_start: totals.last_start.map(time).transpose()?,
                end_voltage: totals.end_voltage,
                current_charge: totals.current_charge,
                open_flight: totals.open_flight.map(FlightId::from_key),
            },
        },
    })
}

#[cfg(test)]
mod tests;
