//! Requests that were carried out.

use fluglog_base::id::OwnerId;

/// The object of a call, by which its topic finds it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Of gear.
    pub owner: Option<OwnerId>,
    pub id: u128,
    /// The second half of the name of an object that has two.
    pub part: u128,
}

impl Object {
    /// No object: nothing is left to show.
    pub const NONE: Object = Object::of(0);

    /// One of the pilot who asks.
    #[must_use]
    pub const fn of(id: u128) -> Object {
        Object {
            owner: None,
            id,
            part: 0,
        }
    }

    /// One that belongs to gear.
    #[must_use]
    pub const fn of_gear(owner: OwnerId, id: u128, part: u128) -> Object {
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
    /// The HTTP status of its answer.
    pub status: u16,
    pub object: Object,
}
