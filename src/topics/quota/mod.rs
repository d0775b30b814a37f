//! The storage that a pilot or a space uses on this server, records and files together, and its limit. What is written
//! to a space's equipment counts for the space, never for the member who writes it.

pub mod api;
pub mod model;

use crate::registry;
use fluglog_accounts::call::Call;
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::{quotas, spaces};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{OwnerId, SpaceId};
use fluglog_base::input::Fields;
use fluglog_base::limits::usage::Reservation;
use fluglog_base::text;
use fluglog_store::schema;

/// Allowance for the keys, indexes and checksums of one call.
const RECORD_BYTES: u64 = 2 * 1024;
/// Allowance for the preview of one file.
const BESIDE_A_FILE_BYTES: u64 = 256 * 1024;

/// Returns the owners in whose quotas a call with these fields counts: the pilot, or the spaces to whose equipment it
/// writes. A call that will be refused counts for the pilot.
#[must_use]
pub fn owners(app: &App, call: &Call, viewer: &Viewer, fields: &Fields) -> Vec<Access> {
    call.owners
        .and_then(|owners| owners(app, viewer, fields).ok())
        .map(writable)
        .filter(|owners| !owners.is_empty())
        .unwrap_or_else(|| vec![Access::own(viewer)])
}

/// Keeps one access to each owner to whose equipment the pilot may write.
fn writable(mut owners: Vec<Access>) -> Vec<Access> {
    owners.retain(|access| access.check(Right::Use).is_ok());
    owners.sort_by_key(Access::owner);
    owners.dedup_by_key(|access| access.owner());
    owners
}

/// Reserves storage for a call that adds `text_bytes` of text and files of these lengths in bytes, in the quota of each
/// of its [`owners`].
///
/// # Errors
/// [`Error::QuotaUsedUp`].
pub fn reserve(
    app: &App,
    viewer: &Viewer,
    owners: &[Access],
    text_bytes: usize,
    files: impl Iterator<Item = u64>,
) -> Result<Vec<Reservation>> {
    let files: u64 = files.map(|bytes| bytes + BESIDE_A_FILE_BYTES).sum();
    let bytes = RECORD_BYTES + text_bytes as u64 + files;
    let reserved = owners.iter().map(|owner| reserve_bytes(app, viewer, owner, bytes));
    Ok(reserved.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Reserves storage for bytes of a file that is being sent. If the fields before the file don't tell yet whose
/// equipment it is for, anyone's room for whom it may be will do: with all fields, the call has to fit into the right
/// one.
///
/// # Errors
/// Like [`reserve`].
pub fn reserve_incoming(
    app: &App,
    call: &Call,
    viewer: &Viewer,
    fields: &Fields,
    bytes: u64,
) -> Result<Option<Reservation>> {
    let fields = fields.clone().declared_as(call.fields);
    let mut possible = match call.owners.map(|owners| owners(app, viewer, &fields)) {
        Some(Err(Error::Invalid { .. })) => app.store.read(|data| spaces::accesses(data, viewer)).map(writable)?,
        _ => Vec::new(),
    };
    if possible.is_empty() {
        possible = owners(app, call, viewer, &fields);
    }
    let mut refusal = Error::QuotaUsedUp(text::QUOTA_USED_UP);
    for owner in possible {
        match reserve_bytes(app, viewer, &owner, bytes) {
            Err(full @ Error::QuotaUsedUp(_)) => refusal = full,
            reserved => return reserved,
        }
    }
    Err(refusal)
}

/// Reserves storage for bytes that are added for an owner.
///
/// # Errors
/// Like [`reserve`].
pub fn reserve_bytes(app: &App, viewer: &Viewer, owner: &Access, bytes: u64) -> Result<Option<Reservation>> {
    let (limit, sentence) = match owner.is_own() {
        true => (quotas::limit(app, viewer)?, text::QUOTA_USED_UP),
        false => (quotas::limit_of_space(app), text::SPACE_QUOTA_USED_UP),
    };
    let Some(limit) = limit else {
        return Ok(None);
    };
    let count = || match owner.is_own() {
        true => storage_of(app, viewer),
        false => storage_of_space(app, SpaceId::from_key(owner.owner().key())),
    };
    let reserved = app.usage.reserve(owner.owner(), bytes, (limit, sentence), count);
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
    let blobs = app.store.read(|data| registry::blobs_of(data, space.into()));
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
