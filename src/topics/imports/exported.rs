//! Selects the flights to propose from the export of another Fluglog instance: all of them, or, of many, the first ones
//! that don't exist here yet.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read};

use serde::Deserialize;

use super::copies::{CopiedFlight, CopiedItem};
use super::model::PROPOSALS_MOST;
use super::table::CopyRecord;
use fluglog_base::limits::cpu_budget::CpuBudget;
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_readers::formats::pilot_export::{self, PilotExport};
use fluglog_readers::formats::{Utf8Reader, zip};
use fluglog_readers::samples::{Clock, FoundFlight, Metadata, Profile, ReadError, SkippedPart};
use fluglog_readers::segmenter::Segmented;

/// Most bytes of one member, unpacked: 5,000 flights with texts of the maximum number and length.
const MEMBER_MOST_BYTES: u64 = 1024 * 1024 * 1024;
/// Most bytes of all proposed flights with their items.
const FLIGHTS_MOST_BYTES: usize = 16 * 1024 * 1024;
/// Most bytes of one flight with its items, which share a record.
const FLIGHT_MOST_BYTES: usize = 1000 * 1024;
/// Most omitted parts that are listed.
const OMITTED_MOST: usize = 200;
const CHUNK_BYTES: usize = 64 * 1024;

/// Flights that were found, each with its foreign flight.
#[derive(Default)]
pub struct Exported {
    pub outcome: Segmented,
    pub copies: Vec<CopyRecord>,
    /// Ids of all flights that can be imported, including those beyond the limits.
    pub flights: HashSet<u128>,
}

/// The earliest flights of one kind (new or existing here), within the limits.
#[derive(Default)]
struct First {
    /// Keyed by start and id.
    flights: BTreeMap<(WallTime, u128), Chosen>,
    bytes: usize,
}

struct Chosen {
    copy: CopyRecord,
    copter: (String, String),
    minutes: Option<f64>,
    files: OfFlight,
}

impl First {
    fn take(&mut self, start: WallTime, chosen: Chosen) {
        self.bytes += bytes_of(&chosen.copy);
        if let Some(before) = self.flights.insert((start, chosen.copy.id), chosen) {
            self.bytes -= bytes_of(&before.copy);
        }
        while self.flights.len() > PROPOSALS_MOST || self.bytes > FLIGHTS_MOST_BYTES {
            let Some((_, last)) = self.flights.pop_last() else {
                break;
            };
            self.bytes -= bytes_of(&last.copy);
        }
    }
}

fn bytes_of(copy: &CopyRecord) -> usize {
    copy.flight.len() + copy.items.iter().map(String::len).sum::<usize>()
}

/// Paths of a flight's track and profile in the archive; empty if it has none.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct OfFlight {
    track_file: String,
    profile_file: String,
}

impl OfFlight {
    fn paths(&self) -> impl Iterator<Item = &String> {
        [&self.track_file, &self.profile_file].into_iter()
    }
}

/// Reads an export, or a part of one, which lists only flights whose files it holds. Flights whose ids are in `there`
/// only fill the room that new ones leave; `surplus` counts new flights.
///
/// # Errors
/// See [`ReadError`].
pub fn read(
    archive: &mut File,
    export: &PilotExport,
    budget: &CpuBudget<'_>,
    there: &HashSet<u128>,
) -> Result<Exported, ReadError> {
    let equipment = export.equipment(archive)?;
    let items = with_text(archive, &equipment, budget, pilot_export::read_items)?;
    let (mut new, mut old) = (First::default(), First::default());
    let mut exported = Exported::default();
    let mut new_flights: u32 = 0;
    with_text(archive, &export.flights, budget, |text| {
        pilot_export::read_list(text, &mut |json| {
            match chosen(json, &items) {
                Ok((_, copied, _)) if copied.is_open => {
                    omit(
                        &mut exported.outcome,
                        Some(copied.entries.start),
                        text::IMPORT_STILL_OPEN,
                    );
                }
                Ok((start, copied, chosen)) => {
                    exported.flights.insert(copied.id.key());
                    if chosen.files.paths().any(|path| export.is_in_other_part(path)) {
                        return Ok(());
                    }
                    if there.contains(&copied.id.key()) {
                        old.take(start, chosen);
                    } else {
                        new_flights += 1;
                        new.take(start, chosen);
                    }
                }
                Err(reason) => omit(&mut exported.outcome, None, &reason),
            }
            Ok(())
        })
    })?;
    exported.outcome.surplus = new_flights - u32::try_from(new.flights.len()).unwrap_or(u32::MAX);
    let room = PROPOSALS_MOST - new.flights.len();
    let old = old.flights.into_iter().take(room);
    let chosen: BTreeMap<_, _> = new.flights.into_iter().chain(old).collect();
    let paths = chosen.values().flat_map(|chosen| chosen.files.paths());
    let files = export.files(archive, &paths.filter(|path| !path.is_empty()).cloned().collect())?;
    for (part, ((start, _), chosen)) in (0..).zip(chosen) {
        let track = match files.get(&chosen.files.track_file) {
            Some(track) => with_text(archive, track, budget, pilot_export::read_track)?,
            None => Vec::new(),
        };
        let profile = match files.get(&chosen.files.profile_file) {
            Some(profile) => with_text(archive, profile, budget, pilot_export::read_profile)?,
            None => Profile::default(),
        };
        let found = FoundFlight {
            part,
            is_imported: there.contains(&chosen.copy.id),
            track,
            profile,
            ..found(start, &chosen)
        };
        exported.outcome.found.push(found);
        exported.copies.push(chosen.copy);
    }
    Ok(exported)
}

/// Reads a flight with its items, validated like a form; the error is the reason as a German sentence.
fn chosen(json: &str, items: &HashMap<String, String>) -> Result<(WallTime, CopiedFlight, Chosen), String> {
    let copied = CopiedFlight::read(json).map_err(|error| error.sentence().to_owned())?;
    let mut copy = CopyRecord {
        id: copied.id.key(),
        flight: json.to_owned(),
        items: Vec::new(),
    };
    let mut copter = None;
    for id in copied.items() {
        let item = items.get(&id.to_string()).ok_or(text::IMPORT_DAMAGED)?;
        let read = CopiedItem::read(item).map_err(|error| error.sentence().to_owned())?;
        copter.get_or_insert((read.details.name, read.details.model));
        copy.items.push(item.clone());
    }
    if bytes_of(&copy) > FLIGHT_MOST_BYTES {
        return Err(text::IMPORT_TOO_MUCH.to_owned());
    }
    let chosen = Chosen {
        copy,
        copter: copter.unwrap_or_default(),
        minutes: copied.entries.fields.minutes,
        files: serde_json::from_str(json).unwrap_or_default(),
    };
    Ok((copied.entries.start, copied, chosen))
}

fn found(start: WallTime, chosen: &Chosen) -> FoundFlight {
    let (name, model) = chosen.copter.clone();
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
        duration: chosen.minutes.map(|minutes| minutes * 60.0),
        ..FoundFlight::default()
    }
}

/// Lists a part that isn't imported.
pub fn omit(outcome: &mut Segmented, start: Option<WallTime>, reason: &str) {
    if outcome.omitted.len() < OMITTED_MOST {
        outcome.omitted.push(SkippedPart {
            from: start.map(|start| start.minutes() * 60),
            clock: Clock::Local,
            reason: reason.to_owned(),
        });
    }
}

/// Reads a member to its end, which verifies its checksum.
pub fn with_text<T>(
    archive: &mut File,
    member: &zip::Member,
    budget: &CpuBudget<'_>,
    read: impl FnOnce(Utf8Reader<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let mut archive = BufReader::with_capacity(CHUNK_BYTES, archive);
    let mut source = budget.limit(zip::open_unlimited_ratio(&mut archive, member, MEMBER_MOST_BYTES)?);
    // Exports are UTF-8 without a byte order mark.
    let done = read(Utf8Reader::new(&mut source, &[])?)?;
    let mut rest = [0; 1];
    match source.read(&mut rest)? {
        0 => Ok(done),
        _ => Err(ReadError::Malformed(0)),
    }
}
