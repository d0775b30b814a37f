//! Requests that were carried out.

/// The object of a call: up to two ids, by which its topic finds the object again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object(pub u128, pub u128);

impl Object {
    /// No object: nothing is left to show.
    pub const NONE: Object = Object(0, 0);

    /// An object with one id.
    #[must_use]
    pub const fn of(id: u128) -> Object {
        Object(id, 0)
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
