use super::*;
use crate::samples::FoundFlight;

/// Text, or the code of a symbol.
enum Part {
    Text(String),
    Code(u16),
}
use Part::{Code, Text};

/// A screen's time and rows.
type Timed = (u32, Vec<Vec<Part>>);

fn grid(rows: &[Vec<Part>]) -> Vec<Vec<u16>> {
    let mut grid = vec![vec![0; 53]; 20];
    for (line, parts) in grid.iter_mut().zip(rows) {
        let glyphs: Vec<u16> = parts
            .iter()
            .flat_map(|part| match part {
                Text(text) => text.bytes().map(u16::from).collect(),
                Code(code) => vec![*code],
            })
            .collect();
        // After a blank column.
        line[1..=glyphs.len()].copy_from_slice(&glyphs);
    }
    grid
}

/// The format of Walksnail goggles.
fn by_rows(firmware: &[u8; 4], screens: &[Timed]) -> Vec<u8> {
    let mut file = [firmware.as_slice(), &[0; 28], &200u32.to_le_bytes()].concat();
    file.extend([53u16, 20].iter().flat_map(|number| number.to_le_bytes()));
    for (millis, rows) in screens {
        file.extend(millis.to_le_bytes());
        file.extend(grid(rows).concat().iter().flat_map(|glyph| glyph.to_le_bytes()));
    }
    file
}

/// The format of msp-osd; the times are frame numbers of the video.
fn by_columns(firmware: &[u8; 4], screens: &[Timed]) -> Vec<u8> {
    let mut file = [MSP_OSD, &[2, 0, 53, 20, 24, 36, 0, 0, 0, 0], firmware, &[0]].concat();
    for (frame, rows) in screens {
        file.extend(frame.to_le_bytes());
        file.extend(1320u32.to_le_bytes());
        let grid = grid(rows);
        let glyph = |column: usize, row: usize| grid.get(row).and_then(|row| row.get(column)).copied();
        file.extend((0..60).flat_map(|column| {
            (0..22)
                .flat_map(move |row| glyph(column, row).unwrap_or_default().to_le_bytes())
                .collect::<Vec<u8>>()
        }));
    }
    file
}

fn found(file: &[u8]) -> Vec<FoundFlight> {
    assert!(matches(file));
    let mut segmenter = Segmenter::default();
    let mut source = file;
    read(&mut source, &mut segmenter).unwrap();
    segmenter.finish().found
}

fn flight(file: &[u8]) -> FoundFlight {
    let mut found = found(file);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// Two minutes of Betaflight, four screens a second.
fn betaflight(volts: impl Fn(f64) -> Vec<Part>, milliseconds: bool) -> Vec<Timed> {
    (0..=480u32)
        .map(|index| {
            let seconds = f64::from(index) / 4.0;
            let flown = seconds.min(60.0);
            let rows = vec![
                vec![
                    Code(0x11E),
                    Code(0x11F),
                    Text("14 ".into()),
                    Code(0x89),
                    Text(format!("{:.7} ", 52.0 + flown * 1e-4)),
                    Code(0x98),
                    Text("9.0000000".into()),
                ],
                vec![
                    Code(0x7F),
                    Text(format!("{flown:.1}")),
                    Code(0x0C),
                    Text(" ".into()),
                    Code(0x70),
                    Text(" 40".into()),
                    Code(0x9E),
                ],
                vec![
                    Text(format!(" 250W {:5.2}", 10.0)),
                    Code(0x9A),
                    Text(format!(" {:4}", 5 + index)),
                    Code(0x07),
                    Text(" 10MW 123".into()),
                    Code(0x07),
                    Text("/".into()),
                    Code(0x7D),
                ],
                volts(seconds),
                vec![Text(format!(
                    "2025-09-06 14:{:02}:{:02}",
                    35 + index / 240,
                    index / 4 % 60
                ))],
            ];
            (if milliseconds { index * 250 } else { index * 15 }, rows)
        })
        .collect()
}

#[test]
fn screens_of_goggles_give_pack_place_and_start() {
    let screens = |milliseconds| {
        betaflight(
            |seconds| vec![Code(0x91), Text(format!("{:.1}", 25.0 - seconds / 40.0)), Code(0x06)],
            milliseconds,
        )
    };
    for file in [by_rows(b"BTFL", &screens(true)), by_columns(b"BTFL", &screens(false))] {
        let flight = flight(&file);
        let figures = flight.figures;
        assert!((flight.duration.unwrap() - 120.0).abs() < 0.01, "{flight:?}");
        assert_eq!((figures.start_volts, figures.end_volts), (Some(25.0), Some(22.0)));
        assert_eq!(
            (figures.consumed, figures.height, figures.speed),
            (Some(480.0), Some(60.0), Some(40.0))
        );
        // 2025-09-06 14:35:00
        assert_eq!(
            (flight.start, flight.metadata.clock),
            (Some(1_757_169_300.0), Clock::Local)
        );
        let (start, end) = (figures.start_point.unwrap(), figures.end_point.unwrap());
        assert!(
            (start.latitude - 52.0).abs() < 1e-6 && (end.latitude - 52.006).abs() < 1e-6,
            "{start:?} {end:?}"
        );
        assert!(!flight.profile.voltage.is_empty() && flight.metadata.hints == [text::IMPORT_VIDEO]);
    }
}

#[test]
fn the_voltage_of_a_cell_is_that_of_the_pack_only_where_current_and_power_tell_how_many_there_are() {
    let of_cell = |seconds: f64| vec![Code(0x91), Text(format!("{:.2}", 4.17 - seconds / 240.0)), Code(0x06)];
    // 250 W at 10 A: six cells. At first no current flows.
    let mut screens = betaflight(of_cell, true);
    screens.iter_mut().take(20).for_each(|(_, rows)| rows[2].clear());
    let with_power = flight(&by_rows(b"BTFL", &screens)).figures;
    let near = |volts: Option<f64>, expected: f64| (volts.unwrap() - expected).abs() < 0.01;
    assert!(
        near(with_power.start_volts, 24.96) && near(with_power.end_volts, 22.08),
        "{with_power:?}"
    );
    let mut alone = betaflight(of_cell, true);
    alone.iter_mut().for_each(|(_, rows)| rows[2].clear());
    let figures = flight(&by_rows(b"BTFL", &alone)).figures;
    assert_eq!((figures.start_volts, figures.end_volts), (None, None));
}

#[test]
fn points_of_inav_stand_in_halves_of_digits_and_the_summary_screen_gives_no_values() {
    let mut screens: Vec<Timed> = (0..=480u32)
        .map(|index| {
            let tenths = u16::try_from(248 - index / 40).unwrap();
            // 24.8 as `2`, `4.`, `.8`.
            let volts = vec![
                Code(0x63),
                Code(0x30 + tenths / 100),
                Code(0xA1 + tenths / 10 % 10),
                Code(0xB1 + tenths % 10),
                Code(0x1F),
            ];
            let rows = vec![
                vec![
                    Text("  35".into()),
                    Code(0x76),
                    Text(" 12".into()),
                    Code(0x8C),
                    Text(" 77".into()),
                    Code(0x90),
                ],
                volts,
                vec![
                    Code(0xA5),
                    Code(0xB3),
                    Text("1".into()),
                    Code(0x6A),
                    Text(" 400".into()),
                    Code(0x99),
                ],
                vec![Text(" 36".into()), Code(0x90)],
            ];
            (index * 15, rows)
        })
        .collect();
    screens.push((481 * 15, vec![vec![Text("*** STATS 1/2 *** 999".into()), Code(0x76)]]));
    let flight = flight(&by_columns(b"INAV", &screens));
    let figures = flight.figures;
    assert_eq!((figures.start_volts, figures.end_volts), (Some(24.8), Some(23.7)));
    assert_eq!(
        (figures.height, figures.speed, flight.start),
        (Some(35.0), Some(36.0), None)
    );
}

#[test]
fn ardupilot_packs_its_points_and_prints_the_speed_behind_an_arrow() {
    let screens: Vec<Timed> = (0..=480u32)
        .map(|index| {
            let rows = vec![
                vec![Code(0x91), Text("1".into()), Code(0xC6), Code(0xD2), Code(0x06)],
                vec![
                    Code(0xE2),
                    Code(0x64),
                    Text(" 54".into()),
                    Code(0xA1),
                    Text(" ".into()),
                    Code(0xE3),
                    Code(0x61),
                    Text(" 88".into()),
                    Code(0xA1),
                ],
                vec![Text("  17".into()), Code(0xB1), Code(0xA6), Text("  52.1234567".into())],
            ];
            (index * 250, rows)
        })
        .collect();
    let figures = flight(&by_rows(b"ARDU", &screens)).figures;
    assert_eq!(
        (figures.start_volts, figures.speed, figures.height),
        (Some(16.2), Some(54.0), Some(17.0))
    );
    assert_eq!(figures.start_point, None);
}

#[test]
fn a_screen_left_from_the_flight_before_is_ignored() {
    let mut screens = betaflight(|_| Vec::new(), false);
    screens[0].0 = 80_000;
    assert!((flight(&by_columns(b"BTFL", &screens)).duration.unwrap() - 119.75).abs() < 0.01);
}

#[test]
fn a_recording_without_screens_and_one_of_another_version_give_nothing() {
    assert!(found(&by_rows(b"BTFL", &[])).is_empty());
    let mut newer = by_columns(b"BTFL", &[]);
    newer[7] = 3;
    assert!(!matches(&newer) && !matches(b"BTFL") && !matches(b"INAV is a firmware, and this is a text about it."));
    // The first releases of O3 OSD.
    let early = [b"BTFL".as_slice(), &[0; 32], b"DJO3"].concat();
    assert_eq!(Kind::of(&early).map(|kind| (kind.columns, kind.rows)), Some((53, 20)));
}
