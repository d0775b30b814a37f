//! A connection to a mail server whose answers have an end: lettre reads a line in memory until it is complete.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use fluglog_base::limits::answers::{Answer, Budget};

const BUDGET: Budget = Answer::Mail.budget();

/// A connection that fails when the server sends too much.
#[derive(Debug)]
pub struct Bounded<S> {
    stream: S,
    server: SocketAddr,
    /// Whether lines can be told apart: not in TLS on top of this connection.
    has_lines: bool,
    bytes: u64,
    /// Of the current answer.
    lines: u64,
    line_bytes: u64,
}

impl<S> Bounded<S> {
    pub fn new(stream: S, server: SocketAddr, has_lines: bool) -> Bounded<S> {
        Bounded {
            stream,
            server,
            has_lines,
            bytes: 0,
            lines: 0,
            line_bytes: 0,
        }
    }

    fn count(&mut self, received: &[u8]) -> io::Result<()> {
        self.bytes += received.len() as u64;
        let mut is_too_long = self.bytes > BUDGET.bytes;
        if self.has_lines {
            for byte in received {
                self.line_bytes += 1;
                is_too_long |= self.line_bytes > BUDGET.line_bytes;
                if *byte == b'\n' {
                    self.lines += 1;
                    self.line_bytes = 0;
                }
            }
            is_too_long |= self.lines > BUDGET.lines;
        }
        match is_too_long {
            true => Err(too_long()),
            false => Ok(()),
        }
    }
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "die Antwort nimmt kein Ende")
}

impl<S: AsyncRead + Unpin> AsyncRead for Bounded<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = to.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, to))?;
        Poll::Ready(self.count(&to.filled()[before..]))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Bounded<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        // The next answer begins.
        self.lines = 0;
        self.line_bytes = 0;
        Pin::new(&mut self.stream).poll_write(context, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin + std::fmt::Debug> AsyncTokioStream for Bounded<S> {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.server)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receive(has_lines: bool, pieces: &[&[u8]]) -> io::Result<()> {
        let mut connection = Bounded::new((), SocketAddr::from(([127, 0, 0, 1], 25)), has_lines);
        pieces.iter().try_for_each(|piece| connection.count(piece))
    }

    #[test]
    fn an_answer_has_at_most_a_hundred_lines_of_512_bytes() {
        let longest = [&[b'2'; 510][..], b"\r\n"].concat();
        let lines = vec![&longest[..]; 100];
        assert!(receive(true, &lines).is_ok());
        assert!(receive(true, &[lines, vec![&b"250 OK\r\n"[..]]].concat()).is_err());
        assert!(receive(true, &[&b"2"[..], &longest[..]]).is_err());
        assert!(receive(true, &[&[b'2'; 513][..]]).is_err());
    }

    #[test]
    fn what_is_encrypted_has_an_end_as_well() {
        let piece = [b'x'; 64 * 1024];
        assert!(receive(false, &[&piece[..]; 8]).is_ok());
        assert!(receive(false, &[&piece[..]; 9]).is_err());
    }
}
