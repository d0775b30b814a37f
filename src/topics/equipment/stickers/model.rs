//! Types of the answers about stickers. No store, no web.

use serde::Serialize;

/// The sticker of an item.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Sticker {
    /// 8 digits and capital letters
    pub code: String,
    /// Printed large beside the code; null when all 999 are taken.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 999))]
    pub number: Option<u16>,
}

/// A printable sticker.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Label {
    /// Item that it is for.
    pub dpf_id: String,
    pub name: String,
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 999))]
    pub number: Option<u16>,
    /// Target of its QR code.
    pub link: String,
    /// QR code row by row, without the white margin: `1` is dark, `0` is white.
    pub qr: Vec<String>,
}
