//! The counts and the size of an export.

use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub struct Exported {
    /// The pilot's e-mail address, or the name of the space.
    pub whose: String,
    /// `None` for a space.
    pub flights: Option<usize>,
    pub equipment: usize,
    pub logs: usize,
    pub files: usize,
    /// Paths in the archive whose files are missing or damaged on the server.
    pub damaged: Vec<String>,
}

/// The size of an export.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub(crate) struct ExportSize {
    /// Approximate size in bytes.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
}
