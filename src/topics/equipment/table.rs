//! Records of equipment, and of the totals of its flights, with the index that they are computed from.

pub mod check;
mod profile;
pub mod stickers;
pub mod uses;

pub use profile::{free_number, with_number};

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::model::{Details, Item, Kind, Retirement, Totals, Use};
use super::profile::Profile;
use super::stickers::model::Code;
use crate::packs::compare::place;
use crate::packs::records::charging::model::ChargingTotals;
use crate::packs::records::charging::table as chargings_table;
use crate::packs::records::health::{Health, table as health};
use crate::packs::records::readings::table as readings_table;
use crate::packs::records::sets::table as sets_table;
use crate::packs::records::snoozes;
use crate::packs::records::undos;
use crate::packs::voltages::Reading;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_base::time::{Date, WallTime};
use fluglog_store::record::{Initial, Record};
use fluglog_store::{Snapshot, Table, Writer, schema};
use stickers as stickers_table;
use uses::{Aspect, UseRecord, latest, replace};

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

impl Initial for EquipmentRecord {}

impl Record for EquipmentRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::EQUIPMENT;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TotalsRecord {
    milliminutes: i64,
    last_start: Option<i64>,
    end_voltage: Option<f64>,
    /// Minutes since 1970-01-01 00:00, and V.
    voltage: Option<(i64, f64)>,
    open_flight: Option<u128>,
}

impl Initial for TotalsRecord {}

impl Record for TotalsRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::EQUIPMENT_TOTALS;
}

/// Returns all items of an owner.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<Item>> {
    let owned = (owner.key(), 0)..=(owner.key(), u128::MAX);
    let mut totals: HashMap<_, _> = data.scan::<TotalsRecord>(owned.clone())?.into_iter().collect();
    let mut chargings = chargings_table::all_totals(data, owner)?;
    let mut profiles = profile::all(data, owner)?;
    let mut healths = health::all(data, owner)?;
    let mut stickers = stickers_table::all(data, owner)?;
    let mut items = Vec::new();
    for (key, record) in data.scan::<EquipmentRecord>(owned)? {
        let kept = Kept {
            charging: chargings.remove(&key).unwrap_or_default(),
            profile: profiles.remove(&key).unwrap_or_default(),
            health: healths.remove(&key).unwrap_or_default(),
            sticker: stickers.remove(&key),
        };
        items.push(item(key.1, record, totals.remove(&key), kept)?);
    }
    if !totals.is_empty() || !chargings.is_empty() {
        return Err(Error::Internal(
            "equipment: there are totals of a missing item".to_owned(),
        ));
    }
    place(&mut items, &sets_table::all(data, owner)?);
    Ok(items)
}

/// Returns the number of items of an owner.
pub fn count(data: &Snapshot<'_>, owner: OwnerId) -> Result<usize> {
    data.count_keys(&schema::EQUIPMENT, (owner.key(), 0)..=(owner.key(), u128::MAX))
}

/// Returns one item of an owner.
///
/// # Errors
/// [`Error::NotYours`] when this owner has no such item.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId) -> Result<Item> {
    let item = find_alone(data, owner, id)?;
    let set = match item.kind {
        Kind::Battery => sets_table::with_member(data, owner, id)?,
        _ => None,
    };
    let Some(set) = set else {
        return Ok(item);
    };
    let others = set.members.iter().filter(|member| **member != id);
    let mut members = vec![item];
    for other in others {
        members.push(find_alone(data, owner, *other)?);
    }
    place(&mut members, &[set]);
    Ok(members.swap_remove(0))
}

/// Returns one item, without its set.
fn find_alone(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId) -> Result<Item> {
    let key = (owner.key(), id.key());
    let record = data.get::<EquipmentRecord>(key)?.ok_or(Error::NotYours)?;
    let kept = Kept {
        charging: chargings_table::totals(data, owner, id)?,
        profile: profile::get(data, owner, id)?,
        health: health::get(data, owner, id)?,
        sticker: stickers_table::get(data, owner, id)?,
    };
    item(id.key(), record, data.get::<TotalsRecord>(key)?, kept)
}

/// Returns one item of an owner that must be a battery.
///
/// # Errors
/// [`Error::NotYours`] when this owner has no such item, [`Error::Invalid`] with the sentence `is_none` when it is no
/// battery.
pub fn find_battery(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId, is_none: &'static str) -> Result<Item> {
    let item = find(data, owner, id)?;
    match item.kind {
        Kind::Battery => Ok(item),
        _ => Err(Error::invalid("battery", is_none)),
    }
}

/// Other records of an item, without its own and the totals of its flights.
#[derive(Default)]
struct Kept {
    charging: ChargingTotals,
    profile: Profile,
    health: Health,
    sticker: Option<Code>,
}

/// Returns the details of items; items that don't exist are left out.
pub fn details(
    data: &Snapshot<'_>,
    owner: OwnerId,
    items: &HashSet<EquipmentId>,
) -> Result<HashMap<EquipmentId, Details>> {
    let records = data.get_each::<EquipmentRecord>(items.iter().map(|id| (owner.key(), id.key())))?;
    let found = items.iter().zip(records);
    found
        .filter_map(|(id, record)| Some(record?.details().map(|details| (*id, details))))
        .collect()
}

/// Returns the details of all items of an owner.
pub fn all_details(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<EquipmentId, Details>> {
    data.scan::<EquipmentRecord>((owner.key(), 0)..=(owner.key(), u128::MAX))?
        .into_iter()
        .map(|((_, id), record)| Ok((EquipmentId::from_key(id), record.details()?)))
        .collect()
}

/// Stores the entries of an item, and its retirement.
pub fn put(writer: &Writer<'_>, owner: OwnerId, item: &Item) -> Result<()> {
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
    writer.put((owner.key(), item.id.key()), &record)?;
    profile::put(writer, owner, item.id, &item.profile)
}

/// Stores the use of an item by a flight, replacing the earlier use by the same flight. An unchanged record isn't
/// written.
pub fn put_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, new: &Use) -> Result<()> {
    let record = uses::record(new);
    let key = (owner.key(), item.key(), new.flight.key());
    let old = writer.get::<UseRecord>(key)?;
    if old.as_ref() == Some(&record) {
        return Ok(());
    }
    let before = replace(writer, key, old.as_ref(), Some(&record))?;
    let change = Change {
        milliminutes: record.milliminutes - before,
        flight: new.flight,
        open: new.open,
    };
    add_up(writer, owner, item, &change)?;
    flew(writer, owner, item, old.as_ref(), Some(&record))
}

/// Updates the health of a battery after a flight changed from `before` to `now`.
fn flew(
    writer: &Writer<'_>,
    owner: OwnerId,
    item: EquipmentId,
    before: Option<&UseRecord>,
    now: Option<&UseRecord>,
) -> Result<()> {
    let [before, now] = [before, now].map(|used| used.map(UseRecord::emptied).transpose());
    let (before, now) = (before?, now?);
    let found = writer.get::<EquipmentRecord>((owner.key(), item.key()))?;
    if before == now || found.is_none_or(|item| item.kind != Kind::Battery.code()) {
        return Ok(());
    }
    health::flew(writer, owner, item, before, now)
}

/// Removes the use of an item by a flight.
pub fn remove_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, flight: FlightId) -> Result<()> {
    let key = (owner.key(), item.key(), flight.key());
    let old = writer.get::<UseRecord>(key)?;
    let before = replace(writer, key, old.as_ref(), None)?;
    let change = Change {
        milliminutes: -before,
        flight,
        open: false,
    };
    add_up(writer, owner, item, &change)?;
    flew(writer, owner, item, old.as_ref(), None)
}

/// Removes all items of an owner, with everything stored about them.
pub fn remove_all(writer: &Writer<'_>, owner: OwnerId) -> Result<()> {
    let user = owner.key();
    writer.remove_range::<EquipmentRecord>((user, 0)..=(user, u128::MAX))?;
    writer.remove_range::<TotalsRecord>((user, 0)..=(user, u128::MAX))?;
    writer.remove_range::<UseRecord>((user, 0, 0)..=(user, u128::MAX, u128::MAX))?;
    writer.remove_keys(
        &schema::EQUIPMENT_USES_BY_START,
        (user, 0, 0, i64::MIN, 0)..=(user, u128::MAX, u8::MAX, i64::MAX, u128::MAX),
    )?;
    profile::remove_all(writer, owner)?;
    readings_table::remove_all(writer, owner)?;
    snoozes::remove_all(writer, owner)?;
    undos::remove_all(writer, user)?;
    sets_table::remove_all(writer, owner)?;
    stickers_table::remove_all(writer, owner)?;
    health::remove_all(writer, owner)?;
    chargings_table::remove_all(writer, owner)
}

/// Computes the health of all batteries if none is stored, as in a database of an earlier version.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    if writer.count(&schema::BATTERY_HEALTH)? > 0 {
        return Ok(());
    }
    for key in writer.record_keys(&schema::EQUIPMENT, ..)? {
        // A damaged record doesn't stop the others.
        let item = match writer.get::<EquipmentRecord>(key) {
            Err(Error::Internal(_)) => None,
            found => found?,
        };
        if item.is_none_or(|item| item.kind != Kind::Battery.code()) {
            continue;
        }
        match health::renew(writer, OwnerId::from_key(key.0), EquipmentId::from_key(key.1)) {
            Ok(()) | Err(Error::Internal(_)) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

/// Change of an item's totals by a use.
struct Change {
    milliminutes: i64,
    flight: FlightId,
    open: bool,
}

/// Updates the totals of an item: the sum and the open flight by the change, the rest from its latest uses. The cost
/// doesn't grow with the number of flights.
fn add_up(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, change: &Change) -> Result<()> {
    let key = (owner.key(), item.key());
    let before = writer.get::<TotalsRecord>(key)?;
    let flight = change.flight.key();
    let last = latest(writer, key, Aspect::Every)?;
    let voltage = latest(writer, key, Aspect::Voltage)?.and_then(|used| used.voltage());
    let totals = TotalsRecord {
        milliminutes: before.as_ref().map_or(0, |totals| totals.milliminutes) + change.milliminutes,
        last_start: last.map(|used| used.start),
        end_voltage: latest(writer, key, Aspect::EndVoltage)?.and_then(|used| used.end_voltage),
        voltage,
        open_flight: match before.and_then(|totals| totals.open_flight) {
            _ if change.open => Some(flight),
            Some(open) if open == flight => None,
            open => open,
        },
    };
    writer.put(key, &totals)
}

impl EquipmentRecord {
    fn details(self) -> Result<Details> {
        let date = |day: i32| Date::from_days(day).ok_or_else(damaged);
        Ok(Details {
            name: self.name,
            model: self.model,
            manufacturer: self.manufacturer,
            purchase_date: self.purchase_day.map(date).transpose()?,
            seller: self.seller,
            weight: self.weight,
            firmware_number: self.firmware_number,
            battery_type: self.battery_type,
            capacity: self.capacity,
        })
    }
}

fn damaged() -> Error {
    Error::Internal("equipment: a record holds an impossible value".to_owned())
}

fn item(id: u128, record: EquipmentRecord, totals: Option<TotalsRecord>, kept: Kept) -> Result<Item> {
    let time = |minute: i64| WallTime::from_minutes(minute).ok_or_else(damaged);
    let reading = |(minute, volts)| {
        Ok::<_, Error>(Reading {
            time: time(minute)?,
            volts,
        })
    };
    let retirement = record.retirement.as_ref().map(|retirement| {
        Ok::<_, Error>(Retirement {
            time: time(retirement.minute)?,
            reason: retirement.reason.clone(),
        })
    });
    Ok(Item {
        id: EquipmentId::from_key(id),
        kind: Kind::from_code(record.kind).ok_or_else(damaged)?,
        retirement: retirement.transpose()?,
        details: record.details()?,
        totals: match totals {
            None => Totals::default(),
            Some(totals) => Totals {
                milliminutes: totals.milliminutes,
                last_start: totals.last_start.map(time).transpose()?,
                end_voltage: totals.end_voltage,
                voltage: totals.voltage.map(reading).transpose()?,
                open_flight: totals.open_flight.map(FlightId::from_key),
            },
        },
        charging: kept.charging,
        profile: kept.profile,
        health: kept.health,
        set: None,
        sticker: kept.sticker,
    })
}

#[cfg(test)]
mod tests;
