//! Records of battery profiles and of the numbers of items, stored beside those of the items. An empty one has no
//! record.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::equipment::battery_profile::{Chemistry, NUMBERS, Profile};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ProfileRecord {
    number: Option<u16>,
    chemistry: Option<u8>,
    cells: Option<u8>,
    parallel: Option<u8>,
    c_rate: Option<f64>,
    connector: String,
    serial: String,
    full_voltage: Option<f64>,
    storage_voltage: Option<f64>,
    full_days: Option<u8>,
}

record!(ProfileRecord: (Owner, u128) = EQUIPMENT_PROFILES);

/// Returns the profiles of an owner's items, by their keys.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<(u128, u128), Profile>> {
    data.of::<ProfileRecord>(owner)?
        .into_iter()
        .map(|(key, record)| Ok((key, stored(record)?)))
        .collect()
}

/// Returns the profile of one item.
pub fn get(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<Profile> {
    let record = data.get::<ProfileRecord>((owner.key(), item.key()))?;
    record.map_or_else(|| Ok(Profile::default()), stored)
}

/// Returns the item of an owner with this number.
pub fn with_number(data: &Snapshot<'_>, owner: OwnerId, number: u16) -> Result<Option<EquipmentId>> {
    let profiles = data.of::<ProfileRecord>(owner)?;
    let found = profiles.into_iter().find(|(_, profile)| profile.number == Some(number));
    Ok(found.map(|((_, item), _)| EquipmentId::from_key(item)))
}

/// Returns the smallest number that no item of an owner has.
pub fn free_number(data: &Snapshot<'_>, owner: OwnerId) -> Result<Option<u16>> {
    let profiles = data.of::<ProfileRecord>(owner)?;
    let taken: HashSet<u16> = profiles.iter().filter_map(|(_, profile)| profile.number).collect();
    Ok(NUMBERS.into_iter().find(|number| !taken.contains(number)))
}

pub fn put(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, profile: &Profile) -> Result<()> {
    let key = (owner.key(), item.key());
    match *profile == Profile::default() {
        true => writer.remove::<ProfileRecord>(key),
        false => writer.put(key, &record(profile)),
    }
}

pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, item: u128) -> Result<()> {
    writer.rekey::<ProfileRecord>((from, item)..=(from, item), |_| (to, item))
}

/// Verifies that each profile has its item.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<ProfileRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&ProfileRecord::TABLE, key), &schema::EQUIPMENT, key)?;
        if stored(record).is_err() {
            findings.impossible::<ProfileRecord>(key);
        }
        Ok(())
    })
}

fn record(profile: &Profile) -> ProfileRecord {
    ProfileRecord {
        number: profile.number,
        chemistry: profile.chemistry.map(Chemistry::code),
        cells: profile.cells,
        parallel: profile.parallel,
        c_rate: profile.c_rate,
        connector: profile.connector.clone(),
        serial: profile.serial.clone(),
        full_voltage: profile.full_voltage,
        storage_voltage: profile.storage_voltage,
        full_days: profile.full_days,
    }
}

fn stored(record: ProfileRecord) -> Result<Profile> {
    let chemistry = |code| Chemistry::from_code(code).ok_or_else(damaged);
    Ok(Profile {
        number: record.number,
        chemistry: record.chemistry.map(chemistry).transpose()?,
        cells: record.cells,
        parallel: record.parallel,
        c_rate: record.c_rate,
        connector: record.connector,
        serial: record.serial,
        full_voltage: record.full_voltage,
        storage_voltage: record.storage_voltage,
        full_days: record.full_days,
    })
}

fn damaged() -> Error {
    Error::Internal("a profile of equipment has an impossible value".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_profile_keeps_its_bytes() {
        let profile = Profile {
            number: Some(7),
            chemistry: Some(Chemistry::HighVoltage),
            cells: Some(6),
            parallel: None,
            c_rate: Some(95.0),
            connector: "XT60".to_owned(),
            serial: String::new(),
            full_voltage: Some(4.35),
            storage_voltage: None,
            full_days: Some(0),
        };
        assert_stored_as::<ProfileRecord>(
            (1, 2),
            &record(&profile),
            "8101070101010600010000000000c05740045854363000016666666666661140000100ce67bb60",
        );
        assert_eq!(stored(record(&profile)).unwrap(), profile);
    }
}
