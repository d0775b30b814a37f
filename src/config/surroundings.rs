//! The sources of settings: the environment of the process, and files.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::refusal::ConfigError;

/// The data directory when nobody names one.
pub const DEFAULT_DATA_DIR: &str = "./data";
/// The file that the package brings.
pub const SYSTEM_FILE: &str = "/etc/fluglog/fluglog.toml";
/// More than any configuration needs; `--config /dev/zero` has to end.
const MOST_FILE_BYTES: u64 = 1024 * 1024;

/// The environment of a process. Tests make their own.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// All environment variables, also those that are none of ours.
    pub variables: BTreeMap<OsString, OsString>,
    /// The file that the package ships, read when no data directory was named.
    pub system_file: PathBuf,
    /// The data directory when nobody names one.
    pub default_data_dir: PathBuf,
}

impl Surroundings {
    /// Those of this process.
    #[must_use]
    pub fn of_process() -> Surroundings {
        Surroundings {
            variables: std::env::vars_os().collect(),
            system_file: SYSTEM_FILE.into(),
            default_data_dir: DEFAULT_DATA_DIR.into(),
        }
    }

    /// The value of a variable.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }
}

/// The text of a file; `None` when it doesn't exist.
///
/// # Errors
/// [`ConfigError::Unreadable`].
pub fn read(file: &Path) -> Result<Option<String>, ConfigError> {
    let unreadable = |reason: String| ConfigError::Unreadable {
        file: file.to_owned(),
        reason,
    };
    let mut bytes = Vec::new();
    let outcome = File::open(file).and_then(|opened| opened.take(MOST_FILE_BYTES + 1).read_to_end(&mut bytes));
    match outcome {
        Ok(_) if bytes.len() as u64 > MOST_FILE_BYTES => Err(unreadable("größer als 1 MiB".into())),
        Ok(_) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(unreadable("kein Text in UTF-8".into())),
        },
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            // The number: that is what an admin gives a container's volume to.
            ErrorKind::PermissionDenied => Err(unreadable(format!(
                "keine Leserechte für den Benutzer mit der Nummer {}, mit sudo geht es vielleicht",
                nix::unistd::geteuid()
            ))),
            ErrorKind::IsADirectory => Err(unreadable("ein Verzeichnis".into())),
            _ => Err(unreadable("der Datenträger meldet einen Fehler".into())),
        },
    }
}
