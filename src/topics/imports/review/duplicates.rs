//! Duplicates: a flight of a file and a stored one, or flights of two files.

use super::matcher::Matcher;
use super::values::seconds;
use crate::flights::model::StoredFlight;
use crate::imports::logbook::foreign::ForeignFlight;
use crate::imports::model::{Proposal, Similarity, Span, Twin};
use crate::imports::table::{FoundFlightRecord, ImportRecord};
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::text;
use fluglog_base::time::WallTime;

impl Matcher<'_> {
    pub(super) fn span(
        &self,
        flight: &FoundFlightRecord,
        start: WallTime,
        shift_minutes: i64,
        copter: Option<EquipmentId>,
    ) -> Span {
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
        // To the second if the file is known and the pilot hasn't changed the start.
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
            duration: flight.entries.fields.minutes.map(|minutes| minutes * 60.0),
            copter: Some(flight.copter.id),
        }
    }

    /// Returns the span of a stored flight by its instant, whatever clock its pilot saw.
    fn span_in_utc(&self, flight: &StoredFlight) -> Option<Span> {
        #[expect(clippy::cast_precision_loss, reason = "seconds of this century fit")]
        let utc = flight.entries.instants.start?.unix_seconds() as f64;
        Some(Span {
            utc: Some(utc),
            ..self.span_of_stored(flight)
        })
    }

    /// Returns the stored flight that a proposal duplicates or resembles, and whether the proposal is unticked because
    /// of it.
    pub(super) fn find_duplicate(&self, flight: &FoundFlightRecord, span: Option<&Span>) -> Option<(Twin, bool)> {
        let twin = |kind: &str, id: FlightId, text: String| Twin {
            kind: kind.to_owned(),
            dpf_id: Some(id.to_string()),
            key: None,
            text,
        };
        if let Some((id, added)) = self.imported.get(&self.draft.source(flight)) {
            let added = self.clock.wall_time_at(*added).date();
            return Some((twin("digest", *id, text::import_taken_over(added)), true));
        }
        let find_existing = |stored: &StoredFlight| {
            let text = text::import_there_already(stored.entries.start);
            Some((twin("time", stored.id, text), true))
        };
        let foreign = self.foreign.of(flight);
        let own = |stored: &&StoredFlight| foreign.is_some_and(|foreign| foreign.id == stored.id);
        if let Some(stored) = self.flights.iter().find(own) {
            return find_existing(stored);
        }
        let span = span?;
        let finished = || self.flights.iter().filter(|flight| !flight.open);
        let like = |wanted: Similarity| {
            finished().find(|stored| span.similarity(&self.span_of_stored(stored)) == Some(wanted))
        };
        if let Some(stored) = like(Similarity::Time) {
            return find_existing(stored);
        }
        let is_at_once = |stored: &&StoredFlight| {
            let stored = self.span_in_utc(stored).filter(|_| span.utc.is_some());
            stored.is_some_and(|stored| span.similarity(&stored) == Some(Similarity::Time))
        };
        if let Some(stored) = finished().find(is_at_once) {
            return find_existing(stored);
        }
        if foreign.is_some() {
            // A foreign flight has the pilot's own start, so another time zone is no explanation.
            return None;
        }
        let stored = like(Similarity::Zone)?;
        let text = format!("{}: {}", text::IMPORT_OTHER_ZONE, stored.entries.start);
        // Two equal flights a whole hour apart can both be real, if both files know the time zone in the same way.
        let source = self.sources.get(&stored.id);
        let unticks = source.is_none_or(|source| source.is_utc != flight.is_utc);
        Some((twin("zone", stored.id, text), unticks))
    }

    /// Returns the stored flight that a proposal may complete.
    pub(crate) fn duplicate_of(
        &self,
        flight: &FoundFlightRecord,
        start: Option<WallTime>,
        shift_minutes: i64,
    ) -> Option<FlightId> {
        let copter = self.copter(flight, start);
        let copter = copter.filter(|copter| self.items.contains_key(copter));
        let span = start.map(|start| self.span(flight, start, shift_minutes, copter));
        let (twin, _) = self.find_duplicate(flight, span.as_ref())?;
        FlightId::parse(&twin.dpf_id?)
    }

    pub(super) fn is_open_flight(&self, foreign: Option<&ForeignFlight>, span: Option<&Span>) -> bool {
        let open = self.flights.iter().find(|flight| Some(flight.id) == self.open);
        let (Some(open), Some(span), None) = (open, span, foreign) else {
            return false;
        };
        if span.copter.is_some_and(|copter| copter != open.copter.id) {
            return false;
        }
        #[expect(clippy::cast_precision_loss, reason = "minutes of this century fit")]
        let begun = open.entries.start.minutes() as f64 * 60.0;
        let in_utc = self.span_in_utc(open).and_then(|open| Some(span.utc? - open.utc?));
        // A flight that is opened at the field starts soon after.
        (-600.0..=3600.0).contains(&in_utc.unwrap_or(span.start - begun))
    }
}

/// Marks proposals of one upload that are the same flight, and unticks the one with fewer values.
pub(crate) fn mark_duplicates(record: &ImportRecord, proposals: &mut [Proposal], spans: &[Option<Span>]) {
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
                (Some(one), Some(other)) => one.similarity(other) == Some(Similarity::Time),
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

/// Returns how many values of a proposal are known.
fn values(proposal: &Proposal) -> usize {
    let fields = &proposal.fields;
    let numbers = [
        fields.minutes,
        fields.maximum_altitude,
        fields.distance,
        fields.maximum_distance,
        fields.speed,
        fields.start_voltage,
        fields.end_voltage,
        fields.consumed_capacity,
        fields.start_latitude,
        fields.end_latitude,
    ];
    numbers.iter().flatten().count() + usize::from(proposal.track.len() > 1)
}
