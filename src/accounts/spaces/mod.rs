//! Spaces: households and clubs that own equipment together. Their flights stay with the pilots.

pub mod model;
pub(crate) mod table;

use super::guard::{Access, Viewer};
use super::table as accounts;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{OwnerId, SpaceId, UserId};
use fluglog_store::Snapshot;
use model::SpaceName;
use table::SpaceRecord;

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
            access.check(model::Right::Read)?;
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

/// Returns how a space's equipment names a user who used it: by the nickname, if the user lets it.
pub fn user_name(data: &Snapshot<'_>, owner: OwnerId, user: UserId) -> Result<String> {
    let space = SpaceId::from_key(owner.key());
    let shown = match table::membership(data, space, user)? {
        Some(membership) if membership.name_shown => accounts::existing(data, user)?.nickname,
        Some(membership) if membership.ended.is_none() => model::UNNAMED_MEMBER.to_owned(),
        _ => model::FORMER_MEMBER.to_owned(),
    };
    Ok(shown)
}
