//! Recovers every record and file whose checksum is still right from a damaged data directory into an archive. Changes
//! nothing in the directory and doesn't open the database with redb. Derived data are rebuilt. Knows no command line.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::format::Archive;
use super::{backup, check};
use fluglog_accounts::administration;
use fluglog_accounts::spaces::recovery;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, UserId};
use fluglog_base::time::Clock;
use fluglog_store::blobs::folder::BlobName;
use fluglog_store::blobs::{Blobs, Reserves};
use fluglog_store::builder::DatabaseBuilder;
use fluglog_store::deletions;
use fluglog_store::findings::{Finding, Findings};
use fluglog_store::{OpenError, Scope, damaged, schema};

/// Tables derived from others: rebuilt, so their losses aren't reported.
const DERIVED: [&str; 9] = [
    schema::USERS_BY_EMAIL.name(),
    schema::OPEN_FLIGHTS.name(),
    schema::EQUIPMENT_USES.name(),
    schema::EQUIPMENT_TOTALS.name(),
    schema::FLIGHT_YEARS.name(),
    schema::FLIGHT_REVIEWS.name(),
    schema::FLIGHT_SHARES.name(),
    schema::CHARGING_TOTALS.name(),
    schema::JOB_COUNTERS.name(),
];

/// What the archive contains, and what was lost.
#[derive(Default)]
pub struct Recovered {
    pub records: u64,
    pub files: u64,
    pub file_bytes: u64,
    pub lost: Vec<Lost>,
    /// Placeholder accounts made for lost ones.
    pub placeholders: Vec<Placeholder>,
    /// Names of the placeholder spaces made for lost ones.
    pub spaces: Vec<String>,
}

/// A placeholder for an account that is lost while its user's records remain.
pub struct Placeholder {
    pub email: String,
    pub records: u64,
}

pub enum Lost {
    /// Lost records of a table; `count` may be a minimum.
    Records { table: &'static str, count: u64 },
    /// Records of a table that may be outdated versions.
    Older { table: &'static str, count: u64 },
    /// Records of a table whose keys, and so whose owners, can't be verified.
    Unverified { table: &'static str, count: u64 },
    /// A file that is missing or damaged, and the record that names it.
    File { id: BlobId, by: String },
    /// A file that no record names; the record may be lost.
    UncommittedBlobs(BlobName),
    /// A reference to lost records, or a lost change.
    Found(Finding),
}

/// Why nothing could be recovered.
#[derive(Debug)]
pub enum Failed {
    /// No database was found that can be read.
    Unreadable(io::Error),
    /// No record could be verified.
    NothingFound,
    /// A newer version of Fluglog wrote the database.
    Newer { schema: u32, program: String },
    /// The archive can't be written.
    Unwritten,
}

/// Writes an archive of what can be recovered from a damaged data directory.
///
/// # Errors
/// There is nothing to recover, or `out` can't be written.
pub fn recover(data_dir: &Path, clock: &Clock, out: &mut dyn Write) -> std::result::Result<Recovered, Failed> {
    let now = clock.unix_seconds();
    let mut recovered = Recovered::default();
    let mut file = damaged::open(&data_dir.join(fluglog_store::FILE_NAME)).map_err(Failed::Unreadable)?;
    let lost_change = file.lost_commit().map(|time| check::change_lost(clock, time));
    recovered.lost.extend(lost_change.map(Lost::Found));
    let database = DatabaseBuilder::in_memory().map_err(unwritten)?;
    let mut is_anything = false;
    let mut owners = BTreeMap::new();
    for table in schema::ALL.iter().filter(|table| !table.is_index()) {
        let found = file.table(table.name(), *table);
        let rows: Vec<_> = found.rows.iter().map(|(key, value)| (&key[..], &value[..])).collect();
        database.insert(table.name(), &rows).map_err(unwritten)?;
        is_anything |= !rows.is_empty();
        if table.scope() == Scope::OwnerContent {
            for (key, _) in rows {
                let owner = key.first_chunk().copied().map(u128::from_be_bytes);
                *owners.entry(owner.unwrap_or_default()).or_default() += 1;
            }
        }
        let table = table.name();
        if DERIVED.contains(&table) {
            continue;
        }
        let (lost, older, unverified) = (found.lost(), found.uncertain, found.unverified);
        if lost > 0 {
            recovered.lost.push(Lost::Records { table, count: lost });
        }
        if older > 0 {
            recovered.lost.push(Lost::Older { table, count: older });
        }
        if unverified > 0 {
            recovered.lost.push(Lost::Unverified {
                table,
                count: unverified,
            });
        }
    }
    if !is_anything {
        return Err(Failed::NothingFound);
    }
    database.complete().map_err(|error| match error {
        OpenError::Newer { schema, program } => Failed::Newer { schema, program },
        _ => Failed::Unwritten,
    })?;
    (recovered.placeholders, recovered.spaces) = make_placeholders(&database, owners, now).map_err(unwritten)?;
    let (findings, losses) = rebuild_derived(&database).map_err(unwritten)?;
    recovered.records = findings.records();
    recovered.lost.extend(losses.into_iter().map(Lost::Found));
    recovered
        .lost
        .extend(findings.damages().iter().cloned().map(Lost::Found));
    write(data_dir, &database, &findings, now, &mut recovered, out).map_err(unwritten)?;
    Ok(recovered)
}

/// Makes a placeholder for each lost space and an account for each owner who is neither user nor space; `owners` counts
/// their records, which nobody could reach otherwise.
fn make_placeholders(
    database: &DatabaseBuilder,
    owners: BTreeMap<u128, u64>,
    now: i64,
) -> Result<(Vec<Placeholder>, Vec<String>)> {
    database.write(|writer| {
        let spaces = recovery::make_placeholders(writer, now)?;
        let mut made = Vec::new();
        for (owner, records) in owners {
            // Remaining rows of an owner who is being deleted are removed later.
            let is_known = writer.has(&schema::USERS, owner)?
                || writer.has(&schema::SPACES, owner)?
                || deletions::is_deleted(writer, owner)?;
            if !is_known {
                let email = administration::make_placeholder(writer, UserId::from_key(owner), made.len() + 1, now)?;
                made.push(Placeholder { email, records });
            }
        }
        recovery::drop_lost_members(writer)?;
        Ok((made, spaces))
    })
}

/// Rebuilds derived data and returns the findings that remain, and what can't be rebuilt.
fn rebuild_derived(database: &DatabaseBuilder) -> Result<(Findings, Vec<Finding>)> {
    let mut losses = Vec::new();
    for _ in 0..check::MAX_ROUNDS {
        let is_rebuilt = database.write(|writer| {
            let findings = check::survey(writer);
            findings.rebuild(writer)?;
            losses.extend_from_slice(findings.losses());
            Ok(findings.rebuilds().next().is_some())
        })?;
        if !is_rebuilt {
            break;
        }
    }
    Ok((database.read(|data| Ok(check::survey(data)))?, losses))
}

fn write(
    data_dir: &Path,
    database: &DatabaseBuilder,
    findings: &Findings,
    now: i64,
    recovered: &mut Recovered,
    out: &mut dyn Write,
) -> Result<()> {
    let blobs = Blobs::new(data_dir, Reserves::default());
    let out = BufWriter::with_capacity(backup::PIECE_BYTES, out);
    let mut archive = Archive::begin(out, now).map_err(backup::write_error)?;
    database.read(|data| backup::put_tables(data, &mut archive))?;
    backup::put_legals(data_dir, &mut archive)?;
    for (id, named) in findings.blobs() {
        let blob = Blob {
            id: *id,
            sha256: named.sha256,
        };
        let Ok((file, bytes)) = blobs.read_verified(&blob) else {
            recovered.lost.push(Lost::File {
                id: *id,
                by: named.by.clone(),
            });
            continue;
        };
        archive.blob(*id, bytes, file).map_err(backup::write_error)?;
        recovered.files += 1;
        recovered.file_bytes += bytes;
    }
    archive.end().map_err(backup::write_error)?;
    if !recovered.lost.is_empty() {
        let unnamed = blobs
            .names()
            .unwrap_or_default()
            .into_iter()
            .filter(|name| !findings.names_file(*name));
        recovered.lost.extend(unnamed.map(Lost::UncommittedBlobs));
    }
    Ok(())
}

fn unwritten(error: Error) -> Failed {
    tracing::error!("the archive can't be written: {error:?}");
    Failed::Unwritten
}
