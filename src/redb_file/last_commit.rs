//! Notes of the last commit, in the first page of the file behind redb's header. They cost no sync of their own.
//!
//! After an unclean stop redb takes a last commit with a damaged page for an unfinished one and goes back to the one
//! before. One note reaches the disk with the sync of its commit and tells that the commit was begun. The other one is
//! written once that sync has returned: only the loss of a commit that has it is the loss of something acknowledged.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use crate::pages::{self, CommitSlot, HEADER_BYTES, Header};

/// Offset of the note of the last commit that was begun. Each note has a sector of its own, which redb never writes to.
pub(crate) const BEGUN_AT: u64 = 1024;
/// Offset of the note of the last commit that was synced.
pub(crate) const SYNCED_AT: u64 = 2048;
/// Offset of the note of a lost commit that is still to be reported.
const LOST_AT: u64 = 1536;
/// Length of what stands before the time of a lost commit: once a count of corrected bits, which is no longer read.
const UNUSED_BYTES: usize = 8;
const CHECKSUM_BYTES: usize = 16;

/// A commit: its transaction id, and the checksum of the root of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommitNote {
    commit: u64,
    root: u128,
    /// Unix seconds.
    time: i64,
}

impl CommitNote {
    /// Makes the note for the newest commit in a header.
    pub(crate) fn of_newest(header: &[u8], time: i64) -> Option<CommitNote> {
        let newest = pages::commit_slots(header)
            .filter(|slot| slot.is_valid)
            .max_by_key(|slot| slot.commit)?;
        Some(CommitNote::of_slot(&newest, time))
    }

    /// Makes the note for the commit that a header names as its last.
    pub(crate) fn of_primary(header: &[u8], time: i64) -> Option<CommitNote> {
        let primary = Header::of(header).primary_slot(header)?;
        Some(CommitNote::of_slot(&primary, time))
    }

    /// Makes the note for a commit.
    pub(crate) fn of_slot(slot: &CommitSlot, time: i64) -> CommitNote {
        CommitNote {
            commit: slot.commit,
            root: slot.roots[0].map_or(0, |root| root.checksum),
            time,
        }
    }

    pub(crate) fn is_same_commit_as(self, other: Option<CommitNote>) -> bool {
        other.is_some_and(|other| (self.commit, self.root) == (other.commit, other.root))
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        sealed(&[
            &self.commit.to_le_bytes(),
            &self.root.to_le_bytes(),
            &self.time.to_le_bytes(),
        ])
    }

    /// Reads the note at an offset of a file; `None` when there is none or its checksum is wrong.
    pub(crate) fn read(path: &Path, at: u64) -> Option<CommitNote> {
        let [commit, root, time] = read(path, at, [8, 16, 8])?;
        Some(CommitNote {
            commit: u64::from_le_bytes(commit.try_into().ok()?),
            root: u128::from_le_bytes(root.try_into().ok()?),
            time: i64::from_le_bytes(time.try_into().ok()?),
        })
    }

    /// Returns the time of this commit if the file has an earlier one in its place.
    pub(crate) fn lost_in(self, path: &Path) -> Option<i64> {
        self.lost_to(CommitNote::of_newest(&read_header(path).ok()?, 0)?)
    }

    /// Returns the time of this commit if `newest` is an earlier one, or another one in its place.
    pub(crate) fn lost_to(self, newest: CommitNote) -> Option<i64> {
        (self.commit >= newest.commit && self.root != newest.root).then_some(self.time)
    }
}

/// Returns the time of the lost commit that is still to be reported, in Unix seconds.
pub(crate) fn read_lost(path: &Path) -> Option<i64> {
    let [_, time] = read(path, LOST_AT, [UNUSED_BYTES, 8])?;
    let time = i64::from_le_bytes(time.try_into().ok()?);
    (time != 0).then_some(time)
}

/// Writes the time of a lost commit into the file, or removes it. If that fails, it is known until the process ends.
pub(crate) fn write_lost(path: &Path, time: Option<i64>) {
    let bytes = sealed(&[&[0; UNUSED_BYTES], &time.unwrap_or(0).to_le_bytes()]);
    let written = OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| file.write_all_at(&bytes, LOST_AT));
    if let Err(error) = written {
        tracing::warn!("the note of a lost commit can't be written: {error}");
    }
}

/// Reads redb's header of a file.
pub(crate) fn read_header(path: &Path) -> io::Result<Vec<u8>> {
    let mut header = vec![0; HEADER_BYTES];
    File::open(path)?.read_exact_at(&mut header, 0)?;
    Ok(header)
}

/// Joins the parts and appends their checksum.
fn sealed(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = parts.concat();
    bytes.extend_from_slice(&xxh3_128(&bytes).to_le_bytes());
    bytes
}

/// Reads parts of these lengths; `None` when their checksum is wrong.
fn read<const N: usize>(path: &Path, at: u64, lengths: [usize; N]) -> Option<[Vec<u8>; N]> {
    let mut bytes = vec![0; lengths.iter().sum::<usize>() + CHECKSUM_BYTES];
    File::open(path)
        .and_then(|file| file.read_exact_at(&mut bytes, at))
        .ok()?;
    let (mut parts, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    if xxh3_128(parts).to_le_bytes() != *checksum {
        return None;
    }
    Some(lengths.map(|length| {
        let (part, rest) = parts.split_at(length);
        parts = rest;
        part.to_vec()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_back_until_a_bit_of_them_is_wrong() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path();
        assert_eq!((read_lost(path), CommitNote::read(path, BEGUN_AT)), (None, None));
        let commit = CommitNote {
            commit: 7,
            root: 9,
            time: 1_800_000_000,
        };
        write_lost(path, Some(1_700_000_000));
        for at in [BEGUN_AT, SYNCED_AT] {
            file.as_file().write_all_at(&commit.to_bytes(), at).unwrap();
        }
        let notes = || [BEGUN_AT, SYNCED_AT].map(|at| CommitNote::read(path, at));
        assert_eq!((read_lost(path), notes()), (Some(1_700_000_000), [Some(commit); 2]));
        for at in [BEGUN_AT, LOST_AT, SYNCED_AT] {
            file.as_file().write_all_at(&[1], at + 20).unwrap();
        }
        assert_eq!((read_lost(path), notes()), (None, [None; 2]));
    }

    #[test]
    fn a_count_of_corrected_bits_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (time, read) in [(0i64, None), (1_800_000_000, Some(1_800_000_000))] {
            let noted = sealed(&[&3u64.to_le_bytes(), &time.to_le_bytes()]);
            file.as_file().write_all_at(&noted, LOST_AT).unwrap();
            assert_eq!(read_lost(file.path()), read);
        }
    }
}
