//! The file of a database read without redb, which may refuse it: the rows that prove themselves.

use std::io;
use std::path::Path;

use redb_file::{DamagedFile, RowProof};

use super::schema;

/// Opens a file to recover its rows. After an unclean stop the last commit counts only if all its records are intact,
/// or the one before has lost some, too.
///
/// # Errors
/// The file can't be opened.
pub fn open(file: &Path) -> io::Result<DamagedFile> {
    let tables: Vec<_> = schema::ALL
        .iter()
        .filter(|table| !table.is_index())
        .map(|table| (table.name(), *table as &dyn RowProof))
        .collect();
    DamagedFile::open(file, &tables)
}

/// Like [`open`], but without a look at all records: the last commit may be an unfinished one.
///
/// # Errors
/// The file can't be opened.
pub fn open_unverified(file: &Path) -> io::Result<DamagedFile> {
    DamagedFile::open_unverified(file)
}
