//! Tests for every reader of a binary log, with files that are whole, cut off and broken.

use std::fs;
use std::io::BufReader;

use proptest::prelude::*;

use super::*;
use crate::samples::FoundFlight;
use crate::segmenter::Segmented;

const FILES: [(&str, Format); 9] = [
    ("LOG00003.BFL", Format::Blackbox),
    ("00000007.BIN", Format::DataFlash),
    ("alt.BIN", Format::DataFlash),
    ("flug.tlog", Format::Tlog),
    ("neu.ulg", Format::ULog),
    ("alt.ulg", Format::ULog),
    ("HANGAR.TLM", Format::Spektrum),
    ("AscentG0007.osd", Format::Osd),
    ("0005_2026-6-13.bin", Format::Hott),
];
/// The part of a file that is cut at every offset: records after the header.
const CUT_BYTES: std::ops::Range<usize> = 1500..2300;

fn content(name: &str) -> Vec<u8> {
    fs::read(format!(
        "{}/../../tests/fixtures/flights/{name}",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap()
}

fn outcome(format: Format, content: &[u8]) -> Segmented {
    let mut segmenter = Segmenter::default();
    let head = &content[..content.len().min(HEAD_BYTES)];
    // Chunks that end at arbitrary offsets.
    let mut source = BufReader::with_capacity(697, content);
    let _ = read(format, &mut source, head, "flug", None, &mut segmenter);
    segmenter.finish()
}

fn is_sane(outcome: &Segmented) -> bool {
    outcome.found.iter().all(|found| {
        let figures = found.figures;
        let numbers = [
            figures.height,
            figures.distance,
            figures.farthest,
            figures.speed,
            figures.start_volts,
            figures.end_volts,
            figures.consumed,
            found.duration,
        ];
        numbers
            .iter()
            .flatten()
            .all(|number| number.is_finite() && *number >= 0.0)
    })
}

#[test]
fn each_log_is_known_by_its_first_bytes() {
    for (name, format) in FILES {
        let content = content(name);
        let recognised = recognise(&content[..HEAD_BYTES.min(content.len())], content.len() as u64);
        assert_eq!(recognised, Recognised::Flights(format), "{name}");
    }
}

#[test]
fn a_list_of_flights_is_no_log_of_a_radio() {
    let kind = |head: &str| recognise(head.as_bytes(), head.len() as u64);
    for heading in ["Flight time (min)", "Duration(min)", "Flugzeit (mm:ss)"] {
        let list = format!("Date,Time,{heading},Model,Distance (m)\n2026-04-03,14:05,7.5,Falke,350\n");
        assert!(matches!(kind(&list), Recognised::Table(_)), "{heading}");
    }
    let list = "Date,Time,Landing,Copter,Distance (m)\n2026-04-03,14:05,14:12,Falke,350\n";
    assert!(matches!(kind(list), Recognised::Table(_)));
    for sensors in ["RxBt(V),Curr(A)", "Rud,Thr,Duration", "Flight mode,RSSI(dB)"] {
        let log = format!("Date,Time,{sensors}\n2026-04-03,14:05:00.000,1,2,3\n");
        assert_eq!(kind(&log), Recognised::Flights(Format::EdgeTx), "{sensors}");
    }
}

#[test]
fn a_log_that_was_cut_off_anywhere_gives_what_it_still_has() {
    for (name, format) in FILES {
        let content = content(name);
        let longest = outcome(format, &content[..CUT_BYTES.end])
            .found
            .first()
            .and_then(|found| found.duration);
        for length in (0..CUT_BYTES.start).step_by(5).chain(CUT_BYTES) {
            let cut = outcome(format, &content[..length]);
            let duration = cut.found.first().and_then(|found| found.duration);
            assert!(is_sane(&cut), "{name} {length}: {cut:?}");
            assert!(cut.found.len() <= 1 && duration <= longest, "{name} {length}: {cut:?}");
        }
    }
}

#[test]
fn a_wrong_byte_does_not_move_a_flight() {
    for (name, format) in FILES {
        let content = content(name);
        let whole = outcome(format, &content);
        for step in 1..20 {
            let mut broken = content.clone();
            broken[(content.len() / 20 * step) | 1] ^= 0x55;
            let found = outcome(format, &broken).found;
            let total = |found: &[FoundFlight]| found.iter().filter_map(|found| found.duration).sum::<f64>();
            let (total, expected) = (total(&found), total(&whole.found));
            assert!(
                (total - expected).abs() < 20.0,
                "{name} {step}: {total} instead of {expected}"
            );
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_fail(
        file in 0..FILES.len(),
        from in 0usize..2000,
        changes in proptest::collection::vec((0usize..3000, any::<u8>()), 0..40),
    ) {
        let (name, format) = FILES[file];
        let mut content = content(name)[from..].to_vec();
        content.truncate(3000);
        for (at, byte) in changes {
            if let Some(place) = content.get_mut(at) {
                *place = byte;
            }
        }
        prop_assert!(is_sane(&outcome(format, &content)));
    }

    #[test]
    fn a_file_of_anything_is_read_to_its_end(content in proptest::collection::vec(any::<u8>(), 0..600),
        start in 0..FILES.len()) {
        let starts: [&[u8]; 4] = [b"H Product:Blackbox flight data recorder\n", &[0xA3, 0x95, 128], &[0, 6, 0x4F, 0xA9],
            b"ULog\x01\x12\x35"];
        let (_, format) = FILES[start];
        for start in starts {
            prop_assert!(is_sane(&outcome(format, &[start, &content].concat())));
        }
    }
}
