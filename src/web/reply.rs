//! Answers: JSON, text, errors with their status, and the headers that every answer carries. Knows no call.

use std::io;

use futures_util::{Stream, StreamExt as _};
use serde::Serialize;
use warp::Reply as _;
use warp::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName,
    LOCATION, REFERRER_POLICY, RETRY_AFTER, SET_COOKIE, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use warp::http::uri::PathAndQuery;
use warp::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use warp::reply::Response;

use super::channel_body::ChannelBody;
use super::content::{self, Content};
use super::cookies;
use super::gzip::{self, GzipStream};
use super::streamed::{List, StreamedBody};
use fluglog_base::error::{Error, Result};
use fluglog_base::limits::permits::Permit;
use fluglog_config::public_url::PublicUrl;
use fluglog_store::blobs::Blobs;

/// Names the field that broke a rule, so that the form shows the error beside it.
const X_FIELD: HeaderName = HeaderName::from_static("x-field");

/// Marks every answer as Fluglog's. The user interface takes an answer without it for one of a captive portal or proxy.
const X_FLUGLOG: HeaderName = HeaderName::from_static("x-fluglog");

/// Makes the browser forget what it cached of the app's answers.
pub const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");
/// Denies other sites' windows a reference to the app's.
const CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Content security policy: nothing from other origins, no inline script. The two hashes allow exactly the style
/// elements that react-aria-components inserts (touch-action for pressable elements, overscroll behaviour on iOS).
pub(super) const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' \
    'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'self'; \
    object-src 'none'; frame-ancestors 'none'";

const JSON: &str = "application/json; charset=utf-8";
/// Length from which a complete answer is spooled to the disk.
const SPOOL_THRESHOLD_BYTES: usize = 256 * 1024;
/// Media type of a file that browsers don't display.
pub const OCTET_STREAM: &str = "application/octet-stream";

/// The answer of a call.
#[derive(Debug)]
pub struct Reply {
    status: StatusCode,
    content_type: &'static str,
    body: Body,
    headers: Vec<(HeaderName, HeaderValue)>,
    cookies: Vec<Cookie>,
    allowed: RevocationCheck,
}

#[derive(Debug)]
enum Body {
    Bytes(Vec<u8>),
    File(Content),
    Streamed(StreamedBody),
    Channel(ChannelBody),
}

/// Whether an answer that is being sent may go on; checked before each piece.
#[derive(Default)]
struct RevocationCheck(Option<Box<dyn Fn() -> bool + Send + Sync>>);

impl RevocationCheck {
    fn guard<P>(
        self,
        pieces: impl Stream<Item = io::Result<P>> + Send + Sync + 'static,
    ) -> impl Stream<Item = io::Result<P>> + Send + Sync + 'static {
        pieces.map(move |piece| match &self.0 {
            Some(allowed) if !allowed() => Err(io::ErrorKind::PermissionDenied.into()),
            _ => piece,
        })
    }
}

impl std::fmt::Debug for RevocationCheck {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("to be asked")
    }
}

/// A cookie's new value; `None` removes it.
type Cookie = (cookies::Name, Option<String>);

impl Reply {
    /// Serializes a value as JSON.
    ///
    /// # Errors
    /// The value can't be serialized, which is a bug.
    pub fn json(status: StatusCode, value: &impl Serialize) -> Result<Reply> {
        Ok(Reply::new(status, JSON, json(value)?))
    }

    /// Serializes a list, or a value whose last field is one; a long list is generated while it is sent. `empty` is the
    /// value with an empty list. `more` returns at most as many further items as its argument says, and none at the
    /// end.
    ///
    /// # Errors
    /// Passes on the error of `more`.
    pub fn json_list<T: Serialize>(
        empty: &impl Serialize,
        more: impl FnMut(usize) -> Result<Vec<T>> + Send + Sync + 'static,
    ) -> Result<Reply> {
        let body = match List::of(json(empty)?, more)? {
            List::Short(json) => Body::Bytes(json),
            List::Long(pieces) => Body::Streamed(pieces),
        };
        Ok(Reply {
            body,
            ..Reply::new(StatusCode::OK, JSON, Vec::new())
        })
    }

    /// Compresses the body with gzip unless it is short or a file. `permit` is asked for the memory that compressing a
    /// long one takes until it is sent; without a permit the body stays uncompressed.
    #[must_use]
    pub fn gzipped(mut self, permit: impl FnOnce() -> Option<Permit>) -> Reply {
        self.body = match self.body {
            Body::Bytes(bytes) if bytes.len() >= gzip::MIN_BYTES => {
                let mut encoder = GzipStream::new();
                let mut packed = encoder.piece(&bytes);
                packed.extend(encoder.end());
                Body::Bytes(packed)
            }
            Body::Streamed(pieces) => match permit() {
                Some(permit) => Body::Streamed(pieces.gzipped(permit)),
                None => {
                    self.body = Body::Streamed(pieces);
                    return self;
                }
            },
            body => {
                self.body = body;
                return self;
            }
        };
        self.headers.push((CONTENT_ENCODING, HeaderValue::from_static("gzip")));
        self
    }

    /// Spools a large body to the disk while it waits for its client: many slow clients would fill the memory. Stays in
    /// memory if the disk is full.
    #[must_use]
    pub fn spooled(self, blobs: &Blobs) -> Reply {
        let Body::Bytes(bytes) = &self.body else {
            return self;
        };
        if bytes.len() < SPOOL_THRESHOLD_BYTES {
            return self;
        }
        let spool = || {
            let mut spool = blobs.begin()?;
            spool.write(bytes)?;
            // Dropping `spool` removes the file's name; its space is freed with the last reader.
            Ok::<_, Error>(Content::verified((spool.read()?, spool.bytes())))
        };
        match spool() {
            Ok(content) => Reply {
                body: Body::File(content),
                ..self
            },
            Err(_) => self,
        }
    }

    /// A reply of plain text.
    #[must_use]
    pub fn text(status: StatusCode, text: impl Into<String>) -> Reply {
        Reply::new(status, "text/plain; charset=utf-8", text.into().into_bytes())
    }

    /// A reply without a body.
    #[must_use]
    pub fn empty(status: StatusCode) -> Reply {
        Reply::text(status, "")
    }

    /// Turns an error into its sentence. Details are logged once and not sent.
    #[must_use]
    pub fn error(error: &Error) -> Reply {
        if let Error::Busy(cause) | Error::Internal(cause) | Error::DiskFull(cause) = error {
            tracing::error!("{cause}");
        }
        Reply::text(status(error), error.sentence())
    }

    /// Replaces the status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Reply {
        Reply { status, ..self }
    }

    fn new(status: StatusCode, content_type: &'static str, body: Vec<u8>) -> Reply {
        Reply {
            status,
            content_type,
            body: Body::Bytes(body),
            headers: Vec::new(),
            cookies: Vec::new(),
            allowed: RevocationCheck::default(),
        }
    }

    /// Ends the body when permission is revoked: `allowed` is asked before each piece of a streamed body.
    #[must_use]
    pub fn until_revoked(self, allowed: impl Fn() -> bool + Send + Sync + 'static) -> Reply {
        let allowed = RevocationCheck(Some(Box::new(allowed)));
        Reply { allowed, ..self }
    }

    /// Replies with a file, read while it is sent.
    #[must_use]
    pub fn file(content_type: &'static str, content: Content) -> Reply {
        Reply {
            body: Body::File(content),
            ..Reply::new(StatusCode::OK, content_type, Vec::new())
        }
    }

    /// Replies with a file of any kind that is in memory.
    #[must_use]
    pub fn bytes(file: Vec<u8>) -> Reply {
        Reply::new(StatusCode::OK, OCTET_STREAM, file)
    }

    /// Replies with a file of any kind and unknown length, written while it is sent. If `write` fails, the answer is
    /// cut off, so that it can't pass for complete.
    #[must_use]
    pub fn written(write: impl FnOnce(&mut dyn io::Write) -> Result<()> + Send + 'static) -> Reply {
        Reply {
            body: Body::Channel(ChannelBody::by(write)),
            ..Reply::new(StatusCode::OK, OCTET_STREAM, Vec::new())
        }
    }

    /// Adds a header, replacing the default of that name. A value that isn't valid in a header is ignored.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: &str) -> Reply {
        self.headers
            .extend(HeaderValue::from_str(value).map(|value| (name, value)).ok());
        self
    }

    /// Sets a cookie.
    #[must_use]
    pub fn with_cookie(mut self, name: cookies::Name, value: &str) -> Reply {
        self.cookies.push((name, Some(value.to_owned())));
        self
    }

    /// Removes a cookie.
    #[must_use]
    pub fn without_cookie(mut self, name: cookies::Name) -> Reply {
        self.cookies.push((name, None));
        self
    }

    /// Builds the HTTP response of a reply without cookies; no cache may store it.
    #[must_use]
    pub fn into_response(self) -> Response {
        self.into_response_over(false)
    }

    /// Builds the HTTP response with cookies for http or https; no cache may store it.
    #[must_use]
    pub fn into_response_over(self, https: bool) -> Response {
        let mut response = match self.body {
            Body::Bytes(bytes) => Response::new(bytes.into()),
            Body::File(content) => {
                let length = HeaderValue::from(content.bytes);
                let pieces = self.allowed.guard(content::chunks(content));
                let mut response = warp::reply::stream(pieces).into_response();
                response.headers_mut().insert(CONTENT_LENGTH, length);
                response
            }
            Body::Streamed(pieces) => warp::reply::stream(self.allowed.guard(pieces.sent())).into_response(),
            Body::Channel(written) => warp::reply::stream(self.allowed.guard(written.sent())).into_response(),
        };
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        for (name, value) in self.headers {
            headers.insert(name, value);
        }
        for (name, value) in &self.cookies {
            let cookie = match value {
                Some(value) => cookies::set(*name, value, https),
                None => cookies::remove(*name, https),
            };
            // Cookie names and hexadecimal values are always valid in a header.
            if let Ok(value) = HeaderValue::from_str(&cookie) {
                headers.append(SET_COOKIE, value);
            }
        }
        response
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| Error::Internal(format!("no JSON: {error}")))
}

/// Turns an error into a response with the headers that belong to it.
#[must_use]
pub fn error(error: &Error) -> Response {
    let mut response = Reply::error(error).into_response();
    let headers = response.headers_mut();
    match error {
        Error::RateLimited { retry_after_seconds } => {
            headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_seconds));
        }
        Error::Invalid { field: Some(field), .. } => {
            headers.insert(X_FIELD, HeaderValue::from_static(field));
        }
        Error::Busy(_) | Error::TooManyRequests | Error::ResourceBusy(_) => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        _ => {}
    }
    response
}

/// The raw HTTP response that refuses a connection over the limit; its request isn't read.
#[must_use]
pub(crate) fn too_many_connections() -> Vec<u8> {
    raw_and_close(error(&Error::TooManyRequests), fluglog_base::text::CROWDED)
}

/// The response to a request that breaks the rules of HTTP.
#[must_use]
pub(crate) fn bad_request(status: StatusCode) -> Response {
    let mut response = Reply::text(status, fluglog_base::text::BAD_REQUEST).into_response();
    set_common_headers(response.headers_mut(), false);
    response
}

/// Like [`bad_request`], but as raw HTTP bytes; the connection is closed after them.
#[must_use]
pub(crate) fn unreadable_request(status: StatusCode) -> Vec<u8> {
    raw_and_close(bad_request(status), fluglog_base::text::BAD_REQUEST)
}

fn raw_and_close(mut answer: Response, sentence: &str) -> Vec<u8> {
    set_common_headers(answer.headers_mut(), false);
    let mut bytes = format!("HTTP/1.1 {}\r\nconnection: close\r\n", answer.status()).into_bytes();
    answer.headers_mut().remove(CONTENT_LENGTH);
    for (name, value) in answer.headers() {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend(format!("content-length: {}\r\n\r\n{sentence}", sentence.len()).into_bytes());
    bytes
}

/// The response to a request target that is no path, with the headers of every response.
#[must_use]
pub(crate) fn invalid_target() -> Response {
    let mut response = method_not_allowed("GET, HEAD, POST");
    set_common_headers(response.headers_mut(), false);
    response
}

/// The response to plain HTTP on a port for https: a redirect to the https address, or an error sentence where there is
/// none.
#[must_use]
pub(crate) fn https_redirect(method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let origin = host.and_then(|host| PublicUrl::parse(&format!("https://{host}")));
    let path = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    let location = origin
        .filter(|_| matches!(*method, Method::GET | Method::HEAD))
        .and_then(|origin| HeaderValue::from_str(&format!("{}{path}", origin.as_str())).ok());
    let mut response = match location {
        Some(location) => {
            // A temporary redirect: the admin may turn https off again.
            let mut response = Reply::empty(StatusCode::TEMPORARY_REDIRECT).into_response();
            response.headers_mut().insert(LOCATION, location);
            response
        }
        None => Reply::text(StatusCode::BAD_REQUEST, fluglog_base::text::ONLY_HTTPS).into_response(),
    };
    set_common_headers(response.headers_mut(), false);
    response
}

/// The response to an unsupported method.
#[must_use]
pub fn method_not_allowed(allowed: &'static str) -> Response {
    let mut response = Reply::text(StatusCode::METHOD_NOT_ALLOWED, fluglog_base::text::WRONG_METHOD).into_response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

fn status(error: &Error) -> StatusCode {
    match error {
        Error::Invalid { .. } => StatusCode::BAD_REQUEST,
        Error::NotLoggedIn | Error::LoginRefused => StatusCode::UNAUTHORIZED,
        Error::NotFound | Error::ConfirmationRequired | Error::CrossSite => StatusCode::FORBIDDEN,
        Error::Disabled(_) | Error::Sticker(_) | Error::Forbidden(_) => StatusCode::FORBIDDEN,
        Error::Conflict(_) | Error::InUse(_) | Error::Repeated => StatusCode::CONFLICT,
        Error::TooLarge | Error::FilesTooLarge(_) | Error::QuotaUsedUp(_) => StatusCode::PAYLOAD_TOO_LARGE,
        Error::WrongContentType | Error::UnsupportedFile(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Error::Gone(_) => StatusCode::GONE,
        Error::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
        Error::Busy(_) | Error::TooManyRequests | Error::ResourceBusy(_) | Error::DiskFull(_) | Error::ReadOnly => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Isolates a page from other sites' windows. Only for https: over http browsers ignore the header and log a warning.
pub fn set_opener_policy(headers: &mut HeaderMap) {
    headers.insert(CROSS_ORIGIN_OPENER_POLICY, HeaderValue::from_static("same-origin"));
}

/// Sets the headers of every response: Fluglog's mark and those for security.
pub fn set_common_headers(headers: &mut HeaderMap, public_url_is_https: bool) {
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(CONTENT_POLICY));
    headers.insert(X_FLUGLOG, HeaderValue::from_static("1"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    if public_url_is_https {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}
