//! Migrations from a database's schema to that of this version, step by step. Knows the tables only as a whole.
//!
//! All steps are one transaction, so that a crash leaves the old schema or the new one. A copy of the file is kept
//! before, under a name of its own: to downgrade, the admin restores this copy.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use redb::Database;
use serde::{Deserialize, Serialize};

use super::damaged;
use super::findings::Findings;
use super::opening::OpenError;
use super::record::{self, Initial, Record};
use super::schema;
use super::snapshot::{Snapshot, unreadable};
use super::table::Table;
use super::writer::Writer;
use fluglog_base::dir::create_or_truncate;
use fluglog_base::error::{Error, Result};

/// Migrates keys, indexes and tables from one schema to the next. Records are upgraded in their topic
/// ([`super::record::Versioned`]). Tables that a step reads for the last time stay on the list of `schema.rs`, because
/// archives of their time contain them.
pub(super) type Step = fn(&Writer<'_>) -> Result<()>;

/// The first step migrates schema 1 to schema 2, and so on. A release that changes a table, an index or a record needs
/// one step, if only [`records_only`]: the new schema number makes earlier versions refuse the database. A record
/// that no release has stored yet may still change in place, with its golden bytes and without a step.
const STEPS: [Step; 3] = [
    // 1.3.0 → 1.4.0
    records_only,
    // 1.4.0 → 1.5.0
    records_only,
    // 1.5.0 → 1.6.0
    records_only,
];

/// The schema of this version. A database with a larger number is refused.
pub const SCHEMA: u32 = STEPS.len() as u32 + 1;

/// A step for changed records alone: they are upgraded when they are read.
#[expect(clippy::unnecessary_wraps, reason = "a step may fail")]
fn records_only(_: &Writer<'_>) -> Result<()> {
    Ok(())
}

/// The record in the table `meta`. Its shape never changes: every version must be able to read it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MetaRecord {
    pub schema: u32,
    pub program: String,
}

impl Initial for MetaRecord {}

impl Record for MetaRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::META;
    const IS_SEALED: bool = false;
}

pub(super) const META_KEY: u128 = 0;

/// Parts of the copy's name, such as `fluglog-schema-1.redb` for a database that had schema 1.
const COPY_START: &str = "fluglog-schema-";
const COPY_END: &str = ".redb";
const UNFINISHED_COPY_END: &str = ".part";

/// Initializes a new database with this schema, and migrates an older one. `file` is the database's path, if it has
/// one.
pub(super) fn prepare(database: &Database, file: Option<&Path>) -> std::result::Result<(), OpenError> {
    migrate(database, file, &STEPS)
}

/// Refuses the file of a newer version without modifying it. A file that can't be read here is left to redb.
pub(super) fn check_schema(file: &Path) -> std::result::Result<(), OpenError> {
    let Ok(mut damaged) = damaged::open_unverified(file) else {
        return Ok(());
    };
    let found = damaged.table(MetaRecord::TABLE.name(), &MetaRecord::TABLE).rows;
    let meta = found
        .values()
        .find_map(|bytes| record::decode::<MetaRecord>(META_KEY, bytes).ok());
    match meta {
        Some(MetaRecord { schema, program }) if schema > SCHEMA => Err(OpenError::Newer { schema, program }),
        _ => Ok(()),
    }
}

/// Checks the record of the schema.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<MetaRecord>(data, |_, _, _| Ok(()))
}

pub(super) fn migrate(database: &Database, file: Option<&Path>, steps: &[Step]) -> std::result::Result<(), OpenError> {
    let current = u32::try_from(steps.len()).unwrap_or(u32::MAX).saturating_add(1);
    let found = found(database)?;
    let schema = match &found {
        Some(meta) if meta.schema > current => {
            return Err(OpenError::Newer {
                schema: meta.schema,
                program: meta.program.clone(),
            });
        }
        Some(meta) => meta.schema.max(1),
        None => current,
    };
    if let Some(file) = file.filter(|_| schema < current) {
        let kept = back_up(file, schema).map_err(|error| OpenError::NotMigrated {
            from: schema,
            to: current,
            bytes: fs::metadata(file).map_or(0, |file| file.len()),
            cause: error.to_string(),
        })?;
        tracing::info!(
            "the database goes from schema {schema} to schema {current}; what it was stays in {}",
            kept.display()
        );
    }
    let transaction = database.begin_write().map_err(unusable)?;
    let writer = Writer::new(&transaction);
    let before = transaction.list_tables().map_err(unusable)?.count();
    // Tables may also be missing in a database of the current schema: releases add tables without a step.
    create_tables(&writer).map_err(defect)?;
    let complete = transaction.list_tables().map_err(unusable)?.count() == before;
    if complete && schema == current && found.is_some() {
        return Ok(());
    }
    for step in &steps[schema as usize - 1..] {
        step(&writer).map_err(defect)?;
    }
    let meta = MetaRecord {
        schema: current,
        program: env!("CARGO_PKG_VERSION").to_owned(),
    };
    writer.put(META_KEY, &meta).map_err(defect)?;
    transaction.commit().map_err(unusable)
}

/// Returns the meta record of the last version that wrote the database; `None` if it is new.
fn found(database: &Database) -> std::result::Result<Option<MetaRecord>, OpenError> {
    let transaction = database.begin_write().map_err(unusable)?;
    // Opening a table in a write transaction creates it, so the transaction is dropped.
    Writer::new(&transaction).get::<MetaRecord>(META_KEY).map_err(defect)
}

fn create_tables(writer: &Writer<'_>) -> Result<()> {
    schema::ALL
        .iter()
        .try_for_each(|table| table.create(writer.transaction))
}

/// Returns whether a file's name is that of a migration's copy, complete or not.
#[must_use]
pub fn is_backup_name(name: &str) -> bool {
    let Some(schema) = name.strip_prefix(COPY_START) else {
        return false;
    };
    [COPY_END, UNFINISHED_COPY_END].iter().any(|end| {
        let schema = schema.strip_suffix(end).and_then(|schema| schema.parse::<u32>().ok());
        schema.is_some_and(|schema| format!("{COPY_START}{schema}{end}") == name)
    })
}

/// Copies the database's file to a name with its schema. On return the copy is complete and durable.
#[expect(
    clippy::disallowed_methods,
    reason = "names in the data directory that only a migration gives"
)]
fn back_up(file: &Path, schema: u32) -> io::Result<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let [kept, unfinished] =
        [COPY_END, UNFINISHED_COPY_END].map(|end| folder.join(format!("{COPY_START}{schema}{end}")));
    let copied = copy(file, &unfinished)
        .and_then(|()| fs::rename(&unfinished, &kept))
        .and_then(|()| File::open(folder)?.sync_all());
    if copied.is_err() {
        // Best effort: the first error is the one to report.
        let _ = fs::remove_file(&unfinished);
    }
    copied.map(|()| kept)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut copy = create_or_truncate(to)?;
    io::copy(&mut File::open(from)?, &mut copy)?;
    copy.sync_all()
}

fn unusable(error: impl Into<redb::Error>) -> OpenError {
    defect(unreadable(error))
}

fn defect(error: Error) -> OpenError {
    match error {
        Error::Busy(cause) => OpenError::Disk(cause),
        other => OpenError::Damaged(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::assert_stored_as;

    #[test]
    fn the_schema_number_stays_readable_for_every_version() {
        let meta = MetaRecord {
            schema: 1,
            program: "1.3.0".to_owned(),
        };
        assert_stored_as::<MetaRecord>(1, &meta, "010105312e332e30826e6d88");
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flight {
        minutes: u32,
    }

    impl Initial for Flight {}

    impl Record for Flight {
        type Key = (u128, u128);
        const TABLE: Table<(u128, u128)> = schema::FLIGHTS;
    }

    /// Gives every flight another key.
    fn to_new_keys(writer: &Writer<'_>) -> Result<()> {
        for ((owner, id), flight) in writer.scan::<Flight>(..)? {
            writer.remove::<Flight>((owner, id))?;
            writer.put((owner, id + 10), &flight)?;
        }
        Ok(())
    }

    fn fails_halfway(writer: &Writer<'_>) -> Result<()> {
        writer.put((9, 9), &Flight { minutes: 9 })?;
        Err(Error::Internal("a defect in a step".to_owned()))
    }

    const NONE: [Step; 0] = [];
    const BEFORE: [((u128, u128), u32); 2] = [((1, 1), 5), ((1, 2), 7)];

    struct Place {
        folder: tempfile::TempDir,
    }

    impl Place {
        /// Creates a database of schema 1 with two flights.
        fn of_schema_1() -> Place {
            let place = Place {
                folder: tempfile::tempdir().unwrap(),
            };
            let database = place.migrate(&NONE).unwrap();
            let transaction = database.begin_write().unwrap();
            let writer = Writer::new(&transaction);
            for (key, minutes) in BEFORE {
                writer.put(key, &Flight { minutes }).unwrap();
            }
            transaction.commit().unwrap();
            place
        }

        fn file(&self) -> PathBuf {
            self.folder.path().join("fluglog.redb")
        }

        fn migrate(&self, steps: &[Step]) -> std::result::Result<Database, OpenError> {
            let database = Database::create(self.file()).unwrap();
            migrate(&database, Some(&self.file()), steps).map(|()| database)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path()).unwrap();
            let mut names: Vec<_> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    fn flights(database: &Database) -> Vec<((u128, u128), u32)> {
        let transaction = database.begin_write().unwrap();
        let flights = Writer::new(&transaction).scan::<Flight>(..).unwrap();
        flights.iter().map(|(key, flight)| (*key, flight.minutes)).collect()
    }

    #[test]
    fn an_older_database_is_brought_on_and_a_copy_of_what_it_was_is_kept() {
        let place = Place::of_schema_1();
        let database = place.migrate(&[to_new_keys]).unwrap();
        assert_eq!(flights(&database), [((1, 11), 5), ((1, 12), 7)]);
        drop(database);
        assert_eq!(place.names(), ["fluglog-schema-1.redb", "fluglog.redb"]);
        let earlier = Place {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::copy(place.folder.path().join("fluglog-schema-1.redb"), earlier.file()).unwrap();
        let database = earlier.migrate(&NONE).unwrap();
        assert_eq!(flights(&database), BEFORE);
    }

    #[test]
    fn a_step_is_taken_once() {
        let place = Place::of_schema_1();
        drop(place.migrate(&[to_new_keys]).unwrap());
        fs::remove_file(place.folder.path().join("fluglog-schema-1.redb")).unwrap();
        let database = place.migrate(&[to_new_keys]).unwrap();
        assert_eq!(flights(&database), [((1, 11), 5), ((1, 12), 7)]);
        assert_eq!(place.names(), ["fluglog.redb"]);
    }

    #[test]
    fn a_new_database_needs_no_step_and_no_copy() {
        let place = Place {
            folder: tempfile::tempdir().unwrap(),
        };
        drop(place.migrate(&[fails_halfway]).unwrap());
        assert_eq!(place.names(), ["fluglog.redb"]);
    }

    #[test]
    fn a_migration_that_fails_leaves_the_database_as_it_was() {
        let place = Place::of_schema_1();
        assert!(place.migrate(&[to_new_keys, fails_halfway]).is_err());
        let database = place.migrate(&NONE).unwrap();
        assert_eq!(flights(&database), BEFORE);
    }

    #[test]
    fn without_room_for_the_copy_nothing_is_migrated() {
        let place = Place::of_schema_1();
        // A folder where the copy belongs makes it fail, as a full disk would.
        fs::create_dir(place.folder.path().join("fluglog-schema-1.part")).unwrap();
        let refused = place.migrate(&[to_new_keys]).map(drop);
        assert!(matches!(refused, Err(OpenError::NotMigrated { from: 1, to: 2, bytes, .. }) if bytes > 0));
        place.migrate(&NONE).unwrap();
    }

    #[test]
    fn an_earlier_version_refuses_what_was_migrated() {
        let place = Place::of_schema_1();
        drop(place.migrate(&[to_new_keys]).unwrap());
        let refused = place.migrate(&NONE).map(drop);
        assert!(matches!(refused, Err(OpenError::Newer { schema: 2, .. })));
    }
}
