//! Secrets that stand in a file of their own, or that systemd hands over as one. Knows no setting.

use std::path::{Path, PathBuf};

use super::plain::shown;
use super::refusal::ConfigError;
use super::surroundings::{Surroundings, read};

/// systemd puts the secrets of a service (`LoadCredential=smtp.password:…`) into this folder.
const CREDENTIALS_VARIABLE: &str = "CREDENTIALS_DIRECTORY";

/// How errors speak of a secret.
pub(super) struct Secret<'a> {
    /// „dem Passwort des Mailservers“
    pub(super) dative: &'a str,
    /// „kein Passwort für den Mailserver“
    pub(super) none: &'a str,
    /// The setting that names its file.
    pub(super) setting: &'a str,
}

/// The file of a credential, if systemd handed one over.
pub(super) fn credential(surroundings: &Surroundings, name: &str) -> Option<PathBuf> {
    let folder = surroundings.variable(CREDENTIALS_VARIABLE)?;
    Some(Path::new(folder).join(name)).filter(|file| file.exists())
}

/// The secret in a file, without the end of its line.
///
/// # Errors
/// There is none.
pub(super) fn secret(file: &Path, about: &Secret<'_>) -> Result<String, ConfigError> {
    let path = shown(&file.to_string_lossy());
    let Secret { dative, none, setting } = about;
    let text = read(file).map_err(|error| match error {
        ConfigError::Unreadable { reason, .. } => ConfigError::Unfit(format!(
            "Die Datei {path} mit {dative} ist nicht lesbar ({reason}): bitte Pfad und Rechte prüfen."
        )),
        other => other,
    })?;
    let text = text.ok_or_else(|| {
        ConfigError::Unfit(format!(
            "Die Datei {path} mit {dative} gibt es nicht: bitte anlegen oder {setting} berichtigen."
        ))
    })?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.is_empty() {
        return Err(ConfigError::Unfit(format!(
            "In {path} steht {none}: bitte Pfad und Inhalt prüfen."
        )));
    }
    Ok(text.to_owned())
}

/// The certificates in a PEM file of this setting.
///
/// # Errors
/// There are none.
pub(super) fn certificates(file: &Path, setting: &str) -> Result<String, ConfigError> {
    let certificates = read(file)?.unwrap_or_default();
    if !certificates.contains("-----BEGIN CERTIFICATE-----") {
        return Err(ConfigError::Unfit(format!(
            "In {} ({setting}) steht kein Zertifikat im PEM-Format: bitte Pfad und Inhalt prüfen.",
            shown(&file.to_string_lossy())
        )));
    }
    Ok(certificates)
}
