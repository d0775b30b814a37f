//! An answer that is written while it is sent, on a thread of its own, which blocks until the client reads. Knows no
//! call.

use std::io;

use futures_util::{Stream, stream};
use tokio::sync::mpsc;

use super::streamed::log_cut;
use fluglog_base::error::Result;

/// Most bytes in a piece.
const PIECE_BYTES: usize = 64 * 1024;
/// Most pieces that wait to be sent.
const MAX_WAITING: usize = 2;

/// Writes the answer; fails if the answer must not pass for complete.
type Write = Box<dyn FnOnce(&mut dyn io::Write) -> Result<()> + Send>;

pub(super) struct ChannelBody(Write);

impl std::fmt::Debug for ChannelBody {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("to be written")
    }
}

impl ChannelBody {
    pub(super) fn by(write: impl FnOnce(&mut dyn io::Write) -> Result<()> + Send + 'static) -> ChannelBody {
        ChannelBody(Box::new(write))
    }

    /// Starts writing and streams the output. If writing fails, the answer is cut off, so that no client takes it for
    /// complete.
    pub(super) fn sent(self) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + Sync + 'static {
        let (sender, pieces) = mpsc::channel(MAX_WAITING);
        let writing = tokio::task::spawn_blocking(move || (self.0)(&mut ChannelWriter { sender }));
        stream::try_unfold((pieces, writing), |(mut pieces, writing)| async move {
            if let Some(piece) = pieces.recv().await {
                return Ok(Some((piece, (pieces, writing))));
            }
            let written = writing.await.map_err(io::Error::other)?;
            written.map(|()| None).map_err(|error| {
                log_cut(&error);
                io::Error::other("it can't be written")
            })
        })
    }
}

/// Sends written bytes to the stream. Fails once the stream has been dropped.
struct ChannelWriter {
    sender: mpsc::Sender<Vec<u8>>,
}

impl io::Write for ChannelWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = bytes.chunks(PIECE_BYTES).next().unwrap_or_default();
        let sent = self.sender.blocking_send(piece.to_vec());
        sent.map(|()| piece.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::*;
    use fluglog_base::error::Error;

    const LONG: usize = 5 * PIECE_BYTES / 2;

    fn collected(write: impl FnOnce(&mut dyn io::Write) -> Result<()> + Send + 'static) -> Vec<io::Result<usize>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let pieces = ChannelBody::by(write).sent();
            pieces.map(|piece| piece.map(|piece| piece.len())).collect().await
        })
    }

    fn put(out: &mut dyn io::Write) -> Result<()> {
        out.write_all(&[7; LONG])
            .map_err(|error| Error::Internal(error.to_string()))
    }

    #[test]
    fn what_is_written_comes_in_pieces() {
        let pieces: Vec<_> = collected(put).into_iter().map(io::Result::unwrap).collect();
        assert_eq!(pieces, [PIECE_BYTES, PIECE_BYTES, PIECE_BYTES / 2]);
    }

    #[test]
    fn what_fails_or_panics_ends_with_an_error() {
        let failed = collected(|out| put(out).and(Err(Error::Internal("a defect".to_owned()))));
        assert!(failed.len() == 4 && failed.last().unwrap().is_err());
        let ended = collected(|out| {
            put(out)?;
            unreachable!("a panic on purpose")
        });
        assert!(ended.len() == 4 && ended.last().unwrap().is_err());
    }

    #[test]
    fn what_nobody_takes_any_more_is_not_written_on() {
        let (told, outcome) = std::sync::mpsc::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let pieces = ChannelBody::by(move |out| {
                let written = (0..10).try_for_each(|_| out.write_all(&[7; LONG]));
                told.send(written.map_err(|error| error.kind())).unwrap();
                Ok(())
            });
            let mut pieces = Box::pin(pieces.sent());
            assert!(pieces.next().await.is_some());
        });
        assert_eq!(outcome.recv().unwrap(), Err(io::ErrorKind::BrokenPipe));
    }
}
