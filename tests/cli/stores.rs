//! Servers for backups: a WebDAV server (`dav-server`) and an S3-compatible one (`s3s-fs`) over a folder of the test,
//! which can be made to fail like real ones.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::task::{Context, Poll};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use dav_server::DavHandler;
use dav_server::fakels::FakeLs;
use dav_server::localfs::LocalFs;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{AUTHORIZATION, CONTENT_LENGTH};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

pub const USER: &str = "ada";
pub const SECRET: &str = "Rotorblatt-42";
pub const BUCKET: &str = "sicherungen";

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Answer = Response<UnsyncBoxBody<Bytes, Failure>>;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));

/// The error text of Amazon S3.
const SKEWED: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>RequestTimeTooSkewed</Code><Message>The \
    difference between the request time and the current time is too large.</Message></Error>";

/// Faults of a server.
#[derive(Default)]
pub struct Faults {
    /// Number of body bytes after which the server stops reading; 0 for never.
    pub stalls_after: AtomicU64,
    pub is_stalled: AtomicBool,
    /// Largest file that the server has room for, in bytes; 0 for no limit.
    pub room: AtomicU64,
    /// Whether the server's clock is so far ahead that it rejects all signatures.
    pub is_clock_ahead: AtomicBool,
    /// Methods and paths of all requests.
    pub requests: Mutex<Vec<String>>,
}

pub struct Store {
    pub folder: PathBuf,
    pub address: SocketAddr,
    pub faults: Arc<Faults>,
}

impl Store {
    /// The names of the files in the server's folder.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("the folder is read"))
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        names
    }

    /// The settings section for this server as a target, with its password.
    pub fn section(&self, name: &str, more: &str) -> String {
        let address = self.address;
        match self.folder.ends_with(BUCKET) {
            false => format!(
                "[backup.targets.{name}]\nkind = \"webdav\"\nurl = \"http://{address}/flug%20log\"\nuser = \"{USER}\"\n\
                 password = \"{SECRET}\"\n{more}\n"
            ),
            true => format!(
                "[backup.targets.{name}]\nkind = \"s3\"\nendpoint = \"http://{address}\"\nbucket = \"{BUCKET}\"\n\
                 access_key = \"{USER}\"\nsecret_key = \"{SECRET}\"\n{more}\n"
            ),
        }
    }
}

/// A WebDAV server over a folder; archives go to `flug log`, which doesn't exist yet.
pub fn webdav(root: &Path) -> Store {
    let handler = DavHandler::builder()
        .filesystem(LocalFs::new(root, false, false, false))
        .locksystem(FakeLs::new())
        .build_handler();
    let expected = format!("Basic {}", BASE64.encode(format!("{USER}:{SECRET}")));
    let (address, faults) = serve(move |request: Request<Sent>, faults: Arc<Faults>| {
        let (handler, expected) = (handler.clone(), expected.clone());
        async move {
            let is_known = request
                .headers()
                .get(AUTHORIZATION)
                .is_some_and(|given| *given == *expected);
            if !is_known {
                return answer(401, "");
            }
            if is_too_much(&request, &faults) {
                return answer(507, "");
            }
            handler.handle(request).await.map(boxed)
        }
    });
    Store {
        folder: root.join("flug log"),
        address,
        faults,
    }
}

/// An S3-compatible server over a folder, with one bucket.
pub fn s3(root: &Path) -> Store {
    let folder = root.join(BUCKET);
    std::fs::create_dir_all(&folder).expect("the bucket is made");
    let files = s3s_fs::FileSystem::new(root).expect("the folder is served");
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(USER, SECRET));
    let service = builder.build();
    let (address, faults) = serve(move |request: Request<Sent>, faults: Arc<Faults>| {
        let service = service.clone();
        async move {
            if faults.is_clock_ahead.load(Ordering::SeqCst) {
                return answer(403, SKEWED);
            }
            if is_too_much(&request, &faults) {
                return answer(403, "<Error><Code>QuotaExceeded</Code></Error>");
            }
            match service.call(request.map(s3s::Body::http_body_unsync)).await {
                Ok(done) => done.map(boxed),
                Err(_) => answer(500, ""),
            }
        }
    });
    Store {
        folder,
        address,
        faults,
    }
}

fn is_too_much(request: &Request<Sent>, faults: &Faults) -> bool {
    let length = request
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    let room = faults.room.load(Ordering::SeqCst);
    request.method() == Method::PUT && room > 0 && length.unwrap_or(0) > room
}

fn answer(status: u16, text: &str) -> Answer {
    let body = boxed(Full::new(Bytes::from(text.to_owned())));
    Response::builder().status(status).body(body).expect("an answer")
}

fn boxed<B>(body: B) -> UnsyncBoxBody<Bytes, Failure>
where
    B: Body<Data = Bytes, Error: Into<Failure>> + Send + 'static,
{
    body.map_err(Into::into).boxed_unsync()
}

/// A request body that is no longer read after the number of bytes set in the faults.
struct Sent {
    inner: Incoming,
    faults: Arc<Faults>,
    bytes: u64,
}

impl Body for Sent {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let most = self.faults.stalls_after.load(Ordering::SeqCst);
        if most > 0 && self.bytes > most {
            self.faults.is_stalled.store(true, Ordering::SeqCst);
            return Poll::Pending;
        }
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Serves on a free port as long as the test program runs.
fn serve<H, F>(handle: H) -> (SocketAddr, Arc<Faults>)
where
    H: Fn(Request<Sent>, Arc<Faults>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let faults = Arc::new(Faults::default());
    let listener = RUNTIME.block_on(TcpListener::bind("127.0.0.1:0")).expect("a free port");
    let address = listener.local_addr().expect("an address");
    let shared = Arc::clone(&faults);
    RUNTIME.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (handle, faults) = (handle.clone(), Arc::clone(&shared));
            let service = service_fn(move |request: Request<Incoming>| {
                let line = format!("{} {}", request.method(), request.uri().path());
                faults.requests.lock().expect("no handler panics").push(line);
                let body = |inner| Sent {
                    inner,
                    faults: Arc::clone(&faults),
                    bytes: 0,
                };
                let answer = handle(request.map(body), Arc::clone(&faults));
                async move { Ok::<_, Infallible>(answer.await) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    (address, faults)
}
