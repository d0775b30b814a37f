//! Records of proofs.

pub mod check;

use serde::{Deserialize, Serialize};

use super::kinds::ProofKind;
use super::model::{Page, StoredProof};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, DocumentId, OwnerId, PageId};
use fluglog_base::time::Date;
use fluglog_picture::format::Format;
use fluglog_store::blobs::BlobRecord;
use fluglog_store::deletions::Step;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema};

/// What a document proves.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ProofRecord {
    /// 0 A1/A3, 1 A2, 2 knowledge, 3 e-ID, 4 liability, 5 membership, 6 permit, 7 other.
    kind: u8,
    number: String,
    /// Days since 1970-01-01.
    since: Option<i32>,
    /// Days since 1970-01-01.
    until: Option<i32>,
    endless: bool,
    remind: bool,
    /// The document that it renews.
    replaces: Option<u128>,
    pages: Vec<PageRecord>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct PageRecord {
    id: u128,
    format: u8,
    blob: BlobRecord,
}

record!(ProofRecord: (Owner, u128) = PROOFS);

/// Returns the proof of a document, if it has one.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, document: DocumentId) -> Result<Option<StoredProof>> {
    let record = data.get::<ProofRecord>((owner.key(), document.key()))?;
    record.map(|record| stored(document.key(), record)).transpose()
}

/// Returns all proofs of a user, in no particular order.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<StoredProof>> {
    let records = data.of::<ProofRecord>(owner)?.into_iter();
    records
        .map(|((_, document), record)| stored(document, record))
        .collect()
}

/// Returns the proofs of a user that can be read, and the documents of those that are damaged.
pub fn readable(data: &Snapshot<'_>, owner: OwnerId) -> Result<(Vec<StoredProof>, Vec<DocumentId>)> {
    let (mut readable, mut damaged) = (Vec::new(), Vec::new());
    for (_, document) in data.record_keys(&schema::PROOFS, owned_by(owner))? {
        let document = DocumentId::from_key(document);
        match find(data, owner, document) {
            Err(Error::Internal(_)) => damaged.push(document),
            proof => readable.extend(proof?),
        }
    }
    Ok((readable, damaged))
}

/// Stores a proof.
pub fn put(writer: &Writer<'_>, owner: OwnerId, proof: &StoredProof) -> Result<()> {
    let pages = proof.pages.iter().map(|page| PageRecord {
        id: page.id.key(),
        format: page.format.code(),
        blob: page.blob.into(),
    });
    let record = ProofRecord {
        kind: proof.kind.code(),
        number: proof.number.clone(),
        since: proof.since.map(Date::days),
        until: proof.until.map(Date::days),
        endless: proof.endless,
        remind: proof.remind,
        replaces: proof.replaces.map(DocumentId::key),
        pages: pages.collect(),
    };
    writer.put((owner.key(), proof.document.key()), &record)
}

/// Removes the proof of a document. The caller removes the blobs of its pages after the commit.
pub fn remove(writer: &Writer<'_>, owner: OwnerId, document: DocumentId) -> Result<()> {
    writer.remove::<ProofRecord>((owner.key(), document.key()))
}

/// Removes proofs of a deleted user.
pub fn forget(writer: &Writer<'_>, step: &mut Step) -> Result<()> {
    step.remove::<ProofRecord>(writer, 1, |_, record| {
        Ok(record.pages.into_iter().map(|page| Blob::from(page.blob).id).collect())
    })
}

fn stored(document: u128, record: ProofRecord) -> Result<StoredProof> {
    let impossible = || Error::Internal("a proof is impossible".to_owned());
    let day = |days: Option<i32>| {
        days.map(|days| Date::from_days(days).ok_or_else(impossible))
            .transpose()
    };
    let pages = record.pages.into_iter().map(|page| {
        Ok(Page {
            id: PageId::from_key(page.id),
            format: Format::from_code(page.format).ok_or_else(impossible)?,
            blob: page.blob.into(),
        })
    });
    Ok(StoredProof {
        document: DocumentId::from_key(document),
        kind: ProofKind::from_code(record.kind).ok_or_else(impossible)?,
        number: record.number,
        since: day(record.since)?,
        until: day(record.until)?,
        endless: record.endless,
        remind: record.remind,
        replaces: record.replaces.map(DocumentId::from_key),
        pages: pages.collect::<Result<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_base::id::UserId;
    use fluglog_store::Store;
    use fluglog_store::record::assert_stored_as;

    fn record() -> ProofRecord {
        ProofRecord {
            kind: 1,
            number: "DEU-RP-ä1".to_owned(),
            since: Some(19_065),
            until: Some(20_891),
            endless: false,
            remind: true,
            replaces: Some(u128::MAX),
            pages: vec![PageRecord {
                id: 9,
                format: 2,
                blob: BlobRecord {
                    id: 300,
                    sha256: [3; 32],
                },
            }],
        }
    }

    #[test]
    fn a_proof_keeps_its_bytes() {
        assert_stored_as::<ProofRecord>(
            (1, 2),
            &record(),
            "81010a4445552d52502dc3a43101fbf29401fb36a3000101feffffffffffffffffffffffffffffffff010902fb2c0103030303030\
             303030303030303030303030303030303030303030303030303034f1e49cf",
        );
    }

    #[test]
    fn a_damaged_proof_keeps_no_other_from_being_read() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let owner = OwnerId::from(UserId::from_key(1));
        store
            .write(move |writer| {
                writer.put((owner.key(), 2), &record())?;
                writer.put((owner.key(), 3), &ProofRecord { kind: 8, ..record() })
            })
            .unwrap();
        let (readable, damaged) = store.read(|data| readable(data, owner)).unwrap();
        assert_eq!(readable.len(), 1);
        assert_eq!(readable[0].document, DocumentId::from_key(2));
        assert_eq!(damaged, [DocumentId::from_key(3)]);
    }

    #[test]
    fn what_no_version_can_have_written_is_refused() {
        assert!(stored(2, record()).is_ok());
        assert!(stored(2, ProofRecord { kind: 8, ..record() }).is_err());
        assert!(
            stored(
                2,
                ProofRecord {
                    until: Some(i32::MAX),
                    ..record()
                }
            )
            .is_err()
        );
    }
}
