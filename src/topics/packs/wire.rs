//! Wire form of items.

use serde::Serialize;

use super::hints::{FULL_DAYS, hints, is_doubtful, traffic_light};
use super::model::{Pack, Shared};
use super::records::charging::model::Charging;
use super::records::sets::model::SetName;
use super::state::PackState;
use crate::equipment::battery_profile::Chemistry;
use crate::equipment::model::{Item, Kind};
use crate::equipment::prior::PriorFlights;
use crate::light::Light;
use fluglog_accounts::guard::Right;
use fluglog_accounts::spaces::model::SpaceName;
use fluglog_base::time::WallTime;

/// An item of equipment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Equipment {
    pub dpf_id: String,
    #[cfg_attr(feature = "schema", schema(value_type = u8, maximum = 4))]
    pub r#type: Kind,
    pub name: String,
    pub model: String,
    pub manufacturer: String,
    pub purchase_date: String,
    pub seller: String,
    /// g
    pub weight: Option<f64>,
    pub deactivate_time: String,
    pub deactivate_text: String,
    pub firmware_number: String,
    pub battery_type: String,
    /// mAh
    pub capacity: Option<f64>,
    /// V
    pub current_charge: Option<f64>,
    pub charge_count: u32,
    /// Hours
    pub usage_time: f64,
    pub last_flight: String,
    pub last_charge_time: String,
    /// V
    pub end_voltage: Option<f64>,
    pub last_charging: Option<Charging>,
    /// State of a battery; null when it is unknown.
    pub state: Option<PackState>,
    /// V that tells the state of a battery; null while it charges or flies, or when its state wasn't measured.
    pub state_voltage: Option<f64>,
    /// Time at which the battery entered its state.
    pub state_since: String,
    /// Traffic light of a battery in use.
    pub light: Option<Light>,
    /// Whether a hint advises against a flight of the battery.
    pub doubtful: bool,
    /// Full cycles of a battery that were recorded; null when its capacity is unknown.
    pub cycles: Option<f64>,
    /// Whether `cycles` includes flights with several batteries, each counted with an equal part.
    pub cycles_estimated: bool,
    /// Cells of a battery in series: as stated, or else guessed from its texts or voltages; null when unknown.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 14))]
    pub cells: Option<u8>,
    pub cells_guessed: bool,
    /// Chemistry of a battery as stated: 0 LiPo, 1 LiHV, 2 Li-Ion, 3 smart, 4 other.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>, maximum = 4))]
    pub chemistry: Option<Chemistry>,
    /// Days that a battery may stay full; 0 for no limit.
    pub full_days: Option<u8>,
    /// Storage voltage of a battery in V, if it is known.
    pub storage_voltage: Option<f64>,
    /// Set that a battery is in.
    pub set: Option<SetName>,
    /// Number on its sticker.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 999))]
    pub number: Option<u16>,
    /// Code of its sticker; empty when it has none.
    pub sticker: String,
    /// Space that it belongs to; only for an item of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub space: Option<SpaceName>,
    /// What the pilot may do with it; only for an item of a space.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub rights: Option<Rights>,
    /// Who is flying with it; only for an item of a space.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub in_use: Option<Occupied>,
    /// What it had flown before Fluglog; only if something is entered. No other field has it in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub prior: Option<PriorFlights>,
}

/// What a member may do with an item of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename_all = "camelCase")
)]
pub enum Rights {
    See,
    /// Fly, charge, add logs and readings.
    Use,
    /// Change it as well.
    Keep,
}

impl From<Right> for Rights {
    fn from(right: Right) -> Rights {
        match right {
            Right::Read => Rights::See,
            Right::Use => Rights::Use,
            Right::Maintain | Right::Manage => Rights::Keep,
        }
    }
}

/// The flight that is open with an item of a space.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Occupied {
    /// The pilot's name, or what stands for it.
    pub by: String,
    pub since: String,
    /// Whether it is the pilot who asks; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub mine: Option<bool>,
}

/// All active items, by kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AllEquipments {
    pub copters: Vec<Equipment>,
    pub batteries: Vec<Equipment>,
    pub goggles: Vec<Equipment>,
    pub sender: Vec<Equipment>,
    pub video_cams: Vec<Equipment>,
}

impl Equipment {
    /// Creates the wire form of an item at the time `now`.
    #[must_use]
    pub fn new(pack: Pack, shared: Option<Shared>, now: WallTime) -> Equipment {
        let text = |time: Option<WallTime>| time.map(|time| time.to_string()).unwrap_or_default();
        let current_charge = pack.voltages().last();
        let facts = pack.facts();
        let hints = hints(&pack, now);
        let light = traffic_light(&pack, &hints, now);
        let cycles = facts.and_then(|_| pack.health.aging.cycles(pack.item.details.capacity));
        let cycles_estimated = cycles.is_some() && pack.health.aging.is_estimated;
        let (state, cells) = (facts.and_then(|facts| facts.state()), pack.cells());
        let state_since = text(pack.state_since());
        let state_voltage = pack.state_voltage();
        let full_days = facts.map(|_| pack.item.profile.full_days.unwrap_or(FULL_DAYS));
        let storage_voltage = pack.storage_volts(None);
        let Pack {
            item, charging, set, ..
        } = pack;
        let (space, rights, in_use) = of_space(shared);
        let Item {
            details,
            totals,
            retirement,
            profile,
            prior,
            sticker,
            ..
        } = item;
        Equipment {
            dpf_id: item.id.to_string(),
            r#type: item.kind,
            name: details.name,
            model: details.model,
            manufacturer: details.manufacturer,
            purchase_date: details.purchase_date.map(|date| date.to_string()).unwrap_or_default(),
            seller: details.seller,
            weight: details.weight,
            deactivate_time: text(retirement.as_ref().map(|retirement| retirement.time)),
            deactivate_text: retirement.map(|retirement| retirement.reason).unwrap_or_default(),
            firmware_number: details.firmware_number,
            battery_type: details.battery_type,
            capacity: details.capacity,
            current_charge,
            charge_count: charging.count,
            usage_time: hours(totals.milliminutes),
            last_flight: text(totals.last_start),
            last_charge_time: text(charging.last_end),
            end_voltage: totals.end_voltage,
            last_charging: charging.open.map(|open| Charging::new(item.id, open)),
            state,
            state_voltage,
            state_since,
            light,
            doubtful: is_doubtful(&hints),
            cycles,
            cycles_estimated,
            cells,
            cells_guessed: cells.is_some() && profile.cells.is_none(),
            chemistry: profile.chemistry,
            full_days,
            storage_voltage,
            set: set.map(|set| SetName {
                dpf_id: set.id.to_string(),
                name: set.name,
            }),
            number: profile.number,
            sticker: sticker.map(|code| code.to_string()).unwrap_or_default(),
            space,
            rights,
            in_use,
            prior: (!prior.is_empty()).then(|| prior.into()),
        }
    }
}

/// Returns the fields that only an item of a space has.
fn of_space(shared: Option<Shared>) -> (Option<SpaceName>, Option<Rights>, Option<Occupied>) {
    let Some(Shared { space, right, in_use }) = shared else {
        return (None, None, None);
    };
    let in_use = in_use.map(|in_use| Occupied {
        by: in_use.by,
        since: in_use.since.to_string(),
        mine: in_use.mine.then_some(true),
    });
    (Some(space), Some(right.into()), in_use)
}

/// Converts to hours with two decimals.
fn hours(milliminutes: i64) -> f64 {
    // 2^53 thousandths of a minute are 17 million years.
    #[expect(clippy::cast_precision_loss)]
    let minutes = milliminutes as f64 / 1000.0;
    (minutes / 60.0 * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equipment::model::milliminutes;

    #[test]
    fn hours_have_two_decimals() {
        assert_eq!(hours(milliminutes(Some(65.0))).to_string(), "1.08");
        assert_eq!(hours(0).to_string(), "0");
    }
}
