//! Everything of a user, from one snapshot of the database.

use std::collections::HashMap;

use super::names::sortable;
use fluglog_accounts::administration::{self, UserDetails};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_base::error::Result;
use fluglog_base::id::{Blob, EquipmentId, FlightId, LogId};
use fluglog_store::Snapshot;
use fluglog_topics::documents;
use fluglog_topics::documents::model::StoredDocument;
use fluglog_topics::documents::proofs;
use fluglog_topics::documents::proofs::model::StoredProof;
use fluglog_topics::equipment::model::Kind;
use fluglog_topics::equipment::prior::Prior;
use fluglog_topics::equipment::prior_flights;
use fluglog_topics::feedback::{self, FeedbackEntry};
use fluglog_topics::flights;
use fluglog_topics::flights::images;
use fluglog_topics::flights::images::model::StoredImage;
use fluglog_topics::flights::model::Flight;
use fluglog_topics::flights::origin;
use fluglog_topics::flights::origin::model::Source;
use fluglog_topics::imports;
use fluglog_topics::logs;
use fluglog_topics::logs::model::StoredLog;
use fluglog_topics::maintenance;
use fluglog_topics::maintenance::model::{Job, Run};
use fluglog_topics::packs::charging;
use fluglog_topics::packs::model::{Pack, sort_by_name};
use fluglog_topics::packs::readings;
use fluglog_topics::packs::records::charging::model::StoredCharging;
use fluglog_topics::packs::records::readings::model::StoredReading;
use fluglog_topics::packs::records::sets::model::StoredSet;
use fluglog_topics::packs::sets;
use fluglog_topics::packs::{self, UsePilots};

/// Everything of a pilot except files, from one snapshot of the database. Flights and logs may be many and are read
/// only when they are written.
pub(crate) struct Everything<'d> {
    data: &'d Snapshot<'d>,
    viewer: Viewer,
    pub user: UserDetails,
    pub photo: Option<Blob>,
    /// What the pilot had flown before Fluglog.
    pub prior: Prior,
    /// Items of every kind.
    pub packs: Vec<Pack>,
    pub chargings: Vec<(EquipmentId, Vec<StoredCharging>)>,
    pub readings: Vec<(EquipmentId, Vec<StoredReading>)>,
    /// Sets of batteries.
    pub sets: Vec<StoredSet>,
    /// Start and place of each flight, by its id on the wire.
    titles: HashMap<String, Title>,
    /// Flights with a track.
    pub tracks: Vec<FlightId>,
    /// Flights with a profile.
    pub profiles: Vec<FlightId>,
    /// Jobs of maintenance, each with its runs.
    pub jobs: Vec<(Job, Vec<Run>)>,
    logs: Vec<LogId>,
    pub documents: Vec<StoredDocument>,
    /// What documents prove, in the order of the documents.
    pub proofs: Vec<(StoredProof, StoredDocument)>,
    pub images: Vec<StoredImage>,
    pub feedback: Vec<FeedbackEntry>,
    pub sources: Vec<(FlightId, Source)>,
    /// Names for items in imported files.
    pub aliases: Vec<(String, EquipmentId)>,
}

/// Start and place of a flight; its files are named after them.
pub(crate) struct Title {
    /// dd.MM.yyyy HH:mm
    pub start: String,
    pub location: String,
}

impl<'d> Everything<'d> {
    pub fn read(data: &'d Snapshot<'d>, viewer: Viewer, now: i64) -> Result<Everything<'d>> {
        let mut packs = packs::all(data, &Access::own(&viewer))?;
        sort_by_name(&mut packs);
        packs.sort_by_key(|pack| pack.item.kind.code());
        let items = packs.iter().map(|pack| &pack.item);
        let batteries = || items.clone().filter(|item| item.kind == Kind::Battery);
        let readings = batteries()
            .map(|item| readings_of(data, &viewer, item.id))
            .collect::<Result<_>>()?;
        let chargings = batteries()
            .map(|item| chargings_of(data, &viewer, item.id))
            .collect::<Result<_>>()?;
        let mut titles = HashMap::new();
        for flight in flights::read_all(data, &viewer)? {
            let flight = flight?;
            let title = Title {
                start: flight.start_time,
                location: flight.fields.location,
            };
            titles.insert(flight.dpf_id, title);
        }
        let mut documents = documents::all(data, &viewer)?;
        documents.sort_by_key(|document| std::cmp::Reverse((document.uploaded, document.id)));
        let mut proofs = proofs::all(data, &viewer)?;
        proofs.sort_by_key(|(_, document)| std::cmp::Reverse((document.uploaded, document.id)));
        let mut images = images::all(data, &viewer)?;
        images.sort_by_key(|image| (image.flight, image.place));
        Ok(Everything {
            user: administration::details(data, &viewer, now)?,
            photo: administration::photo(data, &viewer)?,
            prior: prior_flights::of_pilot(data, &viewer)?,
            packs,
            chargings,
            readings,
            sets: sets::all(data, &Access::own(&viewer))?,
            titles,
            tracks: origin::with_track(data, &viewer)?,
            profiles: origin::with_profile(data, &viewer)?,
            jobs: maintenance::all(data, &Access::own(&viewer))?,
            logs: logs::all(data, &Access::own(&viewer))?,
            documents,
            proofs,
            images,
            feedback: feedback::of(data, &viewer)?,
            sources: origin::all(data, &viewer)?,
            aliases: imports::aliases(data, &viewer)?,
            data,
            viewer,
        })
    }

    /// The flights, latest start first.
    pub fn flights(&self) -> Result<impl Iterator<Item = Result<Flight>>> {
        flights::read_all(self.data, &self.viewer)
    }

    /// The logs, latest time first.
    pub fn logs(&self) -> impl Iterator<Item = Result<StoredLog>> {
        let access = Access::own(&self.viewer);
        self.logs.iter().map(move |log| logs::stored(self.data, &access, *log))
    }

    pub(crate) fn log_count(&self) -> usize {
        self.logs.len()
    }

    pub fn flight_count(&self) -> usize {
        self.titles.len()
    }

    /// Start and place of a flight; both are empty if the flight is unknown.
    pub fn title(&self, flight: FlightId) -> &Title {
        const NONE: &Title = &Title {
            start: String::new(),
            location: String::new(),
        };
        self.titles.get(&flight.to_string()).unwrap_or(NONE)
    }

    pub(crate) fn item_name(&self, id: EquipmentId) -> String {
        let item = self.packs.iter().map(|pack| &pack.item).find(|item| item.id == id);
        item.map(|item| item.details.name.clone()).unwrap_or_default()
    }
}

/// The readings of a battery. One from the file of another pilot's flight doesn't tell the flight's id.
fn readings_of(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    battery: EquipmentId,
) -> Result<(EquipmentId, Vec<StoredReading>)> {
    let access = Access::own(viewer);
    let pilots = UsePilots::read(data, viewer, &access, battery)?;
    let mut readings = readings::of(data, &access, battery)?;
    for reading in &mut readings {
        reading.id = pilots.reading_id(reading.id);
    }
    Ok((battery, readings))
}

/// The chargings of a battery, without those of other pilots' flights from when it was shared.
fn chargings_of(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    battery: EquipmentId,
) -> Result<(EquipmentId, Vec<StoredCharging>)> {
    let access = Access::own(viewer);
    let pilots = UsePilots::read(data, viewer, &access, battery)?;
    let mut chargings = charging::of(data, &access, battery)?;
    chargings.retain(|charging| charging.flight.is_none_or(|flight| pilots.is_own(flight)));
    Ok((battery, chargings))
}

impl Title {
    /// The title in the form of a file name.
    pub fn of_file(&self) -> String {
        format!("{} {}", sortable(&self.start), self.location).trim().to_owned()
    }
}
