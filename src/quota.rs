//! The room that one pilot may have on this server (`quota_per_pilot`): records and files together.

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
use crate::store::schema;
use crate::topics;

/// Room for the keys, indexes and checksums of one call.
const RECORD_BYTES: u64 = 2 * 1024;
/// Room for the preview of one file.
const BESIDE_A_FILE_BYTES: u64 = 256 * 1024;

/// Refuses what a pilot has no room for: texts of so many bytes, and files of these lengths.
///
/// # Errors
/// [`crate::base::error::Error::QuotaUsedUp`].
pub fn take(app: &App, viewer: &Viewer, text_bytes: usize, files: impl Iterator<Item = u64>) -> Result<()> {
    let Some(quota) = app.config.quota_per_pilot else {
        return Ok(());
    };
    let files: u64 = files.map(|bytes| bytes + BESIDE_A_FILE_BYTES).sum();
    let bytes = RECORD_BYTES + text_bytes as u64 + files;
    app.usage.add(viewer.user(), bytes, quota, || used(app, viewer))
}

/// The bytes of all records and files of a pilot.
pub fn used(app: &App, viewer: &Viewer) -> Result<u64> {
    let owner = viewer.user().key();
    let (records, blobs) = app.store.read(|data| {
        let mut bytes = 0;
        for table in schema::ALL {
            bytes += table.bytes_of(data, owner)?;
        }
        Ok((bytes, topics::holdings(data, viewer)?.blobs))
    })?;
    // A file that is missing weighs nothing.
    let files: u64 = blobs.into_iter().filter_map(|id| app.blobs.bytes(id).ok()).sum();
    Ok(records + files)
}
