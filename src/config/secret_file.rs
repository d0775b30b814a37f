//! Secrets from files of their own or from systemd credentials. Knows no setting.

use std::path::{Path, PathBuf};

use super::environment::{Environment, read};
use super::error::ConfigError;
use super::text::shown;

/// Variable with the folder in which systemd puts a service's credentials (`LoadCredential=smtp.password:…`).
const CREDENTIALS_VARIABLE: &str = "CREDENTIALS_DIRECTORY";

/// How errors name a secret.
pub(super) struct SecretTexts<'a> {
    /// „dem Passwort des Mailservers“
    pub(super) dative: &'a str,
    /// „kein Passwort für den Mailserver“
    pub(super) none: &'a str,
    /// The setting that names the secret's file.
    pub(super) setting: &'a str,
}

/// Returns the file of a systemd credential, if there is one.
pub(super) fn credential(environment: &Environment, name: &str) -> Option<PathBuf> {
    let folder = environment.variable(CREDENTIALS_VARIABLE)?;
    Some(Path::new(folder).join(name)).filter(|file| file.exists())
}

/// Reads the secret in a file, without the trailing newline.
///
/// # Errors
/// The file is missing, unreadable or empty.
pub(super) fn secret(file: &Path, about: &SecretTexts<'_>) -> Result<String, ConfigError> {
    let path = shown(&file.to_string_lossy());
    let SecretTexts { dative, none, setting } = about;
    let text = read(file).map_err(|error| match error {
        ConfigError::Unreadable { reason, .. } => ConfigError::Inconsistent(format!(
            "Die Datei {path} mit {dative} ist nicht lesbar ({reason}): bitte Pfad und Rechte prüfen."
        )),
        other => other,
    })?;
    let text = text.ok_or_else(|| {
        ConfigError::Inconsistent(format!(
            "Die Datei {path} mit {dative} gibt es nicht: bitte anlegen oder {setting} berichtigen."
        ))
    })?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.is_empty() {
        return Err(ConfigError::Inconsistent(format!(
            "In {path} steht {none}: bitte Pfad und Inhalt prüfen."
        )));
    }
    Ok(text.to_owned())
}

/// Reads the certificates in a PEM file; `setting` names the setting in errors.
///
/// # Errors
/// The file is unreadable or contains no certificate.
pub(super) fn certificates(file: &Path, setting: &str) -> Result<String, ConfigError> {
    let certificates = read(file)?.unwrap_or_default();
    if !certificates.contains("-----BEGIN CERTIFICATE-----") {
        return Err(ConfigError::Inconsistent(format!(
            "In {} ({setting}) steht kein Zertifikat im PEM-Format: bitte Pfad und Inhalt prüfen.",
            shown(&file.to_string_lossy())
        )));
    }
    Ok(certificates)
}
