//! Names of the items on flights, also of items that belong to others.

use std::collections::{HashMap, HashSet};

use super::model::{Borrowed, FlightItem, FlightPart};
use super::table;
use crate::equipment;
use crate::equipment::model::Details;
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::EquipmentId;
use fluglog_store::Snapshot;

/// Names of the items on flights: the current ones of the pilot's own, and those of others as they were.
pub(crate) struct Names(HashMap<EquipmentId, Details>);

impl Names {
    pub(super) fn of<'p>(
        data: &Snapshot<'_>,
        viewer: &Viewer,
        parts: impl Iterator<Item = &'p FlightPart>,
    ) -> Result<Names> {
        let own = parts.filter(|part| part.borrowed.is_none()).map(|part| part.id);
        Ok(Names(equipment::details(data, &Access::own(viewer), own)?))
    }

    pub(super) fn of_all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Names> {
        Ok(Names(equipment::all_details(data, &Access::own(viewer))?))
    }

    /// Returns an item with its name.
    ///
    /// # Errors
    /// [`Error::Internal`] when an item of the pilot is missing, since items are never deleted.
    pub(crate) fn item(&self, part: &FlightPart) -> Result<FlightItem> {
        let (name, model) = match (&part.borrowed, self.0.get(&part.id)) {
            (Some(borrowed), _) => (&borrowed.name, &borrowed.model),
            (None, Some(details)) => (&details.name, &details.model),
            (None, None) => {
                let missing = format!("a flight was made with {}, which is missing", part.id);
                return Err(Error::Internal(missing));
            }
        };
        Ok(FlightItem {
            dpf_id: part.id.to_string(),
            r#type: part.kind,
            name: name.clone(),
            model: model.clone(),
            weight: part.weight,
        })
    }
}

/// Returns the details of items that the viewer has flown: of those of others only name and model, as they were on the
/// latest flight.
pub(crate) fn details(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    items: impl Iterator<Item = EquipmentId>,
) -> Result<HashMap<EquipmentId, Details>> {
    let items: HashSet<_> = items.collect();
    let mut details = equipment::details(data, &Access::own(viewer), items.iter().copied())?;
    if items.iter().all(|item| details.contains_key(item)) {
        return Ok(details);
    }
    // Ids of flights grow with time.
    let mut borrowed = table::borrowed::all(data, viewer.user())?;
    borrowed.sort_by_key(|(flight, ..)| std::cmp::Reverse(*flight));
    for (_, item, Borrowed { name, model, .. }) in borrowed {
        if items.contains(&item) {
            let named = Details {
                name,
                model,
                ..Details::default()
            };
            details.entry(item).or_insert(named);
        }
    }
    Ok(details)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equipment::model::Kind;

    #[test]
    fn an_item_of_somebody_else_is_named_as_it_was_and_a_lost_one_is_damage() {
        let part = FlightPart {
            id: EquipmentId::fresh(),
            kind: Kind::Battery,
            weight: Some(180.0),
            borrowed: Some(Borrowed {
                owner: None,
                name: "Vereinsakku".to_owned(),
                model: "4S".to_owned(),
            }),
        };
        let names = Names(HashMap::new());
        let item = names.item(&part).unwrap();
        assert_eq!((item.name.as_str(), item.model.as_str()), ("Vereinsakku", "4S"));
        assert_eq!((item.dpf_id, item.weight), (part.id.to_string(), Some(180.0)));
        let own = FlightPart { borrowed: None, ..part };
        assert!(matches!(names.item(&own), Err(Error::Internal(_))));
    }
}
