//! A file on its way out: read while it is sent, a piece at a time. Knows no header.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;

use futures_util::{Stream, stream};
use sha2::{Digest as _, Sha256};

use fluglog_base::secret::Digest;

/// Bytes read from the disk at a time. Smaller pieces cost more calls than bytes.
const CHUNK_BYTES: usize = 64 * 1024;
/// Bytes that say how a text is written.
const HEAD_BYTES: usize = 256 * 1024;

/// A file as it goes out.
#[derive(Debug)]
pub struct Content {
    file: File,
    pub bytes: u64,
    /// The comparison that is left to do while it goes out.
    expected: Option<Expected>,
}

/// The digest that a file should have, and the one of what was read until now.
#[derive(Debug)]
struct Expected {
    sha256: Digest,
    /// Boxed: it is large, and a file is handed from thread to thread.
    read: Box<Sha256>,
}

impl Content {
    /// A file of this length that was compared with its digest already.
    #[must_use]
    pub fn verified((file, bytes): (File, u64)) -> Content {
        Content {
            file,
            bytes,
            expected: None,
        }
    }

    /// Its first bytes, without taking them from what goes out.
    pub(super) fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = vec![0; HEAD_BYTES.min(usize::try_from(self.bytes).unwrap_or(HEAD_BYTES))];
        self.file.read_exact_at(&mut head, 0)?;
        Ok(head)
    }

    /// A file that is compared while it goes out.
    #[must_use]
    pub fn to_verify(file: File, bytes: u64, sha256: Digest) -> Content {
        let expected = Expected {
            sha256,
            read: Box::default(),
        };
        Content {
            file,
            bytes,
            expected: Some(expected),
        }
    }
}

/// The file in pieces. One that turns out shorter or damaged breaks the answer off before its last piece, so that
/// nobody takes it for whole.
pub(super) fn pieces(content: Content) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + Sync + 'static {
    stream::try_unfold(content, |content| async move {
        if content.bytes == 0 {
            return Ok(None);
        }
        let read = tokio::task::spawn_blocking(move || read_piece(content)).await;
        let (piece, rest) = read.map_err(io::Error::other)?.inspect_err(|error| {
            tracing::error!("a file was not sent to its end: {error}");
        })?;
        Ok(Some((piece, rest)))
    })
}

/// The next piece, and what is left after it.
fn read_piece(mut content: Content) -> io::Result<(Vec<u8>, Content)> {
    let length = usize::try_from(content.bytes).unwrap_or(CHUNK_BYTES).min(CHUNK_BYTES);
    let mut piece = vec![0; length];
    content.file.read_exact(&mut piece)?;
    content.bytes -= length as u64;
    if let Some(expected) = &mut content.expected {
        expected.read.update(&piece);
    }
    if content.bytes == 0
        && let Some(expected) = content.expected.take()
        && expected.sha256 != Digest::from(expected.read.finalize())
    {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is damaged"));
    }
    Ok((piece, content))
}
