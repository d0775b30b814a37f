//! The members of a ZIP archive, unpacked with limits. Names are only shown, never used as paths.
//!
//! The central directory isn't read by the crate `zip`, which would keep millions of entries in memory.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::lines;
use crate::samples::ReadError;

/// The most members of an archive that aren't media, as many as an import takes files (`MAX_FILES` in
/// `topics/imports/draft.rs`), and the most bytes of its central directory.
const MAX_MEMBERS: usize = 200;
const MAX_CONTENTS: u64 = 1024 * 1024;
/// Limits for an archive of which only some members are read: the most entries possible without ZIP64.
const MAX_FOUND_AMONG: usize = 65_534;
const MAX_FOUND_IN: u64 = 16 * 1024 * 1024;
/// The highest allowed compression ratio of a member.
const MAX_RATIO: u64 = 100;
/// Bytes of the end of central directory record, and of the longest comment after it.
const END_BYTES: u64 = 22;
const MAX_COMMENT: u64 = 65_535;
const END: &[u8] = b"PK\x05\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
const ENTRY_BYTES: usize = 46;
const LOCAL_BYTES: usize = 30;

/// A file in an archive.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: String,
    offset: u64,
    packed: u64,
    /// CRC-32 of the content.
    crc: u32,
    is_deflated: bool,
}

/// Endings of the names of pictures, sounds, films and programs: a radio's card has thousands.
const MEDIA: [&str; 24] = [
    "avi", "bmp", "dng", "elf", "frk", "gif", "heic", "html", "jpeg", "jpg", "lrf", "lrv", "lua", "luac", "mkv", "mov",
    "mp3", "mp4", "otf", "png", "thm", "ttf", "wav", "yml",
];

impl Member {
    /// Returns whether the name is that of a file of another kind than logs and tables.
    #[must_use]
    pub fn is_media(&self) -> bool {
        let ending = self.name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        MEDIA.contains(&ending.as_str())
    }
}

/// Returns the files of an archive, in its order.
///
/// # Errors
/// The archive is damaged, has more than 200 members that aren't media, or has overlapping members, as zip bombs do.
pub fn members(archive: &mut (impl Read + Seek)) -> Result<Vec<Member>, ReadError> {
    let mut members = Vec::new();
    each(archive, MAX_FOUND_AMONG, MAX_CONTENTS, |member| members.push(member))?;
    match members.iter().filter(|member| !member.is_media()).count() > MAX_MEMBERS {
        true => Err(ReadError::LimitExceeded),
        false => Ok(members),
    }
}

/// Returns at most `most` files of a large archive whose names match.
///
/// # Errors
/// The archive is damaged, needs ZIP64, or has overlapping members.
pub fn find(
    archive: &mut (impl Read + Seek),
    most: usize,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Member>, ReadError> {
    let mut members = Vec::new();
    each(archive, MAX_FOUND_AMONG, MAX_FOUND_IN, |member| {
        if members.len() < most && wanted(&member.name) {
            members.push(member);
        }
    })?;
    Ok(members)
}

/// Passes each file of an archive on, within the given limits.
///
/// # Errors
/// The archive is damaged, or members of it share bytes, as in zip bombs.
fn each(
    archive: &mut (impl Read + Seek),
    members_most: usize,
    bytes_most: u64,
    mut take: impl FnMut(Member),
) -> Result<(), ReadError> {
    let damaged = || ReadError::Malformed(0);
    let length = archive.seek(SeekFrom::End(0))?;
    let tail_bytes = length.min(END_BYTES + MAX_COMMENT);
    archive.seek(SeekFrom::Start(length - tail_bytes))?;
    let mut tail = Vec::new();
    archive.take(tail_bytes).read_to_end(&mut tail)?;
    let end = memchr::memmem::rfind(&tail, END).ok_or_else(damaged)?;
    let end = tail.get(end..).ok_or_else(damaged)?;
    let (count, bytes, offset) = match (short(end, 10), long(end, 12), long(end, 16)) {
        (Some(count), Some(bytes), Some(offset)) => (usize::from(count), u64::from(bytes), u64::from(offset)),
        _ => return Err(damaged()),
    };
    if count > members_most || bytes > bytes_most {
        return Err(ReadError::LimitExceeded);
    }
    archive.seek(SeekFrom::Start(offset))?;
    let mut contents = BufReader::new(archive.take(bytes));
    let mut entry = Vec::new();
    let mut places = Vec::new();
    for _ in 0..count {
        entry.clear();
        (&mut contents).take(ENTRY_BYTES as u64).read_to_end(&mut entry)?;
        let lengths = (short(&entry, 28), short(&entry, 30), short(&entry, 32));
        let ((Some(name_bytes), Some(extra), Some(comment)), true) = (lengths, entry.starts_with(ENTRY)) else {
            return Err(damaged());
        };
        let rest = u64::from(name_bytes) + u64::from(extra) + u64::from(comment);
        if (&mut contents).take(rest).read_to_end(&mut entry)? as u64 != rest {
            return Err(damaged());
        }
        let read = || -> Option<Member> {
            let name = entry.get(ENTRY_BYTES..ENTRY_BYTES + usize::from(name_bytes))?;
            Some(Member {
                name: super::values::display_text(&lines::head_text(name), 250),
                offset: u64::from(long(&entry, 42)?),
                packed: u64::from(long(&entry, 20)?),
                crc: long(&entry, 16)?,
                is_deflated: short(&entry, 10)? == 8,
            })
        };
        let member = read().ok_or_else(damaged)?;
        let is_folder = member.name.ends_with('/') || member.name.starts_with("__MACOSX");
        if !is_folder {
            places.push((member.offset, member.packed));
            take(member);
        }
    }
    places.sort_unstable();
    let shares = |[(at, packed), (next, _)]: &[(u64, u64); 2]| at + packed + LOCAL_BYTES as u64 > *next;
    match places.array_windows().any(shares) {
        true => Err(damaged()),
        false => Ok(()),
    }
}

/// Opens a member. Reading fails after `most` bytes, and when the compression ratio exceeds the limit.
///
/// # Errors
/// The archive is damaged at the member.
pub fn open<'a, A: BufRead + Seek>(
    archive: &'a mut A,
    member: &Member,
    most: u64,
) -> Result<Box<dyn BufRead + 'a>, ReadError> {
    open_counted(archive, member, most, None)
}

/// Like [`open`], but also counts the bytes read in `read`, including those before an error.
///
/// # Errors
/// As [`open`].
pub fn open_counted<'a, A: BufRead + Seek>(
    archive: &'a mut A,
    member: &Member,
    most: u64,
    read: Option<&'a Cell<u64>>,
) -> Result<Box<dyn BufRead + 'a>, ReadError> {
    let left = most.min(member.packed.saturating_mul(MAX_RATIO).saturating_add(1024));
    content(archive, member, left, read)
}

/// Like [`open`], but without limit for the compression ratio, for members such as a list of flights with equal notes.
///
/// # Errors
/// As [`open`].
pub fn open_unlimited_ratio<'a, A: BufRead + Seek>(
    archive: &'a mut A,
    member: &Member,
    most: u64,
) -> Result<Box<dyn BufRead + 'a>, ReadError> {
    content(archive, member, most, None)
}

fn content<'a, A: BufRead + Seek>(
    archive: &'a mut A,
    member: &Member,
    left: u64,
    read: Option<&'a Cell<u64>>,
) -> Result<Box<dyn BufRead + 'a>, ReadError> {
    archive.seek(SeekFrom::Start(member.offset))?;
    let mut local = [0; LOCAL_BYTES];
    archive.read_exact(&mut local).map_err(|_| ReadError::Malformed(0))?;
    if !local.starts_with(LOCAL) {
        return Err(ReadError::Malformed(0));
    }
    let skipped = u64::from(short(&local, 26).unwrap_or_default()) + u64::from(short(&local, 28).unwrap_or_default());
    archive.seek(SeekFrom::Current(i64::try_from(skipped).unwrap_or_default()))?;
    let packed = archive.take(member.packed);
    let content: Box<dyn Read + 'a> = match member.is_deflated {
        true => Box::new(DeflateDecoder::new(packed)),
        false => Box::new(packed),
    };
    Ok(Box::new(BufReader::new(CrcReader {
        content,
        sum: Crc::new(),
        expected: member.crc,
        read,
        left,
    })))
}

/// The content of a member. Reading fails at the limit, or at the end if the checksum is wrong.
struct CrcReader<'a> {
    content: Box<dyn Read + 'a>,
    left: u64,
    read: Option<&'a Cell<u64>>,
    sum: Crc,
    expected: u32,
}

impl Read for CrcReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(out)?;
        if let Some(count) = self.read {
            count.set(count.get() + read as u64);
        }
        self.sum.update(&out[..read]);
        let is_wrong = read == 0 && !out.is_empty() && self.sum.sum() != self.expected;
        match self.left.checked_sub(read as u64) {
            Some(left) if !is_wrong => {
                self.left = left;
                Ok(read)
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}
