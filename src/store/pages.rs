//! The pages of redb's file, as its `docs/design.md` describes them: a header with two commit slots, of which each
//! names the tree of the tables and that of redb's own; every table is a tree. A branch keeps the checksum of every
//! page below it. Reads bytes; knows no disk and no table.

use xxhash_rust::xxh3::xxh3_128;

pub(super) const PAGE_BYTES: u64 = 4096;
/// Larger than any record: a page that seems to have more is none.
pub(super) const PAGE_MOST_BYTES: u64 = 4 * 1024 * 1024;
/// Trying each bit of a larger page takes too long.
const MENDED_MOST_BYTES: usize = 2 * PAGE_BYTES as usize;

const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// In the byte after it: the slot of the last commit, that the file was not closed, and that the last commit was made
/// in two phases.
const SECOND_SLOT: u8 = 1;
const NOT_CLOSED: u8 = 2;
const TWO_PHASES: u8 = 4;
const PAGE_SIZE_AT: usize = 12;
const HEADER_PAGES_AT: usize = 16;
const REGION_PAGES_AT: usize = 20;
const REGION_PAGES: u64 = 1 << 20;
const SLOTS_AT: [usize; 2] = [64, 192];
const SLOT_BYTES: usize = 128;
pub(super) const HEADER_BYTES: usize = SLOTS_AT[1] + SLOT_BYTES;
/// In a slot: whether there is a root, and where it stands; of the tables, and of redb's own.
const ROOTS_AT: [(usize, usize); 2] = [(1, 8), (2, 40)];
const COMMIT_AT: usize = 104;
const SUM_BYTES: usize = 16;

const LEAF: u8 = 1;
const BRANCH: u8 = 2;
/// Before what a page is made of.
const LEAF_HEAD: usize = 4;
const BRANCH_HEAD: usize = 8;
pub(super) const END_BYTES: usize = 4;
const NUMBER_BYTES: usize = 8;
/// In the definition of a table.
const DEFINED_ROOT_AT: usize = 10;
/// A table that is a plain tree.
const NORMAL: u8 = 3;

/// How long the keys and the values of a tree are, unless they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub key: Option<usize>,
    pub value: Option<usize>,
}

/// The shape of a tree that names tables.
pub(super) const TABLES: Shape = Shape { key: None, value: None };

/// A page as another one names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub number: u64,
    pub checksum: u128,
}

/// A table as the tree of the tables has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Definition {
    pub rows: u64,
    pub root: Option<Named>,
    pub shape: Shape,
}

/// The kind of a page, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Leaf,
    Branch,
}

pub(super) fn kind(page: &[u8]) -> Option<Kind> {
    match *page.first()? {
        LEAF => Some(Kind::Leaf),
        BRANCH => Some(Kind::Branch),
        _ => None,
    }
}

/// The number of entries of a leaf, or of keys of a branch.
pub(super) fn count_in(page: &[u8]) -> usize {
    let count = page.get(2..).and_then(|rest| rest.first_chunk());
    count.map_or(0, |count| usize::from(u16::from_le_bytes(*count)))
}

/// The most entries that a page may have.
pub(super) fn entries_most(page: &[u8], shape: Shape) -> usize {
    page.len() / (END_BYTES + shape.key.unwrap_or(END_BYTES))
}

/// The most keys that a branch may have.
pub(super) fn keys_most(page: &[u8]) -> usize {
    page.len().saturating_sub(BRANCH_HEAD) / (SUM_BYTES + NUMBER_BYTES)
}

fn end_in(page: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32_in(page, at)?).ok()
}

fn u32_in(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// A number as the header has it. No count of pages is larger.
fn number_of(count: u64) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
}

fn u64_in(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u128_in(bytes: &[u8], at: usize) -> Option<u128> {
    Some(u128::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// A page number and the checksum after it.
fn named_in(bytes: &[u8], at: usize) -> Option<Named> {
    Some(Named {
        number: u64_in(bytes, at)?,
        checksum: u128_in(bytes, at + NUMBER_BYTES)?,
    })
}

/// A table's entry: its kind, the number of its rows, whether it has a root, that root with a number of rows, and the
/// two widths.
pub(super) fn definition(bytes: &[u8]) -> Option<Definition> {
    let width = |at: usize| match *bytes.get(at)? {
        0 => Some(None),
        _ => Some(Some(usize::try_from(u32_in(bytes, at + 1)?).ok()?)),
    };
    let root = match *bytes.get(9)? {
        0 => None,
        _ => Some(named_in(bytes, DEFINED_ROOT_AT)?),
    };
    Some(Definition {
        rows: u64_in(bytes, 1)?,
        root,
        shape: Shape {
            key: width(42)?,
            value: width(47)?,
        },
    })
}

/// Where the keys of a leaf begin: after its head, and the ends of its keys and of its values if they differ in length.
fn keys_at(shape: Shape, count: usize) -> usize {
    let tables = usize::from(shape.key.is_none()) + usize::from(shape.value.is_none());
    LEAF_HEAD + tables * count * END_BYTES
}

fn key_end(page: &[u8], shape: Shape, count: usize, at: usize) -> Option<usize> {
    match shape.key {
        Some(width) => Some(keys_at(shape, count) + width * (at + 1)),
        None => end_in(page, LEAF_HEAD + at * END_BYTES),
    }
}

fn value_end(page: &[u8], shape: Shape, count: usize, at: usize) -> Option<usize> {
    if let Some(width) = shape.value {
        return Some(key_end(page, shape, count, count.checked_sub(1)?)? + width * (at + 1));
    }
    let before = if shape.key.is_some() { 0 } else { count };
    end_in(page, LEAF_HEAD + (before + at) * END_BYTES)
}

/// Key and value of an entry of a leaf with so many.
pub(super) fn entry(page: &[u8], shape: Shape, count: usize, at: usize) -> Option<(&[u8], &[u8])> {
    let key_start = match at.checked_sub(1) {
        None => keys_at(shape, count),
        Some(before) => key_end(page, shape, count, before)?,
    };
    let value_start = match at.checked_sub(1) {
        None => key_end(page, shape, count, count.checked_sub(1)?)?,
        Some(before) => value_end(page, shape, count, before)?,
    };
    let key = page.get(key_start..key_end(page, shape, count, at)?)?;
    let value = page.get(value_start..value_end(page, shape, count, at)?)?;
    Some((key, value))
}

/// A page below a branch with so many keys.
pub(super) fn child(page: &[u8], count: usize, at: usize) -> Option<Named> {
    Some(Named {
        checksum: u128_in(page, sum_of_child(at))?,
        number: u64_in(page, BRANCH_HEAD + (count + 1) * SUM_BYTES + at * NUMBER_BYTES)?,
    })
}

/// The pages below a whole branch.
pub(super) fn children(page: &[u8]) -> impl Iterator<Item = Named> {
    let count = count_in(page);
    (0..=count).filter_map(move |at| child(page, count, at))
}

/// The tables that a whole leaf names.
pub(super) fn definitions(page: &[u8]) -> impl Iterator<Item = Definition> {
    let count = count_in(page);
    let values = (0..count).filter_map(move |at| entry(page, TABLES, count, at).map(|(_, value)| value));
    values
        .filter(|value| value.first() == Some(&NORMAL))
        .filter_map(definition)
}

/// The same with where in the page the checksums of their roots are, and what their rows are like.
pub(super) fn roots_in(page: &[u8]) -> impl Iterator<Item = (usize, Named, Shape)> {
    let count = count_in(page);
    (0..count).filter_map(move |at| {
        let (_, value) = entry(page, TABLES, count, at)?;
        let Definition { root, shape, .. } = definition(value).filter(|_| value.first() == Some(&NORMAL))?;
        let end = value_end(page, TABLES, count, at)?;
        Some((end - value.len() + DEFINED_ROOT_AT + NUMBER_BYTES, root?, shape))
    })
}

/// The first definition of a whole leaf, as that of a table without rows.
pub(super) fn empty_definition(page: &[u8]) -> Option<Vec<u8>> {
    let (_, value) = entry(page, TABLES, count_in(page), 0)?;
    let mut empty = value.to_vec();
    empty.get_mut(1..42)?.fill(0);
    Some(empty)
}

/// A leaf with one entry. A key or value of fixed length is zeros.
pub(super) fn leaf_of_one(shape: Shape, key: &[u8], value: &[u8]) -> Vec<u8> {
    let fitting = |width: Option<usize>, content: &[u8]| width.map_or(content.to_vec(), |width| vec![0; width]);
    let (key, value) = (fitting(shape.key, key), fitting(shape.value, value));
    let mut page = vec![LEAF, 0, 1, 0];
    let key_end = keys_at(shape, 1) + key.len();
    let ends = [(shape.key, key_end), (shape.value, key_end + value.len())];
    for (_, end) in ends.into_iter().filter(|(width, _)| width.is_none()) {
        // A page is far smaller.
        page.extend_from_slice(&u32::try_from(end).unwrap_or(u32::MAX).to_le_bytes());
    }
    [page, key, value].concat()
}

/// Where a branch has the checksum of one of the pages below it.
pub(super) fn sum_of_child(at: usize) -> usize {
    BRANCH_HEAD + at * SUM_BYTES
}

/// Where the keys of a branch begin, or the ends of its keys if they differ in length.
fn branch_keys_at(count: usize) -> usize {
    BRANCH_HEAD + (count + 1) * (SUM_BYTES + NUMBER_BYTES)
}

fn branch_key_end(page: &[u8], shape: Shape, count: usize, at: usize) -> Option<usize> {
    match shape.key {
        Some(width) => Some(branch_keys_at(count) + width * (at + 1)),
        None => end_in(page, branch_keys_at(count) + at * END_BYTES),
    }
}

pub(super) fn branch_key(page: &[u8], shape: Shape, count: usize, at: usize) -> Option<&[u8]> {
    let start = match (at.checked_sub(1), shape.key) {
        (Some(before), _) => branch_key_end(page, shape, count, before)?,
        (None, Some(_)) => branch_keys_at(count),
        (None, None) => branch_keys_at(count) + count * END_BYTES,
    };
    page.get(start..branch_key_end(page, shape, count, at)?)
}

/// Where a page ends by its own account: its checksum covers so much.
pub(super) fn end_of(page: &[u8], shape: Shape) -> Option<usize> {
    let count = count_in(page);
    match kind(page)? {
        Kind::Leaf => value_end(page, shape, count, count.checked_sub(1)?),
        Kind::Branch => branch_key_end(page, shape, count, count.checked_sub(1)?),
    }
}

/// The checksum of a page, as the one above it should have it.
pub(super) fn checksum(page: &[u8], shape: Shape) -> Option<u128> {
    let covered = end_of(page, shape).and_then(|end| page.get(..end));
    covered.map(xxh3_128)
}

/// Finds the one bit of a page that is wrong, if there is one. Otherwise the page stays as it is.
pub(super) fn mend(page: &mut [u8], is_right: impl Fn(&[u8]) -> bool) -> bool {
    page.len() <= MENDED_MOST_BYTES && with_one_bit_back(page, is_right)
}

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

/// A commit slot.
pub(super) struct Slot {
    bytes: [u8; SLOT_BYTES],
    /// Whether its checksum is right.
    pub is_sound: bool,
    pub is_mended: bool,
    pub commit: u64,
    /// Of the tables, and of redb's own.
    pub roots: [Option<Named>; 2],
}

/// The two commit slots of a header, in which a single wrong bit each is put right.
pub(super) fn slots(header: &mut [u8]) -> impl Iterator<Item = Slot> {
    SLOTS_AT.into_iter().filter_map(|start| {
        let slot = header.get_mut(start..start + SLOT_BYTES)?;
        let has_sum = |slot: &[u8]| {
            let parts = slot.split_last_chunk::<SUM_BYTES>();
            parts.is_some_and(|(covered, sum)| xxh3_128(covered) == u128::from_le_bytes(*sum))
        };
        let was_sound = has_sum(slot);
        let is_mended = !was_sound && with_one_bit_back(slot, has_sum);
        Some(Slot {
            bytes: *slot.first_chunk()?,
            is_sound: was_sound || is_mended,
            is_mended,
            commit: u64_in(slot, COMMIT_AT)?,
            roots: ROOTS_AT.map(|(is_there, at)| named_in(slot, at).filter(|_| slot[is_there] != 0)),
        })
    })
}

/// A header without its slots.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    flags: u8,
    /// In pages: what a region has before its pages, and those.
    region_head: u64,
    region: u64,
}

impl Header {
    pub(super) fn of(bytes: &[u8]) -> Header {
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

    /// The trees of the tables of the two commits, the one that counts first.
    pub(super) fn roots(self, header: &mut [u8]) -> Vec<Named> {
        let ranked = self.ranked(header).into_iter();
        ranked.filter_map(|slot| slot.roots[0]).collect()
    }

    /// The commit slots, the one that counts first.
    pub(super) fn ranked(self, header: &mut [u8]) -> Vec<Slot> {
        let mut ranked: Vec<_> = slots(header)
            .enumerate()
            .map(|(at, slot)| {
                let is_last = usize::from(self.flags & SECOND_SLOT) == at;
                let rank = match self.last_commit_may_be_unfinished() {
                    true => slot.commit,
                    false => u64::from(is_last),
                };
                ((slot.is_sound, rank), slot)
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        ranked.into_iter().map(|(_, slot)| slot).collect()
    }

    /// The header of a file that was not closed, with one commit: that of this slot with another checksum of the tree
    /// of its tables, and without redb's own tree.
    pub(super) fn unclosed(self, slot: &Slot, checksum: u128) -> Vec<u8> {
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
        slot[sum_at..sum_at + SUM_BYTES].copy_from_slice(&checksum.to_le_bytes());
        if let Some((covered, sum)) = slot.split_last_chunk_mut::<SUM_BYTES>() {
            *sum = xxh3_128(covered).to_le_bytes();
        }
        SLOTS_AT.iter().for_each(|at| put(*at, &slot));
        header
    }

    pub(super) fn last_commit_may_be_unfinished(self) -> bool {
        self.flags & (NOT_CLOSED | TWO_PHASES) == NOT_CLOSED
    }

    /// Where a page of this number is, and how long, in bytes.
    pub(super) fn place(self, number: u64) -> Option<(u64, u64)> {
        let order = number >> 59;
        let length = PAGE_BYTES.checked_shl(u32::try_from(order).ok()?)?;
        if length > PAGE_MOST_BYTES {
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
