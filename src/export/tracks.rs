//! The tracks of a pilot's flights as GPX.

use std::fmt::Write as _;

use super::everything::Everything;
use super::files::sortable;
use super::names::Names;

/// Every track: its path in the archive, and its content.
pub fn all(everything: &Everything) -> Vec<(String, String)> {
    let mut names = Names::default();
    let tracks = everything.tracks.iter().map(|(id, points)| {
        let id = id.to_string();
        let flight = everything.flights.iter().find(|flight| flight.dpf_id == id);
        let (time, location) = flight.map_or(("", ""), |flight| (&flight.start_time, &flight.location));
        let title = format!("{} {location}", sortable(time));
        let name = names.take(&format!("{}.gpx", title.trim()));
        let mut gpx = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <gpx version=\"1.1\" creator=\"Fluglog\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n\
             <trk><name>{}</name><trkseg>\n",
            escaped(title.trim())
        );
        for (latitude, longitude) in points {
            // Writing to a text can't fail.
            let _ = writeln!(gpx, "<trkpt lat=\"{latitude:.6}\" lon=\"{longitude:.6}\"/>");
        }
        gpx.push_str("</trkseg></trk>\n</gpx>\n");
        (format!("tracks/{name}"), gpx)
    });
    tracks.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
