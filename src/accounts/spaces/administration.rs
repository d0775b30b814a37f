//! Spaces as the admin sees them: names, counts and who manages them, with nothing of what is in them.

use serde::{Deserialize, Serialize};

use super::model::{Right, SpaceKind};
use super::{count_items, existing, table};
use crate::table as accounts;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{SpaceId, UserId};
use fluglog_store::{Snapshot, Writer};

/// A space, without its content.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SpaceDetails {
    pub id: String,
    pub name: String,
    pub is_household: bool,
    /// How finders of its equipment reach it.
    pub contact: String,
    /// Unix seconds.
    pub created: i64,
    pub items: usize,
    pub open_invitations: usize,
    /// By role: those who may do most come first.
    pub members: Vec<MemberDetails>,
}

impl SpaceDetails {
    /// The members who manage the space.
    pub fn managers(&self) -> impl Iterator<Item = &MemberDetails> {
        self.members.iter().filter(|member| member.role == Right::Manage.code())
    }
}

/// A member of a space.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MemberDetails {
    pub email: String,
    pub nickname: String,
    /// The code of the right.
    pub role: u8,
    /// Unix seconds.
    pub since: i64,
}

/// Returns every space, by name.
pub fn all(data: &Snapshot<'_>, now: i64) -> Result<Vec<SpaceDetails>> {
    let ids = super::all(data)?.into_iter();
    let mut spaces = ids.map(|id| details(data, id, now)).collect::<Result<Vec<_>>>()?;
    spaces.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
    Ok(spaces)
}

/// Returns a space, without its content; `now` is in Unix seconds.
///
/// # Errors
/// The database can't be read.
pub fn details(data: &Snapshot<'_>, id: SpaceId, now: i64) -> Result<SpaceDetails> {
    let space = existing(data, id)?;
    let mut members = Vec::new();
    for (user, membership) in table::members(data, id)? {
        let account = accounts::existing(data, user)?;
        members.push(MemberDetails {
            email: account.email,
            nickname: account.nickname,
            role: membership.right()?.code(),
            since: membership.since,
        });
    }
    members.sort_by(|one, other| (other.role, &one.email).cmp(&(one.role, &other.email)));
    Ok(SpaceDetails {
        id: id.to_string(),
        is_household: space.kind()? == SpaceKind::Household,
        name: space.name,
        contact: space.contact,
        created: space.created,
        items: count_items(data, id)?,
        open_invitations: table::open_invitations(data, id, now)?.len(),
        members,
    })
}

/// Lets a member manage the space, for when nobody who does can be reached.
///
/// # Errors
/// [`Error::NotFound`] for who is no member.
pub fn make_manager(writer: &Writer<'_>, space: SpaceId, user: UserId) -> Result<()> {
    let mut members = table::members(writer, space)?.into_iter();
    let (_, membership) = members.find(|(member, _)| *member == user).ok_or(Error::NotFound)?;
    table::put_membership(writer, space, user, &membership.with_role(Right::Manage))
}
