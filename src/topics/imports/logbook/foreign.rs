//! Flights of another Fluglog instance, with their items: validated like forms, and matched with the pilot's own items.
//! Knows no request.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::equipment::battery_profile::{Profile, ProfileChanges};
use crate::equipment::model::{Details, Item, Kind, Retirement, TYPE};
use crate::equipment::prior::{self, Prior};
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

    /// Returns an item as a flight of an export names it: what the pilot knows of an item of a space.
    pub fn item_in(json: &str, id: EquipmentId) -> Option<String> {
        let outline: Outline<'_> = serde_json::from_str(json).ok()?;
        let is_it = |item: &&RawValue| {
            let named: Option<Named<'_>> = serde_json::from_str(item.get()).ok();
            named.is_some_and(|named| EquipmentId::parse(named.dpf_id) == Some(id))
        };
        let mut all = std::iter::once(outline.copter).chain(outline.equipments);
        all.find(is_it).map(|item| item.get().to_owned())
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
    /// The items with which the pilot may fly, by their ids in the source instance.
    own: HashMap<EquipmentId, EquipmentId>,
    /// The items that the pilot may only see, by their ids in the source instance.
    seen: HashMap<EquipmentId, EquipmentId>,
    /// The items that don't exist here yet, and those of flights that the pilot may only see.
    new: Vec<ForeignItem>,
}

impl ForeignFlights {
    /// Reads the stored foreign flights of an import, and `more` items of its exports. An item is known by its id, or
    /// by its name among `own_items`, with which the pilot may fly. One that isn't among them but of `kinds`, which are
    /// those that the pilot may see, is made anew only for a flight. `foreign_item` returns the item that an id of
    /// another instance stood for in an earlier import.
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
        let mut done = HashSet::new();
        let mut matched = HashSet::new();
        let mut unknown = Vec::new();
        let mut items = Vec::new();
        for (place, record) in stored {
            read.flights.insert(*place, ForeignFlight::read(&record.flight)?);
            for json in &record.items {
                items.push((ForeignItem::read(json)?, true));
            }
        }
        let more = more.iter().map(|item| (item.clone(), false));
        for (item, is_flown) in items.into_iter().chain(more) {
            if !done.insert(item.id) {
                continue;
            }
            let same = [Some(item.id), foreign_item(item.id)?];
            let same = || same.into_iter().flatten();
            let usable = same().find(|id| own_items.get(id).is_some_and(|own| own.kind == item.kind));
            let there = same().find(|id| kinds.get(id) == Some(&item.kind));
            match (usable, there) {
                (Some(own), _) => {
                    matched.insert(own);
                    read.own.insert(item.id, own);
                }
                (None, Some(there)) => {
                    read.seen.insert(item.id, there);
                    // What was before Fluglog stays with the item that is there.
                    let prior = Prior::default();
                    unknown.extend(is_flown.then_some(ForeignItem { prior, ..item }));
                }
                (None, None) => unknown.push(item),
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

    /// Returns the item behind an id of the source instance with which the pilot may fly; `None` if there is none yet.
    pub fn own(&self, id: EquipmentId) -> Option<EquipmentId> {
        self.own.get(&id).copied()
    }

    /// Returns the items that don't exist here yet, and those of flights that the pilot may only see.
    pub(crate) fn new_items(&self) -> &[ForeignItem] {
        &self.new
    }

    /// Returns whether the pilot may only see the item behind an id of the source instance.
    pub(crate) fn is_only_seen(&self, id: EquipmentId) -> bool {
        self.seen.contains_key(&id)
    }

    /// Returns the items that are here by their ids in the source instance, and the new items, of which some are here
    /// too but can't be flown with.
    pub(crate) fn into_items(self) -> (HashMap<EquipmentId, EquipmentId>, Vec<ForeignItem>) {
        let mut here = self.seen;
        here.extend(self.own);
        (here, self.new)
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

    #[test]
    fn an_item_that_may_only_be_seen_is_made_anew_for_a_flight_and_for_nothing_else() {
        let prior = Prior {
            flights: 90,
            ..Prior::default()
        };
        let [flown, other] = ["Akku 1", "Akku 2"].map(|name| ForeignItem {
            prior: prior.clone(),
            ..foreign(name, "")
        });
        let id = flown.id;
        let record = ForeignFlightRecord {
            id: 1,
            flight: format!(
                r#"{{"dpfId": "{id}", "open": false, "startTime": "01.03.2026 09:05",
                    "copter": {{"dpfId": "{id}"}}, "equipments": []}}"#
            ),
            items: vec![format!(
                r#"{{"dpfId": "{id}", "type": 1, "name": "Akku 1", "prior": {{"flights": 90}}}}"#
            )],
        };
        let kinds: HashMap<_, _> = [&flown, &other].map(|item| (item.id, item.kind)).into();
        let more = [flown, other.clone()];
        let read =
            |own_items| ForeignFlights::read(&[((0, 0), record.clone())], &more, &kinds, own_items, |_| Ok(None));
        let none = HashMap::new();
        let (here, new) = read(&none).unwrap().into_items();
        assert_eq!((here.len(), here.get(&other.id)), (2, Some(&other.id)));
        let new: Vec<_> = new.iter().map(|item| (item.id, item.prior.is_empty())).collect();
        assert_eq!(new, [(id, true)]);
        // An own item of that name is flown instead.
        let own = own("akku-1", "", false);
        let own_items = HashMap::from([(own.id, own.clone())]);
        let read = read(&own_items).unwrap();
        assert_eq!((read.own(id), read.new_items().len()), (Some(own.id), 0));
    }
}
