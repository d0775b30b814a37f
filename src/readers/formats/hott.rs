//! Logs of Graupner HoTT transmitters. The older format (`.bin`) has a block every 10 ms, each with a page of a
//! sensor's message; the newer one (`.log`) has whole messages after a text header. A message is that of HoTT's
//! telemetry without its framing bytes.

use std::io::BufRead;

use super::lookahead::{Lookahead, MonotonicClock, array};
use super::values::{days, time_of_day};
use crate::samples::{Clock, Metadata, Point, ReadError, ReadResult, Sample, is_of_pack};
use crate::segmenter::Segmenter;

/// The beginning of a log in the newer format.
const TEXT_MARK: &[u8] = b"FILE TAG IDVER";
/// Bytes of its header that are read, and the most that it has.
const TEXT_BYTES: usize = 4096;
const MAX_TEXT: usize = 4 * 1024 * 1024;
/// Bytes of a block in the newer format, followed by two for each channel.
const BLOCK_BYTES: usize = 66;
const MAX_CHANNELS: usize = 64;
const TENTH: f64 = 0.1;
/// Bytes of a block in the older format. Some files have a header before the blocks.
const PAGED_BYTES: usize = 64;
const SD_MARK: &[u8] = b"GRAUPNER SD LOG";
const SD_BYTES: usize = 27;
const PAGED_SECONDS: f64 = 0.01;
/// The number of blocks checked to recognise the older format: each has the number of the block before plus one.
const BLOCKS_TELLING: usize = 24;
/// The sensor byte of a block: receiver only, sensors at the slow rate, sensors at the fast rate.
const KINDS: [u8; 12] = [0x80, 0x89, 0x8A, 0x8C, 0x8D, 0x8E, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39];
/// The number of pages of a message, and the bytes of each; page 0 belongs to the receiver.
const PAGES: u8 = 4;
const PAGE_BYTES: usize = 10;
const MESSAGE_BYTES: usize = 40;
/// Sensors by the first byte of their messages.
const VARIO: u8 = 0x90;
const GPS: u8 = 0xA0;
const SPEED_CONTROL: u8 = 0xC0;
const GENERAL: u8 = 0xD0;
const ELECTRIC: u8 = 0xE0;
/// m; altitudes are transmitted with this offset.
const ALTITUDE_ZERO: f64 = 500.0;
/// mAh per unit of consumed charge.
const CONSUMED_UNIT: f64 = 10.0;

/// Returns whether a file begins like a HoTT log.
pub fn matches(head: &[u8]) -> bool {
    let blocks = match head.starts_with(SD_MARK) {
        true => head.get(SD_BYTES..).unwrap_or_default(),
        false => head,
    };
    head.starts_with(TEXT_MARK) || is_paged(blocks)
}

fn is_paged(head: &[u8]) -> bool {
    let (blocks, _) = head.as_chunks::<PAGED_BYTES>();
    let is_block = |block: &[u8; PAGED_BYTES]| KINDS.contains(&block[7]) && block[33] <= PAGES;
    let blocks = blocks.get(..BLOCKS_TELLING).unwrap_or_default();
    !blocks.is_empty()
        && blocks.iter().all(is_block)
        && blocks.windows(2).all(|pair| pair[1][0] == pair[0][0].wrapping_add(1))
}

/// Reads a log. `name` is the name of the file.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: &mut dyn BufRead, name: &str, segmenter: &mut Segmenter) -> ReadResult {
    let mut window = Lookahead::new(source);
    let head = window.view(TEXT_BYTES)?;
    match head.starts_with(TEXT_MARK) {
        true => whole(window, name, segmenter),
        false => paged(window, segmenter),
    }
}

fn metadata() -> Metadata {
    Metadata {
        is_continuous: true,
        ..Metadata::default()
    }
}

/// The header of a log in the newer format.
#[derive(Debug, PartialEq)]
struct Header {
    bytes: usize,
    channels: usize,
    /// Seconds since midnight.
    start: Option<f64>,
}

impl Header {
    fn of(head: &[u8]) -> Option<Header> {
        let text = String::from_utf8_lossy(head);
        let value = |key: &str| {
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line.split_once(':')?.1.trim())
        };
        Some(Header {
            bytes: value("LOG DATA OFFSET")?
                .parse()
                .ok()
                .filter(|bytes| *bytes <= MAX_TEXT)?,
            channels: value("LOG NOB CHANNEL")?
                .parse()
                .ok()
                .filter(|channels| *channels <= MAX_CHANNELS)?,
            start: value("LOG START TIME").and_then(time_of_day),
        })
    }
}

fn whole(mut window: Lookahead<'_>, name: &str, segmenter: &mut Segmenter) -> ReadResult {
    let header = Header::of(window.view(TEXT_BYTES)?).ok_or(ReadError::Malformed(1))?;
    let mut left = header.bytes;
    while left > 0 {
        let count = window.view(left.min(TEXT_BYTES))?.len();
        if count == 0 {
            return Ok(());
        }
        window.take(count);
        left -= count;
    }
    let begin = day(name).zip(header.start).map(|(day, time)| day * 86_400.0 + time);
    let bytes = BLOCK_BYTES + header.channels * 2;
    let mut clock = MonotonicClock::default();
    let mut sensors = Sensors::default();
    let mut has_zero = false;
    segmenter.begin(metadata());
    loop {
        let view = window.view(bytes)?;
        let Some(block) = view.get(..bytes) else {
            return Ok(());
        };
        let seconds = array(block, 0).map(|counter| f64::from(u32::from_le_bytes(counter)) * TENTH);
        let seconds = seconds.and_then(|seconds| clock.take(seconds));
        if let (false, Some(begin), Some(seconds), Some(metadata)) = (has_zero, begin, seconds, segmenter.metadata()) {
            metadata.zero = Some((begin - seconds, Clock::Local));
            has_zero = true;
        }
        // Other blocks are measurements of the radio's channels.
        let is_of_sensor = block.get(8).is_some_and(|level| *level != 0) && block.get(24) != Some(&0x1F);
        let message = array::<MESSAGE_BYTES>(block, 26).filter(|_| is_of_sensor);
        match message
            .zip(seconds)
            .and_then(|(message, seconds)| sensors.sample(&message, seconds))
        {
            Some(sample) => segmenter.sample(&sample)?,
            None => segmenter.count_row()?,
        }
        window.take(bytes);
    }
}

/// Finds the date in a file name like `0095_2021-4-18.log`, in days since 1970.
fn day(name: &str) -> Option<f64> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.split('_').find_map(|part| {
        let mut numbers = part.split('-').map(str::parse::<u32>);
        let (year, month, day) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
        days(i32::try_from(year).ok()?, month, day).filter(|_| numbers.next().is_none())
    })
}

fn paged(mut window: Lookahead<'_>, segmenter: &mut Segmenter) -> ReadResult {
    if window.view(SD_BYTES)?.starts_with(SD_MARK) {
        window.take(SD_BYTES);
    }
    let mut pages = PagedMessage {
        kind: 0,
        count: 0,
        message: [0; MESSAGE_BYTES],
    };
    let mut sensors = Sensors::default();
    let mut seconds = 0.0;
    segmenter.begin(metadata());
    loop {
        let view = window.view(PAGED_BYTES)?;
        let Some(block) = view.first_chunk::<PAGED_BYTES>() else {
            return Ok(());
        };
        match pages.take(block).and_then(|message| sensors.sample(&message, seconds)) {
            Some(sample) => segmenter.sample(&sample)?,
            None => segmenter.count_row()?,
        }
        seconds += PAGED_SECONDS;
        window.take(PAGED_BYTES);
    }
}

/// A message that is assembled from its pages, each of which is sent several times.
struct PagedMessage {
    kind: u8,
    /// Number of pages received.
    count: u8,
    message: [u8; MESSAGE_BYTES],
}

impl PagedMessage {
    /// Adds the page of a block. Returns the message when its last page is there.
    fn take(&mut self, block: &[u8; PAGED_BYTES]) -> Option<[u8; MESSAGE_BYTES]> {
        let (kind, page) = (block[7], block[33]);
        if kind != self.kind || page == 1 {
            (self.kind, self.count) = (kind, 0);
        }
        let is_next = page > 0 && page <= PAGES && (page == self.count + 1 || page == self.count);
        if !is_next {
            return None;
        }
        self.count = page;
        let at = usize::from(page - 1) * PAGE_BYTES;
        let (place, bytes) = (
            self.message.get_mut(at..at + PAGE_BYTES)?,
            block.get(34..34 + PAGE_BYTES)?,
        );
        place.copy_from_slice(bytes);
        if self.count < PAGES {
            return None;
        }
        self.count = 0;
        Some(self.message)
    }
}

/// The most reliable sensors so far, by rank: less reliable ones are ignored.
struct Sensors {
    pack: u8,
    altitude: u8,
}

impl Default for Sensors {
    fn default() -> Sensors {
        Sensors {
            pack: u8::MAX,
            altitude: u8::MAX,
        }
    }
}

/// Where voltage, current and consumed charge are in a message.
struct Pack {
    rank: u8,
    volts: usize,
    amperes: usize,
    consumed: usize,
}

impl Sensors {
    /// Returns the sample of a message; `None` for one without values of a flight.
    fn sample(&mut self, message: &[u8; MESSAGE_BYTES], seconds: f64) -> Option<Sample> {
        let mut sample = Sample {
            seconds: Some(seconds),
            ..Sample::default()
        };
        let (altitude, pack) = match message[0] {
            VARIO => ((0, 2), None),
            GPS => {
                place(message, &mut sample);
                ((1, 18), None)
            }
            SPEED_CONTROL => {
                let pack = Pack {
                    rank: 0,
                    volts: 3,
                    amperes: 11,
                    consumed: 7,
                };
                ((u8::MAX, 0), Some(pack))
            }
            ELECTRIC => (
                (2, 23),
                Some(Pack {
                    rank: 1,
                    volts: 27,
                    amperes: 25,
                    consumed: 29,
                }),
            ),
            GENERAL => (
                (2, 20),
                Some(Pack {
                    rank: 2,
                    volts: 27,
                    amperes: 25,
                    consumed: 29,
                }),
            ),
            _ => return None,
        };
        let (rank, at) = altitude;
        let metres = number(message, at).map(|metres| metres - ALTITUDE_ZERO);
        // Modules without a barometer send 0.
        let is_told = rank < 2 || metres.is_some_and(|metres| metres != 0.0);
        if rank <= self.altitude && rank < u8::MAX && is_told {
            self.altitude = rank;
            sample.altitude = metres;
        }
        if let Some(pack) = pack {
            let volts = number(message, pack.volts).map(|tenths| tenths / 10.0);
            sample.volts = volts.filter(|volts| is_of_pack(*volts, None));
            sample.sensor_rank = pack.rank;
            if pack.rank <= self.pack && sample.volts.is_some() {
                self.pack = pack.rank;
                sample.amperes =
                    array(message, pack.amperes).map(|tenths| f64::from(i16::from_le_bytes(tenths)) / 10.0);
                let consumed = number(message, pack.consumed).map(|units| units * CONSUMED_UNIT);
                sample.consumed = consumed.filter(|consumed| *consumed > 0.0);
            }
        }
        Some(sample)
    }
}

fn number(message: &[u8; MESSAGE_BYTES], at: usize) -> Option<f64> {
    array(message, at).map(u16::from_le_bytes).map(f64::from)
}

fn place(message: &[u8; MESSAGE_BYTES], sample: &mut Sample) {
    let has_fix = matches!(message[24], b'2' | b'3' | b'D');
    if !has_fix {
        return;
    }
    sample.speed = number(message, 4);
    sample.satellites = Some(f64::from(message[23]));
    let latitude = degrees(message, 6);
    let longitude = degrees(message, 11);
    sample.point = latitude
        .zip(longitude)
        .map(|(latitude, longitude)| Point { latitude, longitude });
}

/// Returns degrees from a flag for south or west, degrees and minutes as `ddmm`, and 1/10000 minutes.
fn degrees(message: &[u8; MESSAGE_BYTES], at: usize) -> Option<f64> {
    let whole = number(message, at + 1)?;
    let fraction = number(message, at + 3)?;
    let degrees = (whole / 100.0).trunc();
    let degrees = degrees + (whole - degrees * 100.0 + fraction / 10_000.0) / 60.0;
    Some(if message[at] == 0 { degrees } else { -degrees })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::FoundFlight;

    /// Makes a message with two-byte numbers at offsets.
    fn message(sensor: u8, numbers: &[(usize, u16)]) -> [u8; MESSAGE_BYTES] {
        let mut message = [0; MESSAGE_BYTES];
        message[0] = sensor;
        for (at, number) in numbers {
            message[*at..at + 2].copy_from_slice(&number.to_le_bytes());
        }
        message
    }

    /// Two minutes of an electric module, a vario and a GPS, five messages each per second.
    fn messages() -> Vec<[u8; MESSAGE_BYTES]> {
        (0..600u16)
            .flat_map(|index| {
                let seconds = index / 5;
                // 52° 24.7440' N and increasing, 9° 48.9130' W, 30 km/h, 12 satellites.
                let mut place = message(
                    GPS,
                    &[
                        (4, 30),
                        (7, 5224),
                        (9, 7440 + index),
                        (12, 948),
                        (14, 9130),
                        (18, 858),
                        (23, 12),
                    ],
                );
                place[11] = 1;
                place[24] = b'3';
                [
                    message(
                        ELECTRIC,
                        &[(23, 500), (25, 150), (27, 251 - seconds / 10), (29, 3 + seconds)],
                    ),
                    message(VARIO, &[(2, 500 + seconds.min(45))]),
                    place,
                ]
            })
            .collect()
    }

    fn paged_log(front: &[u8]) -> Vec<u8> {
        paged(front, &messages())
    }

    fn paged(front: &[u8], messages: &[[u8; MESSAGE_BYTES]]) -> Vec<u8> {
        let kind = |sensor: u8| match sensor {
            ELECTRIC => 0x8E,
            VARIO => 0x89,
            _ => 0x8A,
        };
        let mut file = front.to_vec();
        let mut counter: u8 = 7;
        // The transmitter scans for sensors first.
        for message in std::iter::repeat_n([0; MESSAGE_BYTES], 3).chain(messages.iter().copied()) {
            for page in 0..=PAGES {
                let mut block = [0u8; PAGED_BYTES];
                (block[0], block[3], block[4], block[7], block[33]) = (counter, 50, 60, kind(message[0]), page);
                if let Some(from) = page.checked_sub(1).map(|page| usize::from(page) * PAGE_BYTES) {
                    block[34..44].copy_from_slice(&message[from..from + PAGE_BYTES]);
                }
                counter = counter.wrapping_add(1);
                file.extend(block);
            }
        }
        file
    }

    fn whole_log() -> Vec<u8> {
        let mut file = b"FILE TAG IDVER  : 20400001\r\nLOG DATA OFFSET : 00005000\r\nLOG START TIME  : 13:06:07\r\n\
                         LOG STOP TIME   : 13:08:07\r\nLOG NOB CHANNEL : 06\r\n"
            .to_vec();
        file.resize(5000, b' ');
        for (index, message) in (0u32..).zip(messages()) {
            let mut block = [0u8; BLOCK_BYTES + 12];
            block[..4].copy_from_slice(&(1318 + index * 2 / 3).to_le_bytes());
            (block[8], block[9]) = (40, 30);
            block[26..66].copy_from_slice(&message);
            file.extend(block);
            // A measurement of the radio's channels, with bytes like those of a sensor.
            block[24] = 0x1F;
            block[26 + 27] = 99;
            file.extend(block);
        }
        file
    }

    fn flight(file: &[u8], name: &str) -> FoundFlight {
        assert!(matches(&file[..file.len().min(4096)]));
        let mut segmenter = Segmenter::default();
        let mut source = file;
        read(&mut source, name, &mut segmenter).unwrap();
        let mut found = segmenter.finish().found;
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[test]
    fn logs_of_older_and_newer_transmitters_give_minutes_pack_height_and_place() {
        let sd = [SD_MARK, &[0; SD_BYTES - 15]].concat();
        for (file, seconds) in [(paged_log(&[]), 90.0), (paged_log(&sd), 90.0), (whole_log(), 120.0)] {
            let flight = flight(&file, "0095_2021-4-18.log");
            let figures = flight.figures;
            assert!((flight.duration.unwrap() - seconds).abs() < 0.5, "{flight:?}");
            assert_eq!((figures.start_volts, figures.end_volts), (Some(25.1), Some(24.0)));
            assert_eq!(
                (figures.consumed, figures.height, figures.speed),
                (Some(1190.0), Some(45.0), Some(30.0))
            );
            let place = figures.start_point.unwrap();
            assert!((place.latitude - 52.4124).abs() < 1e-6 && (place.longitude + 9.815_216_67).abs() < 1e-6);
        }
    }

    #[test]
    fn a_module_without_a_wire_to_the_pack_leaves_the_figures_of_the_pack_to_another_one() {
        let general = |index: u16| message(GENERAL, &[(20, 500), (27, 168 - index / 100), (29, 3 + index / 5)]);
        let unwired = message(ELECTRIC, &[(23, 500)]);
        let messages = messages().into_iter().filter(|message| message[0] != ELECTRIC);
        let messages = (0..)
            .zip(messages)
            .flat_map(|(index, other)| [unwired, general(index), other]);
        let figures = flight(&paged(&[], &messages.collect::<Vec<_>>()), "0095_2021-4-18.log").figures;
        assert_eq!((figures.start_volts, figures.end_volts), (Some(16.8), Some(15.7)));
        assert_eq!(figures.consumed, Some(2390.0));
    }

    #[test]
    fn header_and_file_name_of_a_hott_log_give_the_start() {
        // 2021-04-18 13:06:07
        let start = Some(1_618_751_167.0);
        for (name, expected) in [
            ("0095_2021-4-18.log", start),
            ("0095_2021-4-18_Vitesse.log", start),
            ("0095.log", None),
            ("0095_2021-4-31.log", None),
        ] {
            let flight = flight(&whole_log(), name);
            assert_eq!(flight.start, expected, "{name}");
            let clock = if expected.is_some() {
                Clock::Local
            } else {
                Clock::Unknown
            };
            assert_eq!(flight.metadata.clock, clock);
        }
    }

    #[test]
    fn blocks_out_of_order_are_no_such_log() {
        let mut file = paged_log(&[]);
        assert!(matches(&file) && !matches(&file[..BLOCKS_TELLING * PAGED_BYTES - 1]) && !matches(b"FILE TAG"));
        file[PAGED_BYTES] += 1;
        assert!(!matches(&file));
        assert!(!matches(&[0; 8000]));
    }
}
