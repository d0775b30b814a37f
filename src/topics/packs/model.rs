//! A battery pack: an item with what is recorded of it, and what follows from that. No store, no web.

use std::cmp::Ordering;

use super::aging::Nominal;
use super::records::charging::model::ChargingTotals;
use super::records::health::Health;
use super::records::sets::model::SetMembership;
use super::records::snoozes::Snooze;
use super::state::{Facts, Measured, PackState, pack_volts};
use super::voltages::{Moment, VoltageSample, Voltages};
use crate::equipment::battery_profile::Chemistry;
use crate::equipment::model::{Item, Totals};
use fluglog_accounts::guard::Right;
use fluglog_accounts::spaces::model::SpaceName;
use fluglog_base::collation::GermanOrder;
use fluglog_base::time::WallTime;

/// An item with what is recorded of it as a battery pack; items of other kinds have no such records.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    pub item: Item,
    pub charging: ChargingTotals,
    pub health: Health,
    pub set: Option<SetMembership>,
    pub snooze: Snooze,
}

/// A pack in a list, with what a member is shown of one of a space.
#[derive(Debug)]
pub struct ListedPack {
    pub pack: Pack,
    /// `None` for the pilot's own.
    pub shared: Option<Shared>,
}

/// What a member is shown of an item of a space.
#[derive(Debug)]
pub struct Shared {
    pub space: SpaceName,
    /// What the member may do with it.
    pub right: Right,
    pub in_use: Option<InUse>,
}

/// Who is flying with an item.
#[derive(Debug)]
pub struct InUse {
    /// The pilot's name, or what stands for it.
    pub by: String,
    pub since: WallTime,
    /// Whether the viewer is.
    pub mine: bool,
}

impl From<Item> for Pack {
    /// Creates a pack without records.
    fn from(item: Item) -> Pack {
        Pack {
            item,
            charging: ChargingTotals::default(),
            health: Health::default(),
            set: None,
            snooze: Snooze::default(),
        }
    }
}

impl Pack {
    /// Returns the voltages seen by flights, chargings and readings.
    #[must_use]
    pub fn voltages(&self) -> Voltages {
        let recorded = self.health.voltage_samples().chain(self.charging.voltage_samples());
        Voltages::new(
            self.item.totals.last_start,
            voltage_samples(&self.item.totals).chain(recorded),
        )
        .with_stated(self.charging.stated_state())
    }

    /// Returns whether the number of cells is stated by the profile or a text, and not guessed from voltages.
    #[must_use]
    pub(crate) fn are_cells_stated(&self) -> bool {
        self.facts().is_some_and(|facts| facts.are_cells_stated())
    }

    /// Returns the stated number of cells, which is the length that a list of cell values must have.
    #[must_use]
    pub(crate) fn stated_cells(&self) -> Option<u8> {
        self.are_cells_stated().then(|| self.cells()).flatten()
    }

    /// Returns the state of a battery; `None` when it is unknown.
    #[must_use]
    pub fn state(&self) -> Option<PackState> {
        self.facts()?.state()
    }

    /// Returns the state of a battery with this voltage.
    #[must_use]
    pub(crate) fn state_at(&self, measured: Measured) -> Option<PackState> {
        self.facts()?.state_at(measured)
    }

    /// Returns the chemistry of a battery; LiPo for other kinds.
    #[must_use]
    pub fn chemistry(&self) -> Chemistry {
        self.facts().map_or(Chemistry::Polymer, |facts| facts.chemistry())
    }

    /// Returns the voltage that tells the state of a battery, in V; `None` while it flies or charges, or when the state
    /// wasn't measured.
    #[must_use]
    pub(crate) fn state_voltage(&self) -> Option<f64> {
        match self.state()? {
            PackState::Flying | PackState::Charging => None,
            _ => self.voltages().state_voltage()?.volts(),
        }
    }

    /// Returns when a battery entered its state.
    #[must_use]
    pub(crate) fn state_since(&self) -> Option<WallTime> {
        let facts = self.facts()?;
        match facts.state()? {
            PackState::Flying => self.item.totals.last_start,
            PackState::Charging => self.charging.open.as_ref().map(|open| open.start),
            _ => self.voltages().since(|measured| facts.state_at(measured)),
        }
    }

    /// Returns the voltage of this pack when full. If the number of cells is only a guess from voltages, that is the
    /// highest voltage it was charged to. `before` is a voltage measured now.
    #[must_use]
    pub(crate) fn full_volts(&self, before: Option<f64>) -> Option<f64> {
        let facts = self.facts()?;
        if !facts.are_cells_stated() && before.is_none() {
            let highest = facts.highest?;
            return (facts.state_at(Measured::AtRest(highest)) == Some(PackState::Full)).then_some(highest);
        }
        let cell = self.item.profile.full_voltage.unwrap_or(facts.chemistry().full());
        Some(pack_volts(facts.with(before).cells()?, cell))
    }

    /// Returns the storage voltage of this pack. `before` is a voltage measured now.
    #[must_use]
    pub(crate) fn storage_volts(&self, before: Option<f64>) -> Option<f64> {
        let facts = self.facts()?;
        let cell = self.item.profile.storage_voltage.unwrap_or(facts.chemistry().storage());
        Some(pack_volts(facts.with(before).cells()?, cell))
    }

    /// Returns when something was last recorded of a battery.
    #[must_use]
    pub fn last_seen(&self) -> Option<WallTime> {
        let charged = self.charging.last_finished.map(|reading| reading.time);
        let stated = self.charging.last_stated.map(|stated| stated.time);
        let last = self.item.totals.last_start.max(charged).max(stated);
        last.max(self.health.condition.last)
    }

    /// Returns the nominal values of a battery, for its state of health.
    #[must_use]
    pub(crate) fn nominal(&self) -> Nominal {
        let cells = self.stated_cells();
        Nominal {
            cells,
            chemistry: self.chemistry(),
            full: cells.and(self.full_volts(None)),
            capacity: self.item.details.capacity,
        }
    }

    /// Returns the number of cells in series, if it is known.
    #[must_use]
    pub fn cells(&self) -> Option<u8> {
        self.facts()?.cells()
    }

    /// Returns what tells the state of a battery; `None` for other kinds.
    pub(crate) fn facts(&self) -> Option<Facts<'_>> {
        let (details, voltages) = (&self.item.details, self.voltages());
        self.item.kind.is_charged().then(|| Facts {
            stated_chemistry: self.item.profile.chemistry,
            stated_cells: self.item.profile.cells,
            battery_type: &details.battery_type,
            model: &details.model,
            name: &details.name,
            measured: voltages.state_voltage(),
            highest: voltages.highest(),
            is_charging: self.charging.open.is_some(),
            is_flying: self.item.totals.open_flight.is_some(),
        })
    }
}

/// Returns the voltages known from flights.
fn voltage_samples(totals: &Totals) -> impl Iterator<Item = VoltageSample> {
    // `voltage` is an end voltage, unless its flight has none.
    let end = totals.end_voltage;
    let last = totals.voltage.map(|reading| {
        let has_landed = end == Some(reading.volts);
        VoltageSample::at(if has_landed { Moment::Landed } else { Moment::TookOff }, reading)
    });
    let landed = end.map(|volts| VoltageSample {
        moment: Moment::Landed,
        time: None,
        volts,
    });
    landed.into_iter().chain(last)
}

/// Sorts by name in German order.
pub fn sort_by_name(packs: &mut [Pack]) {
    let german = GermanOrder::default();
    packs.sort_by(|Pack { item: one, .. }, Pack { item: other, .. }| {
        match german.compare(&one.details.name, &other.details.name) {
            Ordering::Equal => one.id.cmp(&other.id),
            order => order,
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equipment::model::{Details, Kind};
    use crate::equipment::unused;
    use fluglog_base::id::EquipmentId;

    fn named(name: &str) -> Pack {
        let details = Details {
            name: name.to_owned(),
            ..Details::default()
        };
        unused(EquipmentId::fresh(), Kind::Copter, details, None).into()
    }

    #[test]
    fn names_are_sorted_as_germans_do() {
        let mut packs = ["Zorro", "akku 10", "Äpex", "Akku 2", "Apex", "Übungscopter"].map(named);
        sort_by_name(&mut packs);
        assert_eq!(
            packs.map(|pack| pack.item.details.name),
            ["Akku 2", "akku 10", "Apex", "Äpex", "Übungscopter", "Zorro"]
        );
    }
}
