//! Review of an import before it is accepted: matches copters, batteries and places, and finds duplicates. Everything
//! is computed from what is stored, so that a reload or another device shows the same.

mod file;
mod items;
mod matcher;
mod start;
mod duplicates;
mod values;

use std::collections::HashSet;

use super::logbook::foreign::{ForeignFlight, ForeignItem};
use super::model::{Belongings, Import, OmittedPart, Proposal, SHORT_SECONDS, Span};
use super::table::{AssetsRecord, FoundFlightRecord};
use crate::equipment;
use crate::equipment::model::Item;
use crate::packs::wire::Equipment;
use duplicates::mark_duplicates;
use file::file;
use fluglog_base::id::ImportId;
use fluglog_base::text;
use fluglog_base::time::WallTime;
pub use matcher::Matcher;
use values::seconds;

/// Greatest height in m without a permission (EU 2019/947, UAS.OPEN.010).
const HIGHEST: f64 = 120.0;

impl Matcher<'_> {
    /// Returns the import for display.
    pub fn import(&self, id: Option<ImportId>) -> Import {
        let record = &self.draft.record;
        let mut proposals = Vec::with_capacity(record.flights.len());
        let mut spans = Vec::with_capacity(record.flights.len());
        for (place, flight) in (0..).zip(&record.flights) {
            let (mut proposal, span) = self.proposal(flight);
            let track = self.draft.tracks.iter().find(|(of, _)| *of == place);
            proposal.track = track.map_or_else(Vec::new, |(_, points)| {
                points
                    .iter()
                    .map(|(latitude, longitude)| vec![*latitude, *longitude])
                    .collect()
            });
            proposals.push(proposal);
            spans.push(span);
        }
        mark_duplicates(record, &mut proposals, &spans);
        let now = self.clock.now();
        let new_items = self.items_to_make(&proposals);
        let shown = |place: u32| record.flights.iter().filter(|flight| flight.file == place).count();
        Import {
            dpf_id: id.map(|id| id.to_string()),
            time: self.clock.wall_time_at(record.time).to_string(),
            files: (0..)
                .zip(&record.files)
                .map(|(place, of)| file(of, shown(place)))
                .collect(),
            proposals,
            new_items: new_items.map(|item| new_item(item, now)).collect(),
            belongings: record.assets.iter().map(belongings).collect(),
            omitted: record
                .omitted
                .iter()
                .map(|omitted| OmittedPart {
                    file: omitted.file,
                    part: omitted.part.clone(),
                    reason: omitted.reason.clone(),
                })
                .collect(),
        }
    }

    /// Returns the new items; of those that the pilot may only see, the ones of flights that are proposed as new.
    fn items_to_make(&self, proposals: &[Proposal]) -> impl Iterator<Item = &ForeignItem> + use<'_> {
        let coming = self.draft.record.flights.iter().zip(proposals);
        let coming = coming.filter(|(_, proposal)| proposal.ticked);
        let coming = coming.filter_map(|(flight, _)| self.foreign.of(flight));
        let needed: HashSet<_> = coming.flat_map(ForeignFlight::items).collect();
        let all = self.foreign.new_items().iter();
        all.filter(move |item| !self.foreign.is_only_seen(item.id) || needed.contains(&item.id))
    }

    fn proposal(&self, flight: &FoundFlightRecord) -> (Proposal, Option<Span>) {
        let files = &self.draft.record.files;
        let file = files.get(flight.file as usize).cloned().unwrap_or_default();
        let foreign = self.foreign.of(flight);
        let shift = self.shift(flight);
        let start = self.start(flight, shift);
        let copter = self.copter(flight, start);
        let equipments = self.equipments(flight, copter, start);
        let entries = self.entries(flight, &file, start, &equipments);
        let seconds = seconds(flight.duration);
        let is_short = seconds.is_some_and(|seconds| seconds < SHORT_SECONDS) && foreign.is_none();
        let is_long = flight.about.hints.iter().any(|hint| hint == text::IMPORT_LONG_FLIGHT);
        let mut hints = hints(flight, start, seconds.filter(|_| is_short), foreign.is_some());
        // A foreign item that doesn't exist here yet may be one of the pilot's under another name.
        let own_copter = copter.filter(|copter| self.items.contains_key(copter));
        let span = start.map(|start| self.span(flight, start, shift, own_copter));
        let (twin, unticks) = self.find_duplicate(flight, span.as_ref()).unzip();
        if foreign.is_none() {
            hints.extend(self.implausible_voltages(flight, &equipments));
        }
        if twin.as_ref().is_some_and(|twin| twin.kind == "zone") {
            hints.push(text::IMPORT_OTHER_ZONE.to_owned());
        }
        let open = self.is_open_flight(foreign, span.as_ref());
        let proposal = Proposal {
            key: key(flight),
            file: flight.file,
            start_time: start.map(|start| start.to_string()).unwrap_or_default(),
            start_time_file: self.time_of_file(flight, start),
            shift_minutes: i32::try_from(shift).unwrap_or_default(),
            fields: entries.fields,
            payloads: foreign.map(|foreign| foreign.payloads.clone()).unwrap_or_default(),
            copter: copter.map(|copter| copter.to_string()),
            copter_name: flight.about.name.clone(),
            copter_model: flight.about.model.clone(),
            equipments: equipments.iter().map(ToString::to_string).collect(),
            unknown_packs: self.unknown_packs(flight, start),
            ticked: start.is_some() && !is_short && !is_long && !flight.is_still && unticks != Some(true),
            twin,
            open,
            hints,
            track: Vec::new(),
        };
        (proposal, span)
    }
}

/// Returns the hints for the pilot. `short` is the duration in seconds of a short flight.
fn hints(flight: &FoundFlightRecord, start: Option<WallTime>, short: Option<f64>, is_foreign: bool) -> Vec<String> {
    let mut hints = flight.about.hints.clone();
    if flight.start.is_some() && start.is_none() && !is_foreign {
        hints.push(text::IMPORT_WRONG_CLOCK.to_owned());
    }
    if start.is_none() {
        hints.push(text::IMPORT_NEEDS_START.to_owned());
    }
    if let Some(seconds) = short {
        hints.push(text::import_short(seconds));
    }
    if flight.is_still {
        hints.push(text::IMPORT_NO_MOVEMENT.to_owned());
    }
    if flight.figures.height.is_some_and(|height| height > HIGHEST) {
        hints.push(text::IMPORT_TOO_HIGH.to_owned());
    }
    hints
}

fn new_item(item: &ForeignItem, now: WallTime) -> Equipment {
    let ForeignItem {
        id,
        kind,
        details,
        profile,
        retirement,
        prior,
    } = item.clone();
    let unused = equipment::unused(id, kind, details, retirement);
    let item = Item {
        profile,
        prior,
        ..unused
    };
    Equipment::new(item.into(), None, now)
}

/// Returns the key of a proposal: the indexes of its file and its part.
#[must_use]
pub fn key(flight: &FoundFlightRecord) -> String {
    format!("{}-{}", flight.file, flight.part)
}

/// Returns the key of the choice about the assets of an export.
#[must_use]
pub(crate) fn assets_key(record: &AssetsRecord) -> String {
    format!("{}-belongings", record.file)
}

fn belongings(record: &AssetsRecord) -> Belongings {
    Belongings {
        key: assets_key(record),
        file: record.file,
        items: record.items,
        chargings: record.chargings,
        readings: record.readings,
        sets: record.sets,
        logs: record.logs,
        documents: record.documents,
        images: record.images,
        jobs: Some(record.jobs).filter(|jobs| *jobs > 0),
        prior: Some(record.prior).filter(|prior| *prior > 0),
        left: record.left,
    }
}
