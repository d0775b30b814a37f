//! Everything of a user, from one look at the database.

use crate::accounts::administration::{self, UserDetails};
use crate::accounts::guard;
use crate::base::error::Result;
use crate::base::id::{Blob, EquipmentId, FlightId};
use crate::documents;
use crate::documents::model::StoredDocument;
use crate::equipment;
use crate::equipment::charging;
use crate::equipment::charging::model::StoredCharging;
use crate::equipment::model::{Item, Kind, sort_by_name};
use crate::feedback::{self, Listed};
use crate::flights;
use crate::flights::images;
use crate::flights::images::model::StoredImage;
use crate::flights::model::Flight;
use crate::flights::origin;
use crate::flights::origin::model::{Point, Source};
use crate::imports;
use crate::logs;
use crate::logs::model::StoredLog;
use crate::store::Snapshot;

/// Everything of a pilot that isn't a file, from one look at the database.
pub struct Everything {
    pub user: UserDetails,
    pub photo: Option<Blob>,
    pub items: Vec<Item>,
    pub chargings: Vec<(EquipmentId, Vec<StoredCharging>)>,
    pub flights: Vec<Flight>,
    pub logs: Vec<StoredLog>,
    pub documents: Vec<StoredDocument>,
    pub images: Vec<StoredImage>,
    pub feedback: Vec<Listed>,
    pub sources: Vec<(FlightId, Source)>,
    pub tracks: Vec<(FlightId, Vec<Point>)>,
    /// How files call items.
    pub aliases: Vec<(String, EquipmentId)>,
}

impl Everything {
    pub fn gather(data: &Snapshot<'_>, email: &str, now: i64) -> Result<Everything> {
        let viewer = guard::named_by_admin(data, email)?;
        let mut items: Vec<_> = equipment::all(data, &viewer)?.into_values().collect();
        sort_by_name(&mut items);
        items.sort_by_key(|item| item.kind.code());
        let batteries = items.iter().filter(|item| item.kind == Kind::Battery);
        let chargings = batteries
            .map(|item| Ok((item.id, charging::of(data, &viewer, item.id)?)))
            .collect::<Result<_>>()?;
        let mut logs = logs::all(data, &viewer)?;
        logs.sort_by_key(|log| std::cmp::Reverse((log.entries.time, log.id)));
        let mut documents = documents::all(data, &viewer)?;
        documents.sort_by_key(|document| std::cmp::Reverse((document.uploaded, document.id)));
        let mut images = images::all(data, &viewer)?;
        images.sort_by_key(|image| (image.flight, image.place));
        Ok(Everything {
            user: administration::details(data, &viewer, now)?,
            photo: administration::photo(data, &viewer)?,
            items,
            chargings,
            flights: flights::whole(data, &viewer)?,
            logs,
            documents,
            images,
            feedback: feedback::of(data, &viewer)?,
            sources: origin::all(data, &viewer)?,
            tracks: origin::all_tracks(data, &viewer)?,
            aliases: imports::aliases(data, &viewer)?,
        })
    }

    pub fn item_name(&self, id: EquipmentId) -> String {
        let item = self.items.iter().find(|item| item.id == id);
        item.map(|item| item.details.name.clone()).unwrap_or_default()
    }
}
