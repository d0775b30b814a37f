//! The tracks of a pilot's flights as GPX.

use std::io::{self, Write};

use fluglog_topics::flights::origin::model::Point;

/// Writes the track of a flight.
pub fn write(out: &mut dyn Write, title: &str, points: &[Point]) -> io::Result<()> {
    let title = escaped(title);
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <gpx version=\"1.1\" creator=\"Fluglog\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n\
         <trk><name>{title}</name><trkseg>\n"
    )?;
    for (latitude, longitude) in points {
        writeln!(out, "<trkpt lat=\"{latitude:.6}\" lon=\"{longitude:.6}\"/>")?;
    }
    out.write_all(b"</trkseg></trk>\n</gpx>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
