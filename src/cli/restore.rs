//! `fluglog restore`

use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::backup::{contents, targets};
use super::failure::Failure;
use super::{data_dir, output, owner};
use crate::archive::reader::ReadError;
use crate::archive::replaced::{self, UNFINISHED};
use crate::archive::restore;
use crate::control::socket;
use fluglog_base::dir::open_regular_file;
use fluglog_base::time::Clock;
use fluglog_config::Config;
use fluglog_store::blobs::folder::FOLDER_NAME;

/// Restores an archive into an empty data directory, or with `replace` into one whose data it replaces.
pub fn run(config: &Config, file: Option<&Path>, source: &targets::Source, replace: bool) -> Result<(), Failure> {
    let dir = &config.data_dir;
    let (name, archive) = source.open(config, file)?;
    let is_new = !dir.exists();
    if is_new {
        data_dir::make_closed_folder(dir)?;
        owner::give_to_service(config)?;
    }
    owner::become_owner(dir)?;
    let _lock = data_dir::lock_directory(dir)?;
    replaced::settle(dir).map_err(|error| Failure::unusable(dir, &error))?;
    let replaced = match replace && data_dir::has_database(dir) {
        true => Some(Replaced::begin(config)?),
        false => None,
    };
    let folder = replaced.as_ref().map(|replaced| replaced.folder.as_str());
    match folder {
        Some(_) => check_clearable(dir)?,
        None => check_empty(dir)?,
    }
    let archive = BufReader::with_capacity(contents::READ_BYTES, archive);
    let place = match file.map(std::path::absolute) {
        Some(Ok(path)) => path.display().to_string(),
        _ => name.clone(),
    };
    let restored = restore::restore(archive, &place, dir, folder, || {
        // Not earlier: a refused archive must leave everything as it was.
        data_dir::make_closed_folder(dir)
            .and_then(|()| data_dir::make_config_and_outbox(config))
            .map_err(RestoreError::Place)
    });
    let contents = restored.map_err(|error| {
        if is_new {
            #[expect(
                clippy::disallowed_methods,
                reason = "the system refuses a directory with anything in it"
            )]
            let _ = fs::remove_dir(dir);
        }
        match error {
            RestoreError::Archive(refused) => contents::refused(&name, Some(dir), &refused),
            RestoreError::Place(failure) => failure,
        }
    })?;
    output::say(&format!(
        "{} ist wiederhergestellt: {}.\nAnmeldungen, offene Codes und Freigaben kommen nicht zurück: Alle melden sich \
         neu an.\n",
        dir.display(),
        contents::described(config, &contents)
    ))?;
    if let Some(folder) = folder {
        say_replaced(&dir.join(folder))?;
    }
    let damage = contents::damage_lines(&contents);
    output::say(&damage)?;
    if damage.is_empty() {
        return Ok(());
    }
    let sentence = format!(
        "{} ist wiederhergestellt, aber die Daten hatten schon beim Sichern Schäden; eine ältere Sicherung kann mehr \
         enthalten.",
        dir.display()
    );
    Err(Failure::new(Failure::REFUSED, sentence))
}

/// Data that a restore replaces.
struct Replaced {
    /// Name of the folder for them in the data directory.
    folder: String,
    /// The database, locked so that no server opens it meanwhile.
    _database: File,
}

impl Replaced {
    fn begin(config: &Config) -> Result<Replaced, Failure> {
        let dir = &config.data_dir;
        let path = dir.join(fluglog_store::FILE_NAME);
        let database = open_regular_file(&path).map_err(|error| Failure::unusable(&path, &error))?;
        // Some file systems have no locks.
        if matches!(database.try_lock(), Err(TryLockError::WouldBlock)) || socket::is_server_running(dir) {
            return Err(data_dir::still_served(dir));
        }
        check_movable(dir)?;
        let clock = Clock::system(config.time_zone);
        let name = |at| format!("{}{}", replaced::PREFIX, clock.file_stamp_at(at));
        let mut at = clock.unix_seconds();
        while dir.join(name(at)).exists() {
            at += 1;
        }
        Ok(Replaced {
            folder: name(at),
            _database: database,
        })
    }
}

/// Refuses data that can't be moved, or that would lead elsewhere from their new place.
fn check_movable(dir: &Path) -> Result<(), Failure> {
    let unusable = |error: io::Error| Failure::unusable(dir, &error);
    let device = fs::metadata(dir).map_err(unusable)?.dev();
    for entry in fs::read_dir(dir).map_err(unusable)? {
        let path = entry.map_err(unusable)?.path();
        if !path.file_name().is_some_and(replaced::is_data) {
            continue;
        }
        let why = if path.symlink_metadata().map_err(unusable)?.dev() != device {
            "ein eingehängter Datenträger"
        } else if fs::read_link(&path).is_ok_and(|target| target.is_relative()) {
            "ein Link mit relativem Ziel"
        } else {
            continue;
        };
        return Err(Failure::new(
            Failure::REFUSED,
            format!(
                "{} ist {why} und lässt sich nicht verschieben; es wurde nichts geändert. Stellen Sie mit --data-dir \
                 in einem leeren Verzeichnis wieder her.",
                path.display()
            ),
        ));
    }
    Ok(())
}

fn say_replaced(folder: &Path) -> Result<(), Failure> {
    output::say(&format!(
        "Die bisherigen Daten liegen in {}; löschen Sie den Ordner, wenn alles da ist.\n",
        folder.display()
    ))?;
    let blobs = folder.join(FOLDER_NAME);
    match fs::read_link(&blobs) {
        Ok(target) => output::say(&format!(
            "Bilder und Dokumente liegen jetzt bei der Datenbank, die bisherigen weiter in {}.\n",
            target.display()
        )),
        Err(_) => Ok(()),
    }
}

/// Why a restore failed.
enum RestoreError {
    Archive(ReadError),
    Place(Failure),
}

impl From<ReadError> for RestoreError {
    fn from(refused: ReadError) -> RestoreError {
        RestoreError::Archive(refused)
    }
}

/// Refuses a directory that contains anything but what an admin prepared or an interrupted restore left.
fn check_empty(dir: &Path) -> Result<(), Failure> {
    match data_dir::is_fresh(dir, UNFINISHED)? && restore::is_clearable(dir).unwrap_or(!dir.exists()) {
        true => Ok(()),
        false if data_dir::has_database(dir) => Err(Failure::new(
            Failure::REFUSED,
            format!(
                "{} enthält schon Daten; es wurde nichts geändert. „fluglog restore --replace“ stellt an ihrer Stelle \
                 wieder her und hebt sie in einem eigenen Ordner auf.",
                dir.display()
            ),
        )),
        false => Err(data_dir::not_empty(dir)),
    }
}

/// Refuses a directory with a folder that has the name of an interrupted restore's and isn't one.
fn check_clearable(dir: &Path) -> Result<(), Failure> {
    match restore::is_clearable(dir) {
        Ok(true) => Ok(()),
        _ => Err(data_dir::not_empty(dir)),
    }
}
