//! The settings of the server's certificate, and their check. Reads no certificate.

use std::path::PathBuf;

use super::error::ConfigError;
use super::text::shown;

/// The files of the server's certificate and key: both or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// A PEM file with the certificate and its intermediate certificates.
    pub certificate: Option<PathBuf>,
    /// A PEM file with the private key.
    pub key: Option<PathBuf>,
}

impl Tls {
    /// Returns whether the server speaks https itself.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.certificate.is_some()
    }
}

/// Refuses a certificate without key, or a key without certificate.
pub(super) fn resolve(tls: &Tls) -> Result<(), ConfigError> {
    let (given, missing) = match (&tls.certificate, &tls.key) {
        (Some(certificate), None) => (certificate, "--tls-key (tls.key)"),
        (None, Some(key)) => (key, "--tls-cert (tls.cert)"),
        _ => return Ok(()),
    };
    Err(ConfigError::Inconsistent(format!(
        "Für https gehören Zertifikat und Schlüssel zusammen; zu {} fehlt {missing}.",
        shown(&given.to_string_lossy())
    )))
}
