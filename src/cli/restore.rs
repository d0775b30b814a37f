//! `fluglog restore`

use std::fs;
use std::io::BufReader;
use std::path::Path;

use super::{Failure, backup, data_dir, owner};
use crate::admin::backup::reader::Refused;
use crate::admin::restore::{self, UNFINISHED};
use crate::config::Config;
use crate::mail::outbox;
use crate::store::blobs;

/// Puts the contents of an archive into an empty data directory.
pub fn run(config: &Config, file: &Path) -> Result<(), Failure> {
    let dir = &config.data_dir;
    let archive = backup::open(file)?;
    owner::become_owner(dir)?;
    let is_new = check_empty(dir)?;
    if is_new {
        data_dir::make_folder(dir)?;
    }
    let _alone = data_dir::alone(dir)?;
    check_empty(dir)?;
    let restored = restore::restore(BufReader::with_capacity(backup::READ_BYTES, archive), dir, || {
        // Not before: an archive that isn't taken leaves everything as it was.
        data_dir::make_folder(dir)
            .and_then(|()| data_dir::make_surroundings(config))
            .map_err(Trouble::Place)
    });
    let contents = restored.map_err(|trouble| {
        if is_new {
            // Only if nothing is in it.
            let _ = fs::remove_dir(dir);
        }
        match trouble {
            Trouble::Archive(refused) => backup::refused(file, Some(dir), &refused),
            Trouble::Place(failure) => failure,
        }
    })?;
    super::say(&format!(
        "{} ist wiederhergestellt: {}.\n",
        dir.display(),
        backup::described(config, &contents)
    ))?;
    super::say(&backup::damage_lines(&contents))
}

/// Why a restore ended.
enum Trouble {
    Archive(Refused),
    Place(Failure),
}

impl From<Refused> for Trouble {
    fn from(refused: Refused) -> Trouble {
        Trouble::Archive(refused)
    }
}

/// Refuses a directory that has anything in it but what an admin prepared or a restore left that was broken off. Tells whether
/// there is no directory yet.
fn check_empty(dir: &Path) -> Result<bool, Failure> {
    if !dir.exists() {
        return Ok(true);
    }
    let left = [UNFINISHED, blobs::FOLDER_NAME, outbox::FOLDER_NAME];
    let was_broken_off = dir.join(UNFINISHED).exists() && !data_dir::has_database(dir);
    let entries = fs::read_dir(dir).map_err(|error| data_dir::unusable(dir, &error))?;
    for entry in entries {
        let name = entry.map_err(|error| data_dir::unusable(dir, &error))?.file_name();
        let is = |names: &[&str]| names.iter().any(|expected| name == *expected);
        let may_be_there = is(&data_dir::PREPARED) || was_broken_off && is(&left);
        if !may_be_there {
            return Err(data_dir::not_empty(dir));
        }
    }
    Ok(false)
}
