//! Builds the import draft from evaluated files, within its limits. Knows no request and no transaction.

use std::collections::HashMap;

use super::evaluate::Evaluated;
use super::model::MAX_PROPOSALS;
use super::table::{
    AboutRecord, AssetsRecord, ColumnRecord, FiguresRecord, FileRecord, ForeignFlightRecord, FoundFlightRecord,
    ImportDraft, ImportRecord, OmittedRecord,
};
use fluglog_base::time::WallTime;
use fluglog_readers::formats;
use fluglog_readers::formats::table::Mapping;
use fluglog_readers::samples::{self, Clock as FileClock, FoundFlight, Profile, SkippedPart};

/// Most files of one import, including members of archives, of which each may have as many (`MAX_MEMBERS` in
/// `readers/formats/zip.rs`).
const MAX_FILES: usize = 200;
/// Most selectable columns in one import.
const MAX_COLUMNS: usize = 400;
/// Most bytes of the flights' texts in one import, so that they fit its record.
const MAX_TEXTS_BYTES: usize = 500_000;
/// Most omitted parts in one import.
const MAX_OMITTED: usize = 200;

/// Content of the files of an import, added one by one.
#[derive(Default)]
pub(crate) struct DraftBuilder {
    files: Vec<FileRecord>,
    omitted: Vec<OmittedRecord>,
    assets: Vec<AssetsRecord>,
    flights: DraftFlights,
    /// Flights that were imported before; they fill the room that the others leave.
    taken: DraftFlights,
}

/// Flights within the limits of an import.
#[derive(Default)]
struct DraftFlights {
    list: Vec<Flight>,
    texts: usize,
}

struct Flight {
    record: FoundFlightRecord,
    track: Vec<(f64, f64)>,
    profile: Profile,
    foreign: Option<ForeignFlightRecord>,
}

impl DraftFlights {
    /// Adds a flight if there is room; returns whether there was.
    fn add(&mut self, flight: Flight) -> bool {
        let texts = self.texts + texts_of(&flight.record);
        let has_room = self.list.len() < MAX_PROPOSALS && texts <= MAX_TEXTS_BYTES;
        if has_room {
            self.texts = texts;
            self.list.push(flight);
        }
        has_room
    }
}

impl DraftBuilder {
    /// Adds the content of a file.
    pub fn add(&mut self, evaluated: Evaluated, blob: u32) {
        if self.files.len() == MAX_FILES {
            return;
        }
        let place = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let columns_there: usize = self.files.iter().map(|file| file.columns.len()).sum();
        let columns = evaluated.layout.map(|layout| layout.columns).unwrap_or_default();
        let columns = columns.into_iter().take(MAX_COLUMNS.saturating_sub(columns_there));
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
            questions: match evaluated.questions.is_empty() {
                true => String::new(),
                false => serde_json::to_string(&evaluated.questions).unwrap_or_default(),
            },
        };
        let assets = evaluated.assets;
        self.assets
            .extend(assets.map(|found| AssetsRecord { file: place, ..found }));
        let mut foreign_flights = evaluated.foreign_flights.into_iter();
        for found in evaluated.outcome.found {
            let is_taken = found.is_imported;
            let (record, track, profile) = flight_record(place, found);
            let flight = Flight {
                record,
                track,
                profile,
                foreign: foreign_flights.next(),
            };
            match is_taken {
                true => {
                    self.taken.add(flight);
                }
                false => file.surplus += u32::from(!self.flights.add(flight)),
            }
        }
        for omitted in evaluated.outcome.omitted {
            if self.omitted.len() < MAX_OMITTED {
                self.omitted.push(omitted_record(place, omitted));
            }
        }
        self.files.push(file);
    }

    /// Builds the draft of an import that was uploaded at `time`, in Unix seconds.
    pub fn build(mut self, time: i64) -> ImportDraft {
        for flight in self.taken.list {
            self.flights.add(flight);
        }
        let mut flights = self.flights.list;
        flights.sort_by_key(|Flight { record, .. }| (record.file, record.part));
        let mut draft = ImportDraft {
            record: ImportRecord {
                files: self.files,
                omitted: self.omitted,
                assets: self.assets,
                ..ImportRecord::new(time)
            },
            ..ImportDraft::default()
        };
        for (at, flight) in (0..).zip(flights) {
            let record = flight.record;
            if !flight.profile.is_empty() {
                draft.profiles.push((at, flight.profile));
            }
            if !flight.track.is_empty() {
                draft.tracks.push((at, flight.track));
            }
            let place = (record.file, record.part);
            draft
                .foreign_flights
                .extend(flight.foreign.map(|foreign| (place, foreign)));
            draft.record.flights.push(record);
        }
        draft
    }
}

fn texts_of(flight: &FoundFlightRecord) -> usize {
    let AboutRecord {
        name,
        model,
        copter_serial,
        battery_serial,
        battery_name,
        location,
        weather,
        purpose,
        notes,
        hints,
    } = &flight.about;
    let texts = [
        name,
        model,
        copter_serial,
        battery_serial,
        battery_name,
        location,
        weather,
        purpose,
        notes,
    ];
    texts.into_iter().chain(hints).map(String::len).sum()
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
        figures: FiguresRecord {
            start_point: figures.start_point.map(pair),
            end_point: figures.end_point.map(pair),
            height: figures.height,
            distance: figures.distance,
            farthest: figures.farthest,
            speed: figures.speed,
            start_volts: figures.start_volts,
            end_volts: figures.end_volts,
            consumed: figures.consumed,
        },
        mode: figures.mode.map(|mode| mode as u8),
        about: AboutRecord {
            name: metadata.name,
            model: metadata.model,
            copter_serial: metadata.copter_serial,
            battery_serial: metadata.battery_serial,
            battery_name: metadata.battery_name,
            location: metadata.location,
            weather: metadata.weather,
            purpose: metadata.purpose,
            notes: metadata.notes,
            hints: metadata.hints,
        },
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

/// Replaces the flights of a table by those of another reading, and sorts all by start.
pub(crate) fn replace_table(draft: &mut ImportDraft, place: u32, read: &ImportRecord) {
    let all = (0..).zip(std::mem::take(&mut draft.record.flights));
    let mut kept: Vec<(Option<u32>, FoundFlightRecord)> = all
        .filter(|(_, flight)| flight.file != place)
        .map(|(at, flight)| (Some(at), flight))
        .collect();
    let room = MAX_PROPOSALS.saturating_sub(kept.len());
    let surplus = u32::try_from(read.flights.len().saturating_sub(room)).unwrap_or(u32::MAX);
    if let (Some(file), Some(read)) = (draft.record.files.get_mut(place as usize), read.files.first()) {
        file.message.clone_from(&read.message);
        file.surplus = read.surplus + surplus;
        file.mapping.clone_from(&read.mapping);
        file.questions.clone_from(&read.questions);
    }
    for flight in read.flights.iter().take(room) {
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
    let places: HashMap<u32, u32> = places.collect();
    let moved = |at: &mut u32| places.get(at).inspect(|new| *at = **new).is_some();
    draft.tracks.retain_mut(|(at, _)| moved(at));
    draft.profiles.retain_mut(|(at, _)| moved(at));
    draft.record.flights = kept.into_iter().map(|(_, flight)| flight).collect();
}

pub(crate) fn json_of(mapping: &Mapping) -> String {
    serde_json::to_string(mapping).unwrap_or_default()
}
