//! Records of equipment, and of the totals of its flights, with the index that they are computed from.

pub mod authors;
pub mod check;
pub mod prior;
mod battery_profile;
pub mod shared_uses;
pub mod stickers;
pub mod uses;

pub use battery_profile::{free_number, with_number};

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::battery_profile::Profile;
use super::code::Code;
use super::model::{Details, Item, Kind, Retirement, TimedVoltage, Totals, Use};
use super::prior::Prior;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_base::time::{Date, WallTime};
use fluglog_store::deletions;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};
use uses::{UseIndex, UseRecord, latest, replace};

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

record!(EquipmentRecord: (Owner, u128) = EQUIPMENT);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TotalsRecord {
    milliminutes: i64,
    last_start: Option<i64>,
    end_voltage: Option<f64>,
    /// Minutes since 1970-01-01 00:00, and V.
    voltage: Option<(i64, f64)>,
    open_flight: Option<u128>,
}

record!(TotalsRecord: (Owner, u128) = EQUIPMENT_TOTALS);

/// Returns all items of an owner.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<Item>> {
    let mut totals: HashMap<_, _> = data.of::<TotalsRecord>(owner)?.into_iter().collect();
    let mut profiles = battery_profile::all(data, owner)?;
    let mut priors = prior::all(data, owner)?;
    let mut stickers = stickers::all(data, owner)?;
    let mut items = Vec::new();
    for (key, record) in data.of::<EquipmentRecord>(owner)? {
        let kept = ItemParts {
            profile: profiles.remove(&key).unwrap_or_default(),
            prior: priors.remove(&key).unwrap_or_default(),
            sticker: stickers.remove(&key),
        };
        items.push(item(key.1, record, totals.remove(&key), kept)?);
    }
    if !totals.is_empty() {
        return Err(Error::Internal(
            "equipment: there are totals of a missing item".to_owned(),
        ));
    }
    Ok(items)
}

/// Returns the number of items of an owner.
pub fn count_before_adding(writer: &Writer<'_>, owner: OwnerId) -> Result<usize> {
    writer.count_before_adding::<EquipmentRecord>((owner.key(), 0), owned_by(owner))
}

/// Returns one item of an owner.
///
/// # Errors
/// [`Error::NotFound`] when this owner has no such item.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId) -> Result<Item> {
    let key = (owner.key(), id.key());
    let record = data.get::<EquipmentRecord>(key)?.ok_or(Error::NotFound)?;
    let kept = ItemParts {
        profile: battery_profile::get(data, owner, id)?,
        prior: prior::get(data, owner, Some(id))?,
        sticker: stickers::get(data, owner, id)?,
    };
    item(id.key(), record, data.get::<TotalsRecord>(key)?, kept)
}

/// Other records of an item, without its own and the totals of its flights.
#[derive(Default)]
struct ItemParts {
    profile: Profile,
    prior: Prior,
    sticker: Option<Code>,
}

/// Returns whether an item is there and is a battery.
pub fn is_battery(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId) -> Result<bool> {
    let found = data.get::<EquipmentRecord>((owner.key(), id.key()))?;
    Ok(found.is_some_and(|item| item.kind == Kind::Battery.code()))
}

/// Returns the keys of all items of all owners who aren't being deleted.
pub fn keys(data: &Snapshot<'_>) -> Result<Vec<(OwnerId, EquipmentId)>> {
    let deleted = deletions::all(data)?;
    let keys = data.record_keys(&schema::EQUIPMENT, ..)?.into_iter();
    Ok(keys
        .filter(|(owner, _)| !deleted.contains(owner))
        .map(|(owner, id)| (OwnerId::from_key(owner), EquipmentId::from_key(id)))
        .collect())
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
pub(crate) fn all_details(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<EquipmentId, Details>> {
    data.of::<EquipmentRecord>(owner)?
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
    battery_profile::put(writer, owner, item.id, &item.profile)
}

/// Stores the use of an item by a flight, replacing the earlier use by the same flight. An unchanged record isn't
/// written. A use that isn't open any more stays so: its item was freed. Returns the earlier use and the new one.
pub(crate) fn put_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, new: &Use) -> Result<(Option<Use>, Use)> {
    let key = (owner.key(), item.key(), new.flight.key());
    let old = writer.get::<UseRecord>(key)?;
    let new = Use {
        open: new.open && old.as_ref().is_none_or(|old| old.open),
        ..*new
    };
    let record = uses::record(&new);
    if old.as_ref() == Some(&record) {
        return Ok((Some(new), new));
    }
    let before = replace(writer, key, old.as_ref(), Some(&record))?;
    let change = Change {
        milliminutes: record.milliminutes - before,
        flight: new.flight,
        open: new.open,
    };
    update_totals(writer, owner, item, &change)?;
    Ok((old.map(|old| old.used(new.flight)).transpose()?, new))
}

/// Removes the use of an item by a flight, and returns it.
pub(crate) fn remove_use(
    writer: &Writer<'_>,
    owner: OwnerId,
    item: EquipmentId,
    flight: FlightId,
) -> Result<Option<Use>> {
    let key = (owner.key(), item.key(), flight.key());
    let old = writer.get::<UseRecord>(key)?;
    let before = replace(writer, key, old.as_ref(), None)?;
    let change = Change {
        milliminutes: -before,
        flight,
        open: false,
    };
    update_totals(writer, owner, item, &change)?;
    old.map(|old| old.used(flight)).transpose()
}

/// Gives an item to another owner, with its uses, profile, what was before them, its sticker and the authors of entries
/// about it. The pilots of the uses and the entries are moved by the caller.
pub(crate) fn move_item(writer: &Writer<'_>, from: OwnerId, to: OwnerId, item: EquipmentId) -> Result<()> {
    let (from, to, item) = (from.key(), to.key(), item.key());
    let one = || (from, item)..=(from, item);
    writer.rekey::<EquipmentRecord>(one(), |_| (to, item))?;
    writer.rekey::<TotalsRecord>(one(), |_| (to, item))?;
    writer.rekey::<UseRecord>(under((from, item)), |(.., flight)| (to, item, flight))?;
    writer.rekey_index(
        &schema::EQUIPMENT_USES_BY_START,
        under((from, item)),
        |(_, _, part, start, flight)| (to, item, part, start, flight),
    )?;
    battery_profile::move_item(writer, from, to, item)?;
    prior::move_item(writer, from, to, item)?;
    authors::move_item(writer, from, to, item)?;
    stickers::move_item(writer, from, to, item)
}

/// Change of an item's totals by a use.
struct Change {
    milliminutes: i64,
    flight: FlightId,
    open: bool,
}

/// Updates the totals of an item: the sum and the open flight by the change, the rest from its latest uses. The cost
/// doesn't grow with the number of flights.
fn update_totals(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, change: &Change) -> Result<()> {
    let key = (owner.key(), item.key());
    let before = writer.get::<TotalsRecord>(key)?;
    let flight = change.flight.key();
    let last = latest(writer, key, UseIndex::Every)?;
    let voltage = latest(writer, key, UseIndex::Voltage)?.and_then(|used| used.voltage());
    let totals = TotalsRecord {
        milliminutes: before.as_ref().map_or(0, |totals| totals.milliminutes) + change.milliminutes,
        last_start: last.map(|used| used.start),
        end_voltage: latest(writer, key, UseIndex::EndVoltage)?.and_then(|used| used.end_voltage),
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

fn item(id: u128, record: EquipmentRecord, totals: Option<TotalsRecord>, kept: ItemParts) -> Result<Item> {
    let time = |minute: i64| WallTime::from_minutes(minute).ok_or_else(damaged);
    let reading = |(minute, volts)| {
        Ok::<_, Error>(TimedVoltage {
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
        profile: kept.profile,
        prior: kept.prior,
        sticker: kept.sticker,
    })
}

#[cfg(test)]
mod tests;
