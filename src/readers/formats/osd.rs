//! Recordings of the on-screen display of goggles (`.osd`): screens of glyphs, each with its time. DJI goggles write
//! them with msp-osd (by columns, with the frame number of the video) or O3 OSD; those of Walksnail and Ruby, like O3
//! OSD, by rows with milliseconds.

mod glyphs;
mod screen;

use std::io::BufRead;

use super::lookahead::{Lookahead, MonotonicClock, array};
use crate::samples::{Clock, Metadata, ReadError, ReadResult, Sample};
use crate::segmenter::Segmenter;
use fluglog_base::text;
use glyphs::Font;
use screen::{Screen, is_of_cell, of_pack};

const MSP_OSD: &[u8] = b"MSPOSD\0";
/// Frames per second of the videos recorded with msp-osd.
const VIDEO_RATE: f64 = 60.0;
/// Rows of a column in msp-osd's files, independent of the grid of the goggles.
const COLUMN_ROWS: usize = 22;
/// The most bytes of a header.
const MAX_HEADER: usize = 40;
/// The offset of the number of columns in headers other than msp-osd's; the number of rows follows.
const GRID_AT: usize = 36;
/// What early releases of O3 OSD, and Ruby, have there instead: their grid is `USUAL_GRID`.
const WITHOUT_GRID: [[u8; 4]; 2] = [*b"DJO3", [0; 4]];
const USUAL_GRID: (usize, usize) = (53, 20);
const COLUMNS: std::ops::RangeInclusive<usize> = 20..=120;
const ROWS: std::ops::RangeInclusive<usize> = 10..=60;
/// The most glyphs of a screen.
const MAX_GLYPHS: usize = 8192;
/// The most screens kept until the number of cells is known: more than a minute's.
const MAX_WAITING: usize = 1024;

/// The layout of a recording.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Kind {
    header_bytes: usize,
    font: Font,
    columns: usize,
    rows: usize,
    is_msp_osd: bool,
}

impl Kind {
    fn of(head: &[u8]) -> Option<Kind> {
        let byte = |at: usize| head.get(at).copied().map(usize::from);
        let kind = match head.starts_with(MSP_OSD) {
            true => {
                let (header_bytes, font) = match array(head, 7).map(u16::from_le_bytes)? {
                    1 => (18, Font::numbered(*head.get(17)?)),
                    2 => (22, Font::named(head.get(17..21)?).unwrap_or(Font::Other)),
                    _ => return None,
                };
                Kind {
                    header_bytes,
                    font,
                    columns: byte(9)?,
                    rows: byte(10).filter(|rows| *rows <= COLUMN_ROWS)?,
                    is_msp_osd: true,
                }
            }
            false => {
                let number = |at: usize| array(head, at).map(u16::from_le_bytes).map(usize::from);
                let is_without = head
                    .get(GRID_AT..)
                    .is_some_and(|grid| WITHOUT_GRID.iter().any(|none| grid.starts_with(none)));
                let (columns, rows) = match is_without {
                    true => USUAL_GRID,
                    false => (number(GRID_AT)?, number(GRID_AT + 2)?),
                };
                Kind {
                    header_bytes: MAX_HEADER,
                    font: Font::named(head.get(..4)?)?,
                    columns,
                    rows,
                    is_msp_osd: false,
                }
            }
        };
        (COLUMNS.contains(&kind.columns) && ROWS.contains(&kind.rows)).then_some(kind)
    }

    /// Bytes before the glyphs of a screen.
    fn front(&self) -> usize {
        if self.is_msp_osd { 8 } else { 4 }
    }

    /// Number of glyphs of a screen. In msp-osd's files each screen has it, always the same.
    fn glyphs(&self, first: &[u8]) -> Option<usize> {
        if !self.is_msp_osd {
            return Some(self.columns * self.rows);
        }
        let count = usize::try_from(u32::from_le_bytes(array(first, 4)?)).ok()?;
        let least = COLUMN_ROWS * (self.columns - 1) + self.rows;
        (least..=MAX_GLYPHS).contains(&count).then_some(count)
    }

    fn seconds(&self, frame: &[u8]) -> Option<f64> {
        let time = f64::from(u32::from_le_bytes(array(frame, 0)?));
        Some(time / if self.is_msp_osd { VIDEO_RATE } else { 1000.0 })
    }

    /// Passes the rows of a screen on.
    fn show(&self, glyphs: &[u8], screen: &mut Screen) {
        screen.clear();
        let mut row = Vec::with_capacity(self.columns);
        for line in 0..self.rows {
            row.clear();
            row.extend((0..self.columns).map(|column| self.glyph(glyphs, column, line)));
            screen.row(&row);
        }
    }

    /// Returns the glyph at a position of a screen.
    fn glyph(&self, glyphs: &[u8], column: usize, row: usize) -> u16 {
        let at = match self.is_msp_osd {
            true => column * COLUMN_ROWS + row,
            false => row * self.columns + column,
        };
        array(glyphs, at * 2).map(u16::from_le_bytes).unwrap_or_default()
    }
}

/// Screens with the voltage of a cell, kept until later ones show how many cells the pack has.
#[derive(Default)]
struct PendingScreens(Vec<Sample>);

impl PendingScreens {
    fn take(&mut self, sample: Sample, cells: Option<usize>, segmenter: &mut Segmenter) -> ReadResult {
        self.0.push(sample);
        match (self.0.first(), cells) {
            (Some(first), None) if is_of_cell(first) && self.0.len() < MAX_WAITING => Ok(()),
            _ => self.end(cells, segmenter),
        }
    }

    fn end(&mut self, cells: Option<usize>, segmenter: &mut Segmenter) -> ReadResult {
        self.0
            .drain(..)
            .try_for_each(|sample| segmenter.sample(&of_pack(&sample, cells)))
    }
}

/// Returns whether a file begins like a recording.
pub fn matches(head: &[u8]) -> bool {
    Kind::of(head).is_some()
}

/// Reads a recording.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: &mut dyn BufRead, segmenter: &mut Segmenter) -> ReadResult {
    let mut window = Lookahead::new(source);
    let kind = Kind::of(window.view(MAX_HEADER)?).ok_or(ReadError::Malformed(0))?;
    window.take(kind.header_bytes);
    let Some(count) = kind.glyphs(window.view(kind.front())?) else {
        return match window.view(1)? {
            [] => Ok(()),
            _ => Err(ReadError::Malformed(1)),
        };
    };
    let bytes = kind.front() + count * 2;
    segmenter.begin(Metadata {
        hints: vec![text::IMPORT_VIDEO.to_owned()],
        ..Metadata::default()
    });
    let mut screen = Screen::new(kind.font);
    let mut waiting = PendingScreens::default();
    let mut clock = MonotonicClock::default();
    let mut is_first = true;
    loop {
        let view = window.view(bytes * 2)?;
        let (Some(seconds), Some(glyphs)) = (kind.seconds(view), view.get(kind.front()..bytes)) else {
            return waiting.end(screen.cells(), segmenter);
        };
        // The first screen may be left over from the previous flight, with a later time.
        let next = view.get(bytes..).and_then(|next| kind.seconds(next));
        let is_left_over = std::mem::take(&mut is_first) && next.is_some_and(|next| next < seconds);
        match (is_left_over, clock.take(seconds)) {
            (false, Some(seconds)) => {
                kind.show(glyphs, &mut screen);
                if let (Some(moment), Some(metadata)) = (screen.moment.take(), segmenter.metadata()) {
                    metadata.zero = metadata.zero.or(Some((moment - seconds, Clock::Local)));
                }
                let sample = screen.sample(seconds);
                waiting.take(sample, screen.cells(), segmenter)?;
            }
            (true, _) => clock = MonotonicClock::default(),
            (false, None) => segmenter.count_row()?,
        }
        window.take(bytes);
    }
}

#[cfg(test)]
mod tests;
