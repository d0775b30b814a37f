//! Records of what was before Fluglog: of items beside theirs, and of the pilot. Nothing has no record.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::equipment::prior::Prior;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_base::time::Date;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct PriorRecord {
    flights: u32,
    minutes: u32,
    cycles: u32,
    /// Days since 1970-01-01.
    until: Option<i32>,
    note: String,
}

record!(PriorRecord: (Owner, u128) = PRIOR_USES);

/// In place of an item, for the pilot.
const PILOT: u128 = 0;

fn key(owner: OwnerId, item: Option<EquipmentId>) -> (u128, u128) {
    (owner.key(), item.map_or(PILOT, EquipmentId::key))
}

/// Returns what was before Fluglog for an owner's items, and for the owner, by their keys.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<(u128, u128), Prior>> {
    data.of::<PriorRecord>(owner)?
        .into_iter()
        .map(|(key, record)| Ok((key, stored(record)?)))
        .collect()
}

/// Returns what was before Fluglog for an item, or for the pilot.
pub fn get(data: &Snapshot<'_>, owner: OwnerId, item: Option<EquipmentId>) -> Result<Prior> {
    let record = data.get::<PriorRecord>(key(owner, item))?;
    record.map_or_else(|| Ok(Prior::default()), stored)
}

pub fn put(writer: &Writer<'_>, owner: OwnerId, item: Option<EquipmentId>, prior: &Prior) -> Result<()> {
    let key = key(owner, item);
    match prior.is_empty() {
        true => writer.remove::<PriorRecord>(key),
        false => writer.put(key, &record(prior)),
    }
}

pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, item: u128) -> Result<()> {
    writer.rekey::<PriorRecord>((from, item)..=(from, item), |_| (to, item))
}

/// Verifies that each record has its item, or its pilot.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<PriorRecord>(data, |findings, key, record| {
        let here = place(&PriorRecord::TABLE, key);
        match key {
            (user, PILOT) => findings.refers(data, &here, &schema::USERS, user)?,
            item => findings.refers(data, &here, &schema::EQUIPMENT, item)?,
        }
        if stored(record).is_err() {
            findings.impossible::<PriorRecord>(key);
        }
        Ok(())
    })
}

fn record(prior: &Prior) -> PriorRecord {
    PriorRecord {
        flights: prior.flights,
        minutes: prior.minutes,
        cycles: prior.cycles,
        until: prior.until.map(Date::days),
        note: prior.note.clone(),
    }
}

fn stored(record: PriorRecord) -> Result<Prior> {
    let damaged = || Error::Internal("flights from before Fluglog have an impossible day".to_owned());
    let date = |days| Date::from_days(days).ok_or_else(damaged);
    Ok(Prior {
        flights: record.flights,
        minutes: record.minutes,
        cycles: record.cycles,
        until: record.until.map(date).transpose()?,
        note: record.note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn hours_from_before_keep_their_bytes() {
        let prior = Prior {
            flights: 900,
            minutes: 7200,
            cycles: 40,
            until: Date::from_days(19_783),
            note: "Papierbuch".to_owned(),
        };
        assert_stored_as::<PriorRecord>(
            (1, 2),
            &record(&prior),
            "81fb8403fb201c2801fb8e9a0a50617069657262756368d9ef8ea3",
        );
        assert_eq!(stored(record(&prior)).unwrap(), prior);
    }
}
