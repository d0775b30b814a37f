//! Undoes a quick action, as long as its chargings haven't been changed since.

use super::put;
use crate::equipment::{self, Authored};
use crate::packs::records::charging::table;
use crate::packs::records::health::table as health;
use crate::packs::records::undo_records::{self, ChargingChange};
use fluglog_accounts::guard::{Access, Right};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::RequestId;
use fluglog_base::text;
use fluglog_store::Writer;
use fluglog_store::operations::model::Object;

/// Time within which an action can be undone. Longer than the button is visible, because the network may be slow.
const UNDO_SECONDS: i64 = 60;

/// Undoes the quick action of a request: for all its packs or none.
///
/// # Errors
/// [`Error::NotFound`] for an unknown request or one that can't be undone, [`Error::Conflict`] when it is too late or a
/// charging was changed since.
pub fn undo(app: &App, operation: Operation, request: RequestId) -> Result<()> {
    let viewer = operation.viewer();
    let (user, now) = (viewer.user(), app.clock.unix_seconds());
    operation.write(&app.store, move |writer| {
        let undoable = undo_records::find(writer, user, request)?.ok_or(Error::NotFound)?;
        if now - undoable.time > UNDO_SECONDS {
            return Err(Error::Conflict(text::UNDO_TOO_LATE));
        }
        for change in &undoable.changes {
            let access = equipment::access_with(writer, &viewer, change.battery, Right::Use)?;
            undo_one(writer, &access, change)?;
        }
        undo_records::remove(writer, user, request)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

fn undo_one(writer: &Writer<'_>, access: &Access, change: &ChargingChange) -> Result<()> {
    let (owner, battery) = (access.owner(), change.battery);
    let id = change.after.id;
    let stored = table::find(writer, owner, battery, id)?;
    let opens_beside = change.before.is_some() && table::totals(writer, owner, battery)?.open.is_some();
    // The record has the purpose of only one of the two chargings.
    let as_recorded = stored.clone().map(|mut charging| {
        charging.figures.purpose = change.after.figures.purpose;
        charging
    });
    if as_recorded.as_ref() != Some(&change.after) || opens_beside {
        return Err(Error::Conflict(text::CHANGED_SINCE));
    }
    match &change.before {
        Some(before) => put(writer, access, battery, stored.as_ref(), before),
        None => {
            table::remove(writer, owner, battery, id)?;
            equipment::remove_author(writer, owner, battery, Authored::Charging(id))?;
            health::recompute(writer, owner, battery);
            Ok(())
        }
    }
}
