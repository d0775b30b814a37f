//! Used and free space of a file. Reads the branches of its trees and no rows, so it is fast: the number of a page
//! tells its length. Pages that the last commits gave up count as free.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use crate::pages::{self, Header, Kind, PAGE_BYTES, PageRef};

/// Length of a block in a file's metadata (stat(2)).
const BLOCK_BYTES: u64 = 512;
/// A tree of millions of rows has six levels.
const MAX_DEPTH: usize = 16;
/// Free space below which compacting isn't worth its time.
const WORTH_BYTES: u64 = 4 * 1024 * 1024;

/// Space of a file in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// Size on the disk: a file may have holes.
    pub file: u64,
    pub free: u64,
}

impl Space {
    /// Measures a file; exact if nobody changes it meanwhile.
    ///
    /// # Errors
    /// The file can't be read, or its trees are damaged.
    pub fn of(path: &Path) -> io::Result<Space> {
        let file = File::open(path)?;
        let on_disk = on_disk(&file.metadata()?);
        let head = read(&file, 0, PAGE_BYTES)?;
        let header = Header::of(&head);
        let mut walk = Walk {
            file,
            header,
            visited: HashSet::new(),
            used: PAGE_BYTES,
        };
        let last = pages::commit_slots(&head)
            .filter(|slot| slot.is_valid)
            .max_by_key(|slot| slot.commit);
        for root in last.into_iter().flat_map(|slot| slot.roots).flatten() {
            walk.tables(root)?;
        }
        Ok(Space {
            file: on_disk,
            free: on_disk.saturating_sub(walk.used),
        })
    }
}

/// Whether compacting a file is worth its time: more than half of it is free, and at least 4 MiB.
pub fn is_worth_compacting(path: &Path) -> bool {
    let may_be = path.metadata().is_ok_and(|file| on_disk(&file) >= WORTH_BYTES);
    let is_free = |space: Space| space.free >= WORTH_BYTES && space.free > space.file / 2;
    may_be && Space::of(path).is_ok_and(is_free)
}

fn on_disk(file: &Metadata) -> u64 {
    file.len().min(file.blocks() * BLOCK_BYTES)
}

fn read(file: &File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut content = vec![0; usize::try_from(length).unwrap_or(0)];
    file.read_exact_at(&mut content, at)?;
    Ok(content)
}

struct Walk {
    file: File,
    header: Header,
    /// Offsets of the pages that were read; a damaged one may lead back.
    visited: HashSet<u64>,
    used: u64,
}

impl Walk {
    /// Walks through the tree of the tables and the tables.
    fn tables(&mut self, page_ref: PageRef) -> io::Result<()> {
        let Some(page) = self.page(page_ref)? else {
            return Ok(());
        };
        match pages::kind(&page) {
            Some(Kind::Branch) => pages::children(&page).try_for_each(|child| self.tables(child)),
            _ => pages::table_entries(&page)
                .filter_map(|table| table.root)
                .try_for_each(|root| {
                    let branches = self.branches_above_a_leaf(root)?;
                    self.rows(root, branches)
                }),
        }
    }

    /// Counts the levels above the leaves; all leaves of a tree are equally deep.
    fn branches_above_a_leaf(&self, mut page_ref: PageRef) -> io::Result<usize> {
        for branches in 0..MAX_DEPTH {
            let Some((at, length)) = self.header.byte_range(page_ref.number) else {
                break;
            };
            let page = read(&self.file, at, length)?;
            match pages::children(&page).next() {
                Some(first) if pages::kind(&page) == Some(Kind::Branch) => page_ref = first,
                _ => return Ok(branches),
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    /// Walks through the branches of a table, which has this many above each leaf.
    fn rows(&mut self, page_ref: PageRef, branches: usize) -> io::Result<()> {
        if branches == 0 {
            self.used += self.header.byte_range(page_ref.number).map_or(0, |(_, length)| length);
            return Ok(());
        }
        let page = self.page(page_ref)?;
        let mut children = page.iter().flat_map(|page| pages::children(page));
        children.try_for_each(|child| self.rows(child, branches - 1))
    }

    /// Reads a page; `None` when it was read before.
    fn page(&mut self, page_ref: PageRef) -> io::Result<Option<Vec<u8>>> {
        let Some((at, length)) = self
            .header
            .byte_range(page_ref.number)
            .filter(|(at, _)| self.visited.insert(*at))
        else {
            return Ok(None);
        };
        self.used += length;
        read(&self.file, at, length).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redb::{Database, TableDefinition};

    const TEXTS: TableDefinition<u64, &[u8]> = TableDefinition::new("texts");
    /// The header, redb's own tables, and the tree of the tables.
    const OTHER_PAGES: u64 = 6;

    struct Written {
        directory: tempfile::TempDir,
        database: Database,
    }

    impl Written {
        fn new() -> Written {
            let directory = tempfile::tempdir().unwrap();
            let database = Database::create(directory.path().join("space.redb")).unwrap();
            Written { directory, database }
        }

        fn path(&self) -> std::path::PathBuf {
            self.directory.path().join("space.redb")
        }

        fn write(&self, work: impl Fn(&mut redb::Table<'_, u64, &[u8]>)) {
            let transaction = self.database.begin_write().unwrap();
            work(&mut transaction.open_table(TEXTS).unwrap());
            transaction.commit().unwrap();
        }

        fn used(&self) -> u64 {
            let Space { file, free } = Space::of(&self.path()).unwrap();
            file - free
        }

        /// The bytes of the pages of the tables, of a page each, as redb counts them.
        fn of_tables(&self) -> u64 {
            let stats = self.database.begin_write().unwrap().stats().unwrap();
            (stats.leaf_pages() + stats.branch_pages()) * PAGE_BYTES
        }
    }

    #[test]
    fn pages_of_a_table_count_as_used() {
        let written = Written::new();
        written.write(|table| {
            (0..2_000).for_each(|number| drop(table.insert(number, [1; 60].as_slice()).unwrap()));
        });
        let (used, of_tables) = (written.used(), written.of_tables());
        assert!(of_tables > 30 * PAGE_BYTES);
        assert!(
            (of_tables..=of_tables + OTHER_PAGES * PAGE_BYTES).contains(&used),
            "{used} bytes are used, {of_tables} by tables"
        );
        // Five pages and a bit need eight.
        written.write(|table| drop(table.insert(3_000, [1; 20_500].as_slice()).unwrap()));
        assert!((8..=8 + OTHER_PAGES).contains(&((written.used() - used) / PAGE_BYTES)));
    }

    #[test]
    fn pages_of_many_tables_count_as_used() {
        let written = Written::new();
        let transaction = written.database.begin_write().unwrap();
        for number in 0..100 {
            let name = format!("table number {number}");
            let mut table = transaction.open_table(TableDefinition::<u64, u64>::new(&name)).unwrap();
            table.insert(1, 1).unwrap();
        }
        transaction.commit().unwrap();
        let (used, of_tables) = (written.used(), written.of_tables());
        assert!(of_tables >= 100 * PAGE_BYTES);
        assert!((of_tables..=of_tables + OTHER_PAGES * PAGE_BYTES).contains(&used));
    }

    #[test]
    fn a_file_is_worth_compacting_when_most_of_many_bytes_are() {
        let written = Written::new();
        let fill = |numbers: std::ops::Range<u64>| {
            written.write(|table| {
                for number in numbers.clone() {
                    table.insert(number, [1; 3_000].as_slice()).unwrap();
                }
            });
        };
        fill(0..800);
        written.write(|table| table.retain(|_, _| false).unwrap());
        assert!(!is_worth_compacting(&written.path()), "too little to gain");
        fill(0..4_000);
        assert!(!is_worth_compacting(&written.path()));
        written.write(|table| table.retain(|number, _| number < 2_600).unwrap());
        assert!(!is_worth_compacting(&written.path()));
        written.write(|table| table.retain(|number, _| number < 500).unwrap());
        assert!(is_worth_compacting(&written.path()));
        assert!(!is_worth_compacting(&written.path().with_extension("gone")));
    }
}
