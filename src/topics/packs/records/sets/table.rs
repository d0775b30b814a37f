//! Records of battery sets.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::model::StoredSet;
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, OwnerId, SetId};
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct SetRecord {
    name: String,
    members: Vec<u128>,
}

record!(SetRecord: (Owner, u128) = BATTERY_SETS);

/// Returns the sets of an owner.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<StoredSet>> {
    let sets = data.of::<SetRecord>(owner)?;
    Ok(sets.into_iter().map(|((_, id), record)| stored(id, record)).collect())
}

pub fn find(data: &Snapshot<'_>, owner: OwnerId, id: SetId) -> Result<Option<StoredSet>> {
    let record = data.get::<SetRecord>((owner.key(), id.key()))?;
    Ok(record.map(|record| stored(id.key(), record)))
}

/// Returns the set that a battery is in.
pub(crate) fn with_member(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Option<StoredSet>> {
    let mut sets = all(data, owner)?.into_iter();
    Ok(sets.find(|set| set.members.contains(&battery)))
}

pub fn put(writer: &Writer<'_>, owner: OwnerId, set: &StoredSet) -> Result<()> {
    let record = SetRecord {
        name: set.name.clone(),
        members: set.members.iter().map(|member| member.key()).collect(),
    };
    writer.put((owner.key(), set.id.key()), &record)
}

pub fn remove(writer: &Writer<'_>, owner: OwnerId, id: SetId) -> Result<()> {
    writer.remove::<SetRecord>((owner.key(), id.key()))
}

/// Verifies that each set has its owner and batteries, and no battery is in two sets.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut seen = HashMap::new();
    findings.each::<SetRecord>(data, |findings, key, record| {
        let here = place(&SetRecord::TABLE, key);
        findings.refers_to_owner(data, &here, key.0)?;
        for member in record.members {
            findings.refers(data, &here, &schema::EQUIPMENT, (key.0, member))?;
            if let Some(other) = seen.insert((key.0, member), here.clone()) {
                findings.damage(&here, FindingKind::BatteryOfTwoSets(other));
            }
        }
        Ok(())
    })
}

fn stored(id: u128, record: SetRecord) -> StoredSet {
    StoredSet {
        id: SetId::from_key(id),
        name: record.name,
        members: record.members.into_iter().map(EquipmentId::from_key).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_set_keeps_its_bytes() {
        let set = SetRecord {
            name: "Langstrecke".to_owned(),
            members: vec![7, 300],
        };
        assert_stored_as::<SetRecord>((1, 2), &set, "810b4c616e6773747265636b650207fb2c0169859d52");
    }
}
