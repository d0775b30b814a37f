//! Deletions of accounts and spaces, which may own more than fits into one transaction. The first transaction removes
//! the account or space and writes a note: from then on the owner is gone, for pilots and for checks. Steps of bounded
//! size remove the rest, the note last. Each start and each round of the task continues the deletions that have a note.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::findings::Findings;
use crate::record::Owned;
use crate::table::{OwnerKey, Scope};
use crate::{Snapshot, Writer, record, schema};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{BlobId, OwnerId};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct DeletionRecord {
    /// Unix seconds.
    since: i64,
}

record!(DeletionRecord: u128 = DELETIONS);

/// Notes that an owner is being deleted; `now` is in Unix seconds.
pub fn begin(writer: &Writer<'_>, owner: OwnerId, now: i64) -> Result<()> {
    writer.put(owner.key(), &DeletionRecord { since: now })
}

/// Returns the owners that are being deleted.
pub fn all(data: &Snapshot<'_>) -> Result<BTreeSet<u128>> {
    Ok(data.record_keys(&schema::DELETIONS, ..)?.into_iter().collect())
}

/// Returns whether an owner is being deleted.
pub fn is_deleted(data: &Snapshot<'_>, owner: u128) -> Result<bool> {
    data.has(&schema::DELETIONS, owner)
}

/// A step of a deletion: what it may still remove, and the files whose records it has removed.
pub struct Step {
    owner: OwnerId,
    left: usize,
    blobs: Vec<BlobId>,
}

impl Step {
    #[must_use]
    pub fn new(owner: OwnerId, most: usize) -> Step {
        Step {
            owner,
            left: most,
            blobs: Vec::new(),
        }
    }

    /// Removes records of a table, each of which takes `rows` changed rows. `blobs` returns the files of a record. A
    /// record that can't be read, or one that refers to such a record, goes without its files, which no record names
    /// then.
    pub fn remove<R: Owned>(
        &mut self,
        writer: &Writer<'_>,
        rows: usize,
        blobs: impl Fn(R::Key, R) -> Result<Vec<BlobId>>,
    ) -> Result<()> {
        let most = self.left.div_ceil(rows);
        let keys = writer.keys_ascending(&R::TABLE, R::Key::of(self.owner), most)?;
        for key in &keys {
            let record = writer.get::<R>(*key);
            match record.and_then(|record| record.map_or_else(|| Ok(Vec::new()), |record| blobs(*key, record))) {
                Ok(files) => self.blobs.extend(files),
                Err(Error::Internal(cause)) => tracing::warn!("a record is deleted unread: {cause}"),
                Err(error) => return Err(error),
            }
        }
        writer.remove_rows(&R::TABLE, &keys)?;
        self.left = self.left.saturating_sub(keys.len() * rows);
        Ok(())
    }

    /// Removes the remaining rows of the owner in all tables, and the note at the end. Returns the files whose records
    /// are gone, which the caller removes after the commit, and whether the deletion is complete.
    pub fn finish(mut self, writer: &Writer<'_>) -> Result<(Vec<BlobId>, bool)> {
        for table in schema::ALL.iter().filter(|table| table.scope() != Scope::Global) {
            let removed = table.remove_of(writer, self.owner.key(), self.left)?;
            self.left -= removed;
        }
        let is_complete = self.left > 0;
        if is_complete {
            writer.remove::<DeletionRecord>(self.owner.key())?;
        }
        Ok((self.blobs, is_complete))
    }
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<DeletionRecord>(data, |_, _, _| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::assert_stored_as;

    /// A record that refers to a damaged record of another owner.
    #[derive(Serialize, Deserialize)]
    struct Unclear(u8);

    record!(Unclear: (Owner, u128) = EQUIPMENT);

    #[test]
    fn a_record_that_refers_to_a_damaged_one_is_deleted_too() {
        let directory = tempfile::tempdir().unwrap();
        let store = crate::Store::open(directory.path(), true).unwrap();
        let owner = OwnerId::from_key(7);
        let step = store.write(move |writer| {
            begin(writer, owner, 0)?;
            writer.put((7, 1), &Unclear(0))?;
            let mut step = Step::new(owner, 10);
            step.remove::<Unclear>(writer, 1, |_, _| Err(Error::Internal("a damaged record".to_owned())))?;
            step.finish(writer)
        });
        assert!(matches!(step, Ok((files, true)) if files.is_empty()));
        assert!(!store.read(|data| data.has(&schema::EQUIPMENT, (7, 1))).unwrap());
    }

    #[test]
    fn a_deletion_keeps_its_bytes() {
        assert_stored_as::<DeletionRecord>(1, &DeletionRecord { since: 1_700_000_000 }, "81fc00e2a7ca5bcde95e");
    }
}
