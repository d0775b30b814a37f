//! The storage that a pilot uses on this server, records and files together, and its limit.

pub mod api;
pub mod model;

use crate::registry;
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{OwnerId, SpaceId};
use fluglog_base::limits::usage::Reservation;
use fluglog_store::schema;

/// Allowance for the keys, indexes and checksums of one call.
const RECORD_BYTES: u64 = 2 * 1024;
/// Allowance for the preview of one file.
const BESIDE_A_FILE_BYTES: u64 = 256 * 1024;

/// Reserves storage for a call that adds `text_bytes` of text and files of these lengths in bytes.
///
/// # Errors
/// [`fluglog_base::error::Error::QuotaUsedUp`].
pub fn reserve(
    app: &App,
    viewer: &Viewer,
    text_bytes: usize,
    files: impl Iterator<Item = u64>,
) -> Result<Option<Reservation>> {
    let files: u64 = files.map(|bytes| bytes + BESIDE_A_FILE_BYTES).sum();
    reserve_bytes(app, viewer, RECORD_BYTES + text_bytes as u64 + files)
}

/// Reserves storage for bytes that a pilot is sending.
///
/// # Errors
/// Like [`reserve`].
pub fn reserve_bytes(app: &App, viewer: &Viewer, bytes: u64) -> Result<Option<Reservation>> {
    let Some(quota) = quotas::limit(app, viewer)? else {
        return Ok(None);
    };
    let reserved = app
        .usage
        .reserve(viewer.user(), bytes, quota, || storage_of(app, viewer));
    reserved.map(Some)
}

/// Returns the bytes of all records and files of a pilot. Unreadable data is left out: a lost page mustn't keep a pilot
/// from adding.
///
/// # Errors
/// [`fluglog_base::error::Error::Busy`] when the database can't be used at all.
pub fn storage_of(app: &App, viewer: &Viewer) -> Result<u64> {
    let records = records_of(app, viewer.user().into())?;
    let mut files = 0;
    for topic in registry::ALL {
        let holdings = app.store.read(|data| (topic.holdings)(data, viewer));
        // A missing file counts as 0 bytes.
        let sizes = or_default(topic.name, holdings)?
            .blobs
            .into_iter()
            .filter_map(|id| app.blobs.bytes(id).ok());
        files += sizes.sum::<u64>();
    }
    Ok(records + files)
}

/// Returns the bytes of all records and files of a space.
///
/// # Errors
/// As [`storage_of`].
pub fn storage_of_space(app: &App, space: SpaceId) -> Result<u64> {
    let blobs = app.store.read(|data| registry::space_blobs(data, space));
    let files = or_default("documents", blobs)?;
    let files: u64 = files.into_iter().filter_map(|id| app.blobs.bytes(id).ok()).sum();
    Ok(records_of(app, space.into())? + files)
}

fn records_of(app: &App, owner: OwnerId) -> Result<u64> {
    let mut records = 0;
    for table in schema::ALL {
        let bytes = app.store.read(|data| table.bytes_of(data, owner.key()));
        records += or_default(table.name(), bytes)?;
    }
    Ok(records)
}

fn or_default<T: Default>(of: &str, counted: Result<T>) -> Result<T> {
    match counted {
        Err(Error::Internal(cause)) => {
            tracing::error!("the room of a pilot is counted without {of}: {cause}");
            Ok(T::default())
        }
        counted => counted,
    }
}
