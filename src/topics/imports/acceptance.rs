//! Commits an import in one transaction: writes the planned flights, items, tracks and documents. Knows no request.

use std::collections::HashMap;

use super::belongings::{CopiedDocument, CopiedLog};
use super::carried::Carried;
use super::copies::CopiedItem;
use super::decisions::{Decision, Decisions, Target};
use super::table::{self, AnswerRecord, BelongingsRecord};
use crate::documents::{self, NewFile};
use crate::equipment;
use crate::equipment::model::landing;
use crate::flights::model::{Configuration, Entries, StoredFlight};
use crate::flights::{self, NewFlight, images, origin};
use crate::logs;
use crate::logs::model::{LogEntries, StoredLog, Subject};
use crate::packs::records::sets::model::StoredSet;
use crate::packs::{charging, readings, sets};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, EquipmentId, FlightId};
use fluglog_base::text;
use fluglog_base::time::{Clock, WallTime};
use fluglog_store::Writer;

/// Outcome of a commit.
pub struct Written {
    pub answer: AnswerRecord,
    /// For each export, the numbers of assets that were imported beside its flights.
    pub moved: Vec<BelongingsRecord>,
    /// Blobs that no record references, because another import has brought their owners meanwhile; the caller removes
    /// them.
    pub unneeded: Vec<BlobId>,
}

/// Writes the plan. `choices` is the digest of the choices, `kept` holds the files that become documents by their index
/// in the import, `carried` the assets of each export.
///
/// # Errors
/// A planned step is no longer possible: an item was retired, a flight deleted or finished meanwhile.
pub fn write(
    writer: &Writer<'_>,
    viewer: &Viewer,
    clock: &Clock,
    decisions: &Decisions,
    (kept, carried): (HashMap<u32, NewFile>, Vec<Carried>),
    choices: u128,
) -> Result<Written> {
    let mut work = Acceptance {
        writer,
        viewer,
        clock,
        own_items: &decisions.own_items,
        new_items: &decisions.new_items,
        made: made_since(writer, viewer, &decisions.new_items)?,
        kept,
        answer: AnswerRecord {
            choices,
            created: Vec::new(),
            completed: Vec::new(),
            skipped: decisions.skipped,
        },
        unneeded: Vec::new(),
    };
    for decision in &decisions.flights {
        work.take(decision)?;
    }
    let mut moved = Vec::with_capacity(carried.len());
    for one in carried {
        moved.push(work.take_belongings(one)?);
    }
    let mut unneeded = work.unneeded;
    unneeded.extend(work.kept.values().map(|file| file.blob.id));
    Ok(Written {
        answer: work.answer,
        moved,
        unneeded,
    })
}

struct Acceptance<'a> {
    writer: &'a Writer<'a>,
    viewer: &'a Viewer,
    clock: &'a Clock,
    own_items: &'a HashMap<EquipmentId, EquipmentId>,
    new_items: &'a HashMap<EquipmentId, CopiedItem>,
    /// Items created or found for foreign ones, by their ids in the source instance.
    made: HashMap<EquipmentId, EquipmentId>,
    kept: HashMap<u32, NewFile>,
    answer: AnswerRecord,
    unneeded: Vec<BlobId>,
}

impl Acceptance<'_> {
    fn take(&mut self, decision: &Decision) -> Result<()> {
        let Decision { source, entries, .. } = decision;
        let of_file = origin::of_file(self.writer, self.viewer, source.digest, source.part)?;
        if !decision.was_taken && !of_file.is_empty() {
            self.answer.skipped += 1;
            return Ok(());
        }
        let id = match &decision.target {
            Target::Fill(id, finishes) => {
                flights::fill(self.writer, self.viewer, *id, entries, *finishes)?;
                self.answer.completed.push(id.key());
                *id
            }
            Target::Create(configuration) => {
                let flight = self.create(configuration.clone(), entries, &HashMap::new())?;
                self.take_rested(&flight, decision.profile.resting_voltage)?;
                flight.id
            }
            Target::Copy {
                copter,
                configuration,
                weights,
            } => self.create_copy(*copter, configuration, weights, entries)?,
        };
        for (kind, alias) in &decision.aliases {
            table::put_alias(self.writer, self.viewer.user(), kind, alias)?;
        }
        origin::add(self.writer, self.viewer, id, source)?;
        if !decision.track.is_empty() {
            origin::put_track(self.writer, self.viewer, id, &decision.track)?;
        }
        if !decision.profile.is_empty() {
            origin::put_profile(self.writer, self.viewer, id, &decision.profile)?;
        }
        if let Some(kept) = decision.kept_file.and_then(|place| self.kept.remove(&place)) {
            let entries = LogEntries {
                info: text::IMPORT_ORIGINAL.to_owned(),
                time: self.clock.wall_time_at(source.added),
            };
            let access = Access::own(self.viewer);
            logs::attach(self.writer, &access, Subject::Flight(id), entries, kept, source.added)?;
        }
        Ok(())
    }

    /// Records the resting voltage after a flight with one battery as a reading of that battery.
    fn take_rested(&self, flight: &StoredFlight, rested: Option<i32>) -> Result<()> {
        let mut batteries = flight.batteries();
        // With several batteries the wiring (series or parallel) is unknown.
        let (Some(hundredths), Some(battery), None) = (rested, batteries.next(), batteries.next()) else {
            return Ok(());
        };
        let landing = landing(flight.entries.start, flight.entries.fields.minutes);
        let told = (flight.id, landing, f64::from(hundredths) / 100.0);
        readings::add_from_file(self.writer, &Access::own(self.viewer), battery.id, told)
    }

    fn create(
        &mut self,
        configuration: Configuration,
        entries: &Entries,
        weights: &HashMap<EquipmentId, Option<f64>>,
    ) -> Result<StoredFlight> {
        let new = NewFlight {
            id: FlightId::fresh(),
            configuration,
        };
        let flight = flights::add_foreign(self.writer, self.viewer, &new, entries.clone(), weights)?;
        self.answer.created.push(flight.id.key());
        Ok(flight)
    }

    /// Creates a flight of another Fluglog instance, and those of its items that don't exist here yet.
    fn create_copy(
        &mut self,
        copter: EquipmentId,
        configuration: &Configuration,
        weights: &[(EquipmentId, Option<EquipmentId>, Option<f64>)],
        entries: &Entries,
    ) -> Result<FlightId> {
        let own_copter = self.own(configuration.copter)?;
        self.learn_copy(copter, own_copter)?;
        let own = configuration.equipments.iter().map(|id| self.own(*id));
        let own = own.collect::<Result<Vec<_>>>()?;
        let own_weight = |(there, here, weight): &(EquipmentId, Option<EquipmentId>, Option<f64>)| {
            Some((self.made.get(there).copied().or(*here)?, *weight))
        };
        let weights = weights.iter().filter_map(own_weight).collect();
        let configuration = Configuration {
            payloads: configuration.payloads.clone(),
            ..Configuration::of(own_copter, own)?
        };
        Ok(self.create(configuration, entries, &weights)?.id)
    }

    /// Returns the pilot's own item behind an id of the plan: the item itself, or one created for a foreign item.
    fn own(&mut self, id: EquipmentId) -> Result<EquipmentId> {
        if let Some(made) = self.made.get(&id) {
            return Ok(*made);
        }
        let Some(item) = self.new_items.get(&id).cloned() else {
            return Ok(id);
        };
        let access = Access::own(self.viewer);
        let made = equipment::add_foreign(
            self.writer,
            &access,
            item.kind,
            item.details,
            item.profile,
            item.retirement,
        )?;
        self.made.insert(id, made);
        self.learn_copy(id, made)?;
        Ok(made)
    }

    /// Remembers which own item stands for an id of another Fluglog instance.
    fn learn_copy(&self, there: EquipmentId, own: EquipmentId) -> Result<()> {
        equipment::find(self.writer, &Access::own(self.viewer), own)?;
        table::put_copied_item(self.writer, self.viewer.user(), there, own)
    }

    /// Imports the assets of an export (what it holds beside its flights) that don't exist here yet.
    fn take_belongings(&mut self, carried: Carried) -> Result<BelongingsRecord> {
        let Carried {
            items,
            belongings,
            mut files,
            mut pictures,
            missing,
        } = carried;
        let access = Access::own(self.viewer);
        let mut moved = BelongingsRecord {
            left: belongings.left,
            missing,
            ..BelongingsRecord::default()
        };
        for item in &items {
            moved.items += u32::from(self.take_item(item.id)?);
        }
        for copied in belongings.chargings {
            // The item broke a rule and wasn't imported.
            let Ok(battery) = self.item_here(copied.battery) else {
                continue;
            };
            let is_new = charging::add_foreign(self.writer, &access, battery, &copied.charging)?;
            moved.chargings += u32::from(is_new);
        }
        for (battery, reading) in belongings.readings {
            if let Ok(battery) = self.item_here(battery) {
                let is_new = readings::add_foreign(self.writer, &access, battery, &reading)?;
                moved.readings += u32::from(is_new);
            }
        }
        for set in belongings.sets {
            let members = set.members.iter().flat_map(|member| self.item_here(*member)).collect();
            let is_new = sets::add_foreign(self.writer, &access, &StoredSet { members, ..set })?;
            moved.sets += u32::from(is_new);
        }
        for log in belongings.logs {
            let file = files.remove(&log.id.key());
            moved.logs += u32::from(self.take_log(log, file)?);
        }
        for document in belongings.documents {
            if let Some(file) = files.remove(&document.id.key()) {
                moved.documents += u32::from(self.take_document(document, file)?);
            }
        }
        for image in belongings.images {
            let (Some(picture), Some(flight)) = (pictures.remove(&image.id), self.flight_here(image.flight)?) else {
                continue;
            };
            let is_new = images::add_foreign(self.writer, self.viewer, flight, image.id, picture)?;
            moved.images += u32::from(is_new);
            if !is_new {
                self.unneeded.extend([picture.1.id, picture.2.id]);
            }
        }
        self.unneeded.extend(files.values().map(|file| file.blob.id));
        self.unneeded.extend(
            pictures
                .values()
                .flat_map(|(_, blob, preview): &(_, Blob, Blob)| [blob.id, preview.id]),
        );
        Ok(moved)
    }

    /// Imports an item; returns whether it was created.
    fn take_item(&mut self, there: EquipmentId) -> Result<bool> {
        match self.own_items.get(&there) {
            Some(own) => self.learn_copy(there, *own).map(|()| false),
            None => {
                let was_made = self.made.contains_key(&there);
                self.own(there).map(|_| !was_made)
            }
        }
    }

    /// Returns the pilot's own item behind an id of the source instance.
    fn item_here(&self, there: EquipmentId) -> Result<EquipmentId> {
        let made = self.made.get(&there).or_else(|| self.own_items.get(&there));
        made.copied().ok_or(Error::NotFound)
    }

    /// Returns the pilot's own flight behind an id of the source instance.
    fn flight_here(&self, there: FlightId) -> Result<Option<FlightId>> {
        let copies = origin::of_file(self.writer, self.viewer, there.key(), 0)?;
        match copies.first() {
            Some((flight, _)) => Ok(Some(*flight)),
            None => Ok(flights::is_there(self.writer, self.viewer, there)?.then_some(there)),
        }
    }

    fn take_log(&mut self, log: CopiedLog, file: Option<NewFile>) -> Result<bool> {
        let blob = file.as_ref().map(|file| file.blob.id);
        let subject = match log.subject {
            Subject::Equipment(there) => self.item_here(there).ok().map(Subject::Equipment),
            Subject::Flight(there) => self.flight_here(there)?.map(Subject::Flight),
        };
        let created = self.instant(log.created);
        let is_new = match subject {
            None => false,
            Some(subject) => {
                let stored = StoredLog {
                    id: log.id,
                    subject,
                    entries: log.entries,
                    created,
                    document: None,
                };
                let access = Access::own(self.viewer);
                logs::add_foreign(self.writer, &access, stored, file.map(|file| (file, created)))?
            }
        };
        self.unneeded.extend(blob.filter(|_| !is_new));
        Ok(is_new)
    }

    fn take_document(&mut self, document: CopiedDocument, file: NewFile) -> Result<bool> {
        let blob = file.blob.id;
        let about = (document.description, self.instant(document.uploaded));
        let is_new = documents::add_foreign(self.writer, self.viewer, document.id, file, about)?;
        self.unneeded.extend((!is_new).then_some(blob));
        Ok(is_new)
    }

    /// Returns Unix seconds; the current time if `time` is unknown.
    fn instant(&self, time: Option<WallTime>) -> i64 {
        time.map_or_else(|| self.clock.unix_seconds(), |time| self.clock.instant_of(time))
    }
}

/// Returns the items that other imports created after this one was planned, by their ids in the source instance.
fn made_since(
    writer: &Writer<'_>,
    viewer: &Viewer,
    new_items: &HashMap<EquipmentId, CopiedItem>,
) -> Result<HashMap<EquipmentId, EquipmentId>> {
    let mut made = HashMap::new();
    for (there, item) in new_items {
        let Some(known) = table::copied_item(writer, viewer.user(), *there)? else {
            continue;
        };
        let own = equipment::find(writer, &Access::own(viewer), known);
        if own.is_ok_and(|own| own.kind == item.kind) {
            made.insert(*there, known);
        }
    }
    Ok(made)
}
