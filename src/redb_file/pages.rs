//! The page format of a redb file (redb's `docs/design.md`): a header with two commit slots, each of which refers to
//! the tree of the tables and to redb's own (free pages). Every table is a tree; a branch keeps the checksum of each
//! page below it. Works on bytes only and does no I/O.

use xxhash_rust::xxh3::xxh3_128;

pub(crate) const PAGE_BYTES: u64 = 4096;
/// Upper bound on the length of a page that is read; a page number that claims more is taken for garbage.
pub(crate) const MAX_PAGE_BYTES: u64 = 4 * 1024 * 1024;

const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// Flags in the byte after the magic number: which slot has the last commit, whether the file needs recovery because it
/// wasn't closed, and whether the last commit was made in two phases.
const SECOND_SLOT: u8 = 1;
const NOT_CLOSED: u8 = 2;
const TWO_PHASES: u8 = 4;
const PAGE_SIZE_AT: usize = 12;
const HEADER_PAGES_AT: usize = 16;
const REGION_PAGES_AT: usize = 20;
/// Largest number of pages in a region.
const REGION_PAGES: u64 = 1 << 20;
const SLOTS_AT: [usize; 2] = [64, 192];
const SLOT_BYTES: usize = 128;
pub(crate) const HEADER_BYTES: usize = SLOTS_AT[1] + SLOT_BYTES;
/// Offsets in a commit slot of the flag for a root and of the root: for the tree of the tables, then for redb's own.
const ROOTS_AT: [(usize, usize); 2] = [(1, 8), (2, 40)];
const COMMIT_AT: usize = 104;
const CHECKSUM_BYTES: usize = 16;

const LEAF: u8 = 1;
const BRANCH: u8 = 2;
/// Length of a page's own header: type, count, and padding in a branch.
const LEAF_HEAD: usize = 4;
const BRANCH_HEAD: usize = 8;
pub(crate) const END_BYTES: usize = 4;
const NUMBER_BYTES: usize = 8;
/// Offset of the root in a table's entry.
const ENTRY_ROOT_AT: usize = 10;
/// Kind of a table that is a plain tree; the other kind is a multimap.
const NORMAL: u8 = 3;

/// Fixed widths of the keys and values of a tree in bytes; `None` when they differ in length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Widths {
    pub key: Option<usize>,
    pub value: Option<usize>,
}

/// Widths in the tree of the tables, which has names as keys and [`TableEntry`]s as values.
pub(crate) const TABLE_TREE: Widths = Widths { key: None, value: None };

/// Reference to a page: its number, and the checksum that its content must have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageRef {
    pub number: u64,
    pub checksum: u128,
}

/// Entry of a table in the tree of the tables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableEntry {
    pub rows: u64,
    pub root: Option<PageRef>,
    pub widths: Widths,
}

/// Type of a page (its first byte).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Leaf,
    Branch,
}

pub(crate) fn kind(page: &[u8]) -> Option<Kind> {
    match *page.first()? {
        LEAF => Some(Kind::Leaf),
        BRANCH => Some(Kind::Branch),
        _ => None,
    }
}

/// Returns the number of entries in a leaf, or of keys in a branch.
pub(crate) fn entry_count(page: &[u8]) -> usize {
    let count = page.get(2..).and_then(|rest| rest.first_chunk());
    count.map_or(0, |count| usize::from(u16::from_le_bytes(*count)))
}

/// Returns the number of entries that fit into a leaf at most.
pub(crate) fn max_entries(page: &[u8], widths: Widths) -> usize {
    page.len() / (END_BYTES + widths.key.unwrap_or(END_BYTES))
}

/// Returns the number of keys that fit into a branch at most.
pub(crate) fn max_keys(page: &[u8]) -> usize {
    page.len().saturating_sub(BRANCH_HEAD) / (CHECKSUM_BYTES + NUMBER_BYTES)
}

fn end_in(page: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32_in(page, at)?).ok()
}

fn u32_in(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Encodes a count of pages for the header.
fn number_of(count: u64) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
}

fn u64_in(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u128_in(bytes: &[u8], at: usize) -> Option<u128> {
    Some(u128::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads a page number and the checksum after it.
fn page_ref_in(bytes: &[u8], at: usize) -> Option<PageRef> {
    Some(PageRef {
        number: u64_in(bytes, at)?,
        checksum: u128_in(bytes, at + NUMBER_BYTES)?,
    })
}

/// Decodes a table's entry: kind, number of rows, flag for a root, root with its number of rows, key and value width.
pub(crate) fn table_entry(bytes: &[u8]) -> Option<TableEntry> {
    let width = |at: usize| match *bytes.get(at)? {
        0 => Some(None),
        _ => Some(Some(usize::try_from(u32_in(bytes, at + 1)?).ok()?)),
    };
    let root = match *bytes.get(9)? {
        0 => None,
        _ => Some(page_ref_in(bytes, ENTRY_ROOT_AT)?),
    };
    Some(TableEntry {
        rows: u64_in(bytes, 1)?,
        root,
        widths: Widths {
            key: width(42)?,
            value: width(47)?,
        },
    })
}

/// Returns the offset of a leaf's keys: after its header and, for widths that aren't fixed, the tables of ends.
fn keys_at(widths: Widths, count: usize) -> usize {
    let tables = usize::from(widths.key.is_none()) + usize::from(widths.value.is_none());
    LEAF_HEAD + tables * count * END_BYTES
}

fn key_end(page: &[u8], widths: Widths, count: usize, at: usize) -> Option<usize> {
    match widths.key {
        Some(width) => Some(keys_at(widths, count) + width * (at + 1)),
        None => end_in(page, LEAF_HEAD + at * END_BYTES),
    }
}

fn value_end(page: &[u8], widths: Widths, count: usize, at: usize) -> Option<usize> {
    if let Some(width) = widths.value {
        return Some(key_end(page, widths, count, count.checked_sub(1)?)? + width * (at + 1));
    }
    let before = if widths.key.is_some() { 0 } else { count };
    end_in(page, LEAF_HEAD + (before + at) * END_BYTES)
}

/// Returns key and value of entry `at` in a leaf with `count` entries.
pub(crate) fn entry(page: &[u8], widths: Widths, count: usize, at: usize) -> Option<(&[u8], &[u8])> {
    let key_start = match at.checked_sub(1) {
        None => keys_at(widths, count),
        Some(before) => key_end(page, widths, count, before)?,
    };
    let value_start = match at.checked_sub(1) {
        None => key_end(page, widths, count, count.checked_sub(1)?)?,
        Some(before) => value_end(page, widths, count, before)?,
    };
    let key = page.get(key_start..key_end(page, widths, count, at)?)?;
    let value = page.get(value_start..value_end(page, widths, count, at)?)?;
    Some((key, value))
}

/// Returns child `at` of a branch with `count` keys.
pub(crate) fn child(page: &[u8], count: usize, at: usize) -> Option<PageRef> {
    Some(PageRef {
        checksum: u128_in(page, child_checksum_at(at))?,
        number: u64_in(page, BRANCH_HEAD + (count + 1) * CHECKSUM_BYTES + at * NUMBER_BYTES)?,
    })
}

/// Returns the children of an undamaged branch.
pub(crate) fn children(page: &[u8]) -> impl Iterator<Item = PageRef> {
    let count = entry_count(page);
    (0..=count).filter_map(move |at| child(page, count, at))
}

/// Returns the tables in an undamaged leaf of the tree of the tables; multimaps are left out.
pub(crate) fn table_entries(page: &[u8]) -> impl Iterator<Item = TableEntry> {
    let count = entry_count(page);
    let values = (0..count).filter_map(move |at| entry(page, TABLE_TREE, count, at).map(|(_, value)| value));
    values
        .filter(|value| value.first() == Some(&NORMAL))
        .filter_map(table_entry)
}

/// Like [`table_entries`], but as the offset of the root's checksum in the page, the root, and the widths of its rows.
pub(crate) fn table_roots(page: &[u8]) -> impl Iterator<Item = (usize, PageRef, Widths)> {
    let count = entry_count(page);
    (0..count).filter_map(move |at| {
        let (_, value) = entry(page, TABLE_TREE, count, at)?;
        let TableEntry { root, widths, .. } = table_entry(value).filter(|_| value.first() == Some(&NORMAL))?;
        let end = value_end(page, TABLE_TREE, count, at)?;
        Some((end - value.len() + ENTRY_ROOT_AT + NUMBER_BYTES, root?, widths))
    })
}

/// Returns the first entry of an undamaged leaf, changed to that of an empty table.
pub(crate) fn empty_table_entry(page: &[u8]) -> Option<Vec<u8>> {
    let (_, value) = entry(page, TABLE_TREE, entry_count(page), 0)?;
    let mut empty = value.to_vec();
    empty.get_mut(1..42)?.fill(0);
    Some(empty)
}

/// Makes a leaf with one entry. A key or value of fixed width is zeros.
pub(crate) fn placeholder_leaf(widths: Widths, key: &[u8], value: &[u8]) -> Vec<u8> {
    let fitting = |width: Option<usize>, content: &[u8]| width.map_or(content.to_vec(), |width| vec![0; width]);
    let (key, value) = (fitting(widths.key, key), fitting(widths.value, value));
    let mut page = vec![LEAF, 0, 1, 0];
    let key_end = keys_at(widths, 1) + key.len();
    let ends = [(widths.key, key_end), (widths.value, key_end + value.len())];
    for (_, end) in ends.into_iter().filter(|(width, _)| width.is_none()) {
        // A page is far smaller.
        page.extend_from_slice(&u32::try_from(end).unwrap_or(u32::MAX).to_le_bytes());
    }
    [page, key, value].concat()
}

/// Returns the offset of the checksum of child `at` in a branch.
pub(crate) fn child_checksum_at(at: usize) -> usize {
    BRANCH_HEAD + at * CHECKSUM_BYTES
}

/// Returns the offset of a branch's keys or, for keys that differ in length, of the table of their ends.
fn branch_keys_at(count: usize) -> usize {
    BRANCH_HEAD + (count + 1) * (CHECKSUM_BYTES + NUMBER_BYTES)
}

fn branch_key_end(page: &[u8], widths: Widths, count: usize, at: usize) -> Option<usize> {
    match widths.key {
        Some(width) => Some(branch_keys_at(count) + width * (at + 1)),
        None => end_in(page, branch_keys_at(count) + at * END_BYTES),
    }
}

pub(crate) fn branch_key(page: &[u8], widths: Widths, count: usize, at: usize) -> Option<&[u8]> {
    let start = match (at.checked_sub(1), widths.key) {
        (Some(before), _) => branch_key_end(page, widths, count, before)?,
        (None, Some(_)) => branch_keys_at(count),
        (None, None) => branch_keys_at(count) + count * END_BYTES,
    };
    page.get(start..branch_key_end(page, widths, count, at)?)
}

/// Returns the length of a page's content by its own account; the checksum covers exactly this much.
pub(crate) fn used_bytes(page: &[u8], widths: Widths) -> Option<usize> {
    let count = entry_count(page);
    match kind(page)? {
        Kind::Leaf => value_end(page, widths, count, count.checked_sub(1)?),
        Kind::Branch => branch_key_end(page, widths, count, count.checked_sub(1)?),
    }
}

/// Computes the checksum of a page as its parent stores it; `None` when the page contradicts itself.
pub(crate) fn checksum(page: &[u8], widths: Widths) -> Option<u128> {
    let covered = used_bytes(page, widths).and_then(|end| page.get(..end));
    covered.map(xxh3_128)
}

/// A commit slot of the header.
pub(crate) struct CommitSlot {
    bytes: [u8; SLOT_BYTES],
    /// Whether its checksum is right.
    pub is_valid: bool,
    /// Transaction id.
    pub commit: u64,
    /// Roots of the tree of the tables and of redb's own.
    pub roots: [Option<PageRef>; 2],
}

/// Reads the two commit slots of a header.
pub(crate) fn commit_slots(header: &[u8]) -> impl Iterator<Item = CommitSlot> {
    SLOTS_AT.into_iter().filter_map(|start| {
        let slot = header.get(start..start + SLOT_BYTES)?;
        let (covered, sum) = slot.split_last_chunk::<CHECKSUM_BYTES>()?;
        Some(CommitSlot {
            bytes: *slot.first_chunk()?,
            is_valid: xxh3_128(covered) == u128::from_le_bytes(*sum),
            commit: u64_in(slot, COMMIT_AT)?,
            roots: ROOTS_AT.map(|(is_there, at)| page_ref_in(slot, at).filter(|_| slot[is_there] != 0)),
        })
    })
}

/// The header without its commit slots.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header {
    flags: u8,
    /// Lengths in pages: of a region's own header, and of a region without it.
    region_head: u64,
    region: u64,
}

impl Header {
    pub(crate) fn of(bytes: &[u8]) -> Header {
        let flags = match bytes.strip_prefix(MAGIC) {
            Some([flags, ..]) => *flags,
            _ => NOT_CLOSED,
        };
        let pages = |at| u32_in(bytes, at).map(u64::from).filter(|pages| *pages <= REGION_PAGES);
        Header {
            flags,
            region_head: pages(HEADER_PAGES_AT).unwrap_or(0),
            region: pages(REGION_PAGES_AT)
                .filter(|pages| *pages > 0)
                .unwrap_or(REGION_PAGES),
        }
    }

    /// Returns the commit slot that the header names as the last one.
    pub(crate) fn primary_slot(self, header: &[u8]) -> Option<CommitSlot> {
        commit_slots(header).nth(usize::from(self.flags & SECOND_SLOT))
    }

    /// Returns the commit slots in the order in which redb would try them.
    pub(crate) fn slots_by_precedence(self, header: &[u8]) -> Vec<CommitSlot> {
        let mut slots: Vec<_> = commit_slots(header)
            .enumerate()
            .map(|(at, slot)| {
                let is_last = usize::from(self.flags & SECOND_SLOT) == at;
                let rank = match self.may_end_in_unfinished_commit() {
                    true => slot.commit,
                    false => u64::from(is_last),
                };
                ((slot.is_valid, rank), slot)
            })
            .collect();
        slots.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        slots.into_iter().map(|(_, slot)| slot).collect()
    }

    /// Makes the header of a file that wasn't closed and whose only commit is this slot's, with another checksum for
    /// the tree of the tables and without redb's own tree.
    pub(crate) fn with_only(self, slot: &CommitSlot, checksum: u128) -> Vec<u8> {
        let mut header = vec![0; HEADER_BYTES];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, MAGIC);
        put(MAGIC.len(), &[NOT_CLOSED]);
        put(PAGE_SIZE_AT, &number_of(PAGE_BYTES));
        put(HEADER_PAGES_AT, &number_of(self.region_head));
        put(REGION_PAGES_AT, &number_of(self.region));
        let mut slot = slot.bytes;
        slot[ROOTS_AT[1].0] = 0;
        let sum_at = ROOTS_AT[0].1 + NUMBER_BYTES;
        slot[sum_at..sum_at + CHECKSUM_BYTES].copy_from_slice(&checksum.to_le_bytes());
        if let Some((covered, sum)) = slot.split_last_chunk_mut::<CHECKSUM_BYTES>() {
            *sum = xxh3_128(covered).to_le_bytes();
        }
        SLOTS_AT.iter().for_each(|at| put(*at, &slot));
        header
    }

    /// Whether the last commit was made in one phase, so that pages of it may never have been written. Closing ends
    /// with a commit in two phases; a repair takes the file for closed before it makes that commit.
    pub(crate) fn may_end_in_unfinished_commit(self) -> bool {
        self.flags & TWO_PHASES == 0
    }

    /// Returns offset and length in bytes of the page with this number; `None` for an impossible one.
    pub(crate) fn byte_range(self, number: u64) -> Option<(u64, u64)> {
        let order = number >> 59;
        let length = PAGE_BYTES.checked_shl(u32::try_from(order).ok()?)?;
        if length > MAX_PAGE_BYTES {
            return None;
        }
        let index = number & (0x000F_FFFF >> order);
        let region = (number >> 20) & 0x000F_FFFF;
        let pages = 1 + region * (self.region_head + self.region) + self.region_head;
        Some((pages * PAGE_BYTES + index * length, length))
    }
}

#[cfg(test)]
mod tests;
