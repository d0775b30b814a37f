//! Battery sets.

pub mod model;
pub(crate) mod table;
