//! The traffic light of whatever can be due or worn.

use serde::Serialize;

/// How urgent something is, in rising order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename_all = "camelCase")
)]
pub enum Light {
    /// Unknown, or nothing to judge.
    Grey,
    Green,
    Amber,
    Red,
}
