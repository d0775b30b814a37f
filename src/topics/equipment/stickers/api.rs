//! Sticker calls: HTTP in and out, no rules. `CALLS` says what each takes and answers.

use warp::http::StatusCode;

use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::{Access, Viewer, access_to};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, Required};
use fluglog_base::id::EquipmentId;
use fluglog_base::input::Fields;
use fluglog_base::text;
use fluglog_store::Snapshot;
use fluglog_store::operations::model::Object;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, link_base};

/// The calls of stickers.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("SaveSticker",
        "Gives an item a sticker, and a number if it has none. One that it has stays, unless `renew` says otherwise: \
         then the old one leads nowhere any more.",
        Handler::Change(save_sticker, sticker_now), SAVE, &[Answer::json(200, "Sticker")], &[]).writing_to(owner_of_item),
    Call::post("GetLabels",
        "Stickers of items as they are printed: ids with `;` between.",
        Handler::Pilot(get_labels), LABELS, &[Answer::list(200, "Label")], &[]).gzipped(),
];

/// Most labels in one call.
const MAX_LABELS: usize = 200;

const ITEM: Required<EquipmentId> = Field::id("dpfId").required(text::FIELD_MISSING);
const RENEW: Field<bool> = Field::boolean("renew");
/// Room for more ids than allowed, so that their number is what is rejected.
const MAX_ITEMS_CHARACTERS: usize = 20_000;

/// Ids separated by `;`.
const ITEMS: Required<String> = Field::line("equipment", MAX_ITEMS_CHARACTERS).required(text::FIELD_MISSING);

const SAVE: &[Declared] = &[ITEM.declared(), RENEW.declared()];
const LABELS: &[Declared] = &[ITEMS.declared()];

fn owner_of_item(data: &Snapshot<'_>, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![super::super::access_to(data, viewer, ITEM.read(fields)?)?])
}

fn save_sticker(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let renews = RENEW.read(&request.fields)?.unwrap_or_default();
    let sticker = super::save(app, operation, ITEM.read(&request.fields)?, renews)?;
    Reply::json(StatusCode::OK, &sticker)
}

/// Answers with the current sticker, after `SaveSticker`.
fn sticker_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let sticker = super::get(app, &access_to(app, viewer, &object)?, EquipmentId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &sticker)
}

fn get_labels(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let items = ITEMS.read(&request.fields)?;
    let items = items
        .split(';')
        .map(|id| id.trim().parse().map_err(|_| Error::NotFound));
    let items: Vec<EquipmentId> = items.collect::<Result<_>>()?;
    if items.len() > MAX_LABELS {
        return Err(ITEMS.invalid(text::LABELS_TOO_MANY));
    }
    let base = link_base::base_for(app, &request.client);
    Reply::json(StatusCode::OK, &super::labels(app, viewer, &items, &base)?)
}
