//! Places from above. Knows no flight.

/// What a camera sees at a place: ahead, and straight down.
pub type Views = [&'static [u8]; 2];

/// The views of this name.
macro_rules! views {
    ($name:literal) => {
        [
            include_bytes!(concat!("../../embed/demo/", $name, ".jpg")),
            include_bytes!(concat!("../../embed/demo/", $name, "-below.jpg")),
        ]
    };
}

pub const COAST: Views = views!("coast");
pub const FIELDS: Views = views!("fields");
pub const HEATH: Views = views!("heath");
pub const LAKE: Views = views!("lake");
pub const RIVER: Views = views!("river");
