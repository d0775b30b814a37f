//! The counts and the size of an export.

use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub struct Exported {
    pub email: String,
    pub flights: usize,
    pub equipment: usize,
    pub logs: usize,
    pub files: usize,
    /// Paths in the archive whose files are missing or damaged on the server.
    pub damaged: Vec<String>,
}

/// The size of a pilot's export.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub(crate) struct ExportSize {
    /// Approximate size in bytes.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
}
