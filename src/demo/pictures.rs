//! Images of the demo's flights: some flights with a camera have one or two.

use super::pilot::Pilot;
use super::year::Flown;
use fluglog_base::error::Result;
use fluglog_base::id::ImageId;
use fluglog_topics::flights::images::{self, NewImage};

/// Every n-th flight with a camera, counted from the latest, gets images.
const EVERY: usize = 5;
/// Number of images of these flights, in turn.
const IMAGES: [usize; 4] = [2, 1, 2, 2];
const MAX_IMAGES: usize = 24;

/// Adds the images and returns their number.
pub fn take(pilot: &Pilot, flown: &[Flown]) -> Result<usize> {
    let with_camera = flown.iter().rev().filter_map(|flown| Some((flown, flown.views?)));
    let mut left = MAX_IMAGES;
    for ((flown, views), count) in with_camera.step_by(EVERY).zip(IMAGES.into_iter().cycle()) {
        pilot.go_to(flown.start.plus_minutes(90).unwrap_or(flown.start));
        let files = views.iter().take(count.min(left)).map(|view| {
            let mut content = pilot.app.blobs.begin()?;
            content.write(view)?;
            let name = "Foto.jpg".to_owned();
            let id = ImageId::fresh();
            Ok(NewImage { id, name, content })
        });
        let files = files.collect::<Result<Vec<_>>>()?;
        left -= files.len();
        images::add(&pilot.app, pilot.operation(), flown.id, &files)?;
        if left == 0 {
            break;
        }
    }
    Ok(MAX_IMAGES - left)
}
