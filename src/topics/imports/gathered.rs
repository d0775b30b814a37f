//! Builds the import draft from evaluated files, within its limits. Knows no request and no transaction.

use std::collections::HashMap;

use super::evaluate::Evaluated;
use super::model::PROPOSALS_MOST;
use super::table::{
    BelongingsRecord, ColumnRecord, Copies, CopyRecord, FileRecord, FoundFlightRecord, ImportRecord, OmittedRecord,
    Profiles, Tracks,
};
use fluglog_base::time::WallTime;
use fluglog_readers::formats;
use fluglog_readers::formats::table::Mapping;
use fluglog_readers::samples::{self, Clock as FileClock, FoundFlight, Profile, SkippedPart};

/// Most files of one import, including members of archives.
const FILES_MOST: usize = 200;
/// Most selectable columns in one import.
const COLUMNS_MOST: usize = 400;
/// Most bytes of the flights' texts in one import, so that they fit its record.
const TEXTS_MOST_BYTES: usize = 500_000;
/// Most omitted parts in one import.
const OMITTED_MOST: usize = 200;

/// Parts of an import that are stored beside its record.
#[derive(Clone, Default)]
pub(super) struct Beside {
    pub tracks: Tracks,
    pub profiles: Profiles,
    pub copies: Copies,
}

/// Content of the files of an import, added one by one.
#[derive(Default)]
pub(super) struct Gathered {
    files: Vec<FileRecord>,
    omitted: Vec<OmittedRecord>,
    belongings: Vec<BelongingsRecord>,
    flights: Flights,
    /// Flights that were imported before; they fill the room that the others leave.
    taken: Flights,
}

/// Flights within the limits of an import.
#[derive(Default)]
struct Flights {
    list: Vec<Flight>,
    texts: usize,
}

struct Flight {
    record: FoundFlightRecord,
    track: Vec<(f64, f64)>,
    profile: Profile,
    copy: Option<CopyRecord>,
}

impl Flights {
    /// Adds a flight if there is room; returns whether there was.
    fn add(&mut self, flight: Flight) -> bool {
        let texts = self.texts + texts_of(&flight.record);
        let has_room = self.list.len() < PROPOSALS_MOST && texts <= TEXTS_MOST_BYTES;
        if has_room {
            self.texts = texts;
            self.list.push(flight);
        }
        has_room
    }
}

impl Gathered {
    /// Adds the content of a file.
    pub fn add(&mut self, evaluated: Evaluated, blob: u32) {
        if self.files.len() == FILES_MOST {
            return;
        }
        let place = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let columns_there: usize = self.files.iter().map(|file| file.columns.len()).sum();
        let columns = evaluated.layout.map(|layout| layout.columns).unwrap_or_default();
        let columns = columns.into_iter().take(COLUMNS_MOST.saturating_sub(columns_there));
        let mut file = FileRecord {
            name: evaluated.name,
            bytes: evaluated.bytes,
            blob,
            member: evaluated.member,
            digest: evaluated.digest,
            format: evaluated.format.map(formats::Format::code),
            message: evaluated.message,
            surplus: evaluated.outcome.surplus,
            columns: columns
                .map(|column| ColumnRecord {
                    name: column.name,
                    examples: column.examples,
                })
                .collect(),
            mapping: evaluated.mapping.as_ref().map(json_of).unwrap_or_default(),
        };
        let belongings = evaluated.belongings;
        self.belongings
            .extend(belongings.map(|found| BelongingsRecord { file: place, ..found }));
        let mut copies = evaluated.copies.into_iter();
        for found in evaluated.outcome.found {
            let is_taken = found.is_imported;
            let (record, track, profile) = flight_record(place, found);
            let copy = copies.next();
            let flight = Flight {
                record,
                track,
                profile,
                copy,
            };
            match is_taken {
                true => {
                    self.taken.add(flight);
                }
                false => file.surplus += u32::from(!self.flights.add(flight)),
            }
        }
        for omitted in evaluated.outcome.omitted {
            if self.omitted.len() < OMITTED_MOST {
                self.omitted.push(omitted_record(place, omitted));
            }
        }
        self.files.push(file);
    }

    /// Builds the record of the import, and what is stored beside it.
    pub fn import(self, time: i64) -> (ImportRecord, Beside) {
        let Gathered { mut flights, taken, .. } = self;
        for flight in taken.list {
            flights.add(flight);
        }
        flights
            .list
            .sort_by_key(|Flight { record, .. }| (record.file, record.part));
        let mut import = ImportRecord {
            files: self.files,
            omitted: self.omitted,
            belongings: self.belongings,
            ..ImportRecord::new(time)
        };
        let mut beside = Beside::default();
        for (at, flight) in (0..).zip(flights.list) {
            let Flight {
                record,
                track,
                profile,
                copy,
            } = flight;
            if !profile.is_empty() {
                beside.profiles.push((at, profile));
            }
            if !track.is_empty() {
                beside.tracks.push((at, track));
            }
            if let Some(copy) = copy {
                beside.copies.push(((record.file, record.part), copy));
            }
            import.flights.push(record);
        }
        (import, beside)
    }
}

fn texts_of(flight: &FoundFlightRecord) -> usize {
    let texts = [
        &flight.name,
        &flight.model,
        &flight.copter_serial,
        &flight.battery_serial,
        &flight.battery_name,
        &flight.location,
        &flight.notes,
    ];
    texts.iter().map(|text| text.len()).sum::<usize>() + flight.hints.iter().map(String::len).sum::<usize>()
}

#[expect(clippy::cast_possible_truncation, reason = "plausible times fit in milliseconds")]
fn flight_record(file: u32, found: FoundFlight) -> (FoundFlightRecord, Vec<(f64, f64)>, Profile) {
    let millis = |seconds: Option<f64>| seconds.map(|seconds| (seconds * 1000.0).round() as i64);
    let pair = |point: samples::Point| (point.latitude, point.longitude);
    let FoundFlight {
        part,
        metadata,
        figures,
        ..
    } = found;
    let record = FoundFlightRecord {
        file,
        part,
        was_taken: false,
        start: millis(found.start),
        day: found.day.map(|day| day as i64),
        is_utc: metadata.clock == FileClock::Utc,
        duration: millis(found.duration),
        is_still: found.is_motionless,
        start_point: figures.start_point.map(pair),
        end_point: figures.end_point.map(pair),
        height: figures.height,
        distance: figures.distance,
        farthest: figures.farthest,
        speed: figures.speed,
        start_volts: figures.start_volts,
        end_volts: figures.end_volts,
        consumed: figures.consumed,
        mode: figures.mode.map(|mode| mode as u8),
        name: metadata.name,
        model: metadata.model,
        copter_serial: metadata.copter_serial,
        battery_serial: metadata.battery_serial,
        battery_name: metadata.battery_name,
        location: metadata.location,
        notes: metadata.notes,
        hints: metadata.hints,
    };
    (record, found.track.into_iter().map(pair).collect(), found.profile)
}

fn omitted_record(file: u32, omitted: SkippedPart) -> OmittedRecord {
    let shown = omitted.from.filter(|_| omitted.clock != FileClock::Unknown);
    let shown = shown.and_then(|seconds| WallTime::from_minutes(seconds.div_euclid(60)));
    OmittedRecord {
        file,
        part: shown.map(|time| time.to_string()).unwrap_or_default(),
        reason: omitted.reason,
    }
}

/// Replaces the flights of a file by those of a new reading and sorts all by start. Returns the new indexes of the
/// other files' flights by their old ones.
pub(super) fn replace_flights(
    record: &mut ImportRecord,
    place: u32,
    flights: &[FoundFlightRecord],
) -> HashMap<u32, u32> {
    let all = (0..).zip(std::mem::take(&mut record.flights));
    let mut kept: Vec<(Option<u32>, FoundFlightRecord)> = all
        .filter(|(_, flight)| flight.file != place)
        .map(|(at, flight)| (Some(at), flight))
        .collect();
    let room = PROPOSALS_MOST.saturating_sub(kept.len());
    let surplus = u32::try_from(flights.len().saturating_sub(room)).unwrap_or(u32::MAX);
    if let Some(file) = record.files.get_mut(place as usize) {
        file.surplus += surplus;
    }
    for flight in flights.iter().take(room) {
        let flight = FoundFlightRecord {
            file: place,
            ..flight.clone()
        };
        kept.push((None, flight));
    }
    kept.sort_by_key(|(_, flight)| {
        (
            flight.start.or(flight.day.map(|day| day * 86_400_000)),
            flight.file,
            flight.part,
        )
    });
    let places = (0..).zip(&kept).filter_map(|(at, (old, _))| Some(((*old)?, at)));
    let places = places.collect();
    record.flights = kept.into_iter().map(|(_, flight)| flight).collect();
    places
}

pub(super) fn json_of(mapping: &Mapping) -> String {
    serde_json::to_string(mapping).unwrap_or_default()
}
