//! Records of documents and their shares.

pub mod check;

use serde::{Deserialize, Serialize};

use super::model::StoredDocument;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, DocumentId, OwnerId};
use fluglog_base::text;
use fluglog_store::blobs::BlobRecord;
use fluglog_store::deletions::Step;
use fluglog_store::operations;
use fluglog_store::{Snapshot, Writer, owned_by, record};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct DocumentRecord {
    name: String,
    bytes: u64,
    description: String,
    /// Unix seconds.
    uploaded: i64,
    blob: BlobRecord,
    listed: bool,
}

record!(DocumentRecord: (Owner, u128) = DOCUMENTS);

/// The share of a document, which anyone with the token can fetch. Its key is the token's digest.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ShareRecord {
    pub user: u128,
    pub document: u128,
    /// Unix seconds.
    pub created: i64,
}

record!(ShareRecord: (u128, u128) = SHARES);

/// Returns a document of a user.
///
/// # Errors
/// [`Error::NotFound`] when this user has no such document.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, id: DocumentId) -> Result<StoredDocument> {
    let record = data
        .get::<DocumentRecord>((owner.key(), id.key()))?
        .ok_or(Error::NotFound)?;
    Ok(stored(id.key(), record))
}

/// Returns a document in the store of a user.
///
/// # Errors
/// [`Error::NotFound`] when the store has no such document.
pub fn find_listed(data: &Snapshot<'_>, owner: OwnerId, id: DocumentId) -> Result<StoredDocument> {
    let document = find(data, owner, id)?;
    match document.listed {
        true => Ok(document),
        false => Err(Error::NotFound),
    }
}

/// Returns the document with this id if it is in the store of a user.
///
/// # Errors
/// [`Error::NotFound`] for the id of a deleted document, [`Error::Conflict`] for that of an attached one.
pub fn find_existing(data: &Snapshot<'_>, owner: OwnerId, id: DocumentId) -> Result<Option<StoredDocument>> {
    match find(data, owner, id) {
        Ok(document) if document.listed => Ok(Some(document)),
        Ok(_) => Err(Error::Conflict(text::ID_TAKEN)),
        Err(Error::NotFound) => operations::check_id_unused(data, owner, id.key()).map(|()| None),
        Err(other) => Err(other),
    }
}

/// Returns all documents of a user, including attached ones, in no particular order.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<StoredDocument>> {
    let records = data.of::<DocumentRecord>(owner)?;
    Ok(records.into_iter().map(|(key, record)| stored(key.1, record)).collect())
}

/// Returns those documents of a user that are wanted, with only one of the others in memory at a time.
pub fn matching(
    data: &Snapshot<'_>,
    owner: OwnerId,
    is_wanted: impl Fn(&StoredDocument) -> bool,
) -> Result<Vec<StoredDocument>> {
    let mut found = Vec::new();
    data.each::<DocumentRecord>(owned_by(owner), |(_, id), record| {
        found.extend(Some(stored(id, record)).filter(&is_wanted));
    })?;
    Ok(found)
}

/// Returns the blobs of all documents of a user, including attached ones.
pub fn blobs(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<BlobId>> {
    let mut blobs = Vec::new();
    data.each::<DocumentRecord>(owned_by(owner), |_, record| blobs.push(Blob::from(record.blob).id))?;
    Ok(blobs)
}

/// Returns the bytes of the files of an owner's documents.
pub fn bytes(data: &Snapshot<'_>, owner: OwnerId) -> Result<u64> {
    let mut bytes = 0;
    data.each::<DocumentRecord>(owned_by(owner), |_, record| bytes += record.bytes)?;
    Ok(bytes)
}

/// Returns when each document in the store was uploaded, in Unix seconds; attached documents are left out.
pub fn listed(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<(i64, DocumentId)>> {
    let mut listed = Vec::new();
    data.each::<DocumentRecord>(owned_by(owner), |(_, id), record| {
        if record.listed {
            listed.push((record.uploaded, DocumentId::from_key(id)));
        }
    })?;
    Ok(listed)
}

/// Returns documents of a user; missing ones are skipped.
pub fn load(data: &Snapshot<'_>, owner: OwnerId, ids: &[DocumentId]) -> Result<Vec<StoredDocument>> {
    let records = data.get_each::<DocumentRecord>(ids.iter().map(|id| (owner.key(), id.key())))?;
    let found = records.into_iter().zip(ids);
    Ok(found
        .filter_map(|(record, id)| Some(stored(id.key(), record?)))
        .collect())
}

/// Stores a document.
pub fn put(writer: &Writer<'_>, owner: OwnerId, document: &StoredDocument) -> Result<()> {
    let record = DocumentRecord {
        name: document.name.clone(),
        bytes: document.bytes,
        description: document.description.clone(),
        uploaded: document.uploaded,
        blob: document.blob.into(),
        listed: document.listed,
    };
    writer.put((owner.key(), document.id.key()), &record)
}

/// Removes a document. The caller removes its blob after the commit.
pub fn remove(writer: &Writer<'_>, owner: OwnerId, id: DocumentId) -> Result<()> {
    writer.remove::<DocumentRecord>((owner.key(), id.key()))
}

/// Removes documents of a deleted user, or of a deleted space.
pub fn forget(writer: &Writer<'_>, step: &mut Step) -> Result<()> {
    step.remove::<DocumentRecord>(writer, 1, |_, record| Ok(vec![Blob::from(record.blob).id]))
}

fn stored(id: u128, record: DocumentRecord) -> StoredDocument {
    StoredDocument {
        id: DocumentId::from_key(id),
        name: record.name,
        bytes: record.bytes,
        description: record.description,
        uploaded: record.uploaded,
        blob: record.blob.into(),
        listed: record.listed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn a_document_keeps_its_bytes() {
        let document = DocumentRecord {
            name: "Übersicht.pdf".to_owned(),
            bytes: 52_428_800,
            description: String::new(),
            uploaded: 1_700_000_000,
            blob: BlobRecord {
                id: u128::MAX,
                sha256: [3; 32],
            },
            listed: true,
        };
        assert_read_from::<DocumentRecord>(
            (1, 2),
            "010ec39c62657273696368742e706466fc0000200300fc00e2a7cafeffffffffffffffffffffffffffffffff030303030303030303\
             0303030303030303030303030303030303030303030303012a3eec99",
            &document,
        );
        assert_stored_as::<DocumentRecord>(
            (1, 2),
            &document,
            "810ec39c62657273696368742e706466fc0000200300fc00e2a7cafeffffffffffffffffffffffffffffffff030303030303030303\
             030303030303030303030303030303030303030303030301dcaa8aa1",
        );
    }

    #[test]
    fn a_share_keeps_its_bytes() {
        let share = ShareRecord {
            user: 7,
            document: u128::MAX,
            created: 1_700_000_000,
        };
        assert_read_from::<ShareRecord>(
            (1, 2),
            "0107fefffffffffffffffffffffffffffffffffc00e2a7caab2fe7e7",
            &share,
        );
        assert_stored_as::<ShareRecord>(
            (1, 2),
            &share,
            "8107fefffffffffffffffffffffffffffffffffc00e2a7ca5f62640c",
        );
    }
}
