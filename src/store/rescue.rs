//! Opening a damaged file that redb refuses, to read what is sound in it. Nothing is written to the file: whatever
//! changes stays in a [`View`] of it.
//!
//! redb opens a file that wasn't closed only when it can walk through all of it. So each lost page is stood in for
//! while redb opens the view, and the pages above have the checksum of what stands in. Afterwards nothing stands in any
//! more: a lost page is found as such by whoever reads it, and costs its own rows only. redb's own tree, which says
//! what is free, is left out: nobody writes.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;

use redb::StorageBackend;

use super::disk::{Content, Disk, Trouble};
use super::integrity::View;
use super::opening::{CACHE_BYTES, Held, OpenError, guarded};
use super::pages::{self, Header, Kind, Named, PAGE_BYTES};

/// No table's name comes after it.
const LAST_NAME: &str = "\u{10FFFF}";
/// A tree of millions of records has six levels.
const DEPTH_MOST: usize = 16;

/// Opens what is sound in a damaged file, and tells whether all tables are still named; `alone` keeps other processes
/// out as long as it is open.
///
/// # Errors
/// Another process holds it, or nothing is sound.
pub(super) fn open(path: &Path, trouble: &Arc<Trouble>, alone: bool) -> Result<(Held, bool), OpenError> {
    let unusable = |error: std::io::Error| OpenError::Unusable(error.to_string());
    let lock = File::open(path).map_err(unusable)?;
    if alone && matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(OpenError::Locked);
    }
    let view = View::of(path).map_err(unusable)?;
    let (stand_ins, are_named) = prepare(&view).ok_or_else(|| OpenError::Damaged("no table can be read".to_owned()))?;
    let opened = guarded(|| {
        redb::Builder::new()
            .set_cache_size(CACHE_BYTES)
            .create_with_backend(Disk::over(view.clone(), trouble))
    });
    let database = opened.map_err(OpenError::Damaged)??;
    for at in stand_ins {
        view.forget(at);
    }
    Ok((Held::new(database, alone.then_some(lock)), are_named))
}

/// Makes the view one that redb opens: where something stands in for a lost page, and whether all tables are named.
/// `None` when no table is there.
fn prepare(view: &View) -> Option<(Vec<u64>, bool)> {
    let bytes = view.len().ok()?;
    let mut head = vec![0; usize::try_from(PAGE_BYTES.min(bytes)).ok()?];
    view.read(0, &mut head).ok()?;
    let header = Header::of(&head);
    let mut walks = header.ranked(&mut head).into_iter().filter_map(|slot| {
        let root = slot.roots[0]?;
        let mut walk = Walk::new(view, header);
        let checksum = walk.through(root)?;
        Some((slot, checksum, walk))
    });
    let mut chosen = walks.next()?;
    // As redb does: a commit that a power cut left unfinished doesn't count when the one before is better.
    if header.last_commit_may_be_unfinished()
        && let Some(before) = walks
            .next()
            .filter(|(.., before)| before.lost.len() < chosen.2.lost.len())
    {
        chosen = before;
    }
    let (slot, checksum, walk) = chosen;
    tracing::warn!("{} pages of the database are lost", walk.lost.len());
    view.set_len(walk.end.max(bytes).next_multiple_of(PAGE_BYTES)).ok()?;
    view.write(0, &header.unclosed(&slot, checksum)).ok()?;
    for (at, page) in walk.changed {
        view.write(at, &page).ok()?;
    }
    Some((walk.lost, walk.are_named))
}

/// A way through all pages of the tables.
struct Walk<'v> {
    view: &'v View,
    header: Header,
    /// The definition of some table, without its rows.
    definition: Option<Vec<u8>>,
    /// Pages as they have to be, by where they are.
    changed: Vec<(u64, Vec<u8>)>,
    /// Where pages are lost.
    lost: Vec<u64>,
    /// Whether none of those named tables.
    are_named: bool,
    /// Where the last page ends.
    end: u64,
}

impl<'v> Walk<'v> {
    fn new(view: &'v View, header: Header) -> Walk<'v> {
        Walk {
            view,
            header,
            definition: None,
            changed: Vec::new(),
            lost: Vec::new(),
            are_named: true,
            end: 0,
        }
    }

    /// The checksum of the root of the tables as it has to be.
    fn through(&mut self, root: Named) -> Option<u128> {
        for _ in 0..2 {
            (self.changed, self.lost) = (Vec::new(), Vec::new());
            let checksum = self.visit(root, Content::Tables, LAST_NAME.as_bytes(), 0);
            let (at, _) = self.header.place(root.number)?;
            if self.lost.contains(&at) {
                return None;
            }
            if let Some(checksum) = checksum {
                return Some(checksum);
            }
            // The definition that stands in for lost ones is known by now.
        }
        None
    }

    /// The checksum of a page, with those below it, as it has to be. redb looks for each table by its name: one that
    /// stands in has `name`, which belongs there.
    fn visit(&mut self, named: Named, content: Content, name: &[u8], depth: usize) -> Option<u128> {
        let shape = content.shape();
        let (at, length) = self.header.place(named.number)?;
        self.end = self.end.max(at + length);
        let is_right = |page: &[u8]| pages::checksum(page, shape) == Some(named.checksum);
        let mut page = vec![0; usize::try_from(length).ok()?];
        let there = self.view.len().ok()?.saturating_sub(at).min(length);
        let read = page.get_mut(..usize::try_from(there).ok()?)?;
        let is_read = self.view.read(at, read).is_ok();
        let was_right = is_read && is_right(&page);
        if depth > DEPTH_MOST || !(was_right || is_read && pages::mend(&mut page, is_right)) {
            self.are_named &= !matches!(content, Content::Tables);
            let stand_in = match content {
                Content::Tables => pages::leaf_of_one(shape, name, self.definition.as_deref()?),
                Content::Rows(_) => pages::leaf_of_one(shape, &[], &[]),
            };
            let checksum = pages::checksum(&stand_in, shape);
            self.lost.push(at);
            self.changed.push((at, stand_in));
            return checksum;
        }
        let mut is_changed = !was_right;
        let mut is_known = true;
        for (sum_at, child, content, name) in below(&page, content, name) {
            // The next ones may have the definition that stands in for this one.
            let Some(checksum) = self.visit(child, content, &name, depth + 1) else {
                is_known = false;
                continue;
            };
            if checksum != child.checksum {
                page[sum_at..sum_at + size_of::<u128>()].copy_from_slice(&checksum.to_le_bytes());
                is_changed = true;
            }
        }
        if matches!((pages::kind(&page), content), (Some(Kind::Leaf), Content::Tables)) {
            self.definition = self.definition.take().or_else(|| pages::empty_definition(&page));
        }
        let checksum = pages::checksum(&page, shape).filter(|_| is_known);
        if is_changed {
            self.changed.push((at, page));
        }
        checksum
    }
}

/// A page below another one: where in that its checksum is, and a name that belongs in it.
type Below = (usize, Named, Content, Vec<u8>);

/// The pages below a whole one, where `name` belongs.
fn below(page: &[u8], content: Content, name: &[u8]) -> Vec<Below> {
    match (pages::kind(page), content) {
        (Some(Kind::Branch), _) => {
            let children: Vec<_> = pages::children(page).collect();
            let count = children.len().saturating_sub(1);
            // Each but the last has the keys up to the one beside it.
            let name_of = |at: usize| match content {
                Content::Tables if at < count => pages::branch_key(page, content.shape(), count, at).unwrap_or(name),
                _ => name,
            };
            children
                .into_iter()
                .enumerate()
                .map(|(at, child)| (pages::sum_of_child(at), child, content, name_of(at).to_vec()))
                .collect()
        }
        (Some(Kind::Leaf), Content::Tables) => pages::roots_in(page)
            .map(|(at, root, shape)| (at, root, Content::Rows(shape), Vec::new()))
            .collect(),
        _ => Vec::new(),
    }
}
