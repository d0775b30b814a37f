//! Blackbox logs of Betaflight and INAV: several in a file, each with a text header that describes its frames
//! (`blackbox.c`).
//!
//! Not read by the crate `blackbox-log`, which needs the whole log in memory and rejects firmware newer than itself.
//! Three fields of the main frames and four of the GPS frames are used; the others are decoded only to find the next
//! frame.

mod encodings;
mod frames;

use std::io::BufRead;

use memchr::memmem;

use super::lookahead::{Lookahead, MonotonicClock, seconds};
use super::values::{display_text, leading_number, moment, number};
use crate::samples::{Clock, FoundFlight, Metadata, ReadError, ReadResult, Sample, SkippedPart};
use crate::segmenter::Segmenter;
use fluglog_base::text;
use frames::{Decoder, Frame, FrameLayout, Gps, MAX_FIELDS};

/// The first line of each log.
const PRODUCT: &[u8] = b"H Product:Blackbox flight data recorder";
/// The first data version whose header describes the frames.
const VERSION: &str = "H Data version:";
const MIN_VERSION: f64 = 2.0;
/// Limits of a header's line and number of lines. The header of a fully equipped copter has 3 KiB and 200 lines.
const MAX_LINE_BYTES: usize = 16 * 1024;
const MAX_LINES: usize = 2000;
/// The most bytes of a frame and the byte after it.
const MAX_FRAME_BYTES: usize = 1024;
/// The most attempts to find a frame after broken bytes before going to the next log.
const MAX_ATTEMPTS: u32 = 10_000;
/// Seconds: at most one sample is taken in this time, of thousands of frames a second.
const SAMPLE_SECONDS: f64 = 0.1;

/// The most bytes after the header of a log in which nothing flew: events, and a frame that was cut off. A longer log
/// without any frame with a time is unreadable.
const MAX_EMPTY_BYTES: usize = MAX_FRAME_BYTES;

/// What follows a log's header.
enum Content {
    Flight,
    /// Frames of an unknown firmware, or damage.
    Unreadable,
    Nothing,
}

/// Returns whether a file begins like a blackbox log.
pub fn matches(head: &[u8]) -> bool {
    head.starts_with(PRODUCT)
}

/// Returns whether the first log is of a version whose header doesn't describe its frames.
pub fn is_old(head: &[u8]) -> bool {
    let line =
        memmem::find(head, VERSION.as_bytes()).and_then(|at| head.get(at + VERSION.len()..at + VERSION.len() + 4));
    let version = line.and_then(|line| leading_number(&String::from_utf8_lossy(line)));
    version.is_some_and(|version| version < MIN_VERSION)
}

/// Reads a file of blackbox logs.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: &mut dyn BufRead, segmenter: &mut Segmenter) -> ReadResult {
    let mut window = Lookahead::new(source);
    while seek(&mut window)? {
        let header = Header::read(&mut window)?;
        header.add_flight(&mut window, segmenter)?;
    }
    Ok(())
}

/// Skips to the next log. Returns whether there is one.
fn seek(window: &mut Lookahead<'_>) -> Result<bool, ReadError> {
    loop {
        let view = window.view(MAX_FRAME_BYTES)?;
        if view.len() < PRODUCT.len() {
            return Ok(false);
        }
        match memmem::find(view, PRODUCT) {
            Some(0) => return Ok(true),
            Some(at) => window.take(at),
            None => {
                let passed = view.len() - (PRODUCT.len() - 1);
                window.take(passed);
            }
        }
    }
}

/// The header lines.
#[derive(Default)]
struct Header {
    craft: String,
    /// V per unit.
    volts: Option<f64>,
    /// A per unit.
    amperes: Option<f64>,
    start: Option<(f64, Clock)>,
    shape: FrameLayout,
    is_old: bool,
}

impl Header {
    fn read(window: &mut Lookahead<'_>) -> Result<Header, ReadError> {
        let mut header = Header::default();
        for number in 0..MAX_LINES {
            let view = window.view(MAX_LINE_BYTES)?;
            if !view.starts_with(b"H ") || (number > 0 && view.starts_with(PRODUCT)) {
                return Ok(header);
            }
            let Some(end) = memchr::memchr(b'\n', view) else {
                // The file was cut off here.
                let length = view.len();
                window.take(length);
                return match length < MAX_LINE_BYTES {
                    true => Ok(header),
                    false => Err(ReadError::Malformed(0)),
                };
            };
            let line = String::from_utf8_lossy(view.get(2..end).unwrap_or_default()).into_owned();
            window.take(end + 1);
            if let Some((key, value)) = line.trim_end().split_once(':') {
                header.take(key, value)?;
            }
        }
        Err(ReadError::Malformed(0))
    }

    fn take(&mut self, key: &str, value: &str) -> ReadResult {
        match key {
            "Data version" => self.is_old = number(value).is_some_and(|version| version < MIN_VERSION),
            "Craft name" => self.craft = display_text(value, 100),
            "Firmware revision" => (self.volts, self.amperes) = units(value),
            "Log start datetime" => {
                // A controller without the time writes the year 0.
                let start = moment(value).filter(|moment| moment.shown > 0.0);
                self.start = start.map(|moment| match moment.offset {
                    Some(_) => (moment.utc(), Clock::Utc),
                    None => (moment.shown, Clock::Local),
                });
            }
            "vbatref" => self.shape.reference = value.trim().parse().unwrap_or_default(),
            "Field I name" => self.shape.name(value),
            "Field I predictor" => self.shape.intra.predictors = list(value)?,
            "Field I encoding" => self.shape.intra.encodings = list(value)?,
            "Field P predictor" => self.shape.inter.predictors = list(value)?,
            "Field P encoding" => self.shape.inter.encodings = list(value)?,
            "Field S encoding" => self.shape.slow = list(value)?,
            "Field G name" => self.shape.name_of_gps(value),
            "Field G predictor" => self.shape.gps.predictors = list(value)?,
            "Field G encoding" => self.shape.gps.encodings = list(value)?,
            "Field H encoding" => self.shape.home = list(value)?,
            _ => {}
        }
        Ok(())
    }

    /// Adds the flight of a log: from its frames, or from its header if they are unreadable.
    fn add_flight(self, window: &mut Lookahead<'_>, segmenter: &mut Segmenter) -> ReadResult {
        if self.is_old {
            segmenter.skip(SkippedPart {
                from: None,
                clock: Clock::Unknown,
                reason: text::IMPORT_OLD_BLACKBOX.to_owned(),
            });
            return Ok(());
        }
        let metadata = Metadata {
            clock: self.start.map_or(Clock::Unknown, |(_, clock)| clock),
            name: self.craft.clone(),
            ..Metadata::default()
        };
        let summary = FoundFlight {
            start: self.start.map(|(start, _)| start),
            metadata: metadata.clone(),
            ..FoundFlight::default()
        };
        segmenter.begin(Metadata {
            clock: Clock::Unknown,
            ..metadata
        });
        match self.read_frames(window, segmenter)? {
            Content::Flight => {}
            Content::Unreadable => segmenter.flight(summary),
            Content::Nothing => segmenter.skip(SkippedPart {
                from: None,
                clock: Clock::Unknown,
                reason: text::IMPORT_EMPTY_LOG.to_owned(),
            }),
        }
        Ok(())
    }

    /// Reads frames until the end of the log.
    fn read_frames(self, window: &mut Lookahead<'_>, segmenter: &mut Segmenter) -> Result<Content, ReadError> {
        let mut decoder = Decoder::new(self.shape);
        let mut clock = MonotonicClock::default();
        let mut taken: Option<f64> = None;
        let mut waiting: Option<Sample> = None;
        let mut fix: Option<Gps> = None;
        let mut attempts = 0;
        let mut bytes = 0;
        let product = memmem::Finder::new(PRODUCT);
        loop {
            let view = window.view(MAX_FRAME_BYTES)?;
            // A log that was cut off ends within a frame, and the next one begins there.
            let next = memchr::memchr(b'H', view).and_then(|from| product.find(view.get(from..)?).map(|at| from + at));
            let view = view.get(..next.unwrap_or(view.len())).unwrap_or_default();
            if view.is_empty() {
                break;
            }
            let (frame, length) = decoder.read(view);
            window.take(length);
            bytes += length;
            attempts = if matches!(frame, Frame::Broken) {
                attempts + 1
            } else {
                0
            };
            match frame {
                Frame::End => break,
                Frame::Broken if attempts == MAX_ATTEMPTS => break,
                Frame::Other | Frame::Broken => {}
                Frame::Gps(gps) => fix = Some(gps),
                Frame::Main(main) => {
                    let Some(now) = clock.take(seconds(main.micros)) else {
                        continue;
                    };
                    if taken.is_none()
                        && let (Some((start, clock)), Some(metadata)) = (self.start, segmenter.metadata())
                    {
                        metadata.zero = Some((start - now, clock));
                    }
                    let mut sample = Sample {
                        seconds: Some(now),
                        volts: main.volts.zip(self.volts).map(|(value, unit)| value * unit),
                        amperes: main
                            .amperes
                            .zip(self.amperes)
                            .map(|(value, unit)| value * unit)
                            .filter(|amperes| *amperes > 0.0),
                        ..Sample::default()
                    };
                    waiting = Some(sample);
                    if taken.is_none_or(|last| now - last >= SAMPLE_SECONDS || now < last) {
                        if let Some(gps) = fix.take() {
                            sample.point = Some(gps.point);
                            sample.satellites = gps.satellites;
                            sample.speed = gps.speed;
                        }
                        segmenter.sample(&sample)?;
                        (taken, waiting) = (Some(now), None);
                    }
                }
            }
        }
        if let Some(last) = waiting {
            segmenter.sample(&last)?;
        }
        Ok(match taken {
            Some(_) => Content::Flight,
            None if bytes > MAX_EMPTY_BYTES => Content::Unreadable,
            None => Content::Nothing,
        })
    }
}

/// Returns V and A per unit for a firmware revision such as `Betaflight 4.5.1 (77d01ba3b) STM32F7X2`. Units of other
/// firmware are unknown.
fn units(revision: &str) -> (Option<f64>, Option<f64>) {
    let mut words = revision.split_whitespace();
    let (name, version) = (words.next(), words.next().and_then(leading_version));
    match (name, version) {
        (Some("Betaflight"), Some(4..)) | (Some("INAV"), Some(_)) => (Some(0.01), Some(0.01)),
        (Some("Betaflight"), Some(3)) => (Some(0.1), Some(0.01)),
        _ => (None, None),
    }
}

fn leading_version(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

/// Parses a comma-separated list with at most as many numbers as a frame has fields.
fn list(value: &str) -> Result<Vec<u8>, ReadError> {
    let numbers: Option<Vec<u8>> = value
        .split(',')
        .take(MAX_FIELDS + 1)
        .map(|number| number.trim().parse().ok())
        .collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= MAX_FIELDS);
    numbers.ok_or(ReadError::Malformed(0))
}
