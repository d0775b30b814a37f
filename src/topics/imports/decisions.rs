//! Plans an import: each choice creates a flight, fills one, finishes the open one, or is skipped. Reads from a
//! snapshot, before the transaction that commits the plan. Knows no request.

use std::collections::{HashMap, HashSet};

use super::copies::CopiedItem;
use super::model::{Action, Choice, folded};
use super::review::{self, Known};
use super::table::{self, AliasRecord, FileRecord, FoundFlightRecord, ImportRecord, Profiles, Tracks};
use crate::equipment::model::Kind;
use crate::flights::model::{Configuration, Entries, EntryChanges};
use crate::flights::origin;
use crate::flights::origin::model::{Point, Source};
use fluglog_accounts::guard::Viewer;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, ImportId};
use fluglog_base::text;
use fluglog_base::time::{Clock, WallTime};
use fluglog_readers::formats::Format;
use fluglog_readers::samples::Profile;
use fluglog_store::Snapshot;

/// A typed start may be this much later than now, because clocks differ.
const AHEAD_MOST_MINUTES: i64 = 5;

/// The plan of an import: the outcome of all choices.
pub struct Decisions {
    pub flights: Vec<Decision>,
    pub skipped: u32,
    /// Items of another instance by their ids there: those that exist here, and those that don't yet.
    pub own_items: HashMap<EquipmentId, EquipmentId>,
    pub new_items: HashMap<EquipmentId, CopiedItem>,
}

impl Decisions {
    /// Returns the ids in the source instance of the foreign flights that are created.
    pub fn copies(&self) -> impl Iterator<Item = u128> {
        let copies = self.flights.iter();
        let copies = copies.filter(|decision| matches!(decision.target, Target::Copy { .. }));
        copies.map(|decision| decision.source.digest)
    }
}

/// Outcome of one choice.
pub struct Decision {
    /// Whether a flight of this part of the file existed when the file was uploaded.
    pub was_taken: bool,
    pub source: Source,
    pub target: Target,
    pub entries: Entries,
    /// Names and serial numbers that are learned for items, each with the kind of alias.
    pub aliases: Vec<(&'static str, AliasRecord)>,
    /// Empty when the file has no track.
    pub track: Vec<Point>,
    /// Empty when the file has no profile.
    pub profile: Profile,
    /// Index of the file that becomes a document of the flight.
    pub kept_file: Option<u32>,
}

/// Flight that a choice writes.
pub enum Target {
    /// An existing flight, and whether this finishes it.
    Fill(FlightId, bool),
    Create(Configuration),
    /// A flight of another Fluglog instance. Items that don't exist here yet have their ids in that instance.
    Copy {
        /// Id in the source instance.
        copter: EquipmentId,
        configuration: Configuration,
        /// Weights in g, with the item's id in the source instance and, if it exists, the own one.
        weights: Vec<(EquipmentId, Option<EquipmentId>, Option<f64>)>,
    },
}

/// Plans all choices of flights. `more` are further items of the exports that are imported with them.
///
/// # Errors
/// [`Error::Invalid`] for wrong choices, no copter or no start; [`Error::NotFound`] for an item of someone else.
pub fn decide(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    clock: &Clock,
    (id, record): (ImportId, &ImportRecord),
    choices: &[Choice],
    more: &[CopiedItem],
) -> Result<Decisions> {
    let known = Known::new(data, viewer, clock, &table::copies(data, viewer.user(), id)?, more)?;
    let mut deciding = Deciding {
        open: known.open_flight(),
        known,
        data,
        viewer,
        clock,
        record,
        tracks: table::tracks(data, viewer.user(), id)?,
        profiles: table::profiles(data, viewer.user(), id)?,
        parts: HashSet::new(),
    };
    let mut flights = Vec::new();
    let mut skipped = 0;
    for choice in choices {
        match deciding.flight(choice)? {
            Some(decision) => flights.push(decision),
            None => skipped += 1,
        }
    }
    let (own_items, new_items) = deciding.known.into_items();
    Ok(Decisions {
        flights,
        skipped,
        own_items,
        new_items,
    })
}

struct Deciding<'a> {
    known: Known<'a>,
    data: &'a Snapshot<'a>,
    viewer: &'a Viewer,
    clock: &'a Clock,
    record: &'a ImportRecord,
    tracks: Tracks,
    profiles: Profiles,
    /// The open flight, until a choice finishes it.
    open: Option<FlightId>,
    /// Parts of files that became flights by earlier choices.
    parts: HashSet<(u128, u32)>,
}

impl Deciding<'_> {
    /// Plans one choice; `None` when its flight is skipped.
    fn flight(&mut self, choice: &Choice) -> Result<Option<Decision>> {
        let wrong = || Error::invalid("choices", text::IMPORT_CHOICES_WRONG);
        let place = self
            .record
            .flights
            .iter()
            .position(|flight| review::key(flight) == choice.key);
        let place = place.ok_or_else(wrong)?;
        let flight = self.record.flights.get(place).ok_or_else(wrong)?;
        let file = self.record.files.get(flight.file as usize).ok_or_else(wrong)?;
        let part = self.known.source(flight, file);
        let is_there = !origin::of_file(self.data, self.viewer, part.0, part.1)?.is_empty();
        // Another import has brought the same file meanwhile, which the pilot couldn't know.
        let is_late = !flight.was_taken && (is_there || self.parts.contains(&part));
        if choice.action == Action::Skip || is_late {
            return Ok(None);
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
        let filled = self.filled(choice, flight, file, start, shift)?;
        // An existing flight keeps its own start.
        let needed = || Error::invalid("startTime", text::IMPORT_NEEDS_START);
        let start = match filled {
            None => start.ok_or_else(needed)?,
            Some(_) => start.unwrap_or_else(|| WallTime::from_minutes_clamped(0)),
        };
        let items = self.items(choice, flight, start)?;
        let entries = self.entries(choice, flight, file, start, &items)?;
        let (target, aliases) = match filled {
            Some(id) => (Target::Fill(id, choice.action == Action::Finish), Vec::new()),
            None => self.created(choice, flight, shift, start)?,
        };
        self.parts.insert(part);
        let source = self.source(flight, file, shift);
        let track = self.tracks.iter_mut().find(|(of, _)| *of as usize == place);
        let profile = self.profiles.iter_mut().find(|(of, _)| *of as usize == place);
        let mut profile = profile.map(|(_, profile)| std::mem::take(profile)).unwrap_or_default();
        if self.known.odd_voltages(flight, &items).is_some() {
            profile.remove_voltage();
        }
        Ok(Some(Decision {
            was_taken: flight.was_taken,
            source,
            target,
            entries,
            aliases,
            track: track.map(|(_, track)| std::mem::take(track)).unwrap_or_default(),
            profile,
            kept_file: choice.keep_file.then_some(flight.file),
        }))
    }

    /// Returns which part of which file a flight is made of.
    fn source(&self, flight: &FoundFlightRecord, file: &FileRecord, shift: i64) -> Source {
        let (digest, part) = self.known.source(flight, file);
        Source {
            digest,
            part,
            format: file
                .format
                .and_then(Format::from_code)
                .map_or("", Format::wire_name)
                .to_owned(),
            file: file.name.clone(),
            start: flight.start.map(|millis| millis.div_euclid(1000) + shift * 60),
            is_utc: flight.is_utc,
            added: self.clock.unix_seconds(),
        }
    }

    /// Returns the existing flight that a choice completes; `None` when it creates one.
    fn filled(
        &mut self,
        choice: &Choice,
        flight: &FoundFlightRecord,
        file: &FileRecord,
        start: Option<WallTime>,
        shift: i64,
    ) -> Result<Option<FlightId>> {
        match choice.action {
            Action::Create | Action::Skip => Ok(None),
            Action::Finish => {
                let open = self.open.take().map(Some);
                open.ok_or_else(|| Error::invalid("choices", text::IMPORT_NO_OPEN_FLIGHT))
            }
            Action::Fill => {
                let twin = self.known.twin_of(flight, file, start, shift)?;
                twin.map(Some)
                    .ok_or_else(|| Error::invalid("choices", text::IMPORT_NO_DUPLICATE))
            }
        }
    }

    fn typed_start(&self, typed: &str) -> Result<WallTime> {
        let refused = |sentence| Error::invalid("startTime", sentence);
        if typed.trim().is_empty() {
            return Err(refused(text::IMPORT_NEEDS_START));
        }
        let start = WallTime::parse(typed.trim()).map_err(|_| refused(text::BAD_TIME))?;
        if !start.exists_in(self.clock.zone()) {
            return Err(refused(text::TIME_LEFT_OUT));
        }
        match start.minutes() - self.clock.now().minutes() > AHEAD_MOST_MINUTES {
            true => Err(refused(text::START_TIME_IN_FUTURE)),
            false => Ok(start),
        }
    }

    /// Returns the items other than the copter that a flight was flown with.
    fn items(&self, choice: &Choice, flight: &FoundFlightRecord, start: WallTime) -> Result<Vec<EquipmentId>> {
        if let Some(ids) = &choice.equipments {
            return Ok(ids.iter().filter_map(|id| EquipmentId::parse(id)).collect());
        }
        let chosen = choice.copter.as_deref().and_then(EquipmentId::parse);
        let copter = chosen.map_or_else(|| self.known.copter(flight, Some(start)), |copter| Ok(Some(copter)))?;
        self.known.equipments(flight, copter, Some(start))
    }

    fn entries(
        &self,
        choice: &Choice,
        flight: &FoundFlightRecord,
        file: &FileRecord,
        start: WallTime,
        items: &[EquipmentId],
    ) -> Result<Entries> {
        let mut entries = self.known.entries(flight, file, Some(start), items);
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

    /// Returns the flight that a choice creates, and the aliases that it teaches.
    fn created(
        &mut self,
        choice: &Choice,
        flight: &FoundFlightRecord,
        shift: i64,
        start: WallTime,
    ) -> Result<(Target, Vec<(&'static str, AliasRecord)>)> {
        let parsed = |id: &String| EquipmentId::parse(id).ok_or(Error::NotFound);
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
        if let Some(copy) = self.known.copy(flight) {
            let weight = |id: EquipmentId| Some((id, self.known.own(id), *copy.weights.get(&id)?));
            let weights = copy.items().filter_map(weight).collect();
            let configuration = Configuration {
                payloads: copy.payloads.clone(),
                ..configuration
            };
            let copter = copy.copter;
            return Ok((
                Target::Copy {
                    copter,
                    configuration,
                    weights,
                },
                Vec::new(),
            ));
        }
        let aliases = self.aliases(flight, &configuration, shift)?;
        for (kind, alias) in &aliases {
            self.known.learn(kind, alias.clone());
        }
        Ok((Target::Create(configuration), aliases))
    }

    /// Returns the names and serial numbers of a flight with the items that the pilot has just confirmed.
    fn aliases(
        &self,
        flight: &FoundFlightRecord,
        configuration: &Configuration,
        shift: i64,
    ) -> Result<Vec<(&'static str, AliasRecord)>> {
        let copter = configuration.copter;
        self.known.kind(copter)?;
        let shift = if flight.is_utc { 0 } else { shift };
        let mut meant = vec![
            ("serial", &flight.copter_serial, copter, 0),
            ("copter", &flight.name, copter, shift),
        ];
        let mut batteries = Vec::new();
        for id in &configuration.equipments {
            if self.known.kind(*id)? == Kind::Battery {
                batteries.push(*id);
            }
        }
        if let [battery] = batteries.as_slice() {
            meant.push(("serial", &flight.battery_serial, *battery, 0));
            meant.push(("battery", &flight.battery_name, *battery, 0));
        }
        let aliases = meant.into_iter().map(|(kind, text, item, shift_minutes)| {
            let (item, text) = (item.key(), folded(text));
            (
                kind,
                AliasRecord {
                    item,
                    text,
                    shift_minutes,
                },
            )
        });
        Ok(aliases.filter(|(_, alias)| !alias.text.is_empty()).collect())
    }
}

/// Splits off the choices about assets of exports: returns the indexes of the files whose assets are imported, and the
/// choices about flights.
///
/// # Errors
/// [`Error::Invalid`] for another action than `create` and `skip`.
pub(super) fn belongings_chosen(record: &ImportRecord, choices: Vec<Choice>) -> Result<(Vec<u32>, Vec<Choice>)> {
    let mut places = Vec::new();
    let mut rest = Vec::new();
    for choice in choices {
        let mut all = record.belongings.iter();
        match (all.find(|one| review::belongings_key(one) == choice.key), choice.action) {
            (Some(belongings), Action::Create) => places.push(belongings.file),
            (Some(_), Action::Skip) => {}
            (Some(_), _) => return Err(Error::invalid("choices", text::IMPORT_CHOICES_WRONG)),
            (None, _) => rest.push(choice),
        }
    }
    Ok((places, rest))
}

/// Returns the files that are kept as documents: each once, attached to the first of its flights.
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
