//! Rows of a damaged file that still prove themselves, for an archive or a new database. Reads the pages itself,
//! without redb.
//!
//! A branch keeps the checksum of every page below it, so a page that isn't where it should be is found by its
//! checksum. A damaged page is read as far as its entries prove themselves ([`RowProof`]). Where a whole page is lost,
//! pages that no tree leads to any more are searched, too; a row that only such a page has may be an older state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::last_commit::{self, CommitNote, SYNCED_AT};
use crate::pages::{self, Header, Kind, MAX_PAGE_BYTES, PAGE_BYTES, PageRef, TableEntry, Widths};

/// A tree of millions of rows has six levels.
const MAX_DEPTH: usize = 16;

/// A key in the encoding of [`RowProof::key`].
type KeyBytes = Vec<u8>;

/// How rows of a table prove themselves, as by a checksum in each value. Their keys have a fixed width, their values
/// haven't.
pub trait RowProof {
    /// Width of a key in the file, in bytes.
    fn key_bytes(&self) -> usize;

    /// Converts a key of the file into the caller's encoding, which must sort bytewise; `None` when it can't be a key
    /// of this table.
    fn key(&self, key: &[u8]) -> Option<Vec<u8>>;

    /// Returns the key of a row in the caller's encoding and what the row proves; `None` when that is nothing.
    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(Vec<u8>, Proof)>;
}

/// The part of a row that its checksum proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The value, and that it belongs under this key of this table.
    Row,
    /// The value alone.
    Value,
}

/// Rows of a table that prove themselves.
#[derive(Debug, Default)]
pub struct RecoveredTable {
    /// Values by the keys of [`RowProof::key`].
    pub rows: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Number of rows that the table should have, if known.
    pub expected: Option<u64>,
    /// Number of gaps: parts of the table that can't be read.
    pub gaps: usize,
    /// Number of rows from pages that no tree leads to: they may be older than what was lost.
    pub uncertain: u64,
    /// Number of rows in damaged pages that prove their value and not their key.
    pub unverified: u64,
}

impl RecoveredTable {
    /// Number of lost rows; where the table's size is unknown, the number of gaps as a lower bound.
    pub fn lost(&self) -> u64 {
        let certain = (self.rows.len() as u64).saturating_sub(self.uncertain);
        match self.expected {
            Some(expected) => expected.saturating_sub(certain),
            None => self.gaps as u64,
        }
    }
}

/// The keys around a gap.
type Between = (Option<KeyBytes>, Option<KeyBytes>);

/// A damaged file of a database.
pub struct DamagedFile {
    pages: Pages,
    tables: HashMap<String, TableEntry>,
    /// Whether the tree of the tables is intact.
    has_all_tables: bool,
    lost_commit: Option<i64>,
}

impl DamagedFile {
    /// Reads the tree of the tables. After an unclean stop the last commit counts if these tables, by name, are intact
    /// in it, or aren't in the one before either.
    ///
    /// # Errors
    /// The file can't be opened.
    pub fn open(path: &Path, tables: &[(&str, &dyn RowProof)]) -> io::Result<DamagedFile> {
        DamagedFile::with(path, |pages, entries| are_intact(pages, entries, tables))
    }

    /// Reads the tree of the tables without a look at the tables: faster, but after an unclean stop the last commit may
    /// be an unfinished one.
    ///
    /// # Errors
    /// The file can't be opened.
    pub fn open_unverified(path: &Path) -> io::Result<DamagedFile> {
        DamagedFile::with(path, |_, _| true)
    }

    fn with(
        path: &Path,
        are_intact: impl Fn(&mut Pages, &HashMap<String, TableEntry>) -> bool,
    ) -> io::Result<DamagedFile> {
        let mut pages = Pages::of(path)?;
        let mut chosen = (HashMap::new(), false, None);
        for (commit, root) in pages.commits.clone() {
            let (tables, has_all_tables) = read_tables(&mut pages, root);
            let is_intact = has_all_tables && are_intact(&mut pages, &tables);
            // As redb does: a commit that an unclean stop left unfinished doesn't count if the one before is intact.
            if chosen.0.is_empty() || is_intact && pages.header.may_end_in_unfinished_commit() {
                chosen = (tables, has_all_tables, Some(commit));
            }
            if is_intact {
                break;
            }
        }
        let (tables, has_all_tables, commit) = chosen;
        let lost = commit.and_then(|commit| CommitNote::read(path, SYNCED_AT)?.lost_to(commit));
        Ok(DamagedFile {
            pages,
            tables,
            has_all_tables,
            lost_commit: lost.or_else(|| last_commit::read_lost(path)),
        })
    }

    /// Time in Unix seconds of a last commit that was lost in an unclean stop, as long as nobody acknowledged it.
    pub fn lost_commit(&self) -> Option<i64> {
        self.lost_commit
    }

    /// Returns the rows of a table that prove themselves.
    pub fn table(&mut self, name: &str, proof: &dyn RowProof) -> RecoveredTable {
        let entry = self.entry(name);
        let mut walk = Walk::new(&mut self.pages, proof);
        match entry {
            Some(TableEntry { root: Some(root), .. }) => walk.go(root, (None, None), 0),
            Some(_) => {}
            None if self.has_all_tables => {}
            None => walk.gaps.push((None, None)),
        }
        let mut found = RecoveredTable {
            expected: entry.filter(|_| self.has_all_tables).map(|entry| entry.rows),
            gaps: walk.gaps.len(),
            ..RecoveredTable::default()
        };
        let elsewhere = match walk.gaps.is_empty() {
            true => BTreeMap::new(),
            false => walk.elsewhere(),
        };
        found.rows = std::mem::take(&mut walk.rows);
        found.uncertain = elsewhere.len() as u64;
        found.unverified = walk.unverified;
        found.rows.extend(elsewhere);
        found
    }

    /// Finds a table's entry. A name with one damaged letter is taken for the missing one.
    fn entry(&self, name: &str) -> Option<TableEntry> {
        let differs = |other: &str| {
            other
                .bytes()
                .zip(name.bytes())
                .filter(|(one, other)| one != other)
                .count()
        };
        let damaged = || {
            let mut others = self.tables.iter();
            others.find(|(other, _)| other.len() == name.len() && differs(other) == 1)
        };
        let found = self.tables.get(name);
        found.or_else(|| damaged().map(|(_, entry)| entry)).copied()
    }
}

/// Reads the tables that a commit leads to, and whether the pages that name them are intact.
fn read_tables(pages: &mut Pages, root: PageRef) -> (HashMap<String, TableEntry>, bool) {
    let mut walk = Walk::new(pages, TableNames);
    walk.go(root, (None, None), 0);
    let is_intact = walk.gaps.is_empty() && walk.is_intact;
    let tables = walk.rows.into_iter().filter_map(|(name, bytes)| {
        let name = String::from_utf8(name).ok()?;
        pages::table_entry(&bytes).map(|entry| (name, entry))
    });
    (tables.collect(), is_intact)
}

/// Whether every page of these tables has the right checksum. A table that isn't there counts as intact.
fn are_intact(pages: &mut Pages, entries: &HashMap<String, TableEntry>, tables: &[(&str, &dyn RowProof)]) -> bool {
    tables.iter().all(|(name, proof)| {
        let Some(TableEntry { root: Some(root), .. }) = entries.get(*name) else {
            return true;
        };
        let mut walk = Walk::new(pages, *proof);
        walk.go(*root, (None, None), 0);
        walk.is_intact && walk.gaps.is_empty()
    })
}

/// The content of a tree: its widths, and which of its entries prove themselves.
trait Content {
    fn widths(&self) -> Widths;
    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Proof)>;
    fn key(&self, bytes: &[u8]) -> Option<KeyBytes>;
}

/// The tree of the tables.
struct TableNames;

impl Content for TableNames {
    fn widths(&self) -> Widths {
        pages::TABLE_TREE
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Proof)> {
        let is_name = !key.is_empty() && key.iter().all(u8::is_ascii_graphic);
        (is_name && pages::table_entry(value).is_some()).then(|| (key.to_vec(), Proof::Value))
    }

    fn key(&self, bytes: &[u8]) -> Option<KeyBytes> {
        Some(bytes.to_vec())
    }
}

impl Content for &dyn RowProof {
    fn widths(&self) -> Widths {
        Widths {
            key: Some(self.key_bytes()),
            value: None,
        }
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Proof)> {
        RowProof::proof(*self, key, value)
    }

    fn key(&self, bytes: &[u8]) -> Option<KeyBytes> {
        RowProof::key(*self, bytes)
    }
}

/// Walk through a tree.
struct Walk<'p, C> {
    pages: &'p mut Pages,
    content: C,
    rows: BTreeMap<KeyBytes, Vec<u8>>,
    gaps: Vec<Between>,
    /// Offsets of the pages of this tree.
    visited: BTreeSet<u64>,
    /// Whether every page had its checksum.
    is_intact: bool,
    /// Number of rows in damaged pages whose key nothing proves.
    unverified: u64,
}

impl<'p, C: Content> Walk<'p, C> {
    fn new(pages: &'p mut Pages, content: C) -> Walk<'p, C> {
        Walk {
            pages,
            content,
            rows: BTreeMap::new(),
            gaps: Vec::new(),
            visited: BTreeSet::new(),
            is_intact: true,
            unverified: 0,
        }
    }

    fn go(&mut self, page_ref: PageRef, between: Between, depth: usize) {
        let widths = self.content.widths();
        let Some((at, page, is_intact)) = self.pages.find(page_ref, widths) else {
            self.is_intact = false;
            self.gaps.push(between);
            return;
        };
        self.is_intact &= is_intact;
        if depth > MAX_DEPTH || !self.visited.insert(at) {
            return;
        }
        let count = pages::entry_count(&page);
        match pages::kind(&page) {
            Some(Kind::Leaf) if is_intact => self.leaf(&page, count, between),
            Some(Kind::Branch) if is_intact => self.branch(&page, count, between, depth),
            _ => self.damaged(&page, between, depth),
        }
    }

    /// Reads a damaged page as the leaf or branch, with the count, that most of its content fits.
    fn damaged(&mut self, page: &[u8], between: Between, depth: usize) {
        let widths = self.content.widths();
        let told = pages::entry_count(page);
        let most = pages::max_entries(page, widths);
        let proven = |count: usize| (0..count).filter(|at| self.proven(page, count, *at).is_some()).count();
        // The page's own count is tried first: it is right in most cases.
        let as_leaf = [told].into_iter().chain(1..=most).map(|count| (proven(count), count));
        let as_leaf = as_leaf.fold((0, told), |best, next| if next.0 > best.0 { next } else { best });
        let most = pages::max_keys(page);
        let mut as_branch = (0, told);
        for count in [told].into_iter().chain(1..=most) {
            let children = (0..=count).filter_map(|at| pages::child(page, count, at));
            let there = children.filter(|child| self.pages.is_there(*child, widths)).count();
            if there > as_branch.0 {
                as_branch = (there, count);
            }
        }
        match (as_leaf, as_branch) {
            ((0, _), (0, _)) => self.gaps.push(between),
            ((entries, count), (children, _)) if entries >= children => {
                let proofs = (0..count).filter_map(|at| self.proven(page, count, at));
                self.unverified += proofs.filter(|(_, proof)| matches!(proof, Proof::Value)).count() as u64;
                self.leaf(page, count, between);
            }
            (_, (_, count)) => self.branch(page, count, between, depth),
        }
    }

    fn proven(&self, page: &[u8], count: usize, at: usize) -> Option<(KeyBytes, Proof)> {
        let (key, value) = pages::entry(page, self.content.widths(), count, at)?;
        self.content.proof(key, value)
    }

    fn leaf(&mut self, page: &[u8], count: usize, (mut low, high): Between) {
        let mut in_gap = false;
        for at in 0..count {
            match self.proven(page, count, at) {
                Some((key, _)) => {
                    if std::mem::take(&mut in_gap) {
                        self.gaps.push((low.take(), Some(key.clone())));
                    }
                    let value =
                        pages::entry(page, self.content.widths(), count, at).map_or(&[][..], |(_, value)| value);
                    self.rows.insert(key.clone(), value.to_vec());
                    low = Some(key);
                }
                None => in_gap = true,
            }
        }
        if in_gap {
            self.gaps.push((low, high));
        }
    }

    fn branch(&mut self, page: &[u8], count: usize, (mut low, high): Between, depth: usize) {
        for at in 0..=count {
            let next = match at < count {
                true => pages::branch_key(page, self.content.widths(), count, at).and_then(|key| self.content.key(key)),
                false => high.clone(),
            };
            if let Some(child) = pages::child(page, count, at) {
                self.go(child, (low, next.clone()), depth + 1);
            }
            low = next;
        }
    }

    /// Finds rows for the gaps in pages that this tree doesn't lead to.
    fn elsewhere(&mut self) -> BTreeMap<KeyBytes, Vec<u8>> {
        let mut rows = BTreeMap::new();
        for at in self.pages.all() {
            if self.visited.contains(&at) {
                continue;
            }
            let page = self.pages.read_as_told(at, self.content.widths());
            if pages::kind(&page) != Some(Kind::Leaf) {
                continue;
            }
            let count = pages::entry_count(&page);
            let proofs: Vec<_> = (0..count).map(|at| self.proven(&page, count, at)).collect();
            // A row that proves its table shows whose page it is.
            let is_ours = proofs.iter().any(|proof| matches!(proof, Some((_, Proof::Row))));
            for (at, proof) in proofs.into_iter().enumerate().filter(|_| is_ours) {
                let Some((key, _)) = proof else {
                    continue;
                };
                let is_missing = !self.rows.contains_key(&key) && self.gaps.iter().any(|gap| lies_in(&key, gap));
                if let Some((_, value)) = pages::entry(&page, self.content.widths(), count, at).filter(|_| is_missing) {
                    rows.insert(key, value.to_vec());
                }
            }
        }
        rows
    }
}

/// Whether a key lies in a gap, whose borders belong to it.
fn lies_in(key: &KeyBytes, (low, high): &Between) -> bool {
    low.as_ref().is_none_or(|low| low <= key) && high.as_ref().is_none_or(|high| key <= high)
}

/// The pages of the file.
struct Pages {
    file: File,
    bytes: u64,
    header: Header,
    /// Both commits with their roots of the tree of the tables, in the order in which redb would try them.
    commits: Vec<(CommitNote, PageRef)>,
    /// Offsets of pages by checksum, for the widths that were asked for.
    by_checksum: HashMap<Widths, HashMap<u128, u64>>,
}

impl Pages {
    fn of(path: &Path) -> io::Result<Pages> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut pages = Pages {
            file,
            bytes,
            header: Header::of(&[]),
            commits: Vec::new(),
            by_checksum: HashMap::new(),
        };
        let head = pages.read(0, PAGE_BYTES);
        pages.header = Header::of(&head);
        let slots = pages.header.slots_by_precedence(&head).into_iter();
        let commits = slots.filter_map(|slot| Some((CommitNote::of_slot(&slot, 0), slot.roots[0]?)));
        pages.commits = commits.collect();
        Ok(pages)
    }

    /// Returns offset and length of a page that lies in the file.
    fn byte_range(&self, number: u64) -> Option<(u64, u64)> {
        self.header.byte_range(number).filter(|(at, _)| *at < self.bytes)
    }

    /// Returns the offsets at which pages can begin.
    fn all(&self) -> impl Iterator<Item = u64> + use<> {
        (1..self.bytes.div_ceil(PAGE_BYTES)).map(|page| page * PAGE_BYTES)
    }

    /// Reads as much as there is; zeros where the disk doesn't read.
    fn read(&self, at: u64, length: u64) -> Vec<u8> {
        let length = length.min(self.bytes.saturating_sub(at));
        let mut content = vec![0; usize::try_from(length).unwrap_or(0)];
        if self.file.read_exact_at(&mut content, at).is_err() {
            for (piece, from) in content.chunks_mut(512).zip((at..).step_by(512)) {
                if self.file.read_exact_at(piece, from).is_err() {
                    piece.fill(0);
                }
            }
        }
        content
    }

    /// Reads a page whose length only its content tells.
    fn read_as_told(&self, at: u64, widths: Widths) -> Vec<u8> {
        let page = self.read(at, PAGE_BYTES);
        match pages::used_bytes(&page, widths).map(|end| end as u64) {
            Some(end) if end > PAGE_BYTES && end <= MAX_PAGE_BYTES => self.read(at, end),
            _ => page,
        }
    }

    /// Finds a page by its reference: offset, content, and whether that has the checksum. A page with the checksum at
    /// another place is preferred to a damaged one at the right place.
    fn find(&mut self, page_ref: PageRef, widths: Widths) -> Option<(u64, Vec<u8>, bool)> {
        let there = self
            .byte_range(page_ref.number)
            .map(|(at, length)| (at, self.read(at, length)));
        if let Some((at, page)) = &there
            && pages::checksum(page, widths) == Some(page_ref.checksum)
        {
            return Some((*at, page.clone(), true));
        }
        if let Some(at) = self.with_checksum(page_ref.checksum, widths) {
            return Some((at, self.read_as_told(at, widths), true));
        }
        there.map(|(at, page)| (at, page, false))
    }

    /// Whether a page with the checksum is anywhere in the file.
    fn is_there(&mut self, page_ref: PageRef, widths: Widths) -> bool {
        self.with_checksum(page_ref.checksum, widths).is_some()
    }

    fn with_checksum(&mut self, checksum: u128, widths: Widths) -> Option<u64> {
        if !self.by_checksum.contains_key(&widths) {
            let mut places = HashMap::new();
            for at in self.all() {
                let page = self.read_as_told(at, widths);
                if let Some(checksum) = pages::checksum(&page, widths) {
                    places.insert(checksum, at);
                }
            }
            self.by_checksum.insert(widths, places);
        }
        self.by_checksum.get(&widths)?.get(&checksum).copied()
    }
}

#[cfg(test)]
mod tests;
