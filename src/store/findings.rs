//! Findings of a check of the data: damage, and orphans that may be removed. Each topic reports its own part; this
//! module knows none of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::blobs::BlobRecord;
use super::blobs::folder::BlobName;
use super::record::{self, Record};
use super::schema;
use super::snapshot::Snapshot;
use super::table::{Index, Key, Scope, Table, first_number, shown};
use super::writer::Writer;
use fluglog_base::error::Result;
use fluglog_base::id::BlobId;
use fluglog_base::secret::Digest;

/// Repairs a finding: removes an orphan, or rebuilds derived data.
type Repair = Box<dyn Fn(&Writer<'_>) -> Result<()>>;

/// A problem at a place: a record, a file, or a part of the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub place: String,
    pub wrong: FindingKind,
}

/// All kinds of problems. A text in a variant names a second place, unless said otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FindingKind {
    DatabaseChecksum,
    /// The last one, made at this time.
    ChangeLost(String),
    /// E-mail addresses of the pilots whose records may be affected.
    PartUnreadable(Vec<String>),
    RecordDamaged,
    /// A value that no version of the program can have written.
    RecordImpossible,
    /// The record referred to doesn't exist.
    RefersToNothing(String),
    /// The other record that refers to the file.
    FileOfTwo(String),
    MissingInIndex,
    IndexLeadsNowhere,
    FolderMissing,
    FolderUnreadable,
    /// The folder of the blobs has no mark and contains foreign files.
    FolderNotOurs,
    /// The record that refers to the file; the next two also.
    FileMissing(String),
    FileUnreadable(String),
    FileDamaged(String),
    /// The record that refers to the file in the archive; the next one also.
    FileMissingInBackup(String),
    FileDamagedInBackup(String),
    FileOfNobody,
    /// An entry of the data directory that Fluglog didn't create.
    Foreign,
    EmailInvalid,
    EmailOfTwoUsers,
    EmailOfAnotherUser,
    EmailOfNobody,
    EmailOfLostUser,
    NotFoundByEmail,
    LoginOfNobody,
    SpaceWithoutManager,
    DocumentOfNoLog,
    FlightTotalsWrong,
    FlightTotalsMissing,
    ChargingTotalsWrong,
    ChargingTotalsMissing,
    PackHealthWrong,
    PackHealthMissing,
    /// The other set with the battery.
    BatteryOfTwoSets(String),
    FlightUnlikeItsItems,
    FlightOpenAndNot,
    UsesOfNoFlight,
    UseOfNoFlight,
    /// Use of a space's item, by a pilot whose account was deleted.
    UseLost,
    /// The pilot of a use of a space's item.
    PilotOfUseLost,
    FlownWithNothing,
    JobCountWrong,
    JobCountMissing,
}

/// A finding that can be repaired without loss: an orphan, which is nobody's data, or wrong derived data.
struct Repairable {
    finding: Finding,
    repair: Repair,
}

/// A blob as a record refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedBlob {
    pub sha256: Digest,
    /// The record that refers to it.
    pub by: String,
}

/// The damage and the orphans found by a check.
#[derive(Default)]
pub struct Findings {
    damage: Vec<Finding>,
    orphans: Vec<Repairable>,
    rebuilds: Vec<Repairable>,
    /// Findings among the rebuilt ones of which something is lost for good.
    losses: Vec<Finding>,
    blobs: BTreeMap<BlobId, NamedBlob>,
    records: u64,
    tables: BTreeSet<&'static str>,
    /// Owners that are being deleted, whose records count no more, and the blobs that are left of them.
    deleted: BTreeSet<u128>,
    deleted_blobs: BTreeSet<BlobId>,
    /// Unreadable places: records and whole parts of the data.
    unreadable: BTreeSet<String>,
}

impl Findings {
    /// Findings that leave out owners who are being deleted; `blobs` are the files that these owners still have.
    #[must_use]
    pub fn without(deleted: BTreeSet<u128>, blobs: BTreeSet<BlobId>) -> Findings {
        Findings {
            deleted,
            deleted_blobs: blobs,
            ..Findings::default()
        }
    }

    /// Returns whether records of some owners are left out.
    #[must_use]
    pub fn leaves_out_any(&self) -> bool {
        !self.deleted.is_empty()
    }

    /// Returns whether a record is left out.
    #[must_use]
    pub fn leaves_out<R: Record>(&self, key: R::Key) -> bool {
        self.leaves_out_any()
            && R::TABLE.scope() != Scope::Global
            && first_number(key).is_some_and(|owner| self.deleted.contains(&owner))
    }

    /// Records damage at a place.
    pub fn damage(&mut self, place: &str, wrong: FindingKind) {
        let place = place.to_owned();
        self.damage.push(Finding { place, wrong });
    }

    /// Records wrong derived data, and how to rebuild it.
    pub fn derived(&mut self, place: &str, wrong: FindingKind, rebuild: impl Fn(&Writer<'_>) -> Result<()> + 'static) {
        self.damage(place, wrong.clone());
        self.rebuilds.push(Repairable {
            finding: Finding {
                place: place.to_owned(),
                wrong,
            },
            repair: Box::new(rebuild),
        });
    }

    /// Like [`Findings::derived`], of something that can't be rebuilt: `forget` removes what is left of it.
    pub fn lost(&mut self, place: &str, wrong: FindingKind, forget: impl Fn(&Writer<'_>) -> Result<()> + 'static) {
        self.losses.push(Finding {
            place: place.to_owned(),
            wrong: wrong.clone(),
        });
        self.derived(place, wrong, forget);
    }

    /// Records that a part of the data is unreadable, which may contain records of these pilots.
    pub fn unreadable(&mut self, part: &str, pilots: Vec<String>) {
        self.damage(part, FindingKind::PartUnreadable(pilots));
        self.unreadable.insert(part.to_owned());
    }

    /// Records that no version of the program can have written this record.
    pub fn impossible<R: Record>(&mut self, key: R::Key) {
        let place = place(&R::TABLE, key);
        self.damage(&place, FindingKind::RecordImpossible);
        self.unreadable.insert(place);
    }

    /// Reads every record of a table, recording unreadable ones.
    ///
    /// # Errors
    /// The table as a whole is unreadable; otherwise the error of `visit`.
    pub fn each<R: Record>(
        &mut self,
        data: &Snapshot<'_>,
        mut visit: impl FnMut(&mut Findings, R::Key, R) -> Result<()>,
    ) -> Result<()> {
        self.tables.insert(R::TABLE.name());
        data.each_row(&R::TABLE, |key, bytes| {
            if self.leaves_out::<R>(key) {
                return Ok(());
            }
            self.records += 1;
            match record::decode::<R>(key, bytes) {
                Ok(record) => visit(self, key, record),
                Err(_) => {
                    let place = place(&R::TABLE, key);
                    self.damage(&place, FindingKind::RecordDamaged);
                    self.unreadable.insert(place);
                    Ok(())
                }
            }
        })
    }

    /// Records damage if no record has this key, readable or not.
    pub fn refers<K: Key>(&mut self, data: &Snapshot<'_>, place_of_name: &str, table: &Table<K>, key: K) -> Result<()> {
        if !data.has(table, key)? {
            self.damage(place_of_name, FindingKind::RefersToNothing(place(table, key)));
        }
        Ok(())
    }

    /// Records damage if an owner is neither a user nor a space.
    pub fn refers_to_owner(&mut self, data: &Snapshot<'_>, place_of_name: &str, owner: u128) -> Result<()> {
        match data.has(&schema::SPACES, owner)? {
            true => Ok(()),
            false => self.refers(data, place_of_name, &schema::USERS, owner),
        }
    }

    /// Records that a record refers to a blob.
    pub fn names(&mut self, by: &str, blob: BlobRecord) {
        let named = NamedBlob {
            sha256: blob.sha256,
            by: by.to_owned(),
        };
        if let Some(other) = self.blobs.insert(BlobId::from_key(blob.id), named) {
            self.damage(by, FindingKind::FileOfTwo(other.by));
        }
    }

    /// Withdraws a blob whose record turned out to be an orphan: the blob is one, too.
    pub fn disown(&mut self, blob: BlobRecord) {
        self.blobs.remove(&BlobId::from_key(blob.id));
    }

    /// Compares an index with the entries expected from the records of its table. `record_of` returns the record to
    /// which an index entry belongs.
    pub fn index<R: Record, K: Key + Ord>(
        &mut self,
        data: &Snapshot<'_>,
        index: &'static Index<K>,
        mut expected: Vec<K>,
        record_of: impl Fn(K) -> R::Key,
    ) -> Result<()> {
        self.tables.insert(index.name());
        let shown = |key: K| shown(index.name(), key);
        expected.sort_unstable();
        let mut expected = expected.into_iter().peekable();
        let missing = |findings: &mut Findings, key| {
            let insert = move |writer: &Writer<'_>| writer.insert_key(index, key);
            findings.derived(&shown(key), FindingKind::MissingInIndex, insert);
        };
        data.each_row(index, |key, _| {
            while let Some(absent) = expected.next_if(|next| *next < key) {
                missing(self, absent);
            }
            // Whether an unreadable record has an index entry is unknown.
            let is_known = |findings: &Findings| !findings.unreadable.contains(&place(&R::TABLE, record_of(key)));
            let is_left_out = self.leaves_out::<R>(record_of(key));
            if expected.next_if_eq(&key).is_none() && is_known(self) && !is_left_out {
                for list in [&mut self.orphans, &mut self.rebuilds] {
                    list.push(Repairable {
                        finding: Finding {
                            place: shown(key),
                            wrong: FindingKind::IndexLeadsNowhere,
                        },
                        repair: Box::new(move |writer| writer.remove_key(index, key)),
                    });
                }
            }
            Ok(())
        })?;
        for absent in expected {
            missing(self, absent);
        }
        Ok(())
    }

    /// Records an orphan: a record to which nothing leads, and which is nobody's data.
    pub fn orphan<R: Record>(&mut self, key: R::Key, wrong: FindingKind) {
        self.orphans.push(Repairable {
            finding: Finding {
                place: place(&R::TABLE, key),
                wrong,
            },
            repair: Box::new(move |writer| writer.remove::<R>(key)),
        });
    }

    /// Returns the damage found.
    #[must_use]
    pub fn damages(&self) -> &[Finding] {
        &self.damage
    }

    /// Returns the orphans found.
    pub fn orphans(&self) -> impl Iterator<Item = &Finding> {
        self.orphans.iter().map(|orphan| &orphan.finding)
    }

    /// Removes the orphans found.
    pub fn remove_orphans(&self, writer: &Writer<'_>) -> Result<()> {
        self.orphans.iter().try_for_each(|orphan| (orphan.repair)(writer))
    }

    /// Returns the wrong indexes and totals, which can be rebuilt from the records.
    pub fn rebuilds(&self) -> impl Iterator<Item = &Finding> {
        self.rebuilds.iter().map(|rebuild| &rebuild.finding)
    }

    /// Returns what is lost for good, which nothing tells any more after [`Findings::rebuild`].
    #[must_use]
    pub fn losses(&self) -> &[Finding] {
        &self.losses
    }

    /// Rebuilds the wrong indexes and totals.
    pub fn rebuild(&self, writer: &Writer<'_>) -> Result<()> {
        self.rebuilds.iter().try_for_each(|rebuild| (rebuild.repair)(writer))
    }

    /// Returns the blobs to which records refer.
    #[must_use]
    pub fn blobs(&self) -> &BTreeMap<BlobId, NamedBlob> {
        &self.blobs
    }

    /// Returns whether a record refers to the file, also one of an owner that is being deleted.
    #[must_use]
    pub fn names_file(&self, name: BlobName) -> bool {
        name.whole()
            .is_some_and(|id| self.blobs.contains_key(&id) || self.deleted_blobs.contains(&id))
    }

    /// Returns whether everything was readable: otherwise a blob without a record may belong to an unreadable one.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.unreadable.is_empty()
    }

    /// Returns the names of the tables and indexes read.
    pub fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.tables.iter().copied()
    }

    /// Returns the number of records read.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }
}

/// Returns the name of a record for a finding.
#[must_use]
pub fn place<K: Key>(table: &Table<K>, key: K) -> String {
    shown(table.name(), key)
}

#[cfg(test)]
mod tests;
