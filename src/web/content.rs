//! A file as an answer's body, read from the disk in chunks while it is sent. Knows no header.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;

use futures_util::{Stream, stream};
use sha2::{Digest as _, Sha256};

use fluglog_base::secret::Digest;

/// Bytes read from the disk at a time. With smaller chunks the overhead of the calls dominates.
const CHUNK_BYTES: usize = 64 * 1024;
/// Bytes at the beginning of a file from which a text's encoding is guessed.
const HEAD_BYTES: usize = 256 * 1024;

/// A file to be sent.
#[derive(Debug)]
pub struct Content {
    file: File,
    pub bytes: u64,
    /// Digest still to be verified while the file is sent.
    expected: Option<PendingDigest>,
}

/// The digest that a file should have, and the hash of what was read so far.
#[derive(Debug)]
struct PendingDigest {
    sha256: Digest,
    /// Boxed because it is large, and the content moves between threads.
    read: Box<Sha256>,
}

impl Content {
    /// A file of this length whose digest was verified before.
    #[must_use]
    pub fn verified((file, bytes): (File, u64)) -> Content {
        Content {
            file,
            bytes,
            expected: None,
        }
    }

    /// Returns the first bytes without consuming them.
    pub(super) fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = vec![0; HEAD_BYTES.min(usize::try_from(self.bytes).unwrap_or(HEAD_BYTES))];
        self.file.read_exact_at(&mut head, 0)?;
        Ok(head)
    }

    /// A file whose digest is verified while it is sent.
    #[must_use]
    pub fn verified_while_sent(file: File, bytes: u64, sha256: Digest) -> Content {
        let expected = PendingDigest {
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

/// Streams the file in chunks. If it turns out shorter or damaged, the answer is cut off before its last chunk, so that
/// no client takes it for complete.
pub(super) fn chunks(content: Content) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + Sync + 'static {
    stream::try_unfold(content, |content| async move {
        if content.bytes == 0 {
            return Ok(None);
        }
        let read = tokio::task::spawn_blocking(move || read_chunk(content)).await;
        let (piece, rest) = read.map_err(io::Error::other)?.inspect_err(|error| {
            tracing::error!("a file was not sent to its end: {error}");
        })?;
        Ok(Some((piece, rest)))
    })
}

/// Reads the next chunk; returns it with the rest of the content.
fn read_chunk(mut content: Content) -> io::Result<(Vec<u8>, Content)> {
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
