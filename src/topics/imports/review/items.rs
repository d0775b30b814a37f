//! Matches the items of a flight: copter, battery, and the others.

use super::matcher::Matcher;
use crate::equipment::model::{Item, Kind};
use crate::imports::model::{guess_cells, normalized};
use crate::imports::table::FoundFlightRecord;
use fluglog_base::id::EquipmentId;
use fluglog_base::time::WallTime;

impl Matcher<'_> {
    /// Returns the copter, matched by serial number, else by what its name stood for before, else by name. For a
    /// foreign flight whose copter doesn't exist here, returns the id in the source instance.
    pub fn copter(&self, flight: &FoundFlightRecord, start: Option<WallTime>) -> Option<EquipmentId> {
        if let Some(foreign) = self.foreign.of(flight) {
            return Some(self.foreign.own(foreign.copter).unwrap_or(foreign.copter));
        }
        let about = &flight.about;
        self.item(Kind::Copter, &about.copter_names(), &[&about.name, &about.model], start)
    }

    fn item(
        &self,
        kind: Kind,
        aliases: &[(&'static str, &str)],
        names: &[&String],
        start: Option<WallTime>,
    ) -> Option<EquipmentId> {
        for (word, text) in aliases {
            if text.is_empty() {
                continue;
            }
            let alias = self.aliases.get(word, &normalized(text));
            let id = alias.map(|alias| EquipmentId::from_key(alias.item));
            let id = id.filter(|id| self.is_usable(*id, kind, start));
            if id.is_some() {
                return id;
            }
        }
        for name in names {
            let wanted = normalized(name);
            if wanted.is_empty() {
                continue;
            }
            let fits = |item: &&Item| is_called(item, &wanted) && self.is_usable(item.id, kind, start);
            let mut found = self.items.values().filter(fits);
            if let (Some(item), None) = (found.next(), found.next()) {
                return Some(item.id);
            }
        }
        None
    }

    /// Returns the packs of a text that names several: `4S-1 + 4S-2`.
    fn packs(&self, names: &str, start: Option<WallTime>) -> Vec<EquipmentId> {
        let found = pack_names(names).filter_map(|name| self.item(Kind::Battery, &[], &[&name.to_owned()], start));
        let mut packs = Vec::new();
        for pack in found {
            if !packs.contains(&pack) {
                packs.push(pack);
            }
        }
        packs
    }

    /// Returns the names of packs that none of the pilot's packs has, retired ones included.
    pub(super) fn unknown_packs(&self, flight: &FoundFlightRecord, start: Option<WallTime>) -> Vec<String> {
        let about = &flight.about;
        let names = &about.battery_name;
        let is_known = self
            .item(Kind::Battery, &about.battery_names(), &[names], start)
            .is_some();
        if is_known || self.foreign.of(flight).is_some() {
            return Vec::new();
        }
        let packs = self.items.values().filter(|item| item.kind == Kind::Battery);
        let unknown = pack_names(names).filter(|name| {
            let wanted = normalized(name);
            !wanted.is_empty() && !packs.clone().any(|pack| is_called(pack, &wanted))
        });
        unknown.map(str::to_owned).collect()
    }

    /// Returns whether an item is of a kind, and was in use when a flight began.
    fn is_usable(&self, id: EquipmentId, kind: Kind, start: Option<WallTime>) -> bool {
        self.items.get(&id).is_some_and(|item| {
            let retired = item.retirement.as_ref();
            item.kind == kind && retired.is_none_or(|retired| start.is_some_and(|start| start <= retired.time))
        })
    }

    /// Returns the other items: the battery by serial number or name, else the only pack with as many cells that flew
    /// with this copter; goggles, transmitter and camera as on the last flight with it.
    pub fn equipments(
        &self,
        flight: &FoundFlightRecord,
        copter: Option<EquipmentId>,
        start: Option<WallTime>,
    ) -> Vec<EquipmentId> {
        if let Some(foreign) = self.foreign.of(flight) {
            let own = foreign.equipments.iter();
            return own.map(|id| self.foreign.own(*id).unwrap_or(*id)).collect();
        }
        let about = &flight.about;
        let battery = self.item(Kind::Battery, &about.battery_names(), &[&about.battery_name], start);
        let mut chosen: Vec<EquipmentId> = match battery {
            Some(battery) => vec![battery],
            None => self.packs(&about.battery_name, start),
        };
        let with_copter = || self.flights.iter().filter(|flown| Some(flown.copter.id) == copter);
        let Some(last) = with_copter().next() else {
            return chosen;
        };
        for part in &last.equipments {
            if part.kind != Kind::Battery && self.is_usable(part.id, part.kind, start) {
                chosen.push(part.id);
            }
        }
        let own_cells = flight.figures.start_volts.and_then(guess_cells);
        // A pack that the file names isn't replaced by another one.
        let is_named = pack_names(&about.battery_name).next().is_some();
        let has_pack = chosen.iter().any(|id| self.is_usable(*id, Kind::Battery, start));
        if !is_named && !has_pack && own_cells.is_some() {
            let mut packs: Vec<EquipmentId> = Vec::new();
            for flown in with_copter() {
                if flown.entries.fields.start_voltage.and_then(guess_cells) != own_cells {
                    continue;
                }
                for part in flown.equipments.iter().filter(|part| part.kind == Kind::Battery) {
                    if !packs.contains(&part.id) && self.is_usable(part.id, Kind::Battery, start) {
                        packs.push(part.id);
                    }
                }
            }
            // If several packs fit, none is proposed.
            if let [pack] = packs.as_slice() {
                chosen.push(*pack);
            }
        }
        chosen
    }
}

/// Returns whether an item has a name or model, given by [`normalized`].
fn is_called(item: &Item, wanted: &str) -> bool {
    let details = &item.details;
    normalized(&details.name) == wanted || normalized(&details.model) == wanted
}

/// Splits a text that names several packs: `4S-1 + 4S-2`.
fn pack_names(names: &str) -> impl Iterator<Item = &str> {
    let names = names.split(['+', ',', ';', '&', '/', '|']);
    names.map(str::trim).filter(|name| !name.is_empty())
}
