//! A multipart body as fields and files, with limits. Files are written to the disk in chunks, so memory doesn't grow
//! with them. Knows no call.
//!
//! A body that is cut off fails here, before anything is done with its parts: they are handed on only after the closing
//! boundary. Until then every file is a [`BlobWriter`], which leaves nothing behind when dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use multer::{Constraints, Field, Multipart, SizeLimit};
use warp::Buf;

use super::form;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::file_name;
use fluglog_base::id::UserId;
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::Permit;
use fluglog_base::limits::usage::Reservation;
use fluglog_base::text;
use fluglog_store::blobs::BlobWriter;

/// Most parts in one body, files and fields together.
const MAX_PARTS: usize = 64;
/// Most bytes of all fields together, and of one part's header.
const MAX_FIELDS_BYTES: usize = form::MAX_BYTES;
const MAX_HEADER_BYTES: usize = 512 * 1024;
/// Allowance for boundaries, headers and fields around the files, in bytes.
const MAX_AROUND_FILES_BYTES: u64 = 2 * 1024 * 1024;
/// Bytes written to the disk at a time.
const CHUNK_BYTES: usize = 256 * 1024;
const NAMELESS: &str = "Datei";

/// What a call accepts as files.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// The field that holds them.
    pub field: &'static str,
    /// The error sentence if no file came; `None` if files are optional.
    pub missing: Option<&'static str>,
    pub most: usize,
    /// The error sentence if more than `most` came.
    pub too_many: &'static str,
    /// Size limit of all files together.
    pub most_bytes: u64,
    /// The error sentence if they are larger.
    pub too_large: &'static str,
}

impl Files {
    /// The error if no file came.
    #[must_use]
    pub fn missing_error(&self) -> Error {
        Error::invalid(self.field, self.missing.unwrap_or(text::FILE_MISSING))
    }
}

/// A received file.
pub struct Upload {
    /// Name as sent, cleaned by [`sanitized_name`]; never empty.
    pub name: String,
    pub content: BlobWriter,
}

/// Fields and files of a body, with what it takes up of a quota.
pub struct Received {
    pub fields: Fields,
    pub uploads: Vec<Upload>,
    /// The files' bytes, reserved while they came.
    pub reserved: Vec<Reservation>,
    /// The refusal if the files have no room, so that none of them was kept. The fields tell whether the request was
    /// carried out before, and so nothing of it is new.
    pub over_quota: Option<Error>,
    pub permit: Option<Permit>,
}

/// Reserves bytes of a file before they are written, in the quota that the fields before it tell.
pub type Reserve = dyn Fn(&App, &Fields, u64) -> Result<Option<Reservation>> + Send + Sync;

/// Refuses a body whose `Content-Length` exceeds the limit before it is read.
///
/// # Errors
/// [`Error::FilesTooLarge`].
pub fn check_length(content_length: Option<&str>, files: &Files) -> Result<()> {
    let length: Option<u64> = content_length.and_then(|length| length.parse().ok());
    match length {
        Some(length) if length > files.most_bytes + MAX_AROUND_FILES_BYTES => {
            Err(Error::FilesTooLarge(files.too_large))
        }
        _ => Ok(()),
    }
}

/// Reads a body to its end.
///
/// # Errors
/// Another content type, an exceeded limit, a body that is cut off or too slow, text that is not UTF-8, a field that
/// was sent twice, a full disk; or the error of `reserve`, unless that is [`Error::QuotaUsedUp`].
pub async fn read<B: Buf, E>(
    app: &Arc<App>,
    pilot: UserId,
    reserve: Arc<Reserve>,
    content_type: Option<&str>,
    body: impl Stream<Item = std::result::Result<B, E>> + Send,
    files: &Files,
) -> Result<Received> {
    let mut received = Received {
        fields: Fields::default(),
        uploads: Vec::new(),
        reserved: Vec::new(),
        over_quota: None,
        permit: None,
    };
    let Some(kind) = content_type.filter(|kind| is_multipart(kind)) else {
        return match form::is_empty(body).await? {
            true => Ok(received),
            false => Err(Error::WrongContentType),
        };
    };
    let boundary = multer::parse_boundary(kind).map_err(|_| form::malformed())?;
    let unread = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&unread);
    let body = body.map(move |chunk| {
        let mut chunk = chunk.map_err(|_| "cut off")?;
        let chunk: Bytes = chunk.copy_to_bytes(chunk.remaining());
        // The parser itself would buffer an endless header.
        let waiting = counted.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
        if waiting > MAX_HEADER_BYTES {
            Err("no end of a header")
        } else {
            Ok(chunk)
        }
    });
    let whole = SizeLimit::new().whole_stream(files.most_bytes + MAX_AROUND_FILES_BYTES);
    let mut parts = Multipart::with_constraints(body, boundary, Constraints::new().size_limit(whole));
    let mut reader = Reader {
        app,
        pilot,
        reserve,
        files,
        unread,
        pairs: Vec::new(),
        field_bytes: 0,
        file_bytes: 0,
        received,
    };
    for _ in 0..MAX_PARTS {
        let part = reader.next(parts.next_field()).await?;
        match part {
            Some(part) => reader.take(part).await?,
            None => {
                received = reader.received;
                received.fields = Fields::from_pairs(reader.pairs)?;
                return Ok(received);
            }
        }
    }
    Err(form::malformed())
}

fn is_multipart(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("multipart/form-data")
}

/// The parts read so far.
struct Reader<'r> {
    app: &'r Arc<App>,
    pilot: UserId,
    reserve: Arc<Reserve>,
    files: &'r Files,
    /// Bytes that the parser received since it last returned something.
    unread: Arc<AtomicUsize>,
    pairs: Vec<(String, String)>,
    field_bytes: usize,
    file_bytes: u64,
    received: Received,
}

impl Reader<'_> {
    async fn next<T>(&self, next: impl Future<Output = multer::Result<T>>) -> Result<T> {
        let next = next.await;
        self.unread.store(0, Ordering::Relaxed);
        next.map_err(|error| match error {
            multer::Error::StreamSizeExceeded { .. } => Error::FilesTooLarge(self.files.too_large),
            _ => form::malformed(),
        })
    }

    async fn take(&mut self, part: Field<'_>) -> Result<()> {
        let name = part.name().ok_or_else(form::malformed)?.to_owned();
        if name == self.files.field {
            self.take_file(part).await
        } else if part.file_name().is_some() {
            self.skip(part).await
        } else {
            self.take_field(name, part).await
        }
    }

    async fn take_field(&mut self, name: String, mut part: Field<'_>) -> Result<()> {
        let mut value = Vec::new();
        self.field_bytes += name.len();
        while let Some(chunk) = self.next(part.chunk()).await? {
            self.field_bytes += chunk.len();
            if self.field_bytes > MAX_FIELDS_BYTES {
                return Err(Error::TooLarge);
            }
            if self.field_bytes > form::SMALL_BYTES && self.received.permit.is_none() {
                self.received.permit = Some(form::permit(self.app, self.pilot)?);
            }
            value.extend_from_slice(&chunk);
        }
        let value = String::from_utf8(value).map_err(|_| form::malformed())?;
        self.pairs.push((name, value));
        Ok(())
    }

    /// Discards a file in a field that takes none.
    async fn skip(&mut self, mut part: Field<'_>) -> Result<()> {
        while self.next(part.chunk()).await?.is_some() {}
        Ok(())
    }

    async fn take_file(&mut self, mut part: Field<'_>) -> Result<()> {
        let name = part.file_name().unwrap_or_default().to_owned();
        let app = Arc::clone(self.app);
        let mut content = on_disk(self.app, move || app.blobs.begin()).await?;
        // A field that was sent twice is refused at the end.
        let sent = Arc::new(Fields::from_pairs(self.pairs.clone()).unwrap_or_default());
        let mut waiting = Vec::new();
        while let Some(chunk) = self.next(part.chunk()).await? {
            self.file_bytes += chunk.len() as u64;
            if self.file_bytes > self.files.most_bytes {
                return Err(Error::FilesTooLarge(self.files.too_large));
            }
            waiting.extend_from_slice(&chunk);
            if waiting.len() >= CHUNK_BYTES {
                match self.write(&sent, content, waiting).await? {
                    Some(written) => (content, waiting) = written,
                    None => return self.skip(part).await,
                }
            }
        }
        if name.is_empty() && waiting.is_empty() && content.bytes() == 0 {
            // A form without a chosen file sends an empty one.
            return Ok(());
        }
        let Some((content, _)) = self.write(&sent, content, waiting).await? else {
            return Ok(());
        };
        if self.received.uploads.len() == self.files.most {
            return Err(Error::invalid(self.files.field, self.files.too_many));
        }
        self.received.uploads.push(Upload {
            name: sanitized_name(&name),
            content,
        });
        Ok(())
    }

    /// Writes bytes of a file, once they are reserved; `None` if there is no room for them.
    async fn write(
        &mut self,
        sent: &Arc<Fields>,
        mut content: BlobWriter,
        mut waiting: Vec<u8>,
    ) -> Result<Option<(BlobWriter, Vec<u8>)>> {
        if self.received.over_quota.is_some() {
            return Ok(None);
        }
        let (app, reserve, sent) = (Arc::clone(self.app), Arc::clone(&self.reserve), Arc::clone(sent));
        let written = on_disk(self.app, move || {
            let reserved = reserve(&app, &sent, waiting.len() as u64)?;
            content.write(&waiting)?;
            waiting.clear();
            Ok((content, waiting, reserved))
        });
        match written.await {
            Ok((content, waiting, reserved)) => {
                self.received.reserved.extend(reserved);
                Ok(Some((content, waiting)))
            }
            Err(refusal @ Error::QuotaUsedUp(_)) => {
                self.received.over_quota = Some(refusal);
                self.received.uploads.clear();
                self.received.reserved.clear();
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }
}

async fn on_disk<T: Send + 'static>(app: &App, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let permit = app.slow_work_permit().await?;
    let work = move || {
        let _permit = permit;
        work()
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|panic| Error::Internal(format!("a panic while writing: {panic}")))?
}

/// Returns the last segment of a path without control characters and bidirectional marks, which could hide an
/// extension. A long name is cut, keeping its extension.
pub fn sanitized_name(sent: &str) -> String {
    // Browsers escape these three characters (WHATWG HTML, section 4.10.22.8).
    let sent = sent.replace("%22", "\"").replace("%0D", " ").replace("%0A", " ");
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = last.chars().filter(|character| !is_hidden(*character)).collect();
    if shown.trim().is_empty() {
        return NAMELESS.to_owned();
    }
    file_name::insert_mark(&shown, "")
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_file_name_loses_its_folders_and_invisible_characters() {
        for (sent, shown) in [
            ("bericht.pdf", "bericht.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Fotos\\Müller 1.jpg", "Müller 1.jpg"),
            ("a\0b\r\nX-Header: 1.txt", "abX-Header: 1.txt"),
            ("rechnung\u{202e}fdp.exe", "rechnungfdp.exe"),
            ("..", ".."),
            (".htaccess", ".htaccess"),
            ("Bericht. ", "Bericht. "),
            (
                "Familie 👨\u{200d}👩\u{200d}👧.jpg",
                "Familie 👨\u{200d}👩\u{200d}👧.jpg",
            ),
            ("", "Datei"),
            (" \u{202e}", "Datei"),
            (" a %22b%22%0D%0A.txt ", " a \"b\"  .txt "),
            ("CON", "CON"),
        ] {
            assert_eq!(sanitized_name(sent), shown, "{sent:?}");
        }
        let long = sanitized_name(&format!("{}.pdf", "ü".repeat(4000)));
        assert_eq!((long.len(), long.ends_with("ü.pdf")), (254, true));
    }

    proptest! {
        #[test]
        fn no_name_becomes_a_path(sent in "\\PC{0,300}|[\\x00-\\x7f]{0,300}") {
            let name = sanitized_name(&sent);
            prop_assert!(!name.is_empty() && name.len() <= file_name::MAX_BYTES);
            prop_assert!(!name.contains(['/', '\\', '\0', '\n', '\r']));
        }
    }
}
