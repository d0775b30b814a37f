//! The accept loop: listening, TLS, limits on connections and on slow clients, graceful shutdown. Knows no route.
//!
//! warp's own server offers no peer address, no TLS and no limits. A connection is closed when its client takes longer
//! than `header_seconds` for a request's header or for the TLS handshake, reads its answer too slowly
//! ([`super::minimum_rate`]), or idles longer than `idle_seconds`. At most `connections` are served at once, and
//! `connections_per_address` for one network; further connections wait. A waiting connection gets the slot of the one
//! that has been idle longest, overall or in its network.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio_rustls::server::TlsStream;
use warp::filters::BoxedFilter;
use warp::http::header::HOST;
use warp::http::{StatusCode, Version};
use warp::reply::Response;

use super::client::Peer;
use super::deadlines::{DeadlineStream, Exchange};
use super::reply;
use super::tls::Tls;
use fluglog_base::limits::connections::{ConnectionPermit, Connections, Network, NetworkPermit};
use fluglog_config::Limits;

/// Limits on a request's header, in bytes and in lines.
const MAX_HEADER_BYTES: usize = 64 * 1024;
const MAX_HEADER_LINES: usize = 64;
/// Length of the listen backlog. Beyond it the kernel answers no connection, and clients believe the machine to be
/// down.
const MAX_WAITING: u32 = 4096;
/// Pause after a failed accept (no file descriptors left).
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(200);

/// Unsent bytes that the kernel may buffer per connection (`TCP_NOTSENT_LOWAT`). By default it buffers much more: a
/// slow client then reads from that buffer for so long that it seems to read nothing.
const MAX_UNSENT_BYTES: u32 = 16 * 1024;

/// The first byte of a TLS connection: a record of type handshake (RFC 8446, section 5.1). No HTTP method begins with
/// it.
const TLS_HANDSHAKE: u8 = 22;

/// Opens a port. Connections queue in its backlog until [`serve`] accepts them.
///
/// # Errors
/// The address is in use or doesn't belong to this machine.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A restart needn't wait for the old process's connections to leave TIME_WAIT.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(MAX_WAITING)
}

/// Serves until `stop` resolves, then lets running requests finish for at most `drain_seconds`. Speaks https if `tls`
/// is given. `connections` bounds how many connections are served at once.
pub async fn serve(
    listeners: Vec<TcpListener>,
    tls: Option<Arc<Tls>>,
    routes: BoxedFilter<(Response,)>,
    limits: &Limits,
    connections: &Arc<Connections>,
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
            connections: Arc::clone(connections),
        });
        let accepting =
            futures_util::future::join_all(listeners.into_iter().map(|listener| accept(listener, &service, &open)));
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
        .max_buf_size(MAX_HEADER_BYTES)
        .max_headers(MAX_HEADER_LINES);
    protocol
}

async fn accept(listener: TcpListener, service: &Arc<Service>, open: &GracefulShutdown) {
    loop {
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        // Only after the connection is there: to free a permit, another connection is ended.
        let Some(place) = service.connections.acquire().await else {
            return;
        };
        // Nagle's algorithm would hold back the body until the client acknowledges the header.
        let _ = stream.set_nodelay(true);
        // Not set on the listener: a connection that came before it was set would lack it.
        if let Err(error) = SockRef::from(&stream).set_tcp_notsent_lowat(MAX_UNSENT_BYTES) {
            tracing::debug!("slow clients look slower than they are: {error}");
        }
        let (service, watcher) = (Arc::clone(service), open.watcher());
        tokio::spawn(async move { service.wait_and_serve(stream, address, place, watcher).await });
    }
}

/// State shared by all connections.
struct Service {
    protocol: http1::Builder,
    routes: BoxedFilter<(Response,)>,
    limits: Limits,
    /// `None` for plain HTTP.
    tls: Option<Arc<Tls>>,
    /// Closes when the server stops accepting connections.
    accepting: watch::Receiver<()>,
    connections: Arc<Connections>,
}

/// The protocol that a client opens with on a port for https.
enum Protocol {
    Https(Box<TlsStream<TcpStream>>),
    /// Plain HTTP, as when somebody types an address without its scheme.
    Http(TcpStream),
}

impl Service {
    /// Serves a connection once its network has a permit for it.
    async fn wait_and_serve(
        &self,
        mut stream: TcpStream,
        address: SocketAddr,
        place: ConnectionPermit,
        watcher: Watcher,
    ) {
        let peer = Peer {
            address: address.ip().to_canonical(),
            https: self.tls.is_some(),
        };
        let Some(network) = self.connections.network_of_peer(peer.address) else {
            self.connection(stream, peer, None, watcher).await;
            return drop(place);
        };
        if let Some(of_network) = network.try_acquire() {
            self.connection(stream, peer, Some(of_network), watcher).await;
            return drop(place);
        }
        // A connection that waits for its own network must not occupy a slot of all.
        drop(place);
        let mut accepting = self.accepting.clone();
        let waited = tokio::select! {
            waited = self.wait_for(&network) => waited,
            _ = accepting.changed() => return,
        };
        match waited {
            Some((of_network, place)) => {
                self.connection(stream, peer, Some(of_network), watcher).await;
                drop(place);
            }
            None => {
                tracing::debug!("a connection from {} too many", peer.address);
                if !peer.https {
                    // Best effort: the client may be gone.
                    let _ = stream.write_all(&reply::too_many_connections()).await;
                    let _ = stream.shutdown().await;
                }
            }
        }
    }

    async fn wait_for(&self, network: &Arc<Network>) -> Option<(NetworkPermit, ConnectionPermit)> {
        let of_network = self.connections.acquire_for(network).await?;
        Some((of_network, self.connections.acquire().await?))
    }

    async fn connection(&self, stream: TcpStream, peer: Peer, place: Option<NetworkPermit>, watcher: Watcher) {
        let Some(tls) = &self.tls else {
            return self.serve_requests(stream, watcher, peer, place, false).await;
        };
        let over_http = Peer { https: false, ..peer };
        let mut accepting = self.accepting.clone();
        let limit = Duration::from_secs_f64(self.limits.header_seconds);
        let opened = tokio::select! {
            opened = tokio::time::timeout(limit, detect_protocol(stream, tls)) => opened,
            // Shutdown doesn't wait for a client that hasn't sent a request yet.
            _ = accepting.changed() => return,
        };
        match opened {
            Ok(Ok(Protocol::Https(stream))) => self.serve_requests(stream, watcher, peer, place, false).await,
            Ok(Ok(Protocol::Http(stream))) if tls.serves_http => {
                self.serve_requests(stream, watcher, over_http, place, false).await;
            }
            Ok(Ok(Protocol::Http(stream))) => self.serve_requests(stream, watcher, peer, place, true).await,
            // A failed handshake is not logged: any client can cause it.
            Ok(Err(_)) | Err(_) => {}
        }
    }

    /// Answers the requests of a connection. `is_plain_http` means plain HTTP on the TLS port: every request is
    /// redirected to https.
    async fn serve_requests<S>(
        &self,
        stream: S,
        watcher: Watcher,
        peer: Peer,
        place: Option<NetworkPermit>,
        is_plain_http: bool,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let exchange = Exchange::default();
        let stream = DeadlineStream::new(
            stream,
            &self.limits,
            exchange.clone(),
            Arc::clone(&self.connections),
            place,
        );
        let answer = TowerToHyperService::new(warp::service(self.routes.clone()));
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            let running = exchange.begin();
            request.extensions_mut().insert(peer);
            let answer = if is_plain_http {
                Err(reply::https_redirect(
                    request.method(),
                    request.uri(),
                    request.headers(),
                ))
            } else if !has_one_host(&request) {
                Err(reply::bad_request(StatusCode::BAD_REQUEST))
            } else if request.uri().path().starts_with('/') {
                Ok(answer.call(request))
            } else {
                // warp panics on a request target that is no path, as in CONNECT.
                Err(reply::invalid_target())
            };
            async move {
                let response = match answer {
                    Ok(answer) => answer.await,
                    Err(response) => Ok(response),
                };
                response.map(|response| running.until_sent(response))
            }
        });
        let conversation = self.protocol.serve_connection(TokioIo::new(stream), service);
        // Logged at debug only: clients break connections off all the time.
        if let Err(error) = watcher.watch(conversation).await {
            tracing::debug!("a connection from {} was broken off: {error}", peer.address);
        }
    }
}

/// Returns whether a request has exactly one `Host` (RFC 9112, section 3.2). HTTP/1.0 clients may leave it out.
fn has_one_host(request: &hyper::Request<Incoming>) -> bool {
    match request.headers().get_all(HOST).iter().count() {
        0 => request.version() == Version::HTTP_10,
        hosts => hosts == 1,
    }
}

async fn detect_protocol(stream: TcpStream, tls: &Tls) -> io::Result<Protocol> {
    let mut first = [0];
    if stream.peek(&mut first).await? > 0 && first[0] != TLS_HANDSHAKE {
        return Ok(Protocol::Http(stream));
    }
    let stream = tls.acceptor().accept(stream).await?;
    Ok(Protocol::Https(Box::new(stream)))
}
