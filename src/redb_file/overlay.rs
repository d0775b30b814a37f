//! A file whose changes stay in memory.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::StorageBackend;

const PAGE_BYTES: usize = crate::pages::PAGE_BYTES as usize;

/// A file with the writes since kept in memory. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Overlay {
    file: Arc<File>,
    file_bytes: u64,
    changed: Arc<Mutex<Changed>>,
}

#[derive(Debug)]
struct Changed {
    bytes: u64,
    pages: HashMap<u64, Box<[u8; PAGE_BYTES]>>,
}

impl Overlay {
    pub(crate) fn of(path: &Path) -> io::Result<Overlay> {
        let file = File::open(path)?;
        let file_bytes = file.metadata()?.len();
        let changed = Mutex::new(Changed {
            bytes: file_bytes,
            pages: HashMap::new(),
        });
        Ok(Overlay {
            file: Arc::new(file),
            file_bytes,
            changed: Arc::new(changed),
        })
    }

    /// Drops what was written to a page.
    pub(crate) fn discard_page(&self, offset: u64) {
        self.changed().pages.remove(&(offset / PAGE_BYTES as u64));
    }

    fn changed(&self) -> MutexGuard<'_, Changed> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a page of the file; zeros after its end.
    fn page_of_file(&self, page: u64) -> io::Result<Box<[u8; PAGE_BYTES]>> {
        let mut content = Box::new([0; PAGE_BYTES]);
        let at = page * PAGE_BYTES as u64;
        let there = self.file_bytes.saturating_sub(at).min(PAGE_BYTES as u64);
        self.file
            .read_exact_at(&mut content[..usize::try_from(there).unwrap_or(PAGE_BYTES)], at)?;
        Ok(content)
    }
}

/// Splits a range into parts that lie in one page each: number of the page, offset in it, and place in the range.
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

impl StorageBackend for Overlay {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Step {
        Write(u64, Vec<u8>),
        Grow(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        let data = prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            Just(vec![7; 2 * PAGE_BYTES + 1])
        ];
        prop_oneof![
            (0u64..30_000, data).prop_map(|(offset, data)| Step::Write(offset, data)),
            (0u64..9_000).prop_map(Step::Grow),
        ]
    }

    proptest! {
        #[test]
        fn an_overlay_is_the_file_with_what_was_written_over_it(length in 0usize..10_000,
            steps in proptest::collection::vec(step(), 0..12)) {
            let file = tempfile::NamedTempFile::new().unwrap();
            let mut expected: Vec<u8> = (0..length).map(|at| at as u8).collect();
            std::fs::write(file.path(), &expected).unwrap();
            let overlay = Overlay::of(file.path()).unwrap();
            for step in steps {
                match step {
                    Step::Write(offset, data) if offset as usize + data.len() <= expected.len() => {
                        overlay.write(offset, &data).unwrap();
                        expected[offset as usize..offset as usize + data.len()].copy_from_slice(&data);
                    }
                    Step::Write(..) => {}
                    Step::Grow(bytes) => {
                        expected.resize(expected.len() + bytes as usize, 0);
                        overlay.set_len(expected.len() as u64).unwrap();
                    }
                }
                overlay.sync_data().unwrap();
            }
            prop_assert_eq!(overlay.len().unwrap(), expected.len() as u64);
            let mut all = vec![1; expected.len()];
            overlay.read(0, &mut all).unwrap();
            prop_assert!(all == expected);
            for from in [1, 4095, 4097] {
                let mut part = vec![1; expected.len().saturating_sub(from)];
                prop_assert!(overlay.read(from as u64, &mut part).is_ok() == (from <= expected.len()));
                prop_assert!(part == expected.get(from..).unwrap_or_default());
            }
            prop_assert!(overlay.read(1, &mut all).is_err() || all.is_empty());
            prop_assert_eq!(std::fs::read(file.path()).unwrap().len(), length);
        }
    }
}
