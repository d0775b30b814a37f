//! The task that moves an item of equipment between pilots and spaces.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::spaces;
use super::task::{Refusal, Task};
use fluglog_accounts::guard;
use fluglog_app::App;
use fluglog_base::error::Error;
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_topics::transfers;

/// Moves an item with its history, however long that is. The targets exclude each other.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MoveItem {
    /// Id of the item.
    pub item: String,
    /// Id or name of the space that gets the item.
    pub space: Option<String>,
    /// E-mail address of the pilot who gets the item.
    pub user: Option<String>,
}

/// What was moved.
#[derive(Debug, Serialize, Deserialize)]
pub struct MovedItem {
    pub name: String,
    /// The space or the pilot.
    pub to: String,
}

impl Task for MoveItem {
    type Outcome = MovedItem;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<MovedItem, Refusal> {
        let (to, name_of_owner) = self.target(app)?;
        let item = EquipmentId::parse(&self.item).ok_or_else(|| unknown(&self.item))?;
        match transfers::move_by_operator(app, item, to) {
            Ok(name) => Ok(MovedItem {
                name,
                to: name_of_owner,
            }),
            Err(Error::NotFound) => Err(unknown(&self.item)),
            Err(error) => Err(Refusal::of_a_call(error)),
        }
    }
}

impl MoveItem {
    fn target(&self, app: &App) -> Result<(OwnerId, String), Refusal> {
        if let Some(email) = &self.user {
            return match app.store.read(|data| guard::named_by_admin(data, email)) {
                Ok(viewer) => Ok((viewer.user().into(), email.clone())),
                Err(Error::NotFound) => Err(Refusal::UserUnknown(email.clone())),
                Err(error) => Err(error.into()),
            };
        }
        let typed = self.space.as_deref().unwrap_or_default();
        let now = app.clock.unix_seconds();
        let space = app.store.read(|data| spaces::named(data, typed, now))??;
        let owner = OwnerId::parse(&space.id).ok_or_else(|| Refusal::SpaceUnknown(typed.to_owned()))?;
        Ok((owner, space.name))
    }
}

fn unknown(item: &str) -> Refusal {
    Refusal::AsInTheApp(format!("„{item}“ ist keine Kennung von Equipment auf diesem Server."))
}
