//! Maintenance hints of a pack, as a function of its records and the current time. `README.de.md` has their sources.
//!
//! Hints state what was measured and what makers recommend, never that a pack is safe.

use serde::Serialize;

use super::model::Pack;
use super::records::readings::condition::{HighestResistance, PackCondition, ResistanceGrowth};
use super::records::sets::model::SetMembership;
use super::state::{PackState, microvolts};
use crate::equipment::battery_profile::Chemistry;
use crate::equipment::model::Kind;
use crate::light::Light;
use fluglog_base::number::format_german;
use fluglog_base::time::WallTime;

/// Severity of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename_all = "camelCase")
)]
pub enum Level {
    Amber,
    Red,
}

/// Rule that a hint follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename_all = "camelCase")
)]
pub enum Rule {
    Full,
    Empty,
    Low,
    Unchecked,
    Idle,
    CellsApart,
    Resistance,
    OneCell,
    Capacity,
    LandedLow,
    Swollen,
    Damaged,
    Sum,
    ChargingOpen,
    SetApart,
    SetAging,
}

/// Rules about ageing, whose amber hints no action ends: a pilot can dismiss them. The places are on disk.
const DISMISSIBLE: [(&str, Rule); 5] = [
    ("capacity", Rule::Capacity),
    ("resistance", Rule::Resistance),
    ("oneCell", Rule::OneCell),
    ("cellsApart", Rule::CellsApart),
    ("setAging", Rule::SetAging),
];

impl Rule {
    /// Returns the rule of this name, if its hints can be dismissed.
    #[must_use]
    pub(crate) fn dismissible(name: &str) -> Option<Rule> {
        let found = DISMISSIBLE.iter().find(|(known, _)| *known == name);
        found.map(|(_, rule)| *rule)
    }

    /// Returns the code of the rule on disk, if its hints can be dismissed.
    #[must_use]
    pub(crate) fn dismissal_code(self) -> Option<u8> {
        let place = DISMISSIBLE.iter().position(|(_, rule)| *rule == self)?;
        u8::try_from(place).ok()
    }

    /// Returns whether the rule is about a whole set, and not about a single pack.
    #[must_use]
    pub(crate) const fn is_of_set(self) -> bool {
        matches!(self, Rule::SetApart | Rule::SetAging)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct BatteryHint {
    pub rule: Rule,
    pub level: Level,
    pub text: String,
    /// Whether `SnoozeBattery` with this rule ends it for good.
    pub can_dismiss: bool,
}

const DAY: i64 = 24 * 60;
const FULL_RED_DAYS: i64 = 7;
const EMPTY_DAYS: [i64; 2] = [2, 7];
const UNCHECKED_DAYS: i64 = 90;
const IDLE_DAYS: i64 = 10;
const CHARGING_HOURS: i64 = 4;
/// µV, amber and red.
const APART: [i64; 2] = [30_000, 100_000];
const SUM_OFF: i64 = 300_000;
const LANDED: [i64; 2] = [3_300_000, 3_000_000];
/// Factor over the first values of the same cell, amber and red.
const GROWN: [f64; 2] = [1.5, 2.0];
/// Factor over the median of the pack, and the least difference in mΩ.
const ABOVE_OTHERS: [f64; 2] = [1.5, 2.0];
/// µV per cell between members of a set, amber and red.
const SET_APART: [i64; 2] = [50_000, 100_000];
/// Greatest lag of the youngest member, as a fraction of the oldest one's full cycles.
const SET_AGING: f64 = 0.2;
/// Fewest full cycles of the oldest member that deserve a hint.
const SET_CYCLES: f64 = 5.0;
/// Percent of the nominal capacity, amber and red.
const CAPACITY: [f64; 2] = [90.0, 80.0];

/// Days that a pack may stay full, unless its profile says otherwise.
pub(crate) const FULL_DAYS: u8 = 3;

/// After this time without a record the state of a pack counts as unknown.
const KNOWN_DAYS: i64 = 90;

/// Returns the traffic light of a pack with these hints; `None` for an item that is no pack in use.
#[must_use]
pub(crate) fn traffic_light(pack: &Pack, hints: &[BatteryHint], now: WallTime) -> Option<Light> {
    if pack.item.kind != Kind::Battery || pack.item.retirement.is_some() {
        return None;
    }
    let is_recent = pack.last_seen().is_some_and(|last| days(last, now) < KNOWN_DAYS);
    Some(match hints.iter().map(|hint| hint.level).max() {
        Some(Level::Red) => Light::Red,
        Some(Level::Amber) => Light::Amber,
        None if is_recent && pack.state().is_some() => Light::Green,
        None => Light::Grey,
    })
}

/// Returns the hints of a pack, gravest first, without the dismissed ones.
#[must_use]
pub fn hints(pack: &Pack, now: WallTime) -> Vec<BatteryHint> {
    let mut hints = all_hints(pack, now);
    hints.retain(|hint| !is_dismissed(pack, hint));
    hints
}

/// Returns the hints of a pack that its pilot has dismissed.
#[must_use]
pub(crate) fn dismissed_hints(pack: &Pack, now: WallTime) -> Vec<BatteryHint> {
    let mut hints = all_hints(pack, now);
    hints.retain(|hint| is_dismissed(pack, hint));
    hints
}

/// Returns whether a hint advises against a flight: damage, a low voltage, or what was measured. How long a pack has
/// been full or empty doesn't.
#[must_use]
pub(crate) fn is_doubtful(hints: &[BatteryHint]) -> bool {
    let advises = |hint: &BatteryHint| hint.level == Level::Red && !matches!(hint.rule, Rule::Full | Rule::Empty);
    hints.iter().any(advises)
}

fn is_dismissed(pack: &Pack, hint: &BatteryHint) -> bool {
    let code = hint.rule.dismissal_code().filter(|_| hint.can_dismiss);
    code.is_some_and(|code| pack.snooze.dismissed.contains(&code))
}

fn all_hints(pack: &Pack, now: WallTime) -> Vec<BatteryHint> {
    if pack.item.kind != Kind::Battery || pack.item.retirement.is_some() {
        return Vec::new();
    }
    let condition = &pack.health.condition;
    let found = swollen_or_damaged(condition)
        .into_iter()
        .chain(of_state(pack, now))
        .chain(charging_open(pack, now))
        .chain(landed_low(pack))
        .chain(condition.apart.and_then(cells_apart))
        .chain(condition.sum.and_then(sum_off))
        .chain(condition.growth.and_then(resistance))
        .chain(condition.highest.and_then(one_cell))
        .chain(capacity(pack))
        .chain(pack.set.as_ref().and_then(set_apart))
        .chain(pack.set.as_ref().and_then(set_aging));
    let mut hints: Vec<_> = found.collect();
    hints.sort_by_key(|hint| std::cmp::Reverse(hint.level));
    hints
}

fn hint(rule: Rule, is_red: bool, text: String) -> BatteryHint {
    let level = if is_red { Level::Red } else { Level::Amber };
    BatteryHint {
        rule,
        level,
        text,
        can_dismiss: !is_red && rule.dismissal_code().is_some(),
    }
}

fn days(from: WallTime, now: WallTime) -> i64 {
    ((now.minutes() - from.minutes()) / DAY).max(0)
}

fn counted_days(days: i64) -> String {
    if days == 1 {
        "1 Tag".to_owned()
    } else {
        format!("{days} Tagen")
    }
}

fn of_state(pack: &Pack, now: WallTime) -> Option<BatteryHint> {
    if pack.item.profile.chemistry == Some(Chemistry::Smart) {
        return idle(pack, now);
    }
    if !pack.are_cells_stated() {
        return None;
    }
    let since = pack.state_since();
    let past = since.map_or(0, |since| days(since, now));
    match pack.state()? {
        PackState::Full => {
            let most = i64::from(pack.item.profile.full_days.unwrap_or(FULL_DAYS));
            let volts = pack
                .storage_volts(None)
                .map(|volts| format!(" (etwa {} V)", format_german(volts, 1)));
            let text = format!(
                "Seit {} voll. Fliegen oder auf Lagerspannung bringen{}.",
                counted_days(past),
                volts.unwrap_or_default()
            );
            (most > 0 && past >= most).then(|| hint(Rule::Full, past >= FULL_RED_DAYS, text))
        }
        PackState::Empty => {
            let text = format!("Seit {} leer.", counted_days(past));
            (past >= EMPTY_DAYS[0]).then(|| hint(Rule::Empty, past >= EMPTY_DAYS[1], text))
        }
        PackState::Low => {
            let volts = pack.voltages().last().zip(pack.cells());
            let cell = volts.map(|(volts, cells)| volts / f64::from(cells));
            let text = format!(
                "Zuletzt {} V je Zelle. Vor dem Laden prüfen.",
                format_german(cell.unwrap_or_default(), 1)
            );
            Some(hint(Rule::Low, true, text))
        }
        PackState::Storage => {
            let last = pack.last_seen()?;
            let text = format!("Seit {} Monaten nicht geprüft.", days(last, now) / 30);
            (days(last, now) >= UNCHECKED_DAYS).then(|| hint(Rule::Unchecked, false, text))
        }
        PackState::Partial | PackState::Charging | PackState::Flying => None,
    }
}

fn idle(pack: &Pack, now: WallTime) -> Option<BatteryHint> {
    let past = days(pack.last_seen()?, now);
    let text = format!("Seit {past} Tagen unbenutzt. DJI rät zu 40–65 %.");
    (past >= IDLE_DAYS).then(|| hint(Rule::Idle, false, text))
}

fn charging_open(pack: &Pack, now: WallTime) -> Option<BatteryHint> {
    let open = pack.charging.open.as_ref()?;
    let hours = (now.minutes() - open.start.minutes()) / 60;
    (hours >= CHARGING_HOURS).then(|| hint(Rule::ChargingOpen, false, format!("Lädt seit {hours} Stunden.")))
}

fn landed_low(pack: &Pack) -> Option<BatteryHint> {
    let cells = pack.cells().filter(|_| pack.are_cells_stated())?;
    let volts = pack.item.totals.end_voltage?;
    let is_below = |cell| microvolts(volts) < cell * i64::from(cells);
    let cell = format_german(volts / f64::from(cells), 1);
    let text = format!("Letzter Flug endete bei {cell} V je Zelle.");
    is_below(LANDED[0]).then(|| hint(Rule::LandedLow, is_below(LANDED[1]), text))
}

/// Returns hints that last until the reading behind them is changed or deleted.
fn swollen_or_damaged(condition: &PackCondition) -> Vec<BatteryHint> {
    const REST: &str = "Nicht mehr laden, nach Angaben des Herstellers entsorgen.";
    let mut hints = Vec::new();
    if condition.swollen {
        hints.push(hint(Rule::Swollen, true, format!("Aufgebläht. {REST}")));
    }
    if condition.damaged {
        hints.push(hint(Rule::Damaged, true, format!("Beschädigt. {REST}")));
    }
    hints
}

/// Returns a hint about cells that differ by `apart` µV.
fn cells_apart(apart: i64) -> Option<BatteryHint> {
    // Less than 2^53.
    #[expect(clippy::cast_precision_loss)]
    let volts = apart as f64 / 1_000_000.0;
    let text = format!("Zellen {} V auseinander.", format_german(volts, 3));
    (apart >= APART[0]).then(|| hint(Rule::CellsApart, apart >= APART[1], text))
}

/// Returns a hint about a sum of cells and a pack's voltage, in V, that don't match.
fn sum_off((sum, volts): (f64, f64)) -> Option<BatteryHint> {
    let text = format!(
        "Summe der Zellen {} V, Akku {} V: Wert prüfen.",
        format_german(sum, 2),
        format_german(volts, 2)
    );
    ((microvolts(volts) - microvolts(sum)).abs() > SUM_OFF).then(|| hint(Rule::Sum, false, text))
}

fn resistance(growth: ResistanceGrowth) -> Option<BatteryHint> {
    let times = growth.now / growth.baseline;
    let text = format!(
        "Zelle {}: {} mΩ, {}-mal so viel wie am Anfang ({}).",
        growth.cell,
        one_decimal(growth.now),
        one_decimal(times),
        one_decimal(growth.baseline)
    );
    (times >= GROWN[0]).then(|| hint(Rule::Resistance, times >= GROWN[1], text))
}

fn one_cell(highest: HighestResistance) -> Option<BatteryHint> {
    let text = format!(
        "Zelle {} liegt {} % über den anderen.",
        highest.cell,
        format_german((highest.now / highest.median - 1.0) * 100.0, 0)
    );
    let stands_out = highest.now >= highest.median * ABOVE_OTHERS[0] && highest.now - highest.median >= ABOVE_OTHERS[1];
    stands_out.then(|| hint(Rule::OneCell, false, text))
}

/// Red only if the capacity was measured: an estimate is too uncertain to keep a pilot from a flight.
fn capacity(pack: &Pack) -> Option<BatteryHint> {
    let (aging, nominal) = (&pack.health.aging, pack.nominal());
    let percent = aging.percent(&nominal)?;
    let is_red = percent < CAPACITY[1] && aging.is_percent_measured(&nominal);
    let text = format!("Noch etwa {} % der Nennkapazität.", format_german(percent, 0));
    (percent < CAPACITY[0]).then(|| hint(Rule::Capacity, is_red, text))
}

/// Red only if a pack is charged, so that a flight comes next; packs that are charged one after another differ
/// meanwhile.
fn set_apart(set: &SetMembership) -> Option<BatteryHint> {
    let apart = set.apart?;
    // Less than 2^53.
    #[expect(clippy::cast_precision_loss)]
    let volts = apart.microvolts as f64 / 1_000_000.0;
    let text = format!(
        "Satz „{}“: {} V je Zelle auseinander.",
        set.name,
        format_german(volts, 2)
    );
    let is_red = apart.is_charged && apart.microvolts >= SET_APART[1];
    (apart.microvolts >= SET_APART[0]).then(|| hint(Rule::SetApart, is_red, text))
}

fn set_aging(set: &SetMembership) -> Option<BatteryHint> {
    let [least, most] = set.cycles?;
    let text = format!(
        "Satz „{}“: von {} bis {} Vollzyklen.",
        set.name,
        one_decimal(least),
        one_decimal(most)
    );
    let is_uneven = most >= SET_CYCLES && most - least > most * SET_AGING;
    is_uneven.then(|| hint(Rule::SetAging, false, text))
}

/// Formats with one decimal (`7,0`), as chargers do.
fn one_decimal(value: f64) -> String {
    format!("{value:.1}").replace('.', ",")
}

#[cfg(test)]
mod tests;
