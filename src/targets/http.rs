//! HTTP requests to a target's server, and the meaning of its error answers. Keeps no part of an archive in memory.

use std::io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable};
use std::io::Read;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use ureq::http::{Request, Response, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, AsSendBody, Body, Error};
use url::Url;

use super::model::{Result, TargetError};
use fluglog_base::limits::answers::Answer;

const CONNECT_LIMIT: Duration = Duration::from_secs(20);
/// Some servers copy the whole archive before they answer.
const STANDSTILL_LIMIT: Duration = Duration::from_secs(300);
const PIECE_BYTES: usize = 16 * 1024;
/// Clock skew below which a clock isn't to blame: stores accept signed requests with more.
const MAX_CLOCK_SECONDS: i64 = 5 * 60;

/// A client for the server of one target.
pub struct Client {
    agent: Agent,
    host: String,
}

impl Client {
    /// Makes a client for the host of `url`. `certificates` (PEM), unless empty, replace the public certificate
    /// authorities.
    pub fn new(url: &Url, certificates: &str) -> Client {
        let mut tls = TlsConfig::builder();
        if !certificates.is_empty() {
            let trusted = parse_pem(certificates.as_bytes()).filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            });
            tls = tls.root_certs(RootCerts::from(trusted));
        }
        let (head, archive) = (Answer::Head.budget(), Answer::Archive.budget());
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            // A proxy from the environment is ignored: no setting mentions it.
            .proxy(None)
            // Redirects aren't followed, so that the password goes to no other host.
            .max_redirects(0)
            .timeout_connect(Some(CONNECT_LIMIT))
            .timeout_per_read(Some(STANDSTILL_LIMIT))
            .timeout_per_write(Some(STANDSTILL_LIMIT))
            .max_response_header_size(usize::try_from(head.bytes).unwrap_or(usize::MAX))
            .timeout_recv_response(Some(head.time))
            // However small its steps are.
            .timeout_send_body(Some(archive.time))
            .timeout_recv_body(Some(archive.time))
            .user_agent(concat!("fluglog/", env!("CARGO_PKG_VERSION")))
            .accept_encoding("identity")
            .tls_config(tls.build())
            .build()
            .new_agent();
        Client {
            agent,
            host: url.host_str().unwrap_or_default().to_owned(),
        }
    }

    /// Sends a request and returns the answer, whatever its status.
    ///
    /// # Errors
    /// No answer arrives.
    pub fn send(&self, request: Request<impl AsSendBody>) -> Result<Response<Body>> {
        self.agent.run(request).map_err(|error| {
            tracing::warn!("a request to {} failed: {error}", self.host);
            self.error_of(&error)
        })
    }

    /// Maps a failed request to its cause.
    fn error_of(&self, error: &Error) -> TargetError {
        let io = match error {
            Error::Io(error) => Some(error),
            _ => None,
        };
        // The library has no error kind for a failed name lookup.
        let is_unknown = |error: &std::io::Error| error.to_string().contains("lookup address");
        let of_certificate = |error: &std::io::Error| error.to_string().contains("certificate");
        let is_away =
            |error: &std::io::Error| matches!(error.kind(), ConnectionRefused | HostUnreachable | NetworkUnreachable);
        match error {
            Error::HostNotFound | Error::ConnectionFailed | Error::Timeout(ureq::Timeout::Connect) => {
                TargetError::Unreachable(self.host.clone())
            }
            Error::Rustls(_) | Error::Tls(_) => TargetError::Untrusted(self.host.clone()),
            _ if io.is_some_and(is_away) || io.is_some_and(is_unknown) => TargetError::Unreachable(self.host.clone()),
            _ if io.is_some_and(of_certificate) => TargetError::Untrusted(self.host.clone()),
            _ => TargetError::ConnectionLost,
        }
    }
}

/// Reads an answer as text, within its budget.
///
/// # Errors
/// [`TargetError::ConnectionLost`].
pub fn text(answer: &mut Response<Body>, kind: Answer) -> Result<String> {
    let begun = Instant::now();
    let most = kind.budget();
    let mut body = answer.body_mut().with_config().limit(most.bytes).reader();
    let mut text = Vec::new();
    let mut piece = [0; PIECE_BYTES];
    loop {
        match body.read(&mut piece) {
            Ok(0) => return Ok(String::from_utf8_lossy(&text).into_owned()),
            Ok(length) if begun.elapsed() < most.time => text.extend_from_slice(&piece[..length]),
            _ => return Err(TargetError::ConnectionLost),
        }
    }
}

/// Returns the content of an archive, which is an error where it exceeds its budget.
#[must_use]
pub fn archive(answer: Response<Body>) -> Box<dyn Read> {
    let most = Answer::Archive.budget().bytes;
    Box::new(answer.into_body().into_with_config().limit(most).reader())
}

/// Maps the status of an error answer to its cause.
#[must_use]
pub(crate) fn error_of_status(answer: &Response<Body>) -> TargetError {
    let status = answer.status().as_u16();
    tracing::warn!("a target answered {status}");
    match status {
        401 => TargetError::Unauthorized,
        403 => TargetError::Forbidden,
        404 | 409 | 410 => TargetError::FolderMissing,
        413 => TargetError::TooLarge,
        507 => TargetError::Full,
        300..=399 => {
            let location = answer.headers().get(header::LOCATION);
            let location = location.and_then(|location| location.to_str().ok());
            TargetError::Redirected(location.unwrap_or_default().chars().take(200).collect())
        }
        other => TargetError::UnexpectedStatus(other),
    }
}

/// Whether the answer's `Date` header differs too much from this machine's clock.
#[must_use]
pub(crate) fn is_clock_wrong(answer: &Response<Body>) -> bool {
    let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
    let server = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok());
    server.is_some_and(|server| (Utc::now().timestamp() - server.timestamp()).abs() > MAX_CLOCK_SECONDS)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::*;

    /// A server that says `begin` to a request and then `again` for as long as somebody reads it.
    fn talks_for_ever(begin: &'static str, again: &'static [u8]) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(begin.as_bytes());
            let piece = again.repeat(1000);
            while stream.write_all(&piece).is_ok() {}
        });
        Url::parse(&url).unwrap()
    }

    fn ask(url: &Url) -> Result<Response<Body>> {
        let request = Request::builder().uri(url.as_str()).body(()).unwrap();
        Client::new(url, "").send(request)
    }

    #[test]
    fn answers_without_end_are_read_as_far_as_their_budgets_go() {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
        for kind in [Answer::Receipt, Answer::List] {
            let mut answer = ask(&talks_for_ever(head, b"<Contents>")).unwrap();
            assert!(
                matches!(text(&mut answer, kind), Err(TargetError::ConnectionLost)),
                "{kind:?}"
            );
        }
        let headers = talks_for_ever("HTTP/1.1 200 OK\r\n", b"X-Again: and again\r\n");
        assert!(ask(&headers).is_err());
        let line = talks_for_ever("HTTP/1.1 200 OK\r\nX-Long: ", b"xxxxxxxxxx");
        assert!(ask(&line).is_err());
        let interim = talks_for_ever("", b"HTTP/1.1 103 Early Hints\r\n\r\n");
        assert!(ask(&interim).is_err());
    }
}
