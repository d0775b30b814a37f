//! Everything of a pilot or a space, from one snapshot of the database.

use std::collections::HashMap;

use super::names::sortable;
use fluglog_accounts::administration::{self, UserDetails};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::spaces::administration::{self as spaces, SpaceDetails};
use fluglog_base::error::Result;
use fluglog_base::id::{Blob, EquipmentId, FlightId, LogId, SpaceId};
use fluglog_store::Snapshot;
use fluglog_topics::documents;
use fluglog_topics::documents::model::StoredDocument;
use fluglog_topics::documents::proofs;
use fluglog_topics::documents::proofs::model::StoredProof;
use fluglog_topics::equipment;
use fluglog_topics::equipment::model::{Kind, Use};
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

/// Everything of a pilot or a space except files, from one snapshot of the database. Flights, logs and uses may be many
/// and are read only when they are written.
pub(crate) struct Everything<'d> {
    data: &'d Snapshot<'d>,
    /// To all equipment.
    access: Access,
    pub of: Whole,
    /// The pilot; `None` for a space, which has no flights.
    viewer: Option<Viewer>,
    pub photo: Option<Blob>,
    /// The pilot's flights from before Fluglog, as numbers.
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

/// Whose everything it is.
pub(crate) enum Whole {
    Pilot(UserDetails),
    Space(SpaceId, SpaceDetails),
}

/// A use of an item, as far as those who share it may know it.
pub(crate) struct NamedUse {
    pub item: EquipmentId,
    /// The pilot's name, or what stands for it.
    pub name: String,
    pub used: Use,
}

/// Start and place of a flight; its files are named after them.
pub(crate) struct Title {
    /// dd.MM.yyyy HH:mm
    pub start: String,
    pub location: String,
}

impl<'d> Everything<'d> {
    /// Everything of a pilot; `now` is in Unix seconds.
    pub fn of_pilot(data: &'d Snapshot<'d>, viewer: Viewer, now: i64) -> Result<Everything<'d>> {
        let pilots = |item| UsePilots::read(data, &viewer, &Access::own(&viewer), item);
        let mut all = Everything::of_gear(
            data,
            Access::own(&viewer),
            Whole::Pilot(administration::details(data, &viewer, now)?),
            documents::all(data, &viewer)?,
            pilots,
        )?;
        for flight in flights::read_all(data, &viewer)? {
            let flight = flight?;
            let title = Title {
                start: flight.start_time,
                location: flight.fields.location,
            };
            all.titles.insert(flight.dpf_id, title);
        }
        all.viewer = Some(viewer);
        all.photo = administration::photo(data, &viewer)?;
        all.prior = prior_flights::of_pilot(data, &viewer)?;
        all.tracks = origin::with_track(data, &viewer)?;
        all.profiles = origin::with_profile(data, &viewer)?;
        all.proofs = proofs::all(data, &viewer)?;
        all.proofs
            .sort_by_key(|(_, document)| std::cmp::Reverse((document.uploaded, document.id)));
        all.images = images::all(data, &viewer)?;
        all.images.sort_by_key(|image| (image.flight, image.place));
        all.feedback = feedback::of(data, &viewer)?;
        all.sources = origin::all(data, &viewer)?;
        all.aliases = imports::aliases(data, &viewer)?;
        Ok(all)
    }

    /// Everything of a space: its equipment and what is recorded of it. Of the members' flights it has what each member
    /// may know, and no id.
    pub fn of_space(data: &'d Snapshot<'d>, space: SpaceId, now: i64) -> Result<Everything<'d>> {
        Everything::of_gear(
            data,
            Access::without_login(space.into()),
            Whole::Space(space, spaces::details(data, space, now)?),
            documents::of_space(data, space)?,
            |item| UsePilots::as_for_all(data, space, item),
        )
    }

    fn of_gear(
        data: &'d Snapshot<'d>,
        access: Access,
        of: Whole,
        mut documents: Vec<StoredDocument>,
        pilots: impl Fn(EquipmentId) -> Result<UsePilots>,
    ) -> Result<Everything<'d>> {
        let mut packs = packs::all(data, &access)?;
        sort_by_name(&mut packs);
        packs.sort_by_key(|pack| pack.item.kind.code());
        let (mut chargings, mut readings) = (Vec::new(), Vec::new());
        for item in packs.iter().map(|pack| &pack.item) {
            if item.kind == Kind::Battery {
                let pilots = pilots(item.id)?;
                chargings.push((item.id, chargings_of(data, &access, item.id, &pilots)?));
                readings.push((item.id, readings_of(data, &access, item.id, &pilots)?));
            }
        }
        documents.sort_by_key(|document| std::cmp::Reverse((document.uploaded, document.id)));
        Ok(Everything {
            of,
            packs,
            chargings,
            readings,
            sets: sets::all(data, &access)?,
            jobs: maintenance::all(data, &access)?,
            logs: logs::all(data, &access)?,
            documents,
            viewer: None,
            photo: None,
            prior: Prior::default(),
            titles: HashMap::new(),
            tracks: Vec::new(),
            profiles: Vec::new(),
            proofs: Vec::new(),
            images: Vec::new(),
            feedback: Vec::new(),
            sources: Vec::new(),
            aliases: Vec::new(),
            data,
            access,
        })
    }

    /// The flights, latest start first.
    pub fn flights(&self) -> Result<impl Iterator<Item = Result<Flight>>> {
        let viewer = self.viewer.as_ref();
        let flights = viewer.map(|viewer| flights::read_all(self.data, viewer));
        Ok(flights.transpose()?.into_iter().flatten())
    }

    /// The uses of a space's items, each item's latest first, with the name of the pilot as all may know it.
    pub(crate) fn uses(&self) -> impl Iterator<Item = Result<NamedUse>> {
        self.packs.iter().flat_map(|pack| match self.uses_of(pack.item.id) {
            Ok(uses) => uses.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    fn uses_of(&self, item: EquipmentId) -> Result<Vec<NamedUse>> {
        let Whole::Space(space, _) = &self.of else {
            return Ok(Vec::new());
        };
        let pilots = UsePilots::as_for_all(self.data, *space, item)?;
        let mut uses = equipment::uses_of(self.data, self.access.owner(), item)?;
        uses.sort_by_key(|used| std::cmp::Reverse((used.start, used.flight)));
        let named = uses.into_iter().map(|used| NamedUse {
            item,
            name: pilots.name(used.flight).unwrap_or_default(),
            used,
        });
        Ok(named.collect())
    }

    /// The logs, latest time first.
    pub fn logs(&self) -> impl Iterator<Item = Result<StoredLog>> {
        let logs = self.logs.iter();
        logs.map(|log| logs::stored(self.data, &self.access, *log))
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
    access: &Access,
    battery: EquipmentId,
    pilots: &UsePilots,
) -> Result<Vec<StoredReading>> {
    let mut readings = readings::of(data, access, battery)?;
    for reading in &mut readings {
        reading.id = pilots.reading_id(reading.id);
    }
    Ok(readings)
}

/// The chargings of a battery, without those of other pilots' flights.
fn chargings_of(
    data: &Snapshot<'_>,
    access: &Access,
    battery: EquipmentId,
    pilots: &UsePilots,
) -> Result<Vec<StoredCharging>> {
    let mut chargings = charging::of(data, access, battery)?;
    chargings.retain(|charging| charging.flight.is_none_or(|flight| pilots.is_own(flight)));
    Ok(chargings)
}

impl Title {
    /// The title in the form of a file name.
    pub fn of_file(&self) -> String {
        format!("{} {}", sortable(&self.start), self.location).trim().to_owned()
    }
}
