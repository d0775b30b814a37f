//! Shapes of an import in earlier releases.

use serde::{Deserialize, Serialize};

use super::{
    AboutRecord, AnswerRecord, AssetsRecord, ColumnRecord, FiguresRecord, FileRecord, FoundFlightRecord, ImportRecord,
    OmittedRecord,
};
use fluglog_store::blobs::BlobRecord;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// Record before jobs, and flights from before Fluglog, were counted. No release stored it.
#[derive(Serialize, Deserialize)]
pub(crate) struct ImportRecord4 {
    time: i64,
    state: u8,
    blobs: Vec<BlobRecord>,
    files: Vec<FileRecord>,
    flights: Vec<FoundFlightRecord>,
    omitted: Vec<OmittedRecord>,
    answer: Option<AnswerRecord>,
    assets: Vec<AssetsRecord1>,
}

upgrade! {
    previous: ImportRecord4 => ImportRecord {
        assets: previous.assets.into_iter().map(AssetsRecord::upgrade).collect(),
        time, state, blobs, files, flights, omitted, answer,
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct AssetsRecord1 {
    file: u32,
    items: u32,
    chargings: u32,
    readings: u32,
    sets: u32,
    logs: u32,
    documents: u32,
    images: u32,
    left: u32,
    missing: u32,
}

impl Initial for AssetsRecord1 {}

upgrade! {
    previous: AssetsRecord1 => AssetsRecord {
        jobs: 0,
        prior: 0,
        file, items, chargings, readings, sets, logs, documents, images, left, missing,
    }
}

/// Record of 1.5.0, before questions about tables.
#[derive(Serialize, Deserialize)]
pub(crate) struct ImportRecord3 {
    time: i64,
    state: u8,
    blobs: Vec<BlobRecord>,
    files: Vec<FileRecord2>,
    flights: Vec<FoundFlightRecord3>,
    omitted: Vec<OmittedRecord>,
    answer: Option<AnswerRecord>,
    assets: Vec<AssetsRecord1>,
}

upgrade! {
    previous: ImportRecord3 => ImportRecord4 {
        files: previous.files.into_iter().map(FileRecord::upgrade).collect(),
        flights: previous.flights.into_iter().map(FoundFlightRecord::upgrade).collect(),
        time, state, blobs, omitted, answer, assets,
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct FileRecord2 {
    name: String,
    bytes: u64,
    blob: u32,
    member: Option<u32>,
    digest: u128,
    format: Option<u8>,
    message: String,
    surplus: u32,
    columns: Vec<ColumnRecord>,
    mapping: String,
}

upgrade! {
    previous: FileRecord2 => FileRecord {
        questions: String::new(),
        name, bytes, blob, member, digest, format, message, surplus, columns, mapping,
    }
}

/// Record of a flight before weather and purpose were read.
#[derive(Serialize, Deserialize)]
pub(crate) struct FoundFlightRecord3 {
    file: u32,
    part: u32,
    was_taken: bool,
    start: Option<i64>,
    day: Option<i64>,
    is_utc: bool,
    duration: Option<i64>,
    is_still: bool,
    figures: FiguresRecord,
    mode: Option<u8>,
    about: AboutRecord1,
}

upgrade! {
    previous: FoundFlightRecord3 => FoundFlightRecord {
        about: AboutRecord::upgrade(previous.about),
        file, part, was_taken, start, day, is_utc, duration, is_still, figures, mode,
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct AboutRecord1 {
    name: String,
    model: String,
    copter_serial: String,
    battery_serial: String,
    battery_name: String,
    location: String,
    notes: String,
    hints: Vec<String>,
}

impl Initial for AboutRecord1 {}

upgrade! {
    previous: AboutRecord1 => AboutRecord {
        weather: String::new(),
        purpose: String::new(),
        name, model, copter_serial, battery_serial, battery_name, location, notes, hints,
    }
}

/// Record of 1.4.0, before assets could be imported.
#[derive(Serialize, Deserialize)]
pub(crate) struct ImportRecord2 {
    time: i64,
    state: u8,
    blobs: Vec<BlobRecord>,
    files: Vec<FileRecord2>,
    flights: Vec<FoundFlightRecord2>,
    omitted: Vec<OmittedRecord>,
    answer: Option<AnswerRecord>,
}

upgrade! {
    previous: ImportRecord2 => ImportRecord3 {
        flights: previous.flights.into_iter().map(FoundFlightRecord3::upgrade).collect(),
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
    about: AboutRecord1,
}

impl Initial for FoundFlightRecord2 {}

upgrade! {
    previous: FoundFlightRecord2 => FoundFlightRecord3 {
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
        files: previous.files.into_iter().map(FileRecord2::upgrade).collect(),
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
    previous: FileRecord1 => FileRecord2 {
        surplus: 0,
        name, bytes, blob, member, digest, format, message, columns, mapping,
    }
}
