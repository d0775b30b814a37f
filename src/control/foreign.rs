//! Foreign entries of the data directory, which Fluglog didn't make. They are never removed or changed.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::SOCKET_NAME;
use crate::archive::replaced;
use fluglog_base::dir::Dir;
use fluglog_mail::outbox;
use fluglog_store::blobs::folder::{self, FOLDER_NAME, LOST_AND_FOUND};
use fluglog_store::findings::{Finding, FindingKind};
use fluglog_store::migrations;
use fluglog_web::{assets, authority};

/// Names in the data directory that Fluglog uses.
const KNOWN: [&str; 11] = [
    fluglog_store::FILE_NAME,
    fluglog_store::UNFINISHED_NAME,
    FOLDER_NAME,
    outbox::FOLDER_NAME,
    fluglog_config::FILE_NAME,
    fluglog_config::UNFINISHED_FILE_NAME,
    assets::LEGAL_FOLDER,
    authority::FOLDER_NAME,
    SOCKET_NAME,
    replaced::UNFINISHED,
    LOST_AND_FOUND,
];

/// The foreign entries of a data directory and of its folder of blobs, sorted by name. Unreadable folders yield none;
/// the check reports them separately.
#[must_use]
pub fn entries(data_dir: &Path) -> Vec<Finding> {
    let mut places = foreign_names(data_dir).unwrap_or_default();
    let of_blobs = folder::content(data_dir).unwrap_or_default().foreign;
    places.extend(of_blobs.iter().map(|name| format!("{FOLDER_NAME}/{name}")));
    places.sort();
    let finding = |place| Finding {
        place,
        wrong: FindingKind::Foreign,
    };
    places.into_iter().map(finding).collect()
}

fn foreign_names(data_dir: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in Dir::open(data_dir)?.entries()? {
        let (name, _) = entry?;
        if !is_known(&name) {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

fn is_known(name: &OsStr) -> bool {
    KNOWN.iter().any(|known| name == *known)
        || replaced::is_name(name)
        || name.to_str().is_some_and(migrations::is_backup_name)
}
