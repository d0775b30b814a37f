//! Rules of spaces and the shapes that their calls answer with. No store, no web.

use serde::Serialize;

use fluglog_base::coded;
use fluglog_base::id::SpaceId;

coded! {
    /// What a member may do in a space. Each right includes those before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "camelCase")]
    #[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
    pub enum Right {
        /// See its equipment with its logs.
        Read = 0,
        /// Fly with it, charge it and add logs.
        Use = 1,
        /// Change it.
        Maintain = 2,
        /// Manage the members and the space.
        Manage = 3,
    }
}

coded! {
    /// The kind of a space.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "camelCase")]
    #[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
    pub enum SpaceKind {
        /// A couple, a family, friends: every member manages it and is named.
        Household = 1,
        Club = 2,
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

/// How members who aren't named are called.
pub(crate) const UNNAMED_MEMBER: &str = "ein Mitglied";
pub(crate) const FORMER_MEMBER: &str = "ehemaliges Mitglied";
