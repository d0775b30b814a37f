//! Idempotency of requests: records the ones carried out, so that none takes effect twice, however often it is sent.
//! Knows no call and no topic.
//!
//! A client chooses a `requestId` for what it wants, and repeats the request with that id if no answer arrived. The
//! record of a request is written in the transaction of its effect. An id that a client chose for an object is spent
//! when the object is deleted: a late repeat of the request that created it must not revive it.

pub mod model;
mod table;

use crate::findings::Findings;
use crate::{Snapshot, Writer};
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::Field;
use fluglog_base::id::{OwnerId, RequestId, UserId};
use model::{Completed, Object};
use table::Kind;

/// The field with the id of a request.
pub const REQUEST_ID: Field<RequestId> = Field::request_id("requestId");
/// The fields that every changing call accepts.
pub const FIELDS: &[Declared] = &[REQUEST_ID.declared()];

/// Returns the outcome of a request that was carried out; `None` if it wasn't, or its record has expired.
pub fn find(data: &Snapshot<'_>, user: UserId, request: RequestId) -> Result<Option<Completed>> {
    let record = table::find(data, user.into(), Kind::Request, request.key())?;
    Ok(record.map(|record| Completed {
        call: record.call,
        status: record.status,
        object: Object {
            owner: record.owner.map(OwnerId::from_key),
            id: record.object.0,
            part: record.object.1,
        },
    }))
}

/// Records a request, in the transaction of its effect. `now` in Unix seconds.
pub fn record(writer: &Writer<'_>, user: UserId, request: RequestId, completed: &Completed, now: i64) -> Result<()> {
    table::insert(writer, user.into(), Kind::Request, request.key(), completed, now)
}

/// Ensures the space that an addition must leave for deletions.
///
/// # Errors
/// [`Error::Busy`] if there is less space.
pub fn ensure_spare_space(writer: &Writer<'_>, user: UserId) -> Result<()> {
    table::ensure_spare_space(writer, user)
}

/// Records that the object with this id was deleted. `now` in Unix seconds.
pub fn spend_id(writer: &Writer<'_>, owner: OwnerId, id: u128, now: i64) -> Result<()> {
    let deleted = Completed {
        call: String::new(),
        status: 0,
        object: Object::NONE,
    };
    table::insert(writer, owner, Kind::SpentId, id, &deleted, now)
}

/// Returns whether the object with this id was deleted.
fn is_spent(data: &Snapshot<'_>, owner: OwnerId, id: u128) -> Result<bool> {
    Ok(table::find(data, owner, Kind::SpentId, id)?.is_some())
}

/// Refuses the id of a deleted object.
///
/// # Errors
/// [`Error::NotFound`] if it was deleted.
pub fn check_id_unused(data: &Snapshot<'_>, owner: OwnerId, id: u128) -> Result<()> {
    match is_spent(data, owner, id)? {
        true => Err(Error::NotFound),
        false => Ok(()),
    }
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

#[cfg(test)]
mod tests;
