//! Flights from files: a pilot drops logs of radios, drones and apps, looks at the flights in them, and takes over those that are wanted.
//! Nothing becomes a flight without that look.

pub mod api;
mod evaluate;
pub mod fold;
pub mod formats;
pub mod model;
mod review;
pub mod samples;
mod table;
mod track;

use std::collections::HashMap;

use crate::accounts::guard::Viewer;
use crate::accounts::operation::{Done, Operation};
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::{Blob, BlobId, EquipmentId, FlightId, ImportId, UserId};
use crate::base::secret::{digest, digest_key};
use crate::base::text;
use crate::base::time::{Clock, WallTime};
use crate::documents::NewFile;
use crate::equipment;
use crate::equipment::model::Kind;
use crate::flights::model::{Configuration, Entries, EntryChanges};
use crate::flights::origin;
use crate::flights::origin::model::Source;
use crate::flights::{self, NewFlight};
use crate::logs;
use crate::logs::model::{LogEntries, Subject};
use crate::open_flight;
use crate::operations::model::Object;
use crate::store::blobs::Unnamed;
use crate::store::findings::Findings;
use crate::store::{Snapshot, Writer};
use crate::web::multipart::Upload;
use evaluate::Evaluated;
use formats::table::Mapping;
use model::{
    Accepted, Action, Choice, EXPIRES_SECONDS, FORGOTTEN_SECONDS, Import, ImportRow, OPEN_MOST, PROPOSALS_MOST, folded,
};
use review::Known;
use samples::{Clock as FileClock, Found, Omitted};
use table::{
    ACCEPTED, AnswerRecord, ColumnRecord, EXPIRED, FileRecord, FlightRecord, ImportRecord, OPEN, OmittedRecord, Tracks,
};

/// Files of one import, members of archives among them.
const FILES_MOST: usize = 200;
/// Columns that can be chosen in one import.
const COLUMNS_MOST: usize = 400;
/// Bytes of texts of flights in one import; its record has room for them.
const TEXTS_MOST_BYTES: usize = 500_000;
/// Parts that were left out, in one import.
const OMITTED_MOST: usize = 200;
/// A typed start may be so much later than now: clocks differ.
const AHEAD_MOST_MINUTES: i64 = 5;

/// Looks through files. They are kept until the import is accepted, discarded, or a week old; without a flight in them nothing is kept.
///
/// # Errors
/// [`Error::WrongKindOfFile`] when no file is of a known format, [`Error::FilesTooLarge`], [`Error::Conflict`] while five imports are open,
/// [`Error::Crowded`] when nobody waits any more, or the disk fails.
pub fn upload(app: &App, operation: Operation, uploads: Vec<Upload>) -> Result<Import> {
    let viewer = operation.viewer();
    check_open(&app.store.read(|data| table::all(data, viewer.user()))?)?;
    let waiting = operation.asker().waiting.clone();
    let known = |headings: &str| known_mapping(app, &viewer, headings);
    let mut record = empty(app.clock.unix_seconds());
    let mut tracks = Vec::new();
    let mut refusal = None;
    let several = uploads.len() > 1;
    for (blob, upload) in (0..).zip(&uploads) {
        let _turn = app.evaluations.take(&waiting)?;
        let bytes = upload.content.bytes();
        if bytes > evaluate::FILE_MOST_BYTES {
            return Err(Error::FilesTooLarge(text::IMPORT_FILE_TOO_LARGE));
        }
        let found = evaluate::evaluate(upload.content.read()?, &upload.name, bytes, &waiting, &known)?;
        for evaluated in found {
            if evaluated.format.is_none() && refusal.is_none() {
                let sentence = Error::WrongKindOfFile(evaluated.message.clone());
                refusal = Some(if several {
                    sentence.of_file(&upload.name)
                } else {
                    sentence
                });
            }
            tracks.extend(add(&mut record, evaluated, blob));
        }
    }
    if record.files.iter().all(|file| file.format.is_none()) {
        return Err(refusal.unwrap_or_else(|| Error::WrongKindOfFile(text::IMPORT_UNKNOWN_FILE.to_owned())));
    }
    let is_empty = record.flights.is_empty() && record.files.iter().all(|file| file.columns.is_empty());
    if is_empty {
        return shown(app, &viewer, None, &record, &[]);
    }
    let mut unnamed = Unnamed::new(&app.blobs);
    for upload in uploads {
        record.blobs.push(unnamed.keep(upload.content)?.into());
    }
    let id = ImportId::fresh();
    unnamed.settle(operation.write(&app.store, move |writer| {
        check_open(&table::all(writer, viewer.user())?)?;
        let mut record = record.clone();
        for flight in &mut record.flights {
            let digest = record.files.get(flight.file as usize).map_or(0, |file| file.digest);
            flight.was_taken = !origin::of_file(writer, &viewer, digest, flight.part)?.is_empty();
        }
        table::put(writer, viewer.user(), id, &record)?;
        put_tracks(writer, &viewer, id, &tracks)?;
        Ok(Done::new(Object::of(id.key()), ()))
    }))?;
    get(app, &viewer, id)
}

/// An import that can be accepted.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has none of this id, or it was accepted; [`Error::Conflict`] when it expired.
pub fn get(app: &App, viewer: &Viewer, id: ImportId) -> Result<Import> {
    let now = app.clock.unix_seconds();
    let (record, tracks) = app.store.read(|data| {
        let record = table::find(data, viewer.user(), id)?;
        check_not_expired(&record, now)?;
        Ok((record, table::tracks(data, viewer.user(), id)?))
    })?;
    match record.state {
        OPEN => shown(app, viewer, Some(id), &record, &tracks),
        _ => Err(Error::NotYours),
    }
}

/// The imports that can be accepted, the newest first.
pub fn list(app: &App, viewer: &Viewer) -> Result<Vec<ImportRow>> {
    let now = app.clock.unix_seconds();
    let mut imports = app.store.read(|data| table::all(data, viewer.user()))?;
    imports.retain(|(_, import)| import.state == OPEN && !is_old(import, now));
    imports.sort_by_key(|(id, import)| std::cmp::Reverse((import.time, *id)));
    let rows = imports.into_iter().map(|(id, import)| ImportRow {
        dpf_id: id.to_string(),
        time: app.clock.wall_time_at(import.time).to_string(),
        flights: u32::try_from(import.flights.len()).unwrap_or(u32::MAX),
        files: import.files.into_iter().map(|file| file.name).collect(),
    });
    Ok(rows.collect())
}

/// Reads a table of an import anew, and keeps the meaning of its columns for tables with the same headings.
///
/// # Errors
/// As [`get`]; [`Error::Invalid`] for a file that is no table, or a mapping that says no date or anything twice.
pub fn map_columns(app: &App, operation: Operation, id: ImportId, place: u32, mapping: &Mapping) -> Result<Import> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let waiting = operation.asker().waiting.clone();
    let file = move |record: &ImportRecord| {
        check_usable(record, now)?;
        let file = record.files.get(place as usize).filter(|file| !file.columns.is_empty());
        file.cloned()
            .ok_or_else(|| Error::invalid("file", text::IMPORT_NO_TABLE))
    };
    let found = app.store.read(|data| table::find(data, viewer.user(), id))?;
    let table_file = file(&found)?;
    if !mapping.is_usable()
        || mapping
            .columns
            .keys()
            .any(|index| usize::from(*index) >= table_file.columns.len())
    {
        return Err(Error::invalid("mapping", text::IMPORT_MAPPING_IMPOSSIBLE));
    }
    let evaluated = {
        let _turn = app.evaluations.take(&waiting)?;
        let blob = blob_of(&found, &table_file)?;
        let (content, _) = app.blobs.read(blob.id)?;
        evaluate::evaluate_as(
            content,
            &table_file.name,
            table_file.bytes,
            table_file.member,
            &waiting,
            mapping,
        )?
    };
    let headings = evaluated
        .layout
        .as_ref()
        .map(formats::table::Layout::headings)
        .unwrap_or_default();
    let json = json_of(mapping);
    let mut part = empty(found.time);
    add(&mut part, evaluated, table_file.blob);
    operation.write(&app.store, move |writer| {
        let mut record = table::find(writer, viewer.user(), id)?;
        file(&record)?;
        let tracks = table::tracks(writer, viewer.user(), id)?;
        table::remove_tracks(writer, viewer.user(), id)?;
        let new_tracks = replace_flights(&mut record, &tracks, place, &part.flights);
        put_tracks(writer, &viewer, id, &new_tracks)?;
        if let (Some(own), Some(read)) = (record.files.get_mut(place as usize), part.files.first()) {
            own.message.clone_from(&read.message);
            own.mapping.clone_from(&json);
        }
        table::put(writer, viewer.user(), id, &record)?;
        table::put_mapping(writer, viewer.user(), &headings, &json)?;
        Ok(Done::new(Object::of(id.key()), ()))
    })?;
    get(app, &viewer, id)
}

/// Puts other flights in the place of those of a file, the oldest first; answers the tracks, which are found by the place of their flight.
fn replace_flights(
    record: &mut ImportRecord,
    tracks: &[(u32, Vec<(f64, f64)>)],
    place: u32,
    flights: &[FlightRecord],
) -> Tracks {
    let mut kept: Vec<(FlightRecord, Vec<(f64, f64)>)> = Vec::new();
    for (at, flight) in (0..).zip(std::mem::take(&mut record.flights)) {
        if flight.file != place {
            let track = tracks.iter().find(|(of, _)| *of == at);
            kept.push((flight, track.map(|(_, track)| track.clone()).unwrap_or_default()));
        }
    }
    for flight in flights.iter().take(PROPOSALS_MOST.saturating_sub(kept.len())) {
        let flight = FlightRecord {
            file: place,
            ..flight.clone()
        };
        kept.push((flight, Vec::new()));
    }
    kept.sort_by_key(|(flight, _)| {
        (
            flight.start.or(flight.day.map(|day| day * 86_400_000)),
            flight.file,
            flight.part,
        )
    });
    let mut new_tracks = Vec::new();
    for (at, (flight, track)) in (0..).zip(kept) {
        record.flights.push(flight);
        if !track.is_empty() {
            new_tracks.push((at, track));
        }
    }
    new_tracks
}

/// Discards an import with its files.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such import.
pub fn discard(app: &App, operation: Operation, id: ImportId) -> Result<()> {
    let viewer = operation.viewer();
    let gone = operation.write(&app.store, move |writer| {
        let record = table::find(writer, viewer.user(), id)?;
        table::remove(writer, viewer.user(), id)?;
        Ok(Done::new(Object::NONE, blob_ids(&record)))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Takes over what the pilot chose, all of it or nothing. Asked again with the same choices, it answers the same.
///
/// # Errors
/// [`Error::NotYours`] for an import or item that isn't the viewer's; [`Error::Invalid`] for wrong choices, no copter or no start;
/// [`Error::Conflict`] when the import expired, or was accepted with other choices; or the disk fails.
pub fn accept(app: &App, operation: Operation, id: ImportId, json: &str) -> Result<Accepted> {
    let viewer = operation.viewer();
    let choices = Choice::read_all(json)?;
    let asked = digest_key(&digest(json)).0;
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    let found = app.store.read(|data| table::find(data, viewer.user(), id))?;
    let mut unnamed = Unnamed::new(&app.blobs);
    let mut kept = HashMap::new();
    if found.state == OPEN && !is_old(&found, now) {
        for place in files_to_keep(&found, &choices) {
            let Some(file) = found.files.get(place as usize) else {
                continue;
            };
            let (content, _) = app.blobs.read(blob_of(&found, file)?.id)?;
            let mut copy = app.blobs.begin()?;
            evaluate::copy(content, file.member, &mut copy)?;
            kept.insert(place, NewFile::keep(&mut unnamed, file.name.clone(), copy)?);
        }
    }
    let (answer, gone) = unnamed.settle(operation.write(&app.store, move |writer| {
        let mut record = table::find(writer, viewer.user(), id)?;
        check_not_expired(&record, now)?;
        if let (ACCEPTED, Some(answer)) = (record.state, &record.answer) {
            return match answer.choices == asked {
                true => Ok(Done::new(Object::of(id.key()), (accepted(answer), Vec::new()))),
                false => Err(Error::Conflict(text::IMPORT_CLOSED)),
            };
        }
        let mut work = Acceptance {
            writer,
            viewer: &viewer,
            clock: &clock,
            now,
            record: &record,
            known: Known::new(writer, &viewer, &clock)?,
            tracks: table::tracks(writer, viewer.user(), id)?,
            kept: kept.clone(),
            answer: AnswerRecord {
                choices: asked,
                created: Vec::new(),
                completed: Vec::new(),
                skipped: 0,
            },
        };
        for choice in &choices {
            work.take(choice)?;
        }
        let answer = work.answer;
        let gone = blob_ids(&record);
        record.state = ACCEPTED;
        record.blobs.clear();
        record.flights.clear();
        record.files.clear();
        record.omitted.clear();
        record.answer = Some(answer.clone());
        table::remove_tracks(writer, viewer.user(), id)?;
        table::put(writer, viewer.user(), id, &record)?;
        Ok(Done::new(Object::of(id.key()), (accepted(&answer), gone)))
    }))?;
    app.blobs.remove_all(gone);
    Ok(answer)
}

/// The outcome of an import that was accepted.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such import.
pub fn outcome(app: &App, viewer: &Viewer, id: ImportId) -> Result<Accepted> {
    let record = app.store.read(|data| table::find(data, viewer.user(), id))?;
    record.answer.as_ref().map(accepted).ok_or(Error::NotYours)
}

/// The work of one acceptance.
struct Acceptance<'a> {
    writer: &'a Writer<'a>,
    viewer: &'a Viewer,
    clock: &'a Clock,
    now: i64,
    record: &'a ImportRecord,
    known: Known<'a>,
    tracks: Tracks,
    kept: HashMap<u32, NewFile>,
    answer: AnswerRecord,
}

impl Acceptance<'_> {
    fn take(&mut self, choice: &Choice) -> Result<()> {
        let wrong = || Error::invalid("choices", text::IMPORT_CHOICES_WRONG);
        let place = self
            .record
            .flights
            .iter()
            .position(|flight| review::key(flight) == choice.key);
        let place = place.ok_or_else(wrong)?;
        let flight = self.record.flights.get(place).ok_or_else(wrong)?;
        let file = self.record.files.get(flight.file as usize).ok_or_else(wrong)?;
        let of_file = origin::of_file(self.writer, self.viewer, file.digest, flight.part)?;
        // The same file was taken over since by another import, which the pilot can't have known.
        let is_late = !flight.was_taken && !of_file.is_empty();
        if choice.action == Action::Skip || is_late {
            self.answer.skipped += 1;
            return Ok(());
        }
        let shift = match choice.shift_minutes {
            Some(shift) => i64::from(shift),
            None => self.known.shift(flight)?,
        };
        let own_start = self.known.start(flight, shift);
        let start = match &choice.start_time {
            Some(typed) => Some(self.typed_start(typed)?),
            None => own_start,
        };
        let target = self.target(choice, flight, file, start, shift)?;
        // A flight that is there has a start of its own.
        let needed = || Error::invalid("startTime", text::IMPORT_NEEDS_START);
        let start = match target {
            None => start.ok_or_else(needed)?,
            Some(_) => start.unwrap_or_else(|| WallTime::nearest(0)),
        };
        let entries = self.entries(choice, flight, file, start)?;
        let id = match target {
            Some(id) => {
                flights::fill(self.writer, self.viewer, id, &entries, choice.action == Action::Finish)?;
                self.answer.completed.push(id.key());
                id
            }
            None => self.create(choice, flight, shift, start, entries)?,
        };
        origin::add(self.writer, self.viewer, id, &self.source(flight, file, shift))?;
        let track = self.tracks.iter().find(|(of, _)| *of as usize == place);
        if let Some((_, track)) = track.filter(|(_, track)| !track.is_empty()) {
            origin::put_track(self.writer, self.viewer, id, track)?;
        }
        if choice.keep_file
            && let Some(kept) = self.kept.remove(&flight.file)
        {
            let entries = LogEntries {
                info: text::IMPORT_ORIGINAL.to_owned(),
                time: self.clock.wall_time_at(self.now),
            };
            logs::attach(self.writer, self.viewer, Subject::Flight(id), entries, kept, self.now)?;
        }
        Ok(())
    }

    /// The part of a file that a flight is made of.
    fn source(&self, flight: &FlightRecord, file: &FileRecord, shift: i64) -> Source {
        let format = file.format.and_then(formats::Format::from_code);
        Source {
            digest: file.digest,
            part: flight.part,
            format: format.map_or("", formats::Format::word).to_owned(),
            file: file.name.clone(),
            start: flight.start.map(|millis| millis.div_euclid(1000) + shift * 60),
            is_utc: flight.is_utc,
            added: self.now,
        }
    }

    /// The flight that a choice completes; none when it makes a new one.
    fn target(
        &self,
        choice: &Choice,
        flight: &FlightRecord,
        file: &FileRecord,
        start: Option<WallTime>,
        shift: i64,
    ) -> Result<Option<FlightId>> {
        match choice.action {
            Action::Create | Action::Skip => Ok(None),
            Action::Finish => {
                let open = open_flight::of(self.writer, self.viewer.user())?;
                open.map(Some)
                    .ok_or_else(|| Error::invalid("choices", text::IMPORT_NO_OPEN_FLIGHT))
            }
            Action::Fill => {
                let twin = self.known.twin_of(flight, file, start, shift)?;
                twin.map(Some)
                    .ok_or_else(|| Error::invalid("choices", text::IMPORT_NO_TWIN))
            }
        }
    }

    fn typed_start(&self, typed: &str) -> Result<WallTime> {
        let refused = |sentence| Error::invalid("startTime", sentence);
        let start = WallTime::parse(typed.trim()).map_err(|_| refused(text::BAD_TIME))?;
        if !start.exists_in(self.clock.zone()) {
            return Err(refused(text::TIME_LEFT_OUT));
        }
        match start.minutes() - self.clock.now().minutes() > AHEAD_MOST_MINUTES {
            true => Err(refused(text::START_TIME_IN_FUTURE)),
            false => Ok(start),
        }
    }

    fn entries(&self, choice: &Choice, flight: &FlightRecord, file: &FileRecord, start: WallTime) -> Result<Entries> {
        let mut entries = self.known.entries(flight, file, Some(start));
        let mut changed = serde_json::Map::new();
        if let Some(location) = &choice.location {
            changed.insert("location".to_owned(), location.clone().into());
        }
        let typed = choice.flight.as_ref().map(|flight| flight.get().to_owned());
        for json in [Some(serde_json::Value::Object(changed).to_string()), typed]
            .into_iter()
            .flatten()
        {
            EntryChanges::of_json(&json, self.clock.zone())?.apply(&mut entries);
        }
        Ok(entries)
    }

    fn create(
        &mut self,
        choice: &Choice,
        flight: &FlightRecord,
        shift: i64,
        start: WallTime,
        entries: Entries,
    ) -> Result<FlightId> {
        let parsed = |id: &String| EquipmentId::parse(id).ok_or(Error::NotYours);
        let copter = match &choice.copter {
            Some(copter) => Some(parsed(copter)?),
            None => self.known.copter(flight, Some(start))?,
        };
        let copter = copter.ok_or_else(|| Error::invalid("copter", text::IMPORT_NEEDS_COPTER))?;
        let equipments = match &choice.equipments {
            Some(ids) => ids.iter().map(parsed).collect::<Result<Vec<_>>>()?,
            None => self.known.equipments(flight, Some(copter), Some(start))?,
        };
        let configuration = Configuration::of(copter, equipments)?;
        self.learn(flight, &configuration, shift)?;
        let new = NewFlight {
            id: FlightId::fresh(),
            configuration,
        };
        let created = flights::add_finished(self.writer, self.viewer, &new, entries)?;
        self.answer.created.push(created.id.key());
        Ok(created.id)
    }

    /// Keeps what the names and serial numbers of a flight mean, as the pilot just confirmed it.
    fn learn(&self, flight: &FlightRecord, configuration: &Configuration, shift: i64) -> Result<()> {
        let learn = |kind: &str, text: &str, item: EquipmentId, shift: i64| match folded(text).as_str() {
            "" => Ok(()),
            folded => table::put_alias(self.writer, self.viewer.user(), kind, folded, item, shift),
        };
        let shift = if flight.is_utc { 0 } else { shift };
        // Someone else's item is refused where the flight is stored.
        equipment::find(self.writer, self.viewer, configuration.copter)?;
        learn("serial", &flight.copter_serial, configuration.copter, 0)?;
        learn("copter", &flight.name, configuration.copter, shift)?;
        let mut batteries = Vec::new();
        for id in &configuration.equipments {
            if equipment::find(self.writer, self.viewer, *id)?.kind == Kind::Battery {
                batteries.push(*id);
            }
        }
        if let [battery] = batteries.as_slice() {
            learn("serial", &flight.battery_serial, *battery, 0)?;
            learn("battery", &flight.battery_name, *battery, 0)?;
        }
        Ok(())
    }
}

/// The files that are kept as documents: each once, with the first of its flights.
fn files_to_keep(record: &ImportRecord, choices: &[Choice]) -> Vec<u32> {
    let mut places: Vec<u32> = Vec::new();
    for choice in choices
        .iter()
        .filter(|choice| choice.keep_file && choice.action != Action::Skip)
    {
        let flight = record.flights.iter().find(|flight| review::key(flight) == choice.key);
        if let Some(flight) = flight.filter(|flight| !places.contains(&flight.file)) {
            places.push(flight.file);
        }
    }
    places
}

/// Removes the files of imports that are a week old, and what is left of older ones, of all pilots.
///
/// # Errors
/// The database fails.
pub fn forget_old(app: &App) -> Result<()> {
    let now = app.clock.unix_seconds();
    let old = move |record: &ImportRecord| {
        (record.state == OPEN && is_old(record, now)) || now - record.time > FORGOTTEN_SECONDS
    };
    let any = app
        .store
        .read(|data| Ok(table::of_everyone(data)?.iter().any(|(.., record)| old(record))))?;
    if !any {
        return Ok(());
    }
    let gone = app.store.write(move |writer| {
        let mut gone = Vec::new();
        for (owner, id, mut record) in table::of_everyone(writer)? {
            if !old(&record) {
                continue;
            }
            gone.extend(blob_ids(&record));
            table::remove(writer, owner, id)?;
            if now - record.time <= FORGOTTEN_SECONDS {
                record = ImportRecord {
                    state: EXPIRED,
                    ..empty(record.time)
                };
                table::put(writer, owner, id, &record)?;
            }
        }
        Ok(gone)
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// The blobs of the viewer's imports.
pub fn blobs(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let imports = table::all(data, viewer.user())?;
    Ok(imports.iter().flat_map(|(_, import)| blob_ids(import)).collect())
}

/// The names and serial numbers that the viewer's items have in files.
pub fn aliases(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<(String, EquipmentId)>> {
    let aliases = table::aliases(data, viewer.user())?.into_iter();
    Ok(aliases
        .map(|alias| (alias.text, EquipmentId::from_key(alias.item)))
        .collect())
}

/// Removes everything of a user who is deleted. The blobs are the caller's to remove, once this is committed.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let gone = blobs(writer, viewer)?;
    table::remove_all(writer, viewer.user())?;
    Ok(gone)
}

/// Reads every record of the imports for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

fn empty(time: i64) -> ImportRecord {
    ImportRecord {
        time,
        state: OPEN,
        blobs: Vec::new(),
        files: Vec::new(),
        flights: Vec::new(),
        omitted: Vec::new(),
        answer: None,
    }
}

fn is_old(record: &ImportRecord, now: i64) -> bool {
    now - record.time > EXPIRES_SECONDS
}

fn check_not_expired(record: &ImportRecord, now: i64) -> Result<()> {
    match record.state == EXPIRED || (record.state == OPEN && is_old(record, now)) {
        true => Err(Error::Conflict(text::IMPORT_EXPIRED)),
        false => Ok(()),
    }
}

fn check_usable(record: &ImportRecord, now: i64) -> Result<()> {
    check_not_expired(record, now)?;
    match record.state {
        OPEN => Ok(()),
        _ => Err(Error::NotYours),
    }
}

fn check_open(imports: &[(ImportId, ImportRecord)]) -> Result<()> {
    let open = imports.iter().filter(|(_, import)| import.state == OPEN).count();
    match open >= OPEN_MOST {
        true => Err(Error::Conflict(text::IMPORT_TOO_MANY_OPEN)),
        false => Ok(()),
    }
}

fn shown(
    app: &App,
    viewer: &Viewer,
    id: Option<ImportId>,
    record: &ImportRecord,
    tracks: &[(u32, Vec<(f64, f64)>)],
) -> Result<Import> {
    app.store
        .read(|data| Known::new(data, viewer, &app.clock)?.import(id, record, tracks))
}

fn accepted(answer: &AnswerRecord) -> Accepted {
    let ids = |keys: &[u128]| keys.iter().map(|key| FlightId::from_key(*key).to_string()).collect();
    Accepted {
        created: ids(&answer.created),
        completed: ids(&answer.completed),
        skipped: answer.skipped,
    }
}

fn blob_ids(record: &ImportRecord) -> Vec<BlobId> {
    record.blobs.iter().map(|blob| BlobId::from_key(blob.id)).collect()
}

fn blob_of(record: &ImportRecord, file: &FileRecord) -> Result<Blob> {
    let blob = record.blobs.get(file.blob as usize);
    let blob = blob.ok_or_else(|| Error::Internal("an import names a missing file".to_owned()))?;
    Ok((*blob).into())
}

fn put_tracks(writer: &Writer<'_>, viewer: &Viewer, id: ImportId, tracks: &[(u32, Vec<(f64, f64)>)]) -> Result<()> {
    tracks
        .iter()
        .try_for_each(|(flight, track)| table::put_track(writer, viewer.user(), id, *flight, track))
}

fn known_mapping(app: &App, viewer: &Viewer, headings: &str) -> Result<Option<Mapping>> {
    let owner: UserId = viewer.user();
    let json = app.store.read(|data| table::mapping(data, owner, headings))?;
    let mapping = json.and_then(|json| serde_json::from_str(&json).ok());
    Ok(mapping.filter(Mapping::is_usable))
}

fn json_of(mapping: &Mapping) -> String {
    serde_json::to_string(mapping).unwrap_or_default()
}

/// Adds what was found in a file to an import, and answers the tracks of its flights.
fn add(record: &mut ImportRecord, evaluated: Evaluated, blob: u32) -> Tracks {
    let mut tracks = Vec::new();
    if record.files.len() == FILES_MOST {
        return tracks;
    }
    let place = u32::try_from(record.files.len()).unwrap_or(u32::MAX);
    let columns_there: usize = record.files.iter().map(|file| file.columns.len()).sum();
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
        columns: columns
            .map(|column| ColumnRecord {
                name: column.name,
                examples: column.examples,
            })
            .collect(),
        mapping: evaluated.mapping.as_ref().map(json_of).unwrap_or_default(),
    };
    let found = evaluated.outcome.found;
    let count = found.len();
    let mut texts: usize = record.flights.iter().map(texts_of).sum();
    for (part, found) in (0..).zip(found) {
        let (flight, track) = flight_record(place, part, found);
        texts += texts_of(&flight);
        if record.flights.len() == PROPOSALS_MOST || texts > TEXTS_MOST_BYTES {
            file.message = format!("Die Datei enthält {count} Flüge; gezeigt werden die ersten {part}.");
            break;
        }
        if !track.is_empty() {
            let at = u32::try_from(record.flights.len()).unwrap_or(u32::MAX);
            tracks.push((at, track));
        }
        record.flights.push(flight);
    }
    for omitted in evaluated.outcome.omitted {
        if record.omitted.len() < OMITTED_MOST {
            record.omitted.push(omitted_record(place, omitted));
        }
    }
    record.files.push(file);
    tracks
}

fn texts_of(flight: &FlightRecord) -> usize {
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
fn flight_record(file: u32, part: u32, found: Found) -> (FlightRecord, Vec<(f64, f64)>) {
    let millis = |seconds: Option<f64>| seconds.map(|seconds| (seconds * 1000.0).round() as i64);
    let pair = |point: samples::Point| (point.latitude, point.longitude);
    let Found { about, figures, .. } = found;
    let record = FlightRecord {
        file,
        part,
        was_taken: false,
        start: millis(found.start),
        day: found.day.map(|day| day as i64),
        is_utc: about.clock == FileClock::Utc,
        duration: millis(found.duration),
        is_still: found.is_still,
        start_point: figures.start_point.map(pair),
        end_point: figures.end_point.map(pair),
        height: figures.height,
        distance: figures.distance,
        farthest: figures.farthest,
        speed: figures.speed,
        start_volts: figures.start_volts,
        end_volts: figures.end_volts,
        consumed: figures.consumed,
        name: about.name,
        model: about.model,
        copter_serial: about.copter_serial,
        battery_serial: about.battery_serial,
        battery_name: about.battery_name,
        location: about.location,
        notes: about.notes,
        hints: about.hints,
    };
    (record, found.track.into_iter().map(pair).collect())
}

fn omitted_record(file: u32, omitted: Omitted) -> OmittedRecord {
    let shown = omitted.from.filter(|_| omitted.clock != FileClock::Unknown);
    let shown = shown.and_then(|seconds| WallTime::from_minutes(seconds.div_euclid(60)));
    OmittedRecord {
        file,
        part: shown.map(|time| time.to_string()).unwrap_or_default(),
        reason: omitted.reason,
    }
}
