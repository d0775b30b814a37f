//! Readers for log files of radios, drones, goggles and apps: from bytes to samples, and from samples to flights.
//! Independent of pilots, storage and HTTP.

pub mod samples;
pub mod profile;
pub mod track;
pub mod segmenter;
mod clips;
pub mod formats;
