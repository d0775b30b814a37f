//! Records of readings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::{ReadingKind, StoredReading};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId, ReadingId};
use fluglog_base::time::WallTime;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ReadingRecord {
    /// Minutes since 1970-01-01 00:00, wall clock.
    minute: i64,
    kind: u8,
    voltage: Option<f64>,
    cell_voltages: Vec<f64>,
    resistances: Vec<f64>,
    temperature: Option<f64>,
    charger: String,
    swollen: bool,
    damaged: bool,
    info: String,
    of_file: bool,
}

record!(ReadingRecord: (Owner, u128, u128) = BATTERY_READINGS);

/// Returns the readings of a battery, oldest first.
pub fn all(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Vec<StoredReading>> {
    let records = data
        .scan::<ReadingRecord>(under((owner.key(), battery.key())))?
        .into_iter();
    let mut readings: Vec<_> = records
        .map(|((.., id), record)| stored(id, record))
        .collect::<Result<_>>()?;
    readings.sort_by_key(|reading| (reading.time, reading.id));
    Ok(readings)
}

/// Returns the ids of all readings of an owner.
pub fn ids(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<ReadingId>> {
    let keys = data.record_keys(&schema::BATTERY_READINGS, owned_by(owner))?;
    Ok(keys.into_iter().map(|(.., id)| ReadingId::from_key(id)).collect())
}

/// Returns the number of readings of a battery before one more is added.
pub fn count_before_adding(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) -> Result<usize> {
    let place = (owner.key(), battery.key());
    writer.count_before_adding::<ReadingRecord>(place, under(place))
}

pub fn find(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId, id: ReadingId) -> Result<Option<StoredReading>> {
    let record = data.get::<ReadingRecord>((owner.key(), battery.key(), id.key()))?;
    record.map(|record| stored(id.key(), record)).transpose()
}

pub fn put(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId, reading: &StoredReading) -> Result<()> {
    writer.put((owner.key(), battery.key(), reading.id.key()), &record(reading))
}

pub fn remove(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId, id: ReadingId) -> Result<()> {
    writer.remove::<ReadingRecord>((owner.key(), battery.key(), id.key()))
}

pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, battery: u128) -> Result<()> {
    writer.rekey::<ReadingRecord>(under((from, battery)), |(.., id)| (to, battery, id))
}

/// Readings of each battery, by its key.
pub(crate) type Readings = BTreeMap<(u128, u128), Vec<StoredReading>>;

/// Verifies that each reading has its battery, and returns all readings.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<Readings> {
    let mut readings = Readings::new();
    findings.each::<ReadingRecord>(data, |findings, key, record| {
        let (owner, battery, id) = key;
        let place = place(&ReadingRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, (owner, battery))?;
        match stored(id, record) {
            Ok(reading) => readings.entry((owner, battery)).or_default().push(reading),
            Err(_) => findings.impossible::<ReadingRecord>(key),
        }
        Ok(())
    })?;
    Ok(readings)
}

fn record(reading: &StoredReading) -> ReadingRecord {
    ReadingRecord {
        minute: reading.time.minutes(),
        kind: reading.kind.code(),
        voltage: reading.voltage,
        cell_voltages: reading.cell_voltages.clone(),
        resistances: reading.resistances.clone(),
        temperature: reading.temperature,
        charger: reading.charger.clone(),
        swollen: reading.swollen,
        damaged: reading.damaged,
        info: reading.info.clone(),
        of_file: reading.of_file,
    }
}

fn stored(id: u128, record: ReadingRecord) -> Result<StoredReading> {
    let damaged = || Error::Internal("a reading of a battery has an impossible value".to_owned());
    Ok(StoredReading {
        id: ReadingId::from_key(id),
        time: WallTime::from_minutes(record.minute).ok_or_else(damaged)?,
        kind: ReadingKind::from_code(record.kind).ok_or_else(damaged)?,
        voltage: record.voltage,
        cell_voltages: record.cell_voltages,
        resistances: record.resistances,
        temperature: record.temperature,
        charger: record.charger,
        swollen: record.swollen,
        damaged: record.damaged,
        info: record.info,
        of_file: record.of_file,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    const BYTES: &str = "81fc8002750303016666666666e63640028fc2f5285c8f0e4052b81e85eb510e4001cdcccccccccc124001\
        00000000000014c004495344540001054bc3bc686c01b172a006";

    #[test]
    fn a_reading_keeps_its_bytes() {
        let reading = StoredReading {
            id: ReadingId::from_key(3),
            time: WallTime::from_minutes(29_000_000).unwrap(),
            kind: ReadingKind::Stored,
            voltage: Some(22.9),
            cell_voltages: vec![3.82, 3.79],
            resistances: vec![4.7],
            temperature: Some(-5.0),
            charger: "ISDT".to_owned(),
            swollen: false,
            damaged: true,
            info: "Kühl".to_owned(),
            of_file: true,
        };
        assert_stored_as::<ReadingRecord>((1, 2, 3), &record(&reading), BYTES);
        assert_eq!(stored(3, record(&reading)).unwrap(), reading);
    }
}
