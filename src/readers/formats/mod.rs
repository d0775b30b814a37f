//! File formats, one module each: from bytes to samples, with bounded memory. A format is recognised by content, never
//! by the file's name.
//!
//! Each reader reads its source once, in order and to the end.

mod apps;
mod blackbox;
mod columns;
mod dataflash;
mod dji_txt;
mod drone_log;
mod edgetx;
pub mod flight_table;
mod geojson;
mod gpx;
mod hott;
mod igc;
mod jeti;
mod json;
mod kml;
mod lines;
mod osd;
pub mod pilot_export;
mod spektrum;
mod srt;
pub mod table;
mod tlog;
mod ulog;
pub mod values;
mod vbar;
pub mod workbook;
mod lookahead;
mod xml;
mod yuneec;
pub mod zip;

use std::io::BufRead;

use apps::App;
pub use edgetx::Sensor;
pub use lines::HEAD_BYTES;
pub use lines::Utf8Reader;
use lines::{Row, Table};
use table::{Layout, Mapping};

use crate::samples::{ReadError, ReadResult};
use crate::segmenter::Segmenter;
use fluglog_base::text;

/// The number of lines in which a table's header is searched.
const HEADER_LINES: usize = 3;

/// Defines [`Format`]: a row for each format, in the order in which a file is compared with them. A new format is a
/// module, and a row here.
macro_rules! formats {
    ($($name:ident = $code:literal, $word:literal, $title:literal, $sign:expr, $read:expr;)*) => {
        /// A format from which flights are read; the number is its code in the database.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Format {
            $($name = $code),*
        }

        const READERS: &[Reader] = &[
            $(Reader { format: Format::$name, word: $word, title: $title, sign: $sign, read: $read }),*
        ];
    };
}

struct Reader {
    format: Format,
    /// The name in API calls.
    word: &'static str,
    /// The display name.
    title: &'static str,
    sign: Sign,
    read: fn(Source<'_>, &mut Segmenter) -> ReadResult,
}

/// The sign by which a file is recognised.
enum Sign {
    /// The first bytes, and the length of the file.
    Bytes(fn(&[u8], u64) -> bool),
    /// The beginning of a text, without white space before it.
    Text(fn(&str) -> bool),
    /// One of the first lines.
    Line(fn(&str) -> bool),
    /// The cells of one of the first lines.
    Header(fn(&[String]) -> bool),
    /// None: another module says that the file is one.
    None,
}

/// A file to read.
struct Source<'s> {
    bytes: &'s mut dyn BufRead,
    head: &'s [u8],
    name: &'s str,
    mapping: Option<&'s Mapping>,
}

impl<'s> Source<'s> {
    fn text(self) -> Result<Utf8Reader<'s>, ReadError> {
        Ok(Utf8Reader::new(self.bytes, self.head)?)
    }

    /// Returns the rows of a log.
    fn table(self) -> Result<Table<'s>, ReadError> {
        let separator = lines::separator(&lines::head_text(self.head));
        Ok(Table::new(self.text()?, separator))
    }
}

formats! {
    Blackbox = 13, "blackbox", "Blackbox",
        Sign::Bytes(|head, _| blackbox::matches(head)), |file, out| blackbox::read(file.bytes, out);
    DataFlash = 14, "dataflash", "ArduPilot",
        Sign::Bytes(|head, _| dataflash::matches(head)), |file, out| dataflash::read(file.bytes, out);
    Tlog = 15, "tlog", "MAVLink", Sign::Bytes(|head, _| tlog::matches(head)), |file, out| tlog::read(file.bytes, out);
    ULog = 16, "ulog", "PX4", Sign::Bytes(|head, _| ulog::matches(head)), |file, out| ulog::read(file.bytes, out);
    Spektrum = 17, "spektrum", "Spektrum",
        Sign::Bytes(|head, _| spektrum::matches(head)), |file, out| spektrum::read(file.bytes, out);
    Osd = 19, "osd", "OSD", Sign::Bytes(|head, _| osd::matches(head)), |file, out| osd::read(file.bytes, out);
    Hott = 20, "hott", "HoTT",
        Sign::Bytes(|head, _| hott::matches(head)), |file, out| hott::read(file.bytes, file.name, out);
    DjiTxt = 1, "dji-txt", "DJI", Sign::Bytes(dji_txt::matches), |file, out| dji_txt::read(file.bytes, out);
    Gpx = 7, "gpx", "GPX", Sign::Text(|start| xml::matches(start, "gpx")), |file, out| gpx::read(file.text()?, out);
    Kml = 8, "kml", "KML", Sign::Text(|start| xml::matches(start, "kml")), |file, out| kml::read(file.text()?, out);
    OpenDroneLogJson = 5, "opendronelog", "Open DroneLog",
        Sign::Text(drone_log::matches), |file, out| drone_log::read_json(file.text()?, out);
    GeoJson = 9, "geojson", "GeoJSON",
        Sign::Text(geojson::matches), |file, out| geojson::read(file.text()?, out);
    Srt = 10, "srt", "Untertitel", Sign::Text(srt::matches), |file, out| srt::read(file.text()?, out);
    Jeti = 18, "jeti", "Jeti", Sign::Text(jeti::matches), |file, out| jeti::read(file.text()?, out);
    VBar = 22, "vbar", "VBar", Sign::Text(vbar::matches), |file, out| vbar::read(file.text()?, out);
    Igc = 23, "igc", "IGC", Sign::Text(igc::matches), |file, out| igc::read(file.text()?, out);
    EdgeTx = 0, "edgetx", "EdgeTX/OpenTX", Sign::Line(edgetx::is_header), |file, segmenter| {
        let name = file.name;
        edgetx::read(file.text()?, name, Sensor::MostReliable, segmenter)
    };
    OpenDroneLogTable = 4, "opendronelog", "Open DroneLog",
        Sign::Header(drone_log::is_header), |file, out| drone_log::read_table(file.table()?, out);
    Yuneec = 21, "yuneec", "Yuneec",
        Sign::Header(yuneec::is_header), |file, out| yuneec::read(file.text()?, out);
    Airdata = 2, "airdata", "Airdata",
        Sign::Header(|cells| App::Airdata.wrote(cells)), |file, out| apps::read(App::Airdata, file.table()?, out);
    Litchi = 3, "litchi", "Litchi",
        Sign::Header(|cells| App::Litchi.wrote(cells)), |file, out| apps::read(App::Litchi, file.table()?, out);
    DjiCsv = 6, "dji-csv", "DJI-CSV",
        Sign::Header(|cells| App::DjiCsv.wrote(cells)), |file, out| apps::read(App::DjiCsv, file.table()?, out);
    QGroundControl = 30, "qgroundcontrol", "QGroundControl",
        Sign::Header(|cells| App::QGroundControl.wrote(cells)), |file, out| {
            apps::read(App::QGroundControl, file.table()?, out)
        };
    BlackboxCsv = 31, "blackbox-csv", "Blackbox-CSV",
        Sign::Header(|cells| App::BlackboxCsv.wrote(cells)), |file, out| {
            apps::read(App::BlackboxCsv, file.table()?, out)
        };
    // Recognised last, with its columns.
    Table = 11, "csv", "CSV", Sign::None, |file, segmenter| {
        let mapping = file.mapping.ok_or(ReadError::Malformed(0))?;
        let head = file.head;
        table::read(file.text()?, head, mapping, segmenter)
    };
    // An archive or a table, which are read by modules of their own.
    Fluglog = 12, "fluglog", "Fluglog", Sign::Header(flight_table::is_header), |_, _| Ok(());
}

impl Format {
    /// The code in the database.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the format with this code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Format> {
        Format::all().find(|format| format.code() == code)
    }

    pub fn all() -> impl Iterator<Item = Format> {
        READERS.iter().map(|reader| reader.format)
    }

    /// The name in API calls.
    #[must_use]
    pub fn wire_name(self) -> &'static str {
        self.reader().map_or("", |reader| reader.word)
    }

    /// The display name.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.reader().map_or("", |reader| reader.title)
    }

    fn reader(self) -> Option<&'static Reader> {
        READERS.iter().find(|reader| reader.format == self)
    }
}

/// What a file was recognised as.
#[derive(Debug, PartialEq)]
pub enum Recognised {
    Flights(Format),
    /// A table whose columns the pilot has to choose or confirm.
    Table(Layout),
    Zip,
    /// Written by the drone, and readable only by its manufacturer.
    Encrypted,
    /// A blackbox log from before 2015, whose frames aren't described.
    OldBlackbox,
    ChargerLog,
    Media,
    /// Another kind of file that isn't read, with the sentence that says what to do.
    Other(&'static str),
    Unknown,
}

/// Recognises a file of `bytes` that begins with `head`.
#[must_use]
pub fn recognise(head: &[u8], bytes: u64) -> Recognised {
    if let Some(binary) = recognise_binary(head, bytes) {
        return binary;
    }
    let content = lines::head_text(head);
    let start = content.trim_start();
    if start.is_empty() {
        return Recognised::Other(text::IMPORT_EMPTY);
    }
    if is_binary(head) {
        return Recognised::Unknown;
    }
    if let Some(format) = recognised_by(|sign| matches!(sign, Sign::Text(matches) if matches(start))) {
        return Recognised::Flights(format);
    }
    if start.starts_with("$1;") {
        return Recognised::ChargerLog;
    }
    if start.starts_with("FMT,") {
        return Recognised::Other(text::IMPORT_DATAFLASH_TEXT);
    }
    if start.starts_with('{') && (start.contains("flight_logging") || start.contains("GUTMA")) {
        return Recognised::Other(text::IMPORT_GUTMA);
    }
    for line in content
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(HEADER_LINES)
    {
        if let Some(format) = recognise_header(line) {
            return Recognised::Flights(format);
        }
    }
    match table::layout(&content, bytes <= head.len() as u64) {
        Some(layout) => Recognised::Table(layout),
        None => Recognised::Unknown,
    }
}

fn recognise_binary(head: &[u8], bytes: u64) -> Option<Recognised> {
    const MEDIA: [&[u8]; 7] = [
        b"\xff\xd8\xff",
        b"\x89PNG",
        b"GIF8",
        b"RIFF",
        b"II*\0",
        b"MM\0*",
        b"\x1aE\xdf\xa3",
    ];
    /// The first atom of a QuickTime or MP4 file, after its length.
    const FILM_PARTS: [&[u8]; 5] = [b"ftyp", b"moov", b"mdat", b"wide", b"free"];
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Some(Recognised::Zip);
    }
    if head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Some(Recognised::Other(text::IMPORT_OLD_EXCEL));
    }
    if head.get(8..12) == Some(b".FIT") {
        return Some(Recognised::Other(text::IMPORT_FIT));
    }
    if is_avif(head) {
        return Some(Recognised::Other(text::IMPORT_AVIF));
    }
    if head.starts_with(b"%PDF-") {
        return Some(Recognised::Other(text::IMPORT_PDF));
    }
    let is_film = head.first() == Some(&0) && head.get(4..8).is_some_and(|part| FILM_PARTS.contains(&part));
    if is_film || MEDIA.iter().any(|start| head.starts_with(start)) {
        return Some(Recognised::Media);
    }
    if head.starts_with(b"BUILD") || head.get(16..21) == Some(b"BUILD") || head.get(242..252) == Some(b"DJI_LOG_V3") {
        return Some(Recognised::Encrypted);
    }
    if blackbox::matches(head) && blackbox::is_old(head) {
        return Some(Recognised::OldBlackbox);
    }
    let format = recognised_by(|sign| matches!(sign, Sign::Bytes(matches) if matches(head, bytes)))?;
    Some(Recognised::Flights(format))
}

/// Returns whether the first atom of a file has a brand of AVIF (ISO/IEC 14496-12).
fn is_avif(head: &[u8]) -> bool {
    let length = head
        .first_chunk()
        .map_or(0, |length| u32::from_be_bytes(*length) as usize);
    let brands = head.get(8..length.min(head.len())).unwrap_or_default();
    let is_of_avif = |brand: &[u8; 4]| matches!(brand, b"avif" | b"avis");
    head.get(4..8) == Some(b"ftyp") && brands.as_chunks().0.iter().any(is_of_avif)
}

/// Returns the first format whose sign is there.
fn recognised_by(is_there: impl Fn(&Sign) -> bool) -> Option<Format> {
    let reader = READERS.iter().find(|reader| is_there(&reader.sign))?;
    Some(reader.format)
}

/// Returns whether an unrecognised file has a name that DJI drones give to encrypted logs.
#[must_use]
pub fn has_encrypted_log_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_flight = name.starts_with("fly") || name.starts_with("dji_");
    name == "fc_log.log" || (is_flight && name.ends_with(".dat"))
}

/// Returns whether the text contains NUL, which no text file does.
fn is_binary(head: &[u8]) -> bool {
    let text = lines::head_text(head);
    text.chars().take(4096).filter(|character| *character == '\0').count() > 0
}

fn recognise_header(line: &str) -> Option<Format> {
    let mut bytes = line.as_bytes();
    let mut table = Table::new(Utf8Reader::new(&mut bytes, &[]).ok()?, lines::separator(line));
    let header = table.next().ok()?.map(cells).unwrap_or_default();
    recognised_by(|sign| match sign {
        Sign::Line(is_header) => is_header(line),
        Sign::Header(is_header) => is_header(&header),
        _ => false,
    })
}

fn cells(row: Row<'_>) -> Vec<String> {
    row.iter().map(|cell| cell.into_owned()).collect()
}

/// Reads a file that begins with `head` and has this name. A table is read according to `mapping`.
///
/// # Errors
/// See [`ReadError`].
pub fn read(
    format: Format,
    source: &mut dyn BufRead,
    head: &[u8],
    name: &str,
    mapping: Option<&Mapping>,
    segmenter: &mut Segmenter,
) -> ReadResult {
    let file = Source {
        bytes: source,
        head,
        name,
        mapping,
    };
    format.reader().map_or(Ok(()), |reader| (reader.read)(file, segmenter))
}

/// Reads a radio's log, using the voltage of the given sensor.
///
/// # Errors
/// See [`ReadError`].
pub fn read_edgetx(
    source: &mut dyn BufRead,
    head: &[u8],
    name: &str,
    sensor: Sensor,
    segmenter: &mut Segmenter,
) -> ReadResult {
    edgetx::read(Utf8Reader::new(source, head)?, name, sensor, segmenter)
}

#[cfg(test)]
mod tests;
