//! Records of who wrote an entry about an item of a space. An entry that its item brought into the space has none.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use fluglog_accounts::guard::{Access, Right};
use fluglog_base::error::Result;
use fluglog_base::id::{ChargingId, EquipmentId, LogId, OwnerId, ReadingId, UserId};
use fluglog_base::secret::{digest, digest_key};
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::{Key, Snapshot, Table, Writer, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct AuthorRecord {
    /// Digest of the user and the entry. It leads nowhere once the account is deleted, and is another one for each
    /// entry.
    author: u128,
}

type AuthorKey = (u128, u128, u8, u128);

record!(AuthorRecord: (Owner, u128, u8, u128) = ENTRY_AUTHORS);

/// An entry about an item, which a member may have written.
#[derive(Debug, Clone, Copy)]
pub enum Authored {
    Charging(ChargingId),
    Reading(ReadingId),
    Log(LogId),
}

impl Authored {
    /// Returns the code of the entry's kind, and its id. A client may choose one id for entries of two kinds.
    const fn key(self) -> (u8, u128) {
        match self {
            Authored::Charging(id) => (0, id.key()),
            Authored::Reading(id) => (1, id.key()),
            Authored::Log(id) => (2, id.key()),
        }
    }
}

fn key(owner: OwnerId, item: EquipmentId, entry: Authored) -> AuthorKey {
    let (kind, id) = entry.key();
    (owner.key(), item.key(), kind, id)
}

fn record(author: UserId, (kind, id): (u8, u128)) -> AuthorRecord {
    AuthorRecord {
        author: digest_key(&digest(&format!("author {author} {kind} {id:032x}"))).0,
    }
}

/// Records the member with this access as the author of an entry. An entry about the pilot's own item has no author.
pub fn put(writer: &Writer<'_>, access: &Access, item: EquipmentId, entry: Authored) -> Result<()> {
    match access.member() {
        None => remove(writer, access.owner(), item, entry),
        Some(member) => writer.put(key(access.owner(), item, entry), &record(member, entry.key())),
    }
}

/// Removes the author of an entry, in the transaction that removes the entry.
pub fn remove(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, entry: Authored) -> Result<()> {
    writer.remove::<AuthorRecord>(key(owner, item, entry))
}

pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, item: u128) -> Result<()> {
    writer.rekey::<AuthorRecord>(under((from, item)), |(.., kind, id)| (to, item, kind, id))
}

/// Returns the member who may change own entries; `None` for the pilot's own item, and for who may only read.
fn author(access: &Access) -> Option<UserId> {
    access.member().filter(|_| access.check(Right::Use).is_ok())
}

/// Returns whether a member wrote an entry, and may still use the item.
pub fn is_own(data: &Snapshot<'_>, access: &Access, item: EquipmentId, entry: Authored) -> Result<bool> {
    let Some(member) = author(access) else {
        return Ok(false);
    };
    let found = data.get::<AuthorRecord>(key(access.owner(), item, entry))?;
    Ok(found == Some(record(member, entry.key())))
}

/// The entries about an item for which [`is_own`] is true.
#[derive(Default)]
pub struct OwnEntries(HashSet<(u8, u128)>);

impl OwnEntries {
    pub fn read(data: &Snapshot<'_>, access: &Access, item: EquipmentId) -> Result<OwnEntries> {
        let Some(member) = author(access) else {
            return Ok(OwnEntries::default());
        };
        let found = data.scan::<AuthorRecord>(under((access.owner().key(), item.key())))?;
        let entries = found
            .into_iter()
            .map(|((.., kind, id), author)| ((kind, id), author))
            .filter(|(entry, author)| *author == record(member, *entry));
        Ok(OwnEntries(entries.map(|(entry, _)| entry).collect()))
    }

    #[must_use]
    pub fn has(&self, entry: Authored) -> bool {
        self.0.contains(&entry.key())
    }
}

/// Verifies that each author has an entry.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<AuthorRecord>(data, |findings, key, _| {
        let (owner, item, kind, id) = key;
        match kind {
            0 => check_entry(data, findings, key, &schema::CHARGINGS, (owner, item, id)),
            1 => check_entry(data, findings, key, &schema::BATTERY_READINGS, (owner, item, id)),
            2 => check_entry(data, findings, key, &schema::LOGS, (owner, id)),
            _ => {
                findings.impossible::<AuthorRecord>(key);
                Ok(())
            }
        }
    })
}

fn check_entry<K: Key>(
    data: &Snapshot<'_>,
    findings: &mut Findings,
    key: AuthorKey,
    table: &Table<K>,
    entry: K,
) -> Result<()> {
    if !data.has(table, entry)? {
        findings.orphan::<AuthorRecord>(key, FindingKind::RefersToNothing(place(table, entry)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::Store;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn an_author_keeps_its_bytes() {
        let author = record(UserId::from_key(1 << 64), Authored::Log(LogId::from_key(7)).key());
        assert_stored_as::<AuthorRecord>((1, 2, 2, 7), &author, "81fea828ccc37a08754aaad6467a908ca2a48ef9c0cb");
    }

    #[test]
    fn authors_don_t_tell_which_entries_are_by_one_user() {
        let user = UserId::from_key(1);
        let id = |number| Authored::Log(LogId::from_key(number)).key();
        assert_ne!(record(user, id(1)), record(user, id(2)));
    }

    #[test]
    fn an_author_of_nothing_is_an_orphan() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        store
            .write(|writer| (0..3).try_for_each(|kind| writer.put((1, 2, kind, 7), &AuthorRecord { author: 5 })))
            .unwrap();
        let mut findings = Findings::default();
        store.read(|data| check(data, &mut findings)).unwrap();
        assert_eq!((findings.damages().len(), findings.orphans().count()), (0, 3));
    }
}
