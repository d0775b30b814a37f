//! Battery sets.

pub mod model;
pub(in crate::packs) mod table;
