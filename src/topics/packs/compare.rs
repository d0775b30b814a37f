//! Compares the batteries of a set: those that fly together should be charged and aged alike. Pure.

use std::collections::HashMap;

use super::records::sets::model::{Apart, SetPlace, StoredSet};
use super::state::{Measured, PackState, microvolts};
use crate::equipment::model::Item;
use fluglog_base::id::EquipmentId;

/// Sets [`Item::set`] of each item. `items` are all items of an owner, or all of one set.
pub fn place(items: &mut [Item], sets: &[StoredSet]) {
    let places: HashMap<EquipmentId, usize> = items.iter().enumerate().map(|(at, item)| (item.id, at)).collect();
    for set in sets {
        let found: Vec<usize> = set.members.iter().filter_map(|id| places.get(id).copied()).collect();
        let members = found.iter().map(|at| &items[*at]);
        let in_use: Vec<_> = members.filter(|item| item.retirement.is_none()).collect();
        let place = SetPlace {
            id: set.id,
            name: set.name.clone(),
            apart: apart(&in_use),
            cycles: cycles(&in_use),
        };
        for at in found {
            items[at].set = Some(place.clone());
        }
    }
}

fn apart(members: &[&Item]) -> Option<Apart> {
    let cells: Vec<i64> = members.iter().map(|item| cell(item)).collect::<Option<_>>()?;
    let is_charged = |item: &&Item| matches!(item.state(), Some(PackState::Full | PackState::Partial));
    let apart = cells.iter().max()? - cells.iter().min()?;
    (members.len() > 1).then(|| Apart {
        microvolts: apart,
        is_charged: members.iter().any(is_charged),
    })
}

/// Returns µV per cell of a pack that is neither flying nor charging, if its cells are stated.
fn cell(item: &Item) -> Option<i64> {
    if matches!(item.state()?, PackState::Flying | PackState::Charging) || !item.are_cells_said() {
        return None;
    }
    let (Measured::AtRest(volts) | Measured::Landed(volts)) = item.voltages().telling()?;
    Some(microvolts(volts) / i64::from(item.cells()?))
}

fn cycles(members: &[&Item]) -> Option<[f64; 2]> {
    let of = |item: &&Item| item.health.aging.cycles(item.details.capacity);
    let mut cycles: Vec<f64> = members.iter().map(of).collect::<Option<_>>()?;
    cycles.sort_by(f64::total_cmp);
    Some([*cycles.first()?, *cycles.last()?]).filter(|_| cycles.len() > 1)
}
