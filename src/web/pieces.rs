//! An answer that is made while it is sent, a piece at a time: however long it is, no more than two pieces of it are in memory.

use std::io;

use futures_util::{Stream, stream};
use serde::Serialize;

use super::packing::Packer;
use crate::base::answers::Sending;
use crate::base::error::{Error, Result};

/// A piece is no shorter, unless it is the last one.
const PIECE_BYTES: usize = 128 * 1024;

/// Makes the next piece; `None` after the last one.
type Next = Box<dyn FnMut() -> Result<Option<Vec<u8>>> + Send + Sync>;

/// The first piece, and what makes the others.
pub(super) struct Pieces {
    first: Vec<u8>,
    next: Next,
    /// Memory that is kept until the last piece is made.
    pub(super) memory_bytes: usize,
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
    /// `more` gives further items, and none at the end; it keeps so much memory.
    pub(super) fn of<T: Serialize>(
        memory_bytes: usize,
        mut more: impl FnMut() -> Result<Vec<T>> + Send + Sync + 'static,
    ) -> Result<List> {
        let mut begin: &[u8] = b"[";
        let mut is_over = false;
        let mut next = move || {
            if is_over {
                return Ok(None);
            }
            let mut json = Vec::with_capacity(PIECE_BYTES + PIECE_BYTES / 4);
            while !is_over && json.len() < PIECE_BYTES {
                let items = more()?;
                is_over = items.is_empty();
                for item in &items {
                    json.extend_from_slice(begin);
                    begin = b",";
                    serde_json::to_writer(&mut json, item)
                        .map_err(|error| Error::Internal(format!("no JSON: {error}")))?;
                }
            }
            if is_over {
                json.extend_from_slice(if begin == b"[" { b"[]" } else { b"]" });
            }
            Ok(Some(json))
        };
        let first = next()?.unwrap_or_default();
        Ok(match first.len() < PIECE_BYTES {
            true => List::Short(first),
            false => List::Long(Pieces {
                first,
                next: Box::new(next),
                memory_bytes: memory_bytes + 2 * PIECE_BYTES,
            }),
        })
    }
}

impl Pieces {
    /// The same in gzip.
    pub(super) fn packed(mut self) -> Pieces {
        let mut packer = Packer::new();
        let first = packer.piece(&self.first);
        let mut is_over = false;
        let next = move || {
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
            memory_bytes: self.memory_bytes + super::packing::MEMORY_BYTES,
        }
    }

    /// As it goes out. Where a piece can't be made the answer is broken off, so that nobody takes it for whole.
    pub(super) fn sent(
        self,
        sending: Option<Sending>,
    ) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + Sync + 'static {
        let begun = (Some(self.first), self.next, sending);
        stream::try_unfold(begun, |(first, mut next, sending)| async move {
            if let Some(first) = first {
                return Ok(Some((first, (None, next, sending))));
            }
            let made = tokio::task::spawn_blocking(move || next().map(|piece| (piece, next))).await;
            let (piece, next) = made.map_err(io::Error::other)?.map_err(|error| {
                tracing::error!("an answer was not sent to its end: {error:?}");
                io::Error::other("it can't be read")
            })?;
            Ok(piece.map(|piece| (piece, (None, next, sending))))
        })
    }
}
