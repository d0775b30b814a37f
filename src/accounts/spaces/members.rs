//! The members of a space: their roles, their names, and how a membership ends.

use super::model::{self, Right, SpaceKind, SpaceMember, SpaceOfUser, WhenDeleted};
use super::table::{self, MembershipRecord};
use super::{check_right, existing};
use crate::guard::Viewer;
use crate::operation::{Operation, Outcome};
use crate::table as accounts;
use fluglog_app::App;
use fluglog_base::collation::GermanOrder;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{MemberId, SpaceId, UserId};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};

/// A member as another one sees it.
struct StoredMember {
    id: MemberId,
    name: String,
    role: Right,
    membership: MembershipRecord,
    own: bool,
}

impl StoredMember {
    fn read(
        data: &Snapshot<'_>,
        space: SpaceId,
        user: UserId,
        membership: MembershipRecord,
        seen_by: UserId,
        sees_all: bool,
    ) -> Result<StoredMember> {
        let own = user == seen_by;
        let name = match membership.name_shown || sees_all || own {
            true => accounts::existing(data, user)?.nickname,
            false => model::UNNAMED_MEMBER.to_owned(),
        };
        Ok(StoredMember {
            id: model::member_id(space, user),
            name,
            role: membership.right()?,
            membership,
            own,
        })
    }

    fn shown(self, app: &App) -> SpaceMember {
        SpaceMember {
            dpf_id: self.id,
            name: self.name,
            role: self.role.code(),
            since: app.clock.wall_time_at(self.membership.since).to_string(),
            name_shown: self.membership.name_shown,
            own: self.own,
        }
    }
}

/// Returns the members of a space, those with more rights first, then by name.
///
/// # Errors
/// As [`check_right`].
pub(crate) fn list(app: &App, viewer: &Viewer, space: SpaceId) -> Result<Vec<SpaceMember>> {
    let mut members = app.store.read(|data| read_all(data, viewer, space))?;
    let order = GermanOrder::default();
    members.sort_by(|one, other| {
        let by_name = || order.compare(&one.name, &other.name);
        other.role.cmp(&one.role).then_with(by_name)
    });
    Ok(members.into_iter().map(|member| member.shown(app)).collect())
}

/// Returns one member of a space.
///
/// # Errors
/// As [`check_right`]; [`Error::NotFound`] for who is no member.
pub(crate) fn get(app: &App, viewer: &Viewer, space: SpaceId, member: MemberId) -> Result<SpaceMember> {
    let members = app.store.read(|data| read_all(data, viewer, space))?;
    let found = members.into_iter().find(|found| found.id == member);
    found.map(|member| member.shown(app)).ok_or(Error::NotFound)
}

fn read_all(data: &Snapshot<'_>, viewer: &Viewer, space: SpaceId) -> Result<Vec<StoredMember>> {
    check_right(data, viewer, space, Right::Read)?;
    let sees_all = check_right(data, viewer, space, Right::Manage).is_ok();
    let members = table::members(data, space)?.into_iter();
    members
        .map(|(user, membership)| StoredMember::read(data, space, user, membership, viewer.user(), sees_all))
        .collect()
}

/// Changes to a member.
#[derive(Clone, Copy)]
pub(crate) struct MemberChange {
    pub role: Option<Right>,
    pub name_shown: Option<bool>,
}

/// Changes the role of a member, or whether the viewer is named.
///
/// # Errors
/// As [`check_right`]; [`Error::NotFound`] for who is no member; [`Error::Conflict`] when nobody would manage the
/// space, or a member of a household wouldn't be named.
pub(crate) fn save(
    app: &App,
    operation: Operation,
    space: SpaceId,
    member: MemberId,
    change: MemberChange,
) -> Result<SpaceMember> {
    let viewer = operation.viewer();
    let saved = operation.write(&app.store, move |writer| {
        check_right(writer, &viewer, space, Right::Read)?;
        let (user, mut membership) = found(writer, space, member)?;
        if let Some(name_shown) = change.name_shown {
            if user != viewer.user() {
                return Err(Error::Forbidden(text::RIGHT_MISSING));
            }
            if !name_shown && existing(writer, space)?.kind()? == SpaceKind::Household {
                return Err(Error::Conflict(text::NAMES_SHOWN));
            }
            membership.name_shown = name_shown;
        }
        if let Some(role) = change.role {
            check_right(writer, &viewer, space, Right::Manage)?;
            if role < Right::Manage {
                stop_managing(writer, space, user)?;
            }
            membership = membership.with_role(role);
        }
        table::put_membership(writer, space, user, &membership)?;
        let sees_all = check_right(writer, &viewer, space, Right::Manage).is_ok();
        Ok(Outcome::new(
            Object::of_equipment(space.into(), member.key(), 0),
            StoredMember::read(writer, space, user, membership, viewer.user(), sees_all)?,
        ))
    })?;
    Ok(saved.shown(app))
}

/// Ends the membership of another member, or the viewer's own, and with it the invitations for several: each member may
/// have their links. Those for one person stay.
///
/// # Errors
/// As [`check_right`]; [`Error::NotFound`] for who is no member; [`Error::Conflict`] when nobody would manage the
/// space.
pub(crate) fn remove(app: &App, operation: Operation, space: SpaceId, member: MemberId) -> Result<()> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        check_right(writer, &viewer, space, Right::Manage)?;
        let (user, _) = found(writer, space, member)?;
        end(writer, space, user, now)?;
        // The link of an invitation for several people would let the member in again, with another account.
        table::forget_invitations(writer, |invitation| {
            invitation.space == space.key() && invitation.uses > 1
        })?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Ends the viewer's membership.
///
/// # Errors
/// As [`check_right`]; [`Error::Conflict`] when nobody would be left, or nobody would manage the space.
pub(crate) fn leave(app: &App, operation: Operation, space: SpaceId) -> Result<()> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        check_right(writer, &viewer, space, Right::Read)?;
        end(writer, space, viewer.user(), now)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Ends a membership. It stays on record: the uses of the equipment name the user as the user decided.
fn end(writer: &Writer<'_>, space: SpaceId, user: UserId, now: i64) -> Result<()> {
    if table::members(writer, space)?.len() == 1 {
        return Err(Error::Conflict(text::LAST_MEMBER));
    }
    stop_managing(writer, space, user)?;
    let membership = MembershipRecord {
        ended: Some(now),
        ..table::existing_membership(writer, space, user)?
    };
    table::put_membership(writer, space, user, &membership)
}

/// Ends the invitations of a member who will not manage the space any longer.
///
/// # Errors
/// [`Error::Conflict`] when nobody else manages it.
fn stop_managing(writer: &Writer<'_>, space: SpaceId, user: UserId) -> Result<()> {
    if is_only_manager(writer, space, user)? {
        return Err(Error::Conflict(text::LAST_MANAGER));
    }
    table::forget_invitations(writer, |invitation| {
        invitation.space == space.key() && invitation.by == user.key()
    })
}

/// Returns whether a member is the only one who manages a space.
pub(crate) fn is_only_manager(data: &Snapshot<'_>, space: SpaceId, user: UserId) -> Result<bool> {
    let managers = super::members_with(data, space.into(), Right::Manage)?;
    Ok(managers == [user])
}

fn found(data: &Snapshot<'_>, space: SpaceId, member: MemberId) -> Result<(UserId, MembershipRecord)> {
    let mut members = table::members(data, space)?.into_iter();
    members
        .find(|(user, _)| model::member_id(space, *user) == member)
        .ok_or(Error::NotFound)
}

/// Returns the spaces whose only member the user is.
pub fn left_alone(data: &Snapshot<'_>, user: UserId) -> Result<Vec<SpaceId>> {
    let mut alone = Vec::new();
    for space in table::spaces_of(data, user)? {
        if table::members(data, space)?.len() == 1 {
            alone.push(space);
        }
    }
    Ok(alone)
}

/// Returns the spaces of a user with what becomes of each when the user is deleted.
pub fn spaces_of_user(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<SpaceOfUser>> {
    let user = viewer.user();
    let alone = left_alone(data, user)?;
    let mut spaces = Vec::new();
    for space in table::spaces_of(data, user)? {
        let when_deleted = match (alone.contains(&space), is_only_manager(data, space, user)?) {
            (true, _) => WhenDeleted::Goes,
            (false, true) => WhenDeleted::Unmanaged,
            (false, false) => WhenDeleted::Stays,
        };
        spaces.push(SpaceOfUser {
            name: existing(data, space)?.name,
            items: super::count_items(data, space)?,
            when_deleted,
        });
    }
    Ok(spaces)
}

/// Removes the memberships and invitations of a user who is deleted. A space that only this user was a member of must
/// have been removed before.
///
/// # Errors
/// [`Error::Conflict`] when nobody would manage a space.
pub fn forget_user(writer: &Writer<'_>, user: UserId) -> Result<()> {
    for space in table::spaces_of(writer, user)? {
        stop_managing(writer, space, user)?;
    }
    for space in table::all_spaces_of(writer, user)? {
        table::remove_membership(writer, space, user)?;
    }
    Ok(())
}
