//! An answer that is made while it is sent, a piece at a time: however long it is, no more than two pieces of it are in
//! memory.

use std::io;

use futures_util::{Stream, stream};
use serde::Serialize;

use super::packing::Packer;
use fluglog_base::error::{Error, Result};
use fluglog_base::limits::permits::Permit;

/// A piece is no shorter, unless it is the last one.
const PIECE_BYTES: usize = 64 * 1024;
/// Items that are read at once. The next ones may be much larger than those before.
const ITEMS_MOST: usize = 32;

/// Makes the next piece; `None` after the last one.
type Next = Box<dyn FnMut() -> Result<Option<Vec<u8>>> + Send + Sync>;

/// The first piece, and what makes the others.
pub(super) struct Pieces {
    first: Vec<u8>,
    next: Next,
}

impl std::fmt::Debug for Pieces {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} bytes at first", self.first.len())
    }
}

/// A list as JSON.
pub(super) enum List {
    Short(Vec<u8>),
    Long(Pieces),
}

impl List {
    /// `empty` is the JSON of the answer without an item of its list, which comes last in it. `more` gives at most so
    /// many further items, and none at the end.
    pub(super) fn of<T: Serialize>(
        empty: Vec<u8>,
        mut more: impl FnMut(usize) -> Result<Vec<T>> + Send + Sync + 'static,
    ) -> Result<List> {
        let list = empty.windows(2).rposition(|end| end == b"[]");
        let list = list.ok_or_else(|| Error::Internal("no list in an answer".to_owned()))?;
        let end = empty.get(list + 1..).unwrap_or_default().to_vec();
        let mut begin = empty.get(..=list).unwrap_or_default().to_vec();
        let mut separator: &[u8] = b"";
        let mut is_over = false;
        let mut at_once = 1;
        let mut next = move || {
            if is_over {
                return Ok(None);
            }
            let mut json = std::mem::take(&mut begin);
            while !is_over && json.len() < PIECE_BYTES {
                let items = more(at_once)?;
                is_over = items.is_empty();
                let before = json.len();
                for item in &items {
                    json.extend_from_slice(separator);
                    separator = b",";
                    serde_json::to_writer(&mut json, item)
                        .map_err(|error| Error::Internal(format!("no JSON: {error}")))?;
                }
                at_once = fitting(items.len(), json.len() - before);
            }
            if is_over {
                json.extend_from_slice(&end);
            }
            Ok(Some(json))
        };
        let first = next()?.unwrap_or_default();
        Ok(match first.len() < PIECE_BYTES {
            true => List::Short(first),
            false => List::Long(Pieces {
                first,
                next: Box::new(next),
            }),
        })
    }
}

/// How many items fill a piece, as far as the last ones tell.
fn fitting(items: usize, bytes: usize) -> usize {
    (PIECE_BYTES * items)
        .checked_div(bytes)
        .map_or(1, |items| items.clamp(1, ITEMS_MOST))
}

impl Pieces {
    /// The same in gzip, with the permit for the memory of that.
    pub(super) fn packed(mut self, permit: Permit) -> Pieces {
        let mut packer = Packer::new();
        let first = packer.piece(&self.first);
        let mut is_over = false;
        let next = move || {
            let _permit = &permit;
            if is_over {
                return Ok(None);
            }
            Ok(Some(match (self.next)()? {
                Some(piece) => packer.piece(&piece),
                None => {
                    is_over = true;
                    packer.end()
                }
            }))
        };
        Pieces {
            first,
            next: Box::new(next),
        }
    }

    /// As it goes out. Where a piece can't be made the answer is broken off, so that nobody takes it for whole.
    pub(super) fn sent(self) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + Sync + 'static {
        stream::try_unfold((Some(self.first), self.next), |(first, mut next)| async move {
            if let Some(first) = first {
                return Ok(Some((first, (None, next))));
            }
            let made = tokio::task::spawn_blocking(move || next().map(|piece| (piece, next))).await;
            let (piece, next) = made.map_err(io::Error::other)?.map_err(|error| {
                tracing::error!("an answer was not sent to its end: {error:?}");
                io::Error::other("it can't be read")
            })?;
            Ok(piece.map(|piece| (piece, (None, next))))
        })
    }
}
