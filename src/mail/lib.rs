//! Mails: their texts, and a single attempt to send one, to the mail server or into the outbox. Knows no user and no
//! table: recipients, queueing and retries belong to `mail_queue`.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod address;
pub mod letter;
pub mod outcome;
pub mod parse;
pub mod outbox;
mod bounded;
mod smtp;

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use lettre::Message;
use lettre::message::header::{ContentTransferEncoding, ContentType};
use lettre::message::{Body, Mailbox, MultiPart, SinglePart};
use tokio::io::{AsyncRead, AsyncWrite};

use bounded::Bounded;
use fluglog_base::id::new_uuid;
use fluglog_config::Config;
use fluglog_config::smtp::Smtp;
use letter::Mail;
use outcome::{Delivery, Failure};

/// Sends mails as configured.
pub struct Mailer {
    smtp: Smtp,
    outbox: PathBuf,
}

impl Mailer {
    /// Creates a mailer for these settings.
    #[must_use]
    pub fn new(config: &Config) -> Mailer {
        Mailer {
            smtp: config.smtp.clone(),
            outbox: config.data_dir.join(outbox::FOLDER_NAME),
        }
    }

    /// Tries once to send a mail, now. Without a mail server the mail becomes a file in the outbox.
    ///
    /// # Errors
    /// The mail was not sent, see [`Failure`].
    pub async fn send(&self, mail: &Mail) -> Result<Delivery, Failure> {
        let message = message(self.smtp.sender(), mail)?;
        if self.smtp.is_set() {
            return smtp::send(&self.smtp, message).await.map(Delivery::Accepted);
        }
        let (folder, bytes) = (self.outbox.clone(), message.formatted());
        let written = tokio::task::spawn_blocking(move || outbox::write(&folder, &bytes)).await;
        written
            .map_err(std::io::Error::other)
            .and_then(|written| written)
            .map(Delivery::Stored)
            .map_err(|error| Failure::Outbox(self.outbox.clone(), error.to_string()))
    }

    /// Hands a mail to the server behind a connection that is open already; returns its answer.
    ///
    /// # Errors
    /// As for [`Mailer::send`].
    pub async fn send_over<S>(&self, stream: S, mail: &Mail) -> Result<String, Failure>
    where
        S: AsyncRead + AsyncWrite + Send + Sync + Unpin + std::fmt::Debug + 'static,
    {
        let message = message(self.smtp.sender(), mail)?;
        let server = SocketAddr::from((Ipv4Addr::LOCALHOST, self.smtp.effective_port()));
        let stream = Box::new(Bounded::new(stream, server, true));
        smtp::talk(stream, &self.smtp, &message).await.map(|(_, answer)| answer)
    }

    /// Like [`Mailer::send`], but blocks; for commands, with or without an async runtime.
    ///
    /// # Errors
    /// As for [`Mailer::send`].
    pub fn send_blocking(&self, mail: &Mail) -> Result<Delivery, Failure> {
        wait_for(self.send(mail)).map_err(|error| Failure::System(error.to_string()))?
    }

    /// Returns the folder of mails that are kept as files instead of being sent.
    #[must_use]
    pub fn outbox(&self) -> &std::path::Path {
        &self.outbox
    }
}

/// Returns whether a mail can have this address at all.
#[must_use]
pub fn is_addressable(address: &str) -> bool {
    address.parse::<lettre::Address>().is_ok()
}

fn wait_for<T>(work: impl Future<Output = T>) -> std::io::Result<T> {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => Ok(runtime.block_on(work)),
        Err(_) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            Ok(runtime.block_on(work))
        }
    }
}

fn message(from: &str, mail: &Mail) -> Result<Message, Failure> {
    let unusable = |what: &str| Failure::Address(what.to_owned());
    let from: Mailbox = from.parse().map_err(|_| unusable(from))?;
    let to: Mailbox = mail.to.parse().map_err(|_| unusable(&mail.to))?;
    let id = format!("<{}@{}>", new_uuid().simple(), from.email.domain());
    Message::builder()
        .message_id(Some(id))
        .from(from)
        .to(to)
        .subject(mail.subject.as_str())
        .date_now()
        .multipart(
            MultiPart::alternative()
                .singlepart(part(ContentType::TEXT_PLAIN, &mail.text)?)
                .singlepart(part(ContentType::TEXT_HTML, &mail.html)?),
        )
        .map_err(|error| Failure::Composition(error.to_string()))
}

/// Uses quoted-printable throughout: every server accepts it, and `parse.rs` decodes it.
fn part(content_type: ContentType, text: &str) -> Result<SinglePart, Failure> {
    let body = Body::new_with_encoding(text.replace('\n', "\r\n"), ContentTransferEncoding::QuotedPrintable)
        .map_err(|_| Failure::Encoding)?;
    Ok(SinglePart::builder().content_type(content_type).body(body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_config::smtp::Encryption;

    fn mail() -> Mail {
        letter::LOGIN.to(
            "anna@example.org",
            &[
                ("nickname", "Änne = 🚁"),
                ("time", "01.07.2026 14:00"),
                ("browser", "Firefox"),
                (
                    "link",
                    "http://192.168.1.5:8080/app/loginConfirmation#0123456789abcdef0123456789abcdef",
                ),
            ],
        )
    }

    #[test]
    fn a_mail_reads_back_as_it_was_written() {
        let message = message("Fluglog <fluglog@localhost>", &mail()).unwrap();
        let formatted = String::from_utf8(message.formatted()).unwrap();
        assert!(formatted.is_ascii(), "every server takes it: {formatted}");
        let parsed = parse::parse(&formatted);
        assert_eq!(parsed.to, "anna@example.org");
        assert_eq!(parsed.subject, mail().subject);
        assert_eq!(parsed.text.trim_end(), mail().text.trim_end());
    }

    #[test]
    fn a_subject_needs_no_encoding() {
        for letter in [letter::LOGIN, letter::CODE, letter::PASSWORD, letter::TEST] {
            assert!(letter.to("a@b.de", &[]).subject.is_ascii());
        }
    }

    #[test]
    fn an_address_can_not_bring_a_header_along() {
        for to in ["a@b.de\r\nBcc: c@d.de", "a@b.de, c@d.de", ""] {
            let mail = Mail {
                to: to.to_owned(),
                ..mail()
            };
            assert!(message("f@b.de", &mail).is_err(), "{to}");
        }
    }

    fn mailer(smtp: Smtp) -> Mailer {
        Mailer::new(&Config {
            smtp,
            ..Config::default()
        })
    }

    #[tokio::test]
    async fn a_server_without_starttls_gets_nothing_where_starttls_is_demanded() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(b"220 hier\r\n").await.unwrap();
            let mut heard = Vec::new();
            let mut chunk = [0; 1024];
            while let Ok(length @ 1..) = stream.read(&mut chunk).await {
                heard.extend_from_slice(&chunk[..length]);
                if stream.write_all(b"250 AUTH PLAIN\r\n").await.is_err() {
                    break;
                }
            }
            String::from_utf8(heard).unwrap()
        });
        let mailer = mailer(Smtp {
            host: "127.0.0.1".to_owned(),
            port,
            encryption: Encryption::StartTls,
            user: "fluglog@example.org".to_owned(),
            ..Smtp::default()
        });
        let failure = mailer.send(&mail()).await.unwrap_err();
        assert_eq!(failure, Failure::NoStartTls("127.0.0.1".to_owned()));
        let heard = server.await.unwrap();
        assert!(
            heard.starts_with("EHLO") && !heard.contains("AUTH") && !heard.contains("MAIL"),
            "{heard}"
        );
    }

    #[tokio::test]
    async fn a_silent_server_takes_no_longer_than_the_limit() {
        for encryption in [Encryption::None, Encryption::Tls, Encryption::StartTls] {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mailer = mailer(Smtp {
                host: "127.0.0.1".to_owned(),
                port: listener.local_addr().unwrap().port(),
                encryption,
                from: "fluglog@example.org".to_owned(),
                timeout_seconds: 0.2,
                ..Smtp::default()
            });
            let begun = std::time::Instant::now();
            let failure = mailer.send(&mail()).await.unwrap_err();
            assert!(matches!(failure, Failure::Silence(..)), "{failure:?}");
            assert!(begun.elapsed().as_secs() < 5);
        }
    }
}
