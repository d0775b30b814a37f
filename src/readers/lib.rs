//! Readers of the files of radios, drones, goggles and apps: from bytes to samples, from samples to flights. Knows no
//! pilot, no store and no web.

pub mod samples;
pub mod profile;
pub mod track;
pub mod fold;
pub mod formats;
