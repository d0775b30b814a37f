//! Salvage: the records that a damaged file of the database still proves. Reads redb's pages itself, without redb. Knows no table and no record.
//!
//! redb's file is described in its `docs/design.md`: a header with two commit slots, of which each names the tree of the tables; that names a tree
//! for every table. A branch keeps the checksum of every page below it, so a page that is not where it should be is found by its checksum. A
//! damaged page is one in which a single bit is wrong, which trying each finds, or it is read as far as its entries prove themselves: each record has
//! a checksum of its own.
//!
//! Where a whole page is lost, pages that no tree leads to any more are looked at, too. A record that only such a page has may be an older state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::record::Covered;
use super::rows::Rows;
use super::schema;

const PAGE_BYTES: u64 = 4096;
/// Larger than any record: a page that seems to have more is none.
const PAGE_MOST_BYTES: u64 = 4 * 1024 * 1024;
/// Trying each bit of a larger page takes too long.
const MENDED_MOST_BYTES: usize = 2 * PAGE_BYTES as usize;
/// A tree of millions of records has six levels.
const DEPTH_MOST: usize = 16;

const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// In the byte after it: the slot of the last commit, that the file was not closed, and that the last commit was made in two phases.
const SECOND_SLOT: u8 = 1;
const NOT_CLOSED: u8 = 2;
const TWO_PHASES: u8 = 4;
const HEADER_PAGES_AT: usize = 16;
const REGION_PAGES_AT: usize = 20;
const REGION_PAGES: u64 = 1 << 20;
const SLOTS_AT: [usize; 2] = [64, 192];
const SLOT_BYTES: usize = 128;
const SUM_BYTES: usize = 16;

const LEAF: u8 = 1;
const BRANCH: u8 = 2;
/// Before what a page is made of.
const LEAF_HEAD: usize = 4;
const BRANCH_HEAD: usize = 8;
const END_BYTES: usize = 4;
const NUMBER_BYTES: usize = 8;

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

/// A page as another one names it.
#[derive(Debug, Clone, Copy)]
struct Named {
    number: u64,
    checksum: u128,
}

/// A table as the tree of the tables has it.
#[derive(Debug, Clone, Copy)]
struct Definition {
    rows: u64,
    root: Option<Named>,
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
        for root in pages.slots() {
            let (tables, has_all_tables) = read_tables(&mut pages, root);
            let is_whole = has_all_tables && are_whole(&mut pages, &tables);
            // As redb does: a commit that a power cut left unfinished doesn't count when the one before is whole.
            if chosen.0.is_empty() || is_whole && pages.last_commit_may_be_unfinished() {
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
        found.rows = walk.rows;
        found.uncertain = elsewhere.len() as u64;
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
        definition(&bytes).map(|definition| (name, definition))
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

/// A table's entry: its kind, the number of its rows, whether it has a root, and that.
fn definition(bytes: &[u8]) -> Option<Definition> {
    let rows = u64::from_le_bytes(*bytes.get(1..)?.first_chunk()?);
    let has_root = *bytes.get(9)? != 0;
    let number = u64::from_le_bytes(*bytes.get(10..)?.first_chunk()?);
    let checksum = u128::from_le_bytes(*bytes.get(18..)?.first_chunk()?);
    Some(Definition {
        rows,
        root: has_root.then_some(Named { number, checksum }),
    })
}

/// The content of a tree: how wide its keys are, and which of its entries prove themselves.
trait Content {
    fn width(&self) -> Option<usize>;
    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Covered)>;
    fn key(&self, bytes: &[u8]) -> Option<KeyBytes>;
}

/// The tree of the tables.
struct Definitions;

impl Content for Definitions {
    fn width(&self) -> Option<usize> {
        None
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Covered)> {
        let is_name = !key.is_empty() && key.iter().all(u8::is_ascii_graphic);
        (is_name && definition(value).is_some()).then(|| (key.to_vec(), Covered::Value))
    }

    fn key(&self, bytes: &[u8]) -> Option<KeyBytes> {
        Some(bytes.to_vec())
    }
}

impl Content for &dyn Rows {
    fn width(&self) -> Option<usize> {
        Some(self.width_in_redb())
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(KeyBytes, Covered)> {
        self.proven_in_redb(key, value)
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
        }
    }

    fn go(&mut self, named: Named, between: Between, depth: usize) {
        let width = self.content.width();
        let Some((at, page, is_sound)) = self.pages.find(named, width) else {
            self.is_sound = false;
            self.gaps.push(between);
            return;
        };
        self.is_sound &= is_sound;
        if depth > DEPTH_MOST || !self.visited.insert(at) {
            return;
        }
        let count = count_in(&page);
        match page.first() {
            Some(&LEAF) if is_sound => self.leaf(&page, count, between),
            Some(&BRANCH) if is_sound => self.branch(&page, count, between, depth),
            _ => self.damaged(&page, between, depth),
        }
    }

    /// Takes a page for what most of it proves to be.
    fn damaged(&mut self, page: &[u8], between: Between, depth: usize) {
        let width = self.content.width();
        let told = count_in(page);
        let most = page.len() / (END_BYTES + width.unwrap_or(END_BYTES));
        let proven = |count: usize| (0..count).filter(|at| self.proven(page, count, *at).is_some()).count();
        // The page's own word comes first: it is right in most cases.
        let as_leaf = [told].into_iter().chain(1..=most).map(|count| (proven(count), count));
        let as_leaf = as_leaf.fold((0, told), |best, next| if next.0 > best.0 { next } else { best });
        let most = page.len().saturating_sub(BRANCH_HEAD) / (SUM_BYTES + NUMBER_BYTES);
        let mut as_branch = (0, told);
        for count in [told].into_iter().chain(1..=most) {
            let children = (0..=count).filter_map(|at| child(page, count, at));
            let there = children.filter(|child| self.pages.is_there(*child, width)).count();
            if there > as_branch.0 {
                as_branch = (there, count);
            }
        }
        match (as_leaf, as_branch) {
            ((0, _), (0, _)) => self.gaps.push(between),
            ((entries, count), (children, _)) if entries >= children => self.leaf(page, count, between),
            (_, (_, count)) => self.branch(page, count, between, depth),
        }
    }

    fn proven(&self, page: &[u8], count: usize, at: usize) -> Option<(KeyBytes, Covered)> {
        let (key, value) = entry(page, self.content.width(), count, at)?;
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
                    let value = entry(page, self.content.width(), count, at).map_or(&[][..], |(_, value)| value);
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
                true => branch_key(page, self.content.width(), count, at).and_then(|key| self.content.key(key)),
                false => high.clone(),
            };
            if let Some(child) = child(page, count, at) {
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
            let page = self.pages.read_as_told(at, self.content.width());
            if page.first() != Some(&LEAF) {
                continue;
            }
            let count = count_in(&page);
            let proofs: Vec<_> = (0..count).map(|at| self.proven(&page, count, at)).collect();
            // One that names its table shows whose page it is.
            let is_ours = proofs.iter().any(|proof| matches!(proof, Some((_, Covered::Place))));
            for (at, proof) in proofs.into_iter().enumerate().filter(|_| is_ours) {
                let Some((key, _)) = proof else {
                    continue;
                };
                let is_missing = !self.rows.contains_key(&key) && self.gaps.iter().any(|gap| lies_in(&key, gap));
                if let Some((_, value)) = entry(&page, self.content.width(), count, at).filter(|_| is_missing) {
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

fn count_in(page: &[u8]) -> usize {
    let count = page.get(2..).and_then(|rest| rest.first_chunk());
    count.map_or(0, |count| usize::from(u16::from_le_bytes(*count)))
}

fn end_in(page: &[u8], at: usize) -> Option<usize> {
    let end = page.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*end)).ok()
}

/// Where the keys of a leaf begin: after its head, the ends of its keys if they differ in length, and the ends of its values.
fn keys_at(width: Option<usize>, count: usize) -> usize {
    let tables = if width.is_some() { 1 } else { 2 };
    LEAF_HEAD + tables * count * END_BYTES
}

fn key_end(page: &[u8], width: Option<usize>, count: usize, at: usize) -> Option<usize> {
    match width {
        Some(width) => Some(keys_at(Some(width), count) + width * (at + 1)),
        None => end_in(page, LEAF_HEAD + at * END_BYTES),
    }
}

fn value_end(page: &[u8], width: Option<usize>, count: usize, at: usize) -> Option<usize> {
    let before = if width.is_some() { 0 } else { count };
    end_in(page, LEAF_HEAD + (before + at) * END_BYTES)
}

/// Key and value of an entry of a leaf with so many.
fn entry(page: &[u8], width: Option<usize>, count: usize, at: usize) -> Option<(&[u8], &[u8])> {
    let key_start = match at.checked_sub(1) {
        None => keys_at(width, count),
        Some(before) => key_end(page, width, count, before)?,
    };
    let value_start = match at.checked_sub(1) {
        None => key_end(page, width, count, count.checked_sub(1)?)?,
        Some(before) => value_end(page, width, count, before)?,
    };
    let key = page.get(key_start..key_end(page, width, count, at)?)?;
    let value = page.get(value_start..value_end(page, width, count, at)?)?;
    Some((key, value))
}

/// A page below a branch with so many keys.
fn child(page: &[u8], count: usize, at: usize) -> Option<Named> {
    let sums = BRANCH_HEAD + at * SUM_BYTES;
    let numbers = BRANCH_HEAD + (count + 1) * SUM_BYTES + at * NUMBER_BYTES;
    Some(Named {
        checksum: u128::from_le_bytes(*page.get(sums..)?.first_chunk()?),
        number: u64::from_le_bytes(*page.get(numbers..)?.first_chunk()?),
    })
}

/// Where the keys of a branch begin, or the ends of its keys if they differ in length.
fn branch_keys_at(count: usize) -> usize {
    BRANCH_HEAD + (count + 1) * (SUM_BYTES + NUMBER_BYTES)
}

fn branch_key_end(page: &[u8], width: Option<usize>, count: usize, at: usize) -> Option<usize> {
    match width {
        Some(width) => Some(branch_keys_at(count) + width * (at + 1)),
        None => end_in(page, branch_keys_at(count) + at * END_BYTES),
    }
}

fn branch_key(page: &[u8], width: Option<usize>, count: usize, at: usize) -> Option<&[u8]> {
    let start = match (at.checked_sub(1), width) {
        (Some(before), _) => branch_key_end(page, width, count, before)?,
        (None, Some(_)) => branch_keys_at(count),
        (None, None) => branch_keys_at(count) + count * END_BYTES,
    };
    page.get(start..branch_key_end(page, width, count, at)?)
}

/// Where a page ends by its own account: its checksum covers so much.
fn end_of(page: &[u8], width: Option<usize>) -> Option<usize> {
    let count = count_in(page);
    match *page.first()? {
        LEAF => value_end(page, width, count, count.checked_sub(1)?),
        BRANCH => branch_key_end(page, width, count, count.checked_sub(1)?),
        _ => None,
    }
}

/// Finds the one bit that is wrong, if there is one. Otherwise the bytes stay as they are.
fn with_one_bit_back(bytes: &mut [u8], is_right: impl Fn(&[u8]) -> bool) -> bool {
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        if is_right(bytes) {
            return true;
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    false
}

fn has_checksum(page: &[u8], width: Option<usize>, checksum: u128) -> bool {
    let covered = end_of(page, width).and_then(|end| page.get(..end));
    covered.is_some_and(|covered| xxh3_128(covered) == checksum)
}

/// The pages of the file.
struct Pages {
    file: File,
    bytes: u64,
    header: Vec<u8>,
    /// Pages by their checksum, for each width of keys that was asked for.
    by_checksum: HashMap<Option<usize>, HashMap<u128, u64>>,
}

impl Pages {
    fn of(path: &Path) -> io::Result<Pages> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut pages = Pages {
            file,
            bytes,
            header: Vec::new(),
            by_checksum: HashMap::new(),
        };
        pages.header = pages.read(0, PAGE_BYTES);
        Ok(pages)
    }

    /// The roots of the two commits, the one that counts first.
    fn slots(&self) -> Vec<Named> {
        let flags = self.flags();
        let mut slots: Vec<_> = SLOTS_AT
            .iter()
            .enumerate()
            .filter_map(|(at, start)| {
                let mut slot = self.header.get(*start..start + SLOT_BYTES)?.to_vec();
                let has_sum = |slot: &[u8]| {
                    let parts = slot.split_last_chunk::<SUM_BYTES>();
                    parts.is_some_and(|(covered, sum)| xxh3_128(covered) == u128::from_le_bytes(*sum))
                };
                let is_sound = has_sum(&slot) || with_one_bit_back(&mut slot, has_sum);
                let is_first = usize::from(flags & SECOND_SLOT) == at;
                let commit = u64::from_le_bytes(*slot.get(104..)?.first_chunk()?);
                let root = Named {
                    number: u64::from_le_bytes(*slot.get(8..)?.first_chunk()?),
                    checksum: u128::from_le_bytes(*slot.get(16..)?.first_chunk()?),
                };
                let rank = match self.last_commit_may_be_unfinished() {
                    true => commit,
                    false => u64::from(is_first),
                };
                Some((is_sound, rank, root))
            })
            .collect();
        slots.sort_by_key(|(is_sound, rank, _)| std::cmp::Reverse((*is_sound, *rank)));
        slots.into_iter().map(|(_, _, root)| root).collect()
    }

    fn flags(&self) -> u8 {
        match self.header.strip_prefix(MAGIC) {
            Some([flags, ..]) => *flags,
            _ => NOT_CLOSED,
        }
    }

    fn last_commit_may_be_unfinished(&self) -> bool {
        self.flags() & (NOT_CLOSED | TWO_PHASES) == NOT_CLOSED
    }

    fn number_in_header(&self, at: usize) -> Option<u64> {
        let number = self.header.get(at..)?.first_chunk()?;
        Some(u64::from(u32::from_le_bytes(*number)))
    }

    /// Where a page is, and how long.
    fn place(&self, number: u64) -> Option<(u64, u64)> {
        let order = number >> 59;
        let length = PAGE_BYTES.checked_shl(u32::try_from(order).ok()?)?;
        if length > PAGE_MOST_BYTES {
            return None;
        }
        let index = number & (0x000F_FFFF >> order);
        let region = (number >> 20) & 0x000F_FFFF;
        let before = self
            .number_in_header(HEADER_PAGES_AT)
            .filter(|pages| *pages <= REGION_PAGES);
        let region_pages = self
            .number_in_header(REGION_PAGES_AT)
            .filter(|pages| (1..=REGION_PAGES).contains(pages));
        let region_bytes = (before.unwrap_or(0) + region_pages.unwrap_or(REGION_PAGES)) * PAGE_BYTES;
        let at = PAGE_BYTES + region * region_bytes + before.unwrap_or(0) * PAGE_BYTES + index * length;
        (at < self.bytes).then_some((at, length))
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
    fn read_as_told(&self, at: u64, width: Option<usize>) -> Vec<u8> {
        let page = self.read(at, PAGE_BYTES);
        match end_of(&page, width).map(|end| end as u64) {
            Some(end) if end > PAGE_BYTES && end <= PAGE_MOST_BYTES => self.read(at, end),
            _ => page,
        }
    }

    /// The page of this name: where it is, its content, and whether that is right. One with a right content somewhere else is the one.
    fn find(&mut self, named: Named, width: Option<usize>) -> Option<(u64, Vec<u8>, bool)> {
        let there = self.place(named.number).map(|(at, length)| (at, self.read(at, length)));
        if let Some((at, page)) = &there
            && has_checksum(page, width, named.checksum)
        {
            return Some((*at, page.clone(), true));
        }
        if let Some(at) = self.with_checksum(named.checksum, width) {
            return Some((at, self.read_as_told(at, width), true));
        }
        let (at, mut page) = there?;
        let is_mended = page.len() <= MENDED_MOST_BYTES
            && with_one_bit_back(&mut page, |page| has_checksum(page, width, named.checksum));
        Some((at, page, is_mended))
    }

    /// Whether there is a page of this name with a right content.
    fn is_there(&mut self, named: Named, width: Option<usize>) -> bool {
        self.with_checksum(named.checksum, width).is_some()
    }

    fn with_checksum(&mut self, checksum: u128, width: Option<usize>) -> Option<u64> {
        if !self.by_checksum.contains_key(&width) {
            let mut places = HashMap::new();
            for at in self.all() {
                let page = self.read_as_told(at, width);
                if let Some(covered) = end_of(&page, width).and_then(|end| page.get(..end)) {
                    places.insert(xxh3_128(covered), at);
                }
            }
            self.by_checksum.insert(width, places);
        }
        self.by_checksum.get(&width)?.get(&checksum).copied()
    }
}
