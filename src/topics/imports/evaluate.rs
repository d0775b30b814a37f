//! Finds the flights in a file on disk, one file at a time, with limits on time and size.

use std::cell::Cell;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::time::Duration;

use super::history::History;
use super::logbook::existing::{self, ExistingIds};
use super::logbook::{self, Reader};
use super::table::{AssetsRecord, ForeignFlightRecord};
use fluglog_base::error::{Error, Result};
use fluglog_base::limits::cpu_budget::CpuBudget;
use fluglog_base::secret::{Digest, digest_key};
use fluglog_base::text;
use fluglog_readers::formats::pilot_export::{self, PilotExport};
use fluglog_readers::formats::table::{self, Analysis, Layout, Mapping, Origin, Question};
use fluglog_readers::formats::workbook::Workbook;
use fluglog_readers::formats::{self, Format, HEAD_BYTES, Recognised, Sensor, Utf8Reader, zip};
use fluglog_readers::samples::{FoundFlight, ReadError};
use fluglog_readers::segmenter::{Segmented, Segmenter};
use fluglog_store::{Snapshot, blobs};
use tokio_util::sync::CancellationToken;

/// CPU time for one file.
const MAX_CPU_TIME: Duration = Duration::from_secs(30);
/// CPU time for all members of an archive together.
const MAX_ARCHIVE_CPU_TIME: Duration = Duration::from_secs(60);
/// Most bytes of a file, unpacked.
pub const MAX_FILE_BYTES: u64 = 104_857_600;
/// Most bytes of all members of an archive, unpacked.
const MAX_ARCHIVE_BYTES: u64 = 209_715_200;
/// Most packed bytes of a spreadsheet in an archive, which is kept in memory.
const MAX_PACKED_SHEETS_BYTES: u64 = 4 * 1024 * 1024;
/// Bytes per read.
const CHUNK_BYTES: usize = 64 * 1024;

/// Content of a file, or of a member of an archive.
#[derive(Debug, Default)]
pub(crate) struct Evaluated {
    pub name: String,
    pub bytes: u64,
    /// Where in the file, as in [`Place`].
    pub member: Option<u32>,
    pub digest: u128,
    pub format: Option<Format>,
    /// Why nothing or not everything was read; empty otherwise.
    pub message: String,
    pub layout: Option<Layout>,
    /// Mapping by which the table was read.
    pub mapping: Option<Mapping>,
    /// What the pilot is asked about the table before it is read.
    pub questions: Vec<Question>,
    pub outcome: Segmented,
    /// For an export of another Fluglog instance: the foreign flights, in the order of `outcome.found`.
    pub foreign_flights: Vec<ForeignFlightRecord>,
    /// Numbers of the assets of such an export, if it has any that don't exist here yet.
    pub assets: Option<AssetsRecord>,
}

/// Where a table is in its file: the index of a member of an archive, of a sheet of a spreadsheet, or of both for a
/// spreadsheet in an archive. An archive has less than 2^16 members.
#[derive(Clone, Copy)]
struct Place {
    member: u32,
    sheet: Option<u32>,
}

impl Place {
    const SHEET_SHIFT: u32 = 16;

    fn from_stored(stored: u32) -> Place {
        Place {
            member: stored & ((1 << Place::SHEET_SHIFT) - 1),
            sheet: (stored >> Place::SHEET_SHIFT).checked_sub(1),
        }
    }

    fn stored(self) -> u32 {
        self.member | (self.sheet.map_or(0, |sheet| sheet + 1) << Place::SHEET_SHIFT)
    }
}

/// A file on disk.
pub(crate) struct UnreadFile<'s> {
    pub file: File,
    pub name: &'s str,
    pub bytes: u64,
    pub sha256: Digest,
}

impl UnreadFile<'_> {
    fn unread(&self) -> Evaluated {
        Evaluated {
            name: self.name.to_owned(),
            bytes: self.bytes,
            digest: digest_key(&self.sha256).0,
            ..Evaluated::default()
        }
    }
}

/// Evaluates a file, or each member of an archive.
///
/// # Errors
/// The disk fails, or the request was cancelled.
pub(crate) fn evaluate(
    mut source: UnreadFile<'_>,
    cancellation: &CancellationToken,
    history: History<'_>,
) -> Result<Vec<Evaluated>> {
    let head = head(&mut source.file)?;
    if formats::recognise(&head, source.bytes) != Recognised::Zip {
        return Ok(vec![evaluate_file(source, cancellation, history, None)?]);
    }
    if let Ok(Some(export)) = pilot_export::find(&mut source.file) {
        return Ok(vec![evaluate_export(source, &export, cancellation, history)?]);
    }
    let members = match zip::members(&mut source.file) {
        Ok(members) => members,
        Err(fault) => {
            return Ok(vec![Evaluated {
                message: sentence(&fault, source.name)?,
                ..source.unread()
            }]);
        }
    };
    if let Some(workbook) = Workbook::of(&members) {
        let unread = source.unread();
        let budget = CpuBudget::new(cancellation, MAX_CPU_TIME);
        let mut archive = BufReader::with_capacity(CHUNK_BYTES, source.file);
        return evaluate_workbook(
            unread,
            &mut archive,
            (workbook, &members),
            (&budget, cancellation),
            history,
            None,
        );
    }
    let budget = CpuBudget::new(cancellation, MAX_ARCHIVE_CPU_TIME);
    let mut left = MAX_ARCHIVE_BYTES;
    let mut all = Vec::new();
    let mut unreadable = Vec::new();
    for (place, member) in members.iter().enumerate() {
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        if member.is_media() {
            unreadable.push(Evaluated {
                name: member.name.clone(),
                member: Some(place),
                message: text::IMPORT_MEDIA.to_owned(),
                ..Evaluated::default()
            });
            continue;
        }
        let most = left.min(MAX_FILE_BYTES);
        let read = Cell::new(0);
        let evaluated = evaluate_member(
            &mut source.file,
            (place, member),
            (most, &read),
            (&budget, cancellation),
            history,
            None,
        )?;
        left = left.saturating_sub(read.get());
        let (readable, others): (Vec<_>, Vec<_>) = evaluated.into_iter().partition(|file| file.format.is_some());
        all.extend(readable);
        unreadable.extend(others);
    }
    all.extend(grouped(unreadable));
    all.sort_by_key(|file| file.member.map(|stored| Place::from_stored(stored).member));
    Ok(all)
}

/// Groups files of an archive that aren't read: one for each reason.
fn grouped(unreadable: Vec<Evaluated>) -> Vec<Evaluated> {
    let is_no_flight_file = |file: &Evaluated| {
        [text::IMPORT_EMPTY, text::IMPORT_MEDIA, text::IMPORT_UNKNOWN_FILE].contains(&file.message.as_str())
    };
    let mut groups: Vec<(Evaluated, usize)> = Vec::new();
    for file in unreadable {
        let is_alike = |(first, _): &&mut (Evaluated, usize)| {
            first.message == file.message || (is_no_flight_file(first) && is_no_flight_file(&file))
        };
        match groups.iter_mut().find(is_alike) {
            Some((first, count)) => {
                *count += 1;
                first.bytes += file.bytes;
                if first.message != file.message {
                    text::IMPORT_UNKNOWN_FILE.clone_into(&mut first.message);
                }
            }
            None => groups.push((file, 1)),
        }
    }
    let one = |(file, count): (Evaluated, usize)| match count {
        1 => file,
        _ => Evaluated {
            name: text::import_and_others(&file.name, count - 1),
            ..file
        },
    };
    groups.into_iter().map(one).collect()
}

/// Evaluates the sheets of a spreadsheet, or the one with the index `wanted` by the mapping there.
fn evaluate_workbook(
    unread: Evaluated,
    archive: &mut (impl BufRead + Seek),
    (workbook, members): (Workbook, &[zip::Member]),
    (budget, cancellation): (&CpuBudget<'_>, &CancellationToken),
    history: History<'_>,
    wanted: Option<(u32, &Mapping)>,
) -> Result<Vec<Evaluated>> {
    let sheets = match workbook.sheets(archive, members) {
        Ok(sheets) => sheets,
        Err(ReadError::Io(error)) if !is_of_content(&error) => return Err(unreadable(error)),
        Err(fault) => {
            let message = match fault {
                ReadError::LimitExceeded => text::IMPORT_SHEET_TOO_LARGE,
                _ => text::IMPORT_SHEET_UNREADABLE,
            };
            return Ok(vec![Evaluated {
                message: message.to_owned(),
                ..unread
            }]);
        }
    };
    let has_several = sheets.len() > 1;
    let (mut all, mut others) = (Vec::new(), Vec::new());
    for (place, sheet) in (0..).zip(&sheets) {
        if wanted.is_some_and(|(wanted, _)| wanted != place) {
            continue;
        }
        let head = sheet.text.get(..HEAD_BYTES).unwrap_or(&sheet.text);
        let (sum, bytes) = blobs::hash_content(sheet.text.as_slice()).map_err(unreadable)?;
        let evaluated = Evaluated {
            name: match has_several {
                true => format!("{}: {}", sheet.name, unread.name),
                false => unread.name.clone(),
            },
            bytes,
            member: Some(unread.member.map_or(place, |member| {
                let sheet = Some(place);
                Place { member, sheet }.stored()
            })),
            digest: digest_key(&sum).0,
            ..Evaluated::default()
        };
        let chosen = wanted.map(|(_, mapping)| mapping);
        let mut content = SheetText {
            text: &sheet.text,
            budget,
        };
        let mut evaluated = read(evaluated, &mut content, head, cancellation, history, chosen)?;
        evaluated.bytes = unread.bytes;
        // Of several sheets, the flights stand where a column has their duration.
        if has_several && chosen.is_none() && evaluated.mapping.as_ref().is_some_and(|by| !by.has_durations()) {
            evaluated.outcome = Segmented::default();
            evaluated.questions = Vec::new();
            text::IMPORT_CHOOSE_COLUMNS.clone_into(&mut evaluated.message);
        }
        match evaluated.format {
            Some(_) => all.push(evaluated),
            None => others.push(evaluated),
        }
    }
    if sheets.is_empty() {
        others.push(Evaluated {
            message: text::IMPORT_SHEET_UNREADABLE.to_owned(),
            ..unread
        });
    }
    all.extend(grouped(others));
    Ok(all)
}

/// Returns the spreadsheet that an archive is, with its members.
fn workbook(archive: &mut (impl Read + Seek)) -> Option<(Workbook, Vec<zip::Member>)> {
    let members = zip::members(archive).ok()?;
    Some((Workbook::of(&members)?, members))
}

/// Reads a table, or a member that is one, by the given mapping.
///
/// # Errors
/// Like [`evaluate`].
pub(crate) fn evaluate_as(
    mut source: UnreadFile<'_>,
    member: Option<u32>,
    cancellation: &CancellationToken,
    history: History<'_>,
    mapping: &Mapping,
) -> Result<Evaluated> {
    match member {
        None => evaluate_file(source, cancellation, history, Some(mapping)),
        Some(stored) => {
            let budget = CpuBudget::new(cancellation, MAX_CPU_TIME);
            let limits = (&budget, cancellation);
            if let Some((workbook, members)) = workbook(&mut source.file) {
                let unread = source.unread();
                let mut archive = BufReader::with_capacity(CHUNK_BYTES, source.file);
                let wanted = Some((stored, mapping));
                let sheets = evaluate_workbook(unread, &mut archive, (workbook, &members), limits, history, wanted)?;
                return sheets.into_iter().next().ok_or_else(missing_member);
            }
            let place = Place::from_stored(stored);
            let members = zip::members(&mut source.file).unwrap_or_default();
            let member = members.get(place.member as usize);
            let member = member.ok_or_else(missing_member)?;
            let most = (MAX_FILE_BYTES, &Cell::new(0));
            let chosen = Some((place.sheet, mapping));
            let evaluated = evaluate_member(&mut source.file, (place.member, member), most, limits, history, chosen)?;
            evaluated.into_iter().next().ok_or_else(missing_member)
        }
    }
}

/// Reads the flights in a radio log, with the voltage of the given sensor, as far as the log is readable.
///
/// # Errors
/// The disk fails.
pub fn radio_log(
    mut source: UnreadFile<'_>,
    sensor: Sensor,
    cancellation: &CancellationToken,
) -> Result<Vec<FoundFlight>> {
    let head = head(&mut source.file)?;
    let budget = CpuBudget::new(cancellation, MAX_CPU_TIME);
    let mut content = BufReader::with_capacity(CHUNK_BYTES, budget.limit(source.file));
    let mut segmenter = Segmenter::default();
    if let Err(fault) = formats::read_edgetx(&mut content, &head, source.name, sensor, &mut segmenter) {
        sentence(&fault, source.name)?;
    }
    Ok(segmenter.finish().found)
}

/// Copies a file, or a member of an archive. A sheet is copied with its spreadsheet.
///
/// # Errors
/// The disk fails.
pub fn copy(mut file: File, member: Option<u32>, out: &mut blobs::BlobWriter) -> Result<()> {
    let broken = |_| Error::Internal("a file of an import can't be read".to_owned());
    let mut reader = BufReader::with_capacity(CHUNK_BYTES, &mut file);
    let member = member.filter(|_| workbook(&mut reader).is_none());
    reader.rewind().map_err(unreadable)?;
    let mut content: Box<dyn BufRead + '_> = match member {
        None => Box::new(reader),
        Some(place) => {
            let members = zip::members(&mut reader).unwrap_or_default();
            let index = Place::from_stored(place).member as usize;
            let member = members.get(index).cloned().ok_or_else(missing_member)?;
            let opened = zip::open(&mut reader, &member, MAX_FILE_BYTES);
            opened.map_err(|_| Error::Busy("an archive of an import can't be read".to_owned()))?
        }
    };
    out.copy(&mut content)?.map_err(broken)
}

fn missing_member() -> Error {
    Error::Internal("a member of an archive is gone".to_owned())
}

fn unreadable(error: std::io::Error) -> Error {
    Error::Busy(format!("a file of an import can't be read: {error}"))
}

fn head(file: &mut (impl Read + Seek)) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(HEAD_BYTES as u64)
        .read_to_end(&mut head)
        .map_err(unreadable)?;
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    Ok(head)
}

/// Evaluates the export of another Fluglog instance: as a whole or not at all.
fn evaluate_export(
    mut source: UnreadFile<'_>,
    export: &PilotExport,
    cancellation: &CancellationToken,
    history: History<'_>,
) -> Result<Evaluated> {
    let mut evaluated = source.unread();
    let History { app, viewer } = history;
    let existing = app.store.read(|data| ExistingIds::read(data, viewer))?;
    let mut reader = Reader {
        archive: &mut source.file,
        export,
        budget: &CpuBudget::new(cancellation, MAX_CPU_TIME),
    };
    match logbook::read(&mut reader, &existing, app.clock.zone()) {
        Ok(found) => {
            let flights = found.foreign_flights;
            let new_items = |data: &Snapshot<'_>| existing::new_items(data, viewer, &flights, &found.items);
            let assets = found.assets.record(0, app.store.read(new_items)?);
            evaluated.assets = Some(assets).filter(AssetsRecord::has_any);
            evaluated.format = Some(Format::Fluglog);
            if found.outcome.found.is_empty() && evaluated.assets.is_none() {
                text::IMPORT_NO_FLIGHTS.clone_into(&mut evaluated.message);
            }
            evaluated.outcome = found.outcome;
            evaluated.foreign_flights = flights;
        }
        Err(ReadError::Malformed(_)) => text::IMPORT_DAMAGED.clone_into(&mut evaluated.message),
        Err(fault) => evaluated.message = sentence(&fault, source.name)?,
    }
    check_cancelled(evaluated, cancellation)
}

fn evaluate_file(
    mut source: UnreadFile<'_>,
    cancellation: &CancellationToken,
    history: History<'_>,
    chosen: Option<&Mapping>,
) -> Result<Evaluated> {
    let head = head(&mut source.file)?;
    let evaluated = source.unread();
    let budget = &CpuBudget::new(cancellation, MAX_CPU_TIME);
    let file = source.file;
    read(
        evaluated,
        &mut WholeFile { file, budget },
        &head,
        cancellation,
        history,
        chosen,
    )
}

type Opened<'o> = std::result::Result<Box<dyn BufRead + 'o>, ReadError>;

/// Content that can be read several times.
trait Content {
    /// Opens the content from its beginning.
    fn open(&mut self) -> Opened<'_>;
}

struct WholeFile<'b> {
    file: File,
    budget: &'b CpuBudget<'b>,
}

impl Content for WholeFile<'_> {
    fn open(&mut self) -> Opened<'_> {
        self.file.seek(SeekFrom::Start(0))?;
        let limited = self.budget.limit(&mut self.file);
        Ok(Box::new(BufReader::with_capacity(CHUNK_BYTES, limited)))
    }
}

struct Packed<'b> {
    archive: BufReader<&'b mut File>,
    member: &'b zip::Member,
    most: u64,
    budget: &'b CpuBudget<'b>,
}

impl Content for Packed<'_> {
    fn open(&mut self) -> Opened<'_> {
        let content = zip::open(&mut self.archive, self.member, self.most)?;
        Ok(Box::new(self.budget.limit(content)))
    }
}

struct SheetText<'b> {
    text: &'b [u8],
    budget: &'b CpuBudget<'b>,
}

impl Content for SheetText<'_> {
    fn open(&mut self) -> Opened<'_> {
        let limited = self.budget.limit(self.text);
        Ok(Box::new(BufReader::with_capacity(CHUNK_BYTES, limited)))
    }
}

/// Evaluates a member of an archive of at most `most` bytes, or each sheet if it is a spreadsheet. The bytes read are
/// counted even if it fails.
fn evaluate_member(
    file: &mut File,
    (place, member): (u32, &zip::Member),
    (most, count): (u64, &Cell<u64>),
    (budget, cancellation): (&CpuBudget<'_>, &CancellationToken),
    history: History<'_>,
    chosen: Option<(Option<u32>, &Mapping)>,
) -> Result<Vec<Evaluated>> {
    let mut evaluated = Evaluated {
        name: member.name.clone(),
        member: Some(place),
        ..Evaluated::default()
    };
    let mut archive = BufReader::with_capacity(CHUNK_BYTES, file);
    let summed = (|| {
        let content = zip::open_counted(&mut archive, member, most, Some(count))?;
        let mut content = budget.limit(content);
        let mut head = Vec::new();
        (&mut content).take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        let (sum, bytes) = blobs::hash_content(head.as_slice().chain(content))?;
        Ok::<_, ReadError>((head, sum, bytes))
    })();
    let (head, sum, bytes) = match summed {
        Ok(summed) => summed,
        Err(fault) => {
            evaluated.message = sentence(&fault, &member.name)?;
            return Ok(vec![check_cancelled(evaluated, cancellation)?]);
        }
    };
    evaluated.bytes = bytes;
    evaluated.digest = digest_key(&sum).0;
    if formats::recognise(&head, bytes) == Recognised::Zip {
        let mut packed = Vec::new();
        let is_read = bytes <= MAX_PACKED_SHEETS_BYTES
            && zip::open(&mut archive, member, most).is_ok_and(|mut content| content.read_to_end(&mut packed).is_ok());
        let mut inner = Cursor::new(packed);
        if let (true, Some((workbook, members))) = (is_read, workbook(&mut inner)) {
            let wanted = chosen.map(|(sheet, mapping)| (sheet.unwrap_or_default(), mapping));
            let limits = (budget, cancellation);
            return evaluate_workbook(evaluated, &mut inner, (workbook, &members), limits, history, wanted);
        }
    }
    let mut content = Packed {
        archive,
        member,
        most,
        budget,
    };
    let mapping = chosen.map(|(_, mapping)| mapping);
    Ok(vec![read(
        evaluated,
        &mut content,
        &head,
        cancellation,
        history,
        mapping,
    )?])
}

fn read(
    mut evaluated: Evaluated,
    content: &mut dyn Content,
    head: &[u8],
    cancellation: &CancellationToken,
    history: History<'_>,
    chosen: Option<&Mapping>,
) -> Result<Evaluated> {
    // Folders of an archive say nothing about the flights.
    let name = evaluated.name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    match formats::recognise(head, evaluated.bytes) {
        Recognised::Flights(format) => evaluated.format = Some(format),
        Recognised::Table(layout) => {
            evaluated.format = Some(Format::Table);
            if let Some(message) = analyse(&mut evaluated, content, head, history, (layout, chosen))? {
                evaluated.message = message;
                return check_cancelled(evaluated, cancellation);
            }
        }
        Recognised::Encrypted => text::IMPORT_ENCRYPTED.clone_into(&mut evaluated.message),
        Recognised::Unknown if formats::has_encrypted_log_name(&name) => {
            text::IMPORT_ENCRYPTED.clone_into(&mut evaluated.message);
        }
        Recognised::OldBlackbox => text::IMPORT_OLD_BLACKBOX.clone_into(&mut evaluated.message),
        Recognised::ChargerLog => text::IMPORT_CHARGER_LOG.clone_into(&mut evaluated.message),
        Recognised::Media => text::IMPORT_MEDIA.clone_into(&mut evaluated.message),
        Recognised::Other(reason) => reason.clone_into(&mut evaluated.message),
        Recognised::Zip | Recognised::Unknown => text::IMPORT_UNKNOWN_FILE.clone_into(&mut evaluated.message),
    }
    let Some(format) = evaluated.format else {
        return Ok(evaluated);
    };
    if format == Format::Fluglog {
        return read_flights(evaluated, content, head, cancellation, history);
    }
    let mut segmenter = Segmenter::with_imported(history.parts(evaluated.digest)?);
    let mapping = evaluated.mapping.as_ref();
    let done = content
        .open()
        .and_then(|mut source| formats::read(format, &mut *source, head, &name, mapping, &mut segmenter));
    evaluated.outcome = segmenter.finish();
    // A mapping chosen by the pilot confirms that each row is a flight.
    if format == Format::Table && chosen.is_none() && evaluated.outcome.is_series {
        evaluated.outcome = Segmented::default();
        evaluated.message = text::IMPORT_SERIES.to_owned();
        return check_cancelled(evaluated, cancellation);
    }
    let outcome = &evaluated.outcome;
    evaluated.message = match done {
        Err(fault) => sentence(&fault, &name)?,
        Ok(()) if outcome.found.is_empty() => text::IMPORT_NO_FLIGHTS.to_owned(),
        Ok(()) if outcome.untimed > 0 => text::import_untimed(outcome.untimed, &outcome.untimed_beginnings),
        Ok(()) => String::new(),
    };
    check_cancelled(evaluated, cancellation)
}

/// Reads the table of all fields of flights.
fn read_flights(
    mut evaluated: Evaluated,
    content: &mut dyn Content,
    head: &[u8],
    cancellation: &CancellationToken,
    History { app, viewer }: History<'_>,
) -> Result<Evaluated> {
    let existing = app.store.read(|data| ExistingIds::read(data, viewer))?;
    let read = content
        .open()
        .and_then(|mut source| logbook::read_table(Utf8Reader::new(&mut *source, head)?, head, &existing.flights));
    match read {
        Ok(read) => {
            if read.outcome.found.is_empty() {
                text::IMPORT_NO_FLIGHTS.clone_into(&mut evaluated.message);
            }
            evaluated.outcome = read.outcome;
            evaluated.foreign_flights = read.foreign_flights;
        }
        Err(fault) => evaluated.message = sentence(&fault, &evaluated.name)?,
    }
    check_cancelled(evaluated, cancellation)
}

/// Determines how a table is read: as the pilot chose, now or for earlier tables with its headings, else as its cells
/// say. Returns the message if the pilot has to say more before.
fn analyse(
    evaluated: &mut Evaluated,
    content: &mut dyn Content,
    head: &[u8],
    history: History<'_>,
    (layout, chosen): (Layout, Option<&Mapping>),
) -> Result<Option<String>> {
    let known = match chosen {
        Some(chosen) => Some(chosen.clone()),
        None => history.mapping(&layout.headings())?,
    };
    let origin = if known.is_some() {
        Origin::Chosen
    } else {
        Origin::Guessed
    };
    let mapping = known.unwrap_or_else(|| layout.guess.clone());
    let is_clear = origin == Origin::Chosen || (layout.has_known_headings && mapping.is_usable());
    evaluated.layout = Some(layout);
    if !is_clear {
        evaluated.mapping = Some(mapping);
        return Ok(Some(text::IMPORT_CHOOSE_COLUMNS.to_owned()));
    }
    let this_year = i32::try_from(history.app.clock.now().date().year_and_day().0).unwrap_or_default();
    let analysis = content
        .open()
        .and_then(|mut source| table::analyse(&mut *source, head, &mapping, origin, this_year));
    match analysis {
        Ok(Analysis { mapping, questions }) => {
            let message = (!questions.is_empty()).then(|| text::IMPORT_QUESTIONS.to_owned());
            evaluated.mapping = Some(mapping);
            evaluated.questions = questions;
            Ok(message)
        }
        // What can be read before the fault is read all the same.
        Err(fault) => {
            evaluated.mapping = Some(mapping);
            sentence(&fault, &evaluated.name).map(|_| None)
        }
    }
}

/// Fails when the request was cancelled.
fn check_cancelled(evaluated: Evaluated, cancellation: &CancellationToken) -> Result<Evaluated> {
    match cancellation.is_cancelled() {
        true => Err(Error::TooManyRequests),
        false => Ok(evaluated),
    }
}

/// Returns the German sentence for a fault in a file.
fn sentence(fault: &ReadError, name: &str) -> Result<String> {
    Ok(match fault {
        ReadError::Malformed(0) => text::IMPORT_DAMAGED.to_owned(),
        ReadError::Malformed(line) => text::import_damaged_from(*line),
        ReadError::LimitExceeded => text::IMPORT_TOO_MUCH.to_owned(),
        ReadError::Cancelled => text::IMPORT_TOO_LONG.to_owned(),
        // A badly compressed member is damage of the archive, not of the disk.
        ReadError::Io(error) if is_of_content(error) => text::IMPORT_DAMAGED.to_owned(),
        ReadError::Io(error) => return Err(Error::Busy(format!("{name} can't be read: {error}"))),
    })
}

fn is_of_content(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}
