//! `fluglog restore`

use std::fs;
use std::io::BufReader;
use std::path::Path;

use super::backup::{contents, targets};
use super::failure::Failure;
use super::{data_dir, output, owner};
use crate::archive::reader::ReadError;
use crate::archive::restore::{self, UNFINISHED};
use fluglog_config::Config;

/// Restores an archive into an empty data directory.
pub fn run(config: &Config, file: Option<&Path>, source: &targets::Source) -> Result<(), Failure> {
    let dir = &config.data_dir;
    let (name, archive) = source.open(config, file)?;
    owner::become_owner(dir)?;
    check_empty(dir)?;
    let is_new = !dir.exists();
    if is_new {
        data_dir::make_closed_folder(dir)?;
    }
    let _lock = data_dir::lock_directory(dir)?;
    check_empty(dir)?;
    let restored = restore::restore(BufReader::with_capacity(contents::READ_BYTES, archive), dir, || {
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
        false => Err(data_dir::not_empty(dir)),
    }
}
