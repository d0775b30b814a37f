//! The accept loop: listening, https, the limits on connections and on slow clients, and the end. Knows no route.
//!
//! warp's own server has no peer address, no https and no limits. Here a client that sends its header, or what opens a connection over
//! https, slower than `header_seconds`, or takes its answer slower or idles longer than `idle_seconds`, is closed; at most `connections`
//! are served at once, more wait.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep};
use tokio_rustls::server::TlsStream;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::client::Peer;
use super::reply;
use super::tls::Tls;
use crate::base::config::Limits;

/// The largest header of a request in bytes, and its most lines.
const HEADER_MOST_BYTES: usize = 64 * 1024;
const HEADER_MOST_LINES: usize = 64;
/// Connections that may wait until they are taken. Beyond it the kernel answers none, and clients believe the machine to be away.
const WAITING_MOST: u32 = 4096;
/// After an accept that failed (no file descriptors left) the loop waits this long.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(200);

/// The first byte of a client that speaks TLS: a record with a handshake (RFC 8446, section 5.1). No method of http begins with it.
const TLS_HANDSHAKE: u8 = 22;

/// Opens a port. Connections wait in it until [`serve`] takes them.
///
/// # Errors
/// The address is taken or not this machine's.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A restart doesn't wait for the connections of the process before it.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_MOST)
}

/// Serves until `stop` is done, then lets running requests finish for at most `drain_seconds`. With `tls` it speaks https. As many
/// connections are open at once as there are `permits`.
pub async fn serve(
    listeners: Vec<TcpListener>,
    tls: Option<Arc<Tls>>,
    routes: BoxedFilter<(Response,)>,
    limits: &Limits,
    permits: &Arc<Semaphore>,
    stop: impl Future<Output = ()>,
) {
    let open = GracefulShutdown::new();
    let (accepts, accepting) = watch::channel(());
    {
        let service = Arc::new(Service {
            protocol: protocol(limits),
            routes,
            limits: limits.clone(),
            tls,
            accepting,
        });
        let accepting = futures_util::future::join_all(
            listeners
                .into_iter()
                .map(|listener| accept(listener, &service, permits, &open)),
        );
        let mut accepting = pin!(accepting);
        let mut stop = pin!(stop);
        tokio::select! {
            _ = &mut accepting => {}
            () = &mut stop => {}
        }
    }
    drop(accepts);
    let drain = Duration::from_secs_f64(limits.drain_seconds);
    if tokio::time::timeout(drain, open.shutdown()).await.is_err() {
        tracing::warn!("some connections were cut off: they had not finished in time");
    }
}

fn protocol(limits: &Limits) -> http1::Builder {
    let mut protocol = http1::Builder::new();
    protocol
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs_f64(limits.idle_seconds))
        .max_buf_size(HEADER_MOST_BYTES)
        .max_headers(HEADER_MOST_LINES);
    protocol
}

async fn accept(listener: TcpListener, service: &Arc<Service>, permits: &Arc<Semaphore>, open: &GracefulShutdown) {
    // The semaphore is never closed.
    while let Ok(permit) = Arc::clone(permits).acquire_owned().await {
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
                continue;
            }
        };
        // A body after its header would wait for the client's acknowledgement.
        let _ = stream.set_nodelay(true);
        let (service, watcher) = (Arc::clone(service), open.watcher());
        tokio::spawn(async move {
            service.connection(stream, address, watcher).await;
            drop(permit);
        });
    }
}

/// Shared by all connections.
struct Service {
    protocol: http1::Builder,
    routes: BoxedFilter<(Response,)>,
    limits: Limits,
    /// `None`: http.
    tls: Option<Arc<Tls>>,
    /// Closes when connections are no longer taken.
    accepting: watch::Receiver<()>,
}

/// How a client begins on a port for https.
enum Opened {
    Https(Box<TlsStream<TcpStream>>),
    /// It speaks http, as people do who type an address without its scheme.
    Http(TcpStream),
}

impl Service {
    async fn connection(&self, stream: TcpStream, address: SocketAddr, watcher: Watcher) {
        let peer = Peer {
            address: address.ip().to_canonical(),
            https: self.tls.is_some(),
        };
        let Some(tls) = &self.tls else {
            return self.converse(stream, watcher, peer, false).await;
        };
        let mut accepting = self.accepting.clone();
        let limit = Duration::from_secs_f64(self.limits.header_seconds);
        let opened = tokio::select! {
            opened = tokio::time::timeout(limit, open(stream, tls)) => opened,
            // The shutdown doesn't wait for a client that hasn't asked yet.
            _ = accepting.changed() => return,
        };
        match opened {
            Ok(Ok(Opened::Https(stream))) => self.converse(stream, watcher, peer, false).await,
            Ok(Ok(Opened::Http(stream))) => self.converse(stream, watcher, peer, true).await,
            // A failed handshake is the client's business.
            Ok(Err(_)) | Err(_) => {}
        }
    }

    /// Answers the requests of a connection; when it `is_astray`, only with the way to https.
    async fn converse<S>(&self, stream: S, watcher: Watcher, peer: Peer, is_astray: bool)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let waiting = Arc::new(AtomicBool::new(true));
        let stream = DeadlineStream::new(stream, &self.limits, Arc::clone(&waiting));
        let answer = TowerToHyperService::new(warp::service(self.routes.clone()));
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            waiting.store(false, Ordering::Relaxed);
            request.extensions_mut().insert(peer);
            let answer = if is_astray {
                Err(reply::only_https(request.method(), request.uri(), request.headers()))
            } else if request.uri().path().starts_with('/') {
                Ok(answer.call(request))
            } else {
                // warp panics on a target that is no path, as CONNECT has it.
                Err(reply::not_for_us())
            };
            let waiting = Arc::clone(&waiting);
            async move {
                let response = match answer {
                    Ok(answer) => answer.await,
                    Err(response) => Ok(response),
                };
                waiting.store(true, Ordering::Relaxed);
                response
            }
        });
        let conversation = self.protocol.serve_connection(TokioIo::new(stream), service);
        // How a connection ends is the client's business.
        if let Err(error) = watcher.watch(conversation).await {
            tracing::debug!("a connection from {} was broken off: {error}", peer.address);
        }
    }
}

async fn open(stream: TcpStream, tls: &Tls) -> io::Result<Opened> {
    let mut first = [0];
    if stream.peek(&mut first).await? > 0 && first[0] != TLS_HANDSHAKE {
        return Ok(Opened::Http(stream));
    }
    let stream = tls.acceptor().accept(stream).await?;
    Ok(Opened::Https(Box::new(stream)))
}

/// A connection with deadlines: for the header of a request from its first byte on, and for a client that doesn't take its
/// answer. By hand, because the kept crates limit inactivity, which one byte in a while escapes.
struct DeadlineStream<S> {
    stream: S,
    /// Whether the next bytes belong to a new request.
    waiting: Arc<AtomicBool>,
    header: Deadline,
    writing: Deadline,
}

/// A deadline that runs only while it is set.
struct Deadline {
    length: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    fn new(seconds: f64) -> Deadline {
        Deadline {
            length: Duration::from_secs_f64(seconds),
            sleep: None,
        }
    }

    fn clear(&mut self) {
        self.sleep = None;
    }

    /// Starts the deadline if it isn't running, and fails once it is over.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let length = self.length;
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + length)));
        match sleep.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::ErrorKind::TimedOut.into()),
            Poll::Pending => Ok(()),
        }
    }
}

impl<S> DeadlineStream<S> {
    fn new(stream: S, limits: &Limits, waiting: Arc<AtomicBool>) -> DeadlineStream<S> {
        DeadlineStream {
            stream,
            waiting,
            header: Deadline::new(limits.header_seconds),
            writing: Deadline::new(limits.idle_seconds),
        }
    }

    fn written<T>(&mut self, context: &mut Context<'_>, wrote: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match wrote {
            Poll::Ready(result) => {
                self.writing.clear();
                Poll::Ready(result)
            }
            Poll::Pending => match self.writing.check(context) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for DeadlineStream<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.waiting.load(Ordering::Relaxed) {
            this.header.clear();
            return Pin::new(&mut this.stream).poll_read(context, buffer);
        }
        if this.header.sleep.is_some() {
            this.header.check(context)?;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            this.header.check(context)?;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for DeadlineStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, wrote)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.written(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        this.written(context, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let shut = Pin::new(&mut this.stream).poll_shutdown(context);
        this.written(context, shut)
    }
}
