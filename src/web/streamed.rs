//! An answer that is generated in pieces while it is sent; at most two pieces are in memory, however long it is.

use std::io;

use futures_util::{Stream, stream};
use serde::Serialize;

use super::gzip::GzipStream;
use fluglog_base::error::{Error, Result};
use fluglog_base::limits::permits::Permit;

/// Least length of a piece, except the last one.
const PIECE_BYTES: usize = 64 * 1024;
/// Most items that are read at once: the next ones may be much larger than those before.
const MAX_ITEMS: usize = 32;

/// Generates the next piece; `None` after the last one.
type Next = Box<dyn FnMut() -> Result<Option<Vec<u8>>> + Send + Sync>;

/// The first piece, and the generator of the others.
pub(super) struct StreamedBody {
    first: Vec<u8>,
    next: Next,
}

impl std::fmt::Debug for StreamedBody {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} bytes at first", self.first.len())
    }
}

/// A list as JSON.
pub(super) enum List {
    Short(Vec<u8>),
    Long(StreamedBody),
}

impl List {
    /// Serializes a list. `empty` is the JSON of the answer with an empty list as its last element. `more` returns at
    /// most as many further items as its argument says, and none at the end.
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
            false => List::Long(StreamedBody {
                first,
                next: Box::new(next),
            }),
        })
    }
}

/// Estimates from the last items how many fill a piece.
fn fitting(items: usize, bytes: usize) -> usize {
    (PIECE_BYTES * items)
        .checked_div(bytes)
        .map_or(1, |items| items.clamp(1, MAX_ITEMS))
}

impl StreamedBody {
    /// Compresses the pieces with gzip; `permit` accounts for the memory of that.
    pub(super) fn gzipped(mut self, permit: Permit) -> StreamedBody {
        let mut encoder = GzipStream::new();
        let first = encoder.piece(&self.first);
        let mut is_over = false;
        let next = move || {
            let _permit = &permit;
            if is_over {
                return Ok(None);
            }
            Ok(Some(match (self.next)()? {
                Some(piece) => encoder.piece(&piece),
                None => {
                    is_over = true;
                    encoder.end()
                }
            }))
        };
        StreamedBody {
            first,
            next: Box::new(next),
        }
    }

    /// Streams the pieces. If one can't be generated, the answer is cut off, so that no client takes it for complete.
    pub(super) fn sent(self) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + Sync + 'static {
        stream::try_unfold((Some(self.first), self.next), |(first, mut next)| async move {
            if let Some(first) = first {
                return Ok(Some((first, (None, next))));
            }
            let made = tokio::task::spawn_blocking(move || next().map(|piece| (piece, next))).await;
            let (piece, next) = made.map_err(io::Error::other)?.map_err(|error| {
                log_cut(&error);
                io::Error::other("it can't be read")
            })?;
            Ok(piece.map(|piece| (piece, (None, next))))
        })
    }
}

/// Logs why an answer is cut off. A record that was removed meanwhile, or that the pilot may no longer read, is no
/// error of the server.
pub(super) fn log_cut(error: &Error) {
    match error {
        Error::Busy(_) | Error::Internal(_) | Error::DiskFull(_) => {
            tracing::error!("an answer was not sent to its end: {error:?}");
        }
        _ => tracing::info!("an answer ends early: {error:?}"),
    }
}
