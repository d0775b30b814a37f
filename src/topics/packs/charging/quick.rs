//! Quick actions: records packs as charged or stored by one tap. Whatever else a charging holds is derived or left
//! empty.

use crate::equipment;
use crate::packs::model::Pack;
use crate::packs::records::charging::details::{ChargerFigures, Purpose};
use crate::packs::records::charging::model::StoredCharging;
use crate::packs::records::charging::table;
use crate::packs::records::undo_records::{self, ChargingChange, Undoable};
use crate::packs::state::Measured;
use fluglog_accounts::guard::{Access, Right};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{ChargingId, EquipmentId};
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_store::Writer;
use fluglog_store::operations::model::Object;

/// A quick action on a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuickAction {
    Charged,
    Stored,
}

impl QuickAction {
    const fn purpose(self) -> Purpose {
        match self {
            QuickAction::Charged => Purpose::Full,
            QuickAction::Stored => Purpose::Storage,
        }
    }
}

/// Parameters of `QuickCharge` and `QuickStore`.
#[derive(Debug, Clone, Copy)]
pub struct QuickChargeParams {
    pub action: QuickAction,
    pub time: WallTime,
    /// V before the action, used for packs whose voltage is unknown.
    pub before: Option<f64>,
}

/// Finishes the open charging of each pack, or records a finished one: for all packs or none. Unknown voltages stay
/// open, and the purpose of the charging tells the state.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] for an item that is no battery, [`Error::Conflict`] for a retired one, or
/// beyond the limit of chargings.
pub fn record(app: &App, operation: Operation, batteries: Vec<EquipmentId>, params: QuickChargeParams) -> Result<()> {
    let viewer = operation.viewer();
    let (user, request, now) = (viewer.user(), operation.request(), app.clock.unix_seconds());
    operation.write(&app.store, move |writer| {
        let mut changes = Vec::new();
        for battery in &batteries {
            let access = equipment::access_with(writer, &viewer, *battery, Right::Use)?;
            changes.extend(record_one(writer, &access, *battery, params)?);
        }
        if let Some(request) = request {
            undo_records::put(writer, user, request, &Undoable { time: now, changes })?;
        }
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Records the action for one pack and returns the change; `None` when it repeats the last one.
fn record_one(
    writer: &Writer<'_>,
    access: &Access,
    battery: EquipmentId,
    params: QuickChargeParams,
) -> Result<Option<ChargingChange>> {
    let owner = access.owner();
    let pack = super::find_battery(writer, access, battery)?;
    if pack.item.retirement.is_some() && pack.charging.open.is_none() {
        return Err(Error::Conflict(text::CHARGING_OF_RETIRED));
    }
    let open = match &pack.charging.open {
        Some(open) => table::find(writer, owner, battery, open.id)?,
        None => None,
    };
    let known = pack.voltages().state_voltage().and_then(Measured::volts);
    let before = open
        .as_ref()
        .and_then(|open| open.from_voltage)
        .or(known)
        .or(params.before);
    let after = match params.action {
        QuickAction::Charged => pack.full_volts(params.before),
        QuickAction::Stored => pack.storage_volts(params.before),
    };
    if open.is_none() && is_recorded(&pack, params, after) {
        return Ok(None);
    }
    if open.is_none() && super::is_full(writer, owner, battery)? {
        return Err(Error::Conflict(text::CHARGINGS_TOO_MANY));
    }
    let charged = match params.action {
        QuickAction::Charged => equipment::consumed_since(writer, owner, battery, pack.charging.last_end)?,
        QuickAction::Stored => None,
    };
    let start = open.as_ref().map_or(params.time, |open| open.start);
    let figures = open.as_ref().map(|open| open.figures.clone()).unwrap_or_default();
    let charging = StoredCharging {
        id: open.as_ref().map_or_else(ChargingId::fresh, |open| open.id),
        start,
        end: Some(params.time.max(start)),
        from_voltage: before,
        to_voltage: match params.action {
            QuickAction::Charged => after.map(|after| before.map_or(after, |before| after.max(before))),
            QuickAction::Stored => after,
        },
        from_cell_voltage: open.as_ref().and_then(|open| open.from_cell_voltage),
        to_cell_voltage: None,
        charged,
        flight: None,
        figures: match before.and(after) {
            Some(_) => figures,
            None => ChargerFigures {
                purpose: Some(params.action.purpose()),
                ..figures
            },
        },
    };
    super::put(writer, access, battery, open.as_ref(), &charging)?;
    Ok(Some(ChargingChange {
        battery,
        before: open,
        after: charging,
    }))
}

/// Returns whether a charging with this result already ended in this minute, as after a second tap.
fn is_recorded(pack: &Pack, params: QuickChargeParams, volts: Option<f64>) -> bool {
    let (time, totals) = (params.time, &pack.charging);
    match volts {
        Some(volts) => totals
            .last_finished
            .is_some_and(|last| last.time == time && last.volts.total_cmp(&volts).is_eq()),
        None => totals
            .last_stated
            .is_some_and(|last| last.time == time && last.purpose == params.action.purpose()),
    }
}
