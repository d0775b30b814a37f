//! The acceptance of an import, in one transaction: what was decided becomes flights, items, tracks and documents.
//! Knows no request.

use std::collections::HashMap;

use super::copies::CopiedItem;
use super::decisions::{Decision, Decisions, Target};
use super::review;
use super::table::{self, AliasRecord, AnswerRecord};
use crate::accounts::guard::{Access, Viewer};
use crate::base::error::Result;
use crate::base::id::{EquipmentId, FlightId};
use crate::base::text;
use crate::base::time::Clock;
use crate::documents::NewFile;
use crate::equipment;
use crate::flights::model::{Configuration, Entries};
use crate::flights::origin;
use crate::flights::{self, NewFlight};
use crate::logs;
use crate::logs::model::{LogEntries, Subject};
use crate::store::Writer;

/// Writes what was decided. `choices` is the digest of the choices, `kept` the files that become documents, by their
/// place in the import.
///
/// # Errors
/// A decision doesn't hold any more: an item was retired, a flight deleted or finished meanwhile.
pub fn write(
    writer: &Writer<'_>,
    viewer: &Viewer,
    clock: &Clock,
    decisions: &Decisions,
    kept: HashMap<u32, NewFile>,
    choices: u128,
) -> Result<AnswerRecord> {
    let mut work = Acceptance {
        writer,
        viewer,
        clock,
        new_items: &decisions.new_items,
        made: made_since(writer, viewer, &decisions.new_items)?,
        kept,
        answer: AnswerRecord {
            choices,
            created: Vec::new(),
            completed: Vec::new(),
            skipped: decisions.skipped,
        },
    };
    for decision in &decisions.flights {
        work.take(decision)?;
    }
    Ok(work.answer)
}

struct Acceptance<'a> {
    writer: &'a Writer<'a>,
    viewer: &'a Viewer,
    clock: &'a Clock,
    new_items: &'a HashMap<EquipmentId, CopiedItem>,
    /// Items that are there now for copies, by the ids that they have in the other Fluglog.
    made: HashMap<EquipmentId, EquipmentId>,
    kept: HashMap<u32, NewFile>,
    answer: AnswerRecord,
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
            Target::Create(configuration) => self.create(configuration.clone(), entries, &HashMap::new())?,
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

    fn create(
        &mut self,
        configuration: Configuration,
        entries: &Entries,
        weights: &HashMap<EquipmentId, Option<f64>>,
    ) -> Result<FlightId> {
        let new = NewFlight {
            id: FlightId::fresh(),
            configuration,
        };
        let id = flights::add_copied(self.writer, self.viewer, &new, entries.clone(), weights)?.id;
        self.answer.created.push(id.key());
        Ok(id)
    }

    /// Creates a flight of another Fluglog, with its items. Those that aren't there yet are made.
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
        self.create(configuration, entries, &weights)
    }

    /// The pilot's own item behind an id of a decision: itself, or one that is made for an item of another Fluglog.
    fn own(&mut self, id: EquipmentId) -> Result<EquipmentId> {
        if let Some(made) = self.made.get(&id) {
            return Ok(*made);
        }
        let Some(item) = self.new_items.get(&id).cloned() else {
            return Ok(id);
        };
        let access = Access::own(self.viewer);
        let made = equipment::add_copied(
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

    /// Keeps which item is meant by an id of another Fluglog.
    fn learn_copy(&self, there: EquipmentId, own: EquipmentId) -> Result<()> {
        equipment::find(self.writer, &Access::own(self.viewer), own)?;
        let alias = AliasRecord {
            item: own.key(),
            text: there.to_string(),
            shift_minutes: 0,
        };
        table::put_alias(self.writer, self.viewer.user(), review::COPIED, &alias)
    }
}

/// The items that another import made since this one was decided, by the ids that they have in the other Fluglog.
fn made_since(
    writer: &Writer<'_>,
    viewer: &Viewer,
    new_items: &HashMap<EquipmentId, CopiedItem>,
) -> Result<HashMap<EquipmentId, EquipmentId>> {
    let mut made = HashMap::new();
    for (there, item) in new_items {
        let Some(alias) = table::alias(writer, viewer.user(), review::COPIED, &there.to_string())? else {
            continue;
        };
        let own = equipment::find(writer, &Access::own(viewer), EquipmentId::from_key(alias.item));
        if own.is_ok_and(|own| own.kind == item.kind) {
            made.insert(*there, EquipmentId::from_key(alias.item));
        }
    }
    Ok(made)
}
