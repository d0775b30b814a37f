//! Flights of another Fluglog instance, with their items: validated like forms, and matched with the pilot's own items.
//! Knows no request.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::model::folded;
use super::table::{CopyRecord, FoundFlightRecord};
use crate::equipment::model::{Details, Item, Kind, Retirement, TYPE};
use crate::equipment::profile::{Profile, ProfileChanges};
use crate::flights::model::{Configuration, Entries, Payload};
use fluglog_base::error::{Error, Result};
use fluglog_base::field::Field;
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::input::Fields;
use fluglog_base::text;

const WEIGHT: Field<f64> = Field::number("weight");

/// A flight of another Fluglog instance; its ids are those of the source instance.
#[derive(Debug, Clone)]
pub struct CopiedFlight {
    pub id: FlightId,
    pub is_open: bool,
    pub entries: Entries,
    pub copter: EquipmentId,
    pub equipments: Vec<EquipmentId>,
    pub payloads: Vec<Payload>,
    /// Weights in g at the time of the flight.
    pub weights: HashMap<EquipmentId, Option<f64>>,
}

/// An item of another Fluglog instance.
#[derive(Debug, Clone)]
pub struct CopiedItem {
    /// Id in the source instance.
    pub id: EquipmentId,
    pub kind: Kind,
    pub details: Details,
    pub profile: Profile,
    pub retirement: Option<Retirement>,
}

/// Fields of an exported flight that aren't read like a form.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outline<'j> {
    #[serde(borrow)]
    dpf_id: &'j str,
    open: bool,
    copter: &'j RawValue,
    equipments: Vec<&'j RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named<'j> {
    #[serde(borrow)]
    dpf_id: &'j str,
}

fn damaged() -> Error {
    Error::invalid("choices", text::IMPORT_DAMAGED)
}

impl CopiedFlight {
    /// Reads a flight of an export.
    ///
    /// # Errors
    /// The JSON is no flight of an export, or the flight breaks a rule.
    pub fn read(json: &str) -> Result<CopiedFlight> {
        let outline: Outline<'_> = serde_json::from_str(json).map_err(|_| damaged())?;
        let fields = Fields::from_json(json)?;
        let mut weights = HashMap::new();
        let mut part = |json: &RawValue| {
            let named: Named<'_> = serde_json::from_str(json.get()).map_err(|_| damaged())?;
            let id = EquipmentId::parse(named.dpf_id).ok_or_else(damaged)?;
            weights.insert(id, WEIGHT.read(&Fields::from_json(json.get())?)?);
            Ok::<_, Error>(id)
        };
        let copter = part(outline.copter)?;
        let equipments = outline.equipments.into_iter().map(part).collect::<Result<Vec<_>>>()?;
        let configuration = Configuration::of(copter, equipments)?;
        Ok(CopiedFlight {
            id: FlightId::parse(outline.dpf_id).ok_or_else(damaged)?,
            is_open: outline.open,
            entries: Entries::read(&fields)?,
            copter: configuration.copter,
            equipments: configuration.equipments,
            payloads: Payload::read_all(&fields)?,
            weights,
        })
    }

    /// Returns its items, the copter first.
    pub fn items(&self) -> impl Iterator<Item = EquipmentId> {
        std::iter::once(self.copter).chain(self.equipments.iter().copied())
    }
}

impl CopiedItem {
    /// Reads an item of an export.
    ///
    /// # Errors
    /// The JSON is no item of an export, or the item breaks a rule.
    pub fn read(json: &str) -> Result<CopiedItem> {
        let named: Named<'_> = serde_json::from_str(json).map_err(|_| damaged())?;
        let fields = Fields::from_json(json)?;
        let kind = TYPE.read(&fields)?;
        let mut profile = Profile::default();
        ProfileChanges::of_form(kind == Kind::Battery, &fields)?.apply(&mut profile);
        Ok(CopiedItem {
            id: EquipmentId::parse(named.dpf_id).ok_or_else(damaged)?,
            kind,
            details: Details::read(kind, &fields)?,
            profile,
            retirement: Retirement::read(&fields)?,
        })
    }
}

/// Foreign flights of an import, and the own items that match their items.
#[derive(Default)]
pub struct Copies {
    flights: HashMap<(u32, u32), CopiedFlight>,
    /// The pilot's own items by their ids in the source instance.
    own: HashMap<EquipmentId, EquipmentId>,
    new: Vec<CopiedItem>,
}

impl Copies {
    /// Reads the stored foreign flights of an import, and `more` items of its exports. `known` returns the own item
    /// that an id of another instance stood for in an earlier import.
    ///
    /// # Errors
    /// `known` fails, or a stored record breaks a rule.
    pub fn read(
        kept: &[((u32, u32), CopyRecord)],
        more: &[CopiedItem],
        own_items: &HashMap<EquipmentId, Item>,
        known: impl Fn(EquipmentId) -> Result<Option<EquipmentId>>,
    ) -> Result<Copies> {
        let mut copies = Copies::default();
        let mut seen = HashSet::new();
        let mut matched = HashSet::new();
        let mut strange = Vec::new();
        let mut items = Vec::new();
        for (place, record) in kept {
            copies.flights.insert(*place, CopiedFlight::read(&record.flight)?);
            for json in &record.items {
                items.push(CopiedItem::read(json)?);
            }
        }
        for item in items.into_iter().chain(more.iter().cloned()) {
            if !seen.insert(item.id) {
                continue;
            }
            let same = [Some(item.id), known(item.id)?];
            let same = same.into_iter().flatten().find(|id| {
                let own = own_items.get(id);
                own.is_some_and(|own| own.kind == item.kind)
            });
            match same {
                Some(own) => {
                    matched.insert(own);
                    copies.own.insert(item.id, own);
                }
                None => strange.push(item),
            }
        }
        for item in strange {
            let like = |own: &&Item| !matched.contains(&own.id) && is_like(&item, own);
            let mut found = own_items.values().filter(like);
            match (found.next(), found.next()) {
                (Some(own), None) => {
                    let own = own.id;
                    matched.insert(own);
                    copies.own.insert(item.id, own);
                }
                _ => copies.new.push(item),
            }
        }
        Ok(copies)
    }

    /// Returns the foreign flight behind a flight of the import.
    pub fn of(&self, flight: &FoundFlightRecord) -> Option<&CopiedFlight> {
        self.flights.get(&(flight.file, flight.part))
    }

    /// Returns the pilot's own item behind an id of the source instance; `None` if it doesn't exist here yet.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.own.get(&id).copied()
    }

    /// Returns the items that don't exist here yet.
    pub fn new_items(&self) -> &[CopiedItem] {
        &self.new
    }

    /// Returns the own items by their ids in the source instance, and the items that don't exist here yet.
    pub fn into_items(self) -> (HashMap<EquipmentId, EquipmentId>, Vec<CopiedItem>) {
        (self.own, self.new)
    }
}

/// Returns whether an item of another instance is one of the pilot's: equal names, and equal models unless one is
/// empty. An item in use there never matches an item retired here.
fn is_like(item: &CopiedItem, own: &Item) -> bool {
    let (model, own_model) = (folded(&item.details.model), folded(&own.details.model));
    let same_model = model == own_model || model.is_empty() || own_model.is_empty();
    item.kind == own.kind
        && folded(&item.details.name) == folded(&own.details.name)
        && same_model
        && (own.retirement.is_none() || item.retirement.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equipment::model::Totals;

    fn own(name: &str, model: &str, is_retired: bool) -> Item {
        Item {
            id: EquipmentId::fresh(),
            kind: Kind::Battery,
            details: Details {
                name: name.to_owned(),
                model: model.to_owned(),
                ..Details::default()
            },
            retirement: is_retired.then(|| Retirement {
                time: fluglog_base::time::WallTime::from_minutes_clamped(0),
                reason: String::new(),
            }),
            totals: Totals::default(),
            profile: Profile::default(),
            sticker: None,
        }
    }

    fn copied(name: &str, model: &str) -> CopiedItem {
        CopiedItem {
            id: EquipmentId::fresh(),
            kind: Kind::Battery,
            details: own(name, model, false).details,
            profile: Profile::default(),
            retirement: None,
        }
    }

    #[test]
    fn an_item_is_the_same_by_name_and_model() {
        for (name, model, is_retired, same) in [
            ("akku-1", "Tattu", false, true),
            ("Akku 1", "", false, true),
            ("Akku 1", "CNHL", false, false),
            ("Akku 2", "Tattu", false, false),
            ("Akku 1", "Tattu", true, false),
        ] {
            assert_eq!(
                is_like(&copied("Akku 1", "tattu"), &own(name, model, is_retired)),
                same,
                "{name} {model}"
            );
        }
    }

    #[test]
    fn two_items_of_one_name_never_become_one() {
        let own_items: HashMap<_, _> = [own("Akku 1", "", false)].map(|item| (item.id, item)).into();
        let item = |id: u128| {
            let id = EquipmentId::from_key(id);
            format!(r#"{{"dpfId": "{id}", "type": 1, "name": "Akku 1"}}"#)
        };
        let flight = |id: u128| {
            let id = EquipmentId::from_key(id);
            format!(
                r#"{{"dpfId": "{id}", "open": false, "startTime": "01.03.2026 09:05",
                    "copter": {{"dpfId": "{id}"}}, "equipments": []}}"#
            )
        };
        let kept = [1, 2].map(|id| {
            let record = CopyRecord {
                id,
                flight: flight(id),
                items: vec![item(id)],
            };
            ((0, u32::try_from(id).unwrap()), record)
        });
        let copies = Copies::read(&kept, &[], &own_items, |_| Ok(None)).unwrap();
        assert_eq!((copies.own.len(), copies.new.len()), (1, 1));
    }
}
