//! The acceptance of an import, in one transaction: each choice makes a flight, fills one, finishes the open one, or is skipped. Knows no request.

use std::collections::HashMap;

use super::copies::CopiedFlight;
use super::formats;
use super::model::{Action, Choice, folded};
use super::review::{self, Known};
use super::table::{self, AnswerRecord, FileRecord, FlightRecord, ImportRecord, Tracks};
use crate::accounts::guard::Viewer;
use crate::base::error::{Error, Result};
use crate::base::id::{EquipmentId, FlightId, ImportId};
use crate::base::text;
use crate::base::time::{Clock, WallTime};
use crate::documents::NewFile;
use crate::equipment;
use crate::equipment::model::Kind;
use crate::flights::model::{Configuration, Entries, EntryChanges, StoredFlight};
use crate::flights::origin;
use crate::flights::origin::model::Source;
use crate::flights::{self, NewFlight};
use crate::logs;
use crate::logs::model::{LogEntries, Subject};
use crate::open_flight;
use crate::store::Writer;

/// A typed start may be so much later than now: clocks differ.
const AHEAD_MOST_MINUTES: i64 = 5;

/// The work of one acceptance.
pub(super) struct Acceptance<'a> {
    writer: &'a Writer<'a>,
    viewer: &'a Viewer,
    clock: &'a Clock,
    now: i64,
    record: &'a ImportRecord,
    known: Known<'a>,
    /// Items that were made for copies, by the ids that they have in the other Fluglog.
    made: HashMap<EquipmentId, EquipmentId>,
    tracks: Tracks,
    kept: HashMap<u32, NewFile>,
    pub(super) answer: AnswerRecord,
}

impl<'a> Acceptance<'a> {
    /// The acceptance of choices with this digest. `kept` are the files that become documents, by their place in the import.
    pub(super) fn new(
        writer: &'a Writer<'a>,
        viewer: &'a Viewer,
        clock: &'a Clock,
        (id, record): (ImportId, &'a ImportRecord),
        kept: HashMap<u32, NewFile>,
        choices: u128,
    ) -> Result<Acceptance<'a>> {
        Ok(Acceptance {
            writer,
            viewer,
            clock,
            now: clock.unix_seconds(),
            record,
            known: Known::new(writer, viewer, clock, &table::copies(writer, viewer.user(), id)?)?,
            made: HashMap::new(),
            tracks: table::tracks(writer, viewer.user(), id)?,
            kept,
            answer: AnswerRecord {
                choices,
                created: Vec::new(),
                completed: Vec::new(),
                skipped: 0,
            },
        })
    }

    /// Does what was chosen for one flight.
    pub(super) fn take(&mut self, choice: &Choice) -> Result<()> {
        let wrong = || Error::invalid("choices", text::IMPORT_CHOICES_WRONG);
        let place = self
            .record
            .flights
            .iter()
            .position(|flight| review::key(flight) == choice.key);
        let place = place.ok_or_else(wrong)?;
        let flight = self.record.flights.get(place).ok_or_else(wrong)?;
        let file = self.record.files.get(flight.file as usize).ok_or_else(wrong)?;
        let (digest, part) = self.known.source(flight, file);
        let of_file = origin::of_file(self.writer, self.viewer, digest, part)?;
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
        let (digest, part) = self.known.source(flight, file);
        Source {
            digest,
            part,
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
        let created = match self.known.copy(flight).cloned() {
            Some(copy) => self.create_copy(&copy, copter, &equipments, entries)?,
            None => {
                let configuration = Configuration::of(copter, equipments)?;
                self.learn(flight, &configuration, shift)?;
                let new = NewFlight {
                    id: FlightId::fresh(),
                    configuration,
                };
                flights::add_finished(self.writer, self.viewer, &new, entries)?
            }
        };
        self.answer.created.push(created.id.key());
        Ok(created.id)
    }

    /// Creates a flight of another Fluglog, with its items. Those that aren't there yet are made.
    fn create_copy(
        &mut self,
        copy: &CopiedFlight,
        copter: EquipmentId,
        equipments: &[EquipmentId],
        entries: Entries,
    ) -> Result<StoredFlight> {
        let own_copter = self.own(copter)?;
        self.learn_copy(copy.copter, own_copter)?;
        let mut own = Vec::new();
        for id in equipments {
            own.push(self.own(*id)?);
        }
        let mut weights = HashMap::new();
        for id in copy.items() {
            let own = self.made.get(&id).copied().or(self.known.own(id));
            if let (Some(own), Some(weight)) = (own, copy.weights.get(&id)) {
                weights.insert(own, *weight);
            }
        }
        let new = NewFlight {
            id: FlightId::fresh(),
            configuration: Configuration {
                payloads: copy.payloads.clone(),
                ..Configuration::of(own_copter, own)?
            },
        };
        flights::add_copied(self.writer, self.viewer, &new, entries, &weights)
    }

    /// The pilot's own item behind an id of a choice: itself, or one that is made for an item of another Fluglog.
    fn own(&mut self, id: EquipmentId) -> Result<EquipmentId> {
        if let Some(made) = self.made.get(&id) {
            return Ok(*made);
        }
        let Some(item) = self.known.new_item(id).cloned() else {
            return Ok(id);
        };
        let made = equipment::add_copied(self.writer, self.viewer, item.kind, item.details, item.retirement)?;
        self.made.insert(id, made);
        self.learn_copy(id, made)?;
        Ok(made)
    }

    /// Keeps which item is meant by an id of another Fluglog.
    fn learn_copy(&self, there: EquipmentId, own: EquipmentId) -> Result<()> {
        equipment::find(self.writer, self.viewer, own)?;
        table::put_alias(
            self.writer,
            self.viewer.user(),
            review::COPIED,
            &there.to_string(),
            own,
            0,
        )
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
pub(super) fn files_to_keep(record: &ImportRecord, choices: &[Choice]) -> Vec<u32> {
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
