//! Stickers on items: a QR code that links to the item, and the item's number for people.

pub mod api;
pub mod model;

use std::time::Instant;

use super::code::Code;
use super::model::Item;
use super::table as items_table;
use super::table::stickers as table;
use super::{access_to, access_with};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::secret::random_bytes;
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use model::{Label, Sticker};

/// The most codes within 15 minutes that are none of the pilot's own stickers.
const MAX_GUESSES: usize = 30;

/// Gives an item a sticker, and a number if it has none. An existing sticker is kept unless `renews`, which makes its
/// code invalid.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub fn save(app: &App, operation: Operation, item: EquipmentId, renews: bool) -> Result<Sticker> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let owner = access_with(writer, &viewer, item, Right::Maintain)?.owner();
        let mut item = items_table::find(writer, owner, item)?;
        let code = match item.sticker {
            Some(code) if !renews => code,
            _ => fresh_code(writer)?,
        };
        table::put(writer, owner, item.id, code)?;
        if item.profile.number.is_none() {
            item.profile.number = items_table::free_number(writer, owner)?;
            items_table::put(writer, owner, &item)?;
        }
        let object = Object::of_equipment(owner, item.id.key(), 0);
        Ok(Outcome::new(object, sticker(code, &item)))
    })
}

/// Returns the sticker of an item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item or sticker.
pub fn get(app: &App, access: &Access, item: EquipmentId) -> Result<Sticker> {
    let item = app.store.read(|data| items_table::find(data, access.owner(), item))?;
    let code = item.sticker.ok_or(Error::NotFound)?;
    Ok(sticker(code, &item))
}

/// Returns the item that a sticker is on, with the access to it: the pilot's own, or one of a space.
///
/// # Errors
/// [`Error::Sticker`] for an unknown code, and for a sticker of another owner, with the contact of that;
/// [`Error::RateLimited`] after too many of them.
pub fn find(app: &App, viewer: &Viewer, code: &str) -> Result<(Access, EquipmentId)> {
    let key = format!("sticker {}", viewer.user());
    let guesses = Limit::per_quarter_hour(&key, MAX_GUESSES);
    let attempt = app.rate_limiter.begin(&[guesses], Instant::now())?;
    let unknown = || Error::Sticker(text::STICKER_UNKNOWN.to_owned());
    let code = Code::parse(code).ok_or_else(unknown)?;
    let item = app.store.read(|data| {
        let (owner, item) = table::with_code(data, code)?.ok_or_else(unknown)?;
        match Access::to(data, viewer, owner) {
            Ok(access) => Ok((access, item)),
            Err(Error::NotFound | Error::Forbidden(_)) => Err(foreign(data, owner)?),
            Err(other) => Err(other),
        }
    })?;
    attempt.succeed();
    Ok(item)
}

fn foreign(data: &Snapshot<'_>, owner: OwnerId) -> Result<Error> {
    let contact = fluglog_accounts::contact_of(data, owner)?;
    Ok(Error::Sticker(text::sticker_of_another(&contact)))
}

/// Returns printable labels of items; links begin with `base`.
///
/// # Errors
/// [`Error::NotFound`] for an item that isn't there or has no sticker.
pub fn labels(app: &App, viewer: &Viewer, items: &[EquipmentId], base: &str) -> Result<Vec<Label>> {
    let label = |item: Item| {
        let code = item.sticker.ok_or(Error::NotFound)?;
        let link = format!("{base}/app/s/{code}");
        Ok(Label {
            dpf_id: item.id.to_string(),
            name: item.details.name,
            number: item.profile.number,
            qr: fluglog_picture::qr_rows(&link)?,
            link,
        })
    };
    let items = app.store.read(|data| {
        let found = |item: &EquipmentId| items_table::find(data, access_to(data, viewer, *item)?.owner(), *item);
        let items = items.iter().map(found);
        items.collect::<Result<Vec<_>>>()
    })?;
    items.into_iter().map(label).collect()
}

fn fresh_code(writer: &Writer<'_>) -> Result<Code> {
    loop {
        let [a, b, c, d, e] = random_bytes()?;
        let code = Code::of_bits(u64::from_be_bytes([0, 0, 0, a, b, c, d, e]));
        if table::with_code(writer, code)?.is_none() {
            return Ok(code);
        }
    }
}

fn sticker(code: Code, item: &Item) -> Sticker {
    Sticker {
        code: code.to_string(),
        number: item.profile.number,
    }
}
