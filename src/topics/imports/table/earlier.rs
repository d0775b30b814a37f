//! Shapes of an import in earlier releases.

use serde::{Deserialize, Serialize};

use super::{
    AboutRecord, AnswerRecord, ColumnRecord, FiguresRecord, FileRecord, FoundFlightRecord, ImportRecord, OmittedRecord,
};
use fluglog_store::blobs::BlobRecord;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// Record of 1.4.0, before assets could be imported.
#[derive(Serialize, Deserialize)]
pub(crate) struct ImportRecord2 {
    time: i64,
    state: u8,
    blobs: Vec<BlobRecord>,
    files: Vec<FileRecord>,
    flights: Vec<FoundFlightRecord2>,
    omitted: Vec<OmittedRecord>,
    answer: Option<AnswerRecord>,
}

upgrade! {
    previous: ImportRecord2 => ImportRecord {
        flights: previous.flights.into_iter().map(FoundFlightRecord::upgrade).collect(),
        assets: Vec::new(),
        time, state, blobs, files, omitted, answer,
    }
}

/// Record of a flight before the flight mode was read.
#[derive(Serialize, Deserialize)]
pub(crate) struct FoundFlightRecord2 {
    file: u32,
    part: u32,
    was_taken: bool,
    start: Option<i64>,
    day: Option<i64>,
    is_utc: bool,
    duration: Option<i64>,
    is_still: bool,
    figures: FiguresRecord,
    about: AboutRecord,
}

impl Initial for FoundFlightRecord2 {}

upgrade! {
    previous: FoundFlightRecord2 => FoundFlightRecord {
        mode: None,
        file, part, was_taken, start, day, is_utc, duration, is_still, figures, about,
    }
}

/// Record before `surplus`, whose number was part of the message.
#[derive(Serialize, Deserialize)]
pub(crate) struct ImportRecord1 {
    time: i64,
    state: u8,
    blobs: Vec<BlobRecord>,
    files: Vec<FileRecord1>,
    flights: Vec<FoundFlightRecord2>,
    omitted: Vec<OmittedRecord>,
    answer: Option<AnswerRecord>,
}

impl Initial for ImportRecord1 {}

upgrade! {
    previous: ImportRecord1 => ImportRecord2 {
        files: previous.files.into_iter().map(FileRecord::upgrade).collect(),
        time, state, blobs, flights, omitted, answer,
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct FileRecord1 {
    name: String,
    bytes: u64,
    blob: u32,
    member: Option<u32>,
    digest: u128,
    format: Option<u8>,
    message: String,
    columns: Vec<ColumnRecord>,
    mapping: String,
}

impl Initial for FileRecord1 {}

upgrade! {
    previous: FileRecord1 => FileRecord {
        surplus: 0,
        name, bytes, blob, member, digest, format, message, columns, mapping,
    }
}
