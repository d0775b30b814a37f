//! Requests to the server of a target, and what its refusals mean. Nothing of an archive is kept in memory here.

use std::io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable};
use std::time::Duration;

use chrono::{DateTime, Utc};
use ureq::http::{Request, Response, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, AsSendBody, Body, Error};
use url::Url;

use super::model::{Result, TargetError};

const CONNECT_LIMIT: Duration = Duration::from_secs(20);
/// A server may copy the whole of an archive before it answers.
const STANDSTILL_LIMIT: Duration = Duration::from_secs(300);
/// Bytes of an answer that isn't an archive: a list of thousands of files.
const ANSWER_MOST_BYTES: u64 = 16 * 1024 * 1024;
/// Stores take signed requests from clocks that are wrong by more than this.
const CLOCK_MOST_SECONDS: i64 = 5 * 60;

/// The server of a target.
pub struct Client {
    agent: Agent,
    host: String,
}

impl Client {
    /// For requests to the host of this address. `certificates` (PEM) are trusted in place of the public authorities,
    /// unless that is empty.
    pub fn new(url: &Url, certificates: &str) -> Client {
        let mut tls = TlsConfig::builder();
        if !certificates.is_empty() {
            let trusted = parse_pem(certificates.as_bytes()).filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            });
            tls = tls.root_certs(RootCerts::from(trusted));
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            // No setting says so.
            .proxy(None)
            // A password goes nowhere else.
            .max_redirects(0)
            .timeout_connect(Some(CONNECT_LIMIT))
            .timeout_per_read(Some(STANDSTILL_LIMIT))
            .timeout_per_write(Some(STANDSTILL_LIMIT))
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

    /// Sends a request; its answer, whatever the status.
    ///
    /// # Errors
    /// There is no answer.
    pub fn send(&self, request: Request<impl AsSendBody>) -> Result<Response<Body>> {
        self.agent.run(request).map_err(|error| {
            tracing::warn!("a request to {} failed: {error}", self.host);
            self.error_of(&error)
        })
    }

    /// The meaning of no answer.
    fn error_of(&self, error: &Error) -> TargetError {
        let io = match error {
            Error::Io(error) => Some(error),
            _ => None,
        };
        // The library has no kind for a name that nobody could look up.
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

/// The text of an answer.
///
/// # Errors
/// [`TargetError::ConnectionLost`].
pub fn text(answer: &mut Response<Body>) -> Result<String> {
    let body = answer.body_mut().with_config().limit(ANSWER_MOST_BYTES);
    body.read_to_string().map_err(|_| TargetError::ConnectionLost)
}

/// The meaning of a refused request.
#[must_use]
pub fn error_of_status(answer: &Response<Body>) -> TargetError {
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

/// Whether the server's clock shows another time.
#[must_use]
pub fn is_clock_wrong(answer: &Response<Body>) -> bool {
    let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
    let server = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok());
    server.is_some_and(|server| (Utc::now().timestamp() - server.timestamp()).abs() > CLOCK_MOST_SECONDS)
}
