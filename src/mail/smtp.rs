//! A single attempt to hand a mail to the mail server. Knows no queue and no text.

use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{Error, response::Response};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use super::bounded::Bounded;
use super::outcome::{Cause, Failure, Step};
use fluglog_base::limits::answers::Answer;
use fluglog_config::smtp::{Encryption, Smtp};

/// Time to wait for the answer to QUIT; the server has accepted the mail before.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Most characters of a server's answer that are repeated.
const MAX_ANSWER_CHARACTERS: usize = 300;

/// Sends a mail and returns the server's answer. Takes at most `timeout_seconds`, however slow or silent the server is.
///
/// Runs on a thread of its own, which ends with the attempt: lettre parses all lines of an answer again whenever
/// another one arrives, so a server that sends many lines would delay the answers to pilots.
///
/// # Errors
/// The server can't be reached, or refuses the mail.
pub async fn send(smtp: &Smtp, message: Message) -> Result<String, Failure> {
    let (mut result, sent) = oneshot::channel();
    let smtp = smtp.clone();
    let on_its_thread = move || {
        let runtime = match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(result.send(Err(system(&error)))),
        };
        runtime.block_on(async {
            tokio::select! {
                // The caller was dropped because the server stops.
                () = result.closed() => {}
                answer = converse(&smtp, &message) => drop(result.send(answer)),
            }
        });
    };
    std::thread::Builder::new()
        .name("mail".to_owned())
        .spawn(on_its_thread)
        .map_err(|error| system(&error))?;
    sent.await
        .unwrap_or_else(|_| Err(system(&"der Versand wurde abgebrochen")))
}

fn system(error: &impl ToString) -> Failure {
    Failure::System(error.to_string())
}

async fn converse(smtp: &Smtp, message: &Message) -> Result<String, Failure> {
    let limit = Duration::from_secs_f64(smtp.timeout_seconds).min(Answer::Mail.budget().time);
    let answered = tokio::time::timeout(limit, attempt(smtp, message)).await;
    let (mut connection, answer) = answered.map_err(|_| Failure::Silence(server(smtp), smtp.timeout_seconds))??;
    // Best effort: the mail has been accepted.
    let _ = tokio::time::timeout(QUIT_TIMEOUT, connection.quit()).await;
    Ok(answer)
}

async fn attempt(smtp: &Smtp, message: &Message) -> Result<(AsyncSmtpConnection, String), Failure> {
    let host = smtp.host.as_str();
    let lost = |error: io::Error| explain_connection(smtp, &error);
    let stream = TcpStream::connect((host, smtp.effective_port())).await.map_err(lost)?;
    let address = stream.peer_addr().map_err(lost)?;
    let stream: Box<dyn AsyncTokioStream> = match smtp.encryption {
        Encryption::None => Box::new(Bounded::new(stream, address, true)),
        Encryption::StartTls => Box::new(Bounded::new(stream, address, false)),
        Encryption::Tls => {
            let name = ServerName::try_from(host.to_owned()).map_err(|error| lost(io::Error::other(error)))?;
            let connector = tls_connector(smtp).map_err(|error| lost(io::Error::other(error)))?;
            let encrypted = connector.connect(name, stream).await.map_err(lost)?;
            Box::new(Bounded::new(encrypted, address, true))
        }
    };
    talk(stream, smtp, message).await
}

/// Hands over a mail to the server behind a connection.
pub(super) async fn talk(
    stream: Box<dyn AsyncTokioStream>,
    smtp: &Smtp,
    message: &Message,
) -> Result<(AsyncSmtpConnection, String), Failure> {
    let hello = ClientId::Domain(host_name().unwrap_or_else(|| "localhost".to_owned()));
    let explain = |error: Error| explain(smtp, &error);
    let mut connection = AsyncSmtpConnection::connect_with_transport(stream, &hello)
        .await
        .map_err(explain)?;
    if smtp.encryption == Encryption::StartTls {
        if !connection.can_starttls() {
            return Err(Failure::NoStartTls(smtp.host.clone()));
        }
        let tls = tls_parameters(smtp).map_err(explain)?;
        connection.starttls(tls, &hello).await.map_err(explain)?;
    }
    if !smtp.user.is_empty() {
        let credentials = Credentials::new(smtp.user.clone(), smtp.password.secret().to_owned());
        connection
            .auth(DEFAULT_MECHANISMS, &credentials)
            .await
            .map_err(explain)?;
    }
    let response = connection
        .send(message.envelope(), &message.formatted())
        .await
        .map_err(explain)?;
    Ok((connection, answer_of(&response)))
}

/// Sets up TLS from the start; certificates are verified as by [`tls_parameters`].
fn tls_connector(smtp: &Smtp) -> Result<TlsConnector, rustls::Error> {
    let mut trusted = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    for certificate in CertificateDer::pem_slice_iter(smtp.ca_certificates.as_bytes()).flatten() {
        trusted.add(certificate)?;
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(trusted)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Sets up TLS for STARTTLS; certificates are verified against the public authorities and the admin's own.
fn tls_parameters(smtp: &Smtp) -> Result<TlsParameters, Error> {
    let mut parameters = TlsParameters::builder(smtp.host.clone());
    if !smtp.ca_certificates.is_empty() {
        parameters = parameters.add_root_certificate(Certificate::from_pem(smtp.ca_certificates.as_bytes())?);
    }
    parameters.build_rustls()
}

fn host_name() -> Option<String> {
    hostname::get()
        .ok()?
        .into_string()
        .ok()
        .filter(|name| name.is_ascii() && !name.is_empty())
}

fn answer_of(response: &Response) -> String {
    let lines: Vec<_> = response.message().collect();
    shortened(&format!("{} {}", response.code(), lines.join(" ")))
}

/// Converts an error of lettre, keeping the server's words if there are any.
fn explain(smtp: &Smtp, error: &Error) -> Failure {
    let server = server(smtp);
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    if let Some(code) = error.status() {
        return Failure::Refused(server, shortened(&format!("{code} {cause}")));
    }
    if let Some(refusal) = refused_certificate(error) {
        return Failure::Certificate(server, shortened(&refusal));
    }
    let step = if error.is_tls() {
        Step::Encryption
    } else if error.is_response() {
        Step::Answer
    } else if error.is_client() {
        Step::Ability
    } else {
        Step::Connection
    };
    let cause = of_the_network(error).unwrap_or_else(|| Cause::Other(shortened(&cause)));
    Failure::Broken(server, step, cause)
}

fn server(smtp: &Smtp) -> String {
    format!("{}:{}", smtp.host, smtp.effective_port())
}

/// Converts an error of the connection itself.
fn explain_connection(smtp: &Smtp, error: &io::Error) -> Failure {
    let server = server(smtp);
    if let Some(refusal) = refused_certificate(error) {
        return Failure::Certificate(server, shortened(&refusal));
    }
    let cause = of_the_network(error).unwrap_or_else(|| Cause::Other(shortened(&error.to_string())));
    Failure::Broken(server, Step::Connection, cause)
}

/// Returns an error and its causes that are errors of the system.
fn io_errors<'e>(error: &'e (dyn std::error::Error + 'static)) -> impl Iterator<Item = &'e io::Error> {
    let causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes.filter_map(|cause| cause.downcast_ref::<io::Error>())
}

/// Returns the cause if it is a network error.
fn of_the_network(error: &(dyn std::error::Error + 'static)) -> Option<Cause> {
    let error = io_errors(error).next()?;
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(Cause::NobodyListens),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
            Some(Cause::HungUp)
        }
        io::ErrorKind::UnexpectedEof => Some(Cause::HungUpMidway),
        io::ErrorKind::TimedOut => Some(Cause::NoAnswer),
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::NetworkDown => {
            Some(Cause::NoRoute)
        }
        // getaddrinfo(3) has error codes of its own, which arrive only as text.
        _ if error.to_string().contains("lookup address") => Some(Cause::UnknownName),
        _ => None,
    }
}

/// Returns why the server's certificate isn't trusted, if that was the error.
fn refused_certificate(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    io_errors(error)
        .filter_map(|error| error.get_ref()?.downcast_ref())
        .find(|cause| matches!(cause, rustls::Error::InvalidCertificate(_)))
        .map(ToString::to_string)
}

/// Reduces a server's answer to one short line.
fn shortened(text: &str) -> String {
    text.chars()
        .take(MAX_ANSWER_CHARACTERS)
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}
