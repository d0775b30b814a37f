//! Passport of a battery pack: everything known of it, on one page.

use serde::Serialize;

use super::aging::{Trend, trend};
use super::charging;
use super::hints::{BatteryHint, dismissed_hints, hints};
use super::model::Pack;
use super::pilots::UsePilots;
use super::readings;
use super::records::charging::details::Purpose;
use super::records::charging::model::{StoredCharging, id_of_flight};
use super::records::health::charge;
use super::records::readings::model::{BatteryReading, StoredReading};
use super::state::{Measured, PackState};
use super::wire::Equipment;
use crate::equipment;
use crate::equipment::battery_profile::Profile;
use crate::equipment::model::Use;
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::{ChargingId, EquipmentId, FlightId};
use fluglog_base::page::Page;
use fluglog_base::time::WallTime;

/// Most flights in the chart.
const MAX_FLIGHTS: usize = 40;
/// Most readings in the charts; enough for years.
const MAX_READINGS: usize = 200;
const TIMELINE_PAGE: usize = 100;

/// Everything known of a pack.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct BatteryPassport {
    pub battery: Equipment,
    pub profile: Profile,
    /// Gravest first
    pub hints: Vec<BatteryHint>,
    /// Hints that its pilot has dismissed
    pub dismissed: Vec<BatteryHint>,
    /// End of the snooze of its hints; empty when it isn't snoozed.
    pub snoozed_until: String,
    pub trend: Trend,
    pub flight_count: usize,
    /// Latest flights with a voltage, oldest first
    pub flights: Vec<PackFlight>,
    /// Latest readings, newest first
    pub readings: Vec<BatteryReading>,
    /// Newest first
    pub timeline: Vec<PassportEntry>,
}

/// A flight of a pack.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct PackFlight {
    /// Empty for another pilot's flight.
    pub flight: String,
    pub time: String,
    /// V
    pub from_voltage: Option<f64>,
    /// V
    pub to_voltage: Option<f64>,
}

/// Kind of an entry in a pack's timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS, utoipa::ToSchema),
    ts(export, rename_all = "camelCase")
)]
pub enum PassportDeed {
    Flight,
    Charging,
    Charge,
    Discharge,
    Storage,
    Reading,
}

/// An entry in a pack's timeline.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct PassportEntry {
    pub dpf_id: String,
    pub deed: PassportDeed,
    pub time: String,
    /// Duration
    pub minutes: Option<f64>,
    /// V
    pub from_voltage: Option<f64>,
    /// V
    pub to_voltage: Option<f64>,
    /// mAh, charged or drawn
    pub charged: Option<f64>,
    /// Null for another pilot's flight.
    pub flight: Option<String>,
    pub reading: Option<BatteryReading>,
    /// Pilot of the flight; only for an item of a space.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub pilot: Option<String>,
}

/// An entry of the timeline before it is formatted.
struct TimelineItem {
    id: ChargingId,
    time: WallTime,
    of: EntrySource,
}

enum EntrySource {
    Charging(StoredCharging),
    Flight(FlightId, Use),
    Reading(StoredReading),
}

/// Returns the passport of a battery.
///
/// # Errors
/// Like [`readings::find_battery`], or an invalid page.
pub fn get(app: &App, viewer: &Viewer, battery: EquipmentId, page: Page<ChargingId>) -> Result<BatteryPassport> {
    let now = app.clock.now();
    app.store.read(|data| {
        let access = &equipment::access_to(data, viewer, battery)?;
        let pack = readings::find_battery(data, access, battery)?;
        let pilots = UsePilots::read(data, viewer, access, battery)?;
        let read = readings::of(data, access, battery)?;
        let chargings = charging::recorded(data, access, battery)?;
        let uses = equipment::uses_of(data, access.owner(), battery)?;
        let charges: Vec<_> = chargings.iter().filter_map(charge).collect();
        let trend = trend(
            pack.nominal(),
            &charges,
            &uses.iter().map(Use::as_discharge).collect::<Vec<_>>(),
        );
        let mut flown: Vec<_> = uses.iter().filter(|used| used.end_voltage.is_some()).collect();
        flown.sort_by_key(|used| used.start);
        flown.drain(..flown.len().saturating_sub(MAX_FLIGHTS));
        let shown = read.iter().rev().take(MAX_READINGS).cloned();
        let shown = shown.map(|reading| pilots.reading(reading));
        let shown: Vec<_> = shown.collect();
        Ok(BatteryPassport {
            profile: pack.item.profile.clone(),
            hints: hints(&pack, now),
            dismissed: dismissed_hints(&pack, now),
            snoozed_until: pack
                .snooze
                .until
                .filter(|until| *until > now)
                .map(|until| until.to_string())
                .unwrap_or_default(),
            trend,
            flight_count: uses.len(),
            flights: flown.into_iter().map(|used| flight(&pilots, used)).collect(),
            readings: shown,
            timeline: timeline(&pack, &pilots, (chargings, uses, read), page)?,
            battery: super::equipment_of(data, access, pack, now)?,
        })
    })
}

fn flight(pilots: &UsePilots, used: &Use) -> PackFlight {
    PackFlight {
        flight: match pilots.is_own(used.flight) {
            true => used.flight.to_string(),
            false => String::new(),
        },
        time: used.start.to_string(),
        from_voltage: used.start_voltage,
        to_voltage: used.end_voltage,
    }
}

fn timeline(
    pack: &Pack,
    pilots: &UsePilots,
    (chargings, uses, readings): (Vec<StoredCharging>, Vec<Use>, Vec<StoredReading>),
    page: Page<ChargingId>,
) -> Result<Vec<PassportEntry>> {
    let charged = chargings.into_iter().map(|charging| TimelineItem {
        id: charging.id,
        time: charging.end.unwrap_or(charging.start),
        of: EntrySource::Charging(charging),
    });
    let flown = uses.into_iter().map(|used| TimelineItem {
        id: id_of_flight(pack.item.id, used.flight),
        time: used.start,
        of: EntrySource::Flight(used.flight, used),
    });
    let read = readings.into_iter().map(|reading| TimelineItem {
        id: ChargingId::from_key(pilots.reading_id(reading.id).key()),
        time: reading.time,
        of: EntrySource::Reading(reading),
    });
    let mut parts: Vec<_> = charged.chain(flown).chain(read).collect();
    parts.sort_by_key(|part| std::cmp::Reverse((part.time, part.id)));
    let page = Page {
        limit: page.limit.or(Some(TIMELINE_PAGE)),
        ..page
    };
    let parts = page.of(parts, |part| part.id)?;
    Ok(parts.into_iter().map(|part| entry(pack, pilots, part)).collect())
}

fn entry(pack: &Pack, pilots: &UsePilots, part: TimelineItem) -> PassportEntry {
    let empty = PassportEntry {
        dpf_id: part.id.to_string(),
        deed: PassportDeed::Reading,
        time: part.time.to_string(),
        minutes: None,
        from_voltage: None,
        to_voltage: None,
        charged: None,
        flight: None,
        reading: None,
        pilot: None,
    };
    match part.of {
        EntrySource::Flight(flight, used) => PassportEntry {
            deed: PassportDeed::Flight,
            minutes: used.minutes,
            from_voltage: used.start_voltage,
            to_voltage: used.end_voltage,
            charged: used.consumed,
            flight: pilots.is_own(flight).then(|| flight.to_string()),
            pilot: pilots.name(flight),
            ..empty
        },
        EntrySource::Charging(charging) => PassportEntry {
            deed: kind_of(pack, &charging),
            minutes: charging.end.map(|end| minutes(charging.start, end)),
            from_voltage: charging.from_voltage,
            to_voltage: charging.to_voltage,
            charged: charging.charged,
            ..empty
        },
        EntrySource::Reading(reading) => PassportEntry {
            to_voltage: reading.volts(),
            reading: Some(pilots.reading(reading)),
            ..empty
        },
    }
}

/// Returns what a charging was for, as far as its voltages or its purpose tell.
fn kind_of(pack: &Pack, charging: &StoredCharging) -> PassportDeed {
    let is_stored = match charging.to_voltage {
        Some(volts) => pack.state_at(Measured::AtRest(volts)) == Some(PackState::Storage),
        None => charging.figures.purpose == Some(Purpose::Storage),
    };
    match charging.end {
        None => PassportDeed::Charging,
        Some(_) if is_stored => PassportDeed::Storage,
        Some(_) if charging.is_discharge() => PassportDeed::Discharge,
        Some(_) => PassportDeed::Charge,
    }
}

fn minutes(from: WallTime, to: WallTime) -> f64 {
    // Less than 2^53.
    #[expect(clippy::cast_precision_loss)]
    let minutes = (to.minutes() - from.minutes()) as f64;
    minutes
}
