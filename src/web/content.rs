//! A file on its way out: read while it is sent, a piece at a time. Knows no header.

use std::fs::File;
use std::io::{self, Read};

use futures_util::{Stream, stream};

/// Bytes read from the disk at a time. Smaller pieces cost more calls than bytes.
const CHUNK_BYTES: usize = 256 * 1024;

/// A file as it goes out.
#[derive(Debug)]
pub struct Content {
    pub file: File,
    pub bytes: u64,
}

/// The file in pieces. A file that turns out shorter breaks the answer off, so that nobody takes it for whole.
pub(super) fn pieces(content: Content) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + Sync + 'static {
    let Content { file, bytes } = content;
    stream::try_unfold((file, bytes), |(file, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let read = tokio::task::spawn_blocking(move || read_piece(file, left)).await;
        let (file, piece) = read.map_err(io::Error::other)??;
        let left = left - piece.len() as u64;
        Ok(Some((piece, (file, left))))
    })
}

fn read_piece(mut file: File, left: u64) -> io::Result<(File, Vec<u8>)> {
    let length = usize::try_from(left).unwrap_or(CHUNK_BYTES).min(CHUNK_BYTES);
    let mut piece = vec![0; length];
    file.read_exact(&mut piece)?;
    Ok((file, piece))
}
