//! Requests and spent ids as records, with their index by age.

use serde::{Deserialize, Serialize};

use super::model::Completed;
use crate::base::error::Result;
use crate::base::id::UserId;
use crate::store::findings::{Findings, place};
use crate::store::record::{Initial, Record};
use crate::store::{Snapshot, Table, Writer, schema};

/// A record is kept this long, and so many of them a user.
const KEPT_SECONDS: i64 = 90 * 24 * 60 * 60;
const KEPT_MOST: i64 = 10_000;
/// One write adds a record and removes so many old ones at most: the work doesn't grow with what a long pause left behind.
const REMOVED_MOST: usize = 8;

/// The kind of id that a record is about. The numbers are on disk.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Request = 0,
    SpentId = 1,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestRecord {
    pub call: String,
    /// Unix seconds.
    pub time: i64,
    /// Of HTTP.
    pub status: u16,
    pub object: (u128, u128),
    /// Counts the records of a user.
    sequence: i64,
}

impl Initial for RequestRecord {}

impl Record for RequestRecord {
    type Key = (u128, u8, u128);
    const TABLE: Table<(u128, u8, u128)> = schema::REQUESTS;
}

/// The record of an id.
pub fn find(data: &Snapshot<'_>, user: UserId, kind: Kind, id: u128) -> Result<Option<RequestRecord>> {
    data.get((user.key(), kind as u8, id))
}

/// Adds the record of an id that has none, and removes what is too old or too much.
pub fn insert(writer: &Writer<'_>, user: UserId, kind: Kind, id: u128, completed: &Completed, now: i64) -> Result<()> {
    let owned = all_of(user);
    let newest = writer.last_keys(&schema::REQUESTS_BY_AGE, owned.clone(), 1)?;
    let sequence = newest.first().map_or(0, |(_, sequence, ..)| sequence + 1);
    let record = RequestRecord {
        call: completed.call.clone(),
        time: now,
        status: completed.status,
        object: (completed.object.0, completed.object.1),
        sequence,
    };
    let key = (user.key(), kind as u8, id);
    writer.put(key, &record)?;
    writer.insert_key(&schema::REQUESTS_BY_AGE, place_of(key, &record))?;
    for _ in 0..REMOVED_MOST {
        let Some(oldest) = writer.first_key(&schema::REQUESTS_BY_AGE, owned.clone())? else {
            break;
        };
        let key = (oldest.0, oldest.2, oldest.3);
        let is_old = writer
            .get::<RequestRecord>(key)?
            .is_none_or(|record| now - record.time > KEPT_SECONDS);
        if !is_old && sequence - oldest.1 < KEPT_MOST {
            break;
        }
        writer.remove_key(&schema::REQUESTS_BY_AGE, oldest)?;
        writer.remove::<RequestRecord>(key)?;
    }
    Ok(())
}

/// Removes all records of a user.
pub fn remove_all(writer: &Writer<'_>, user: UserId) -> Result<()> {
    writer.remove_keys(&schema::REQUESTS_BY_AGE, all_of(user))?;
    writer.remove_range::<RequestRecord>((user.key(), 0, 0)..=(user.key(), u8::MAX, u128::MAX))
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut places = Vec::new();
    findings.each::<RequestRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&RequestRecord::TABLE, key), &schema::USERS, key.0)?;
        places.push(place_of(key, &record));
        Ok(())
    })?;
    findings.index::<RequestRecord, _>(data, &schema::REQUESTS_BY_AGE, places, |(user, _, kind, id)| {
        (user, kind, id)
    })
}

type Place = (u128, i64, u8, u128);

fn place_of((user, kind, id): (u128, u8, u128), record: &RequestRecord) -> Place {
    (user, record.sequence, kind, id)
}

fn all_of(user: UserId) -> std::ops::RangeInclusive<Place> {
    (user.key(), i64::MIN, 0, 0)..=(user.key(), i64::MAX, u8::MAX, u128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::assert_stored_as;

    #[test]
    fn a_request_keeps_its_bytes() {
        let request = RequestRecord {
            call: "SaveCharging".to_owned(),
            time: 1_700_000_000,
            status: 200,
            object: (7, u128::MAX),
            sequence: 300,
        };
        assert_stored_as::<RequestRecord>(
            (1, 0, 2),
            &request,
            "810c536176654368617267696e67fc00e2a7cac807fefffffffffffffffffffffffffffffffffb5802c2179f5e",
        );
    }
}
