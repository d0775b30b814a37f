//! Values of the calls about personal access tokens.

use serde::Serialize;

use fluglog_base::id::AccessTokenId;

/// The right that a call needs of the token of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRight {
    Read,
    Write,
}

/// A token in the profile, without its text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AccessToken {
    #[cfg_attr(feature = "schema", schema(value_type = String), ts(type = "string"))]
    pub dpf_id: AccessTokenId,
    pub name: String,
    pub may_write: bool,
    pub made: String,
    pub last_used: Option<String>,
    pub ends: String,
}

/// A new token with its text, which is shown this once.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct NewAccessToken {
    /// For the header `Authorization: Bearer …`.
    pub token: String,
}
