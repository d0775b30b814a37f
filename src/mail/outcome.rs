//! Outcomes of sending a mail.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use fluglog_base::number;

/// A mail that is out of our hands.
#[derive(Debug, PartialEq, Eq)]
pub enum Sent {
    /// The answer of the mail server.
    Taken(String),
    /// The file in the outbox.
    Kept(PathBuf),
}

/// Why a mail was not sent. Shown, it is a German clause for the admin, who alone sees it: the queue keeps the clause,
/// and the shell prints it.
///
/// There is no telling which failure lasts: what a server refuses today for its own reasons (a full disk, a wrong
/// password of ours, a list of the day) it often says with a code for ever.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum Failure {
    /// No mail can have this address.
    Address(String),
    /// The text of the letter can't be written; why.
    Letter(String),
    /// The mail can't be composed; why.
    Composition(String),
    /// The text can't be encoded.
    Encoding,
    /// The folder of the outbox can't be written; why.
    Outbox(PathBuf, String),
    /// The system refuses what sending needs; why.
    System(String),
    /// The server, as `host:port` here and below, says nothing for so many seconds.
    Silence(String, f64),
    /// This host offers no encryption.
    NoStartTls(String),
    /// The server refuses, with this answer.
    Refused(String, String),
    /// The certificate of the server isn't trusted; why.
    Certificate(String, String),
    /// It went wrong on the way to the server.
    Broken(String, Step, Cause),
}

/// How far the mail came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    Connection,
    Encryption,
    /// The server's answer makes no sense.
    Answer,
    /// The server can't do what this mail or the login needs.
    Ability,
}

/// Why it went wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    NobodyListens,
    HungUp,
    HungUpMidway,
    NoAnswer,
    NoRoute,
    UnknownName,
    /// In the words of the library.
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
                let seconds = number::german(*seconds, 1);
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
