//! The declaration of a call's fields, for the API document and for checks. Reads nothing.

/// A field of a call, or a member of an object in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
}

/// The type of a field, with its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text that the server issued, also by mail, such as a token or a code.
    Token,
    /// A text that is taken unchanged, such as a password.
    Exact {
        min_characters: usize,
        max_characters: usize,
    },
    Line {
        max_characters: usize,
    },
    Lines {
        max_characters: usize,
    },
    Id,
    /// The id that a client chooses for what it creates: a UUID of version 4 or 7.
    NewId,
    /// Not negative, at most 9 digits before the decimal point.
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
    Instant,
    Boolean,
    Object {
        members: &'static [Declared],
    },
    Ids {
        most: usize,
    },
    NewIds {
        most: usize,
    },
    Objects {
        most: usize,
        members: &'static [Declared],
    },
}

impl Declared {
    /// Makes the field required.
    #[must_use]
    pub const fn required(self) -> Declared {
        Declared {
            is_required: true,
            ..self
        }
    }
}

/// Concatenates two lists of declarations of any length.
#[macro_export]
macro_rules! joined {
    ($first:expr, $rest:expr) => {{
        const FIRST: &[$crate::declared::Declared] = $first;
        const REST: &[$crate::declared::Declared] = $rest;
        const ALL: &[$crate::declared::Declared] = &$crate::declared::join::<{ FIRST.len() + REST.len() }>(FIRST, REST);
        ALL
    }};
}
pub use joined;

/// Concatenates both lists into one of `N`, for [`joined`].
#[doc(hidden)]
#[must_use]
pub const fn join<const N: usize>(first: &[Declared], rest: &[Declared]) -> [Declared; N] {
    let mut all = [first[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() {
            first[at]
        } else {
            rest[at - first.len()]
        };
        at += 1;
    }
    all
}
