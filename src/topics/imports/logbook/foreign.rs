//! Flights of another Fluglog instance, with their items: validated like forms, and matched with the pilot's own items.
//! Knows no request.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::equipment::model::{Details, Item, Kind, Retirement, TYPE};
use crate::equipment::prior::{self, Prior};
use crate::equipment::profile::{Profile, ProfileChanges};
use crate::flights::model::{Configuration, Entries, Payload};
use crate::imports::model::normalized;
use crate::imports::table::{ForeignFlightRecord, FoundFlightRecord};
use fluglog_base::error::{Error, Result};
use fluglog_base::field::Field;
use fluglog_base::id::{EquipmentId, FlightId};
use fluglog_base::input::Fields;
use fluglog_base::text;

const WEIGHT: Field<f64> = Field::number("weight");

/// A flight of another Fluglog instance; its ids are those of the source instance.
#[derive(Debug, Clone)]
pub(crate) struct ForeignFlight {
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
pub(crate) struct ForeignItem {
    /// Id in the source instance.
    pub id: EquipmentId,
    pub kind: Kind,
    pub details: Details,
    pub profile: Profile,
    pub retirement: Option<Retirement>,
    pub prior: Prior,
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

impl ForeignFlight {
    /// Reads a flight of an export.
    ///
    /// # Errors
    /// The JSON is no flight of an export, or the flight breaks a rule.
    pub fn read(json: &str) -> Result<ForeignFlight> {
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
        Ok(ForeignFlight {
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

impl ForeignItem {
    /// Reads an item of an export.
    ///
    /// # Errors
    /// The JSON is no item of an export, or the item breaks a rule.
    pub fn read(json: &str) -> Result<ForeignItem> {
        let named: Named<'_> = serde_json::from_str(json).map_err(|_| damaged())?;
        let fields = Fields::from_json(json)?;
        let kind = TYPE.read(&fields)?;
        let mut profile = Profile::default();
        ProfileChanges::of_form(kind == Kind::Battery, &fields)?.apply(&mut profile);
        Ok(ForeignItem {
            id: EquipmentId::parse(named.dpf_id).ok_or_else(damaged)?,
            kind,
            details: Details::read(kind, &fields)?,
            profile,
            retirement: Retirement::read(&fields)?,
            prior: prior::read_exported(&fields, kind == Kind::Battery)?,
        })
    }
}

/// Foreign flights of an import, and the own items that match their items.
#[derive(Default)]
pub(crate) struct ForeignFlights {
    flights: HashMap<(u32, u32), ForeignFlight>,
    /// The pilot's own items by their ids in the source instance.
    own: HashMap<EquipmentId, EquipmentId>,
    new: Vec<ForeignItem>,
}

impl ForeignFlights {
    /// Reads the stored foreign flights of an import, and `more` items of its exports. An item is known by its id if it
    /// is of `kinds`, which are those that the pilot may see, and by its name among `own_items`, with which the pilot
    /// may fly. `foreign_item` returns the item that an id of another instance stood for in an earlier import.
    ///
    /// # Errors
    /// A stored record breaks a rule, or an error of `foreign_item`.
    pub fn read(
        stored: &[((u32, u32), ForeignFlightRecord)],
        more: &[ForeignItem],
        kinds: &HashMap<EquipmentId, Kind>,
        own_items: &HashMap<EquipmentId, Item>,
        foreign_item: impl Fn(EquipmentId) -> Result<Option<EquipmentId>>,
    ) -> Result<ForeignFlights> {
        let mut read = ForeignFlights::default();
        let mut seen = HashSet::new();
        let mut matched = HashSet::new();
        let mut unknown = Vec::new();
        let mut items = Vec::new();
        for (place, record) in stored {
            read.flights.insert(*place, ForeignFlight::read(&record.flight)?);
            for json in &record.items {
                items.push(ForeignItem::read(json)?);
            }
        }
        for item in items.into_iter().chain(more.iter().cloned()) {
            if !seen.insert(item.id) {
                continue;
            }
            let same = [Some(item.id), foreign_item(item.id)?];
            let same = same.into_iter().flatten().find(|id| kinds.get(id) == Some(&item.kind));
            match same {
                Some(own) => {
                    matched.insert(own);
                    read.own.insert(item.id, own);
                }
                None => unknown.push(item),
            }
        }
        for item in unknown {
            let like = |own: &&Item| !matched.contains(&own.id) && is_like(&item, own);
            let mut found = own_items.values().filter(like);
            match (found.next(), found.next()) {
                (Some(own), None) => {
                    let own = own.id;
                    matched.insert(own);
                    read.own.insert(item.id, own);
                }
                _ => read.new.push(item),
            }
        }
        Ok(read)
    }

    /// Returns the foreign flight behind a flight of the import.
    pub fn of(&self, flight: &FoundFlightRecord) -> Option<&ForeignFlight> {
        self.flights.get(&(flight.file, flight.part))
    }

    /// Returns the pilot's own item behind an id of the source instance; `None` if it doesn't exist here yet.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.own.get(&id).copied()
    }

    /// Returns the items that don't exist here yet.
    pub(crate) fn new_items(&self) -> &[ForeignItem] {
        &self.new
    }

    /// Returns the own items by their ids in the source instance, and the items that don't exist here yet.
    pub(crate) fn into_items(self) -> (HashMap<EquipmentId, EquipmentId>, Vec<ForeignItem>) {
        (self.own, self.new)
    }
}

/// Returns whether an item of another instance is one of the pilot's: equal names, and equal models unless one is
/// empty. An item in use there never matches an item retired here.
fn is_like(item: &ForeignItem, own: &Item) -> bool {
    let (model, own_model) = (normalized(&item.details.model), normalized(&own.details.model));
    let same_model = model == own_model || model.is_empty() || own_model.is_empty();
    item.kind == own.kind
        && normalized(&item.details.name) == normalized(&own.details.name)
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
            prior: Prior::default(),
            sticker: None,
        }
    }

    fn foreign(name: &str, model: &str) -> ForeignItem {
        ForeignItem {
            id: EquipmentId::fresh(),
            kind: Kind::Battery,
            details: own(name, model, false).details,
            profile: Profile::default(),
            retirement: None,
            prior: Prior::default(),
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
                is_like(&foreign("Akku 1", "tattu"), &own(name, model, is_retired)),
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
        let stored = [1, 2].map(|id| {
            let record = ForeignFlightRecord {
                id,
                flight: flight(id),
                items: vec![item(id)],
            };
            ((0, u32::try_from(id).unwrap()), record)
        });
        let read = ForeignFlights::read(&stored, &[], &HashMap::new(), &own_items, |_| Ok(None)).unwrap();
        assert_eq!((read.own.len(), read.new.len()), (1, 1));
    }
}
