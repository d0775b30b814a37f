//! How much of the database's file is in use. Reads the branches of its trees and no records, so that it takes a moment: the number of a page tells
//! how long it is. Pages that the last commits gave up count as free.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use super::pages::{self, Header, Kind, Named, PAGE_BYTES};

/// Bytes in a block, as a file's metadata count them (stat(2)).
const BLOCK_BYTES: u64 = 512;
/// A tree of millions of records has six levels.
const DEPTH_MOST: usize = 16;
/// With less to gain nobody waits for it.
const WORTH_BYTES: u64 = 4 * 1024 * 1024;

/// The space of a file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// On the disk: a file may have holes.
    pub file: u64,
    pub free: u64,
}

/// Whether compacting a file is worth its time before a start: more than half is free.
pub(super) fn is_mostly_free(path: &Path) -> bool {
    let may_be = path.metadata().is_ok_and(|file| on_disk(&file) >= WORTH_BYTES);
    let is_free = |space: Space| space.free >= WORTH_BYTES && space.free > space.file / 2;
    may_be && of(path).is_ok_and(is_free)
}

fn on_disk(file: &Metadata) -> u64 {
    file.len().min(file.blocks() * BLOCK_BYTES)
}

/// Measures a file. It is right if nobody changes it meanwhile.
pub(super) fn of(path: &Path) -> io::Result<Space> {
    let file = File::open(path)?;
    let on_disk = on_disk(&file.metadata()?);
    let mut head = read(&file, 0, PAGE_BYTES)?;
    let header = Header::of(&head);
    let mut walk = Walk {
        file,
        header,
        visited: HashSet::new(),
        used: PAGE_BYTES,
    };
    let last = pages::slots(&mut head)
        .filter(|slot| slot.is_sound)
        .max_by_key(|slot| slot.commit);
    for root in last.into_iter().flat_map(|slot| slot.roots).flatten() {
        walk.tables(root)?;
    }
    Ok(Space {
        file: on_disk,
        free: on_disk.saturating_sub(walk.used),
    })
}

fn read(file: &File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut content = vec![0; usize::try_from(length).unwrap_or(0)];
    file.read_exact_at(&mut content, at)?;
    Ok(content)
}

struct Walk {
    file: File,
    header: Header,
    /// The pages that were read: a damaged one may lead back.
    visited: HashSet<u64>,
    used: u64,
}

impl Walk {
    /// The tree of the tables, and theirs.
    fn tables(&mut self, named: Named) -> io::Result<()> {
        let Some(page) = self.page(named)? else {
            return Ok(());
        };
        match pages::kind(&page) {
            Some(Kind::Branch) => pages::children(&page).try_for_each(|child| self.tables(child)),
            _ => pages::definitions(&page)
                .filter_map(|table| table.root)
                .try_for_each(|root| {
                    let branches = self.branches_above_a_leaf(root)?;
                    self.rows(root, branches)
                }),
        }
    }

    /// All leaves of a tree are equally deep.
    fn branches_above_a_leaf(&self, mut named: Named) -> io::Result<usize> {
        for branches in 0..DEPTH_MOST {
            let Some((at, length)) = self.header.place(named.number) else {
                break;
            };
            let page = read(&self.file, at, length)?;
            match pages::children(&page).next() {
                Some(first) if pages::kind(&page) == Some(Kind::Branch) => named = first,
                _ => return Ok(branches),
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    /// The tree of a table, with so many branches above each leaf.
    fn rows(&mut self, named: Named, branches: usize) -> io::Result<()> {
        if branches == 0 {
            self.used += self.header.place(named.number).map_or(0, |(_, length)| length);
            return Ok(());
        }
        let page = self.page(named)?;
        let mut children = page.iter().flat_map(|page| pages::children(page));
        children.try_for_each(|child| self.rows(child, branches - 1))
    }

    /// A page that wasn't read yet.
    fn page(&mut self, named: Named) -> io::Result<Option<Vec<u8>>> {
        let Some((at, length)) = self
            .header
            .place(named.number)
            .filter(|(at, _)| self.visited.insert(*at))
        else {
            return Ok(None);
        };
        self.used += length;
        read(&self.file, at, length).map(Some)
    }
}
