//! Selects the flights to propose from the export of another Fluglog instance: all of them, or, of many, the first ones
//! that don't exist here yet.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde_json::Value;

use super::foreign::{ForeignFlight, ForeignItem};
use super::reader::Reader;
use crate::flights::columns;
use crate::imports::model::MAX_PROPOSALS;
use crate::imports::table::ForeignFlightRecord;
use fluglog_base::id::EquipmentId;
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_readers::formats::{Utf8Reader, flight_table, pilot_export};
use fluglog_readers::samples::{Clock, FoundFlight, Metadata, Point, Profile, ReadError, SkippedPart};
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

/// Selects the flights of a source, one after the other. Flights whose ids are in `existing` only fill the room that
/// new ones leave; `surplus` counts new flights.
struct Selection<'e> {
    existing: &'e HashSet<u128>,
    new: Earliest,
    old: Earliest,
    new_flights: u32,
    read: ExportFlights,
}

impl<'e> Selection<'e> {
    fn new(existing: &'e HashSet<u128>) -> Selection<'e> {
        Selection {
            existing,
            new: Earliest::default(),
            old: Earliest::default(),
            new_flights: 0,
            read: ExportFlights::default(),
        }
    }

    /// Takes a flight; one of whose files any `waits` in another part is only known.
    fn take(&mut self, json: &str, item: impl Fn(EquipmentId, usize) -> Option<String>, waits: impl Fn(&str) -> bool) {
        let (flight, candidate) = match candidate(json, item) {
            Ok(read) => read,
            Err(reason) => return omit(&mut self.read.outcome, None, &reason),
        };
        let start = flight.entries.start;
        if flight.is_open {
            return omit(&mut self.read.outcome, Some(start), text::IMPORT_STILL_OPEN);
        }
        let id = flight.id.key();
        self.read.all.insert(id);
        if candidate.files.paths().any(|path| waits(path)) {
            return;
        }
        if self.existing.contains(&id) {
            self.old.take(start, candidate);
        } else {
            self.new_flights += 1;
            self.new.take(start, candidate);
        }
    }

    /// Returns the selected flights, earliest first.
    fn candidates(&mut self) -> BTreeMap<(WallTime, u128), Candidate> {
        let new = std::mem::take(&mut self.new.flights);
        self.read.outcome.surplus = self.new_flights - u32::try_from(new.len()).unwrap_or(u32::MAX);
        let room = MAX_PROPOSALS - new.len();
        let old = std::mem::take(&mut self.old.flights).into_iter().take(room);
        new.into_iter().chain(old).collect()
    }

    /// Finishes the selection; `files` returns the track and the profile of a flight.
    fn finish(
        mut self,
        candidates: BTreeMap<(WallTime, u128), Candidate>,
        mut files: impl FnMut(&FlightFiles) -> Result<(Vec<Point>, Profile), ReadError>,
    ) -> Result<ExportFlights, ReadError> {
        for (part, ((start, _), candidate)) in (0..).zip(candidates) {
            let (track, profile) = files(&candidate.files)?;
            self.read.outcome.found.push(FoundFlight {
                part,
                is_imported: self.existing.contains(&candidate.foreign.id),
                track,
                profile,
                ..found(start, &candidate)
            });
            self.read.foreign_flights.push(candidate.foreign);
        }
        Ok(self.read)
    }
}

/// Reads the flights of an export, or of a part of one, which lists only flights whose files it holds.
///
/// # Errors
/// See [`ReadError`].
pub fn read(reader: &mut Reader<'_>, existing: &HashSet<u128>) -> Result<ExportFlights, ReadError> {
    let export = reader.export;
    let equipment = export.equipment(reader.archive)?;
    let items = reader.member(&equipment, pilot_export::read_items)?;
    let mut selection = Selection::new(existing);
    let item = |id: EquipmentId, _| items.get(&id.to_string()).cloned();
    reader.list(&export.flights, |json| {
        selection.take(json, item, |path| export.is_in_other_part(path));
    })?;
    let candidates = selection.candidates();
    let paths = candidates.values().flat_map(|candidate| candidate.files.paths());
    let paths = paths.filter(|path| !path.is_empty()).cloned().collect();
    let files = export.files(reader.archive, &paths)?;
    selection.finish(candidates, |of| {
        let track = files.get(&of.track_file);
        let track = track.map(|track| reader.member(track, pilot_export::read_track));
        let profile = files.get(&of.profile_file);
        let profile = profile.map(|profile| reader.member(profile, pilot_export::read_profile));
        Ok((
            track.transpose()?.unwrap_or_default(),
            profile.transpose()?.unwrap_or_default(),
        ))
    })
}

/// Reads the flights of a table of all fields.
///
/// # Errors
/// See [`ReadError`].
pub fn read_table(source: Utf8Reader<'_>, head: &[u8], existing: &HashSet<u128>) -> Result<ExportFlights, ReadError> {
    let mut selection = Selection::new(existing);
    flight_table::read(source, head, |row| {
        let columns::ReadFlight { flight, items } = columns::read(&row);
        selection.take(&flight, |_, place| items.get(place).map(Value::to_string), |_| false);
        Ok(())
    })?;
    let candidates = selection.candidates();
    selection.finish(candidates, |_| Ok(Default::default()))
}

/// Reads a flight with its items, validated like a form; the error is the reason as a German sentence.
///
/// `item` returns the item with an id and this place among those of the flight. What it doesn't know, such as the items
/// of a space, is taken as the flight names it.
fn candidate(
    json: &str,
    item: impl Fn(EquipmentId, usize) -> Option<String>,
) -> Result<(ForeignFlight, Candidate), String> {
    let flight = ForeignFlight::read(json).map_err(|error| error.sentence().to_owned())?;
    let mut foreign = ForeignFlightRecord {
        id: flight.id.key(),
        flight: json.to_owned(),
        items: Vec::new(),
    };
    let mut copter = None;
    for (place, id) in flight.items().enumerate() {
        let named = || ForeignFlight::item_in(json, id);
        let item = item(id, place).or_else(named).ok_or(text::IMPORT_DAMAGED)?;
        let read = ForeignItem::read(&item).map_err(|error| error.sentence().to_owned())?;
        copter.get_or_insert((read.details.name, read.details.model));
        foreign.items.push(item);
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
