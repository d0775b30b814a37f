//! Reads an archive back. Refuses every byte that this program wouldn't have written. Tables are loaded into a
//! database, blobs written to a folder or only checked. Knows no place where archives are kept.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::check;
use super::format::{self, BlobSum, HEAD, Head, MANIFEST, Manifest, Sum, TableSums};
use fluglog_base::error::Error;
use fluglog_base::id::BlobId;
use fluglog_base::time;
use fluglog_store::OpenError;
use fluglog_store::builder::DatabaseBuilder;
use fluglog_store::findings::{Finding, FindingKind, Findings};
use fluglog_store::migrations::SCHEMA;
use fluglog_topics::registry;
use fluglog_web::assets;

const MAX_HEAD_BYTES: u64 = 64 * 1024;
/// A part exceeds its size by at most one row, and a row is no larger than a record.
const MAX_PART_BYTES: u64 = 4 * format::PART_BYTES as u64;
/// Enough for more than a million blobs.
const MAX_MANIFEST_BYTES: u64 = 256 * 1024 * 1024;
const PIECE_BYTES: usize = 256 * 1024;

/// A tar consists of blocks of this size, padded with zeros, and ends with two empty ones.
const BLOCK_BYTES: usize = 512;
const ZERO_BLOCK: [u8; BLOCK_BYTES] = [0; BLOCK_BYTES];
const END_BLOCKS: usize = 2;

/// Why an archive is refused.
#[derive(Debug)]
pub enum ReadError {
    /// The file isn't an archive of Fluglog.
    Foreign,
    /// The archive ends too early.
    Truncated,
    /// The damage, as the end of „… ist beschädigt: “.
    Damaged(String),
    /// A newer version of Fluglog wrote the archive.
    Newer { schema: u32, program: String },
    /// The archive can't be read.
    Unreadable(io::Error),
    /// The archive's content can't be written.
    Unwritable(io::Error),
}

type Result<T> = std::result::Result<T, ReadError>;

/// What was read from an archive.
pub struct Contents {
    /// Time when the archive was made, in Unix seconds.
    pub created: i64,
    pub findings: Findings,
    pub blobs: u64,
    pub blob_bytes: u64,
    /// Damage in the backed-up data, which the archive preserves as it was.
    pub damage: Vec<Finding>,
    pub legal: BTreeMap<String, Vec<u8>>,
}

/// Reads a whole archive.
///
/// # Errors
/// The archive isn't complete and intact, or its content can't be written; what was written by then must be discarded.
pub fn read(from: impl Read, database: &DatabaseBuilder, folder: Option<&Path>) -> Result<Contents> {
    let mut reader = Reader { from, seconds: None };
    let head = reader.head()?;
    let mut manifest = Manifest::new(head);
    let mut next = reader.tables(&mut manifest.tables, database)?;
    database.complete().map_err(unopened)?;
    database.write(registry::complete).map_err(not_loaded)?;
    let findings = database.read(|data| Ok(check::survey(data))).map_err(not_loaded)?;
    let mut damage = findings.damages().to_vec();
    let mut legal = BTreeMap::new();
    while let Some(name) = next.name.strip_prefix("legal/").map(str::to_owned) {
        let (sum, text) = reader.legal(&next, &name)?;
        if manifest.legal.insert(name.clone(), sum).is_some() {
            return Err(damaged(format!("{} kommt zweimal vor", next.name)));
        }
        legal.insert(name, text);
        next = reader.next()?;
    }
    let mut blob_bytes = 0;
    while next.name != MANIFEST {
        let sum = reader.blob(&next, &findings, folder)?;
        blob_bytes += sum.bytes;
        manifest.blobs.push(sum);
        next = reader.next()?;
    }
    reader.manifest(&next, &mut manifest)?;
    let there: BTreeMap<_, _> = manifest
        .blobs
        .iter()
        .map(|blob| (blob.id.as_u128(), blob.sha256))
        .collect();
    if there.len() != manifest.blobs.len() {
        return Err(damaged("eine Datei kommt zweimal vor"));
    }
    for (id, named) in findings.blobs() {
        let wrong = match there.get(&id.key()) {
            Some(sha256) if *sha256 == named.sha256 => continue,
            Some(_) => FindingKind::FileDamagedInBackup(named.by.clone()),
            None => FindingKind::FileMissingInBackup(named.by.clone()),
        };
        damage.push(Finding {
            place: format::blob_name(*id),
            wrong,
        });
    }
    Ok(Contents {
        created: reader.created(),
        findings,
        blobs: there.len() as u64,
        blob_bytes,
        damage,
        legal,
    })
}

/// Number of zeros that pad a file of this length.
fn padding(bytes: u64) -> usize {
    let over = usize::try_from(bytes % BLOCK_BYTES as u64).unwrap_or(0);
    (BLOCK_BYTES - over) % BLOCK_BYTES
}

fn damaged(what: impl Into<String>) -> ReadError {
    ReadError::Damaged(what.into())
}

/// The header of a file in the archive.
struct Entry {
    name: String,
    bytes: u64,
}

struct Reader<R> {
    from: R,
    /// The modification time that all files in the archive share.
    seconds: Option<u64>,
}

impl<R: Read> Reader<R> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<()> {
        self.from.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadError::Truncated,
            _ => ReadError::Unreadable(error),
        })
    }

    fn next(&mut self) -> Result<Entry> {
        let mut block = ZERO_BLOCK;
        self.fill(&mut block)?;
        let unknown = || damaged("zwischen den Dateien steht Unbekanntes");
        let header = tar::Header::from_byte_slice(&block);
        let name = std::str::from_utf8(&header.path_bytes())
            .map_err(|_| unknown())?
            .to_owned();
        let bytes = header.entry_size().map_err(|_| unknown())?;
        let seconds = match self.seconds {
            Some(seconds) => seconds,
            None => header.mtime().map_err(|_| unknown())?,
        };
        // Anything else a tar can contain (links, folders, absolute paths) doesn't come from this program.
        let ours = format::header(&name, bytes, seconds).map_err(|_| unknown())?;
        if ours.as_bytes() != &block {
            return Err(unknown());
        }
        self.seconds = Some(seconds);
        Ok(Entry { name, bytes })
    }

    fn content(&mut self, entry: &Entry, most_bytes: u64) -> Result<Vec<u8>> {
        if entry.bytes > most_bytes {
            return Err(damaged(format!("{} ist zu groß", entry.name)));
        }
        let mut content = Vec::new();
        (&mut self.from)
            .take(entry.bytes)
            .read_to_end(&mut content)
            .map_err(ReadError::Unreadable)?;
        if (content.len() as u64) < entry.bytes {
            return Err(ReadError::Truncated);
        }
        self.padding(entry.bytes)?;
        Ok(content)
    }

    fn padding(&mut self, bytes: u64) -> Result<()> {
        let mut block = ZERO_BLOCK;
        let padding = &mut block[..padding(bytes)];
        self.fill(padding)?;
        match padding.iter().all(|byte| *byte == 0) {
            true => Ok(()),
            false => Err(damaged("zwischen den Dateien steht Unbekanntes")),
        }
    }

    fn created(&self) -> i64 {
        self.seconds
            .and_then(|seconds| i64::try_from(seconds).ok())
            .unwrap_or(0)
    }

    fn head(&mut self) -> Result<Head> {
        let entry = match self.next() {
            Ok(entry) if entry.name == HEAD => entry,
            Ok(_) | Err(ReadError::Damaged(_) | ReadError::Truncated) => return Err(ReadError::Foreign),
            Err(other) => return Err(other),
        };
        let content = self.content(&entry, MAX_HEAD_BYTES)?;
        let head: Head = serde_json::from_slice(&content).map_err(|_| damaged(format!("{HEAD} ist nicht lesbar")))?;
        if head.format > format::FORMAT || head.schema > SCHEMA {
            return Err(ReadError::Newer {
                schema: head.schema,
                program: head.program,
            });
        }
        if head.created != time::rfc_3339(self.created()) || !is_written_as(&head, &content) {
            return Err(damaged(format!("{HEAD} ist verändert")));
        }
        Ok(head)
    }

    /// Reads the parts of all tables and returns the entry after them.
    fn tables(&mut self, tables: &mut BTreeMap<String, TableSums>, database: &DatabaseBuilder) -> Result<Entry> {
        loop {
            let entry = self.next()?;
            let Some((table, _)) = entry.name.strip_prefix("tables/").and_then(|name| name.split_once('/')) else {
                return Ok(entry);
            };
            let sums = tables.entry(table.to_owned()).or_default();
            if entry.name != format::part_name(table, sums.parts.len() + 1) {
                return Err(damaged(format!("{} steht an der falschen Stelle", entry.name)));
            }
            let content = self.content(&entry, MAX_PART_BYTES)?;
            let rows = format::rows(&content).ok_or_else(|| damaged(format!("{} ist nicht lesbar", entry.name)))?;
            sums.rows += rows.len() as u64;
            sums.parts.push(Sum {
                bytes: entry.bytes,
                sha256: Sha256::digest(&content).into(),
            });
            database.insert(table, &rows).map_err(|error| match error {
                Error::Internal(_) => damaged(format!("{} passt zu keiner Tabelle", entry.name)),
                other => not_loaded(other),
            })?;
        }
    }

    fn legal(&mut self, entry: &Entry, name: &str) -> Result<(Sum, Vec<u8>)> {
        if !assets::is_legal(name) {
            return Err(damaged(format!("{} gehört nicht hinein", entry.name)));
        }
        let text = self.content(entry, assets::MAX_LEGAL_BYTES)?;
        let sum = Sum {
            bytes: entry.bytes,
            sha256: Sha256::digest(&text).into(),
        };
        Ok((sum, text))
    }

    fn blob(&mut self, entry: &Entry, findings: &Findings, folder: Option<&Path>) -> Result<BlobSum> {
        let unknown = || damaged(format!("{} gehört nicht hinein", entry.name));
        let id = entry
            .name
            .strip_prefix("blobs/")
            .and_then(BlobId::parse)
            .ok_or_else(unknown)?;
        if format::blob_name(id) != entry.name || !findings.blobs().contains_key(&id) {
            return Err(unknown());
        }
        let mut file = folder
            .map(|folder| {
                let mut options = OpenOptions::new();
                options
                    .write(true)
                    .create_new(true)
                    .mode(0o600)
                    .open(folder.join(id.to_string()))
            })
            .transpose()
            .map_err(ReadError::Unwritable)?;
        let mut sum = Sha256::new();
        let mut left = entry.bytes;
        let mut piece = vec![0; PIECE_BYTES];
        while left > 0 {
            let length = usize::try_from(left).unwrap_or(PIECE_BYTES).min(PIECE_BYTES);
            self.fill(&mut piece[..length])?;
            sum.update(&piece[..length]);
            if let Some(file) = &mut file {
                file.write_all(&piece[..length]).map_err(ReadError::Unwritable)?;
            }
            left -= length as u64;
        }
        self.padding(entry.bytes)?;
        Ok(BlobSum {
            id: uuid::Uuid::from_u128(id.key()),
            bytes: entry.bytes,
            sha256: sum.finalize().into(),
        })
    }

    /// Compares the manifest with what was read, and checks that nothing follows it.
    fn manifest(&mut self, entry: &Entry, read: &mut Manifest) -> Result<()> {
        let content = self.content(entry, MAX_MANIFEST_BYTES)?;
        let written: Manifest =
            serde_json::from_slice(&content).map_err(|_| damaged(format!("{MANIFEST} ist nicht lesbar")))?;
        // A table without rows has no parts.
        for (name, sums) in &written.tables {
            if sums.rows == 0 {
                read.tables.entry(name.clone()).or_default();
            }
        }
        let head = |manifest: &Manifest| {
            (
                manifest.format,
                manifest.schema,
                manifest.program.clone(),
                manifest.created.clone(),
            )
        };
        if head(&written) != head(read) || !is_written_as(&written, &content) {
            return Err(damaged(format!("{MANIFEST} ist verändert")));
        }
        if let Some((name, _)) = read
            .tables
            .iter()
            .find(|(name, sums)| written.tables.get(*name) != Some(*sums))
        {
            return Err(damaged(format!("die Prüfsumme der Tabelle {name} stimmt nicht")));
        }
        if written.tables.len() != read.tables.len() {
            return Err(damaged("es fehlt eine Tabelle"));
        }
        if written.legal != read.legal {
            return Err(damaged("die Prüfsumme der Rechtstexte stimmt nicht"));
        }
        if let Some((blob, _)) = read
            .blobs
            .iter()
            .zip(&written.blobs)
            .find(|(read, written)| read != written)
        {
            return Err(damaged(format!("die Prüfsumme von blobs/{} stimmt nicht", blob.id)));
        }
        if written.blobs.len() != read.blobs.len() {
            return Err(damaged("es fehlt eine Datei"));
        }
        let mut end = [1; END_BLOCKS * BLOCK_BYTES];
        self.fill(&mut end)?;
        let after = self.from.read(&mut [0]).map_err(ReadError::Unreadable)?;
        match end.iter().all(|byte| *byte == 0) && after == 0 {
            true => Ok(()),
            false => Err(damaged("nach dem Ende steht noch etwas")),
        }
    }
}

/// Whether `bytes` are exactly how this program writes `value`: JSON allows other spellings.
fn is_written_as(value: &impl serde::Serialize, bytes: &[u8]) -> bool {
    struct Compared<'b>(&'b [u8]);
    impl Write for Compared<'_> {
        fn write(&mut self, written: &[u8]) -> io::Result<usize> {
            self.0 = self.0.strip_prefix(written).ok_or(io::ErrorKind::InvalidData)?;
            Ok(written.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut compared = Compared(bytes);
    serde_json::to_writer(&mut compared, value).is_ok() && compared.0.is_empty()
}

fn not_loaded(error: Error) -> ReadError {
    let (Error::Internal(cause) | Error::Busy(cause) | Error::DiskFull(cause)) = error else {
        return ReadError::Unwritable(io::Error::other("the database refused a row"));
    };
    ReadError::Unwritable(io::Error::other(cause))
}

fn unopened(error: OpenError) -> ReadError {
    match error {
        OpenError::Newer { schema, program } => ReadError::Newer { schema, program },
        other => damaged(format!("die Tabellen ergeben keine Datenbank ({other:?})")),
    }
}
