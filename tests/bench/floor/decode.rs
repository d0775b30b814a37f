//! The minimal cost of a list of flights: decoding the records of a database and writing them as JSON in a loop,
//! without a server, a user, an index or a disk. The figure is the milliseconds of one round.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use super::flights::{self, Stored};
use super::{Result, say};

/// Number of rounds; their median is reported.
const ROUNDS: usize = 41;

pub fn run(data_dir: &Path) -> Result<()> {
    let flights = flights::like_stored(data_dir)?;
    let mut milliseconds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        black_box(as_json(black_box(&flights))?);
        milliseconds.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    milliseconds.sort_by(f64::total_cmp);
    let (bytes, median) = (as_json(&flights)?.len(), milliseconds[ROUNDS / 2]);
    say(&format!(
        "{} flights, {bytes} bytes of JSON, milliseconds: {median:.3}",
        flights.len()
    ));
    Ok(())
}

fn as_json(flights: &[Stored]) -> Result<Vec<u8>> {
    let mut json = vec![b'['];
    for Stored { key, bytes } in flights {
        serde_json::to_writer(&mut json, &flights::row(*key, bytes)?)?;
        json.push(b',');
    }
    json.pop();
    json.push(b']');
    Ok(json)
}
