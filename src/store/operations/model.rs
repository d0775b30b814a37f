//! Requests that were carried out.

use fluglog_base::id::OwnerId;

/// The object of a call, by which its topic finds it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Owner of the equipment; `None` for objects of the requesting pilot.
    pub owner: Option<OwnerId>,
    pub id: u128,
    /// The second half of a two-part key.
    pub part: u128,
}

impl Object {
    /// No object: the call has nothing to return.
    pub const NONE: Object = Object::of(0);

    /// An object of the requesting pilot.
    #[must_use]
    pub const fn of(id: u128) -> Object {
        Object {
            owner: None,
            id,
            part: 0,
        }
    }

    /// An object that belongs to equipment.
    #[must_use]
    pub const fn of_equipment(owner: OwnerId, id: u128, part: u128) -> Object {
        Object {
            owner: Some(owner),
            id,
            part,
        }
    }
}

/// A request that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    pub call: String,
    /// HTTP status of the answer.
    pub status: u16,
    pub object: Object,
}
