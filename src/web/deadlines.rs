//! A connection with deadlines: for a request's header, and for a client that reads its answer too slowly. Knows no
//! HTTP except where an exchange begins and ends, and the empty error answers that hyper itself generates, which it
//! replaces.
//!
//! After an answer to a request whose body wasn't read to its end, the connection lingers (RFC 9112, section 9.6): it
//! is closed for writing, and reads and discards what the client still sends. A connection closed at once would be
//! reset, and the client would lose the answer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::futures::OwnedNotified;
use warp::http;
use warp::http::StatusCode;
use warp::http::header::{CONNECTION, HeaderValue};
use warp::reply::Response;

use super::minimum_rate::{Deadline, MinimumRate};
use super::reply;
use fluglog_base::limits::connections::{Connections, IdleConnection, NetworkPermit};
use fluglog_config::Limits;

/// Header line in every answer that hyper itself generates.
const EMPTY: &[u8] = b"content-length: 0\r\n";

/// Whether a connection is serving a request; shared between its stream and its requests.
#[derive(Clone, Default)]
pub(super) struct Exchange {
    running: Arc<AtomicBool>,
    /// Whether the body of a request wasn't read to its end.
    lingers: Arc<AtomicBool>,
    requests: Arc<AtomicUsize>,
}

/// A permit that is kept until the answer is sent.
#[derive(Clone)]
struct HeldPermit(#[expect(dead_code, reason = "it is held, not used")] Arc<NetworkPermit>);

/// Keeps a network's permit until the answer is sent.
pub fn hold_permit_until_sent(response: &mut Response, place: NetworkPermit) {
    response.extensions_mut().insert(HeldPermit(Arc::new(place)));
}

/// Marks the answer to a request whose body wasn't read to its end.
#[derive(Clone)]
struct UnreadBody;

/// Ends the connection after this answer to a request whose body wasn't read to its end, so that the client can read
/// the answer while it still sends.
pub fn end_after_unread_body(response: &mut Response) {
    response
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    response.extensions_mut().insert(UnreadBody);
}

/// A request that is being answered; ends when dropped.
pub(super) struct RunningExchange {
    exchange: Exchange,
}

impl Exchange {
    /// Marks the beginning of a request.
    pub(super) fn begin(&self) -> RunningExchange {
        self.running.store(true, Ordering::Relaxed);
        self.requests.fetch_add(1, Ordering::Relaxed);
        RunningExchange { exchange: self.clone() }
    }

    fn is_running(&self) -> bool {
        self.running.load(Ordering::Relaxed)
    }
}

impl Drop for RunningExchange {
    fn drop(&mut self) {
        self.exchange.running.store(false, Ordering::Relaxed);
    }
}

impl RunningExchange {
    /// Wraps an answer so that the exchange ends with its body.
    pub(super) fn until_sent<B>(self, mut response: http::Response<B>) -> http::Response<ExchangeBody<B>> {
        let held = response.extensions_mut().remove::<HeldPermit>();
        if response.extensions_mut().remove::<UnreadBody>().is_some() {
            self.exchange.lingers.store(true, Ordering::Relaxed);
        }
        response.map(|body| ExchangeBody {
            body,
            _running: self,
            _held: held,
        })
    }
}

/// The body of an answer. Written by hand: it must be dropped together with its last frame, which no adapter
/// guarantees.
pub(super) struct ExchangeBody<B> {
    body: B,
    _running: RunningExchange,
    _held: Option<HeldPermit>,
}

impl<B: Body + Unpin> Body for ExchangeBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection between two requests, or before its first.
struct IdleState {
    is_idle: bool,
    connection: IdleConnection,
    ends: Pin<Box<OwnedNotified>>,
}

pub(super) struct DeadlineStream<S> {
    stream: S,
    exchange: Exchange,
    header: Deadline,
    header_timeout: Duration,
    writing: MinimumRate,
    is_shut: bool,
    linger: Deadline,
    linger_timeout: Duration,
    connections: Arc<Connections>,
    place: Option<NetworkPermit>,
    idle: Option<IdleState>,
    /// Whether the connection was asked to end just as a request came: it ends after that answer.
    is_last: bool,
    /// Number of requests so far.
    requests: usize,
    /// The unwritten part of the answer that replaces hyper's.
    replacement: Option<Vec<u8>>,
}

/// Returns the replacement for an answer that hyper itself generates to a request it can't parse. Fluglog's own answers
/// are recognised by their body: they are never empty.
fn replacement_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let rest = bytes.strip_prefix(b"HTTP/1.1 ")?;
    let status = StatusCode::from_bytes(rest.get(..3)?).ok()?;
    if !status.is_client_error() && status != StatusCode::HTTP_VERSION_NOT_SUPPORTED {
        return None;
    }
    let is_empty = bytes.windows(EMPTY.len()).any(|window| window == EMPTY);
    is_empty.then(|| reply::unreadable_request(status))
}

impl<S> DeadlineStream<S> {
    pub(super) fn new(
        stream: S,
        limits: &Limits,
        exchange: Exchange,
        connections: Arc<Connections>,
        place: Option<NetworkPermit>,
    ) -> DeadlineStream<S> {
        let mut header = Deadline::unset();
        let header_timeout = Duration::from_secs_f64(limits.header_seconds);
        // The first request is due at once; before the next one a client may be idle.
        header.start(header_timeout);
        DeadlineStream {
            stream,
            exchange,
            header,
            header_timeout,
            writing: MinimumRate::new(limits.body_seconds),
            is_shut: false,
            linger: Deadline::unset(),
            linger_timeout: Duration::from_secs_f64(limits.body_seconds),
            connections,
            place,
            idle: None,
            is_last: false,
            requests: 0,
            replacement: None,
        }
    }

    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        wrote: Poll<io::Result<T>>,
        bytes: fn(&T) -> usize,
    ) -> Poll<io::Result<T>> {
        match wrote {
            Poll::Ready(Ok(done)) => Poll::Ready(self.writing.record_bytes(bytes(&done)).map(|()| done)),
            Poll::Ready(error) => Poll::Ready(error),
            Poll::Pending => match self.writing.wait_for_client(context) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
        }
    }

    /// Returns whether the connection is at rest and has to end in favour of another one.
    fn must_end(&mut self, context: &mut Context<'_>) -> bool {
        if self.writing.is_waiting() {
            self.idle = None;
            return false;
        }
        if self.is_last && !self.header.is_set() {
            return true;
        }
        if self.idle.is_none() {
            let is_idle = self.requests > 0 && !self.header.is_set();
            let Some(connection) = self.connections.mark_idle(self.place.as_ref(), is_idle) else {
                // hyper may read again: the slot was promised to one waiting connection and must not be promised to
                // another each time.
                self.is_last = true;
                return true;
            };
            self.idle = Some(IdleState {
                is_idle,
                ends: Box::pin(connection.ended()),
                connection,
            });
        }
        let ends = self.idle.as_mut().map(|idle| idle.ends.as_mut().poll(context));
        ends.is_some_and(|ends| ends.is_ready())
    }
}

impl<S: AsyncRead + Unpin> DeadlineStream<S> {
    /// Reads and discards what the client sends, until it closes the connection, the deadline has passed, or the
    /// connection has to end in favour of another one.
    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.linger.start(self.linger_timeout);
        let mut discarded = [0; 8 * 1024];
        loop {
            let mut buffer = ReadBuf::new(&mut discarded);
            if self.linger.check(context).is_err() {
                return Poll::Ready(());
            }
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Pending if !self.must_end(context) => return Poll::Pending,
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {}
                _ => return Poll::Ready(()),
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for DeadlineStream<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let requests = this.exchange.requests.load(Ordering::Relaxed);
        if this.requests != requests {
            this.requests = requests;
            this.header.clear();
            this.is_last |= this.idle.take().is_some_and(|idle| idle.connection.was_told_to_end());
        }
        if this.exchange.is_running() {
            return Pin::new(&mut this.stream).poll_read(context, buffer);
        }
        this.header.check(context)?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if read.is_pending() && this.must_end(context) {
            // Reads like a close by the client.
            return Poll::Ready(Ok(()));
        }
        ready!(read)?;
        if buffer.filled().len() > before {
            this.header.start(this.header_timeout);
            this.header.check(context)?;
            // An idle connection with a partial header counts as unfinished from here on.
            let idled = this.idle.take_if(|idle| idle.is_idle);
            this.is_last |= idled.is_some_and(|idle| idle.connection.was_told_to_end());
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> DeadlineStream<S> {
    /// Replaces an answer that hyper generated, which counts as written then; `None` for any other bytes.
    fn poll_write_replacement(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Option<Poll<io::Result<()>>> {
        if self.replacement.is_none() {
            self.replacement = replacement_of(bytes);
        }
        let replacement = self.replacement.as_mut()?;
        while !replacement.is_empty() {
            match Pin::new(&mut self.stream).poll_write(context, replacement) {
                Poll::Ready(Ok(0)) => return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(wrote)) => drop(replacement.drain(..wrote)),
                Poll::Ready(Err(error)) => return Some(Poll::Ready(Err(error))),
                Poll::Pending => return Some(Poll::Pending),
            }
        }
        self.replacement = None;
        Some(Poll::Ready(Ok(())))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for DeadlineStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let Some(wrote) = this.poll_write_replacement(context, bytes) {
            return this.written(context, wrote.map_ok(|()| bytes.len()), |bytes| *bytes);
        }
        let wrote = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, wrote, |bytes| *bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let first = slices.iter().find(|slice| !slice.is_empty());
        if let Some(wrote) = first.and_then(|first| this.poll_write_replacement(context, first)) {
            let length = slices.iter().map(|slice| slice.len()).sum();
            return this.written(context, wrote.map_ok(|()| length), |bytes| *bytes);
        }
        let wrote = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.written(context, wrote, |bytes| *bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        this.written(context, flushed, |()| 0)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.is_shut {
            let shut = Pin::new(&mut this.stream).poll_shutdown(context);
            ready!(this.written(context, shut, |()| 0))?;
            this.is_shut = true;
        }
        if this.exchange.lingers.load(Ordering::Relaxed) {
            ready!(this.poll_linger(context));
        }
        Poll::Ready(Ok(()))
    }
}
