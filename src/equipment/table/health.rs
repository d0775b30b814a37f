//! The health of each pack as a record, which follows from its other records.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::id::{EquipmentId, OwnerId};
use crate::base::time::WallTime;
use crate::equipment::charging::model::StoredCharging;
use crate::equipment::charging::table as chargings_table;
use crate::equipment::health::{By, Health, Told};
use crate::equipment::readings::model::StoredReading;
use crate::equipment::readings::table as readings_table;
use crate::equipment::voltages::Reading;
use crate::store::findings::{Findings, Wrong, place};
use crate::store::record::{Initial, Record};
use crate::store::{Snapshot, Table, Writer, schema};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct HealthRecord {
    /// Minute, V, and what told them.
    recent: Vec<(i64, f64, u8)>,
}

impl Initial for HealthRecord {}

impl Record for HealthRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::BATTERY_HEALTH;
}

/// The health of a user's packs, by their keys.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<(u128, u128), Health>> {
    data.scan::<HealthRecord>((owner.key(), 0)..=(owner.key(), u128::MAX))?
        .into_iter()
        .map(|(key, record)| Ok((key, stored(record)?)))
        .collect()
}

/// The health of one pack.
pub fn get(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Health> {
    let record = data.get::<HealthRecord>((owner.key(), battery.key()))?;
    record.map_or_else(|| Ok(Health::default()), stored)
}

/// Brings it up to date with a new charging.
pub fn add_charging(
    writer: &Writer<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    charging: &StoredCharging,
) -> Result<()> {
    put(
        writer,
        (owner.key(), battery.key()),
        &get(writer, owner, battery)?.with(charging),
    )
}

/// Brings it up to date with all records, when one of them was changed.
pub fn renew(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) -> Result<()> {
    let chargings = chargings_table::all(writer, owner, battery)?;
    let health = Health::of(&chargings, &readings_table::all(writer, owner, battery)?);
    put(writer, (owner.key(), battery.key()), &health)
}

fn put(writer: &Writer<'_>, key: (u128, u128), health: &Health) -> Result<()> {
    match *health == Health::default() {
        true => writer.remove::<HealthRecord>(key),
        false => writer.put(key, &record(health)),
    }
}

pub fn remove_all(writer: &Writer<'_>, owner: OwnerId) -> Result<()> {
    writer.remove_range::<HealthRecord>((owner.key(), 0)..=(owner.key(), u128::MAX))
}

/// The records of each pack that its health follows from, by its key.
#[derive(Default)]
pub struct Recorded {
    pub chargings: BTreeMap<(u128, u128), Vec<StoredCharging>>,
    pub readings: BTreeMap<(u128, u128), Vec<StoredReading>>,
}

impl Recorded {
    /// The health of each pack that these records tell something of.
    fn healths(&self) -> BTreeMap<(u128, u128), Health> {
        let keys = self.chargings.keys().chain(self.readings.keys());
        let of = |key: &(u128, u128)| {
            let chargings = self.chargings.get(key).map_or(&[][..], Vec::as_slice);
            let readings = self.readings.get(key).map_or(&[][..], Vec::as_slice);
            (*key, Health::of(chargings, readings))
        };
        keys.map(of)
            .filter(|(_, health)| *health != Health::default())
            .collect()
    }
}

/// The health of each pack is what its records tell.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings, recorded: &Recorded) -> Result<()> {
    let mut expected = recorded.healths();
    findings.each::<HealthRecord>(data, |findings, key, found| {
        let place = place(&HealthRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, key)?;
        let expected = expected.remove(&key).unwrap_or_default();
        if found != record(&expected) {
            let rebuild = move |writer: &Writer<'_>| put(writer, key, &expected);
            findings.derived(&place, Wrong::PackHealthWrong, rebuild);
        }
        Ok(())
    })?;
    for (key, health) in expected {
        let rebuild = move |writer: &Writer<'_>| put(writer, key, &health);
        findings.derived(&place(&HealthRecord::TABLE, key), Wrong::PackHealthMissing, rebuild);
    }
    Ok(())
}

/// Makes that of every pack, if none is kept at all: the database is one of an earlier version.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    if writer.count(&schema::BATTERY_HEALTH)? > 0 || writer.count(&schema::CHARGINGS)? == 0 {
        return Ok(());
    }
    // What is unreadable is a finding of each check, and nobody's reason not to start.
    let chargings = chargings_table::check::check(writer, &mut Findings::default())?;
    let recorded = Recorded {
        chargings,
        ..Recorded::default()
    };
    let mut healths = recorded.healths().into_iter();
    healths.try_for_each(|(key, health)| put(writer, key, &health))
}

fn record(health: &Health) -> HealthRecord {
    let told = health.recent.iter();
    let told = told.map(|told| (told.reading.time.minutes(), told.reading.volts, told.by.code()));
    HealthRecord { recent: told.collect() }
}

fn stored(record: HealthRecord) -> Result<Health> {
    let told = |(minute, volts, by)| {
        Ok(Told {
            reading: Reading {
                time: WallTime::from_minutes(minute).ok_or_else(damaged)?,
                volts,
            },
            by: By::from_code(by).ok_or_else(damaged)?,
        })
    };
    Ok(Health {
        recent: record.recent.into_iter().map(told).collect::<Result<_>>()?,
    })
}

fn damaged() -> Error {
    Error::Internal("the health of a battery has an impossible value".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::assert_stored_as;

    #[test]
    fn the_health_of_a_pack_keeps_its_bytes() {
        let told = HealthRecord {
            recent: vec![(29_000_000, 25.2, 0)],
        };
        assert_stored_as::<HealthRecord>((1, 2), &told, "8101fc800275033333333333333940004b809817");
    }
}
