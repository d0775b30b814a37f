//! Salvage: the records that a damaged file of the database still proves. Reads redb's pages itself, without redb.
//! Knows no table and no record.
//!
//! A branch keeps the checksum of every page below it (`pages.rs`), so a page that is not where it should be is found
//! by its checksum. A damaged page is one in which a single bit is wrong, which trying each finds, or it is read as far
//! as its entries prove themselves: each record has a checksum of its own.
//!
//! Where a whole page is lost, pages that no tree leads to any more are looked at, too. A record that only such a page
//! has may be an older state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::pages::{self, Definition, Header, Kind, Named, PAGE_BYTES, PAGE_MOST_BYTES, Shape};
use super::record::Proof;
use super::rows::Rows;
use super::schema;

/// A tree of millions of records has six levels.
const DEPTH_MOST: usize = 16;

/// A key as an archive has it.
type KeyBytes = Vec<u8>;

/// The rows of a table that prove themselves.
#[derive(Default)]
pub struct Found {
    pub rows: BTreeMap<KeyBytes, Vec<u8>>,
    /// How many there should be, if that is known.
    pub expected: Option<u64>,
    /// Parts of the table that could not be read.
    pub gaps: usize,
    /// How many rows come from pages that nothing leads to: they may be older than what was lost.
    pub uncertain: u64,
    /// How many rows prove their value and not their key, in a damaged page: it may be that of another row.
    pub unproven: u64,
}

impl Found {
    /// How many rows are gone: at least so many where nobody knows.
    #[must_use]
    pub fn lost(&self) -> u64 {
        let certain = (self.rows.len() as u64).saturating_sub(self.uncertain);
        match self.expected {
            Some(expected) => expected.saturating_sub(certain),
            None => self.gaps as u64,
        }
    }
}

/// The part of a tree where the keys between two others are.
type Between = (Option<KeyBytes>, Option<KeyBytes>);

/// A damaged file of a database.
pub struct Salvage {
    pages: Pages,
    tables: HashMap<String, Definition>,
    /// Whether all tables are known.
    has_all_tables: bool,
}

impl Salvage {
    /// Reads the tree of the tables, as much of it as there is.
    ///
    /// # Errors
    /// There is no such file.
    pub fn of(file: &Path) -> io::Result<Salvage> {
        Salvage::with(file, all_whole)
    }

    /// The same without a look at the tables: the last commit may be one that doesn't count.
    ///
    /// # Errors
    /// As [`Salvage::of`].
    pub fn quick(file: &Path) -> io::Result<Salvage> {
        Salvage::with(file, |_, _| true)
    }

    fn with(file: &Path, are_whole: impl Fn(&mut Pages, &HashMap<String, Definition>) -> bool) -> io::Result<Salvage> {
        let mut pages = Pages::of(file)?;
        let mut chosen = (HashMap::new(), false);
        for root in pages.roots.clone() {
            let (tables, has_all_tables) = read_tables(&mut pages, root);
            let is_whole = has_all_tables && are_whole(&mut pages, &tables);
            // As redb does: a commit that a power cut left unfinished doesn't count when the one before is whole.
            if chosen.0.is_empty() || is_whole && pages.header.last_commit_may_be_unfinished() {
                chosen = (tables, has_all_tables);
            }
            if is_whole {
                break;
            }
        }
        let (tables, has_all_tables) = chosen;
        Ok(Salvage {
            pages,
            tables,
            has_all_tables,
        })
    }

    /// The rows of a table.
    #[must_use]
    pub fn table(&mut self, table: &dyn Rows) -> Found {
        let definition = self.definition(table.name());
        let mut walk = Walk::new(&mut self.pages, table);
        match definition {
            Some(Definition { root: Some(root), .. }) => walk.go(root, (None, None), 0),
            Some(_) => {}
            None if self.has_all_tables => {}
            None => walk.gaps.push((None, None)),
        }
        let mut found = Found {
            expected: definition
                .filter(|_| self.has_all_tables)
                .map(|definition| definition.rows),
            gaps: walk.gaps.len(),
            ..Found::default()
        };
        let elsewhere = match walk.gaps.is_empty() {
            true => BTreeMap::new(),
            false => walk.elsewhere(),
        };
        found.rows = std::mem::take(&mut walk.rows);
        found.uncertain = elsewhere.len() as u64;
        found.unproven = walk.unproven;
        found.rows.extend(elsewhere);
        found
    }

    /// A name with a damaged letter is the one that is missing.
    fn definition(&self, name: &str) -> Option<Definition> {
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
        found.or_else(|| damaged().map(|(_, definition)| definition)).copied()
    }
}

/// The tables that a commit slot leads to, and whether the pages that name them are whole.
fn read_tables(pages: &mut Pages, root: Named) -> (HashMap<String, Definition>, bool) {
    let mut walk = Walk::new(pages, Definitions);
    walk.go(root, (None, None), 0);
    let is_whole = walk.gaps.is_empty() && walk.is_sound;
    let tables = walk.rows.into_iter().filter_map(|(name, bytes)| {
        let name = String::from_utf8(name).ok()?;
        pages::definition(&bytes).map(|definition| (name, definition))
    });
    (tables.collect(), is_whole)
}

/// Whether every page with records of every table has the right checksum.
fn all_whole(pages: &mut Pages, tables: &HashMap<String, Definition>) -> bool {
    schema::ALL.iter().filter(|table| !table.is_index()).all(|table| {
        let Some(Definition { root: Some(root), .. }) = tables.get(table.name()) else {
            return true;
        };
        let mut walk = Walk::new(pages, *table);
        walk.go(*root, (None, None), 0);
        walk.is_sound && walk.gaps.is_empty()
    })
}

/// The content of a tree: its shape, and which of its entries prove themselves.
trait Content {
    fn shape(&self) -> Shape;
    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Proof)>;
    fn key(&self, bytes: &[u8]) -> Option<KeyBytes>;
}

/// The tree of the tables.
struct Definitions;

impl Content for Definitions {
    fn shape(&self) -> Shape {
        pages::TABLES
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Proof)> {
        let is_name = !key.is_empty() && key.iter().all(u8::is_ascii_graphic);
        (is_name && pages::definition(value).is_some()).then(|| (key.to_vec(), Proof::Value))
    }

    fn key(&self, bytes: &[u8]) -> Option<KeyBytes> {
        Some(bytes.to_vec())
    }
}

impl Content for &dyn Rows {
    fn shape(&self) -> Shape {
        Shape {
            key: Some(self.width_in_redb()),
            value: None,
        }
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Proof)> {
        self.verify_in_redb(key, value)
    }

    fn key(&self, bytes: &[u8]) -> Option<KeyBytes> {
        self.key_in_redb(bytes)
    }
}

/// A way through a tree.
struct Walk<'p, C> {
    pages: &'p mut Pages,
    content: C,
    rows: BTreeMap<KeyBytes, Vec<u8>>,
    gaps: Vec<Between>,
    /// Where pages of this tree are.
    visited: BTreeSet<u64>,
    /// Whether every page had the checksum that it should have.
    is_sound: bool,
    /// Rows of damaged pages whose key nothing proves.
    unproven: u64,
}

impl<'p, C: Content> Walk<'p, C> {
    fn new(pages: &'p mut Pages, content: C) -> Walk<'p, C> {
        Walk {
            pages,
            content,
            rows: BTreeMap::new(),
            gaps: Vec::new(),
            visited: BTreeSet::new(),
            is_sound: true,
            unproven: 0,
        }
    }

    fn go(&mut self, named: Named, between: Between, depth: usize) {
        let shape = self.content.shape();
        let Some((at, page, is_sound)) = self.pages.find(named, shape) else {
            self.is_sound = false;
            self.gaps.push(between);
            return;
        };
        self.is_sound &= is_sound;
        if depth > DEPTH_MOST || !self.visited.insert(at) {
            return;
        }
        let count = pages::count_in(&page);
        match pages::kind(&page) {
            Some(Kind::Leaf) if is_sound => self.leaf(&page, count, between),
            Some(Kind::Branch) if is_sound => self.branch(&page, count, between, depth),
            _ => self.damaged(&page, between, depth),
        }
    }

    /// Takes a page for what most of it proves to be.
    fn damaged(&mut self, page: &[u8], between: Between, depth: usize) {
        let shape = self.content.shape();
        let told = pages::count_in(page);
        let most = pages::entries_most(page, shape);
        let proven = |count: usize| (0..count).filter(|at| self.proven(page, count, *at).is_some()).count();
        // The page's own word comes first: it is right in most cases.
        let as_leaf = [told].into_iter().chain(1..=most).map(|count| (proven(count), count));
        let as_leaf = as_leaf.fold((0, told), |best, next| if next.0 > best.0 { next } else { best });
        let most = pages::keys_most(page);
        let mut as_branch = (0, told);
        for count in [told].into_iter().chain(1..=most) {
            let children = (0..=count).filter_map(|at| pages::child(page, count, at));
            let there = children.filter(|child| self.pages.is_there(*child, shape)).count();
            if there > as_branch.0 {
                as_branch = (there, count);
            }
        }
        match (as_leaf, as_branch) {
            ((0, _), (0, _)) => self.gaps.push(between),
            ((entries, count), (children, _)) if entries >= children => {
                let proofs = (0..count).filter_map(|at| self.proven(page, count, at));
                self.unproven += proofs.filter(|(_, covered)| matches!(covered, Proof::Value)).count() as u64;
                self.leaf(page, count, between);
            }
            (_, (_, count)) => self.branch(page, count, between, depth),
        }
    }

    fn proven(&self, page: &[u8], count: usize, at: usize) -> Option<(KeyBytes, Proof)> {
        let (key, value) = pages::entry(page, self.content.shape(), count, at)?;
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
                    let value = pages::entry(page, self.content.shape(), count, at).map_or(&[][..], |(_, value)| value);
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
                true => pages::branch_key(page, self.content.shape(), count, at).and_then(|key| self.content.key(key)),
                false => high.clone(),
            };
            if let Some(child) = pages::child(page, count, at) {
                self.go(child, (low, next.clone()), depth + 1);
            }
            low = next;
        }
    }

    /// Rows for the gaps, in pages that this tree doesn't lead to.
    fn elsewhere(&mut self) -> BTreeMap<KeyBytes, Vec<u8>> {
        let mut rows = BTreeMap::new();
        for at in self.pages.all() {
            if self.visited.contains(&at) {
                continue;
            }
            let page = self.pages.read_as_told(at, self.content.shape());
            if pages::kind(&page) != Some(Kind::Leaf) {
                continue;
            }
            let count = pages::count_in(&page);
            let proofs: Vec<_> = (0..count).map(|at| self.proven(&page, count, at)).collect();
            // One that names its table shows whose page it is.
            let is_ours = proofs.iter().any(|proof| matches!(proof, Some((_, Proof::Place))));
            for (at, proof) in proofs.into_iter().enumerate().filter(|_| is_ours) {
                let Some((key, _)) = proof else {
                    continue;
                };
                let is_missing = !self.rows.contains_key(&key) && self.gaps.iter().any(|gap| lies_in(&key, gap));
                if let Some((_, value)) = pages::entry(&page, self.content.shape(), count, at).filter(|_| is_missing) {
                    rows.insert(key, value.to_vec());
                }
            }
        }
        rows
    }
}

/// The last key before the gap and the first one after it are there.
fn lies_in(key: &KeyBytes, (low, high): &Between) -> bool {
    low.as_ref().is_none_or(|low| low <= key) && high.as_ref().is_none_or(|high| key <= high)
}

/// The pages of the file.
struct Pages {
    file: File,
    bytes: u64,
    header: Header,
    /// The trees of the tables of the two commits, the one that counts first.
    roots: Vec<Named>,
    /// Pages by their checksum, for each shape that was asked for.
    by_checksum: HashMap<Shape, HashMap<u128, u64>>,
}

impl Pages {
    fn of(path: &Path) -> io::Result<Pages> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut pages = Pages {
            file,
            bytes,
            header: Header::of(&[]),
            roots: Vec::new(),
            by_checksum: HashMap::new(),
        };
        let mut head = pages.read(0, PAGE_BYTES);
        pages.header = Header::of(&head);
        pages.roots = pages.header.roots(&mut head);
        Ok(pages)
    }

    /// Where a page is, and how long, if it is in the file.
    fn place(&self, number: u64) -> Option<(u64, u64)> {
        self.header.place(number).filter(|(at, _)| *at < self.bytes)
    }

    /// Where pages can begin.
    fn all(&self) -> impl Iterator<Item = u64> + use<> {
        (1..self.bytes.div_ceil(PAGE_BYTES)).map(|page| page * PAGE_BYTES)
    }

    /// As much as there is; zeros where the disk doesn't read.
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

    /// A page whose length only its content tells.
    fn read_as_told(&self, at: u64, shape: Shape) -> Vec<u8> {
        let page = self.read(at, PAGE_BYTES);
        match pages::end_of(&page, shape).map(|end| end as u64) {
            Some(end) if end > PAGE_BYTES && end <= PAGE_MOST_BYTES => self.read(at, end),
            _ => page,
        }
    }

    /// The page of this name: where it is, its content, and whether that is right. One with a right content somewhere
    /// else is the one.
    fn find(&mut self, named: Named, shape: Shape) -> Option<(u64, Vec<u8>, bool)> {
        let there = self.place(named.number).map(|(at, length)| (at, self.read(at, length)));
        if let Some((at, page)) = &there
            && pages::checksum(page, shape) == Some(named.checksum)
        {
            return Some((*at, page.clone(), true));
        }
        if let Some(at) = self.with_checksum(named.checksum, shape) {
            return Some((at, self.read_as_told(at, shape), true));
        }
        let (at, mut page) = there?;
        let is_mended = pages::mend(&mut page, |page| pages::checksum(page, shape) == Some(named.checksum));
        Some((at, page, is_mended))
    }

    /// Whether there is a page of this name with a right content.
    fn is_there(&mut self, named: Named, shape: Shape) -> bool {
        self.with_checksum(named.checksum, shape).is_some()
    }

    fn with_checksum(&mut self, checksum: u128, shape: Shape) -> Option<u64> {
        if !self.by_checksum.contains_key(&shape) {
            let mut places = HashMap::new();
            for at in self.all() {
                let page = self.read_as_told(at, shape);
                if let Some(checksum) = pages::checksum(&page, shape) {
                    places.insert(checksum, at);
                }
            }
            self.by_checksum.insert(shape, places);
        }
        self.by_checksum.get(&shape)?.get(&checksum).copied()
    }
}

#[cfg(test)]
mod tests;
