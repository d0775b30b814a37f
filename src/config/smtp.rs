//! The settings of the mail server, and what they have to say together. Knows no mail.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use super::refusal::ConfigError;
use super::secret_file::{self, Secret};
use super::surroundings::Surroundings;

const CREDENTIAL: &str = "smtp.password";

/// How mails leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Smtp {
    /// The mail server; empty: each mail becomes a file in `outbox/`.
    pub host: String,
    /// 0 stands for the usual one of the encryption.
    pub port: u16,
    pub encryption: Encryption,
    /// Empty: the server wants no login.
    pub user: String,
    pub password: Password,
    pub password_file: Option<PathBuf>,
    /// `name@example.org` or `Name <name@example.org>`; empty: the user, if that is an address.
    pub from: String,
    /// PEM certificates of authorities that are trusted beside the public ones.
    pub ca_file: Option<PathBuf>,
    /// The content of `ca_file`; empty without one.
    pub ca_certificates: String,
    /// Seconds for one attempt, all of it.
    pub timeout_seconds: f64,
    /// Seconds after the first attempt that failed; each further wait is twice as long.
    pub retry_seconds: f64,
}

impl Default for Smtp {
    fn default() -> Smtp {
        Smtp {
            host: String::new(),
            port: 0,
            encryption: Encryption::Tls,
            user: String::new(),
            password: Password::default(),
            password_file: None,
            from: String::new(),
            ca_file: None,
            ca_certificates: String::new(),
            timeout_seconds: 20.0,
            retry_seconds: 30.0,
        }
    }
}

/// How the connection to the mail server is protected. Certificates are always checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// From the first byte on.
    Tls,
    /// After STARTTLS, which the server must offer.
    StartTls,
    /// Not at all; only to this machine or its own network.
    None,
}

/// A secret that no message shows.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Password(pub(super) String);

impl Password {
    /// The secret itself.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl From<String> for Password {
    fn from(secret: String) -> Password {
        Password(secret)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.0.is_empty() { "none" } else { "…" })
    }
}

impl Smtp {
    /// Whether mails go to a mail server at all.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.host.is_empty()
    }

    /// The port to connect to (RFC 8314 for the usual ones).
    #[must_use]
    pub fn effective_port(&self) -> u16 {
        match (self.port, self.encryption) {
            (0, Encryption::Tls) => 465,
            (0, Encryption::StartTls) => 587,
            (0, Encryption::None) => 25,
            (port, _) => port,
        }
    }

    /// Whom mails come from.
    #[must_use]
    pub fn sender(&self) -> &str {
        match (self.from.as_str(), self.is_set()) {
            ("", true) => &self.user,
            ("", false) => "Fluglog <fluglog@localhost>",
            (from, _) => from,
        }
    }
}

/// Reads the password from where it is, and refuses what doesn't fit together.
pub(super) fn settle(smtp: &mut Smtp, surroundings: &Surroundings) -> Result<(), ConfigError> {
    settle_password(smtp, surroundings)?;
    settle_authority(smtp)?;
    if !smtp.is_set() {
        return Ok(());
    }
    if smtp.from.is_empty() && !smtp.user.contains('@') {
        return Err(ConfigError::Unfit(
            "Zu „smtp.host“ fehlt „smtp.from“: bitte die Adresse eintragen, von der die Mails kommen.".to_owned(),
        ));
    }
    if smtp.encryption == Encryption::None && !is_near(&smtp.host) {
        return Err(ConfigError::Unfit(format!(
            "Unverschlüsselt (smtp.encryption = \"none\") gehen Mails nur an diesen Rechner oder eine Adresse im \
             eigenen Netz, \
             nicht an „{}“: bitte „tls“ oder „starttls“ eintragen.",
            smtp.host
        )));
    }
    Ok(())
}

fn settle_password(smtp: &mut Smtp, surroundings: &Surroundings) -> Result<(), ConfigError> {
    let credential = secret_file::credential(surroundings, CREDENTIAL);
    let sources = [
        (!smtp.password.0.is_empty()).then_some("„smtp.password“"),
        smtp.password_file.is_some().then_some("„smtp.password_file“"),
        credential.is_some().then_some("systemd-Credential „smtp.password“"),
    ];
    let named: Vec<_> = sources.into_iter().flatten().collect();
    if let [one, other, ..] = named[..] {
        return Err(ConfigError::Unfit(format!(
            "Das Passwort des Mailservers ist doppelt angegeben ({one} und {other}): bitte eine der Angaben entfernen."
        )));
    }
    let Some(file) = smtp.password_file.clone().or(credential) else {
        return Ok(());
    };
    let about = Secret {
        dative: "dem Passwort des Mailservers",
        none: "kein Passwort für den Mailserver",
        setting: "smtp.password_file",
    };
    smtp.password = Password(secret_file::secret(&file, &about)?);
    Ok(())
}

fn settle_authority(smtp: &mut Smtp) -> Result<(), ConfigError> {
    if let Some(file) = &smtp.ca_file {
        smtp.ca_certificates = secret_file::certificates(file, "smtp.ca_file")?;
    }
    Ok(())
}

/// This machine, or an address of its own network.
pub(super) fn is_near(host: &str) -> bool {
    match host.parse() {
        Ok(address) => is_near_address(address),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

/// Whether it is this machine's or one that no router passes on (RFC 1918, RFC 3927, RFC 4193, RFC 4291).
#[must_use]
pub fn is_near_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
    }
}
