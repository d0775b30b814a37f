//! Outcomes of sending a mail.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use fluglog_base::number;

/// A mail that was sent or stored.
#[derive(Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Accepted by the mail server, with its answer.
    Accepted(String),
    /// Written to this file in the outbox.
    Stored(PathBuf),
}

/// Why a mail was not sent. Displays as a German clause for the admin: the queue stores it, and the command line prints
/// it.
///
/// Temporary and permanent failures aren't distinguished: servers often reject mails for temporary reasons (a full
/// disk, a wrong password in our settings, a blocklist) with a permanent code.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum Failure {
    /// The address is invalid.
    Address(String),
    /// The letter's text can't be composed, with the reason.
    Letter(String),
    /// The mail can't be assembled, with the reason.
    Composition(String),
    /// The text can't be encoded.
    Encoding,
    /// The outbox folder can't be written, with the reason.
    Outbox(PathBuf, String),
    /// The operating system refuses a resource, with the reason.
    System(String),
    /// The server (`host:port`, in all variants with a server) didn't answer for this many seconds.
    Silence(String, f64),
    /// The host doesn't offer STARTTLS.
    NoStartTls(String),
    /// The server refused the mail, with its answer.
    Refused(String, String),
    /// The server's certificate isn't trusted, with the reason.
    Certificate(String, String),
    /// The connection to the server failed.
    Broken(String, Step, Cause),
}

/// The step at which the connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    Connection,
    Encryption,
    /// The server's answer can't be parsed.
    Answer,
    /// The server lacks a feature that the mail or the login needs.
    Ability,
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    NobodyListens,
    HungUp,
    HungUpMidway,
    NoAnswer,
    NoRoute,
    UnknownName,
    /// Message of the library.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Address(what) => write!(formatter, "„{what}“ ist keine Adresse, die Mails haben können"),
            Failure::Letter(why) => write!(formatter, "die Mail lässt sich nicht schreiben ({why})"),
            Failure::Composition(why) => write!(formatter, "die Mail lässt sich nicht zusammensetzen ({why})"),
            Failure::Encoding => formatter.write_str("der Text der Mail lässt sich nicht kodieren"),
            Failure::Outbox(folder, why) => {
                write!(formatter, "{} kann nicht geschrieben werden ({why})", folder.display())
            }
            Failure::System(why) => formatter.write_str(why),
            Failure::Silence(server, seconds) => {
                let seconds = number::format_german(*seconds, 1);
                write!(formatter, "{server} antwortet nicht in {seconds} s")
            }
            Failure::NoStartTls(host) => write!(
                formatter,
                "{host} bietet kein STARTTLS an; unverschlüsselt wird nichts gesendet"
            ),
            Failure::Refused(server, answer) => write!(formatter, "{server} antwortet: {answer}"),
            Failure::Certificate(server, why) => write!(
                formatter,
                "{server}: das Zertifikat wird nicht anerkannt ({why}); das einer eigenen Zertifizierungsstelle gehört \
                 nach smtp.ca_file"
            ),
            Failure::Broken(server, step, cause) => write!(formatter, "{server}: {step} ({cause})"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Step::Connection => "keine Verbindung",
            Step::Encryption => "die verschlüsselte Verbindung kommt nicht zustande",
            Step::Answer => "die Antwort ist nicht die eines Mailservers",
            Step::Ability => "der Mailserver kann diese Mail oder diese Anmeldung nicht annehmen",
        })
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Cause::NobodyListens => "dort nimmt niemand Verbindungen an",
            Cause::HungUp => "der Mailserver hat sie getrennt",
            Cause::HungUpMidway => "der Mailserver hat sie mittendrin beendet",
            Cause::NoAnswer => "der Mailserver antwortet nicht",
            Cause::NoRoute => "von hier führt kein Weg dorthin",
            Cause::UnknownName => "diesen Namen kennt das Netz nicht",
            Cause::Other(words) => words,
        })
    }
}
