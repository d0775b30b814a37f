//! Readers for log files of radios, drones, goggles and apps: from bytes to samples, and from samples to flights.
//! Independent of pilots, storage and HTTP.

pub mod fold;
pub mod formats;
pub mod profile;
pub mod samples;
pub mod track;
