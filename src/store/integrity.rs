//! redb's own check of its pages. It may repair what it looks at, so it looks at a view whose changes go nowhere.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::StorageBackend;

use super::opening::{CACHE_BYTES, guarded};

const PAGE_BYTES: usize = 4096;

/// Whether the pages of the database in this file are whole. Nobody may write to it meanwhile.
pub(super) fn is_whole(file: &Path) -> bool {
    let checked = guarded(|| -> Result<bool, String> {
        let view = View::of(file).map_err(|error| error.to_string())?;
        let mut database = redb::Builder::new()
            .set_cache_size(CACHE_BYTES)
            .create_with_backend(view)
            .map_err(|error| error.to_string())?;
        database.check_integrity().map_err(|error| error.to_string())
    });
    matches!(checked, Ok(Ok(true)))
}

/// A file, with what was written over it in memory.
#[derive(Debug)]
struct View {
    file: File,
    file_bytes: u64,
    changed: Mutex<Changed>,
}

#[derive(Debug)]
struct Changed {
    bytes: u64,
    pages: HashMap<u64, Box<[u8; PAGE_BYTES]>>,
}

impl View {
    fn of(path: &Path) -> io::Result<View> {
        let file = File::open(path)?;
        let file_bytes = file.metadata()?.len();
        let changed = Mutex::new(Changed {
            bytes: file_bytes,
            pages: HashMap::new(),
        });
        Ok(View {
            file,
            file_bytes,
            changed,
        })
    }

    fn changed(&self) -> MutexGuard<'_, Changed> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page as the file has it; zeros after its end.
    fn page_of_file(&self, page: u64) -> io::Result<Box<[u8; PAGE_BYTES]>> {
        let mut content = Box::new([0; PAGE_BYTES]);
        let at = page * PAGE_BYTES as u64;
        let there = self.file_bytes.saturating_sub(at).min(PAGE_BYTES as u64);
        self.file
            .read_exact_at(&mut content[..usize::try_from(there).unwrap_or(PAGE_BYTES)], at)?;
        Ok(content)
    }
}

/// The parts of a range that lie in one page each: the page, where the part begins in it, and where in the range.
fn parts(offset: u64, length: usize) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == length {
            return None;
        }
        let at = offset + done as u64;
        let inside = usize::try_from(at % PAGE_BYTES as u64).unwrap_or(0);
        let part = done..(done + PAGE_BYTES - inside).min(length);
        done = part.end;
        Some((at / PAGE_BYTES as u64, inside, part))
    })
}

impl StorageBackend for View {
    fn len(&self) -> io::Result<u64> {
        Ok(self.changed().bytes)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let changed = self.changed();
        if offset.saturating_add(out.len() as u64) > changed.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for (page, inside, part) in parts(offset, out.len()) {
            let length = part.len();
            match changed.pages.get(&page) {
                Some(content) => out[part].copy_from_slice(&content[inside..inside + length]),
                None => out[part].copy_from_slice(&self.page_of_file(page)?[inside..inside + length]),
            }
        }
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.changed().bytes = bytes;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut changed = self.changed();
        for (page, inside, part) in parts(offset, data.len()) {
            let length = part.len();
            let content = match changed.pages.entry(page) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => entry.insert(self.page_of_file(page)?),
            };
            content[inside..inside + length].copy_from_slice(&data[part]);
        }
        Ok(())
    }
}
