//! The values on a screen of goggles, each a number next to a symbol.

use super::glyphs::{Font, Glyph, Symbol, marks};
use crate::formats::values::{length_unit, moment_within, number, speed_unit};
use crate::samples::{Point, Sample, is_of_pack};

/// V; higher voltages are a pack's. Lower ones may be those of a cell or of a 1S pack: both have the same symbol.
const MAX_CELL: f64 = 4.4;
/// A; from this current on, the pack's voltage is computed from current and power.
const MIN_AMPERES: f64 = 0.5;
/// The number of screens that must agree on the number of cells.
const MIN_SCREENS: u32 = 8;
const MAX_CELLS: usize = 14;
/// Coordinates with fewer decimals are in degrees and minutes.
const MIN_DECIMALS: usize = 4;
/// A word on the page with the flight's summary.
const SUMMARY: &[u8] = b"STATS";

/// The values of a screen, and what earlier screens showed about the pack.
pub(crate) struct Screen {
    font: Font,
    marks: Vec<Glyph>,
    told: Sample,
    latitude: Option<f64>,
    longitude: Option<f64>,
    watts: Option<f64>,
    is_summary: bool,
    is_dated: bool,
    /// Date and time on the screen, once one was read; Unix seconds.
    pub moment: Option<f64>,
    cells: [u32; MAX_CELLS + 1],
}

impl Screen {
    pub fn new(font: Font) -> Screen {
        Screen {
            font,
            marks: Vec::new(),
            told: Sample::default(),
            latitude: None,
            longitude: None,
            watts: None,
            is_summary: false,
            is_dated: false,
            moment: None,
            cells: [0; MAX_CELLS + 1],
        }
    }

    /// Resets the values for the next screen.
    pub fn clear(&mut self) {
        self.told = Sample::default();
        (self.latitude, self.longitude, self.watts) = (None, None, None);
        self.is_summary = false;
    }

    /// Reads a row of glyphs.
    pub fn row(&mut self, glyphs: &[u16]) {
        self.marks.clear();
        for glyph in glyphs {
            for mark in marks(self.font, *glyph).into_iter().flatten() {
                // Two halves of the same decimal point.
                let is_half = mark == Glyph::Letter(b'.') && self.marks.last() == Some(&mark);
                if !is_half {
                    self.marks.push(mark);
                }
            }
        }
        if self.marks.iter().all(|mark| *mark == Glyph::Blank) {
            return;
        }
        let marks = std::mem::take(&mut self.marks);
        self.words(&marks);
        for (at, mark) in marks.iter().enumerate() {
            if let Glyph::Symbol(sign) = mark {
                self.value(*sign, &SymbolInRow { marks: &marks, at });
            }
        }
        self.marks = marks;
    }

    /// Searches a row for date and time, and for the summary's title.
    fn words(&mut self, marks: &[Glyph]) {
        let is_letter = |mark: &Glyph| matches!(mark, Glyph::Letter(_));
        if self.is_dated && !marks.contains(&Glyph::Letter(b'S')) {
            return;
        }
        let text: Vec<u8> = marks
            .iter()
            .map(|mark| match mark {
                Glyph::Letter(letter) => *letter,
                _ => b' ',
            })
            .collect();
        self.is_summary |= text.windows(SUMMARY.len()).any(|word| word == SUMMARY);
        if !self.is_dated && marks.iter().filter(|mark| is_letter(mark)).count() >= "2026-05-15 08:24".len() - 1 {
            self.moment = std::str::from_utf8(&text).ok().and_then(moment_within);
            self.is_dated = self.moment.is_some();
        }
    }

    fn value(&mut self, sign: Symbol, beside: &SymbolInRow<'_>) {
        let told = &mut self.told;
        match sign {
            Symbol::Volts => {
                let voltage = beside.before().filter(|(_, front)| *front == Some(Symbol::Battery));
                told.volts = told.volts.or(voltage.map(|(volts, _)| volts));
            }
            Symbol::Amperes => told.amperes = told.amperes.or(beside.before().map(|(amperes, _)| amperes)),
            Symbol::Watts => self.watts = self.watts.or(beside.before().map(|(watts, _)| watts)),
            // mAh per kilometre aren't consumed charge.
            Symbol::Consumed if beside.next() != Some(&Glyph::Letter(b'/')) => {
                let consumed = beside.before().map(|(consumed, _)| consumed);
                told.consumed = told.consumed.or(consumed.filter(|consumed| *consumed > 0.0));
            }
            Symbol::Metres | Symbol::Feet => {
                let height = beside.before().filter(|(_, front)| *front == Some(Symbol::Altitude));
                told.height = told.height.or(height.map(|(height, _)| height * metres(sign)));
            }
            Symbol::AltitudeMetres | Symbol::AltitudeFeet => {
                told.height = told.height.or(beside.before().map(|(height, _)| height * metres(sign)));
            }
            Symbol::Kilometres | Symbol::Miles | Symbol::Knots | Symbol::MetresASecond => {
                let is_over_ground = |front: Option<Symbol>| match self.font {
                    Font::Inav => front != Some(Symbol::OtherSpeed),
                    _ => front == Some(Symbol::Speed),
                };
                let speed = beside.before().filter(|(_, front)| is_over_ground(*front));
                told.speed = told
                    .speed
                    .or(speed.and_then(|(speed, _)| Some(speed * kilometres(sign)?)));
            }
            Symbol::Latitude => self.latitude = self.latitude.or(beside.degrees()),
            Symbol::Longitude => self.longitude = self.longitude.or(beside.degrees()),
            Symbol::Satellites => told.satellites = told.satellites.or(beside.behind()),
            _ => {}
        }
    }

    /// Returns the values of the screen with its time; the voltage is that of the pack or of a cell.
    pub fn sample(&mut self, seconds: f64) -> Sample {
        let told = match self.is_summary {
            true => Sample::default(),
            false => Sample {
                point: self
                    .latitude
                    .zip(self.longitude)
                    .map(|(latitude, longitude)| Point { latitude, longitude }),
                ..self.told
            },
        };
        self.count_cells(&told);
        Sample {
            seconds: Some(seconds),
            ..told
        }
    }

    /// Estimates the number of cells: power by current is the pack's voltage.
    fn count_cells(&mut self, told: &Sample) {
        let amperes = told.amperes.filter(|amperes| *amperes >= MIN_AMPERES);
        let volts = told.volts.filter(|_| is_of_cell(told));
        if let (Some(volts), Some(amperes), Some(watts)) = (volts, amperes, self.watts)
            && let Some(count) = (1..=MAX_CELLS).find(|count| watts / amperes / volts < to_f64(*count) + 0.5)
            && let Some(screens) = self.cells.get_mut(count)
        {
            *screens += 1;
        }
    }

    /// Returns the number of cells, once enough screens agree.
    pub fn cells(&self) -> Option<usize> {
        let all: u32 = self.cells.iter().sum();
        let (count, screens) = (0..).zip(self.cells).max_by_key(|(_, screens)| *screens)?;
        (screens >= MIN_SCREENS && screens * 2 > all).then_some(count)
    }
}

/// Returns whether the voltage may be that of a cell.
pub(crate) fn is_of_cell(told: &Sample) -> bool {
    told.volts.is_some_and(|volts| volts <= MAX_CELL)
}

/// Turns the voltage of a cell into that of the pack, if the number of cells is known.
pub fn of_pack(told: &Sample, cells: Option<usize>) -> Sample {
    let volts = match is_of_cell(told) {
        true => told.volts.zip(cells).map(|(volts, cells)| volts * to_f64(cells)),
        false => told.volts.filter(|volts| is_of_pack(*volts, None)),
    };
    Sample { volts, ..*told }
}

#[expect(clippy::cast_precision_loss, reason = "packs have few cells")]
fn to_f64(cells: usize) -> f64 {
    cells as f64
}

fn metres(sign: Symbol) -> f64 {
    let unit = match sign {
        Symbol::Feet | Symbol::AltitudeFeet => "ft",
        _ => "m",
    };
    length_unit(unit).unwrap_or(1.0)
}

fn kilometres(sign: Symbol) -> Option<f64> {
    speed_unit(match sign {
        Symbol::Miles => "mph",
        Symbol::Knots => "kn",
        Symbol::MetresASecond => "m/s",
        _ => "km/h",
    })
}

/// A symbol in its row.
struct SymbolInRow<'m> {
    marks: &'m [Glyph],
    at: usize,
}

impl SymbolInRow<'_> {
    fn next(&self) -> Option<&Glyph> {
        self.marks.get(self.at + 1)
    }

    /// Returns the number directly before the symbol, and the symbol before that number, if any. An arrow is skipped if
    /// a symbol for a speed precedes it.
    fn before(&self) -> Option<(f64, Option<Symbol>)> {
        let front = self.marks.get(..self.at)?;
        let start = front
            .iter()
            .rposition(|mark| digit(mark).is_none())
            .map_or(0, |at| at + 1);
        let value = parse(front.get(start..)?)?;
        let mut signs = front
            .get(..start)?
            .iter()
            .rev()
            .filter(|mark| **mark != Glyph::Blank)
            .map_while(|mark| match mark {
                Glyph::Symbol(sign) => Some(*sign),
                _ => None,
            });
        let nearest = signs.next();
        let further = signs.next();
        let sign = match (nearest, further) {
            (Some(Symbol::Arrow), Some(further @ (Symbol::Speed | Symbol::OtherSpeed))) => Some(further),
            _ => nearest,
        };
        Some((value, sign))
    }

    /// Returns the number after the symbol; blanks may come between.
    fn digits(&self) -> Option<&[Glyph]> {
        let behind = self.marks.get(self.at + 1..)?;
        let start = behind.iter().position(|mark| *mark != Glyph::Blank)?;
        let digits = behind.get(start..)?;
        let end = digits
            .iter()
            .position(|mark| digit(mark).is_none())
            .unwrap_or(digits.len());
        digits.get(..end)
    }

    fn behind(&self) -> Option<f64> {
        parse(self.digits()?)
    }

    fn degrees(&self) -> Option<f64> {
        let digits = self.digits()?;
        let point = digits.iter().position(|mark| *mark == Glyph::Letter(b'.'))?;
        (digits.len() - point > MIN_DECIMALS).then(|| parse(digits)).flatten()
    }
}

fn digit(mark: &Glyph) -> Option<u8> {
    match mark {
        Glyph::Letter(letter @ (b'0'..=b'9' | b'.' | b'-')) => Some(*letter),
        _ => None,
    }
}

fn parse(digits: &[Glyph]) -> Option<f64> {
    let text: Vec<u8> = digits.iter().filter_map(digit).collect();
    number(text)
}
