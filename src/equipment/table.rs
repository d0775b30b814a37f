//! Equipment as records, with what its flights add up to and the index by which that is kept.

pub mod check;
pub mod health;
mod profile;

pub use profile::with_number;

use std::collections::{HashMap, HashSet};
use std::ops::Bound;

use serde::{Deserialize, Serialize};

use super::charging::model::{ChargingTotals, StoredCharging, id_of_flight};
use super::charging::table as chargings_table;
use super::health::Health;
use super::model::{Details, Item, Kind, Retirement, Totals, Use, milliminutes};
use super::profile::Profile;
use super::readings::table as readings_table;
use super::voltages::Reading;
use crate::base::error::{Error, Result};
use crate::base::id::{EquipmentId, FlightId, OwnerId};
use crate::base::time::{Date, WallTime};
use crate::store::record::{Initial, Record};
use crate::store::{Snapshot, Table, Writer, schema};

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

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct UseRecord {
    start: i64,
    milliminutes: i64,
    start_voltage: Option<f64>,
    end_voltage: Option<f64>,
    consumed: Option<f64>,
    open: bool,
}

impl Initial for UseRecord {}

impl Record for UseRecord {
    type Key = (u128, u128, u128);
    const TABLE: Table<(u128, u128, u128)> = schema::EQUIPMENT_USES;
}

/// All items of a user.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<Item>> {
    let owned = (owner.key(), 0)..=(owner.key(), u128::MAX);
    let mut totals: HashMap<_, _> = data.scan::<TotalsRecord>(owned.clone())?.into_iter().collect();
    let mut chargings = chargings_table::all_totals(data, owner)?;
    let mut profiles = profile::all(data, owner)?;
    let mut healths = health::all(data, owner)?;
    let mut items = Vec::new();
    for (key, record) in data.scan::<EquipmentRecord>(owned)? {
        let kept = Kept {
            charging: chargings.remove(&key).unwrap_or_default(),
            profile: profiles.remove(&key).unwrap_or_default(),
            health: healths.remove(&key).unwrap_or_default(),
        };
        items.push(item(key.1, record, totals.remove(&key), kept)?);
    }
    if !totals.is_empty() || !chargings.is_empty() {
        return Err(Error::Internal(
            "equipment: there are totals of a missing item".to_owned(),
        ));
    }
    Ok(items)
}

/// How many items a user has.
pub fn count(data: &Snapshot<'_>, owner: OwnerId) -> Result<usize> {
    data.count_keys(&schema::EQUIPMENT, (owner.key(), 0)..=(owner.key(), u128::MAX))
}

/// One item of a user.
///
/// # Errors
/// [`Error::NotYours`] when this user has no such item.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId) -> Result<Item> {
    let key = (owner.key(), id.key());
    let record = data.get::<EquipmentRecord>(key)?.ok_or(Error::NotYours)?;
    let kept = Kept {
        charging: chargings_table::totals(data, owner, id)?,
        profile: profile::get(data, owner, id)?,
        health: health::get(data, owner, id)?,
    };
    item(id.key(), record, data.get::<TotalsRecord>(key)?, kept)
}

/// One item of a user, which is a battery.
///
/// # Errors
/// [`Error::NotYours`] when this user has no such item, [`Error::Invalid`] with this sentence when it is none.
pub fn find_battery(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId, is_none: &'static str) -> Result<Item> {
    let item = find(data, owner, id)?;
    match item.kind {
        Kind::Battery => Ok(item),
        _ => Err(Error::invalid("battery", is_none)),
    }
}

/// The records of an item beside its own and those of its flights.
#[derive(Default)]
struct Kept {
    charging: ChargingTotals,
    profile: Profile,
    health: Health,
}

/// The details of items of a user, without those that aren't there.
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

/// The details of all items of a user.
pub fn all_details(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<EquipmentId, Details>> {
    data.scan::<EquipmentRecord>((owner.key(), 0)..=(owner.key(), u128::MAX))?
        .into_iter()
        .map(|((_, id), record)| Ok((EquipmentId::from_key(id), record.details()?)))
        .collect()
}

/// Stores what the pilot entered about an item, and its retirement.
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

/// Stores what a flight did to an item, in place of what the same flight did before. An unchanged record isn't written.
pub fn put_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, new: &Use) -> Result<()> {
    let record = use_record(new);
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
    add_up(writer, owner, item, &change)
}

fn use_record(used: &Use) -> UseRecord {
    UseRecord {
        start: used.start.minutes(),
        milliminutes: milliminutes(used.minutes),
        start_voltage: used.start_voltage,
        end_voltage: used.end_voltage,
        consumed: used.consumed,
        open: used.open,
    }
}

/// Whether exactly this is kept of what a flight did to an item.
pub fn keeps_use(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, used: &Use) -> Result<bool> {
    let kept = data.get::<UseRecord>((owner.key(), item.key(), used.flight.key()))?;
    Ok(kept == Some(use_record(used)))
}

/// Writes exactly this of what a flight did to an item, and neither its index nor the totals.
pub fn rewrite_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, used: &Use) -> Result<()> {
    writer.put((owner.key(), item.key(), used.flight.key()), &use_record(used))
}

/// The chargings that finished flights of a battery made: one for each flight with a voltage.
pub fn charges_by_flights(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Vec<StoredCharging>> {
    let uses = data.scan::<UseRecord>((owner.key(), battery.key(), 0)..=(owner.key(), battery.key(), u128::MAX))?;
    let charges = uses
        .into_iter()
        .map(|((.., flight), used)| charge(battery, FlightId::from_key(flight), &used));
    charges.filter_map(Result::transpose).collect()
}

/// What each flight did to an item, in no order that means anything.
pub fn uses(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<Vec<Use>> {
    let uses = data.scan::<UseRecord>((owner.key(), item.key(), 0)..=(owner.key(), item.key(), u128::MAX))?;
    let used = |((.., flight), used): ((_, _, u128), UseRecord)| {
        // 2^53 thousandths of a minute are 17 million years.
        #[expect(clippy::cast_precision_loss)]
        let minutes = used.milliminutes as f64 / 1000.0;
        Ok(Use {
            flight: FlightId::from_key(flight),
            start: WallTime::from_minutes(used.start).ok_or_else(damaged)?,
            minutes: (minutes > 0.0).then_some(minutes),
            start_voltage: used.start_voltage,
            end_voltage: used.end_voltage,
            consumed: used.consumed,
            open: used.open,
        })
    };
    uses.into_iter().map(used).collect()
}

/// The charging that one flight of a battery made, if it did.
pub fn charge_by_flight(
    data: &Snapshot<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    flight: FlightId,
) -> Result<Option<StoredCharging>> {
    let used = data.get::<UseRecord>((owner.key(), battery.key(), flight.key()))?;
    used.map_or(Ok(None), |used| charge(battery, flight, &used))
}

fn charge(battery: EquipmentId, flight: FlightId, used: &UseRecord) -> Result<Option<StoredCharging>> {
    if used.open || used.voltage().is_none() {
        return Ok(None);
    }
    let start = WallTime::from_minutes(used.start);
    Ok(Some(StoredCharging {
        id: id_of_flight(battery, flight),
        start: start.ok_or_else(|| Error::Internal("a use of equipment has no time".to_owned()))?,
        end: Some(WallTime::nearest(used.landing())),
        from_voltage: used.start_voltage,
        to_voltage: used.end_voltage,
        from_cell_voltage: None,
        to_cell_voltage: None,
        charged: used.consumed,
        flight: Some(flight),
    }))
}

/// mAh that the flights of a battery have taken since it was charged last. `None` when one of them doesn't say it, and
/// before the first charging unless there was a single flight.
pub fn consumed_since(
    data: &Snapshot<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    charged: Option<WallTime>,
) -> Result<Option<f64>> {
    /// More have emptied it elsewhere, too.
    const FLIGHTS_MOST: usize = 20;
    let place = |start: i64, flight: u128| (owner.key(), battery.key(), Aspect::Every as u8, start, flight);
    let since = place(charged.map_or(i64::MIN, WallTime::minutes), 0)..=place(i64::MAX, u128::MAX);
    let places = data.last_keys(&schema::EQUIPMENT_USES_BY_START, since, FLIGHTS_MOST + 1)?;
    if places.is_empty() || places.len() > FLIGHTS_MOST || (charged.is_none() && places.len() > 1) {
        return Ok(None);
    }
    let keys = places
        .iter()
        .map(|(owner, item, _, _, flight)| (*owner, *item, *flight));
    let uses = data.get_all::<UseRecord>(keys)?;
    let taken = uses.iter().map(|used| used.consumed.filter(|_| !used.open));
    Ok(taken.sum::<Option<f64>>().map(|sum| (sum * 1000.0).round() / 1000.0))
}

/// Takes back what a flight did to an item.
pub fn remove_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, flight: FlightId) -> Result<()> {
    let key = (owner.key(), item.key(), flight.key());
    let old = writer.get::<UseRecord>(key)?;
    let before = replace(writer, key, old.as_ref(), None)?;
    let change = Change {
        milliminutes: -before,
        flight,
        open: false,
    };
    add_up(writer, owner, item, &change)
}

/// Removes all items of a user, with everything that was kept about them.
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
    health::remove_all(writer, owner)?;
    chargings_table::remove_all(writer, owner)
}

/// The change of an item's totals by a use.
struct Change {
    milliminutes: i64,
    flight: FlightId,
    open: bool,
}

/// Puts a use in the place of what is kept of the same flight, and both in the index; says how long it was before. What
/// stays in the index isn't touched: each place is a page that would be written.
fn replace(
    writer: &Writer<'_>,
    key: (u128, u128, u128),
    old: Option<&UseRecord>,
    new: Option<&UseRecord>,
) -> Result<i64> {
    let places = |used: Option<&UseRecord>| used.into_iter().flat_map(|used| used.places(key)).collect::<Vec<_>>();
    let (before, now) = (places(old), places(new));
    for place in before.iter().filter(|place| !now.contains(place)) {
        writer.remove_key(&schema::EQUIPMENT_USES_BY_START, *place)?;
    }
    for place in now.iter().filter(|place| !before.contains(place)) {
        writer.insert_key(&schema::EQUIPMENT_USES_BY_START, *place)?;
    }
    match new {
        Some(new) => writer.put(key, new)?,
        None => writer.remove::<UseRecord>(key)?,
    }
    Ok(old.map_or(0, |old| old.milliminutes))
}

/// Brings the totals of an item up to date: the sum and the open flight by the change, the rest from its latest uses.
/// The work doesn't grow with the number of flights.
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

/// Which uses a part of the index lists. The numbers are on disk.
#[derive(Clone, Copy)]
enum Aspect {
    Every = 0,
    Voltage = 1,
    EndVoltage = 2,
}

impl UseRecord {
    /// The last voltage of this use, with the minute of the landing or else of the start.
    fn voltage(&self) -> Option<(i64, f64)> {
        // An absurd flight time must not outdo every later reading.
        let landing = WallTime::from_minutes(self.landing()).map_or(self.start, WallTime::minutes);
        let landed = self.end_voltage.map(|volts| (landing, volts));
        landed.or(self.start_voltage.map(|volts| (self.start, volts)))
    }

    /// The minute of the landing, after an absurd flight time one outside of the calendar.
    const fn landing(&self) -> i64 {
        self.start + (self.milliminutes + 500) / 1000
    }

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

/// See [`super::flights_of`].
pub fn flights_of(
    data: &Snapshot<'_>,
    owner: OwnerId,
    item: EquipmentId,
    after: Option<(WallTime, FlightId)>,
    before: Option<(WallTime, FlightId)>,
    most: usize,
) -> Result<Vec<FlightId>> {
    let place = |start: i64, flight: u128| (owner.key(), item.key(), Aspect::Every as u8, start, flight);
    let bound = |flight: Option<(WallTime, FlightId)>, else_at: UsePlace| match flight {
        Some((start, flight)) => Bound::Excluded(place(start.minutes(), flight.key())),
        None => Bound::Included(else_at),
    };
    if after.zip(before).is_some_and(|(after, before)| after >= before) {
        return Ok(Vec::new());
    }
    let range = (
        bound(after, place(i64::MIN, 0)),
        bound(before, place(i64::MAX, u128::MAX)),
    );
    let places = if after.is_some() && before.is_none() {
        let mut earliest = data.next_keys(&schema::EQUIPMENT_USES_BY_START, range, most)?;
        earliest.reverse();
        earliest
    } else {
        data.last_keys(&schema::EQUIPMENT_USES_BY_START, range, most)?
    };
    Ok(places.iter().map(|(.., flight)| FlightId::from_key(*flight)).collect())
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
    })
}

#[cfg(test)]
mod tests;
