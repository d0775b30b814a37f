//! The settings of the mail server, and checks between them. Knows no mail.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use super::environment::Environment;
use super::error::ConfigError;
use super::secret_file::{self, SecretTexts};

const CREDENTIAL: &str = "smtp.password";

/// The mail server.
#[derive(Clone, Debug, PartialEq)]
pub struct Smtp {
    /// Host name; if empty, each mail becomes a file in `outbox/`.
    pub host: String,
    /// 0 for the default port of the encryption.
    pub port: u16,
    pub encryption: Encryption,
    /// Empty if the server wants no login.
    pub user: String,
    pub password: Password,
    pub password_file: Option<PathBuf>,
    /// `name@example.org` or `Name <name@example.org>`; if empty, `user`, provided that it is an address.
    pub from: String,
    /// File with PEM certificates of authorities that are trusted in addition to the public ones.
    pub ca_file: Option<PathBuf>,
    /// The content of `ca_file`; empty without one.
    pub ca_certificates: String,
    /// Seconds for one whole attempt.
    pub timeout_seconds: f64,
    /// Seconds after the first failed attempt; each further wait is twice as long.
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

/// How the connection to the mail server is encrypted. Certificates are always verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// TLS from the first byte on.
    Tls,
    /// TLS after STARTTLS, which the server must offer.
    StartTls,
    /// Unencrypted; only to this machine or the local network.
    None,
}

/// A secret that no message shows.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Password(pub(super) String);

impl Password {
    /// Returns the secret in plain text.
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
    /// Returns whether mails go to a mail server at all.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.host.is_empty()
    }

    /// Returns the port to connect to (defaults of RFC 8314).
    #[must_use]
    pub fn effective_port(&self) -> u16 {
        match (self.port, self.encryption) {
            (0, Encryption::Tls) => 465,
            (0, Encryption::StartTls) => 587,
            (0, Encryption::None) => 25,
            (port, _) => port,
        }
    }

    /// Returns the sender of mails.
    #[must_use]
    pub fn sender(&self) -> &str {
        match (self.from.as_str(), self.is_set()) {
            ("", true) => &self.user,
            ("", false) => "Fluglog <fluglog@localhost>",
            (from, _) => from,
        }
    }
}

/// Reads the password from its source and refuses contradictory settings.
pub(super) fn resolve(smtp: &mut Smtp, environment: &Environment) -> Result<(), ConfigError> {
    resolve_password(smtp, environment)?;
    load_ca_file(smtp)?;
    if !smtp.is_set() {
        return Ok(());
    }
    if smtp.from.is_empty() && !smtp.user.contains('@') {
        return Err(ConfigError::Inconsistent(
            "Zu „smtp.host“ fehlt „smtp.from“: bitte die Adresse eintragen, von der die Mails kommen.".to_owned(),
        ));
    }
    if smtp.encryption == Encryption::None && !is_local_host(&smtp.host) {
        return Err(ConfigError::Inconsistent(format!(
            "Unverschlüsselt (smtp.encryption = \"none\") gehen Mails nur an diesen Rechner oder eine Adresse im \
             eigenen Netz, \
             nicht an „{}“: bitte „tls“ oder „starttls“ eintragen.",
            smtp.host
        )));
    }
    Ok(())
}

fn resolve_password(smtp: &mut Smtp, environment: &Environment) -> Result<(), ConfigError> {
    let credential = secret_file::credential(environment, CREDENTIAL);
    let sources = [
        (!smtp.password.0.is_empty()).then_some("„smtp.password“"),
        smtp.password_file.is_some().then_some("„smtp.password_file“"),
        credential.is_some().then_some("systemd-Credential „smtp.password“"),
    ];
    let named: Vec<_> = sources.into_iter().flatten().collect();
    if let [one, other, ..] = named[..] {
        return Err(ConfigError::Inconsistent(format!(
            "Das Passwort des Mailservers ist doppelt angegeben ({one} und {other}): bitte eine der Angaben entfernen."
        )));
    }
    let Some(file) = smtp.password_file.clone().or(credential) else {
        return Ok(());
    };
    let about = SecretTexts {
        dative: "dem Passwort des Mailservers",
        none: "kein Passwort für den Mailserver",
        setting: "smtp.password_file",
    };
    smtp.password = Password(secret_file::secret(&file, &about)?);
    Ok(())
}

fn load_ca_file(smtp: &mut Smtp) -> Result<(), ConfigError> {
    if let Some(file) = &smtp.ca_file {
        smtp.ca_certificates = secret_file::certificates(file, "smtp.ca_file")?;
    }
    Ok(())
}

/// Returns whether a host is this machine or an address of a local network.
pub(super) fn is_local_host(host: &str) -> bool {
    match host.parse() {
        Ok(address) => is_local_address(address),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

/// Returns whether an address is this machine's or not routed on the internet (RFC 1918, RFC 3927, RFC 4193, RFC 4291).
#[must_use]
pub fn is_local_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
    }
}
