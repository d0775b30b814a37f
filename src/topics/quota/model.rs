//! The types of the answers about storage.

use serde::Serialize;

/// How much room a pilot uses on this server, and may use.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct StorageUsage {
    /// Bytes of all records and files.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub bytes: u64,
    /// The limit in bytes; null: unlimited.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub quota: Option<u64>,
}
