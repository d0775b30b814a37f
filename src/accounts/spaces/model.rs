//! Rules of spaces and the shapes that their calls answer with. No store, no web.

use serde::{Deserialize, Serialize};

use fluglog_base::coded;
use fluglog_base::id::{InvitationId, MemberId, SpaceId, UserId};
use fluglog_base::secret::{digest, digest_key};

pub const MAX_NAME_CHARACTERS: usize = 60;
/// The longest text that fits beside the QR code of a sticker.
pub(crate) const MAX_CONTACT_CHARACTERS: usize = 60;
/// The most uses and days of an invitation, and the days of its validity if the request names none.
pub const MAX_USES: u32 = 50;
pub(crate) const MAX_DAYS: u32 = 30;
pub(crate) const DEFAULT_DAYS: u32 = 7;

coded! {
    /// The right of a member in a space, by the role. Each right includes the ones before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Right {
        /// See its equipment with its logs.
        Read = 1,
        /// Fly with it, charge it and add logs, and change what the member wrote.
        Use = 2,
        /// Change it, and what others wrote about it.
        Maintain = 3,
        /// Manage the members and the space.
        Manage = 4,
    }
}

coded! {
    /// The kind of a space.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SpaceKind {
        /// A couple, a family, friends: every member is named.
        Household = 1,
        Club = 2,
    }
}

impl SpaceKind {
    /// The role of an invitation that names none.
    #[must_use]
    pub(crate) const fn usual_role(self) -> Right {
        match self {
            SpaceKind::Household => Right::Manage,
            SpaceKind::Club => Right::Use,
        }
    }
}

/// A space, as far as an item of its equipment names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SpaceName {
    #[cfg_attr(feature = "schema", ts(as = "String"), schema(value_type = String))]
    pub dpf_id: SpaceId,
    pub name: String,
}

/// A space of the logged-in user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SessionSpace {
    #[cfg_attr(feature = "schema", ts(as = "String"), schema(value_type = String))]
    pub dpf_id: SpaceId,
    pub name: String,
    /// 1 a household, 2 a club.
    pub kind: u8,
    /// 1 reader, 2 member, 3 keeper of the equipment, 4 manager.
    pub role: u8,
}

/// A household or club of which the pilot is a member.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Space {
    #[cfg_attr(feature = "schema", ts(as = "String"), schema(value_type = String))]
    pub dpf_id: SpaceId,
    pub name: String,
    /// 1 a household, 2 a club.
    pub kind: u8,
    /// The pilot's: 1 reader, 2 member, 3 keeper of the equipment, 4 manager.
    pub role: u8,
    /// How finders of its equipment reach it.
    pub contact: String,
    /// dd.MM.yyyy HH:mm
    pub created: String,
    /// Number of members.
    pub members: usize,
    /// Number of items, retired ones included.
    pub items: usize,
    /// Whether the uses of its equipment show the pilot's name.
    pub name_shown: bool,
}

/// A member of a space.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SpaceMember {
    #[cfg_attr(feature = "schema", ts(as = "String"), schema(value_type = String))]
    pub dpf_id: MemberId,
    /// The nickname, or „ein Mitglied“ for who isn't named.
    pub name: String,
    /// 1 reader, 2 member, 3 keeper of the equipment, 4 manager.
    pub role: u8,
    /// dd.MM.yyyy HH:mm
    pub since: String,
    /// Whether the uses of the space's equipment show the name.
    pub name_shown: bool,
    /// Whether it is the pilot.
    pub own: bool,
}

/// An invitation into a space that can still be accepted.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SpaceInvitation {
    #[cfg_attr(feature = "schema", ts(as = "String"), schema(value_type = String))]
    pub dpf_id: InvitationId,
    /// The role that it gives: 1 reader, 2 member, 3 keeper of the equipment, 4 manager.
    pub role: u8,
    /// The nickname of who made it.
    pub by: String,
    /// dd.MM.yyyy HH:mm
    pub made: String,
    /// dd.MM.yyyy HH:mm
    pub ends: String,
    pub uses: u32,
    pub uses_left: u32,
}

/// A new invitation into a space. Its link is returned only once.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct InvitationLink {
    #[cfg_attr(feature = "schema", ts(as = "String"), schema(value_type = String))]
    pub dpf_id: InvitationId,
    pub link: String,
    /// The QR code of the link: a PNG in base64.
    pub img: String,
    /// dd.MM.yyyy HH:mm
    pub ends: String,
}

/// An invitation into a space, as its page shows it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SpaceToJoin {
    pub name: String,
    /// 1 a household, 2 a club.
    pub kind: u8,
    /// The role that it gives: 1 reader, 2 member, 3 keeper of the equipment, 4 manager.
    pub role: u8,
    /// The nickname of who made it.
    pub by: String,
    /// Number of members.
    pub members: usize,
    /// Number of items, retired ones included.
    pub items: usize,
    /// dd.MM.yyyy HH:mm
    pub ends: String,
    /// The space, if the browser is logged in as a member of it.
    #[cfg_attr(feature = "schema", ts(as = "Option<String>"), schema(value_type = Option<String>))]
    pub space: Option<SpaceId>,
}

/// What becomes of a space when one of its members is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub enum WhenDeleted {
    /// The space stays with its other members.
    Stays,
    /// The space goes with its equipment: there is no other member.
    Goes,
    /// Nobody else manages the space: the member can't be deleted before somebody does.
    Unmanaged,
}

/// A space of a user, for whoever may delete the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SpaceOfUser {
    pub name: String,
    /// Number of items, retired ones included.
    pub items: usize,
    pub when_deleted: WhenDeleted,
}

/// How members who aren't named are called.
pub(crate) const UNNAMED_MEMBER: &str = "ein Mitglied";
pub(crate) const FORMER_MEMBER: &str = "ehemaliges Mitglied";

/// Returns the id by which a space's calls name a member. It tells nothing about the user elsewhere.
#[must_use]
pub(crate) fn member_id(space: SpaceId, user: UserId) -> MemberId {
    MemberId::from_key(digest_key(&digest(&format!("member {space} {user}"))).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_has_another_id_in_each_space() {
        let user = UserId::from_key(1);
        let [one, other] = [7, 8].map(|space| member_id(SpaceId::from_key(space), user));
        assert_ne!(one, other);
        assert_eq!(one, member_id(SpaceId::from_key(7), user));
    }
}
