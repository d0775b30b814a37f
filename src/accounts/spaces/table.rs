//! Records of spaces, memberships and invitations, with the index of a user's spaces.

use serde::{Deserialize, Serialize};

use super::model::{Right, SpaceKind};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{SpaceId, UserId};

use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};

/// The states of a membership in [`schema::SPACES_OF_USER`].
const CURRENT: u8 = 0;
const FORMER: u8 = 1;

/// A household or club.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SpaceRecord {
    kind: u8,
    pub name: String,
    /// Unix seconds.
    pub created: i64,
    /// How finders of its equipment reach it; empty without a contact.
    pub contact: String,
}

impl SpaceRecord {
    #[must_use]
    pub fn new(kind: SpaceKind, name: String, created: i64, contact: String) -> SpaceRecord {
        SpaceRecord {
            kind: kind.code(),
            name,
            created,
            contact,
        }
    }

    pub fn set_kind(&mut self, kind: SpaceKind) {
        self.kind = kind.code();
    }

    /// # Errors
    /// The code is unknown: the database is damaged.
    pub fn kind(&self) -> Result<SpaceKind> {
        SpaceKind::from_code(self.kind).ok_or_else(|| Error::Internal("a space has no kind".to_owned()))
    }
}

record!(SpaceRecord: u128 = SPACES);

/// A user's membership of a space. It stays when it has ended, as long as the user exists: the uses of the space's
/// equipment still name the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MembershipRecord {
    pub role: u8,
    /// Unix seconds.
    pub since: i64,
    /// Whether the uses of the space's equipment show the user's name.
    pub name_shown: bool,
    /// Unix seconds.
    pub ended: Option<i64>,
}

impl MembershipRecord {
    #[must_use]
    pub fn new(role: Right, since: i64, name_shown: bool) -> MembershipRecord {
        MembershipRecord {
            role: role.code(),
            since,
            name_shown,
            ended: None,
        }
    }

    /// # Errors
    /// The code is unknown: the database is damaged.
    pub fn right(&self) -> Result<Right> {
        Right::from_code(self.role).ok_or_else(|| Error::Internal("a membership has no role".to_owned()))
    }

    #[must_use]
    pub fn with_role(self, role: Right) -> MembershipRecord {
        MembershipRecord {
            role: role.code(),
            ..self
        }
    }
}

record!(MembershipRecord: (Owner, u128) = MEMBERSHIPS);

/// An invitation into a space. It stays until it expires, also when it is used up: who has accepted it is answered
/// again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InvitationRecord {
    pub space: u128,
    pub role: u8,
    /// The user who made it.
    pub by: u128,
    /// Unix seconds.
    pub made: i64,
    /// Unix seconds.
    pub expires: i64,
    pub uses: u32,
    pub uses_left: u32,
}

impl InvitationRecord {
    #[must_use]
    pub fn new(space: SpaceId, role: Right, by: UserId, made: i64, expires: i64, uses: u32) -> InvitationRecord {
        InvitationRecord {
            space: space.key(),
            role: role.code(),
            by: by.key(),
            made,
            expires,
            uses,
            uses_left: uses,
        }
    }

    /// # Errors
    /// The code is unknown: the database is damaged.
    pub fn right(&self) -> Result<Right> {
        Right::from_code(self.role).ok_or_else(|| Error::Internal("an invitation has no role".to_owned()))
    }
}

record!(InvitationRecord: (u128, u128) = INVITATIONS);

/// Returns the membership of a user, also one that has ended.
pub(crate) fn membership(data: &Snapshot<'_>, space: SpaceId, user: UserId) -> Result<Option<MembershipRecord>> {
    data.get::<MembershipRecord>((space.key(), user.key()))
}

/// Returns the membership of a user in a space that the index names.
pub(crate) fn existing_membership(data: &Snapshot<'_>, space: SpaceId, user: UserId) -> Result<MembershipRecord> {
    membership(data, space, user)?.ok_or_else(|| Error::Internal("an index names a missing membership".to_owned()))
}

/// Stores a membership with its entry in the index.
pub(crate) fn put_membership(
    writer: &Writer<'_>,
    space: SpaceId,
    user: UserId,
    membership: &MembershipRecord,
) -> Result<()> {
    remove_from_index(writer, space, user)?;
    writer.insert_key(&schema::SPACES_OF_USER, index_key(space.key(), user.key(), membership))?;
    writer.put((space.key(), user.key()), membership)
}

/// Returns the entry of a membership in the index.
pub(crate) fn index_key(space: u128, user: u128, membership: &MembershipRecord) -> (u128, u8, u128) {
    let state = match membership.ended {
        None => CURRENT,
        Some(_) => FORMER,
    };
    (user, state, space)
}

fn remove_from_index(writer: &Writer<'_>, space: SpaceId, user: UserId) -> Result<()> {
    let mut states = [CURRENT, FORMER].into_iter();
    states.try_for_each(|state| writer.remove_key(&schema::SPACES_OF_USER, (user.key(), state, space.key())))
}

/// Removes a membership with its entry in the index.
pub(crate) fn remove_membership(writer: &Writer<'_>, space: SpaceId, user: UserId) -> Result<()> {
    remove_from_index(writer, space, user)?;
    writer.remove::<MembershipRecord>((space.key(), user.key()))
}

/// Returns the spaces of which a user is a member, in the order in which they were made.
pub(crate) fn spaces_of(data: &Snapshot<'_>, user: UserId) -> Result<Vec<SpaceId>> {
    spaces_in_state(data, user, CURRENT, usize::MAX)
}

/// Returns at most `most` spaces of which a user was a member.
pub(crate) fn former_spaces_of(data: &Snapshot<'_>, user: UserId, most: usize) -> Result<Vec<SpaceId>> {
    spaces_in_state(data, user, FORMER, most)
}

fn spaces_in_state(data: &Snapshot<'_>, user: UserId, state: u8, most: usize) -> Result<Vec<SpaceId>> {
    let keys = data.keys_ascending(&schema::SPACES_OF_USER, under((user.key(), state)), most)?;
    Ok(keys.into_iter().map(|(_, _, space)| SpaceId::from_key(space)).collect())
}

/// Returns every space of which a user is or was a member.
pub(crate) fn all_spaces_of(data: &Snapshot<'_>, user: UserId) -> Result<Vec<SpaceId>> {
    let mut spaces = spaces_of(data, user)?;
    spaces.extend(former_spaces_of(data, user, usize::MAX)?);
    Ok(spaces)
}

/// Returns the memberships of a space, also those that have ended.
pub(crate) fn memberships(data: &Snapshot<'_>, space: SpaceId) -> Result<Vec<(UserId, MembershipRecord)>> {
    let found = data.scan::<MembershipRecord>(owned_by(space))?.into_iter();
    Ok(found
        .map(|((_, user), membership)| (UserId::from_key(user), membership))
        .collect())
}

/// Returns the members of a space.
pub(crate) fn members(data: &Snapshot<'_>, space: SpaceId) -> Result<Vec<(UserId, MembershipRecord)>> {
    let mut found = memberships(data, space)?;
    found.retain(|(_, membership)| membership.ended.is_none());
    Ok(found)
}

/// Returns when the last membership that has ended did so, in Unix seconds.
pub(crate) fn last_ended(data: &Snapshot<'_>, space: SpaceId) -> Result<Option<i64>> {
    let ended = memberships(data, space)?.into_iter();
    Ok(ended.filter_map(|(_, membership)| membership.ended).max())
}

/// Returns the invitations that match, the oldest first.
pub(crate) fn invitations(
    data: &Snapshot<'_>,
    is_sought: impl Fn(&InvitationRecord) -> bool,
) -> Result<Vec<((u128, u128), InvitationRecord)>> {
    let mut found = data.scan::<InvitationRecord>(..)?;
    found.retain(|(_, invitation)| is_sought(invitation));
    found.sort_by_key(|(_, invitation)| invitation.made);
    Ok(found)
}

/// Returns the invitations into a space that can be accepted, the oldest first.
pub(crate) fn open_invitations(
    data: &Snapshot<'_>,
    space: SpaceId,
    now: i64,
) -> Result<Vec<((u128, u128), InvitationRecord)>> {
    invitations(data, |invitation| {
        invitation.space == space.key() && invitation.uses_left > 0 && now < invitation.expires
    })
}

/// Removes invitations that match.
pub(crate) fn forget_invitations(writer: &Writer<'_>, goes: impl Fn(&InvitationRecord) -> bool) -> Result<()> {
    let mut gone = invitations(writer, goes)?.into_iter();
    gone.try_for_each(|(key, _)| writer.remove::<InvitationRecord>(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    const NOW: i64 = 1_700_000_000;

    #[test]
    fn a_space_keeps_its_bytes() {
        let space = SpaceRecord::new(SpaceKind::Club, "MFC".to_owned(), NOW, "0176".to_owned());
        assert_stored_as::<SpaceRecord>(7, &space, "8102034d4643fc00e2a7ca0430313736aa6fca6b");
    }

    #[test]
    fn a_membership_keeps_its_bytes() {
        let membership = MembershipRecord::new(Right::Maintain, NOW, true);
        assert_stored_as::<MembershipRecord>((7, 8), &membership, "8103fc00e2a7ca01003983df6c");
        let ended = MembershipRecord {
            ended: Some(NOW + 1),
            ..membership
        };
        assert_stored_as::<MembershipRecord>((7, 8), &ended, "8103fc00e2a7ca0101fc02e2a7caa5c16206");
    }

    #[test]
    fn an_invitation_keeps_its_bytes() {
        let by = UserId::from_key(8);
        let invitation = InvitationRecord::new(SpaceId::from_key(7), Right::Use, by, NOW, NOW + 1, 50);
        assert_stored_as::<InvitationRecord>((1, 2), &invitation, "81070208fc00e2a7cafc02e2a7ca32322dd2ba87");
    }
}
