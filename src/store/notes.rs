//! Notes in the first page of the database's file, behind the header that redb has there: what the last commit was, and
//! what the next check has to tell. They reach the disk with the sync of a commit and cost none of their own.
//!
//! After an unclean stop redb takes a last commit with a damaged page for an unfinished one, and goes on with the one
//! before. The note is of the last commit all the same, so that this can be said.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::pages::{HEADER_BYTES, Header};

/// Each in a sector of its own, which no write of redb touches.
pub(super) const COMMIT_AT: u64 = 1024;
const NEWS_AT: u64 = 1536;
const SUM_BYTES: usize = 16;

/// A commit, by its number and by the root of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Commit {
    number: u64,
    root: u128,
    /// Unix seconds.
    time: i64,
}

impl Commit {
    /// The newest one that a header has.
    pub(super) fn newest(header: &mut [u8], time: i64) -> Option<Commit> {
        let slots = Header::of(header).ranked(header).into_iter();
        let newest = slots.filter(|slot| slot.is_sound).max_by_key(|slot| slot.commit)?;
        Some(Commit {
            number: newest.commit,
            root: newest.roots[0].map_or(0, |root| root.checksum),
            time,
        })
    }

    pub(super) fn is_same_as(self, other: Commit) -> bool {
        (self.number, self.root) == (other.number, other.root)
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        sealed(&[
            &self.number.to_le_bytes(),
            &self.root.to_le_bytes(),
            &self.time.to_le_bytes(),
        ])
    }

    /// The one that was noted in a file.
    pub(super) fn noted(path: &Path) -> Option<Commit> {
        let [number, root, time] = read(path, COMMIT_AT, [8, 16, 8])?;
        Some(Commit {
            number: u64::from_le_bytes(number.try_into().ok()?),
            root: u128::from_le_bytes(root.try_into().ok()?),
            time: i64::from_le_bytes(time.try_into().ok()?),
        })
    }

    /// When this one was made, if the file has one before it instead.
    pub(super) fn lost_in(self, path: &Path) -> Option<i64> {
        let mut header = header_of(path).ok()?;
        let there = Commit::newest(&mut header, 0)?;
        (self.number >= there.number && self.root != there.root).then_some(self.time)
    }
}

/// What a check has to tell once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct News {
    /// Wrong bits that were put right.
    pub wrong_bits: u64,
    /// When the last change was made that is missing now, perhaps, in Unix seconds.
    pub lost_change: Option<i64>,
}

impl News {
    pub(super) fn of(path: &Path) -> News {
        let Some([wrong_bits, lost_change]) = read(path, NEWS_AT, [8, 8]) else {
            return News::default();
        };
        let number = |bytes: Vec<u8>| bytes.first_chunk().copied().map_or(0, i64::from_le_bytes);
        News {
            wrong_bits: number(wrong_bits).unsigned_abs(),
            lost_change: Some(number(lost_change)).filter(|time| *time != 0),
        }
    }

    /// Keeps them in the file. Without it they are told until the process ends.
    pub(super) fn keep(self, path: &Path) {
        let lost_change = self.lost_change.unwrap_or(0);
        let bytes = sealed(&[&self.wrong_bits.to_le_bytes(), &lost_change.to_le_bytes()]);
        let kept = OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|file| file.write_all_at(&bytes, NEWS_AT));
        if let Err(error) = kept {
            tracing::warn!("what a check has to tell is not kept: {error}");
        }
    }
}

/// redb's header in a file.
pub(super) fn header_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut header = vec![0; HEADER_BYTES];
    File::open(path)?.read_exact_at(&mut header, 0)?;
    Ok(header)
}

fn sealed(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = parts.concat();
    bytes.extend_from_slice(&xxh3_128(&bytes).to_le_bytes());
    bytes
}

/// Parts of these lengths, if their checksum is right.
fn read<const N: usize>(path: &Path, at: u64, lengths: [usize; N]) -> Option<[Vec<u8>; N]> {
    let mut bytes = vec![0; lengths.iter().sum::<usize>() + SUM_BYTES];
    File::open(path)
        .and_then(|file| file.read_exact_at(&mut bytes, at))
        .ok()?;
    let (mut parts, sum) = bytes.split_last_chunk::<SUM_BYTES>()?;
    if xxh3_128(parts).to_le_bytes() != *sum {
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
    fn notes_come_back_until_a_bit_of_them_is_wrong() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path();
        assert_eq!((News::of(path), Commit::noted(path)), (News::default(), None));
        let news = News {
            wrong_bits: 3,
            lost_change: Some(1_800_000_000),
        };
        let commit = Commit {
            number: 7,
            root: 9,
            time: 1_800_000_000,
        };
        news.keep(path);
        file.as_file().write_all_at(&commit.bytes(), COMMIT_AT).unwrap();
        assert_eq!((News::of(path), Commit::noted(path)), (news, Some(commit)));
        for at in [COMMIT_AT, NEWS_AT] {
            file.as_file().write_all_at(&[1], at + 20).unwrap();
        }
        assert_eq!((News::of(path), Commit::noted(path)), (News::default(), None));
    }
}
