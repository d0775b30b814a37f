//! Joins the clips of a video that the camera divided into several files.

use super::evaluate::Evaluated;
use fluglog_base::text;
use fluglog_readers::formats::Format;
use fluglog_readers::samples::FoundFlight;

/// Makes one flight, of the first file, of the clips of each video in the uploaded files.
pub(crate) fn join(files: &mut [(u32, Evaluated)]) {
    let mut clips: Vec<(usize, FoundFlight)> = Vec::new();
    for (index, (_, file)) in files.iter_mut().enumerate() {
        if file.format == Some(Format::Srt) {
            clips.extend(file.outcome.found.drain(..).map(|found| (index, found)));
        }
    }
    clips.sort_by(|(_, one), (_, other)| {
        let start = |found: &FoundFlight| found.start.unwrap_or(f64::INFINITY);
        start(one).total_cmp(&start(other))
    });
    let mut joined: Vec<(usize, FoundFlight)> = Vec::new();
    for (index, clip) in clips {
        match joined.iter_mut().find(|(_, before)| before.is_continued_by(&clip)) {
            Some((first, before)) => {
                before.continue_with(clip);
                let message = files.get(*first).map(|(_, first)| text::import_continues(&first.name));
                if let (Some((_, file)), Some(message)) = (files.get_mut(index), message) {
                    file.message = message;
                }
            }
            None => joined.push((index, clip)),
        }
    }
    joined.sort_by_key(|(_, found)| found.part);
    for (index, found) in joined {
        if let Some((_, file)) = files.get_mut(index) {
            file.outcome.found.push(found);
        }
    }
}
