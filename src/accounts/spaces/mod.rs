//! Spaces: households and clubs that own equipment together. Their flights stay with the pilots.

pub mod administration;
pub mod api;
pub mod check;
pub mod invitations;
pub mod members;
pub mod model;
pub mod recovery;
pub(crate) mod table;

use super::guard::{Access, Viewer};
use super::operation::{Operation, Outcome};
use super::table as accounts;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{OwnerId, SpaceId, UserId};
use fluglog_base::input::Change;
use fluglog_base::text;
use fluglog_store::deletions;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer, owned_by, schema};
use model::{Right, SessionSpace, Space, SpaceKind, SpaceName};
use table::{MembershipRecord, SpaceRecord};

/// The most spaces of which a user is a member.
const MAX_SPACES: usize = 10;

/// Returns the access to all equipment that the viewer may see: the viewer's own first, then that of each space.
pub fn accesses(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<Access>> {
    let mut all = vec![Access::own(viewer)];
    for space in table::spaces_of(data, viewer.user())? {
        all.push(Access::to(data, viewer, space.into())?);
    }
    Ok(all)
}

/// Looks a thing up that an id from outside names: among the viewer's own equipment, then in each space.
///
/// `look` is also called for spaces that the viewer has left, only to say so: its result is dropped, and the access
/// fails every check.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Forbidden`] if it is in a space that the viewer has left. Otherwise the first error of
/// `look` but for [`Error::NotFound`].
pub fn find<T>(data: &Snapshot<'_>, viewer: &Viewer, mut look: impl FnMut(&Access) -> Result<T>) -> Result<T> {
    match look(&Access::own(viewer)) {
        Err(Error::NotFound) => {}
        found => return found,
    }
    for space in table::spaces_of(data, viewer.user())? {
        match look(&Access::to(data, viewer, space.into())?) {
            Err(Error::NotFound) => {}
            found => return found,
        }
    }
    for space in table::former_spaces_of(data, viewer.user(), MAX_SPACES)? {
        let access = Access::to_any(data, viewer, space.into())?;
        if !matches!(look(&access), Err(Error::NotFound)) {
            access.check(Right::Read)?;
        }
    }
    Err(Error::NotFound)
}

/// Returns the space that owns equipment; `None` for a pilot's own.
pub fn name_of(data: &Snapshot<'_>, owner: OwnerId) -> Result<Option<SpaceName>> {
    let record = data.get::<SpaceRecord>(owner.key())?;
    Ok(record.map(|space| SpaceName {
        dpf_id: SpaceId::from_key(owner.key()),
        name: space.name,
    }))
}

/// Returns how finders of a space's equipment reach it; `None` if the owner is no space.
pub(crate) fn contact_of(data: &Snapshot<'_>, owner: OwnerId) -> Result<Option<String>> {
    Ok(data.get::<SpaceRecord>(owner.key())?.map(|space| space.contact))
}

/// Returns how a space's equipment names a user who used it: by the nickname, if the user lets it.
pub fn user_name(data: &Snapshot<'_>, owner: OwnerId, user: UserId) -> Result<String> {
    let space = SpaceId::from_key(owner.key());
    Ok(match table::membership(data, space, user)? {
        Some(membership) if membership.name_shown => accounts::existing(data, user)?.nickname,
        Some(membership) if membership.ended.is_none() => model::UNNAMED_MEMBER.to_owned(),
        _ => model::FORMER_MEMBER.to_owned(),
    })
}

/// Returns the members of a space who have a right in it.
pub(crate) fn members_with(data: &Snapshot<'_>, owner: OwnerId, right: Right) -> Result<Vec<UserId>> {
    let mut with = Vec::new();
    for (user, membership) in table::members(data, SpaceId::from_key(owner.key()))? {
        if membership.right()? >= right {
            with.push(user);
        }
    }
    Ok(with)
}

/// Returns every space.
pub fn all(data: &Snapshot<'_>) -> Result<Vec<SpaceId>> {
    let keys = data.record_keys(&schema::SPACES, ..)?;
    Ok(keys.into_iter().map(SpaceId::from_key).collect())
}

/// Returns the spaces of a user, as the session shows them. Unreadable ones are left out: a lost page mustn't keep a
/// pilot from logging in.
///
/// # Errors
/// [`Error::Busy`] when the database can't be used at all.
pub(crate) fn of_session(data: &Snapshot<'_>, user: UserId) -> Result<Vec<SessionSpace>> {
    let mut spaces = Vec::new();
    for id in readable(table::spaces_of(data, user))?.unwrap_or_default() {
        spaces.extend(readable(shown_in_session(data, id, user))?);
    }
    Ok(spaces)
}

fn shown_in_session(data: &Snapshot<'_>, id: SpaceId, user: UserId) -> Result<SessionSpace> {
    let (space, membership) = (existing(data, id)?, table::existing_membership(data, id, user)?);
    Ok(SessionSpace {
        dpf_id: id,
        kind: space.kind()?.code(),
        name: space.name,
        role: membership.right()?.code(),
    })
}

fn readable<T>(read: Result<T>) -> Result<Option<T>> {
    match read {
        Err(Error::Internal(cause)) => {
            tracing::error!("a session is without a space: {cause}");
            Ok(None)
        }
        read => read.map(Some),
    }
}

/// A space as a member sees it.
pub(crate) struct StoredSpace {
    id: SpaceId,
    space: SpaceRecord,
    kind: SpaceKind,
    role: Right,
    membership: MembershipRecord,
    members: usize,
    items: usize,
}

impl StoredSpace {
    /// Reads a space of which the user is a member.
    pub(crate) fn read(data: &Snapshot<'_>, id: SpaceId, user: UserId) -> Result<StoredSpace> {
        let (space, membership) = (existing(data, id)?, table::existing_membership(data, id, user)?);
        Ok(StoredSpace {
            id,
            kind: space.kind()?,
            role: membership.right()?,
            space,
            membership,
            members: table::members(data, id)?.len(),
            items: count_items(data, id)?,
        })
    }

    pub(crate) fn shown(self, app: &App) -> Space {
        Space {
            dpf_id: self.id,
            name: self.space.name,
            kind: self.kind.code(),
            role: self.role.code(),
            contact: self.space.contact,
            created: app.clock.wall_time_at(self.space.created).to_string(),
            members: self.members,
            items: self.items,
            name_shown: self.membership.name_shown,
        }
    }
}

/// Returns the number of items that a space has, retired ones included.
pub(crate) fn count_items(data: &Snapshot<'_>, id: SpaceId) -> Result<usize> {
    data.count_keys(&schema::EQUIPMENT, owned_by(id))
}

/// Returns a space that another record refers to.
pub(crate) fn existing(data: &Snapshot<'_>, id: SpaceId) -> Result<SpaceRecord> {
    data.get::<SpaceRecord>(id.key())?
        .ok_or_else(|| Error::Internal("a record names a missing space".to_owned()))
}

/// Checks that the viewer is a member who has a right in a space.
///
/// # Errors
/// [`Error::NotFound`] for strangers, [`Error::Forbidden`] for former members and without the right.
pub(crate) fn check_right(data: &Snapshot<'_>, viewer: &Viewer, id: SpaceId, right: Right) -> Result<()> {
    let access = Access::to(data, viewer, id.into())?;
    match access.is_own() {
        // The user's own id names no space.
        true => Err(Error::NotFound),
        false => access.check(right),
    }
}

/// Checks that the viewer is a member of a space.
///
/// # Errors
/// As for a call about the space: [`Error::NotFound`] for strangers, [`Error::Forbidden`] for former members.
pub fn check_member(app: &App, viewer: &Viewer, id: SpaceId) -> Result<()> {
    app.store.read(|data| check_right(data, viewer, id, Right::Read))
}

/// Checks that the viewer manages a space.
///
/// # Errors
/// As [`check_member`]; [`Error::Forbidden`] for members who don't.
pub fn check_manager(data: &Snapshot<'_>, viewer: &Viewer, id: SpaceId) -> Result<()> {
    check_right(data, viewer, id, Right::Manage)
}

/// Checks that a user may become a member of one more space.
///
/// # Errors
/// [`Error::Conflict`].
pub(crate) fn check_room(data: &Snapshot<'_>, user: UserId) -> Result<()> {
    match table::spaces_of(data, user)?.len() < MAX_SPACES {
        true => Ok(()),
        false => Err(Error::Conflict(text::TOO_MANY_SPACES)),
    }
}

/// Returns the spaces of the viewer, the oldest first.
pub(crate) fn list(app: &App, viewer: &Viewer) -> Result<Vec<Space>> {
    let user = viewer.user();
    let spaces = app.store.read(|data| {
        let spaces = table::spaces_of(data, user)?.into_iter();
        spaces
            .map(|id| StoredSpace::read(data, id, user))
            .collect::<Result<Vec<_>>>()
    })?;
    Ok(spaces.into_iter().map(|space| space.shown(app)).collect())
}

/// Returns one space of the viewer.
///
/// # Errors
/// As [`check_right`].
pub(crate) fn get(app: &App, viewer: &Viewer, id: SpaceId) -> Result<Space> {
    let space = app.store.read(|data| {
        check_right(data, viewer, id, Right::Read)?;
        StoredSpace::read(data, id, viewer.user())
    })?;
    Ok(space.shown(app))
}

/// Makes a space that the viewer manages; if it exists already, returns it.
///
/// # Errors
/// [`Error::NotFound`] for an id that is taken, [`Error::Conflict`] when the viewer is in too many spaces.
pub(crate) fn add(
    app: &App,
    operation: Operation,
    id: SpaceId,
    kind: SpaceKind,
    name: String,
    contact: String,
) -> Result<Space> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let space = operation.write(&app.store, move |writer| {
        let user = viewer.user();
        if writer.has(&schema::SPACES, id.key())? {
            check_right(writer, &viewer, id, Right::Read)?;
            return Ok(Outcome::existing(
                Object::of(id.key()),
                StoredSpace::read(writer, id, user)?,
            ));
        }
        // A pilot's id is the key of that pilot's equipment, and the id of a space that is being deleted is the key of
        // the rows that are left.
        if writer.has(&schema::USERS, id.key())? || deletions::is_deleted(writer, id.key())? {
            return Err(Error::NotFound);
        }
        operations::check_id_unused(writer, user.into(), id.key())?;
        check_room(writer, user)?;
        writer.put(id.key(), &SpaceRecord::new(kind, name.clone(), now, contact.clone()))?;
        table::put_membership(writer, id, user, &MembershipRecord::new(Right::Manage, now, true))?;
        Ok(Outcome::new(Object::of(id.key()), StoredSpace::read(writer, id, user)?))
    })?;
    Ok(space.shown(app))
}

/// Changes to a space.
#[derive(Clone)]
pub(crate) struct SpaceChange {
    pub name: Change<String>,
    pub kind: Option<SpaceKind>,
    pub contact: Change<String>,
}

/// Changes a space.
///
/// # Errors
/// As [`check_right`]; [`Error::Conflict`] when a club in which a member isn't named would become a household.
pub(crate) fn edit(app: &App, operation: Operation, id: SpaceId, change: SpaceChange) -> Result<Space> {
    let viewer = operation.viewer();
    let space = operation.write(&app.store, move |writer| {
        check_right(writer, &viewer, id, Right::Manage)?;
        let mut space = existing(writer, id)?;
        if let Some(kind) = change.kind {
            if kind == SpaceKind::Household && space.kind()? == SpaceKind::Club {
                check_all_named(writer, id)?;
            }
            space.set_kind(kind);
        }
        change.name.clone().apply(&mut space.name);
        change.contact.clone().apply(&mut space.contact);
        writer.put(id.key(), &space)?;
        Ok(Outcome::new(
            Object::of(id.key()),
            StoredSpace::read(writer, id, viewer.user())?,
        ))
    })?;
    Ok(space.shown(app))
}

fn check_all_named(data: &Snapshot<'_>, id: SpaceId) -> Result<()> {
    let mut members = table::members(data, id)?.into_iter();
    match members.all(|(_, membership)| membership.name_shown) {
        true => Ok(()),
        false => Err(Error::Conflict(text::NAME_HIDDEN)),
    }
}

/// Dissolves a space whose only member the viewer is, and that owns nothing.
///
/// # Errors
/// As [`check_right`]; [`Error::Conflict`] when there are other members or equipment.
pub(crate) fn dissolve(app: &App, operation: Operation, id: SpaceId) -> Result<()> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        check_right(writer, &viewer, id, Right::Manage)?;
        if table::members(writer, id)?.len() > 1 {
            return Err(Error::Conflict(text::SPACE_HAS_MEMBERS));
        }
        if count_items(writer, id)? > 0 {
            return Err(Error::Conflict(text::SPACE_HAS_ITEMS));
        }
        remove(writer, id, now)?;
        operations::spend_id(writer, viewer.user().into(), id.key(), now)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Removes a space with its memberships and invitations, and begins to delete what it owns.
pub fn remove(writer: &Writer<'_>, id: SpaceId, now: i64) -> Result<()> {
    table::forget_invitations(writer, |invitation| invitation.space == id.key())?;
    for (user, _) in table::memberships(writer, id)? {
        table::remove_membership(writer, id, user)?;
    }
    writer.remove::<SpaceRecord>(id.key())?;
    deletions::begin(writer, id.into(), now)
}
