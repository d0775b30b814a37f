//! The tracks of a pilot's flights as GPX.

use std::fmt::Write as _;

use super::everything::Everything;
use super::files::{Paths, title};

/// Every track: its path in the archive, and its content.
pub fn all(everything: &Everything, paths: &Paths) -> Vec<(String, String)> {
    let tracks = everything.tracks.iter().map(|(id, points)| {
        let id = id.to_string();
        let flight = everything.flights.iter().find(|flight| flight.dpf_id == id);
        let title = flight.map_or(String::new(), title);
        let mut gpx = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <gpx version=\"1.1\" creator=\"Fluglog\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n\
             <trk><name>{}</name><trkseg>\n",
            escaped(&title)
        );
        for (latitude, longitude) in points {
            // Writing to a text can't fail.
            let _ = writeln!(gpx, "<trkpt lat=\"{latitude:.6}\" lon=\"{longitude:.6}\"/>");
        }
        gpx.push_str("</trkseg></trk>\n</gpx>\n");
        (paths.of_track(&id), gpx)
    });
    tracks.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
