//! Packs that need attention: the maintenance hints of all packs in one list, and snoozing them.

use std::cmp::Reverse;
use std::collections::HashSet;

use serde::Serialize;

use super::hints::{Level, Rule, hints};
use super::model::{Pack, sort_by_name};
use super::records::sets::table as sets;
use super::records::snoozes;
use super::table;
use crate::equipment;
use fluglog_accounts::guard::{Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::EquipmentId;
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_store::Snapshot;
use fluglog_store::operations::model::Object;

const DAY_MINUTES: i64 = 24 * 60;

/// A maintenance hint of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct PackHint {
    pub dpf_id: String,
    pub name: String,
    pub rule: Rule,
    pub level: Level,
    pub text: String,
    /// Whether `SnoozeBattery` with this rule ends it for good.
    pub can_dismiss: bool,
}

/// Returns the hints of all packs in use that the pilot maintains, gravest first and then by name, without snoozed
/// packs.
pub(crate) fn hints_of_all(app: &App, viewer: &Viewer) -> Result<Vec<PackHint>> {
    let now = app.clock.now();
    app.store.read(|data| hints_of_pilot(data, viewer, now))
}

/// Like [`hints_of_all`], but within a transaction of another topic.
pub(crate) fn hints_of_pilot(data: &Snapshot<'_>, viewer: &Viewer, now: WallTime) -> Result<Vec<PackHint>> {
    let mut packs = Vec::new();
    for access in spaces::accesses(data, viewer)? {
        if access.check(Right::Maintain).is_ok() {
            packs.extend(table::all(data, &access)?);
        }
    }
    packs.retain(|pack| pack.snooze.until.is_none_or(|until| until <= now));
    sort_by_name(&mut packs);
    let mut told = HashSet::new();
    let mut waiting = Vec::new();
    for pack in &packs {
        let set = pack.set.as_ref().map(|set| set.id);
        // A hint about a set is reported once for all members.
        let mut is_new = |hint: &PackHint| !hint.rule.is_of_set() || told.insert((hint.rule, set));
        waiting.extend(of_pack(pack, now).filter(|hint| is_new(hint)));
    }
    waiting.sort_by_key(|hint| Reverse(hint.level));
    Ok(waiting)
}

fn of_pack(pack: &Pack, now: WallTime) -> impl Iterator<Item = PackHint> {
    hints(pack, now).into_iter().map(|hint| PackHint {
        dpf_id: pack.item.id.to_string(),
        name: pack.item.details.name.clone(),
        rule: hint.rule,
        level: hint.level,
        text: hint.text,
        can_dismiss: hint.can_dismiss,
    })
}

/// Snoozes the hints of a battery for `days` days; 0 ends the snooze. With a rule only its hint, and for good: that of
/// a set for each of its batteries.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`], [`fluglog_base::error::Error::Invalid`] when the item is no battery.
pub fn snooze(app: &App, operation: Operation, battery: EquipmentId, days: u8, rule: Option<Rule>) -> Result<()> {
    let viewer = operation.viewer();
    let until = app.clock.now().plus_minutes(i64::from(days) * DAY_MINUTES);
    let until = until.filter(|_| days > 0);
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, battery, Right::Maintain)?;
        table::find_battery_item(writer, &access, battery, text::NO_PASSPORT)?;
        let owner = access.owner();
        let Some(rule) = rule else {
            snoozes::change(writer, owner, battery, |snooze| snooze.until = until)?;
            return Ok(Outcome::new(Object::NONE, ()));
        };
        let set = sets::with_member(writer, owner, battery)?.filter(|_| rule.is_of_set());
        for member in set.map_or_else(|| vec![battery], |set| set.members) {
            snoozes::change(writer, owner, member, |snooze| {
                snooze.dismissed.retain(|code| Some(*code) != rule.dismissal_code());
                snooze.dismissed.extend(rule.dismissal_code().filter(|_| days > 0));
            })?;
        }
        Ok(Outcome::new(Object::NONE, ()))
    })
}
