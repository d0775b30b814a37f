//! The format of an archive: a plain tar of `fluglog.json` (its kind), the rows of every table in parts, the admin's
//! own legal texts, every blob, and finally `manifest.json` with the digests of everything before it. An archive
//! without a manifest is incomplete. Knows neither the database's format nor the meaning of a record.
//!
//! A part of a table is a sequence of rows: length of the key, length of the value (4 bytes each, big-endian), key,
//! value.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use fluglog_base::id::BlobId;
use fluglog_base::secret::Digest;
use fluglog_base::time;
use fluglog_store::migrations::SCHEMA;

/// Version of the format that this module describes.
pub(crate) const FORMAT: u32 = 1;
pub const HEAD: &str = "fluglog.json";
pub(crate) const MANIFEST: &str = "manifest.json";
/// Size at which a part is closed; it exceeds this by at most one row.
pub(crate) const PART_BYTES: usize = 1024 * 1024;

/// The identification of an archive: the content of `fluglog.json`, repeated in the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub format: u32,
    pub schema: u32,
    pub program: String,
    /// RFC 3339, UTC.
    pub created: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub format: u32,
    pub schema: u32,
    pub program: String,
    pub created: String,
    pub tables: BTreeMap<String, TableSums>,
    /// By name. Archives made before 1.4.0 have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub legal: BTreeMap<String, Sum>,
    pub blobs: Vec<BlobSum>,
}

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableSums {
    pub rows: u64,
    pub parts: Vec<Sum>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    pub bytes: u64,
    #[serde(
        serialize_with = "const_hex::serde::no_prefix::serialize",
        deserialize_with = "const_hex::deserialize"
    )]
    pub sha256: Digest,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlobSum {
    pub id: uuid::Uuid,
    pub bytes: u64,
    #[serde(
        serialize_with = "const_hex::serde::no_prefix::serialize",
        deserialize_with = "const_hex::deserialize"
    )]
    pub sha256: Digest,
}

impl Manifest {
    /// A manifest without entries.
    #[must_use]
    pub fn new(head: Head) -> Manifest {
        Manifest {
            format: head.format,
            schema: head.schema,
            program: head.program,
            created: head.created,
            tables: BTreeMap::new(),
            legal: BTreeMap::new(),
            blobs: Vec::new(),
        }
    }
}

impl Head {
    /// The head of an archive made by this version at `created` (Unix seconds).
    #[must_use]
    pub fn new(created: i64) -> Head {
        Head {
            format: FORMAT,
            schema: SCHEMA,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            created: time::rfc_3339(created),
        }
    }
}

/// The name of part `number` of a table, counted from 1.
#[must_use]
pub(crate) fn part_name(table: &str, number: usize) -> String {
    format!("tables/{table}/{number:06}")
}

#[must_use]
pub(crate) fn blob_name(id: BlobId) -> String {
    format!("blobs/{id}")
}

#[must_use]
pub(crate) fn legal_name(name: &str) -> String {
    format!("legal/{name}")
}

/// The tar header of a file. Deterministic, so that the reader can compare it byte for byte.
///
/// # Errors
/// The name doesn't fit into a tar header.
pub fn header(name: &str, bytes: u64, seconds: u64) -> io::Result<tar::Header> {
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(seconds);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    Ok(header)
}

/// An archive that is being written.
pub struct Archive<W: Write> {
    out: tar::Builder<W>,
    seconds: u64,
    manifest: Manifest,
}

impl<W: Write> Archive<W> {
    /// Begins an archive made at `created` (Unix seconds).
    ///
    /// # Errors
    /// The archive can't be written; likewise for the methods below.
    pub fn begin(out: W, created: i64) -> io::Result<Archive<W>> {
        let head = Head::new(created.max(0));
        let mut archive = Archive {
            out: tar::Builder::new(out),
            // A board without a clock may report a time before 1970, which tar can't represent.
            seconds: u64::try_from(created).unwrap_or(0),
            manifest: Manifest::new(head.clone()),
        };
        let head = serde_json::to_vec(&head)?;
        archive.file(HEAD, head.len() as u64, &head[..])?;
        Ok(archive)
    }

    /// Begins a table; its rows are added to the returned part.
    pub fn table<'a>(&'a mut self, name: &'static str) -> Part<'a, W> {
        Part {
            archive: self,
            name,
            rows: Vec::with_capacity(PART_BYTES),
            sums: TableSums::default(),
        }
    }

    /// Adds one of the admin's own legal texts. They come after the tables and before the blobs.
    pub fn legal(&mut self, name: String, content: &[u8]) -> io::Result<()> {
        let sum = self.file(&legal_name(&name), content.len() as u64, content)?;
        self.manifest.legal.insert(name, sum);
        Ok(())
    }

    /// Adds a blob of `bytes` bytes and returns the digest of what was written.
    pub fn blob(&mut self, id: BlobId, bytes: u64, content: impl Read) -> io::Result<Digest> {
        let sum = self.file(&blob_name(id), bytes, content.take(bytes))?;
        let sha256 = sum.sha256;
        self.manifest.blobs.push(BlobSum {
            id: uuid::Uuid::from_u128(id.key()),
            bytes,
            sha256,
        });
        Ok(sha256)
    }

    /// Writes the manifest and the end of the tar.
    pub fn end(mut self) -> io::Result<()> {
        let manifest = serde_json::to_vec(&self.manifest)?;
        self.file(MANIFEST, manifest.len() as u64, &manifest[..])?;
        self.out.into_inner()?.flush()
    }

    fn file(&mut self, name: &str, bytes: u64, content: impl Read) -> io::Result<Sum> {
        let mut content = HashingReader {
            inner: content,
            sum: Sha256::new(),
        };
        self.out.append(&header(name, bytes, self.seconds)?, &mut content)?;
        Ok(Sum {
            bytes,
            sha256: content.sum.finalize().into(),
        })
    }
}

/// A table that is being written.
pub struct Part<'a, W: Write> {
    archive: &'a mut Archive<W>,
    name: &'static str,
    rows: Vec<u8>,
    sums: TableSums,
}

impl<W: Write> Part<'_, W> {
    pub fn row(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        for length in [key.len(), value.len()] {
            let length = u32::try_from(length).map_err(io::Error::other)?;
            self.rows.extend_from_slice(&length.to_be_bytes());
        }
        self.rows.extend_from_slice(key);
        self.rows.extend_from_slice(value);
        self.sums.rows += 1;
        if self.rows.len() >= PART_BYTES {
            self.close()?;
        }
        Ok(())
    }

    pub fn end(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.close()?;
        }
        self.archive.manifest.tables.insert(self.name.to_owned(), self.sums);
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        let name = part_name(self.name, self.sums.parts.len() + 1);
        let sum = self.archive.file(&name, self.rows.len() as u64, &self.rows[..])?;
        self.sums.parts.push(sum);
        self.rows.clear();
        Ok(())
    }
}

/// Splits a part into its rows; `None` if it is malformed.
#[must_use]
pub fn rows(mut part: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut rows = Vec::new();
    while !part.is_empty() {
        let (key, rest) = part.split_first_chunk()?;
        let (value, rest) = rest.split_first_chunk()?;
        let [key, value] = [key, value].map(|length| u32::from_be_bytes(*length) as usize);
        let (key, rest) = rest.split_at_checked(key)?;
        let (value, rest) = rest.split_at_checked(value)?;
        rows.push((key, value));
        part = rest;
    }
    Some(rows)
}

/// Computes the digest of what is read through it.
struct HashingReader<R> {
    inner: R,
    sum: Sha256,
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.sum.update(&buffer[..length]);
        Ok(length)
    }
}
