//! The destination of a backup as given on the command line.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::archive::folder::{folder_of, is_name};
use crate::archive::format::HEAD;
use crate::archive::last_backup::{NO_RIGHTS, READ_ONLY};
use crate::cli::failure::Failure;

/// The destination of an archive.
pub enum Target {
    /// Standard output.
    Output,
    /// A file, replacing an archive with the same name.
    File(PathBuf),
    /// A folder, under a name made from the time.
    Folder(PathBuf),
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Output => formatter.write_str("-"),
            Target::File(path) | Target::Folder(path) => path.display().fmt(formatter),
        }
    }
}

impl Target {
    /// Interprets `--output`. `keeps` says whether older archives there are to be deleted.
    ///
    /// # Errors
    /// No archive can be written there.
    pub fn of(output: Option<PathBuf>, keeps: bool) -> Result<Target, Failure> {
        let refuse = |path: &Path, why: &str| Failure::new(Failure::REFUSED, format!("{} {why}", path.display()));
        let Some(path) = output else {
            return Ok(Target::Folder(PathBuf::from(".")));
        };
        let target = if path.as_os_str() == "-" {
            Target::Output
        } else {
            match fs::metadata(&path) {
                Ok(there) if there.is_dir() => Target::Folder(path),
                // Replaces what a link points to, not the link.
                Ok(there) if there.is_file() && is_archive(&path) => {
                    Target::File(fs::canonicalize(&path).unwrap_or(path))
                }
                Ok(_) => {
                    let why = "ist da und keine Sicherung von Fluglog; es wird nicht überschrieben. Wählen Sie einen \
                        anderen Namen.";
                    return Err(refuse(&path, why));
                }
                Err(_) if !folder_of(&path).is_dir() || path.to_string_lossy().ends_with('/') => {
                    return Err(refuse(
                        &path,
                        "liegt in keinem Verzeichnis, das es gibt; legen Sie es vorher an.",
                    ));
                }
                Err(_) if keeps && path.extension().is_none() => {
                    return Err(refuse(&path, "gibt es nicht. Steckt der Stick, und ist er eingehängt?"));
                }
                Err(_) => Target::File(path),
            }
        };
        let has_pattern = match &target {
            Target::Output => false,
            Target::File(path) => path.file_name().is_some_and(|name| is_name(&name.to_string_lossy())),
            Target::Folder(_) => true,
        };
        if keeps && !has_pattern {
            return Err(Failure::new(
                Failure::USAGE,
                "--keep zählt Archive mit Namen wie fluglog-20260131-235959.tar; geben Sie mit --output ein \
                 Verzeichnis an.",
            ));
        }
        Ok(target)
    }
}

/// Whether a file begins like an archive of Fluglog.
fn is_archive(path: &Path) -> bool {
    let mut start = vec![0; HEAD.len() + 1];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start.strip_prefix(HEAD.as_bytes()) == Some(&[0])
}

/// Why no backup can be written to `place`.
pub fn failed(place: &Path, error: &io::Error) -> Failure {
    unwritable("Die Sicherung", place, error)
}

/// Why `what` can't be written to `place`.
pub(crate) fn unwritable(what: &str, place: &Path, error: &io::Error) -> Failure {
    let place = match place.as_os_str().to_str() {
        Some("-") => "in die Standardausgabe".to_owned(),
        _ => format!("nach {}", place.display()),
    };
    let why = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "der Speicher ist voll. Schaffen Sie Platz oder wählen Sie mit --output einen anderen Ort"
        }
        io::ErrorKind::FileTooLarge => {
            "die Datei wird dort zu groß. Wählen Sie mit --output einen Ort, der große Dateien zulässt"
        }
        io::ErrorKind::PermissionDenied => &format!("{NO_RIGHTS}. Wählen Sie mit --output einen anderen Ort"),
        io::ErrorKind::ReadOnlyFilesystem => &format!("{READ_ONLY}. Wählen Sie mit --output einen anderen Ort"),
        io::ErrorKind::BrokenPipe => "niemand liest weiter",
        _ => "der Datenträger meldet einen Fehler. Wählen Sie mit --output einen anderen Ort",
    };
    Failure::new(
        Failure::REFUSED,
        format!("{what} kann nicht {place} geschrieben werden: {why}."),
    )
}
