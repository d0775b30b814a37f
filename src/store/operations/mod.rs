//! Requests that were carried out, so that none has its effect twice, however often it is sent. Knows no call and no
//! topic.
//!
//! A client names what it wants by a `requestId` of its own and sends the same one again when no answer arrived. The
//! record of a request is written in the transaction that has its effect. An id that a client chose for an object is
//! spent when the object is deleted: a late repeat of the request that created it mustn't revive it.

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

/// The field that names a request.
pub const REQUEST_ID: Field<RequestId> = Field::request_id("requestId");
/// The fields that every change takes.
pub const FIELDS: &[Declared] = &[REQUEST_ID.declared()];

/// The outcome of a request that was carried out; `None` when it never was, or longer ago than that is kept.
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

/// Records a request in the transaction that has its effect. `now` in Unix seconds.
pub fn record(writer: &Writer<'_>, user: UserId, request: RequestId, completed: &Completed, now: i64) -> Result<()> {
    table::insert(writer, user.into(), Kind::Request, request.key(), completed, now)
}

/// Finds the room that an addition must leave to those who delete.
///
/// # Errors
/// [`Error::Busy`]: there isn't as much.
pub fn leave_room(writer: &Writer<'_>, user: UserId) -> Result<()> {
    table::leave_room(writer, user)
}

/// Says that the object of an id was deleted. `now` in Unix seconds.
pub fn spend_id(writer: &Writer<'_>, owner: OwnerId, id: u128, now: i64) -> Result<()> {
    let deleted = Completed {
        call: String::new(),
        status: 0,
        object: Object::NONE,
    };
    table::insert(writer, owner, Kind::SpentId, id, &deleted, now)
}

/// Whether the object of an id was deleted.
fn is_spent(data: &Snapshot<'_>, owner: OwnerId, id: u128) -> Result<bool> {
    Ok(table::find(data, owner, Kind::SpentId, id)?.is_some())
}

/// Refuses the id of an object that was deleted.
///
/// # Errors
/// [`Error::NotYours`].
pub fn check_unspent(data: &Snapshot<'_>, owner: OwnerId, id: u128) -> Result<()> {
    match is_spent(data, owner, id)? {
        true => Err(Error::NotYours),
        false => Ok(()),
    }
}

/// Removes all records of a user who is deleted.
pub fn forget_user(writer: &Writer<'_>, user: UserId) -> Result<()> {
    table::remove_all(writer, user)
}

/// Reads every record of the requests for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

#[cfg(test)]
mod tests;
