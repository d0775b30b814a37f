//! Selects the flights to propose from the export of another Fluglog instance: all of them, or, of many, the first ones
//! that don't exist here yet.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;

use super::foreign::{ForeignFlight, ForeignItem};
use super::reader::Reader;
use crate::imports::model::MAX_PROPOSALS;
use crate::imports::table::ForeignFlightRecord;
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_readers::formats::pilot_export;
use fluglog_readers::samples::{Clock, FoundFlight, Metadata, Profile, ReadError, SkippedPart};
use fluglog_readers::segmenter::Segmented;

/// Most bytes of all proposed flights with their items.
const MAX_FLIGHTS_BYTES: usize = 16 * 1024 * 1024;
/// Most bytes of one flight with its items, which share a record.
const MAX_FLIGHT_BYTES: usize = 1000 * 1024;
/// Most omitted parts that are listed.
const MAX_OMITTED: usize = 200;

/// Flights that were found, each with its foreign flight.
#[derive(Default)]
pub(crate) struct ExportFlights {
    pub outcome: Segmented,
    pub foreign_flights: Vec<ForeignFlightRecord>,
    /// Ids of all flights that can be imported, including those beyond the limits.
    pub all: HashSet<u128>,
}

/// The earliest flights of one kind (new or existing here), within the limits.
#[derive(Default)]
struct Earliest {
    /// Keyed by start and id.
    flights: BTreeMap<(WallTime, u128), Candidate>,
    bytes: usize,
}

struct Candidate {
    foreign: ForeignFlightRecord,
    copter: (String, String),
    minutes: Option<f64>,
    files: FlightFiles,
}

impl Earliest {
    fn take(&mut self, start: WallTime, candidate: Candidate) {
        self.bytes += bytes_of(&candidate.foreign);
        if let Some(before) = self.flights.insert((start, candidate.foreign.id), candidate) {
            self.bytes -= bytes_of(&before.foreign);
        }
        while self.flights.len() > MAX_PROPOSALS || self.bytes > MAX_FLIGHTS_BYTES {
            let Some((_, last)) = self.flights.pop_last() else {
                break;
            };
            self.bytes -= bytes_of(&last.foreign);
        }
    }
}

fn bytes_of(foreign: &ForeignFlightRecord) -> usize {
    foreign.flight.len() + foreign.items.iter().map(String::len).sum::<usize>()
}

/// Paths of a flight's track and profile in the archive; empty if it has none.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FlightFiles {
    track_file: String,
    profile_file: String,
}

impl FlightFiles {
    fn paths(&self) -> impl Iterator<Item = &String> {
        [&self.track_file, &self.profile_file].into_iter()
    }
}

/// Reads the flights of an export, or of a part of one, which lists only flights whose files it holds. Flights whose
/// ids are in `existing` only fill the room that new ones leave; `surplus` counts new flights.
///
/// # Errors
/// See [`ReadError`].
pub fn read(reader: &mut Reader<'_>, existing: &HashSet<u128>) -> Result<ExportFlights, ReadError> {
    let export = reader.export;
    let equipment = export.equipment(reader.archive)?;
    let items = reader.member(&equipment, pilot_export::read_items)?;
    let (mut new, mut old) = (Earliest::default(), Earliest::default());
    let mut read = ExportFlights::default();
    let mut new_flights: u32 = 0;
    reader.list(&export.flights, |json| match candidate(json, &items) {
        Ok((flight, _)) if flight.is_open => {
            omit(&mut read.outcome, Some(flight.entries.start), text::IMPORT_STILL_OPEN);
        }
        Ok((flight, candidate)) => {
            let id = flight.id.key();
            read.all.insert(id);
            if candidate.files.paths().any(|path| export.is_in_other_part(path)) {
                return;
            }
            if existing.contains(&id) {
                old.take(flight.entries.start, candidate);
            } else {
                new_flights += 1;
                new.take(flight.entries.start, candidate);
            }
        }
        Err(reason) => omit(&mut read.outcome, None, &reason),
    })?;
    read.outcome.surplus = new_flights - u32::try_from(new.flights.len()).unwrap_or(u32::MAX);
    let room = MAX_PROPOSALS - new.flights.len();
    let old = old.flights.into_iter().take(room);
    let candidates: BTreeMap<_, _> = new.flights.into_iter().chain(old).collect();
    let paths = candidates.values().flat_map(|candidate| candidate.files.paths());
    let paths = paths.filter(|path| !path.is_empty()).cloned().collect();
    let files = export.files(reader.archive, &paths)?;
    for (part, ((start, _), candidate)) in (0..).zip(candidates) {
        let track = match files.get(&candidate.files.track_file) {
            Some(track) => reader.member(track, pilot_export::read_track)?,
            None => Vec::new(),
        };
        let profile = match files.get(&candidate.files.profile_file) {
            Some(profile) => reader.member(profile, pilot_export::read_profile)?,
            None => Profile::default(),
        };
        read.outcome.found.push(FoundFlight {
            part,
            is_imported: existing.contains(&candidate.foreign.id),
            track,
            profile,
            ..found(start, &candidate)
        });
        read.foreign_flights.push(candidate.foreign);
    }
    Ok(read)
}

/// Reads a flight with its items, validated like a form; the error is the reason as a German sentence.
fn candidate(json: &str, items: &HashMap<String, String>) -> Result<(ForeignFlight, Candidate), String> {
    let flight = ForeignFlight::read(json).map_err(|error| error.sentence().to_owned())?;
    let mut foreign = ForeignFlightRecord {
        id: flight.id.key(),
        flight: json.to_owned(),
        items: Vec::new(),
    };
    let mut copter = None;
    for id in flight.items() {
        let item = items.get(&id.to_string()).ok_or(text::IMPORT_DAMAGED)?;
        let read = ForeignItem::read(item).map_err(|error| error.sentence().to_owned())?;
        copter.get_or_insert((read.details.name, read.details.model));
        foreign.items.push(item.clone());
    }
    if bytes_of(&foreign) > MAX_FLIGHT_BYTES {
        return Err(text::IMPORT_TOO_MUCH.to_owned());
    }
    let candidate = Candidate {
        foreign,
        copter: copter.unwrap_or_default(),
        minutes: flight.entries.fields.minutes,
        files: serde_json::from_str(json).unwrap_or_default(),
    };
    Ok((flight, candidate))
}

fn found(start: WallTime, candidate: &Candidate) -> FoundFlight {
    let (name, model) = candidate.copter.clone();
    #[expect(clippy::cast_precision_loss, reason = "minutes of these centuries fit")]
    let start = start.minutes() as f64 * 60.0;
    FoundFlight {
        metadata: Metadata {
            clock: Clock::Local,
            name,
            model,
            ..Metadata::default()
        },
        start: Some(start),
        duration: candidate.minutes.map(|minutes| minutes * 60.0),
        ..FoundFlight::default()
    }
}

/// Lists a part that isn't imported.
pub(crate) fn omit(outcome: &mut Segmented, start: Option<WallTime>, reason: &str) {
    if outcome.omitted.len() < MAX_OMITTED {
        outcome.omitted.push(SkippedPart {
            from: start.map(|start| start.minutes() * 60),
            clock: Clock::Local,
            reason: reason.to_owned(),
        });
    }
}
