//! Commits the plan of an import in one transaction, after checking again what may have changed since it was made.
//! Knows no request.

use std::collections::HashMap;

use super::logbook::assets::{Assets, ForeignDocument, ForeignLog, ForeignProof};
use super::logbook::staged::StagedAssets;
use super::model::{Accepted, Moved};
use super::plan::{Plan, PlannedFlight, Target};
use super::table::{self, ACCEPTED, AnswerRecord, AssetsRecord, ImportRecord, OPEN};
use crate::documents::proofs::model::{Page, StoredProof};
use crate::documents::{self, NewFile, proofs};
use crate::equipment;
use crate::equipment::model::landing;
use crate::flights::model::{Configuration, Entries, FlightFields, StoredFlight};
use crate::flights::{self, NewFlight, images, origin};
use crate::logs;
use crate::logs::model::{LogEntries, StoredLog, Subject};
use crate::maintenance;
use crate::maintenance::exchange::ExportedJob;
use crate::packs::records::sets::model::StoredSet;
use crate::packs::{charging, readings, sets};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{BlobId, DocumentId, EquipmentId, FlightId};
use fluglog_base::text;
use fluglog_base::time::{Clock, WallTime};
use fluglog_store::{Snapshot, Writer};

/// Outcome of a commit.
pub(crate) struct Committed {
    pub answer: Accepted,
    /// Blobs that no record references any more; the caller removes them.
    pub unused: Vec<BlobId>,
}

/// Writes the plan. An import that was accepted with the same choices gives its answer again.
///
/// # Errors
/// [`Error::NotFound`] when the import was forgotten; [`Error::Conflict`] when it expired, or was accepted with other
/// choices; or a planned step is no longer possible: a table was mapped again, an item retired, a flight deleted or
/// finished meanwhile.
pub fn commit(writer: &Writer<'_>, viewer: &Viewer, clock: &Clock, plan: &Plan) -> Result<Committed> {
    let record = table::find(writer, viewer.user(), plan.id)?;
    record.check_not_expired(plan.time)?;
    if let (ACCEPTED, Some(answer)) = (record.state, &record.answer) {
        return match answer.choices == plan.choices {
            true => Ok(Committed {
                answer: accepted(writer, viewer, answer, &record.assets)?,
                unused: plan.blobs(),
            }),
            false => Err(Error::Conflict(text::IMPORT_CLOSED)),
        };
    }
    if record.state != OPEN || record != plan.import {
        return Err(Error::invalid("choices", text::IMPORT_CHOICES_WRONG));
    }
    let mut work = Commit {
        writer,
        viewer,
        clock,
        plan,
        created: created_since(writer, viewer, plan)?,
        files: plan.files.clone(),
        answer: AnswerRecord {
            choices: plan.choices,
            created: Vec::new(),
            completed: Vec::new(),
            skipped: plan.skipped,
        },
        unused: record.blob_ids().collect(),
    };
    for flight in &plan.flights {
        work.flight(flight)?;
    }
    let assets = plan.assets.iter().cloned();
    let assets = assets
        .map(|staged| work.import_assets(staged))
        .collect::<Result<Vec<_>>>()?;
    let Commit {
        answer,
        mut unused,
        files,
        ..
    } = work;
    unused.extend(files.values().map(|file| file.blob.id));
    let committed = Committed {
        answer: accepted(writer, viewer, &answer, &assets)?,
        unused,
    };
    let record = ImportRecord {
        state: ACCEPTED,
        answer: Some(answer),
        assets,
        ..ImportRecord::new(record.time)
    };
    table::put(writer, viewer.user(), plan.id, &record)?;
    Ok(committed)
}

/// Returns the outcome of an accepted import, with what its flights are now.
pub fn accepted(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    answer: &AnswerRecord,
    assets: &[AssetsRecord],
) -> Result<Accepted> {
    let flown = answer.created.iter().chain(&answer.completed);
    let flown: Vec<_> = flown.map(|key| FlightId::from_key(*key)).collect();
    let flown = flights::there(data, viewer, &flown)?;
    let total = |value: fn(&FlightFields) -> Option<f64>| {
        let values = flown.iter().filter_map(|flight| value(&flight.entries.fields));
        (values.fold(0.0, |sum, value| sum + value) * 1000.0).round() / 1000.0
    };
    let ids = |keys: &[u128]| keys.iter().map(|key| FlightId::from_key(*key).to_string()).collect();
    let sum = |count: fn(&AssetsRecord) -> u32| assets.iter().map(count).sum();
    Ok(Accepted {
        minutes: total(|fields| fields.minutes),
        distance: total(|fields| fields.distance),
        paths: origin::longest_paths(data, viewer, flown)?,
        created: ids(&answer.created),
        completed: ids(&answer.completed),
        skipped: answer.skipped,
        moved: Moved {
            items: sum(|one| one.items),
            chargings: sum(|one| one.chargings),
            readings: sum(|one| one.readings),
            sets: sum(|one| one.sets),
            logs: sum(|one| one.logs),
            documents: sum(|one| one.documents),
            images: sum(|one| one.images),
            jobs: Some(sum(|one| one.jobs)).filter(|jobs| *jobs > 0),
            prior: Some(sum(|one| one.prior)).filter(|prior| *prior > 0),
            missing: sum(|one| one.missing),
        },
    })
}

struct Commit<'a> {
    writer: &'a Writer<'a>,
    viewer: &'a Viewer,
    clock: &'a Clock,
    plan: &'a Plan,
    /// Items created or found for foreign ones, by their ids in the source instance.
    created: HashMap<EquipmentId, EquipmentId>,
    /// Files of the plan that are no documents yet.
    files: HashMap<u32, NewFile>,
    answer: AnswerRecord,
    unused: Vec<BlobId>,
}

impl Commit<'_> {
    fn flight(&mut self, planned: &PlannedFlight) -> Result<()> {
        let PlannedFlight { source, entries, .. } = planned;
        let of_file = origin::of_file(self.writer, self.viewer, source.digest, source.part)?;
        if !planned.was_taken && !of_file.is_empty() {
            self.answer.skipped += 1;
            return Ok(());
        }
        let id = match &planned.target {
            Target::Fill(id, finishes) => {
                flights::fill(self.writer, self.viewer, *id, entries, *finishes)?;
                self.answer.completed.push(id.key());
                *id
            }
            Target::Create(configuration) => {
                let flight = self.create(configuration.clone(), entries, &HashMap::new())?;
                self.add_resting_voltage(&flight, planned.profile.resting_voltage)?;
                flight.id
            }
            Target::Foreign {
                copter,
                configuration,
                weights,
            } => self.create_foreign(*copter, configuration, weights, entries)?,
        };
        for (kind, alias) in &planned.aliases {
            table::put_alias(self.writer, self.viewer.user(), kind, alias)?;
        }
        origin::add(self.writer, self.viewer, id, source)?;
        if !planned.track.is_empty() {
            origin::put_track(self.writer, self.viewer, id, &planned.track)?;
        }
        if !planned.profile.is_empty() {
            origin::put_profile(self.writer, self.viewer, id, &planned.profile)?;
        }
        if let Some(file) = planned.kept_file.and_then(|place| self.files.remove(&place)) {
            let entries = LogEntries {
                info: text::IMPORT_ORIGINAL.to_owned(),
                time: self.clock.wall_time_at(source.added),
            };
            let access = Access::own(self.viewer);
            logs::attach(
                self.writer,
                &access,
                Subject::Flight(id),
                entries,
                Some(file),
                source.added,
                None,
            )?;
        }
        Ok(())
    }

    /// Records the resting voltage after a flight with one battery as a reading of that battery.
    fn add_resting_voltage(&self, flight: &StoredFlight, rested: Option<i32>) -> Result<()> {
        let mut batteries = flight.batteries();
        // With several batteries the wiring (series or parallel) is unknown.
        let (Some(hundredths), Some(battery), None) = (rested, batteries.next(), batteries.next()) else {
            return Ok(());
        };
        let landing = landing(flight.entries.start, flight.entries.fields.minutes);
        let reading = (flight.id, landing, f64::from(hundredths) / 100.0);
        let access = equipment::access_to(self.writer, self.viewer, battery.id)?;
        readings::add_from_file(self.writer, &access, battery.id, reading)
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
    fn create_foreign(
        &mut self,
        copter: EquipmentId,
        configuration: &Configuration,
        weights: &[(EquipmentId, Option<EquipmentId>, Option<f64>)],
        entries: &Entries,
    ) -> Result<FlightId> {
        let own_copter = self.own(configuration.copter)?;
        self.remember_item(copter, own_copter)?;
        let own = configuration.equipments.iter().map(|id| self.own(*id));
        let own = own.collect::<Result<Vec<_>>>()?;
        let own_weight = |(source_id, own, weight): &(EquipmentId, Option<EquipmentId>, Option<f64>)| {
            Some((self.created.get(source_id).copied().or(*own)?, *weight))
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
        if let Some(created) = self.created.get(&id) {
            return Ok(*created);
        }
        let Some(item) = self.plan.new_items.get(&id).cloned() else {
            return Ok(id);
        };
        let access = Access::own(self.viewer);
        let created = equipment::add_foreign(
            self.writer,
            &access,
            item.kind,
            item.details,
            item.profile,
            item.retirement,
        )?;
        equipment::prior_flights::add_to_item(self.writer, &access, created, &item.prior)?;
        self.created.insert(id, created);
        self.remember_item(id, created)?;
        Ok(created)
    }

    /// Remembers which own item stands for an id of another Fluglog instance.
    fn remember_item(&self, source_id: EquipmentId, own: EquipmentId) -> Result<()> {
        equipment::access_to(self.writer, self.viewer, own)?;
        table::put_foreign_item(self.writer, self.viewer.user(), source_id, own)
    }

    /// Imports the assets of an export (what it holds beside its flights) that don't exist here yet.
    fn import_assets(&mut self, staged: StagedAssets) -> Result<AssetsRecord> {
        let StagedAssets {
            items,
            mut assets,
            mut files,
            mut pictures,
            mut pages,
            missing,
        } = staged;
        let mut imported = AssetsRecord {
            left: assets.left,
            missing,
            ..AssetsRecord::default()
        };
        let is_new = equipment::prior_flights::add_foreign(self.writer, self.viewer, &assets.prior)?;
        imported.prior = u32::from(is_new);
        for item in &items {
            imported.items += u32::from(self.import_item(item.id)?);
        }
        self.import_of_packs(&mut assets, &mut imported)?;
        for log in assets.logs {
            let file = files.remove(&log.id.key());
            imported.logs += u32::from(self.import_log(log, file)?);
        }
        for job in &assets.jobs {
            imported.jobs += u32::from(self.import_job(job)?);
        }
        let links: Vec<_> = assets.documents.iter().flat_map(renewals).collect();
        for document in assets.documents {
            if let Some(file) = files.remove(&document.id.key()) {
                let pages = pages.remove(&document.id).unwrap_or_default();
                imported.documents += u32::from(self.import_document(document, file, pages)?);
            }
        }
        for (new, old) in links {
            proofs::link_foreign(self.writer, self.viewer, new, old)?;
        }
        for image in assets.images {
            let (Some(picture), Some(flight)) = (pictures.remove(&image.id), self.own_flight(image.flight)?) else {
                continue;
            };
            let is_new = images::add_foreign(self.writer, self.viewer, flight, image.id, picture)?;
            imported.images += u32::from(is_new);
            if !is_new {
                self.unused.extend([picture.1.id, picture.2.id]);
            }
        }
        let left = StagedAssets {
            files,
            pictures,
            pages,
            ..StagedAssets::default()
        };
        self.unused.extend(left.blobs());
        Ok(imported)
    }

    /// Imports what was recorded of batteries.
    fn import_of_packs(&self, assets: &mut Assets, imported: &mut AssetsRecord) -> Result<()> {
        let access = Access::own(self.viewer);
        for foreign in std::mem::take(&mut assets.chargings) {
            // The item broke a rule and wasn't imported.
            let Ok(battery) = self.own_item(foreign.battery) else {
                continue;
            };
            let is_new = charging::add_foreign(self.writer, &access, battery, &foreign.charging)?;
            imported.chargings += u32::from(is_new);
        }
        for (battery, reading) in std::mem::take(&mut assets.readings) {
            if let Ok(battery) = self.own_item(battery) {
                let is_new = readings::add_foreign(self.writer, &access, battery, &reading)?;
                imported.readings += u32::from(is_new);
            }
        }
        let mut memberships = sets::Memberships::read(self.writer, &access)?;
        for set in std::mem::take(&mut assets.sets) {
            let members = set.members.iter().flat_map(|member| self.own_item(*member)).collect();
            let is_new = sets::add_foreign(self.writer, &access, &mut memberships, &StoredSet { members, ..set })?;
            imported.sets += u32::from(is_new);
        }
        Ok(())
    }

    /// Imports a job of an item that is here, if the kind of the item allows it; returns whether it is new.
    fn import_job(&self, job: &ExportedJob) -> Result<bool> {
        let Some(item) = job.item().and_then(|source_id| self.own_item(source_id).ok()) else {
            return Ok(false);
        };
        let access = Access::own(self.viewer);
        let kind = equipment::find(self.writer, &access, item)?.kind;
        match job.read((item, kind), |made| self.instant(made)) {
            Some((job, runs)) => maintenance::write::add_foreign(self.writer, &access, &job, &runs),
            None => Ok(false),
        }
    }

    /// Imports an item; returns whether it was created. One that a flight needed is there already.
    fn import_item(&mut self, source_id: EquipmentId) -> Result<bool> {
        if self.created.contains_key(&source_id) {
            return Ok(false);
        }
        match self.plan.own_items.get(&source_id) {
            Some(own) => self.remember_item(source_id, *own).map(|()| false),
            None => self.own(source_id).map(|_| true),
        }
    }

    /// Returns the pilot's own item behind an id of the source instance. What an export tells of an item that is in a
    /// space here is left out.
    fn own_item(&self, source_id: EquipmentId) -> Result<EquipmentId> {
        let created = self.created.get(&source_id);
        let own = created.or_else(|| self.plan.own_items.get(&source_id));
        let own = own.copied().ok_or(Error::NotFound)?;
        match equipment::is_there(self.writer, self.viewer.user().into(), own)? {
            true => Ok(own),
            false => Err(Error::NotFound),
        }
    }

    /// Returns the pilot's own flight behind an id of the source instance.
    fn own_flight(&self, source_id: FlightId) -> Result<Option<FlightId>> {
        let imported = origin::of_file(self.writer, self.viewer, source_id.key(), 0)?;
        match imported.first() {
            Some((flight, _)) => Ok(Some(*flight)),
            None => Ok(flights::is_there(self.writer, self.viewer, source_id)?.then_some(source_id)),
        }
    }

    fn import_log(&mut self, log: ForeignLog, file: Option<NewFile>) -> Result<bool> {
        let blob = file.as_ref().map(|file| file.blob.id);
        let subject = match log.subject {
            Subject::Equipment(source_id) => self.own_item(source_id).ok().map(Subject::Equipment),
            Subject::Flight(source_id) => self.own_flight(source_id)?.map(Subject::Flight),
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
        self.unused.extend(blob.filter(|_| !is_new));
        Ok(is_new)
    }

    /// Imports a document with what it proves; returns whether it is new.
    fn import_document(&mut self, document: ForeignDocument, file: NewFile, pages: Vec<Page>) -> Result<bool> {
        let blob = file.blob.id;
        let of_pages: Vec<_> = pages.iter().map(|page| page.blob.id).collect();
        let about = (document.description, self.instant(document.uploaded));
        let is_new = documents::add_foreign(self.writer, self.viewer, document.id, file, about)?;
        self.unused.extend((!is_new).then_some(blob));
        let is_proof = match document.proof.filter(|_| is_new) {
            Some(ForeignProof { proof, .. }) => {
                proofs::add_foreign(self.writer, self.viewer, StoredProof { pages, ..proof })?
            }
            None => false,
        };
        if !is_proof {
            self.unused.extend(of_pages);
        }
        Ok(is_new)
    }

    /// Returns Unix seconds; the current time if `time` is unknown.
    fn instant(&self, time: Option<WallTime>) -> i64 {
        time.map_or_else(
            || self.clock.unix_seconds(),
            |time| self.clock.instant_of(time).unix_seconds(),
        )
    }
}

/// Returns the proofs that renew others as a document says: each new one with the old one.
fn renewals(document: &ForeignDocument) -> impl Iterator<Item = (DocumentId, DocumentId)> + use<> {
    let id = document.id;
    let (replaces, replaced_by) = document
        .proof
        .as_ref()
        .map_or((None, None), |foreign| (foreign.proof.replaces, foreign.replaced_by));
    let earlier = replaces.map(|old| (id, old));
    earlier.into_iter().chain(replaced_by.map(|new| (new, id)))
}

/// Returns the items that other imports created after this one was planned, by their ids in the source instance. An
/// item with which the pilot may no longer fly is none of them.
fn created_since(writer: &Writer<'_>, viewer: &Viewer, plan: &Plan) -> Result<HashMap<EquipmentId, EquipmentId>> {
    let mut created = HashMap::new();
    for (source_id, item) in &plan.new_items {
        let Some(known) = table::foreign_item(writer, viewer.user(), *source_id)? else {
            continue;
        };
        let own = equipment::find_for(writer, viewer, known);
        if own.is_ok_and(|(access, own)| own.kind == item.kind && access.check(Right::Use).is_ok()) {
            created.insert(*source_id, known);
        }
    }
    Ok(created)
}
