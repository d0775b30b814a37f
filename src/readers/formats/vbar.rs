//! Files of VBar Control transmitters, as exported from their drive by other programs: `log.csv` in the folder of a
//! pack has one flight per row; `_ui.csv`, `_kon.csv`, `_sco.csv` and `_yge.csv` in the folder of a model have the
//! values of a sensor or speed controller during one flight.

use super::lines::{Lines, Utf8Reader};
use super::values::{day, display_text, number, time_of_day};
use crate::samples::{Clock, Figures, FoundFlight, Metadata, ReadResult, Sample, is_of_pack};
use crate::segmenter::Segmenter;

/// Column headings of a flight's values; the time is in the first column.
const DATE: &str = "Date";
const VOLTS: &str = "U(V)";
const AMPERES: &str = "I(A)";
const CONSUMED: &str = "(Q)mAh";

/// Returns whether a text begins like one of these files.
pub fn matches(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .next()
        .is_some_and(|line| Columns::of(line).is_some() || flight(line).is_some())
}

/// Reads a file.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut lines = Lines::new(source);
    let mut columns = None;
    while let Some(line) = lines.next()? {
        let line = line.trim();
        if columns.is_none()
            && let Some(found) = Columns::of(line)
        {
            columns = Some(found);
            segmenter.begin(Metadata {
                is_continuous: true,
                ..Metadata::default()
            });
            continue;
        }
        match &columns {
            Some(columns) => match columns.sample(line) {
                Some(sample) => segmenter.sample(&sample)?,
                None => segmenter.count_untimed_row()?,
            },
            None => match flight(line) {
                Some(found) => {
                    segmenter.count_row()?;
                    segmenter.flight(found);
                }
                None => segmenter.count_untimed_row()?,
            },
        }
    }
    Ok(())
}

/// The columns of a flight's values.
struct Columns {
    volts: usize,
    amperes: usize,
    consumed: usize,
}

impl Columns {
    fn of(header: &str) -> Option<Columns> {
        let cells: Vec<&str> = header.split(';').map(str::trim).collect();
        let place = |wanted: &str| cells.iter().position(|cell| *cell == wanted);
        (cells.first() == Some(&DATE)).then_some(())?;
        Some(Columns {
            volts: place(VOLTS)?,
            amperes: place(AMPERES)?,
            consumed: place(CONSUMED)?,
        })
    }

    fn sample(&self, line: &str) -> Option<Sample> {
        let cells: Vec<&str> = line.split(';').map(str::trim).collect();
        let value = |at: usize| cells.get(at).and_then(number);
        Some(Sample {
            seconds: Some(time_of_day(cells.first()?)?),
            volts: value(self.volts).filter(|volts| is_of_pack(*volts, None)),
            amperes: value(self.amperes),
            consumed: value(self.consumed).filter(|consumed| *consumed > 0.0),
            ..Sample::default()
        })
    }
}

/// Parses a row `18.05.2014 15:31:20;2500;1830;312;21.1;88.5;0.4;Logo 480`: end of the flight, capacity and consumed
/// charge (mAh), duration (s), lowest voltage, highest current, a remaining charge, and the model.
fn flight(line: &str) -> Option<FoundFlight> {
    let cells: Vec<&str> = line.split(';').map(str::trim).collect();
    let [end, numbers @ ..] = cells.as_slice() else {
        return None;
    };
    let (date, time) = end.split_once(' ')?;
    let mut parts = date.split('.');
    let (of_month, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let end = day(&format!("{year}-{month}-{of_month}"))? * 86_400.0 + time_of_day(time)?;
    let values: Vec<f64> = numbers.get(..6)?.iter().map_while(number).collect();
    let [_, consumed, duration, ..] = values.as_slice() else {
        return None;
    };
    (values.len() == 6).then(|| FoundFlight {
        start: Some(end - duration),
        duration: Some(*duration),
        metadata: Metadata {
            clock: Clock::Local,
            name: numbers.get(6).map_or(String::new(), |model| display_text(model, 100)),
            ..Metadata::default()
        },
        figures: Figures {
            consumed: Some(*consumed).filter(|consumed| *consumed > 0.0),
            ..Figures::default()
        },
        ..FoundFlight::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<FoundFlight> {
        assert!(matches(text), "{text}");
        let mut segmenter = Segmenter::default();
        let mut bytes = text.as_bytes();
        read(Utf8Reader::new(&mut bytes, &[]).unwrap(), &mut segmenter).unwrap();
        segmenter.finish().found
    }

    #[test]
    fn the_log_of_a_pack_has_a_flight_in_each_row_that_ends_at_its_time() {
        let found = found(
            "18.05.2014 15:31:20;2500;1830;312;21.1;88.5;0.4;Logo 480\r\n\
             18.05.2014 16:02:01;2500;0;20;22.9;12.0;0.2\r\n\
             broken;1;2\r\n",
        );
        let flights: Vec<_> = found
            .iter()
            .map(|flight| {
                (
                    flight.metadata.name.as_str(),
                    flight.start,
                    flight.duration,
                    flight.figures.consumed,
                )
            })
            .collect();
        // 2014-05-18 15:26:08 and 16:01:41
        assert_eq!(
            flights,
            [
                ("Logo 480", Some(1_400_426_768.0), Some(312.0), Some(1830.0)),
                ("", Some(1_400_428_901.0), Some(20.0), None),
            ]
        );
        assert!(found.iter().all(|flight| flight.metadata.clock == Clock::Local));
    }

    #[test]
    fn the_values_of_a_sensor_are_those_of_the_pack() {
        let rows = (0..120u32).map(|second| {
            let (minutes, seconds) = (26 + second / 60, second % 60);
            let volts = 25.1 - f64::from(second) / 100.0;
            format!(
                "15:{minutes}:{seconds:02};42.5;{volts:.1};{};1950;70\r\n",
                10 + second * 10
            )
        });
        let text = format!(
            "Date;I(A);U(V);(Q)mAh;Headspeed(rpm);PWM(%)\r\n{}",
            rows.collect::<String>()
        );
        let found = found(&text);
        let [flight] = found.as_slice() else {
            panic!("{found:?}")
        };
        let figures = flight.figures;
        assert_eq!(
            (flight.duration, flight.start, figures.consumed),
            (Some(119.0), None, Some(1190.0))
        );
        assert_eq!((figures.start_volts, figures.end_volts), (Some(25.1), Some(23.9)));
    }

    #[test]
    fn tables_of_another_form_are_no_vbar_log() {
        for text in [
            "",
            "Date;Time;Ort\n",
            "04.03.2025;7;Wiese;1;2;3;4;5\n",
            "18.05.2014 15:31:20;2500;1830;viele;21.1;88.5;0.4;Logo\n",
            "18.05.2014 15:31:20;2500;1830;312\n",
        ] {
            assert!(!matches(text), "{text}");
        }
    }
}
