//! Images of the demo's flights: some flights with a camera have one to three.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

use super::landscape::{self, Scene};
use super::pilot::Pilot;
use super::year::Flown;
use crate::base::error::{Error, Result};
use crate::flights::images::{self, NewImage};

/// Of the flights with a camera, counted from the latest, every so many-th has images.
const EVERY: usize = 5;
/// How many images these flights have, in turns.
const IMAGES: [usize; 4] = [2, 1, 3, 2];
const IMAGES_MOST: usize = 24;

/// Adds the images; how many.
pub fn take(pilot: &Pilot, flown: &[Flown]) -> Result<usize> {
    let mut shots: Vec<(&Flown, Scene)> = Vec::new();
    let with_camera = flown
        .iter()
        .rev()
        .filter_map(|flown| flown.scene.map(|scene| (flown, scene)));
    for ((flown, scene), count) in with_camera.step_by(EVERY).zip(IMAGES.into_iter().cycle()) {
        // The camera looks elsewhere each time, and once straight down.
        shots.extend((0_u32..).take(count).map(|shot| {
            let scene = Scene {
                downwards: shot == 1,
                seed: scene.seed + shot,
                ..scene
            };
            (flown, scene)
        }));
    }
    shots.truncate(IMAGES_MOST);
    let drawn = photograph_all(&shots)?;
    let drawn: Vec<_> = shots.iter().map(|(flown, _)| *flown).zip(drawn).collect();
    for images in drawn.chunk_by(|(one, _), (other, _)| one.id == other.id) {
        let flown = images[0].0;
        pilot.go_to(flown.start.plus_minutes(90).unwrap_or(flown.start));
        let files = images.iter().map(|(_, drawn)| {
            let mut content = pilot.app.blobs.begin()?;
            content.write(drawn)?;
            let name = "Foto.jpg".to_owned();
            Ok(NewImage { name, content })
        });
        let files = files.collect::<Result<Vec<_>>>()?;
        images::add(&pilot.app, pilot.operation(), flown.id, &files)?;
    }
    Ok(shots.len())
}

/// Draws on all cores: it is what the demo takes longest for.
fn photograph_all(shots: &[(&Flown, Scene)]) -> Result<Vec<Vec<u8>>> {
    let next = AtomicUsize::new(0);
    let draw = || {
        std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            shots.get(at).map(|(_, scene)| Ok((at, landscape::photograph(scene)?)))
        })
        .collect::<Result<Vec<_>>>()
    };
    let mut drawn = scope(|scope| {
        let cores = available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(draw)).collect();
        let mut drawn = Vec::new();
        for thread in threads {
            let panicked = |_| Error::Internal("a panic while drawing".to_owned());
            drawn.extend(thread.join().map_err(panicked)??);
        }
        Ok::<_, Error>(drawn)
    })?;
    drawn.sort_unstable_by_key(|(at, _)| *at);
    Ok(drawn.into_iter().map(|(_, content)| content).collect())
}
