//! Records of packs' health, derived from their other records.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{Health, RecordKind, Records, VoltageAt};
use crate::equipment;
use crate::equipment::model::{Discharge, TimedVoltage, Use};
use crate::packs::aging::{Aging, CapacityMeasurement, Charge};
use crate::packs::records::charging::model::StoredCharging;
use crate::packs::records::charging::table as chargings_table;
use crate::packs::records::readings::condition::{HighestResistance, PackCondition, ResistanceGrowth};
use crate::packs::records::readings::model::StoredReading;
use crate::packs::records::readings::table as readings_table;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_base::time::WallTime;
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct HealthRecord {
    /// Minute, V, and the code of [`RecordKind`].
    recent: Vec<(i64, f64, u8)>,
    /// Minute of the last reading.
    last_reading: Option<i64>,
    swollen: bool,
    damaged: bool,
    /// µV
    apart: Option<i64>,
    /// V; sum of the cells, and the pack.
    sum: Option<(f64, f64)>,
    /// Cell, mΩ now and in the first readings.
    growth: Option<(u8, f64, f64)>,
    /// Cell, its mΩ, and the median of all cells.
    highest: Option<(u8, f64, f64)>,
    /// Thousandths of a mAh.
    charged: i64,
    /// Minute of the end of the last charge.
    last_charge: Option<i64>,
    /// Minute of the start of the last charge without an amount.
    last_without_amount: Option<i64>,
    is_estimated: bool,
    capacity_charges: Vec<CapacityMeasurementRecord>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct CapacityMeasurementRecord {
    start: i64,
    end: i64,
    from: f64,
    to: f64,
    charged: Option<f64>,
    measured: Option<f64>,
    is_rested: bool,
}

record!(HealthRecord: (Owner, u128) = BATTERY_HEALTH);

/// Returns the health of an owner's packs, by their keys.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<(u128, u128), Health>> {
    data.of::<HealthRecord>(owner)?
        .into_iter()
        .map(|(key, record)| Ok((key, stored(record)?)))
        .collect()
}

/// Returns the health of one pack.
pub fn get(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Health> {
    let record = data.get::<HealthRecord>((owner.key(), battery.key()))?;
    record.map_or_else(|| Ok(Health::default()), stored)
}

/// Updates the health of a battery with a new charging.
pub(crate) fn add_charging(
    writer: &Writer<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    charging: &StoredCharging,
) -> Result<()> {
    let key = (owner.key(), battery.key());
    if writer.will_derive::<HealthRecord>(key) {
        return Ok(());
    }
    let landed = equipment::landed_before(writer, owner, battery, charging.start)?;
    match get(writer, owner, battery)?.with(charging, landed) {
        Some(health) => put(writer, key, &health),
        None => {
            recompute(writer, owner, battery);
            Ok(())
        }
    }
}

/// Updates the health of a battery after a flight changed from `before` to `now`.
pub(crate) fn update_after_flight(
    writer: &Writer<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    before: Option<Discharge>,
    now: Option<Discharge>,
) -> Result<()> {
    let Some(start) = [before, now].into_iter().flatten().map(|flight| flight.start).min() else {
        return Ok(());
    };
    let key = (owner.key(), battery.key());
    if writer.will_derive::<HealthRecord>(key) {
        return Ok(());
    }
    let [was, is] = [before, now].map(|flight| flight.and_then(|flight| flight.consumed));
    let is_shared = [before, now].into_iter().flatten().any(|flight| flight.is_shared);
    let quick = match is_shared {
        true => None,
        false => get(writer, owner, battery)?.with_flight(start, was, is),
    };
    match quick {
        Some(health) => put(writer, key, &health),
        None => {
            recompute(writer, owner, battery);
            Ok(())
        }
    }
}

/// Recomputes the health of a battery from all records at the end of the transaction, after some of them were changed.
pub(crate) fn recompute(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) {
    writer.derive_last::<HealthRecord>((owner.key(), battery.key()), |writer, (owner, battery)| {
        compute(writer, OwnerId::from_key(owner), EquipmentId::from_key(battery))
    });
}

/// Computes the health of a battery from all records.
pub(crate) fn compute(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) -> Result<()> {
    let uses = equipment::uses_of(writer, owner, battery)?;
    let health = Health::of(Records {
        chargings: &chargings_table::all(writer, owner, battery)?,
        readings: &readings_table::all(writer, owner, battery)?,
        flights: &uses.iter().map(Use::as_discharge).collect::<Vec<_>>(),
    });
    put(writer, (owner.key(), battery.key()), &health)
}

/// Stores a pack's health; an unchanged record isn't written.
fn put(writer: &Writer<'_>, key: (u128, u128), health: &Health) -> Result<()> {
    let record = record(health);
    if writer.get::<HealthRecord>(key)?.unwrap_or_default() == record {
        return Ok(());
    }
    match *health == Health::default() {
        true => writer.remove::<HealthRecord>(key),
        false => writer.put(key, &record),
    }
}

pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, battery: u128) -> Result<()> {
    writer.rekey::<HealthRecord>((from, battery)..=(from, battery), |_| (to, battery))
}

/// Records of each pack that its health is derived from, by its key.
#[derive(Default)]
pub(crate) struct RecordsByPack {
    pub chargings: BTreeMap<(u128, u128), Vec<StoredCharging>>,
    pub readings: BTreeMap<(u128, u128), Vec<StoredReading>>,
    pub flights: BTreeMap<(u128, u128), Vec<Discharge>>,
}

impl RecordsByPack {
    /// Computes the health of each pack that has records.
    fn compute(mut self) -> BTreeMap<(u128, u128), Health> {
        for readings in self.readings.values_mut() {
            readings.sort_by_key(|reading| (reading.time, reading.id));
        }
        let keys = self
            .chargings
            .keys()
            .chain(self.readings.keys())
            .chain(self.flights.keys());
        let of = |key: &(u128, u128)| {
            let health = Health::of(Records {
                chargings: self.chargings.get(key).map_or(&[][..], Vec::as_slice),
                readings: self.readings.get(key).map_or(&[][..], Vec::as_slice),
                flights: self.flights.get(key).map_or(&[][..], Vec::as_slice),
            });
            (*key, health)
        };
        keys.map(of)
            .filter(|(_, health)| *health != Health::default())
            .collect()
    }
}

/// Verifies that the health of each pack matches its records.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings, recorded: RecordsByPack) -> Result<()> {
    let mut expected = recorded.compute();
    findings.each::<HealthRecord>(data, |findings, key, found| {
        let place = place(&HealthRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, key)?;
        let expected = expected.remove(&key).unwrap_or_default();
        if found != record(&expected) {
            let rebuild = move |writer: &Writer<'_>| rewrite(writer, key, &expected);
            findings.derived(&place, FindingKind::PackHealthWrong, rebuild);
        }
        Ok(())
    })?;
    for (key, health) in expected {
        let rebuild = move |writer: &Writer<'_>| rewrite(writer, key, &health);
        findings.derived(
            &place(&HealthRecord::TABLE, key),
            FindingKind::PackHealthMissing,
            rebuild,
        );
    }
    Ok(())
}

/// Replaces the record, readable or not.
fn rewrite(writer: &Writer<'_>, key: (u128, u128), health: &Health) -> Result<()> {
    match *health == Health::default() {
        true => writer.remove::<HealthRecord>(key),
        false => writer.put(key, &record(health)),
    }
}

fn record(health: &Health) -> HealthRecord {
    let told = health.recent.iter();
    let told = told.map(|told| (told.reading.time.minutes(), told.reading.volts, told.by.code()));
    let (condition, aging) = (&health.condition, &health.aging);
    HealthRecord {
        recent: told.collect(),
        last_reading: condition.last.map(WallTime::minutes),
        swollen: condition.swollen,
        damaged: condition.damaged,
        apart: condition.apart,
        sum: condition.sum,
        growth: condition
            .growth
            .map(|growth| (growth.cell, growth.now, growth.baseline)),
        highest: condition
            .highest
            .map(|highest| (highest.cell, highest.now, highest.median)),
        charged: aging.charged,
        last_charge: aging.last_charge.map(WallTime::minutes),
        last_without_amount: aging.last_without_amount.map(WallTime::minutes),
        is_estimated: aging.is_estimated,
        capacity_charges: aging.capacity_charges.iter().map(measurement_record).collect(),
    }
}

fn measurement_record(telling: &CapacityMeasurement) -> CapacityMeasurementRecord {
    let charge = &telling.charge;
    CapacityMeasurementRecord {
        start: charge.start.minutes(),
        end: charge.end.minutes(),
        from: charge.from,
        to: charge.to,
        charged: charge.charged,
        measured: charge.measured,
        is_rested: telling.is_rested,
    }
}

fn stored(record: HealthRecord) -> Result<Health> {
    let told = |(minute, volts, by)| {
        Ok(VoltageAt {
            reading: TimedVoltage {
                time: time(minute)?,
                volts,
            },
            by: RecordKind::from_code(by).ok_or_else(damaged)?,
        })
    };
    Ok(Health {
        recent: record.recent.into_iter().map(told).collect::<Result<_>>()?,
        condition: PackCondition {
            last: record.last_reading.map(time).transpose()?,
            swollen: record.swollen,
            damaged: record.damaged,
            apart: record.apart,
            sum: record.sum,
            growth: record
                .growth
                .map(|(cell, now, baseline)| ResistanceGrowth { cell, now, baseline }),
            highest: record
                .highest
                .map(|(cell, now, median)| HighestResistance { cell, now, median }),
        },
        aging: Aging {
            charged: record.charged,
            is_estimated: record.is_estimated,
            last_charge: record.last_charge.map(time).transpose()?,
            last_without_amount: record.last_without_amount.map(time).transpose()?,
            capacity_charges: record.capacity_charges.iter().map(measurement).collect::<Result<_>>()?,
        },
    })
}

fn measurement(record: &CapacityMeasurementRecord) -> Result<CapacityMeasurement> {
    Ok(CapacityMeasurement {
        charge: Charge {
            start: time(record.start)?,
            end: time(record.end)?,
            from: record.from,
            to: record.to,
            charged: record.charged,
            measured: record.measured,
        },
        is_rested: record.is_rested,
    })
}

fn time(minute: i64) -> Result<WallTime> {
    WallTime::from_minutes(minute).ok_or_else(damaged)
}

fn damaged() -> Error {
    Error::Internal("the health of a battery has an impossible value".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn the_health_of_a_pack_keeps_its_bytes() {
        let told = HealthRecord {
            recent: vec![(29_000_000, 25.2, 0)],
            last_reading: Some(29_000_001),
            swollen: true,
            damaged: false,
            apart: Some(30_000),
            sum: Some((24.6, 25.2)),
            growth: Some((3, 7.0, 4.4)),
            highest: Some((3, 7.0, 4.5)),
            charged: 1_300_000,
            last_charge: Some(29_000_002),
            last_without_amount: None,
            is_estimated: true,
            capacity_charges: vec![CapacityMeasurementRecord {
                start: 29_000_000,
                end: 29_000_002,
                from: 22.1,
                to: 25.2,
                charged: Some(1170.0),
                measured: None,
                is_rested: true,
            }],
        };
        assert_stored_as::<HealthRecord>(
            (1, 2),
            &told,
            "8101fc8002750333333333333339400001fc82027503010001fb60ea019a9999999999384033333333333339400103000000\
             0000001c409a9999999999114001030000000000001c400000000000001240fc40ac270001fc84027503000101fc80027503\
             fc840275039a9999999919364033333333333339400100000000004892400001f68a2f4d",
        );
        assert_eq!(record(&stored(told).unwrap()).apart, Some(30_000));
    }
}
