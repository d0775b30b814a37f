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
mod geojson;
mod gpx;
mod hott;
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

/// The number of lines in which a table's header is searched.
const HEADER_LINES: usize = 3;

/// A format from which flights are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    EdgeTx,
    DjiTxt,
    Airdata,
    Litchi,
    OpenDroneLogTable,
    OpenDroneLogJson,
    DjiCsv,
    Gpx,
    Kml,
    GeoJson,
    Srt,
    Table,
    Fluglog,
    Blackbox,
    DataFlash,
    Tlog,
    ULog,
    Spektrum,
    Jeti,
    Osd,
    Hott,
    Yuneec,
    VBar,
}

impl Format {
    /// All formats, ordered by code.
    pub const ALL: [Format; 23] = [
        Format::EdgeTx,
        Format::DjiTxt,
        Format::Airdata,
        Format::Litchi,
        Format::OpenDroneLogTable,
        Format::OpenDroneLogJson,
        Format::DjiCsv,
        Format::Gpx,
        Format::Kml,
        Format::GeoJson,
        Format::Srt,
        Format::Table,
        Format::Fluglog,
        Format::Blackbox,
        Format::DataFlash,
        Format::Tlog,
        Format::ULog,
        Format::Spektrum,
        Format::Jeti,
        Format::Osd,
        Format::Hott,
        Format::Yuneec,
        Format::VBar,
    ];

    /// The code in the database.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the format with this code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.code() == code)
    }

    /// The name in API calls.
    #[must_use]
    pub fn wire_name(self) -> &'static str {
        match self {
            Format::EdgeTx => "edgetx",
            Format::DjiTxt => "dji-txt",
            Format::Airdata => "airdata",
            Format::Litchi => "litchi",
            Format::OpenDroneLogTable | Format::OpenDroneLogJson => "opendronelog",
            Format::DjiCsv => "dji-csv",
            Format::Gpx => "gpx",
            Format::Kml => "kml",
            Format::GeoJson => "geojson",
            Format::Srt => "srt",
            Format::Table => "csv",
            Format::Fluglog => "fluglog",
            Format::Blackbox => "blackbox",
            Format::DataFlash => "dataflash",
            Format::Tlog => "tlog",
            Format::ULog => "ulog",
            Format::Spektrum => "spektrum",
            Format::Jeti => "jeti",
            Format::Osd => "osd",
            Format::Hott => "hott",
            Format::Yuneec => "yuneec",
            Format::VBar => "vbar",
        }
    }

    /// The display name.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Format::EdgeTx => "EdgeTX/OpenTX",
            Format::DjiTxt => "DJI",
            Format::Airdata => "Airdata",
            Format::Litchi => "Litchi",
            Format::OpenDroneLogTable | Format::OpenDroneLogJson => "Open DroneLog",
            Format::DjiCsv => "DJI-CSV",
            Format::Gpx => "GPX",
            Format::Kml => "KML",
            Format::GeoJson => "GeoJSON",
            Format::Srt => "Untertitel",
            Format::Table => "CSV",
            Format::Fluglog => "Fluglog",
            Format::Blackbox => "Blackbox",
            Format::DataFlash => "ArduPilot",
            Format::Tlog => "MAVLink",
            Format::ULog => "PX4",
            Format::Spektrum => "Spektrum",
            Format::Jeti => "Jeti",
            Format::Osd => "OSD",
            Format::Hott => "HoTT",
            Format::Yuneec => "Yuneec",
            Format::VBar => "VBar",
        }
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
    Unknown,
}

/// Recognises a file of `bytes` that begins with `head`.
#[must_use]
pub fn recognise(head: &[u8], bytes: u64) -> Recognised {
    if let Some(binary) = recognise_binary(head, bytes) {
        return binary;
    }
    let text = lines::head_text(head);
    let start = text.trim_start();
    if start.is_empty() || is_binary(head) {
        return Recognised::Unknown;
    }
    if let Some(format) = recognise_tree(start) {
        return Recognised::Flights(format);
    }
    if srt::matches(&text) {
        return Recognised::Flights(Format::Srt);
    }
    if jeti::matches(start) {
        return Recognised::Flights(Format::Jeti);
    }
    if vbar::matches(start) {
        return Recognised::Flights(Format::VBar);
    }
    if start.starts_with("$1;") {
        return Recognised::ChargerLog;
    }
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(HEADER_LINES)
    {
        if let Some(format) = recognise_header(line) {
            return Recognised::Flights(format);
        }
    }
    match table::layout(&text, bytes <= head.len() as u64) {
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
    let is_film = head.first() == Some(&0) && head.get(4..8).is_some_and(|part| FILM_PARTS.contains(&part));
    if is_film || MEDIA.iter().any(|start| head.starts_with(start)) {
        return Some(Recognised::Media);
    }
    if head.starts_with(b"BUILD") || head.get(16..21) == Some(b"BUILD") || head.get(242..252) == Some(b"DJI_LOG_V3") {
        return Some(Recognised::Encrypted);
    }
    Some(match () {
        () if blackbox::matches(head) && blackbox::is_old(head) => Recognised::OldBlackbox,
        () if blackbox::matches(head) => Recognised::Flights(Format::Blackbox),
        () if dataflash::matches(head) => Recognised::Flights(Format::DataFlash),
        () if tlog::matches(head) => Recognised::Flights(Format::Tlog),
        () if ulog::matches(head) => Recognised::Flights(Format::ULog),
        () if spektrum::matches(head) => Recognised::Flights(Format::Spektrum),
        () if osd::matches(head) => Recognised::Flights(Format::Osd),
        () if hott::matches(head) => Recognised::Flights(Format::Hott),
        () if dji_txt::matches(head, bytes) => Recognised::Flights(Format::DjiTxt),
        () => return None,
    })
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

fn recognise_tree(start: &str) -> Option<Format> {
    if start.starts_with('<') {
        let begins = |name: &str| {
            start.match_indices(name).any(|(at, _)| {
                let before = start[..at].chars().next_back();
                let after = start[at + name.len()..].chars().next();
                matches!(before, Some('<' | ':')) && matches!(after, Some('>' | ' ' | '\n' | '\r' | '\t' | '/'))
            })
        };
        return match (matches("gpx"), matches("kml")) {
            (true, _) => Some(Format::Gpx),
            (_, true) => Some(Format::Kml),
            _ => None,
        };
    }
    if drone_log::matches(start) {
        return Some(Format::OpenDroneLogJson);
    }
    geojson::matches(start).then_some(Format::GeoJson)
}

fn recognise_header(line: &str) -> Option<Format> {
    if edgetx::is_header(line) {
        return Some(Format::EdgeTx);
    }
    let mut bytes = line.as_bytes();
    let mut table = Table::new(Utf8Reader::new(&mut bytes, &[]).ok()?, b',');
    let header: Vec<String> = cells(table.next().ok()??);
    if drone_log::is_header(&header) {
        return Some(Format::OpenDroneLogTable);
    }
    if yuneec::is_header(&header) {
        return Some(Format::Yuneec);
    }
    Some(match apps::recognised(&header)? {
        App::Airdata => Format::Airdata,
        App::Litchi => Format::Litchi,
        App::DjiCsv => Format::DjiCsv,
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
    let text = match format {
        Format::DjiTxt => return dji_txt::read(source, segmenter),
        Format::Blackbox => return blackbox::read(source, segmenter),
        Format::DataFlash => return dataflash::read(source, segmenter),
        Format::Tlog => return tlog::read(source, segmenter),
        Format::ULog => return ulog::read(source, segmenter),
        Format::Spektrum => return spektrum::read(source, segmenter),
        Format::Osd => return osd::read(source, segmenter),
        Format::Hott => return hott::read(source, name, segmenter),
        _ => Utf8Reader::new(source, head)?,
    };
    match format {
        Format::EdgeTx => edgetx::read(text, name, Sensor::MostReliable, segmenter),
        Format::Airdata => apps::read(App::Airdata, text, segmenter),
        Format::Litchi => apps::read(App::Litchi, text, segmenter),
        Format::DjiCsv => apps::read(App::DjiCsv, text, segmenter),
        Format::OpenDroneLogTable => drone_log::read_table(text, segmenter),
        Format::OpenDroneLogJson => drone_log::read_json(text, segmenter),
        Format::Gpx => gpx::read(text, segmenter),
        Format::Kml => kml::read(text, segmenter),
        Format::GeoJson => geojson::read(text, segmenter),
        Format::Srt => srt::read(text, segmenter),
        Format::Jeti => jeti::read(text, segmenter),
        Format::Yuneec => yuneec::read(text, segmenter),
        Format::VBar => vbar::read(text, segmenter),
        Format::Table => match mapping {
            Some(mapping) => table::read(text, mapping, segmenter),
            None => Err(ReadError::Malformed(0)),
        },
        // Read as a whole by its own module, with all members of the archive.
        Format::Fluglog => Ok(()),
        Format::DjiTxt
        | Format::Blackbox
        | Format::DataFlash
        | Format::Tlog
        | Format::ULog
        | Format::Spektrum
        | Format::Osd
        | Format::Hott => Ok(()),
    }
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
