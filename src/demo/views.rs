//! Aerial pictures of the places. Knows no flight.

/// A camera's pictures of a place: ahead, and straight down.
pub(crate) type Views = [&'static [u8]; 2];

/// Embeds the two pictures of a place.
macro_rules! views {
    ($name:literal) => {
        [
            include_bytes!(concat!("../../embed/demo/", $name, ".jpg")),
            include_bytes!(concat!("../../embed/demo/", $name, "-below.jpg")),
        ]
    };
}

pub(crate) const COAST: Views = views!("coast");
pub const FIELDS: Views = views!("fields");
pub(crate) const HEATH: Views = views!("heath");
pub(crate) const LAKE: Views = views!("lake");
pub(crate) const RIVER: Views = views!("river");
