//! Readings of battery packs: voltages and internal resistances of their cells, and visible damage.

pub(crate) mod condition;
pub mod model;
pub(crate) mod table;
