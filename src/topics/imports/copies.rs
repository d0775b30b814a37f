//! Flights of another Fluglog, with their items: read by the rules of forms, and matched with the pilot's own items.
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

/// A flight of another Fluglog. The ids are those that it has there.
#[derive(Debug, Clone)]
pub struct CopiedFlight {
    pub id: FlightId,
    pub is_open: bool,
    pub entries: Entries,
    pub copter: EquipmentId,
    pub equipments: Vec<EquipmentId>,
    pub payloads: Vec<Payload>,
    /// g, as they were at that flight.
    pub weights: HashMap<EquipmentId, Option<f64>>,
}

/// An item of another Fluglog.
#[derive(Debug, Clone)]
pub struct CopiedItem {
    /// There.
    pub id: EquipmentId,
    pub kind: Kind,
    pub details: Details,
    pub profile: Profile,
    pub retirement: Option<Retirement>,
}

/// A flight as an export has it, as far as it isn't read by the rules of forms.
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
    /// No flight of an export, or one that breaks a rule.
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

    /// Its items, the copter first.
    pub fn items(&self) -> impl Iterator<Item = EquipmentId> {
        std::iter::once(self.copter).chain(self.equipments.iter().copied())
    }
}

impl CopiedItem {
    /// Reads an item of an export.
    ///
    /// # Errors
    /// No item of an export, or one that breaks a rule.
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

/// The copies of an import, and what their items are here.
#[derive(Default)]
pub struct Copies {
    flights: HashMap<(u32, u32), CopiedFlight>,
    /// The pilot's own items by the ids that they have there.
    own: HashMap<EquipmentId, EquipmentId>,
    new: Vec<CopiedItem>,
}

impl Copies {
    /// Reads what is kept of an import, and `more` items of its exports. `known` says what item was meant by an id of
    /// another Fluglog before.
    ///
    /// # Errors
    /// `known` fails, or what is kept was never read by these rules.
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

    /// The copy behind a flight of the import.
    pub fn of(&self, flight: &FoundFlightRecord) -> Option<&CopiedFlight> {
        self.flights.get(&(flight.file, flight.part))
    }

    /// The pilot's own item behind an id; `None` for one that isn't there yet.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.own.get(&id).copied()
    }

    /// The items that aren't there yet.
    pub fn new_items(&self) -> &[CopiedItem] {
        &self.new
    }

    /// Ends the look at them with the items that are there, by their ids of the other Fluglog, and those that aren't.
    pub fn into_items(self) -> (HashMap<EquipmentId, EquipmentId>, Vec<CopiedItem>) {
        (self.own, self.new)
    }
}

/// Whether an item of another Fluglog is one of the pilot's: of one name, and of one model as far as both say it. What
/// is in use there isn't what was retired here.
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
    use crate::equipment::charging::model::ChargingTotals;
    use crate::equipment::health::Health;
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
                time: fluglog_base::time::WallTime::nearest(0),
                reason: String::new(),
            }),
            totals: Totals::default(),
            charging: ChargingTotals::default(),
            profile: Profile::default(),
            health: Health::default(),
            set: None,
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
