//! Findings of a check of the data: damage, and orphans that may go. Each topic reports its own part; this file knows
//! none of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::blobs::BlobRecord;
use super::blobs::folder::BlobName;
use super::record::{self, Record};
use super::snapshot::Snapshot;
use super::table::{Index, Key, Table, shown};
use super::writer::Writer;
use crate::base::error::Result;
use crate::base::id::BlobId;
use crate::base::secret::Digest;

/// Takes an orphan away, or writes anew what follows from records.
type Mending = Box<dyn Fn(&Writer<'_>) -> Result<()>>;

/// Something that is wrong at a place: a record, a file, or a part of the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub place: String,
    pub wrong: Wrong,
}

/// Everything that can be wrong. A text in it names another place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wrong {
    DatabaseChecksum,
    /// The last one, made at this time.
    ChangeLost(String),
    /// The addresses of the pilots whose records may be in it.
    PartUnreadable(Vec<String>),
    RecordDamaged,
    /// A value that no version of the program can have written.
    RecordImpossible,
    /// The record that it refers to isn't there.
    RefersToNothing(String),
    /// This record names the same file.
    FileOfTwo(String),
    MissingInIndex,
    IndexLeadsNowhere,
    FolderMissing,
    FolderUnreadable,
    /// The folder of the blobs has no mark and something of others in it.
    FolderNotOurs,
    /// The record that the file belongs to, here and below.
    FileMissing(String),
    FileUnreadable(String),
    FileDamaged(String),
    /// As the archive has it, here and below.
    FileMissingInBackup(String),
    FileDamagedInBackup(String),
    FileOfNobody,
    /// An entry of the data directory that Fluglog didn't make.
    Foreign,
    EmailInvalid,
    EmailOfTwoUsers,
    EmailOfAnotherUser,
    EmailOfNobody,
    EmailOfLostUser,
    NotFoundByEmail,
    LoginOfNobody,
    DocumentOfNoLog,
    FlightTotalsWrong,
    FlightTotalsMissing,
    ChargingTotalsWrong,
    ChargingTotalsMissing,
    PackHealthWrong,
    PackHealthMissing,
    /// This record has the same battery.
    BatteryOfTwoSets(String),
    FlightUnlikeItsItems,
    FlightOpenAndNot,
    UsesOfNoFlight,
    UseOfNoFlight,
    FlownWithNothing,
}

/// Something that can be mended without a loss: an orphan, which is no data of anybody, or what follows from records.
struct Mendable {
    finding: Finding,
    mend: Mending,
}

/// A blob as the records name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedBlob {
    pub sha256: Digest,
    /// The record that names it.
    pub by: String,
}

/// Damage and orphans that were found.
#[derive(Default)]
pub struct Findings {
    damage: Vec<Finding>,
    orphans: Vec<Mendable>,
    rebuilds: Vec<Mendable>,
    blobs: BTreeMap<BlobId, NamedBlob>,
    records: u64,
    tables: BTreeSet<&'static str>,
    /// Records that can't be read, by their place; and parts of the data.
    unreadable: BTreeSet<String>,
}

impl Findings {
    /// Notes damage at a place.
    pub fn damage(&mut self, place: &str, wrong: Wrong) {
        let place = place.to_owned();
        self.damage.push(Finding { place, wrong });
    }

    /// Notes damage of what follows from records, and how it is written anew.
    pub fn derived(&mut self, place: &str, wrong: Wrong, rebuild: impl Fn(&Writer<'_>) -> Result<()> + 'static) {
        self.damage(place, wrong.clone());
        self.rebuilds.push(Mendable {
            finding: Finding {
                place: place.to_owned(),
                wrong,
            },
            mend: Box::new(rebuild),
        });
    }

    /// Notes that a part of the data can't be read at all, which may have records of these pilots.
    pub fn unreadable(&mut self, part: &str, pilots: Vec<String>) {
        self.damage(part, Wrong::PartUnreadable(pilots));
        self.unreadable.insert(part.to_owned());
    }

    /// Notes a record that no version of the program can have written.
    pub fn impossible<R: Record>(&mut self, key: R::Key) {
        let place = place(&R::TABLE, key);
        self.damage(&place, Wrong::RecordImpossible);
        self.unreadable.insert(place);
    }

    /// Reads every record of a table, and notes those that can't be read.
    ///
    /// # Errors
    /// The table as a whole is unreadable, or what `visit` says.
    pub fn each<R: Record>(
        &mut self,
        data: &Snapshot<'_>,
        mut visit: impl FnMut(&mut Findings, R::Key, R) -> Result<()>,
    ) -> Result<()> {
        self.tables.insert(R::TABLE.name());
        data.each_row(&R::TABLE, |key, bytes| {
            self.records += 1;
            match record::decode::<R>(key, bytes) {
                Ok(record) => visit(self, key, record),
                Err(_) => {
                    let place = place(&R::TABLE, key);
                    self.damage(&place, Wrong::RecordDamaged);
                    self.unreadable.insert(place);
                    Ok(())
                }
            }
        })
    }

    /// Notes damage unless there is a record of this key, whatever is in it.
    pub fn refers<K: Key>(&mut self, data: &Snapshot<'_>, place_of_name: &str, table: &Table<K>, key: K) -> Result<()> {
        if !data.has(table, key)? {
            self.damage(place_of_name, Wrong::RefersToNothing(place(table, key)));
        }
        Ok(())
    }

    /// Notes that a record names a blob.
    pub fn names(&mut self, by: &str, blob: BlobRecord) {
        let named = NamedBlob {
            sha256: blob.sha256,
            by: by.to_owned(),
        };
        if let Some(other) = self.blobs.insert(BlobId::from_key(blob.id), named) {
            self.damage(by, Wrong::FileOfTwo(other.by));
        }
    }

    /// Notes that the record which named a blob is an orphan itself: the blob isn't anybody's either.
    pub fn disown(&mut self, blob: BlobRecord) {
        self.blobs.remove(&BlobId::from_key(blob.id));
    }

    /// Compares an index with what the records of its table say that it holds. `record_of` tells which record a place
    /// belongs to.
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
            findings.derived(&shown(key), Wrong::MissingInIndex, insert);
        };
        data.each_row(index, |key, _| {
            while let Some(absent) = expected.next_if(|next| *next < key) {
                missing(self, absent);
            }
            // The index entries of an unreadable record can't be judged.
            let is_known = |findings: &Findings| !findings.unreadable.contains(&place(&R::TABLE, record_of(key)));
            if expected.next_if_eq(&key).is_none() && is_known(self) {
                for list in [&mut self.orphans, &mut self.rebuilds] {
                    list.push(Mendable {
                        finding: Finding {
                            place: shown(key),
                            wrong: Wrong::IndexLeadsNowhere,
                        },
                        mend: Box::new(move |writer| writer.remove_key(index, key)),
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

    /// Notes a record that nothing leads to and that holds nobody's data.
    pub fn orphan<R: Record>(&mut self, key: R::Key, wrong: Wrong) {
        self.orphans.push(Mendable {
            finding: Finding {
                place: place(&R::TABLE, key),
                wrong,
            },
            mend: Box::new(move |writer| writer.remove::<R>(key)),
        });
    }

    /// Damage of the data.
    #[must_use]
    pub fn damages(&self) -> &[Finding] {
        &self.damage
    }

    /// Orphans, which may be removed.
    pub fn orphans(&self) -> impl Iterator<Item = &Finding> {
        self.orphans.iter().map(|orphan| &orphan.finding)
    }

    /// Removes the orphans that were found.
    pub fn remove_orphans(&self, writer: &Writer<'_>) -> Result<()> {
        self.orphans.iter().try_for_each(|orphan| (orphan.mend)(writer))
    }

    /// Indexes and totals that contradict the records: they can be written anew.
    pub fn rebuilds(&self) -> impl Iterator<Item = &Finding> {
        self.rebuilds.iter().map(|rebuild| &rebuild.finding)
    }

    /// Writes anew what follows from the records.
    pub fn rebuild(&self, writer: &Writer<'_>) -> Result<()> {
        self.rebuilds.iter().try_for_each(|rebuild| (rebuild.mend)(writer))
    }

    /// The blobs that the records name.
    #[must_use]
    pub fn blobs(&self) -> &BTreeMap<BlobId, NamedBlob> {
        &self.blobs
    }

    /// Whether a record names the file.
    #[must_use]
    pub fn names_file(&self, name: BlobName) -> bool {
        name.whole().is_some_and(|id| self.blobs.contains_key(&id))
    }

    /// Whether everything could be read: only then is a blob that no record names nobody's.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.unreadable.is_empty()
    }

    /// The tables and indexes that were read.
    pub fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.tables.iter().copied()
    }

    /// How many records were read.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }
}

/// A record as a finding names it.
#[must_use]
pub fn place<K: Key>(table: &Table<K>, key: K) -> String {
    shown(table.name(), key)
}

#[cfg(test)]
mod tests;
