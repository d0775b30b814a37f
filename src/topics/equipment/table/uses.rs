//! Records of the uses of items by flights, with their index by start.

mod earlier;

use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::equipment::model::{Use, milliminutes};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_base::time::WallTime;
use fluglog_store::{Snapshot, Writer, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UseRecord {
    pub start: i64,
    pub milliminutes: i64,
    pub start_voltage: Option<f64>,
    pub end_voltage: Option<f64>,
    pub consumed: Option<f64>,
    pub open: bool,
    pub shared: Option<f64>,
}

record!(UseRecord: (Owner, u128, u128) = EQUIPMENT_USES, with upgrade);

pub fn record(used: &Use) -> UseRecord {
    UseRecord {
        start: used.start.minutes(),
        milliminutes: milliminutes(used.minutes),
        start_voltage: used.start_voltage,
        end_voltage: used.end_voltage,
        consumed: used.consumed,
        open: used.open,
        shared: used.shared,
    }
}

/// Returns whether exactly this use of an item by a flight is stored.
pub fn is_stored(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, used: &Use) -> Result<bool> {
    let kept = data.get::<UseRecord>((owner.key(), item.key(), used.flight.key()))?;
    Ok(kept == Some(record(used)))
}

/// Writes the record of a use, without its index entries and the totals.
pub fn rewrite(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, used: &Use) -> Result<()> {
    writer.put((owner.key(), item.key(), used.flight.key()), &record(used))
}

/// Returns the use of an item by each flight, in no particular order.
pub fn uses_of(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<Vec<Use>> {
    let uses = data.scan::<UseRecord>(under((owner.key(), item.key())))?;
    let used = |((.., flight), used): ((_, _, u128), UseRecord)| used.used(FlightId::from_key(flight));
    uses.into_iter().map(used).collect()
}

/// Returns the uses of an item by flights that began at a time or later.
pub fn uses_from(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, since: WallTime) -> Result<Vec<Use>> {
    let place = |start: i64, flight: u128| (owner.key(), item.key(), UseIndex::Every as u8, start, flight);
    let range = place(since.minutes(), 0)..=place(i64::MAX, u128::MAX);
    let places = data.keys_ascending(&schema::EQUIPMENT_USES_BY_START, range, usize::MAX)?;
    let keys = places
        .iter()
        .map(|(owner, item, _, _, flight)| (*owner, *item, *flight));
    let uses = data.get_some::<UseRecord>(keys)?;
    let used = |((.., flight), used): ((u128, u128, u128), UseRecord)| used.used(FlightId::from_key(flight));
    uses.into_iter().map(used).collect()
}

/// Returns the number of an item's uses after one was added.
pub fn count_after_adding(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId) -> Result<usize> {
    let place = (owner.key(), item.key());
    writer.count_before_adding::<UseRecord>(place, under(place))
}

/// Returns the use of an item by a flight.
pub fn use_of(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, flight: FlightId) -> Result<Option<Use>> {
    let used = data.get::<UseRecord>((owner.key(), item.key(), flight.key()))?;
    used.map(|used| used.used(flight)).transpose()
}

/// Returns the mAh that flights have drawn from a battery since its last charging. `None` when one of them has no
/// value, and before the first charging unless there was a single flight.
pub fn consumed_since(
    data: &Snapshot<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    charged: Option<WallTime>,
) -> Result<Option<f64>> {
    /// With more flights the battery must have been charged without a record.
    const MAX_FLIGHTS: usize = 20;
    let place = |start: i64, flight: u128| (owner.key(), battery.key(), UseIndex::Every as u8, start, flight);
    let since = place(charged.map_or(i64::MIN, WallTime::minutes), 0)..=place(i64::MAX, u128::MAX);
    let places = data.keys_descending(&schema::EQUIPMENT_USES_BY_START, since, MAX_FLIGHTS + 1)?;
    if places.is_empty() || places.len() > MAX_FLIGHTS || (charged.is_none() && places.len() > 1) {
        return Ok(None);
    }
    let keys = places
        .iter()
        .map(|(owner, item, _, _, flight)| (*owner, *item, *flight));
    let uses = data.get_all::<UseRecord>(keys)?;
    let taken = uses.iter().map(|used| used.consumed.filter(|_| !used.open));
    Ok(taken.sum::<Option<f64>>().map(|sum| (sum * 1000.0).round() / 1000.0))
}

/// Replaces the use of an item by a flight, with its index entries, and returns its earlier thousandths of a minute.
/// Unchanged index entries aren't touched, since each would rewrite a page.
pub fn replace(
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

/// Part of the index, by the uses that it lists. The numbers are on disk.
#[derive(Clone, Copy)]
pub(crate) enum UseIndex {
    Every = 0,
    Voltage = 1,
    EndVoltage = 2,
}

impl UseRecord {
    /// Returns the last voltage of this use, at the minute of the landing, or else of the start.
    pub fn voltage(&self) -> Option<(i64, f64)> {
        // An absurd flight time must not take precedence over all later readings.
        let landing = WallTime::from_minutes(self.landing()).map_or(self.start, WallTime::minutes);
        let landed = self.end_voltage.map(|volts| (landing, volts));
        landed.or(self.start_voltage.map(|volts| (self.start, volts)))
    }

    /// Returns the minute of the landing; an absurd flight time puts it outside of the calendar.
    const fn landing(&self) -> i64 {
        self.start + (self.milliminutes + 500) / 1000
    }

    /// Returns the index entries of this use.
    pub fn places(&self, (owner, item, flight): (u128, u128, u128)) -> impl Iterator<Item = UseIndexKey> {
        let has_voltage = self.start_voltage.or(self.end_voltage).is_some();
        let start = self.start;
        [
            (UseIndex::Every, true),
            (UseIndex::Voltage, has_voltage),
            (UseIndex::EndVoltage, self.end_voltage.is_some()),
        ]
        .into_iter()
        .filter(|(_, listed)| *listed)
        .map(move |(aspect, _)| (owner, item, aspect as u8, start, flight))
    }
}

pub(crate) type UseIndexKey = (u128, u128, u8, i64, u128);

/// Returns the latest use of an item in this part of the index.
pub fn latest(data: &Snapshot<'_>, (owner, item): (u128, u128), aspect: UseIndex) -> Result<Option<UseRecord>> {
    let aspect = aspect as u8;
    let places = data.keys_descending(&schema::EQUIPMENT_USES_BY_START, under((owner, item, aspect)), 1)?;
    let keys = places
        .iter()
        .map(|(owner, item, _, _, flight)| (*owner, *item, *flight));
    Ok(data.get_all::<UseRecord>(keys)?.pop())
}

/// Implements [`crate::equipment::flights_of`].
pub(crate) fn flights_of(
    data: &Snapshot<'_>,
    owner: OwnerId,
    item: EquipmentId,
    after: Option<(WallTime, FlightId)>,
    before: Option<(WallTime, FlightId)>,
    most: usize,
) -> Result<Vec<FlightId>> {
    let place = |start: i64, flight: u128| (owner.key(), item.key(), UseIndex::Every as u8, start, flight);
    let bound = |flight: Option<(WallTime, FlightId)>, else_at: UseIndexKey| match flight {
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
        let mut earliest = data.keys_ascending(&schema::EQUIPMENT_USES_BY_START, range, most)?;
        earliest.reverse();
        earliest
    } else {
        data.keys_descending(&schema::EQUIPMENT_USES_BY_START, range, most)?
    };
    Ok(places.iter().map(|(.., flight)| FlightId::from_key(*flight)).collect())
}

impl UseRecord {
    /// Returns the use by this flight.
    ///
    /// # Errors
    /// The record has an impossible time.
    pub fn used(&self, flight: FlightId) -> Result<Use> {
        // 2^53 thousandths of a minute are 17 million years.
        #[expect(clippy::cast_precision_loss)]
        let minutes = self.milliminutes as f64 / 1000.0;
        Ok(Use {
            flight,
            start: WallTime::from_minutes(self.start).ok_or_else(damaged)?,
            minutes: (minutes > 0.0).then_some(minutes),
            start_voltage: self.start_voltage,
            end_voltage: self.end_voltage,
            consumed: self.consumed,
            open: self.open,
            shared: self.shared,
        })
    }
}

/// Returns the landing of the flight that began last before `time`.
pub fn landed_before(
    data: &Snapshot<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    time: WallTime,
) -> Result<Option<WallTime>> {
    let place = |start: i64, flight: u128| (owner.key(), battery.key(), UseIndex::Every as u8, start, flight);
    let before = place(i64::MIN, 0)..place(time.minutes(), 0);
    let last = data.keys_descending(&schema::EQUIPMENT_USES_BY_START, before, 1)?;
    let Some((.., start, _)) = last.first() else {
        return Ok(None);
    };
    let together = place(*start, 0)..=place(*start, u128::MAX);
    let together = data.keys_descending(&schema::EQUIPMENT_USES_BY_START, together, usize::MAX)?;
    let keys = together
        .into_iter()
        .map(|(owner, item, _, _, flight)| (owner, item, flight));
    let uses = data.get_all::<UseRecord>(keys)?;
    Ok(uses
        .iter()
        .map(|used| WallTime::from_minutes_clamped(used.landing()))
        .max())
}

fn damaged() -> Error {
    Error::Internal("a use of equipment has an impossible value".to_owned())
}
