//! Calls of equipment and packs: HTTP in and out, no rules. `CALLS` says what each takes and answers.

use warp::http::StatusCode;

use super::UsePilots;
use super::attention;
use super::charging;
use super::charging::quick::{self, QuickAction, QuickChargeParams};
use super::charging::undo;
use super::hints::Rule;
use super::model::ListedPack;
use super::passport;
use super::readings;
use super::records::charging::details::DETAILS as DETAILS_OF_CHARGER;
use super::records::charging::model::{Charging, ChargingForm, Chargings, ENTRIES, StoredCharging};
use super::records::readings::model::{BatteryReading, ENTRIES as READING_ENTRIES, ReadingChanges, StoredReading};
use super::records::sets::model::{BatterySet, ENTRIES as SET_ENTRIES, SetChanges};
use super::sets;
use super::wire::{AllEquipments, Equipment};
use crate::done_at::{INSTANT, TIME, past_time, with_zone};
use crate::equipment::battery_profile::{PROFILE, ProfileChanges};
use crate::equipment::model::{DETAILS, DetailChanges, Details, Kind, TYPE};
use crate::equipment::stickers;
use crate::equipment::{self, NewItem};
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::guard::{Access, Viewer, access_to};
use fluglog_accounts::operation::Operation;
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::declared::{Declared, joined};
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::{ChargingId, EquipmentId, ReadingId, RequestId, SetId, SpaceId};
use fluglog_base::input::Fields;
use fluglog_base::page::{LIMIT, Page};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::listing::LazyList;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetEquipment", "One item.",
        Handler::Record(get_equipment), ONE, &[Answer::json(200, "Equipment")], &[]),
    Call::post("GetEquipments",
        "The items of a kind in use, or the retired ones, sorted by name: the pilot's own, then those of each space. \
         With `space` only those of that one.",
        Handler::Pilot(get_equipments), LIST, &[Answer::list(200, "Equipment")], &[]).gzipped(),
    Call::get("GetAllEquipments", "All items in use: the pilot's own, then those of each space.",
        Handler::Pilot(get_all_equipments), &[], &[Answer::json(200, "AllEquipments")], &[]).gzipped(),
    Call::post("SaveNewEquipment",
        "Adds an item, to `space` or to the pilot's own. Fields that its kind doesn't have are ignored.",
        Handler::Change(save_new_equipment, item_now), NEW, &[Answer::json(200, "Equipment")], &[409])
        .writing_to(owner_of_new_item),
    Call::post("SaveEditEquipment",
        "Changes an item. What isn't sent stays, what is empty is cleared.",
        Handler::Change(save_edit_equipment, item_now), EDIT, &[Answer::json(200, "Equipment")], &[409])
        .adds_nothing().writing_to(owner_of_edited_item),
    Call::post("DeactivateEquipment", "Retires an item.",
        Handler::Change(deactivate_equipment, item_now), DEACTIVATE,
        &[Answer::json(200, "Equipment")], &[409]).adds_nothing().writing_to(owner_of_item),
    Call::post("ActivateEquipment", "Takes a retired item into use again.",
        Handler::Change(activate_equipment, item_now), ONE, &[Answer::json(200, "Equipment")], &[409])
        .adds_nothing().writing_to(owner_of_item),
    Call::post("SaveCharging",
        "Starts a charging, finishes it or changes it: the one of `dpfId`, or else a new one. What isn't sent of an \
         old one stays.",
        Handler::Change(save_charging, charging_now), SAVE_CHARGING,
        &[Answer::json(200, "Charging")], &[409]).adds_unless("dpfId").writing_to(owner_of_battery),
    Call::post("SaveBatteryProfile",
        "Changes what a battery is made of. What isn't sent stays, what is empty is cleared.",
        Handler::Change(save_battery_profile, item_now), SAVE_PROFILE,
        &[Answer::json(200, "Equipment")], &[]).adds_nothing().writing_to(owner_of_battery),
    Call::post("QuickCharge",
        "Says that batteries were charged full, now or at `time`: ids with `;` between. An open charging is \
         finished, else a finished one is recorded. `voltage` is that before, where nobody knows it; without it \
         the voltages that nobody knows stay open.",
        Handler::Change(quick_charge, call::nothing), QUICK, &[Answer::empty(200)], &[409])
        .writing_to(owners_of_batteries),
    Call::post("QuickStore",
        "As `QuickCharge`, of batteries that were brought to the voltage to be stored with.",
        Handler::Change(quick_store, call::nothing), QUICK, &[Answer::empty(200)], &[409])
        .writing_to(owners_of_batteries),
    Call::post("Undo",
        "Takes back a `QuickCharge` or `QuickStore` within 60 seconds: `undo` is its `requestId`.",
        Handler::Change(undo, call::nothing), UNDO, &[Answer::empty(200)], &[409]).adds_nothing(),
    Call::post("GetBatteryPassport",
        "All that is known of a battery: its state, what it waits for, its readings and how it ages, and its life, \
         the newest first: one page of `limit` entries that come after `before`, or 100.",
        Handler::Pilot(get_battery_passport), PASSPORT, &[Answer::json(200, "BatteryPassport")], &[]).gzipped(),
    Call::post("GetBatteryHints",
        "What the batteries in use wait for, the gravest first, without those that their pilot put off.",
        Handler::Pilot(get_battery_hints), &[], &[Answer::list(200, "PackHint")], &[]).gzipped(),
    Call::post("SaveBatterySet",
        "Changes a set of batteries, or adds one: 2 to 8 ids with `;` between. What isn't sent of an old one stays.",
        Handler::Change(save_battery_set, set_now), SAVE_SET,
        &[Answer::json(200, "BatterySet")], &[409]).adds_unless("set").writing_to(owner_of_set),
    Call::post("DeleteBatterySet", "Deletes a set; its batteries stay.",
        Handler::Change(delete_battery_set, call::nothing), DELETE_SET,
        &[Answer::empty(200)], &[]).adds_nothing().writing_to(owner_of_deleted_set),
    Call::post("SnoozeBattery",
        "Puts off what a battery waits for by so many days; 0: no longer. Its light stays as it is. With `rule` it \
         dismisses for good, or with 0 days shows again, the hint of that rule alone.",
        Handler::Change(snooze_battery, call::nothing), SNOOZE, &[Answer::empty(200)], &[])
        .adds_nothing().writing_to(owner_of_item),
    Call::post("SaveBatteryReading",
        "Adds a reading of a battery: lists have `;` between their values, one for each cell. It is of now, unless \
         `time` says so.",
        Handler::Change(save_battery_reading, reading_now), SAVE_READING,
        &[Answer::json(201, "BatteryReading")], &[409]).writing_to(owner_of_battery),
    Call::post("EditBatteryReading",
        "Changes a reading. What isn't sent stays, what is empty is cleared.",
        Handler::Change(edit_battery_reading, reading_now), EDIT_READING,
        &[Answer::json(200, "BatteryReading")], &[]).adds_nothing().writing_to(owner_of_battery),
    Call::post("DeleteBatteryReading", "Deletes a reading.",
        Handler::Change(delete_battery_reading, call::nothing), DELETE_READING,
        &[Answer::empty(200)], &[]).adds_nothing().writing_to(owner_of_battery),
    Call::post("GetChargings", "The chargings of a battery, the newest first.",
        Handler::Pilot(get_chargings), CHARGINGS, &[Answer::json(200, "Chargings")], &[]).gzipped(),
    Call::post("GetSticker",
        "The item that a sticker is on. 403 with a sentence for whoever finds another pilot's.",
        Handler::Record(get_sticker), STICKER, &[Answer::json(200, "Equipment")], &[429]),
];

const ID: Required<EquipmentId> = Field::id("dpfId").required(text::FIELD_MISSING);
const BEFORE: Field<ChargingId> = Field::id("before");
const BEFORE_ITEM: Field<EquipmentId> = Field::id("before");
const RETIRED: Field<bool> = Field::boolean("deactivated");
/// The space that an item belongs to.
const SPACE: Field<SpaceId> = Field::id("space");
const NEW_ID: Field<EquipmentId> = Field::new_id("dpfId");
const NEW_ITEM: Required<Fields> =
    Field::object("equipment", joined!(&[TYPE.declared()], DETAILS)).required(text::FIELD_MISSING);
const EDITED_ITEM: Required<Fields> =
    Field::object("equipment", joined!(&[ID.declared()], DETAILS)).required(text::FIELD_MISSING);
const REASON: Required<String> = Field::line("info", MAX_TEXT_CHARACTERS).required(text::EQUIPMENT_REASON_MISSING);
const BATTERY: Required<EquipmentId> = Field::id("battery").required(text::FIELD_MISSING);
const CHARGING: Field<ChargingId> = Field::id("dpfId");
/// Id of a new charging; `dpfId` names an existing one.
const NEW_CHARGING: Field<ChargingId> = Field::new_id("charging");

/// Ids separated by `;`.
const BATTERIES: Required<String> = Field::line("battery", MAX_PACKS * 37).required(text::FIELD_MISSING);
/// `requestId` of the call to undo.
const UNDONE: Required<RequestId> = Field::request_id("undo").required(text::FIELD_MISSING);
const VOLTAGE: Field<f64> = Field::number("voltage");
const READING: Required<ReadingId> = Field::id("dpfId").required(text::FIELD_MISSING);
const NEW_READING: Field<ReadingId> = Field::new_id("reading");
const SET: Field<SetId> = Field::id("set");
const ONE_SET: Required<SetId> = SET.required(text::FIELD_MISSING);
/// Id of a new set; `set` names an existing one.
const NEW_SET: Field<SetId> = Field::new_id("dpfId");
const SNOOZE_DAYS: Required<u8> =
    Field::integer("days", 0..=90, text::SNOOZE_OUT_OF_RANGE).required(text::SNOOZE_OUT_OF_RANGE);
/// Name of a rule whose hints can be dismissed.
const DISMISSED_RULE: Field<String> = Field::line("rule", 20);
const CODE: Required<String> = Field::line("code", 20).required(text::FIELD_MISSING);
const NEW_PROFILE: Required<Fields> = PROFILE.required(text::FIELD_MISSING);

/// Most packs in one call.
const MAX_PACKS: usize = 50;

/// Fields of a call about one item.
const ONE: &[Declared] = &[ID.declared()];
/// Fields of `GetEquipments`.
const LIST: &[Declared] = &[
    TYPE.declared(),
    RETIRED.declared(),
    SPACE.declared(),
    LIMIT.declared(),
    BEFORE_ITEM.declared(),
];
const NEW: &[Declared] = &[NEW_ID.declared(), NEW_ITEM.declared(), SPACE.declared()];
const EDIT: &[Declared] = &[EDITED_ITEM.declared()];
const DEACTIVATE: &[Declared] = &[ID.declared(), REASON.declared()];
const SAVE_CHARGING: &[Declared] = joined!(
    &[BATTERY.declared(), CHARGING.declared(), NEW_CHARGING.declared()],
    joined!(ENTRIES, DETAILS_OF_CHARGER)
);
const UNDO: &[Declared] = &[UNDONE.declared()];
/// Fields of `QuickCharge` and `QuickStore`.
const QUICK: &[Declared] = &[
    BATTERIES.declared(),
    TIME.declared(),
    INSTANT.declared(),
    VOLTAGE.declared(),
];
/// Fields of `SaveBatteryProfile`.
const SAVE_PROFILE: &[Declared] = &[BATTERY.declared(), NEW_PROFILE.declared()];
const PASSPORT: &[Declared] = &[ID.declared(), LIMIT.declared(), BEFORE.declared()];
const SAVE_READING: &[Declared] = joined!(&[BATTERY.declared(), NEW_READING.declared()], READING_ENTRIES);
const EDIT_READING: &[Declared] = joined!(DELETE_READING, READING_ENTRIES);
const DELETE_READING: &[Declared] = &[BATTERY.declared(), READING.declared()];
const SAVE_SET: &[Declared] = joined!(&[SET.declared(), NEW_SET.declared()], SET_ENTRIES);
const DELETE_SET: &[Declared] = &[ONE_SET.declared()];
const SNOOZE: &[Declared] = &[ID.declared(), SNOOZE_DAYS.declared(), DISMISSED_RULE.declared()];
/// Fields of `GetSticker`.
const STICKER: &[Declared] = &[CODE.declared()];
const CHARGINGS: &[Declared] = &[BATTERY.declared(), LIMIT.declared(), BEFORE.declared()];

fn owner_of_item(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![access_to_item(app, viewer, ID.read(fields)?)?])
}

fn owner_of_new_item(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![match SPACE.read(fields)? {
        Some(space) => app.store.read(|data| Access::to(data, viewer, space.into()))?,
        None => Access::own(viewer),
    }])
}

fn owner_of_edited_item(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    owner_of_item(app, viewer, &EDITED_ITEM.read(fields)?)
}

fn owner_of_battery(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![access_to_item(app, viewer, BATTERY.read(fields)?)?])
}

fn owners_of_batteries(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    let batteries = batteries(fields)?.into_iter();
    batteries.map(|battery| access_to_item(app, viewer, battery)).collect()
}

fn owner_of_set(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    let (set, entries) = (SET.read(fields)?, SetChanges::read(fields)?);
    let access = app.store.read(|data| match set {
        Some(set) => sets::access_to(data, viewer, set),
        None => sets::access_to_members(data, viewer, &entries),
    })?;
    Ok(vec![access])
}

fn owner_of_deleted_set(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    let set = ONE_SET.read(fields)?;
    Ok(vec![app.store.read(|data| sets::access_to(data, viewer, set))?])
}

fn get_equipment(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    answer(app, &access_to_item(app, viewer, id)?, id)
}

fn get_equipments(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let kind = TYPE.read(&request.fields)?;
    let retired = RETIRED.read(&request.fields)?.unwrap_or_default();
    let space = SPACE.read(&request.fields)?;
    let page = Page::read(&request.fields, &BEFORE_ITEM)?;
    if let Some(space) = space {
        spaces::check_member(app, viewer, space)?;
    }
    let mut packs = super::list(app, viewer, retired)?;
    packs.retain(|ListedPack { pack, shared }| {
        let is_of = |space| shared.as_ref().is_some_and(|shared| shared.space.dpf_id == space);
        pack.item.kind == kind && space.is_none_or(is_of)
    });
    let mut packs = page.of(packs, |listed| listed.pack.item.id)?;
    Reply::json(StatusCode::OK, &take_kind(app, &mut packs, kind))
}

fn get_all_equipments(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    let mut active = super::list(app, viewer, false)?;
    let mut take = |kind| take_kind(app, &mut active, kind);
    let all = AllEquipments {
        copters: take(Kind::Copter),
        batteries: take(Kind::Battery),
        goggles: take(Kind::Goggles),
        sender: take(Kind::Transmitter),
        video_cams: take(Kind::VideoCamera),
    };
    Reply::json(StatusCode::OK, &all)
}

fn save_new_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = NEW_ITEM.read(&request.fields)?;
    let kind = TYPE.read(&form)?;
    let id = NEW_ID.read(&request.fields)?.unwrap_or_else(EquipmentId::fresh);
    let (viewer, space) = (operation.viewer(), SPACE.read(&request.fields)?);
    let there = app
        .store
        .read(|data| equipment::find_existing(data, &viewer, space, id, kind))?;
    if let Some((access, _)) = there {
        return answer(app, &access, id);
    }
    let new = NewItem {
        id,
        kind,
        space,
        details: Details::read(kind, &form)?,
        profile: ProfileChanges::of_form(kind == Kind::Battery, &form)?,
    };
    let (access, _) = equipment::add(app, operation, new)?;
    answer(app, &access, id)
}

fn save_edit_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = EDITED_ITEM.read(&request.fields)?;
    let id = ID.read(&form)?;
    // The kind of an item never changes.
    let access = access_to_item(app, &operation.viewer(), id)?;
    let kind = super::get(app, &access, id)?.item.kind;
    let (details, profile) = (
        DetailChanges::read(kind, &form)?,
        ProfileChanges::of_form(kind == Kind::Battery, &form)?,
    );
    equipment::edit(app, operation, id, details, profile)?;
    answer(app, &access, id)
}

fn deactivate_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (viewer, id) = (operation.viewer(), ID.read(&request.fields)?);
    let reason = REASON.read(&request.fields)?;
    equipment::retire(app, operation, id, reason)?;
    answer(app, &access_to_item(app, &viewer, id)?, id)
}

fn activate_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (viewer, id) = (operation.viewer(), ID.read(&request.fields)?);
    equipment::reactivate(app, operation, id)?;
    answer(app, &access_to_item(app, &viewer, id)?, id)
}

/// Answers with the current state of an item, after the calls that change one.
fn item_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    answer(app, &access_to(app, viewer, &object)?, EquipmentId::from_key(object.id))
}

fn save_charging(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let battery = BATTERY.read(fields)?;
    let viewer = operation.viewer();
    let charging = match CHARGING.read(fields)? {
        Some(id) => charging::edit(app, operation, battery, id, ChargingForm::read(fields)?)?,
        None => {
            let id = NEW_CHARGING.read(fields)?.unwrap_or_else(ChargingId::fresh);
            match charging::find_existing_checked(app, &viewer, battery, id)? {
                Some(there) => there,
                None => charging::add(app, operation, battery, id, ChargingForm::read(fields)?)?,
            }
        }
    };
    Reply::json(StatusCode::OK, &shown_charging(app, &viewer, battery, charging)?)
}

/// Answers with the current state of a charging, after `SaveCharging`.
fn charging_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let (battery, id) = (EquipmentId::from_key(object.id), ChargingId::from_key(object.part));
    let charging = charging::get(app, &access_to(app, viewer, &object)?, battery, id)?;
    Reply::json(StatusCode::OK, &shown_charging(app, viewer, battery, charging)?)
}

/// Returns a recorded charging as the pilot may see it.
fn shown_charging(app: &App, viewer: &Viewer, battery: EquipmentId, charging: StoredCharging) -> Result<Charging> {
    app.store.read(|data| {
        let access = equipment::access_to(data, viewer, battery)?;
        Ok(UsePilots::of_flights(data, viewer, &access, battery, &[])?.charging(charging))
    })
}

fn save_battery_profile(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (viewer, battery) = (operation.viewer(), BATTERY.read(&request.fields)?);
    let profile = ProfileChanges::read(&NEW_PROFILE.read(&request.fields)?)?;
    equipment::edit_profile(app, operation, battery, profile)?;
    answer(app, &access_to_item(app, &viewer, battery)?, battery)
}

fn quick_charge(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    record_quick_action(app, operation, &request.fields, QuickAction::Charged)
}

fn quick_store(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    record_quick_action(app, operation, &request.fields, QuickAction::Stored)
}

/// Reads the batteries of `QuickCharge` and `QuickStore`.
fn batteries(fields: &Fields) -> Result<Vec<EquipmentId>> {
    let batteries = BATTERIES.read(fields)?;
    let ids = batteries
        .split(';')
        .map(|id| id.trim().parse().map_err(|_| Error::NotFound));
    let mut batteries: Vec<EquipmentId> = ids.collect::<Result<_>>()?;
    batteries.sort_unstable();
    batteries.dedup();
    match batteries.len() > MAX_PACKS {
        true => Err(BATTERIES.invalid(text::PACKS_TOO_MANY)),
        false => Ok(batteries),
    }
}

fn record_quick_action(app: &App, operation: Operation, fields: &Fields, action: QuickAction) -> Result<Reply> {
    let batteries = batteries(fields)?;
    let params = QuickChargeParams {
        action,
        time: past_time(app, &with_zone(fields)?)?,
        before: VOLTAGE.read(fields)?,
    };
    quick::record(app, operation, batteries, params)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn undo(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    undo::undo(app, operation, UNDONE.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn get_battery_passport(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let battery = ID.read(&request.fields)?;
    let page = Page::read(&request.fields, &BEFORE)?;
    let passport = passport::get(app, viewer, battery, page)?;
    Reply::json(StatusCode::OK, &passport)
}

fn save_battery_set(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let changes = SetChanges::read(&request.fields)?;
    let set = match SET.read(&request.fields)? {
        Some(set) => sets::edit(app, operation, set, changes)?,
        None => {
            let id = NEW_SET.read(&request.fields)?.unwrap_or_else(SetId::fresh);
            sets::add(app, operation, id, changes)?
        }
    };
    Reply::json(StatusCode::OK, &BatterySet::from(set))
}

fn delete_battery_set(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    sets::delete(app, operation, ONE_SET.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

/// Answers with the current state of a set, after `SaveBatterySet`.
fn set_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let set = sets::get(app, &access_to(app, viewer, &object)?, SetId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &BatterySet::from(set))
}

fn get_battery_hints(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &attention::hints_of_all(app, viewer)?)
}

fn snooze_battery(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (battery, days) = (ID.read(&request.fields)?, SNOOZE_DAYS.read(&request.fields)?);
    let rule = match DISMISSED_RULE.read(&request.fields)? {
        Some(name) => Some(Rule::dismissible(&name).ok_or_else(|| DISMISSED_RULE.invalid(text::INVALID_INPUT))?),
        None => None,
    };
    attention::snooze(app, operation, battery, days, rule)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn save_battery_reading(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &with_zone(&request.fields)?;
    let battery = BATTERY.read(fields)?;
    let id = NEW_READING.read(fields)?.unwrap_or_else(ReadingId::fresh);
    let time = past_time(app, fields)?;
    let viewer = operation.viewer();
    let reading = readings::save(app, operation, battery, id, ReadingChanges::read(fields)?, Some(time))?;
    Reply::json(StatusCode::CREATED, &shown_reading(app, &viewer, battery, reading)?)
}

fn edit_battery_reading(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &with_zone(&request.fields)?;
    let (battery, id) = (BATTERY.read(fields)?, READING.read(fields)?);
    past_time(app, fields)?;
    let viewer = operation.viewer();
    let reading = readings::save(app, operation, battery, id, ReadingChanges::read(fields)?, None)?;
    Reply::json(StatusCode::OK, &shown_reading(app, &viewer, battery, reading)?)
}

fn delete_battery_reading(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (battery, id) = (BATTERY.read(&request.fields)?, READING.read(&request.fields)?);
    readings::delete(app, operation, battery, id)?;
    Ok(Reply::empty(StatusCode::OK))
}

/// Answers with the current state of a reading, after the calls that change one.
fn reading_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let (battery, id) = (EquipmentId::from_key(object.id), ReadingId::from_key(object.part));
    let reading = readings::get(app, &access_to(app, viewer, &object)?, battery, id)?;
    Reply::json(StatusCode::OK, &shown_reading(app, viewer, battery, reading)?)
}

/// Returns a reading as the pilot may see it.
fn shown_reading(app: &App, viewer: &Viewer, battery: EquipmentId, reading: StoredReading) -> Result<BatteryReading> {
    app.store.read(|data| {
        let access = equipment::access_to(data, viewer, battery)?;
        Ok(UsePilots::read(data, viewer, &access, battery)?.reading(reading))
    })
}

fn get_chargings(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let battery = BATTERY.read(&request.fields)?;
    let page = Page::read(&request.fields, &BEFORE)?;
    let (access, pilots, (equipment_name, entries)) = app.store.read(|data| {
        let access = equipment::access_to(data, viewer, battery)?;
        let pilots = UsePilots::read(data, viewer, &access, battery)?;
        Ok((access, pilots, charging::history(data, &access, battery, page)?))
    })?;
    let empty = Chargings {
        equipment_name,
        chargings: Vec::new(),
    };
    let mut history = LazyList::of(&app.store, entries);
    Reply::json_list(&empty, move |most| {
        let found = history.next(most, |data, entries| charging::load(data, &access, battery, entries))?;
        Ok(found.into_iter().map(|charging| pilots.charging(charging)).collect())
    })
}

fn get_sticker(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let (access, item) = stickers::find(app, viewer, &CODE.read(&request.fields)?)?;
    answer(app, &access, item)
}

/// Moves the items of a kind out of the list instead of copying them: two thousand with long texts are 10 MB.
fn take_kind(app: &App, packs: &mut Vec<ListedPack>, kind: Kind) -> Vec<Equipment> {
    let now = app.clock.now();
    let taken = packs.extract_if(.., |listed| listed.pack.item.kind == kind);
    taken
        .map(|listed| Equipment::new(listed.pack, listed.shared, now))
        .collect()
}

fn access_to_item(app: &App, viewer: &Viewer, id: EquipmentId) -> Result<Access> {
    app.store.read(|data| equipment::access_to(data, viewer, id))
}

/// Answers with an item as it is now.
pub(crate) fn answer(app: &App, access: &Access, id: EquipmentId) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::shown(app, access, id)?)
}
