//! Records of sticker codes, and the index by code.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::equipment::code::Code;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_store::deletions::{self, Step};
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StickerRecord {
    code: u64,
}

record!(StickerRecord: (Owner, u128) = STICKERS);

/// Returns the codes of an owner's items, by their keys.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<(u128, u128), Code>> {
    data.of::<StickerRecord>(owner)?
        .into_iter()
        .map(|(key, record)| Ok((key, stored(&record)?)))
        .collect()
}

/// Returns the code of an item.
pub fn get(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<Option<Code>> {
    let record = data.get::<StickerRecord>((owner.key(), item.key()))?;
    record.map(|record| stored(&record)).transpose()
}

/// Returns the item with this code and its owner, whoever that is.
pub(crate) fn with_code(data: &Snapshot<'_>, code: Code) -> Result<Option<(OwnerId, EquipmentId)>> {
    match data.first_key(&schema::STICKERS_BY_CODE, under((code.key(),)))? {
        Some((_, owner, item)) if !deletions::is_deleted(data, owner)? => {
            Ok(Some((OwnerId::from_key(owner), EquipmentId::from_key(item))))
        }
        _ => Ok(None),
    }
}

/// Sets the code of an item, replacing an earlier one.
pub fn put(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, code: Code) -> Result<()> {
    if let Some(before) = get(writer, owner, item)? {
        writer.remove_key(&schema::STICKERS_BY_CODE, (before.key(), owner.key(), item.key()))?;
    }
    writer.put((owner.key(), item.key()), &StickerRecord { code: code.number() })?;
    writer.insert_key(&schema::STICKERS_BY_CODE, (code.key(), owner.key(), item.key()))
}

/// Gives the code of an item to another owner: what is printed stays valid.
pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, item: u128) -> Result<()> {
    let (owner, id) = (OwnerId::from_key(from), EquipmentId::from_key(item));
    if let Some(code) = get(writer, owner, id)? {
        writer.remove_key(&schema::STICKERS_BY_CODE, (code.key(), from, item))?;
        writer.remove::<StickerRecord>((from, item))?;
        put(writer, OwnerId::from_key(to), id, code)?;
    }
    Ok(())
}

/// Removes stickers of a deleted user, or of a deleted space.
pub fn forget(writer: &Writer<'_>, step: &mut Step) -> Result<()> {
    step.remove::<StickerRecord>(writer, 2, |(user, item), record| {
        writer.remove_key(&schema::STICKERS_BY_CODE, (record.code.into(), user, item))?;
        Ok(Vec::new())
    })
}

/// Verifies that each code has its item and index entry.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut places = Vec::new();
    findings.each::<StickerRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&StickerRecord::TABLE, key), &schema::EQUIPMENT, key)?;
        if stored(&record).is_err() {
            findings.impossible::<StickerRecord>(key);
        }
        places.push((record.code.into(), key.0, key.1));
        Ok(())
    })?;
    let record_of = |(_, owner, item)| (owner, item);
    findings.index::<StickerRecord, _>(data, &schema::STICKERS_BY_CODE, places, record_of)
}

fn stored(record: &StickerRecord) -> Result<Code> {
    let damaged = || Error::Internal("a sticker has an impossible code".to_owned());
    Code::from_number(record.code).ok_or_else(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_sticker_keeps_its_bytes() {
        let sticker = StickerRecord {
            code: 1_099_511_627_775,
        };
        assert_stored_as::<StickerRecord>((1, 2), &sticker, "81fdffffffffff000000f8916dc2");
        assert_eq!(stored(&sticker).unwrap().to_string(), "ZZZZZZZZ");
    }
}
