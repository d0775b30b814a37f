//! Subtitle files of videos. DJI cameras write the copter's position to them; DJI's and Walksnail's goggles write the
//! pack's voltage.

use super::lines::{Lines, Utf8Reader};
use super::values::{leading_number, moment_within, number, time_of_day};
use crate::samples::{Clock, Metadata, Point, ReadResult, Sample, is_of_pack};
use crate::segmenter::Segmenter;
use fluglog_base::text;

/// The number of lines by which a file is recognised.
const HEAD_LINES: usize = 40;
/// Coordinates with fewer decimals are too coarse for computing speeds.
const MIN_DECIMALS: usize = 5;

/// Returns whether a text begins like such a subtitle file.
pub fn matches(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().is_some_and(is_number)
        && head
            .lines()
            .take(HEAD_LINES)
            .any(|line| line.contains("-->") || moment_within(line).is_some())
        && head
            .lines()
            .take(HEAD_LINES)
            .any(|line| is_of_camera(line) || is_of_goggles(line))
}

fn is_number(line: &str) -> bool {
    let line = line.trim();
    (1..=9).contains(&line.len()) && line.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_of_camera(line: &str) -> bool {
    ["GPS", "[latitude", "HOME(", "FrameCnt", "SrtCnt", "[iso"]
        .iter()
        .any(|mark| line.contains(mark))
}

/// DJI writes `signal:4 ch:1 flightTime:9 uavBat:20.3V glsBat:10.6V …`, Walksnail
/// `Signal:4 CH:1 FlightTime:9 SBat:16.2V GBat:7.4V …`. Without a flight controller there is only the goggles' own
/// battery.
fn is_of_goggles(line: &str) -> bool {
    ["uavBat:", "glsBat:", " SBat:", " GBat:"]
        .iter()
        .any(|mark| line.contains(mark))
}

/// The cue that is being read.
#[derive(Default)]
struct Cue {
    begin: Option<f64>,
    end: Option<f64>,
    date: Option<f64>,
    sample: Sample,
    is_coarse: bool,
    has_text: bool,
}

/// Reads a subtitle file.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut lines = Lines::new(source);
    let mut cue = Cue::default();
    let mut video = Video::default();
    let mut was_blank = true;
    loop {
        let line = lines.next()?;
        let line = line.as_deref();
        let is_blank = line.is_some_and(|line| line.trim().is_empty());
        // A cue without times begins with its number.
        if was_blank && line.is_some_and(is_number) {
            video.take(&mut cue, segmenter)?;
        }
        was_blank = is_blank;
        match line {
            Some(line) if line.contains("-->") => {
                video.take(&mut cue, segmenter)?;
                let (begin, end) = line.split_once("-->").unwrap_or((line, ""));
                (cue.begin, cue.end) = (time_of_day(begin), time_of_day(end));
            }
            Some(line) => cue.take(line.trim()),
            None => return video.take(&mut cue, segmenter),
        }
    }
}

/// The video that the subtitles belong to.
#[derive(Default)]
struct Video {
    /// Unix seconds of its beginning; 0 without a date.
    zero: Option<f64>,
    /// The time of its last cue.
    begin: Option<f64>,
}

impl Video {
    /// Adds the sample of a completed cue.
    fn take(&mut self, cue: &mut Cue, segmenter: &mut Segmenter) -> ReadResult {
        let cue = std::mem::take(cue);
        if !cue.has_text {
            return Ok(());
        }
        if self.zero.is_none() {
            segmenter.begin(Metadata {
                clock: if cue.date.is_some() {
                    Clock::Local
                } else {
                    Clock::Unknown
                },
                hints: vec![text::IMPORT_VIDEO.to_owned()],
                speed_from_positions: !cue.is_coarse,
                ..Metadata::default()
            });
        }
        // Each of several joined files begins at 0.
        let is_next = self.begin.zip(cue.begin).is_some_and(|(last, begin)| begin < last);
        if self.zero.is_none() || (is_next && cue.date.is_some()) {
            self.zero = Some(cue.date.map_or(0.0, |date| date - cue.begin.unwrap_or_default()));
        }
        self.begin = cue.begin.or(self.begin);
        let begin = cue.begin.map(|begin| begin + self.zero.unwrap_or_default());
        let mut sample = cue.sample;
        sample.seconds = begin.or(cue.date);
        segmenter.sample(&sample)
    }
}

impl Cue {
    fn take(&mut self, line: &str) {
        if self.date.is_none()
            && let Some(date) = moment_within(line)
        {
            self.date = Some(date);
            self.has_text = true;
        }
        if is_of_goggles(line) {
            self.has_text = true;
            let voltage = ["uavBat:", " SBat:"]
                .iter()
                .find_map(|mark| leading_number(line.split_once(mark)?.1));
            self.sample.volts = voltage.filter(|volts| is_of_pack(*volts, None));
            return;
        }
        if !is_of_camera(line) && !line.contains("BAROMETER") && !line.contains("altitude") {
            return;
        }
        self.has_text = true;
        let sample = &mut self.sample;
        let after = |mark: &str| line.split_once(mark).map(|(_, after)| after);
        // `latitude: 53.1` or `latitude : 53.1`; one firmware writes `longtitude`.
        let labelled = |label: &str| {
            let value = after(label)?.trim_start().strip_prefix(':')?.trim_start();
            leading_number(value)
        };
        let longitude = labelled("longitude").or_else(|| labelled("longtitude"));
        if let (Some(latitude), Some(longitude)) = (labelled("latitude"), longitude) {
            sample.point = Some(Point { latitude, longitude });
        }
        if let Some(height) = labelled("rel_alt") {
            sample.height = Some(height);
        }
        let gps = after("GPS (").or_else(|| after("GPS("));
        if let Some((values, _)) = gps.and_then(|gps| gps.split_once(')')) {
            let values: Vec<&str> = values.split(',').map(str::trim).collect();
            if let [first, second, third, ..] = values.as_slice() {
                // The Matrice 300 writes the latitude first, and metres instead of the number of satellites.
                let is_latitude_first = third.ends_with('M');
                self.is_coarse = first
                    .split_once('.')
                    .is_some_and(|(_, decimals)| decimals.len() < MIN_DECIMALS);
                if let (Some(first), Some(second)) = (number(first), number(second)) {
                    let (latitude, longitude) = if is_latitude_first {
                        (first, second)
                    } else {
                        (second, first)
                    };
                    sample.point = Some(Point { latitude, longitude });
                    sample.satellites = number(third).filter(|_| !is_latitude_first);
                }
            }
        }
        for mark in ["BAROMETER:", ", H "] {
            if let Some(height) = after(mark).and_then(leading_number) {
                sample.height = Some(height);
            }
        }
        if let Some(speed) = after("H.S ").and_then(leading_number) {
            sample.speed = Some(speed * 3.6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two minutes of subtitles; the pack's voltage falls from 16.4 V by 0.01 V a second.
    fn subtitles(line: impl Fn(u32, f64) -> String) -> String {
        (0..=120u32)
            .map(|second| {
                let (minutes, seconds) = (second / 60, second % 60);
                let line = line(second, 16.4 - f64::from(second) * 0.01);
                let time = format!("00:{minutes:02}:{seconds:02}");
                format!("{}\n{time},050 --> {time},900\n{line}\n\n", second + 1)
            })
            .collect()
    }

    #[test]
    fn cues_without_their_times_have_the_times_of_the_camera() {
        let cues: String = (0..=90u32)
            .map(|second| {
                format!(
                    "{}\n2026-05-15 08:{:02}:{:02}.500\n[latitude: 53.{:05}] [longitude: 8.10000] [rel_alt: {second}.0 \
                     abs_alt: 9.0]\n\n",
                    second + 1,
                    24 + second / 60,
                    second % 60,
                    second * 10
                )
            })
            .collect();
        assert!(matches(&cues));
        let mut segmenter = Segmenter::default();
        let mut bytes = cues.as_bytes();
        read(Utf8Reader::new(&mut bytes, &[]).unwrap(), &mut segmenter).unwrap();
        let found = segmenter.finish().found;
        let [flight] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert!((flight.duration.unwrap() - 90.0).abs() < 0.001, "{flight:?}");
        assert_eq!((flight.figures.height, flight.start.is_some()), (Some(90.0), true));
    }

    #[test]
    fn each_of_the_videos_that_were_joined_has_its_own_start() {
        let video = |hour: u32| -> String {
            (0..60u32)
                .map(|second| {
                    format!(
                        "{}\n00:00:{second:02},000 --> 00:00:{second:02},900\n2026-05-15 {hour:02}:24:{second:02}.000\n\
                         [latitude: 53.{:05}] [longitude: 8.10000] [rel_alt: 9.0 abs_alt: 9.0]\n\n",
                        second + 1,
                        second * 10
                    )
                })
                .collect()
        };
        let joined = [video(8), video(11)].concat();
        let mut segmenter = Segmenter::default();
        let mut bytes = joined.as_bytes();
        read(Utf8Reader::new(&mut bytes, &[]).unwrap(), &mut segmenter).unwrap();
        let starts: Vec<_> = segmenter
            .finish()
            .found
            .iter()
            .map(|found| found.start.unwrap())
            .collect();
        assert!(
            starts.len() == 2 && (starts[1] - starts[0] - 3.0 * 3600.0).abs() < 0.001,
            "{starts:?}"
        );
    }

    #[test]
    fn subtitles_of_goggles_give_minutes_and_the_voltage_of_the_pack() {
        let of_dji = subtitles(|second, volts| {
            format!(
                "signal:4 ch:1 flightTime:{second} uavBat:{volts:.2}V glsBat:10.6V uavBatCells:4 glsBatCells:3 \
                 delay:29ms bitrate:50.8Mbps rcSignal:0"
            )
        });
        let of_walksnail = subtitles(|second, volts| {
            format!(
                "Signal:4 CH:1 FlightTime:{second} SBat:{volts:.2}V GBat:7.4V Delay:32ms Bitrate:25.0Mbps Distance:7m"
            )
        });
        let of_goggles_alone = subtitles(|_, _| "signal:4 glsBat:7.7V delay:100ms bitrate:50.5Mbps rcSignal:0".into());
        for (content, is_known) in [(of_dji, true), (of_walksnail, true), (of_goggles_alone, false)] {
            assert!(matches(&content), "{content}");
            let mut segmenter = Segmenter::default();
            let mut bytes = content.as_bytes();
            read(Utf8Reader::new(&mut bytes, &[]).unwrap(), &mut segmenter).unwrap();
            let found = segmenter.finish().found;
            let [flight] = found.as_slice() else {
                panic!("{found:?}")
            };
            assert!((flight.duration.unwrap() - 120.0).abs() < 0.001, "{flight:?}");
            assert!(!flight.is_motionless && flight.start.is_none(), "{flight:?}");
            let volts = [flight.figures.start_volts, flight.figures.end_volts];
            match is_known {
                true => {
                    let [start, end] = volts.map(Option::unwrap);
                    assert!((start - 16.4).abs() < 0.03 && (end - 15.2).abs() < 0.03, "{volts:?}");
                }
                false => assert_eq!(volts, [None, None]),
            }
        }
    }
}
