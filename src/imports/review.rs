//! The view of an import before it is accepted: copters, batteries and places are matched, twins are found. All of it from what is
//! stored now, so that a reload and another device see the same.

use std::collections::HashMap;

use super::copies::{CopiedFlight, CopiedItem, Copies};
use super::fold::metres;
use super::formats::Format;
use super::formats::table::Mapping;
use super::model::{
    Import, ImportColumn, ImportFile, Likeness, OmittedPart, Proposal, SHORT_SECONDS, Shifts, Span, Twin, cells, folded,
};
use super::samples::Point;
use super::table::{self, CopyRecord, FileRecord, FlightRecord, ImportRecord};
use crate::accounts::guard::Viewer;
use crate::base::error::Result;
use crate::base::id::{EquipmentId, FlightId, ImportId};
use crate::base::number;
use crate::base::text;
use crate::base::time::{Clock, WallTime, rfc_3339};
use crate::equipment;
use crate::equipment::model::{Equipment, Item, Kind};
use crate::flights;
use crate::flights::model::{Entries, StoredFlight};
use crate::flights::origin;
use crate::flights::origin::model::Source;
use crate::open_flight;
use crate::store::Snapshot;

/// A flight's place is that of another one that began so near, in m.
const SAME_PLACE_METRES: f64 = 300.0;
/// Higher than this a pilot needs a permission (EU 2019/947, UAS.OPEN.010), m.
const HIGHEST: f64 = 120.0;
/// 2010-01-01: a clock that says less was never set. It may be ahead by some minutes, as what is typed.
const EARLIEST_SECONDS: i64 = 1_262_304_000;
const AHEAD_SECONDS: i64 = 5 * 60;

/// The kind of alias that an id of another Fluglog is.
pub const COPIED: &str = "fluglog";

/// The pilot's flights and items, read once for each look at an import.
pub struct Known<'k> {
    data: &'k Snapshot<'k>,
    viewer: &'k Viewer,
    clock: &'k Clock,
    items: HashMap<EquipmentId, Item>,
    /// The latest start first.
    flights: Vec<StoredFlight>,
    sources: HashMap<FlightId, Source>,
    open: Option<FlightId>,
    /// As the pilot wishes, instead of what was remembered.
    shifts: Shifts,
    copies: Copies,
}

impl<'k> Known<'k> {
    /// Reads it. `copies` are those that the import keeps.
    pub fn new(
        data: &'k Snapshot<'k>,
        viewer: &'k Viewer,
        clock: &'k Clock,
        copies: &[((u32, u32), CopyRecord)],
    ) -> Result<Known<'k>> {
        let items = equipment::all(data, viewer)?;
        let known = |id: EquipmentId| {
            let alias = table::alias(data, viewer.user(), COPIED, &id.to_string())?;
            Ok(alias.map(|alias| EquipmentId::from_key(alias.item)))
        };
        Ok(Known {
            copies: Copies::read(copies, &items, known)?,
            items,
            flights: flights::all(data, viewer)?,
            sources: origin::all(data, viewer)?.into_iter().collect(),
            open: open_flight::of(data, viewer.user())?,
            shifts: Shifts::new(),
            data,
            viewer,
            clock,
        })
    }

    /// The same with the times of files moved.
    #[must_use]
    pub fn shifted(self, shifts: Shifts) -> Known<'k> {
        Known { shifts, ..self }
    }

    /// An import as it is shown.
    pub fn import(
        &self,
        id: Option<ImportId>,
        record: &ImportRecord,
        tracks: &[(u32, Vec<(f64, f64)>)],
    ) -> Result<Import> {
        let mut proposals = Vec::with_capacity(record.flights.len());
        let mut spans = Vec::with_capacity(record.flights.len());
        for (place, flight) in (0..).zip(&record.flights) {
            let (mut proposal, span) = self.proposal(record, flight)?;
            let track = tracks.iter().find(|(of, _)| *of == place);
            proposal.track = track.map_or_else(Vec::new, |(_, points)| {
                points
                    .iter()
                    .map(|(latitude, longitude)| vec![*latitude, *longitude])
                    .collect()
            });
            proposals.push(proposal);
            spans.push(span);
        }
        twins_of_upload(record, &mut proposals, &spans);
        Ok(Import {
            dpf_id: id.map(|id| id.to_string()),
            time: self.clock.wall_time_at(record.time).to_string(),
            files: record.files.iter().map(file).collect(),
            proposals,
            new_items: self.copies.new_items().iter().map(new_item).collect(),
            omitted: record
                .omitted
                .iter()
                .map(|omitted| OmittedPart {
                    file: omitted.file,
                    part: omitted.part.clone(),
                    reason: omitted.reason.clone(),
                })
                .collect(),
        })
    }

    fn proposal(&self, record: &ImportRecord, flight: &FlightRecord) -> Result<(Proposal, Option<Span>)> {
        let file = record.files.get(flight.file as usize).cloned().unwrap_or_default();
        let copy = self.copies.of(flight);
        let shift = self.shift(flight)?;
        let start = self.start(flight, shift);
        let copter = self.copter(flight, start)?;
        let entries = self.entries(flight, &file, start);
        let seconds = seconds(flight.duration);
        let is_short = seconds.is_some_and(|seconds| seconds < SHORT_SECONDS) && copy.is_none();
        let mut hints = hints(flight, start, seconds.filter(|_| is_short), copy.is_some());
        // An item that isn't there yet may be one of the pilot's under another name.
        let own_copter = copter.filter(|copter| self.items.contains_key(copter));
        let span = start.map(|start| self.span(flight, start, shift, own_copter));
        let (twin, unticks) = self.twin(flight, &file, span.as_ref())?;
        if twin.as_ref().is_some_and(|twin| twin.kind == "zone") {
            hints.push(text::IMPORT_OTHER_ZONE.to_owned());
        }
        let open = self.is_open_flight(copy, span.as_ref());
        let proposal = Proposal {
            key: key(flight),
            file: flight.file,
            start_time: start.map(|start| start.to_string()).unwrap_or_default(),
            start_time_file: self.time_of_file(flight, start),
            shift_minutes: i32::try_from(shift).unwrap_or_default(),
            location: entries.location,
            start_latitude: entries.start_latitude,
            start_longitude: entries.start_longitude,
            end_latitude: entries.end_latitude,
            end_longitude: entries.end_longitude,
            flight_time: entries.minutes,
            maximum_altitude: entries.maximum_altitude,
            distance: entries.distance,
            maximum_distance: entries.maximum_distance,
            speed: entries.speed,
            battery_start_voltage: entries.start_voltage,
            battery_end_voltage: entries.end_voltage,
            consumed_capacity: entries.consumed_capacity,
            flight_mode: entries.mode.code().to_string(),
            weather_conditions: entries.weather,
            purpose: entries.purpose,
            notes: entries.notes,
            payloads: copy.map(|copy| copy.payloads.clone()).unwrap_or_default(),
            copter: copter.map(|copter| copter.to_string()),
            copter_name: flight.name.clone(),
            copter_model: flight.model.clone(),
            equipments: self
                .equipments(flight, copter, start)?
                .iter()
                .map(ToString::to_string)
                .collect(),
            ticked: start.is_some() && !is_short && !flight.is_still && !unticks,
            twin,
            open,
            hints,
            track: Vec::new(),
        };
        Ok((proposal, span))
    }

    /// The flight of another Fluglog that this one is a copy of.
    pub fn copy(&self, flight: &FlightRecord) -> Option<&CopiedFlight> {
        self.copies.of(flight)
    }

    /// The item of another Fluglog that isn't there yet, by the id that it has there.
    pub fn new_item(&self, id: EquipmentId) -> Option<&CopiedItem> {
        self.copies.new_items().iter().find(|item| item.id == id)
    }

    /// The pilot's own item behind an id of another Fluglog.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.copies.own(id)
    }

    /// By what a flight is known again: the digest of its file and its place in that, or the id that it has in another Fluglog.
    pub fn source(&self, flight: &FlightRecord, file: &FileRecord) -> (u128, u32) {
        let copy = self.copies.of(flight);
        copy.map_or((file.digest, flight.part), |copy| (copy.id.key(), 0))
    }

    /// The minutes by which the file's time is moved: as wished, else as the clock of this radio or camera was before.
    pub fn shift(&self, flight: &FlightRecord) -> Result<i64> {
        if let Some(shift) = self.shifts.get(&flight.file) {
            return Ok(i64::from(*shift));
        }
        if flight.is_utc || flight.name.is_empty() || self.copies.of(flight).is_some() {
            return Ok(0);
        }
        let alias = table::alias(self.data, self.viewer.user(), "copter", &folded(&flight.name))?;
        Ok(alias.map_or(0, |alias| alias.shift_minutes))
    }

    /// When a flight began on the pilot's clock; nothing when the clock of the file was wrong, or said what ours never says.
    pub fn start(&self, flight: &FlightRecord, shift_minutes: i64) -> Option<WallTime> {
        let seconds = flight.start?.div_euclid(1000);
        let shifted = seconds.checked_add(shift_minutes.checked_mul(60)?)?;
        if shifted < EARLIEST_SECONDS && self.copies.of(flight).is_none() {
            return None;
        }
        let start = match flight.is_utc {
            true => self.clock.wall_time_at(shifted),
            false => WallTime::from_minutes(shifted.div_euclid(60))?,
        };
        let latest = self.clock.wall_time_at(self.clock.unix_seconds() + AHEAD_SECONDS);
        (start <= latest && start.exists_in(self.clock.zone())).then_some(start)
    }

    /// The file's own time, where it says something else.
    fn time_of_file(&self, flight: &FlightRecord, start: Option<WallTime>) -> String {
        match (flight.start, flight.day) {
            (Some(millis), _) if flight.is_utc => {
                let utc = rfc_3339(millis.div_euclid(1000));
                format!("{} UTC", utc.get(11..16).unwrap_or_default())
            }
            (Some(millis), _) => {
                let shown = WallTime::from_minutes(millis.div_euclid(60_000));
                let shown = shown.filter(|shown| Some(*shown) != start);
                shown.map(|shown| shown.to_string()).unwrap_or_default()
            }
            (None, Some(day)) => {
                let minutes = day.checked_mul(24 * 60).and_then(WallTime::from_minutes);
                minutes.map(|time| time.date().to_string()).unwrap_or_default()
            }
            (None, None) => String::new(),
        }
    }

    fn span(&self, flight: &FlightRecord, start: WallTime, shift_minutes: i64, copter: Option<EquipmentId>) -> Span {
        let own = seconds(flight.start);
        let within = own.map_or(0.0, |seconds| seconds.rem_euclid(60.0));
        #[expect(clippy::cast_precision_loss, reason = "minutes of this century fit")]
        let (minutes, shift) = (start.minutes() as f64, shift_minutes as f64);
        Span {
            start: minutes * 60.0 + within,
            utc: own.filter(|_| flight.is_utc).map(|utc| utc + shift * 60.0),
            duration: seconds(flight.duration),
            copter,
        }
    }

    fn span_of_stored(&self, flight: &StoredFlight) -> Span {
        #[expect(clippy::cast_precision_loss, reason = "minutes of this century fit")]
        let start = flight.entries.start.minutes() as f64 * 60.0;
        // To the second where the file is known, and the pilot didn't change the start since.
        let source = self.sources.get(&flight.id);
        let exact = source.and_then(|source| {
            let seconds = source.start?;
            let shown = match source.is_utc {
                true => self.clock.wall_time_at(seconds),
                false => WallTime::from_minutes(seconds.div_euclid(60))?,
            };
            (shown == flight.entries.start).then_some((seconds, source.is_utc))
        });
        #[expect(clippy::cast_precision_loss, reason = "seconds of this century fit")]
        let (within, utc) = exact.map_or((0.0, None), |(seconds, is_utc)| {
            (seconds.rem_euclid(60) as f64, is_utc.then_some(seconds as f64))
        });
        Span {
            start: start + within,
            utc,
            duration: flight.entries.minutes.map(|minutes| minutes * 60.0),
            copter: Some(flight.copter.id),
        }
    }

    /// The stored flight that a proposal is or looks like, and whether it shouldn't be ticked because of that.
    fn twin(&self, flight: &FlightRecord, file: &FileRecord, span: Option<&Span>) -> Result<(Option<Twin>, bool)> {
        let (digest, part) = self.source(flight, file);
        let of_file = origin::of_file(self.data, self.viewer, digest, part)?;
        if let Some((id, source)) = of_file.first() {
            let added = self.clock.wall_time_at(source.added).date();
            return Ok((
                Some(Twin {
                    kind: "digest".to_owned(),
                    dpf_id: Some(id.to_string()),
                    key: None,
                    text: text::import_taken_over(added),
                }),
                true,
            ));
        }
        let twin = |kind: &str, stored: &StoredFlight, text: String| Twin {
            kind: kind.to_owned(),
            dpf_id: Some(stored.id.to_string()),
            key: None,
            text,
        };
        let copy = self.copies.of(flight);
        let own = |stored: &&StoredFlight| copy.is_some_and(|copy| copy.id == stored.id);
        if let Some(stored) = self.flights.iter().find(own) {
            let text = text::import_there_already(stored.entries.start);
            return Ok((Some(twin("time", stored, text)), true));
        }
        let Some(span) = span else { return Ok((None, false)) };
        let finished = || self.flights.iter().filter(|flight| !flight.open);
        let like =
            |wanted: Likeness| finished().find(|stored| span.likeness(&self.span_of_stored(stored)) == Some(wanted));
        if let Some(stored) = like(Likeness::Time) {
            let text = text::import_there_already(stored.entries.start);
            return Ok((Some(twin("time", stored, text)), true));
        }
        if copy.is_some() {
            // Its start is the pilot's own.
            return Ok((None, false));
        }
        if let Some(stored) = like(Likeness::Zone) {
            let text = format!("{}: {}", text::IMPORT_OTHER_ZONE, stored.entries.start);
            // A pilot may fly every hour with equal packs: two flights, if both files know the zone in the same way.
            let unticks = self
                .sources
                .get(&stored.id)
                .is_none_or(|source| source.is_utc != flight.is_utc);
            return Ok((Some(twin("zone", stored, text)), unticks));
        }
        Ok((None, false))
    }

    /// The stored flight that a proposal may complete.
    pub fn twin_of(
        &self,
        flight: &FlightRecord,
        file: &FileRecord,
        start: Option<WallTime>,
        shift_minutes: i64,
    ) -> Result<Option<FlightId>> {
        let copter = self
            .copter(flight, start)?
            .filter(|copter| self.items.contains_key(copter));
        let span = start.map(|start| self.span(flight, start, shift_minutes, copter));
        let (twin, _) = self.twin(flight, file, span.as_ref())?;
        Ok(twin.and_then(|twin| FlightId::parse(&twin.dpf_id?)))
    }

    fn is_open_flight(&self, copy: Option<&CopiedFlight>, span: Option<&Span>) -> bool {
        let open = self.flights.iter().find(|flight| Some(flight.id) == self.open);
        let (Some(open), Some(span), None) = (open, span, copy) else {
            return false;
        };
        if span.copter.is_some_and(|copter| copter != open.copter.id) {
            return false;
        }
        #[expect(clippy::cast_precision_loss, reason = "minutes of this century fit")]
        let begun = open.entries.start.minutes() as f64 * 60.0;
        // A flight that is opened at the field starts soon after.
        (-600.0..=3600.0).contains(&(span.start - begun))
    }

    /// The copter: by serial number, else by what its name meant before, else by name. Of a copy that of the other Fluglog, if it isn't
    /// there yet.
    pub fn copter(&self, flight: &FlightRecord, start: Option<WallTime>) -> Result<Option<EquipmentId>> {
        if let Some(copy) = self.copies.of(flight) {
            return Ok(Some(self.copies.own(copy.copter).unwrap_or(copy.copter)));
        }
        let by_alias = [
            ("serial", &flight.copter_serial),
            ("copter", &flight.name),
            ("copter", &flight.model),
        ];
        self.item(Kind::Copter, &by_alias, &[&flight.name, &flight.model], start)
    }

    fn item(
        &self,
        kind: Kind,
        aliases: &[(&str, &String)],
        names: &[&String],
        start: Option<WallTime>,
    ) -> Result<Option<EquipmentId>> {
        for (word, text) in aliases {
            if text.is_empty() {
                continue;
            }
            let alias = table::alias(self.data, self.viewer.user(), word, &folded(text))?;
            let id = alias.map(|alias| EquipmentId::from_key(alias.item));
            if let Some(id) = id.filter(|id| self.is_usable(*id, kind, start)) {
                return Ok(Some(id));
            }
        }
        for name in names {
            let wanted = folded(name);
            if wanted.is_empty() {
                continue;
            }
            let fits = |item: &&Item| {
                let details = &item.details;
                (folded(&details.name) == wanted || folded(&details.model) == wanted)
                    && self.is_usable(item.id, kind, start)
            };
            let mut found = self.items.values().filter(fits);
            if let (Some(item), None) = (found.next(), found.next()) {
                return Ok(Some(item.id));
            }
        }
        Ok(None)
    }

    /// Whether an item is of a kind, and was in use when a flight began.
    fn is_usable(&self, id: EquipmentId, kind: Kind, start: Option<WallTime>) -> bool {
        self.items.get(&id).is_some_and(|item| {
            let retired = item.retirement.as_ref();
            item.kind == kind && retired.is_none_or(|retired| start.is_some_and(|start| start <= retired.time))
        })
    }

    /// The other items: the battery by serial number or name, else the one of the last flight with this copter if it has as many cells; goggles,
    /// transmitter and camera as then.
    pub fn equipments(
        &self,
        flight: &FlightRecord,
        copter: Option<EquipmentId>,
        start: Option<WallTime>,
    ) -> Result<Vec<EquipmentId>> {
        if let Some(copy) = self.copies.of(flight) {
            let own = copy.equipments.iter().map(|id| self.copies.own(*id).unwrap_or(*id));
            return Ok(own.collect());
        }
        let aliases = [("serial", &flight.battery_serial), ("battery", &flight.battery_name)];
        let battery = self.item(Kind::Battery, &aliases, &[&flight.battery_name], start)?;
        let mut chosen: Vec<EquipmentId> = battery.into_iter().collect();
        let with_copter = || self.flights.iter().filter(|flown| Some(flown.copter.id) == copter);
        let Some(last) = with_copter().next() else {
            return Ok(chosen);
        };
        for part in &last.equipments {
            if part.kind != Kind::Battery && self.is_usable(part.id, part.kind, start) {
                chosen.push(part.id);
            }
        }
        let own_cells = flight.start_volts.and_then(cells);
        if battery.is_none() && own_cells.is_some() {
            let mut packs: Vec<EquipmentId> = Vec::new();
            for flown in with_copter() {
                if flown.entries.start_voltage.and_then(cells) != own_cells {
                    continue;
                }
                for part in flown.equipments.iter().filter(|part| part.kind == Kind::Battery) {
                    if !packs.contains(&part.id) && self.is_usable(part.id, Kind::Battery, start) {
                        packs.push(part.id);
                    }
                }
            }
            // When several would fit, none is proposed.
            if let [pack] = packs.as_slice() {
                chosen.push(*pack);
            }
        }
        Ok(chosen)
    }

    /// The values of a flight, each with as many decimals as our fields have.
    pub fn entries(&self, flight: &FlightRecord, file: &FileRecord, start: Option<WallTime>) -> Entries {
        let start = start.unwrap_or_else(|| WallTime::nearest(0));
        if let Some(copy) = self.copies.of(flight) {
            return Entries {
                start,
                ..copy.entries.clone()
            };
        }
        let mut entries = Entries::starting(start);
        let rounded = |value: Option<f64>, decimals: i32| {
            value.map(|value| {
                let factor = 10_f64.powi(decimals);
                (value * factor).round() / factor + 0.0
            })
        };
        (entries.start_latitude, entries.start_longitude) = degrees(flight.start_point);
        (entries.end_latitude, entries.end_longitude) = degrees(flight.end_point);
        entries.minutes = rounded(seconds(flight.duration).map(|seconds| seconds / 60.0), 1);
        entries.maximum_altitude = rounded(flight.height, 0);
        entries.distance = rounded(flight.distance, 2);
        entries.maximum_distance = rounded(flight.farthest, 0);
        entries.speed = rounded(flight.speed, 1);
        entries.start_voltage = rounded(flight.start_volts, 2);
        entries.end_voltage = rounded(flight.end_volts, 2);
        entries.consumed_capacity = rounded(flight.consumed, 0);
        entries.location = self.location(flight);
        let format = file.format.and_then(Format::from_code).map_or("", Format::title);
        let origin = text::import_origin(&file.name, format);
        entries.notes = match flight.notes.is_empty() {
            true => origin,
            false => format!("{}\n{origin}", flight.notes),
        };
        entries
    }

    /// The place: that of the own flight that began nearest, else as the file has it.
    fn location(&self, flight: &FlightRecord) -> String {
        let Some((latitude, longitude)) = flight.start_point else {
            return flight.location.clone();
        };
        let own = Point { latitude, longitude };
        let near = self.flights.iter().filter(|flown| !flown.entries.location.is_empty());
        let near = near.filter_map(|flown| {
            let (latitude, longitude) = (flown.entries.start_latitude?, flown.entries.start_longitude?);
            Some((metres(own, Point { latitude, longitude }), flown))
        });
        let nearest = near.min_by(|one, other| one.0.total_cmp(&other.0));
        match nearest {
            Some((distance, flown)) if distance <= SAME_PLACE_METRES => flown.entries.location.clone(),
            _ => flight.location.clone(),
        }
    }
}

/// The hints for the pilot. `short` are the seconds of a flight that is short.
fn hints(flight: &FlightRecord, start: Option<WallTime>, short: Option<f64>, is_copy: bool) -> Vec<String> {
    let mut hints = flight.hints.clone();
    if flight.start.is_some() && start.is_none() && !is_copy {
        hints.push(text::IMPORT_WRONG_CLOCK.to_owned());
    }
    if start.is_none() {
        hints.push(text::IMPORT_NEEDS_START.to_owned());
    }
    if let Some(seconds) = short {
        hints.push(text::import_short(seconds));
    }
    if flight.is_still {
        hints.push(text::IMPORT_STILL.to_owned());
    }
    if flight.height.is_some_and(|height| height > HIGHEST) {
        hints.push(text::IMPORT_TOO_HIGH.to_owned());
    }
    hints
}

fn new_item(item: &CopiedItem) -> Equipment {
    let CopiedItem {
        id,
        kind,
        details,
        retirement,
    } = item.clone();
    equipment::unused(id, kind, details, retirement).into()
}

/// Marks proposals of one upload that are the same flight: the one with fewer values isn't ticked.
fn twins_of_upload(record: &ImportRecord, proposals: &mut [Proposal], spans: &[Option<Span>]) {
    let digest_of = |proposal: &Proposal| record.files.get(proposal.file as usize).map(|file| file.digest);
    for later in 0..proposals.len() {
        for earlier in 0..later {
            let (one, other) = (&proposals[earlier], &proposals[later]);
            if one.file == other.file || one.twin.is_some() || other.twin.is_some() {
                continue;
            }
            let part = |proposal: &Proposal| proposal.key.split('-').next_back().map(str::to_owned);
            let same_bytes = digest_of(one) == digest_of(other) && part(one) == part(other);
            let alike = match (&spans[earlier], &spans[later]) {
                (Some(one), Some(other)) => one.likeness(other) == Some(Likeness::Time),
                _ => false,
            };
            if !same_bytes && !alike {
                continue;
            }
            let (poorer, richer) = match values(other) > values(one) {
                true => (earlier, later),
                false => (later, earlier),
            };
            let twin = Twin {
                kind: "upload".to_owned(),
                dpf_id: None,
                key: Some(proposals[richer].key.clone()),
                text: text::import_same_as_in(name_of(record, proposals[richer].file)),
            };
            proposals[poorer].twin = Some(twin);
            proposals[poorer].ticked = false;
        }
    }
}

fn name_of(record: &ImportRecord, file: u32) -> &str {
    record.files.get(file as usize).map_or("", |file| file.name.as_str())
}

/// How many values are known of a proposal.
fn values(proposal: &Proposal) -> usize {
    let numbers = [
        proposal.flight_time,
        proposal.maximum_altitude,
        proposal.distance,
        proposal.maximum_distance,
        proposal.speed,
        proposal.battery_start_voltage,
        proposal.battery_end_voltage,
        proposal.consumed_capacity,
        proposal.start_latitude,
        proposal.end_latitude,
    ];
    numbers.iter().flatten().count() + usize::from(proposal.track.len() > 1)
}

/// The key of a proposal: the places of its file and its part.
#[must_use]
pub fn key(flight: &FlightRecord) -> String {
    format!("{}-{}", flight.file, flight.part)
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of this century fit")]
fn seconds(millis: Option<i64>) -> Option<f64> {
    millis.map(|millis| millis as f64 / 1000.0)
}

fn degrees(point: Option<(f64, f64)>) -> (Option<f64>, Option<f64>) {
    let rounded = |degrees: f64| (degrees * 1e6).round() / 1e6 + 0.0;
    point.map_or((None, None), |(latitude, longitude)| {
        (Some(rounded(latitude)), Some(rounded(longitude)))
    })
}

fn file(record: &FileRecord) -> ImportFile {
    let mapping: Option<Mapping> = serde_json::from_str(&record.mapping).ok();
    let word = |index: usize| {
        let mapping = mapping.as_ref()?;
        let index = u16::try_from(index).ok()?;
        let meaning = mapping.columns.get(&index)?;
        let word = serde_json::to_value(meaning).ok()?.as_str()?.to_owned();
        Some((word, mapping.units.get(&index).cloned().unwrap_or_default()))
    };
    let columns = record.columns.iter().enumerate().map(|(index, column)| {
        let (guess, unit) = word(index).unwrap_or_default();
        ImportColumn {
            name: column.name.clone(),
            examples: column.examples.clone(),
            guess,
            unit,
        }
    });
    let sign = |sign: Option<char>| sign.map(String::from).unwrap_or_default();
    let order = mapping
        .as_ref()
        .and_then(|mapping| serde_json::to_value(mapping.date_order).ok());
    ImportFile {
        name: record.name.clone(),
        size: number::size(record.bytes),
        format: record
            .format
            .and_then(Format::from_code)
            .map_or("", Format::word)
            .to_owned(),
        message: record.message.clone(),
        columns: (!record.columns.is_empty()).then(|| columns.collect()),
        separator: sign(mapping.as_ref().map(|mapping| mapping.separator)),
        decimal: sign(mapping.as_ref().map(|mapping| mapping.decimal)),
        date_order: order
            .as_ref()
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}
