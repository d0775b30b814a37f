//! Files stored by a pilot, in the document store or attached to logs, and sharing them by links that expire.

pub mod api;
pub mod model;
pub mod proofs;
mod shared_pages;
mod table;

use std::collections::BTreeSet;

use base64::Engine as _;

use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, DocumentId, OwnerId, SpaceId, UserId};
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::{Digest, Token, digest, digest_key};
use fluglog_base::text;
use fluglog_store::blobs::{BlobWriter, UncommittedBlobs};
use fluglog_store::findings::Findings;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Store, Writer};
use model::{Share, StoredDocument};
use table::ShareRecord;
pub use table::forget;

/// A file whose blob is on disk, before it becomes a document.
#[derive(Debug, Clone)]
pub struct NewFile {
    pub name: String,
    pub bytes: u64,
    pub blob: Blob,
}

impl NewFile {
    /// Stores an upload's content as a blob.
    ///
    /// # Errors
    /// [`Error::DiskFull`] or [`Error::Busy`]: the disk is full or fails.
    pub fn store(unnamed: &mut UncommittedBlobs<'_>, name: String, content: BlobWriter) -> Result<NewFile> {
        let bytes = content.bytes();
        let blob = unnamed.keep(content)?;
        Ok(NewFile { name, bytes, blob })
    }

    fn document(self, id: DocumentId, description: String, uploaded: i64, listed: bool) -> StoredDocument {
        StoredDocument {
            id,
            name: self.name,
            bytes: self.bytes,
            description,
            uploaded,
            blob: self.blob,
            listed,
        }
    }
}

/// Returns the ids of the documents in the store, newest first.
pub fn ids(app: &App, viewer: &Viewer) -> Result<Vec<DocumentId>> {
    let mut listed = app.store.read(|data| table::listed(data, viewer.user().into()))?;
    listed.sort_unstable_by(|one, other| other.cmp(one));
    Ok(listed.into_iter().map(|(_, id)| id).collect())
}

/// Returns the documents with these ids; missing ones are skipped.
pub fn load(data: &Snapshot<'_>, viewer: &Viewer, ids: &[DocumentId]) -> Result<Vec<StoredDocument>> {
    table::load(data, viewer.user().into(), ids)
}

/// Returns all documents of the viewer, including attached ones, in no particular order.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<StoredDocument>> {
    table::all(data, viewer.user().into())
}

/// Returns the documents of a space: those of its equipment's logs, in no particular order.
///
/// # Errors
/// The database can't be read.
pub fn of_space(data: &Snapshot<'_>, space: SpaceId) -> Result<Vec<StoredDocument>> {
    table::all(data, space.into())
}

/// Returns those documents of the viewer that are wanted, including attached ones.
pub(crate) fn matching(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    is_wanted: impl Fn(&StoredDocument) -> bool,
) -> Result<Vec<StoredDocument>> {
    table::matching(data, viewer.user().into(), is_wanted)
}

/// Returns the blobs of all documents of an owner, including attached ones.
pub fn blobs(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<BlobId>> {
    table::blobs(data, owner)
}

/// Checks that the documents of a space and `more` bytes fit into the space's quota. They count for the space, never
/// for a member.
///
/// # Errors
/// [`Error::QuotaUsedUp`].
pub(crate) fn check_room_of_space(data: &Snapshot<'_>, owner: OwnerId, limit: Option<u64>, more: u64) -> Result<()> {
    match limit {
        Some(limit) if table::bytes(data, owner)? + more > limit => Err(Error::QuotaUsedUp(text::SPACE_QUOTA_USED_UP)),
        _ => Ok(()),
    }
}

/// Gives an attached document to another owner, with the log that refers to it.
pub(crate) fn move_attached(writer: &Writer<'_>, from: OwnerId, to: OwnerId, id: DocumentId) -> Result<()> {
    let document = table::find(writer, from, id)?;
    table::remove(writer, from, id)?;
    table::put(writer, to, &document)
}

/// Adds a file to the store. An existing document with the id and this file is returned unchanged.
///
/// # Errors
/// [`Error::Conflict`] if the document with the id has another file. The disk or the database fails; then nothing is
/// stored.
pub fn add(
    app: &App,
    operation: Operation,
    id: DocumentId,
    name: String,
    content: BlobWriter,
    description: String,
) -> Result<StoredDocument> {
    let viewer = operation.viewer();
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let file = NewFile::store(&mut unnamed, name, content)?;
    let blob = file.blob;
    let document = file.document(id, description, app.clock.unix_seconds(), true);
    let stored = unnamed.settle(operation.write(&app.store, move |writer| {
        let object = Object::of(id.key());
        if let Some(there) = find_existing(writer, &viewer, id, Some(blob.sha256))? {
            return Ok(Outcome::new(object, there));
        }
        table::put(writer, viewer.user().into(), &document)?;
        Ok(Outcome::new(object, document.clone()))
    }))?;
    if stored.blob.id != blob.id {
        app.blobs.remove_all([blob.id]);
    }
    Ok(stored)
}

/// Adds a document from another Fluglog instance to the store. Returns whether it is new.
pub fn add_foreign(
    writer: &Writer<'_>,
    viewer: &Viewer,
    id: DocumentId,
    file: NewFile,
    (description, uploaded): (String, i64),
) -> Result<bool> {
    let owner = OwnerId::from(viewer.user());
    match table::find(writer, owner, id) {
        Ok(_) => return Ok(false),
        Err(Error::NotFound) => {}
        Err(other) => return Err(other),
    }
    table::put(writer, owner, &file.document(id, description, uploaded, true))?;
    Ok(true)
}

/// Returns the document with this id if it is in the store. `sha256`: the digest of the file that is sent again.
///
/// # Errors
/// [`Error::NotFound`] for the id of a deleted document, [`Error::Conflict`] for that of an attached one or of one with
/// another file, which would be lost.
pub(crate) fn find_existing(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    id: DocumentId,
    sha256: Option<Digest>,
) -> Result<Option<StoredDocument>> {
    let found = table::find_existing(data, viewer.user().into(), id)?;
    let is_other = |there: &StoredDocument| sha256.is_some_and(|sent| sent != there.blob.sha256);
    match found {
        Some(there) if is_other(&there) => Err(Error::Conflict(text::ID_TAKEN)),
        found => Ok(found),
    }
}

/// Changes the description of a document in the store.
///
/// # Errors
/// [`Error::NotFound`] if the store has no such document of the viewer.
pub fn describe(app: &App, operation: Operation, id: DocumentId, description: String) -> Result<StoredDocument> {
    let owner = OwnerId::from(operation.viewer().user());
    operation.write(&app.store, move |writer| {
        let mut document = table::find_listed(writer, owner, id)?;
        document.description = proofs::public_description(writer, owner, id, &description)?;
        table::put(writer, owner, &document)?;
        Ok(Outcome::new(Object::of(id.key()), document))
    })
}

/// Deletes a document from the store with what it proves, which ends its shares.
///
/// # Errors
/// [`Error::NotFound`] if the store has no such document of the viewer.
pub fn delete(app: &App, operation: Operation, id: DocumentId) -> Result<()> {
    let owner = OwnerId::from(operation.viewer().user());
    let now = app.clock.unix_seconds();
    let gone = operation.write(&app.store, move |writer| {
        let document = table::find_listed(writer, owner, id)?;
        let mut gone = proofs::remove(writer, owner, id)?;
        gone.push(document.blob.id);
        table::remove(writer, owner, id)?;
        operations::spend_id(writer, owner, id.key(), now)?;
        Ok(Outcome::new(Object::NONE, gone))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Returns a document of the store or of a log, also of a log about an item of a space.
///
/// # Errors
/// [`Error::NotFound`] when there is no such document for the viewer.
pub fn get(app: &App, viewer: &Viewer, id: DocumentId) -> Result<StoredDocument> {
    app.store
        .read(|data| spaces::find(data, viewer, |access| table::find(data, access.owner(), id)))
}

/// Shares a document of the store for an hour with anyone who has the link. `base` is the base URL of the link.
///
/// # Errors
/// [`Error::NotFound`] if the store has no such document of the viewer.
pub fn share(app: &App, operation: Operation, id: DocumentId, base: &str) -> Result<Share> {
    let owner = OwnerId::from(operation.viewer().user());
    let token = Token::fresh()?;
    let link = format!("{base}/app/api/SharedDocument?token={}", token.as_str());
    let code = fluglog_picture::qr_code(&link)?;
    let key = digest_key(&token.digest());
    let created = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        table::find_listed(writer, owner, id)?;
        let share = ShareRecord {
            user: owner.key(),
            document: id.key(),
            created,
        };
        writer.put(key, &share)?;
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    Ok(Share {
        token: token.as_str().to_owned(),
        img: base64::engine::general_purpose::STANDARD.encode(code),
    })
}

/// Ends a share.
///
/// # Errors
/// [`Error::NotFound`] if the share is another user's or has ended already.
pub(crate) fn stop_share(app: &App, operation: Operation, token: &str) -> Result<()> {
    let owner = OwnerId::from(operation.viewer().user());
    let key = digest_key(&digest(token));
    operation.write(&app.store, move |writer| {
        writer
            .get::<ShareRecord>(key)?
            .filter(|share| share.user == owner.key())
            .ok_or(Error::NotFound)?;
        writer.remove::<ShareRecord>(key)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Returns the document that a token shares. No login is needed.
///
/// # Errors
/// [`Error::Gone`]: the token is unknown, revoked or expired, or the document or its pilot is gone or disabled.
pub fn shared(app: &App, token: &str) -> Result<StoredDocument> {
    let now = app.clock.unix_seconds();
    let ended = || Error::Gone(text::SHARE_ENDED);
    let key = digest_key(&digest(token));
    let share = app.store.read(|data| data.get::<ShareRecord>(key))?;
    if share.is_some_and(|share| !model::is_share_valid(share.created, now)) {
        // Removed, so that it stays refused even if the clock is set back later.
        app.store.write_later(move |writer| writer.remove::<ShareRecord>(key));
        return Err(ended());
    }
    app.store.read(|data| {
        let share = data
            .get::<ShareRecord>(key)?
            .filter(|share| model::is_share_valid(share.created, now))
            .ok_or_else(ended)?;
        let user = UserId::from_key(share.user);
        if !fluglog_accounts::is_active(data, user)? {
            return Err(ended());
        }
        match table::find_listed(data, user.into(), DocumentId::from_key(share.document)) {
            Err(Error::NotFound) => Err(ended()),
            found => found,
        }
    })
}

/// Removes expired shares of all pilots; `now` is in Unix seconds.
pub fn forget_ended_shares(store: &Store, now: i64) -> Result<()> {
    let is_over = move |_, share: &ShareRecord| !model::is_share_valid(share.created, now);
    store.remove_over(Task::Expired, is_over).map(drop)
}

/// Attaches a file to a log, in the transaction that stores the log.
pub fn attach(writer: &Writer<'_>, access: &Access, file: NewFile, uploaded: i64) -> Result<DocumentId> {
    let document = file.document(DocumentId::fresh(), String::new(), uploaded, false);
    table::put(writer, access.owner(), &document)?;
    Ok(document.id)
}

/// Returns a document that a log refers to.
///
/// # Errors
/// [`Error::Internal`]: it is missing.
pub fn attached(data: &Snapshot<'_>, access: &Access, id: DocumentId) -> Result<StoredDocument> {
    match table::find(data, access.owner(), id) {
        Err(Error::NotFound) => Err(Error::Internal("a log names a missing document".to_owned())),
        found => found,
    }
}

/// Removes a document from its log. The caller removes the blob after the commit.
pub(crate) fn detach(writer: &Writer<'_>, access: &Access, id: DocumentId) -> Result<BlobId> {
    let document = attached(writer, access, id)?;
    table::remove(writer, access.owner(), id)?;
    Ok(document.blob.id)
}

/// Removes the shares of a deleted user, which have ended already.
pub(crate) fn forget_shares(store: &Store, owner: OwnerId) -> Result<()> {
    let is_over = move |_, share: &ShareRecord| share.user == owner.key();
    store.remove_over(Task::Deletions, is_over).map(drop)
}

/// Checks every record of the documents.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

/// Checks the documents that are attached to logs, which takes the logs' references: `named` holds the keys of the
/// documents that a log refers to.
///
/// # Errors
/// A document is unreadable.
pub(crate) fn check_attached(
    data: &Snapshot<'_>,
    findings: &mut Findings,
    named: &BTreeSet<(u128, u128)>,
) -> Result<()> {
    table::check::check_attached(data, findings, named)
}

#[cfg(test)]
mod tests;
