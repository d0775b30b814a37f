//! Compares the batteries of a set: those that fly together should be charged and aged alike. Pure.

use std::collections::HashMap;

use super::model::Pack;
use super::records::sets::model::{SetMembership, StoredSet, VoltageSpread};
use super::state::{PackState, microvolts};
use fluglog_base::id::EquipmentId;

/// Sets [`Pack::set`] of each item. `packs` are all items of an owner, or all of one set.
pub(crate) fn assign_sets(packs: &mut [Pack], sets: &[StoredSet]) {
    let places: HashMap<EquipmentId, usize> = packs.iter().enumerate().map(|(at, pack)| (pack.item.id, at)).collect();
    for set in sets {
        let found: Vec<usize> = set.members.iter().filter_map(|id| places.get(id).copied()).collect();
        let members = found.iter().map(|at| &packs[*at]);
        let in_use: Vec<_> = members.filter(|pack| pack.item.retirement.is_none()).collect();
        let place = SetMembership {
            id: set.id,
            name: set.name.clone(),
            apart: apart(&in_use),
            cycles: cycles(&in_use),
        };
        for at in found {
            packs[at].set = Some(place.clone());
        }
    }
}

fn apart(members: &[&Pack]) -> Option<VoltageSpread> {
    let cells: Vec<i64> = members.iter().map(|pack| cell(pack)).collect::<Option<_>>()?;
    let is_charged = |pack: &&Pack| matches!(pack.state(), Some(PackState::Full | PackState::Partial));
    let apart = cells.iter().max()? - cells.iter().min()?;
    (members.len() > 1).then(|| VoltageSpread {
        microvolts: apart,
        is_charged: members.iter().any(is_charged),
    })
}

/// Returns µV per cell of a pack that is neither flying nor charging, if its cells are stated.
fn cell(pack: &Pack) -> Option<i64> {
    if matches!(pack.state()?, PackState::Flying | PackState::Charging) || !pack.are_cells_stated() {
        return None;
    }
    let volts = pack.voltages().state_voltage()?.volts()?;
    Some(microvolts(volts) / i64::from(pack.cells()?))
}

fn cycles(members: &[&Pack]) -> Option<[f64; 2]> {
    let of = |pack: &&Pack| pack.health.aging.cycles(pack.item.details.capacity);
    let mut cycles: Vec<f64> = members.iter().map(of).collect::<Option<_>>()?;
    cycles.sort_by(f64::total_cmp);
    Some([*cycles.first()?, *cycles.last()?]).filter(|_| cycles.len() > 1)
}
