//! The counts and the size of an export.

use serde::{Deserialize, Serialize};

/// Counts of the exported objects.
#[derive(Debug, Serialize, Deserialize)]
pub struct Exported {
    pub email: String,
    pub flights: usize,
    pub equipment: usize,
    pub logs: usize,
    pub files: usize,
    /// Paths in the archive whose file is missing or damaged, because the server no longer has it as it was.
    pub damaged: Vec<String>,
}

/// How large the export of a pilot is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ExportSize {
    /// Bytes, about.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
}
