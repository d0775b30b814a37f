//! Flights with items of others: when an item moves to another owner, and when an owner is deleted.

use super::model::Borrowed;
use super::table;
use crate::equipment::model::Item;
use crate::{equipment, maintenance, packs};
use fluglog_accounts::guard::Access;
use fluglog_base::error::Result;
use fluglog_base::id::OwnerId;
use fluglog_store::Writer;
use fluglog_store::deletions::Step;

/// Tells the flights with an item that it has moved to another owner: those of others keep the name that they have, or
/// get the current one.
pub(crate) fn follow_item(writer: &Writer<'_>, from: OwnerId, to: OwnerId, item: &Item) -> Result<()> {
    let access = Access::without_login(to);
    for flight in equipment::flights_of(writer, &access, item.id, None, None, usize::MAX)? {
        let Some(user) = equipment::move_pilot(writer, (from, to), item.id, flight)?.user() else {
            continue;
        };
        if OwnerId::from(user) == to {
            table::borrowed::remove(writer, user, flight, item.id)?;
            continue;
        }
        let known = table::borrowed::get(writer, user, flight, item.id)?;
        let (name, model) = match known {
            Some(known) => (known.name, known.model),
            None => (item.details.name.clone(), item.details.model.clone()),
        };
        let borrowed = Borrowed {
            owner: Some(to),
            name,
            model,
        };
        table::borrowed::put(writer, user, flight, item.id, &borrowed)?;
    }
    Ok(())
}

/// Removes what connects flights and items of a deleted user, or of a deleted space, with those of others. What the
/// flights did to the items of others stays, without the pilot, and the flights of others keep the names of items.
pub fn forget(writer: &Writer<'_>, step: &mut Step) -> Result<()> {
    table::borrowed::forget(writer, step, |flight, item, owner| {
        let [before, now] = packs::forget_pilot(writer, owner, item, flight)?;
        let access = Access::without_login(owner);
        maintenance::flown(writer, &access, item, before.as_ref(), now.as_ref())
    })?;
    equipment::forget_pilots(writer, step, |item, flight, user| {
        match table::borrowed::get(writer, user, flight, item)? {
            Some(borrowed) => table::borrowed::put(
                writer,
                user,
                flight,
                item,
                &Borrowed {
                    owner: None,
                    ..borrowed
                },
            ),
            None => Ok(()),
        }
    })
}
