//! Opening a damaged file that redb refuses, to read what is intact. Nothing is written to the file: every change stays
//! in an [`Overlay`].
//!
//! redb opens a file that wasn't closed only if it can walk through all of it. So each damaged page gets a placeholder
//! while redb opens the overlay, and the pages above get the placeholder's checksum. Afterwards the placeholders are
//! removed: whoever reads a damaged page gets an error, and only its own rows are lost. redb's own tree, which says
//! what is free, is left out, because nobody writes.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;

use redb::{Builder, StorageBackend};

use crate::backend::{Tree, VerifyingBackend};
use crate::guard::guarded;
use crate::health::DiskHealth;
use crate::open::{DatabaseHandle, OpenError};
use crate::overlay::Overlay;
use crate::pages::{self, Header, Kind, PAGE_BYTES, PageRef};

/// Name that sorts after every table's.
const LAST_NAME: &str = "\u{10FFFF}";
/// A tree of millions of rows has six levels.
const MAX_DEPTH: usize = 16;

/// A damaged file that can be read, and written to in memory only.
pub struct ReadOnly {
    pub database: DatabaseHandle,
    /// Whether the tree of the tables is intact. Otherwise a table that seems to be missing may be a lost one.
    pub has_all_tables: bool,
}

/// Opens the intact part of a damaged file and locks it against other processes.
///
/// # Errors
/// See [`OpenError`]; damaged when no table can be read.
pub fn open_read_only(builder: &Builder, path: &Path, health: &Arc<DiskHealth>) -> Result<ReadOnly, OpenError> {
    let lock = File::open(path).map_err(OpenError::Inaccessible)?;
    if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(OpenError::Locked);
    }
    health.load_lost_commit(path);
    open_overlay(builder, path, health, Some(lock))
}

/// Like [`open_read_only`], but for a file that this process has open and locked already, and `health` keeps what it
/// knows.
///
/// # Errors
/// See [`OpenError`]; damaged when no table can be read.
pub fn reopen_read_only(builder: &Builder, path: &Path, health: &Arc<DiskHealth>) -> Result<ReadOnly, OpenError> {
    open_overlay(builder, path, health, None)
}

fn open_overlay(
    builder: &Builder,
    path: &Path,
    health: &Arc<DiskHealth>,
    lock: Option<File>,
) -> Result<ReadOnly, OpenError> {
    let overlay = Overlay::of(path).map_err(OpenError::Inaccessible)?;
    let prepared = prepare(&overlay).ok_or_else(|| OpenError::Damaged("no table can be read".to_owned()))?;
    let opened = guarded(|| builder.create_with_backend(VerifyingBackend::new(overlay.clone(), health)));
    let database = opened.map_err(OpenError::Damaged)??;
    for at in prepared.placeholders {
        overlay.discard_page(at);
    }
    Ok(ReadOnly {
        database: DatabaseHandle::with_lock(database, lock),
        has_all_tables: prepared.has_all_tables,
    })
}

/// An overlay that redb opens.
struct Prepared {
    /// Offsets of the placeholders.
    placeholders: Vec<u64>,
    has_all_tables: bool,
}

/// Changes an overlay so that redb opens it; `None` when there is no table.
fn prepare(overlay: &Overlay) -> Option<Prepared> {
    let bytes = overlay.len().ok()?;
    let mut head = vec![0; usize::try_from(PAGE_BYTES.min(bytes)).ok()?];
    overlay.read(0, &mut head).ok()?;
    let header = Header::of(&head);
    let mut walks = header.slots_by_precedence(&head).into_iter().filter_map(|slot| {
        let root = slot.roots[0]?;
        let mut walk = Walk::new(overlay, header);
        let checksum = walk.through(root)?;
        Some((slot, checksum, walk))
    });
    let mut chosen = walks.next()?;
    // As redb does: a commit that an unclean stop left unfinished doesn't count if the one before is better.
    if header.may_end_in_unfinished_commit()
        && let Some(before) = walks
            .next()
            .filter(|(.., before)| before.damaged.len() < chosen.2.damaged.len())
    {
        chosen = before;
    }
    let (slot, checksum, walk) = chosen;
    tracing::warn!("{} pages of the database are lost", walk.damaged.len());
    overlay.set_len(walk.end.max(bytes).next_multiple_of(PAGE_BYTES)).ok()?;
    overlay.write(0, &header.with_only(&slot, checksum)).ok()?;
    for (at, page) in walk.changed {
        overlay.write(at, &page).ok()?;
    }
    Some(Prepared {
        placeholders: walk.damaged,
        has_all_tables: walk.has_all_tables,
    })
}

/// Walk through all pages of the tables.
struct Walk<'o> {
    overlay: &'o Overlay,
    header: Header,
    /// Entry of an empty table, for placeholders.
    empty_entry: Option<Vec<u8>>,
    /// Pages with a new content, by offset.
    changed: Vec<(u64, Vec<u8>)>,
    /// Offsets of damaged pages.
    damaged: Vec<u64>,
    /// Whether none of those page_ref tables.
    has_all_tables: bool,
    /// End of the last page.
    end: u64,
}

impl<'o> Walk<'o> {
    fn new(overlay: &'o Overlay, header: Header) -> Walk<'o> {
        Walk {
            overlay,
            header,
            empty_entry: None,
            changed: Vec::new(),
            damaged: Vec::new(),
            has_all_tables: true,
            end: 0,
        }
    }

    /// Walks from the root of the tree of the tables and returns the new checksum of that root.
    fn through(&mut self, root: PageRef) -> Option<u128> {
        for _ in 0..2 {
            (self.changed, self.damaged) = (Vec::new(), Vec::new());
            let checksum = self.visit(root, Tree::Tables, LAST_NAME.as_bytes(), 0);
            let (at, _) = self.header.byte_range(root.number)?;
            if self.damaged.contains(&at) {
                return None;
            }
            if let Some(checksum) = checksum {
                return Some(checksum);
            }
            // The entry for placeholders is known by now.
        }
        None
    }

    /// Walks through a page and those below it, and returns its new checksum. A placeholder for a page of the tree of
    /// the tables has the key `name`, which belongs at its place: redb looks each table up by its name.
    fn visit(&mut self, page_ref: PageRef, tree: Tree, name: &[u8], depth: usize) -> Option<u128> {
        let widths = tree.widths();
        let (at, length) = self.header.byte_range(page_ref.number)?;
        self.end = self.end.max(at + length);
        let mut page = vec![0; usize::try_from(length).ok()?];
        let there = self.overlay.len().ok()?.saturating_sub(at).min(length);
        let read = page.get_mut(..usize::try_from(there).ok()?)?;
        let is_intact =
            self.overlay.read(at, read).is_ok() && pages::checksum(&page, widths) == Some(page_ref.checksum);
        if depth > MAX_DEPTH || !is_intact {
            self.has_all_tables &= !matches!(tree, Tree::Tables);
            let placeholder = match tree {
                Tree::Tables => pages::placeholder_leaf(widths, name, self.empty_entry.as_deref()?),
                Tree::Rows(_) => pages::placeholder_leaf(widths, &[], &[]),
            };
            let checksum = pages::checksum(&placeholder, widths);
            self.damaged.push(at);
            self.changed.push((at, placeholder));
            return checksum;
        }
        let mut is_changed = false;
        let mut is_known = true;
        for (checksum_at, child, tree, name) in below(&page, tree, name) {
            // A later page may have the entry for this one's placeholder.
            let Some(checksum) = self.visit(child, tree, &name, depth + 1) else {
                is_known = false;
                continue;
            };
            if checksum != child.checksum {
                page[checksum_at..checksum_at + size_of::<u128>()].copy_from_slice(&checksum.to_le_bytes());
                is_changed = true;
            }
        }
        if matches!((pages::kind(&page), tree), (Some(Kind::Leaf), Tree::Tables)) {
            self.empty_entry = self.empty_entry.take().or_else(|| pages::empty_table_entry(&page));
        }
        let checksum = pages::checksum(&page, widths).filter(|_| is_known);
        if is_changed {
            self.changed.push((at, page));
        }
        checksum
    }
}

/// A child: offset of its checksum in the parent, the child, its tree, and a name that belongs into it.
type Child = (usize, PageRef, Tree, Vec<u8>);

/// Returns the children of an undamaged page, into which `name` belongs.
fn below(page: &[u8], tree: Tree, name: &[u8]) -> Vec<Child> {
    match (pages::kind(page), tree) {
        (Some(Kind::Branch), _) => {
            let children: Vec<_> = pages::children(page).collect();
            let count = children.len().saturating_sub(1);
            // Each child but the last has the keys up to the one beside it.
            let name_of = |at: usize| match tree {
                Tree::Tables if at < count => pages::branch_key(page, tree.widths(), count, at).unwrap_or(name),
                _ => name,
            };
            children
                .into_iter()
                .enumerate()
                .map(|(at, child)| (pages::child_checksum_at(at), child, tree, name_of(at).to_vec()))
                .collect()
        }
        (Some(Kind::Leaf), Tree::Tables) => pages::table_roots(page)
            .map(|(at, root, widths)| (at, root, Tree::Rows(widths), Vec::new()))
            .collect(),
        _ => Vec::new(),
    }
}
