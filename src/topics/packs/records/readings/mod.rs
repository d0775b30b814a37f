//! Readings of battery packs: voltages and internal resistances of their cells, and visible damage.

pub mod looks;
pub mod model;
pub(crate) mod table;
