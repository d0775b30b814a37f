//! The environment that settings are read from: variables and files.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::error::ConfigError;

/// The data directory if none is named.
pub(crate) const DEFAULT_DATA_DIR: &str = "./data";
/// The configuration file of the Debian package.
pub const SYSTEM_FILE: &str = "/etc/fluglog/fluglog.toml";
/// Size limit of a configuration file, far above any real one; `--config /dev/zero` has to fail.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The environment of a process; tests build their own.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// All environment variables, including those of other programs.
    pub variables: BTreeMap<OsString, OsString>,
    /// The package's configuration file, read if no data directory was named.
    pub system_file: PathBuf,
    /// The data directory if none is named.
    pub default_data_dir: PathBuf,
}

impl Environment {
    /// Returns the environment of this process.
    #[must_use]
    pub fn current() -> Environment {
        Environment {
            variables: std::env::vars_os().collect(),
            system_file: SYSTEM_FILE.into(),
            default_data_dir: DEFAULT_DATA_DIR.into(),
        }
    }

    /// Returns the value of a variable.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }
}

/// Reads a file as text; `None` if it doesn't exist.
///
/// # Errors
/// [`ConfigError::Unreadable`].
pub fn read(file: &Path) -> Result<Option<String>, ConfigError> {
    let unreadable = |reason: String| ConfigError::Unreadable {
        file: file.to_owned(),
        reason,
    };
    let mut bytes = Vec::new();
    let outcome = File::open(file).and_then(|opened| opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
    match outcome {
        Ok(_) if bytes.len() as u64 > MAX_FILE_BYTES => Err(unreadable("größer als 1 MiB".into())),
        Ok(_) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(unreadable("kein Text in UTF-8".into())),
        },
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            // The user's number, because that is what the owner of a container's volume is set to.
            ErrorKind::PermissionDenied => Err(unreadable(format!(
                "keine Leserechte für den Benutzer mit der Nummer {}{}",
                nix::unistd::geteuid(),
                match nix::unistd::getuid().is_root() {
                    true => "",
                    false => ", mit sudo geht es vielleicht",
                }
            ))),
            ErrorKind::IsADirectory => Err(unreadable("ein Verzeichnis".into())),
            _ => Err(unreadable("der Datenträger meldet einen Fehler".into())),
        },
    }
}
