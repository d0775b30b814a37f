//! What a call says about its fields, for whoever documents or checks them. Reads nothing.

/// One field of a call, or one member of an object in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
}

/// What a field holds, with its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text that is taken as it is, such as a password.
    Exact {
        least_characters: usize,
        most_characters: usize,
    },
    Line {
        most_characters: usize,
    },
    Lines {
        most_characters: usize,
    },
    Id,
    /// Not negative, at most 9 digits before the point.
    Number,
    Integer {
        least: u32,
        most: u32,
    },
    /// From `-most` to `most`.
    Degrees {
        most: u32,
    },
    Date,
    Time,
    Boolean,
    Object {
        members: &'static [Declared],
    },
    Ids {
        most: usize,
    },
    Objects {
        most: usize,
        members: &'static [Declared],
    },
}
