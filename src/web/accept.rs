//! The accept loop: listening, https, the limits on connections and on slow clients, and the end. Knows no route.
//!
//! warp's own server has no peer address, no https and no limits. Here a client that sends its header, or what opens a
//! connection over https, slower than `header_seconds`, takes its answer too slowly ([`super::pace`]), or idles longer
//! than `idle_seconds`, is closed. At most `connections` are served at once, and of one network
//! `connections_per_address`: more wait. One that waits gets the place of the connection that rests the longest, in all
//! or in its network.

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

/// The largest header of a request in bytes, and its most lines.
const HEADER_MOST_BYTES: usize = 64 * 1024;
const HEADER_MOST_LINES: usize = 64;
/// Connections that may wait until they are taken. Beyond it the kernel answers none, and clients believe the machine
/// to be away.
const WAITING_MOST: u32 = 4096;
/// After an accept that failed (no file descriptors left) the loop waits this long.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(200);

/// Bytes of an answer that the kernel keeps and hasn't sent. With more, as it would keep by itself, a slow client takes
/// for a long time what is written already, and seems to take nothing.
const UNSENT_MOST_BYTES: u32 = 16 * 1024;

/// The first byte of a client that speaks TLS: a record with a handshake (RFC 8446, section 5.1). No method of http
/// begins with it.
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

/// Serves until `stop` is done, then lets running requests finish for at most `drain_seconds`. With `tls` it speaks
/// https. As many connections are served at once as there are `connections`.
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
        .max_buf_size(HEADER_MOST_BYTES)
        .max_headers(HEADER_MOST_LINES);
    protocol
}

async fn accept(listener: TcpListener, service: &Arc<Service>, open: &GracefulShutdown) {
    while let Some(place) = service.connections.take().await {
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
        // Not on the listener: a connection that came before it was set would be without it.
        if let Err(error) = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT_MOST_BYTES) {
            tracing::debug!("slow clients look slower than they are: {error}");
        }
        let (service, watcher) = (Arc::clone(service), open.watcher());
        tokio::spawn(async move { service.admit(stream, address, place, watcher).await });
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
    connections: Arc<Connections>,
}

/// How a client begins on a port for https.
enum Opened {
    Https(Box<TlsStream<TcpStream>>),
    /// It speaks http, as people do who type an address without its scheme.
    Http(TcpStream),
}

impl Service {
    /// Serves a connection once its network has a place for it.
    async fn admit(&self, mut stream: TcpStream, address: SocketAddr, place: ConnectionPermit, watcher: Watcher) {
        let peer = Peer {
            address: address.ip().to_canonical(),
            https: self.tls.is_some(),
        };
        let Some(network) = self.connections.of_connection(peer.address) else {
            self.connection(stream, peer, None, watcher).await;
            return drop(place);
        };
        if let Some(of_network) = network.enter() {
            self.connection(stream, peer, Some(of_network), watcher).await;
            return drop(place);
        }
        // Those who wait for their own network keep no place from others.
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
                    // The client may be gone.
                    let _ = stream.write_all(&reply::crowded()).await;
                    let _ = stream.shutdown().await;
                }
            }
        }
    }

    async fn wait_for(&self, network: &Arc<Network>) -> Option<(NetworkPermit, ConnectionPermit)> {
        let of_network = self.connections.wait_for(network).await?;
        Some((of_network, self.connections.take().await?))
    }

    async fn connection(&self, stream: TcpStream, peer: Peer, place: Option<NetworkPermit>, watcher: Watcher) {
        let Some(tls) = &self.tls else {
            return self.converse(stream, watcher, peer, place, false).await;
        };
        let over_http = Peer { https: false, ..peer };
        let mut accepting = self.accepting.clone();
        let limit = Duration::from_secs_f64(self.limits.header_seconds);
        let opened = tokio::select! {
            opened = tokio::time::timeout(limit, open(stream, tls)) => opened,
            // The shutdown doesn't wait for a client that hasn't asked yet.
            _ = accepting.changed() => return,
        };
        match opened {
            Ok(Ok(Opened::Https(stream))) => self.converse(stream, watcher, peer, place, false).await,
            Ok(Ok(Opened::Http(stream))) if tls.serves_http => {
                self.converse(stream, watcher, over_http, place, false).await;
            }
            Ok(Ok(Opened::Http(stream))) => self.converse(stream, watcher, peer, place, true).await,
            // A failed handshake is the client's business.
            Ok(Err(_)) | Err(_) => {}
        }
    }

    /// Answers the requests of a connection; when it `is_astray`, only with the way to https.
    async fn converse<S>(&self, stream: S, watcher: Watcher, peer: Peer, place: Option<NetworkPermit>, is_astray: bool)
    where
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
            let begun = exchange.begin();
            request.extensions_mut().insert(peer);
            let answer = if is_astray {
                Err(reply::only_https(request.method(), request.uri(), request.headers()))
            } else if !has_one_host(&request) {
                Err(reply::bad_request(StatusCode::BAD_REQUEST))
            } else if request.uri().path().starts_with('/') {
                Ok(answer.call(request))
            } else {
                // warp panics on a target that is no path, as CONNECT has it.
                Err(reply::not_for_us())
            };
            async move {
                let response = match answer {
                    Ok(answer) => answer.await,
                    Err(response) => Ok(response),
                };
                response.map(|response| begun.until_sent(response))
            }
        });
        let conversation = self.protocol.serve_connection(TokioIo::new(stream), service);
        // How a connection ends is the client's business.
        if let Err(error) = watcher.watch(conversation).await {
            tracing::debug!("a connection from {} was broken off: {error}", peer.address);
        }
    }
}

/// RFC 9112, section 3.2. Programs that still speak HTTP/1.0 may leave it out.
fn has_one_host(request: &hyper::Request<Incoming>) -> bool {
    match request.headers().get_all(HOST).iter().count() {
        0 => request.version() == Version::HTTP_10,
        hosts => hosts == 1,
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
