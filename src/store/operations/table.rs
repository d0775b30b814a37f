//! Requests and spent ids as records, with their index by age.

mod earlier;

use serde::{Deserialize, Serialize};

use super::model::Completed;
use crate::findings::{Findings, place};
use crate::record::Record;
use crate::{Snapshot, Writer, owned_by, record, schema};
use fluglog_base::error::Result;
use fluglog_base::id::{OwnerId, UserId};

/// How long a record is kept, and how many per user.
const KEPT_SECONDS: i64 = 90 * 24 * 60 * 60;
const MAX_KEPT: i64 = 10_000;
/// Most old records that one write removes while adding one: so the work stays bounded after a long pause.
const MAX_REMOVED: usize = 8;

/// The kind of id in a record. The numbers are stored on disk.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Request = 0,
    SpentId = 1,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestRecord {
    pub call: String,
    /// Unix seconds.
    pub time: i64,
    /// HTTP status.
    pub status: u16,
    pub object: (u128, u128),
    /// Owner of the equipment.
    pub owner: Option<u128>,
    /// Sequence number among the owner's records.
    sequence: i64,
}

record!(RequestRecord: (Owner, u8, u128) = REQUESTS, with upgrade);

/// Returns the record of an id.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, kind: Kind, id: u128) -> Result<Option<RequestRecord>> {
    data.get((owner.key(), kind as u8, id))
}

/// Adds the record of a new id, and removes some records that are too old or too many.
pub fn insert(
    writer: &Writer<'_>,
    owner: OwnerId,
    kind: Kind,
    id: u128,
    completed: &Completed,
    now: i64,
) -> Result<()> {
    let owned = owned_by(owner);
    let newest = writer.keys_descending(&schema::REQUESTS_BY_AGE, owned, 1)?;
    let sequence = newest.first().map_or(0, |(_, sequence, ..)| sequence + 1);
    let record = RequestRecord {
        call: completed.call.clone(),
        time: now,
        status: completed.status,
        object: (completed.object.id, completed.object.part),
        owner: completed.object.owner.map(OwnerId::key),
        sequence,
    };
    let key = (owner.key(), kind as u8, id);
    writer.put(key, &record)?;
    writer.insert_key(&schema::REQUESTS_BY_AGE, place_of(key, &record))?;
    for _ in 0..MAX_REMOVED {
        let Some(oldest) = writer.first_key(&schema::REQUESTS_BY_AGE, owned)? else {
            break;
        };
        let key = (oldest.0, oldest.2, oldest.3);
        let is_old = writer
            .get::<RequestRecord>(key)?
            .is_none_or(|record| now - record.time > KEPT_SECONDS);
        if !is_old && sequence - oldest.1 < MAX_KEPT {
            break;
        }
        writer.remove_key(&schema::REQUESTS_BY_AGE, oldest)?;
        writer.remove::<RequestRecord>(key)?;
    }
    Ok(())
}

/// Ensures the space that an addition must leave free.
pub fn ensure_spare_space(writer: &Writer<'_>, user: UserId) -> Result<()> {
    writer.ensure_spare_space::<RequestRecord>((user.key(), u8::MAX, 0))
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut places = Vec::new();
    findings.each::<RequestRecord>(data, |findings, key, record| {
        findings.refers_to_owner(data, &place(&RequestRecord::TABLE, key), key.0)?;
        places.push(place_of(key, &record));
        Ok(())
    })?;
    findings.index::<RequestRecord, _>(data, &schema::REQUESTS_BY_AGE, places, |(user, _, kind, id)| {
        (user, kind, id)
    })
}

type AgeKey = (u128, i64, u8, u128);

fn place_of((user, kind, id): (u128, u8, u128), record: &RequestRecord) -> AgeKey {
    (user, record.sequence, kind, id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{assert_read_from, assert_stored_as};

    #[test]
    fn a_request_keeps_its_bytes() {
        let request = RequestRecord {
            call: "SaveCharging".to_owned(),
            time: 1_700_000_000,
            status: 200,
            object: (7, u128::MAX),
            owner: None,
            sequence: 300,
        };
        assert_read_from::<RequestRecord>(
            (1, 0, 2),
            "810c536176654368617267696e67fc00e2a7cac807fefffffffffffffffffffffffffffffffffb5802c2179f5e",
            &request,
        );
        assert_stored_as::<RequestRecord>(
            (1, 0, 2),
            &RequestRecord {
                owner: Some(9),
                ..request
            },
            "820c536176654368617267696e67fc00e2a7cac807feffffffffffffffffffffffffffffffff0109fb580272b9bea5",
        );
    }
}
