//! Decides an import in memory, before the transaction that commits it: each choice creates a flight, fills one,
//! finishes the open one, or is skipped. The files that become documents, and those of assets, are written to disk
//! with the plan.

use std::collections::{HashMap, HashSet};

use super::evaluate;
use super::logbook::existing::ExistingIds;
use super::logbook::foreign::ForeignItem;
use super::logbook::staged::{Archive, Destination, StagedAssets};
use super::model::{Action, Choice, normalized};
use super::review::{self, Matcher};
use super::table::{AliasRecord, FileRecord, FoundFlightRecord, ImportDraft, ImportRecord};
use crate::documents::NewFile;
use crate::equipment::model::Kind;
use crate::flights::model::{Configuration, Entries, EntryChanges};
use crate::flights::origin::model::{Point, Source};
use fluglog_accounts::operation::Operation;
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{BlobId, EquipmentId, FlightId, ImportId};
use fluglog_base::text;
use fluglog_base::time::{Clock, WallTime};
use fluglog_readers::formats::Format;
use fluglog_readers::samples::Profile;

/// A typed start may be this much later than now, because clocks differ.
const MAX_AHEAD_MINUTES: i64 = 5;

/// What an import writes: the outcome of all choices.
pub(crate) struct Plan {
    pub id: ImportId,
    /// Digest of the choices.
    pub choices: u128,
    /// When they arrived, in Unix seconds.
    pub time: i64,
    /// The import as it was when it was planned; nothing else is planned if it was accepted or expired then.
    pub import: ImportRecord,
    pub flights: Vec<PlannedFlight>,
    pub skipped: u32,
    /// Items of another instance by their ids there: those that exist here, and those that don't yet.
    pub own_items: HashMap<EquipmentId, EquipmentId>,
    pub new_items: HashMap<EquipmentId, ForeignItem>,
    /// Files that become documents of their first flight, by their index in the import.
    pub files: HashMap<u32, NewFile>,
    /// Assets of each export that are imported.
    pub assets: Vec<StagedAssets>,
}

impl Plan {
    /// Returns the blobs that were written for it.
    pub fn blobs(&self) -> Vec<BlobId> {
        let files = self.files.values().map(|file| file.blob.id);
        files.chain(self.assets.iter().flat_map(StagedAssets::blobs)).collect()
    }
}

/// What one choice writes.
pub(crate) struct PlannedFlight {
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
    Foreign {
        /// Id in the source instance.
        copter: EquipmentId,
        configuration: Configuration,
        /// Weights in g, with the item's id in the source instance and, if it exists, the own one.
        weights: Vec<(EquipmentId, Option<EquipmentId>, Option<f64>)>,
    },
}

/// Plans all choices, and writes the files to disk that become documents or belong to assets. `choices` come with their
/// digest and the time of the request in Unix seconds.
///
/// # Errors
/// [`Error::Invalid`] for wrong choices, no copter or no start; [`Error::NotFound`] for an item of someone else; an
/// export can't be read any more, the quota is used up, or the disk fails.
pub fn plan(
    app: &App,
    operation: &Operation,
    (id, draft): (ImportId, &ImportDraft),
    (choices, digest, time): (Vec<Choice>, u128, i64),
    destination: &mut Destination<'_>,
) -> Result<Plan> {
    let viewer = operation.viewer();
    let record = &draft.record;
    let mut plan = Plan {
        id,
        choices: digest,
        time,
        import: record.clone(),
        flights: Vec::new(),
        skipped: 0,
        own_items: HashMap::new(),
        new_items: HashMap::new(),
        files: HashMap::new(),
        assets: Vec::new(),
    };
    if record.check_open(time).is_err() {
        return Ok(plan);
    }
    let (exports, choices) = split_asset_choices(record, choices)?;
    let mut turn = match exports.is_empty() {
        true => None,
        false => Some(app.evaluation_permits.acquire_blocking(&operation.requester(), 1)?),
    };
    let mut archives = Vec::new();
    for place in exports {
        let (content, _) = app.blobs.read(record.blob(record.file(place)?)?.id)?;
        archives.push(Archive::open(app, viewer, operation.requester().cancellation, content)?);
    }
    let items: Vec<_> = archives.iter().flat_map(|archive| archive.items.clone()).collect();
    let (matcher, existing) = app.store.read(|data| {
        let existing = match archives.is_empty() {
            true => ExistingIds::default(),
            false => ExistingIds::read(data, &viewer)?,
        };
        Ok((Matcher::new(data, &viewer, &app.clock, draft, &items)?, existing))
    })?;
    let mut planner = Planner {
        open: matcher.open_flight(),
        matcher,
        clock: &app.clock,
        draft,
        parts: HashSet::new(),
    };
    for choice in &choices {
        match planner.flight(choice)? {
            Some(flight) => plan.flights.push(flight),
            None => plan.skipped += 1,
        }
    }
    (plan.own_items, plan.new_items) = planner.matcher.into_items();
    for archive in archives {
        let foreign = plan
            .flights
            .iter()
            .filter(|flight| matches!(flight.target, Target::Foreign { .. }));
        let coming = foreign.map(|flight| flight.source.digest);
        plan.assets
            .push(archive.stage(&existing, coming, destination, &mut turn)?);
    }
    for place in files_to_keep(record, &choices) {
        let file = record.file(place)?;
        destination
            .reserved
            .push(quotas::reserve_more(app, &viewer, file.bytes)?);
        let (content, _) = app.blobs.read(record.blob(file)?.id)?;
        let mut copy = app.blobs.begin()?;
        evaluate::copy(content, file.member, &mut copy)?;
        let kept = NewFile::store(&mut destination.unnamed, file.name.clone(), copy)?;
        plan.files.insert(place, kept);
    }
    Ok(plan)
}

struct Planner<'a> {
    matcher: Matcher<'a>,
    clock: &'a Clock,
    draft: &'a ImportDraft,
    /// The open flight, until a choice finishes it.
    open: Option<FlightId>,
    /// Parts of files that became flights by earlier choices.
    parts: HashSet<(u128, u32)>,
}

impl Planner<'_> {
    /// Plans one choice; `None` when its flight is skipped.
    fn flight(&mut self, choice: &Choice) -> Result<Option<PlannedFlight>> {
        let wrong = || Error::invalid("choices", text::IMPORT_CHOICES_WRONG);
        let found = (0..).zip(&self.draft.record.flights);
        let mut found = found.filter(|(_, flight)| review::key(flight) == choice.key);
        let (place, flight): (u32, _) = found.next().ok_or_else(wrong)?;
        let file = self.draft.record.files.get(flight.file as usize).ok_or_else(wrong)?;
        let part = self.draft.source(flight);
        // Another import has brought the same file meanwhile, which the pilot couldn't know.
        let is_late = !flight.was_taken && (self.matcher.is_imported(part) || self.parts.contains(&part));
        if choice.action == Action::Skip || is_late {
            return Ok(None);
        }
        let remembered = || self.matcher.shift(flight);
        let shift = choice.shift_minutes.map_or_else(remembered, i64::from);
        let start = match &choice.start_time {
            Some(typed) => Some(self.typed_start(typed)?),
            None => self.matcher.start(flight, shift),
        };
        let filled = self.filled(choice, flight, start, shift)?;
        // An existing flight keeps its own start.
        let needed = || Error::invalid("startTime", text::IMPORT_NEEDS_START);
        let start = match filled {
            None => start.ok_or_else(needed)?,
            Some(_) => start.unwrap_or_else(|| WallTime::from_minutes_clamped(0)),
        };
        let items = self.items(choice, flight, start);
        let entries = self.entries(choice, flight, file, start, &items)?;
        let (target, aliases) = match filled {
            Some(id) => (Target::Fill(id, choice.action == Action::Finish), Vec::new()),
            None => self.created(choice, flight, shift, start)?,
        };
        self.parts.insert(part);
        let track = self.draft.tracks.iter().find(|(of, _)| *of == place);
        let profile = self.draft.profiles.iter().find(|(of, _)| *of == place);
        let mut profile = profile.map(|(_, profile)| profile.clone()).unwrap_or_default();
        if self.matcher.implausible_voltages(flight, &items).is_some() {
            profile.remove_voltage();
        }
        Ok(Some(PlannedFlight {
            was_taken: flight.was_taken,
            source: self.source(flight, file, shift),
            target,
            entries,
            aliases,
            track: track.map(|(_, track)| track.clone()).unwrap_or_default(),
            profile,
            kept_file: choice.keep_file.then_some(flight.file),
        }))
    }

    /// Returns which part of which file a flight is made of.
    fn source(&self, flight: &FoundFlightRecord, file: &FileRecord, shift: i64) -> Source {
        let (digest, part) = self.draft.source(flight);
        let format = file.format.and_then(Format::from_code);
        Source {
            digest,
            part,
            format: format.map_or("", Format::wire_name).to_owned(),
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
                let duplicate = self.matcher.duplicate_of(flight, start, shift);
                duplicate
                    .map(Some)
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
        match start.minutes() - self.clock.now().minutes() > MAX_AHEAD_MINUTES {
            true => Err(refused(text::START_TIME_IN_FUTURE)),
            false => Ok(start),
        }
    }

    /// Returns the items other than the copter that a flight was flown with.
    fn items(&self, choice: &Choice, flight: &FoundFlightRecord, start: WallTime) -> Vec<EquipmentId> {
        if let Some(ids) = &choice.equipments {
            return ids.iter().filter_map(|id| EquipmentId::parse(id)).collect();
        }
        let chosen = choice.copter.as_deref().and_then(EquipmentId::parse);
        let copter = chosen.or_else(|| self.matcher.copter(flight, Some(start)));
        self.matcher.equipments(flight, copter, Some(start))
    }

    fn entries(
        &self,
        choice: &Choice,
        flight: &FoundFlightRecord,
        file: &FileRecord,
        start: WallTime,
        items: &[EquipmentId],
    ) -> Result<Entries> {
        let mut entries = self.matcher.entries(flight, file, Some(start), items);
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
            None => self.matcher.copter(flight, Some(start)),
        };
        let copter = copter.ok_or_else(|| Error::invalid("copter", text::IMPORT_NEEDS_COPTER))?;
        let equipments = match &choice.equipments {
            Some(ids) => ids.iter().map(parsed).collect::<Result<Vec<_>>>()?,
            None => self.matcher.equipments(flight, Some(copter), Some(start)),
        };
        let configuration = Configuration::of(copter, equipments)?;
        if let Some(foreign) = self.matcher.foreign(flight) {
            let weight = |id: EquipmentId| Some((id, self.matcher.own(id), *foreign.weights.get(&id)?));
            let target = Target::Foreign {
                copter: foreign.copter,
                weights: foreign.items().filter_map(weight).collect(),
                configuration: Configuration {
                    payloads: foreign.payloads.clone(),
                    ..configuration
                },
            };
            return Ok((target, Vec::new()));
        }
        let aliases = self.aliases(flight, &configuration, shift)?;
        for (kind, alias) in &aliases {
            self.matcher.learn(kind, alias.clone());
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
        self.matcher.kind(copter)?;
        let shift = if flight.is_utc { 0 } else { shift };
        let mut meant = vec![
            ("serial", &flight.about.copter_serial, copter, 0),
            ("copter", &flight.about.name, copter, shift),
        ];
        let mut batteries = Vec::new();
        for id in &configuration.equipments {
            if self.matcher.kind(*id)? == Kind::Battery {
                batteries.push(*id);
            }
        }
        if let [battery] = batteries.as_slice() {
            meant.push(("serial", &flight.about.battery_serial, *battery, 0));
            meant.push(("battery", &flight.about.battery_name, *battery, 0));
        }
        let aliases = meant.into_iter().map(|(kind, text, item, shift_minutes)| {
            let (item, text) = (item.key(), normalized(text));
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
fn split_asset_choices(record: &ImportRecord, choices: Vec<Choice>) -> Result<(Vec<u32>, Vec<Choice>)> {
    let mut exports = Vec::new();
    let mut rest = Vec::new();
    for choice in choices {
        let mut all = record.assets.iter();
        match (all.find(|one| review::assets_key(one) == choice.key), choice.action) {
            (Some(assets), Action::Create) => exports.push(assets.file),
            (Some(_), Action::Skip) => {}
            (Some(_), _) => return Err(Error::invalid("choices", text::IMPORT_CHOICES_WRONG)),
            (None, _) => rest.push(choice),
        }
    }
    Ok((exports, rest))
}

/// Returns the files that are kept as documents: each once, attached to the first of its flights.
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
