//! What moves with an item, and how its uses are shown to those who share it. No store, no web.

use serde::Serialize;

/// What moves with an item.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct MovePreview {
    /// Items that move together: the batteries of a set.
    pub items: usize,
    pub uses: usize,
    pub chargings: usize,
    pub readings: usize,
    pub logs: usize,
    pub documents: usize,
}

/// A flight with an item, as far as those who share the item may know it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SharedUse {
    /// Names the use, not the flight.
    pub dpf_id: String,
    pub start: String,
    pub minutes: Option<f64>,
    /// The pilot's name, or what stands for it; empty for an item that only its owner has flown.
    pub name: String,
    /// Whether it is the caller's flight.
    pub own: bool,
    /// Null for another pilot's flight.
    pub flight: Option<String>,
    /// V
    pub start_voltage: Option<f64>,
    /// V
    pub end_voltage: Option<f64>,
    /// mAh
    pub consumed: Option<f64>,
    pub open: bool,
}
