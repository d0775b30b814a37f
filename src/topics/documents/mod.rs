//! Stored files of a pilot, those that hang on logs too, and the sharing of a document by a link that ends.

pub mod api;
pub mod model;
mod table;

use std::collections::BTreeSet;

use base64::Engine as _;

use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::operation::{Done, Operation};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, DocumentId, OwnerId, UserId};
use fluglog_base::secret::{Token, digest, digest_key};
use fluglog_base::text;
use fluglog_store::blobs::{Incoming, Unnamed};
use fluglog_store::findings::Findings;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use model::{Share, StoredDocument};
use table::ShareRecord;

/// A file whose blob is on disk, on its way to becoming a document.
#[derive(Debug, Clone)]
pub struct NewFile {
    pub name: String,
    pub bytes: u64,
    pub blob: Blob,
}

impl NewFile {
    /// Brings a file that came in to the disk for good.
    ///
    /// # Errors
    /// [`Error::Full`] or [`Error::Busy`]: the disk fails.
    pub fn keep(unnamed: &mut Unnamed<'_>, name: String, content: Incoming) -> Result<NewFile> {
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

/// The documents of the store, the newest first.
pub fn ids(app: &App, viewer: &Viewer) -> Result<Vec<DocumentId>> {
    let mut listed = app.store.read(|data| table::listed(data, viewer.user().into()))?;
    listed.sort_unstable_by(|one, other| other.cmp(one));
    Ok(listed.into_iter().map(|(_, id)| id).collect())
}

/// These documents, without those that aren't there.
pub fn some(data: &Snapshot<'_>, viewer: &Viewer, ids: &[DocumentId]) -> Result<Vec<StoredDocument>> {
    table::some(data, viewer.user().into(), ids)
}

/// All documents of the viewer, those of logs too, in no order that means anything.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<StoredDocument>> {
    table::all(data, viewer.user().into())
}

/// Puts a file into the store. A document that is there already is left alone.
///
/// # Errors
/// The disk or the database fails; then nothing of it stays.
pub fn add(
    app: &App,
    operation: Operation,
    id: DocumentId,
    name: String,
    content: Incoming,
    description: String,
) -> Result<StoredDocument> {
    let viewer = operation.viewer();
    let mut unnamed = Unnamed::new(&app.blobs);
    let file = NewFile::keep(&mut unnamed, name, content)?;
    let blob = file.blob.id;
    let document = file.document(id, description, app.clock.unix_seconds(), true);
    let stored = unnamed.settle(operation.write(&app.store, move |writer| {
        let object = Object::of(id.key());
        if let Some(there) = there_already(writer, &viewer, id)? {
            return Ok(Done::new(object, there));
        }
        table::put(writer, viewer.user().into(), &document)?;
        Ok(Done::new(object, document.clone()))
    }))?;
    if stored.blob.id != blob {
        app.blobs.remove_all([blob]);
    }
    Ok(stored)
}

/// Adds a document of another Fluglog to the store; whether it wasn't there yet.
pub fn add_copied(
    writer: &Writer<'_>,
    viewer: &Viewer,
    id: DocumentId,
    file: NewFile,
    (description, uploaded): (String, i64),
) -> Result<bool> {
    let owner = OwnerId::from(viewer.user());
    match table::find(writer, owner, id) {
        Ok(_) => return Ok(false),
        Err(Error::NotYours) => {}
        Err(other) => return Err(other),
    }
    table::put(writer, owner, &file.document(id, description, uploaded, true))?;
    Ok(true)
}

/// The document of the store with this id, if it is there already.
///
/// # Errors
/// [`Error::NotYours`] for the id of a deleted one, [`Error::Conflict`] for that of a log's.
pub fn there_already(data: &Snapshot<'_>, viewer: &Viewer, id: DocumentId) -> Result<Option<StoredDocument>> {
    match table::find(data, viewer.user().into(), id) {
        Ok(document) if document.listed => Ok(Some(document)),
        Ok(_) => Err(Error::Conflict(text::ID_TAKEN)),
        Err(Error::NotYours) => operations::check_unspent(data, viewer.user().into(), id.key()).map(|()| None),
        Err(other) => Err(other),
    }
}

/// Changes what is written about a document of the store.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such document there.
pub fn describe(app: &App, operation: Operation, id: DocumentId, description: String) -> Result<StoredDocument> {
    let owner = OwnerId::from(operation.viewer().user());
    operation.write(&app.store, move |writer| {
        let mut document = find_listed(writer, owner, id)?;
        document.description.clone_from(&description);
        table::put(writer, owner, &document)?;
        Ok(Done::new(Object::of(id.key()), document))
    })
}

/// Deletes a document of the store. Shares of it lead nowhere from then on.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such document there.
pub fn delete(app: &App, operation: Operation, id: DocumentId) -> Result<()> {
    let owner = OwnerId::from(operation.viewer().user());
    let now = app.clock.unix_seconds();
    let blob = operation.write(&app.store, move |writer| {
        let document = find_listed(writer, owner, id)?;
        table::remove(writer, owner, id)?;
        operations::spend_id(writer, owner, id.key(), now)?;
        Ok(Done::new(Object::NONE, document.blob.id))
    })?;
    app.blobs.remove_all([blob]);
    Ok(())
}

/// One document, of the store or of a log.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such document.
pub fn get(app: &App, viewer: &Viewer, id: DocumentId) -> Result<StoredDocument> {
    app.store.read(|data| table::find(data, viewer.user().into(), id))
}

/// Lets anyone who has the link fetch a document of the store, for an hour. The link begins with `base`.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such document there.
pub fn share(app: &App, operation: Operation, id: DocumentId, base: &str) -> Result<Share> {
    let owner = OwnerId::from(operation.viewer().user());
    let token = Token::fresh()?;
    let link = format!("{base}/app/api/SharedDocument?token={}", token.as_str());
    let code = fluglog_picture::qr_code(&link)?;
    let key = digest_key(&token.digest());
    let created = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        find_listed(writer, owner, id)?;
        let share = ShareRecord {
            user: owner.key(),
            document: id.key(),
            created,
        };
        writer.put(key, &share)?;
        Ok(Done::new(Object::NONE, ()))
    })?;
    Ok(Share {
        token: token.as_str().to_owned(),
        img: base64::engine::general_purpose::STANDARD.encode(code),
    })
}

/// Ends a share.
///
/// # Errors
/// [`Error::NotYours`] when it is not one of the viewer's, or has ended already.
pub fn stop_share(app: &App, operation: Operation, token: &str) -> Result<()> {
    let owner = OwnerId::from(operation.viewer().user());
    let key = digest_key(&digest(token));
    operation.write(&app.store, move |writer| {
        writer
            .get::<ShareRecord>(key)?
            .filter(|share| share.user == owner.key())
            .ok_or(Error::NotYours)?;
        writer.remove::<ShareRecord>(key)?;
        Ok(Done::new(Object::NONE, ()))
    })
}

/// The document that a token gives away. The token is all the right that is needed.
///
/// # Errors
/// [`Error::Gone`]: unknown, stopped, too old, or its document or pilot is gone.
pub fn shared(app: &App, token: &str) -> Result<StoredDocument> {
    let now = app.clock.unix_seconds();
    let ended = || Error::Gone(text::SHARE_ENDED);
    let key = digest_key(&digest(token));
    let share = app.store.read(|data| data.get::<ShareRecord>(key))?;
    if share.is_some_and(|share| !model::share_holds(share.created, now)) {
        // Once it was refused it stays so, whatever the clock says after the next start.
        app.store.write_later(move |writer| writer.remove::<ShareRecord>(key));
        return Err(ended());
    }
    app.store.read(|data| {
        let share = data
            .get::<ShareRecord>(key)?
            .filter(|share| model::share_holds(share.created, now))
            .ok_or_else(ended)?;
        let user = UserId::from_key(share.user);
        if !fluglog_accounts::is_active(data, user)? {
            return Err(ended());
        }
        match find_listed(data, user.into(), DocumentId::from_key(share.document)) {
            Err(Error::NotYours) => Err(ended()),
            found => found,
        }
    })
}

/// Removes shares that are too old, of all pilots. `now` in Unix seconds.
pub fn forget_ended_shares(writer: &Writer<'_>, now: i64) -> Result<()> {
    for (key, share) in writer.scan::<ShareRecord>(..)? {
        if !model::share_holds(share.created, now) {
            writer.remove::<ShareRecord>(key)?;
        }
    }
    Ok(())
}

/// Attaches a file to a log, in the transaction that stores the log.
pub fn attach(writer: &Writer<'_>, access: &Access, file: NewFile, uploaded: i64) -> Result<DocumentId> {
    let document = file.document(DocumentId::fresh(), String::new(), uploaded, false);
    table::put(writer, access.owner(), &document)?;
    Ok(document.id)
}

/// A document that a log names.
///
/// # Errors
/// [`Error::Internal`]: it isn't there.
pub fn attached(data: &Snapshot<'_>, access: &Access, id: DocumentId) -> Result<StoredDocument> {
    match table::find(data, access.owner(), id) {
        Err(Error::NotYours) => Err(Error::Internal("a log names a missing document".to_owned())),
        found => found,
    }
}

/// Takes a document off its log. The blob is the caller's to remove, once this is committed.
pub fn detach(writer: &Writer<'_>, access: &Access, id: DocumentId) -> Result<BlobId> {
    let document = attached(writer, access, id)?;
    table::remove(writer, access.owner(), id)?;
    Ok(document.blob.id)
}

/// Removes all documents of a user who is deleted. The blobs are the caller's to remove, once this is committed.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let documents = table::all(writer, viewer.user().into())?;
    table::remove_all(writer, viewer.user().into())?;
    Ok(documents.into_iter().map(|document| document.blob.id).collect())
}

fn find_listed(data: &Snapshot<'_>, owner: OwnerId, id: DocumentId) -> Result<StoredDocument> {
    let document = table::find(data, owner, id)?;
    if document.listed {
        Ok(document)
    } else {
        Err(Error::NotYours)
    }
}

/// Reads every record of the documents for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

/// As [`check`], of the documents that belong to logs: which of them a log names is known only there. `named` are their
/// keys.
///
/// # Errors
/// A document is unreadable.
pub fn check_attached(data: &Snapshot<'_>, findings: &mut Findings, named: &BTreeSet<(u128, u128)>) -> Result<()> {
    table::check::check_attached(data, findings, named)
}

#[cfg(test)]
mod tests;
