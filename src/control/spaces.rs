//! Tasks about spaces.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use crate::export::model::Exported;
use crate::export::{Export, ExportError, Files, Subject};
use fluglog_accounts::guard;
use fluglog_accounts::quotas;
use fluglog_accounts::spaces;
use fluglog_accounts::spaces::administration::{self, SpaceDetails};
use fluglog_app::App;
use fluglog_base::error::Error;
use fluglog_base::id::SpaceId;
use fluglog_store::Snapshot;
use fluglog_topics::{quota, registry};

/// Lists all spaces, by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListSpaces;

/// A space and its room, in bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListedSpace {
    pub details: SpaceDetails,
    pub used: u64,
    /// The limit; `None` without one.
    pub most: Option<u64>,
}

impl Task for ListSpaces {
    type Outcome = Vec<ListedSpace>;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Vec<ListedSpace>, Refusal> {
        let now = app.clock.unix_seconds();
        let spaces = app.store.read(|data| administration::all(data, now))?;
        Ok(spaces
            .into_iter()
            .map(|space| with_room(app, space))
            .collect::<Result<_, _>>()?)
    }
}

fn with_room(app: &App, details: SpaceDetails) -> fluglog_base::error::Result<ListedSpace> {
    let used = match SpaceId::parse(&details.id) {
        Some(id) => quota::storage_of_space(app, id)?,
        None => 0,
    };
    Ok(ListedSpace {
        used,
        most: quotas::limit_of_space(app),
        details,
    })
}

/// Shows a space, named by its id or, if no other has it, its name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShowSpace {
    pub space: String,
}

impl Task for ShowSpace {
    type Outcome = ListedSpace;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<ListedSpace, Refusal> {
        let now = app.clock.unix_seconds();
        let found = app.store.read(|data| named(data, &self.space, now))??;
        Ok(with_room(app, found)?)
    }
}

/// Lets a member manage a space, beside those who do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MakeManager {
    pub space: String,
    /// E-mail address of the member.
    pub email: String,
}

impl Task for MakeManager {
    /// The name of the space.
    type Outcome = String;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<String, Refusal> {
        let now = app.clock.unix_seconds();
        app.store.write(move |writer| {
            let space = match named(writer, &self.space, now)? {
                Ok(space) => space,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let Some(id) = SpaceId::parse(&space.id) else {
                return Ok(Err(Refusal::SpaceUnknown(space.id)));
            };
            let user = match guard::named_by_admin(writer, &self.email) {
                Ok(viewer) => viewer.user(),
                Err(Error::NotFound) => return Ok(Err(Refusal::UserUnknown(self.email.clone()))),
                Err(error) => return Err(error),
            };
            match administration::make_manager(writer, id, user) {
                Ok(()) => Ok(Ok(space.name)),
                Err(Error::NotFound) => Ok(Err(Refusal::NotAMember {
                    email: self.email.clone(),
                    space: space.name,
                })),
                Err(error) => Err(error),
            }
        })?
    }
}

/// Deletes a space with all its equipment. Its members' flights stay.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DeleteSpace {
    pub space: String,
}

impl Task for DeleteSpace {
    /// The name of the space.
    type Outcome = String;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<String, Refusal> {
        let now = app.clock.unix_seconds();
        let gone = app.store.write(move |writer| {
            let space = match named(writer, &self.space, now)? {
                Ok(space) => space,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let Some(id) = SpaceId::parse(&space.id) else {
                return Ok(Err(Refusal::SpaceUnknown(space.id)));
            };
            spaces::remove(writer, id, now)?;
            Ok(Ok((space.name, id.into())))
        });
        let (name, owner) = gone??;
        registry::finish_deletion_or_later(app, owner);
        Ok(name)
    }
}

/// Writes the equipment of a space to `out` as a ZIP.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExportSpace {
    pub space: String,
}

impl Task for ExportSpace {
    type Outcome = Exported;

    fn perform(self, app: &App, out: &mut dyn Write) -> Result<Exported, Refusal> {
        // Keeps files that are deleted during the export.
        let _hold = app.blobs.hold();
        let now = app.clock.unix_seconds();
        let found = app.store.read(|data| named(data, &self.space, now))??;
        let unknown = || Refusal::SpaceUnknown(self.space.clone());
        let space = SpaceId::parse(&found.id).ok_or_else(unknown)?;
        let export = Export::of(app, Files::Included, |_| Ok(Subject::Space(space, None)))?;
        export.write(out).map_err(|unfinished| match unfinished {
            ExportError::OutputClosed => Refusal::NotTaken,
            ExportError::Failed(error) => error.into(),
        })
    }
}

pub(super) fn named(
    data: &Snapshot<'_>,
    typed: &str,
    now: i64,
) -> fluglog_base::error::Result<Result<SpaceDetails, Refusal>> {
    let typed = typed.trim();
    let mut found = administration::all(data, now)?;
    found.retain(|space| space.id == typed || space.name == typed);
    let named = match (found.pop(), found.is_empty()) {
        (Some(space), true) => Ok(space),
        (Some(_), false) => Err(Refusal::SpaceAmbiguous(typed.to_owned())),
        (None, _) => Err(Refusal::SpaceUnknown(typed.to_owned())),
    };
    Ok(named)
}
