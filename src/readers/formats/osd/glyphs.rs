//! The glyphs of flight controllers' fonts, from their source code (Betaflight and INAV `osd_symbols.h`, ArduPilot
//! `AP_OSD_Backend.h`).

/// The font of a recording, by the flight controller's firmware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Font {
    Betaflight,
    Inav,
    ArduPilot,
    /// A font with unknown symbols.
    Other,
}

impl Font {
    /// Returns the font for the four letters in a header; `None` for unknown firmware.
    pub fn named(letters: &[u8]) -> Option<Font> {
        Some(match letters {
            b"BTFL" => Font::Betaflight,
            b"INAV" => Font::Inav,
            b"ARDU" => Font::ArduPilot,
            b"PITL" | b"ULTR" | b"QUIC" | b"KISS" | b"FETT" => Font::Other,
            _ => return None,
        })
    }

    /// Returns the font for the number in version 1 of msp-osd's header.
    pub fn numbered(number: u8) -> Font {
        match number {
            1 => Font::Betaflight,
            2 => Font::Inav,
            3 => Font::ArduPilot,
            _ => Font::Other,
        }
    }
}

/// A symbol that tells what a number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    Battery,
    Volts,
    Amperes,
    Consumed,
    Watts,
    /// Before a height.
    Altitude,
    Metres,
    Feet,
    /// After a height, symbol and unit in one.
    AltitudeMetres,
    AltitudeFeet,
    /// Before a ground speed.
    Speed,
    /// Before another speed.
    OtherSpeed,
    Kilometres,
    Miles,
    Knots,
    MetresASecond,
    Latitude,
    Longitude,
    Satellites,
    Arrow,
    Other,
}

/// One position of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    Blank,
    Letter(u8),
    Symbol(Symbol),
}

/// Returns the meaning of a glyph: a letter, a digit with half of a decimal point, or a symbol.
pub(crate) fn marks(font: Font, glyph: u16) -> [Option<Glyph>; 2] {
    // Further pages of Betaflight and ArduPilot have the same glyphs in other colours.
    let code = match (font, u8::try_from(glyph)) {
        (Font::Inav, Err(_)) => return [Some(Glyph::Symbol(Symbol::Other)), None],
        _ => glyph.to_le_bytes()[0],
    };
    let digit = |from: u8| Some(Glyph::Letter(b'0' + (code - from)));
    match (font, code) {
        (_, 0 | b' ') => [Some(Glyph::Blank), None],
        (Font::Inav, 0xA1..=0xAA) => [digit(0xA1), Some(Glyph::Letter(b'.'))],
        (Font::Inav, 0xB1..=0xBA) => [Some(Glyph::Letter(b'.')), digit(0xB1)],
        (Font::ArduPilot, 0xC0..=0xC9) => [digit(0xC0), Some(Glyph::Letter(b'.'))],
        (Font::ArduPilot, 0xD0..=0xD9) => [Some(Glyph::Letter(b'.')), digit(0xD0)],
        _ => [Some(mark(font, code)), None],
    }
}

fn mark(font: Font, code: u8) -> Glyph {
    let sign = match font {
        Font::Betaflight => betaflight(code),
        Font::Inav => inav(code),
        Font::ArduPilot => ardupilot(code),
        Font::Other => None,
    };
    match (sign, code) {
        (Some(sign), _) => Glyph::Symbol(sign),
        (None, b'!'..=b'~') => Glyph::Letter(code),
        _ => Glyph::Symbol(Symbol::Other),
    }
}

fn betaflight(code: u8) -> Option<Symbol> {
    Some(match code {
        0x90..=0x97 => Symbol::Battery,
        0x06 => Symbol::Volts,
        0x9A => Symbol::Amperes,
        0x07 => Symbol::Consumed,
        b'W' => Symbol::Watts,
        0x7F => Symbol::Altitude,
        0x0C => Symbol::Metres,
        0x0F => Symbol::Feet,
        0x70 => Symbol::Speed,
        0x9E => Symbol::Kilometres,
        0x9D => Symbol::Miles,
        0x9F => Symbol::MetresASecond,
        0x89 => Symbol::Latitude,
        0x98 => Symbol::Longitude,
        0x1F => Symbol::Satellites,
        // Letters that the font shows as arrows and icons.
        0x60..=0x6F | 0x71..=0x7E => Symbol::Other,
        _ => return None,
    })
}

fn inav(code: u8) -> Option<Symbol> {
    Some(match code {
        0x63..=0x69 => Symbol::Battery,
        0x1F => Symbol::Volts,
        0x6A => Symbol::Amperes,
        0x99 => Symbol::Consumed,
        0x71 => Symbol::Watts,
        0x76 => Symbol::AltitudeMetres,
        0x78 => Symbol::AltitudeFeet,
        0x8C | 0x86 | 0x87 => Symbol::OtherSpeed,
        0x90 => Symbol::Kilometres,
        0x91 => Symbol::Miles,
        0x92 => Symbol::Knots,
        0x03 => Symbol::Latitude,
        0x04 => Symbol::Longitude,
        0x09 => Symbol::Satellites,
        0x17..=0x1E => Symbol::Arrow,
        0x60..=0x62 | 0x6B..=0x70 | 0x72..=0x75 | 0x77 | 0x79 | 0x7A | 0x7E => Symbol::Other,
        _ => return None,
    })
}

fn ardupilot(code: u8) -> Option<Symbol> {
    Some(match code {
        0x90..=0x97 => Symbol::Battery,
        0x06 => Symbol::Volts,
        0x9A => Symbol::Amperes,
        0x07 => Symbol::Consumed,
        0xAE => Symbol::Watts,
        0xB1 => Symbol::AltitudeMetres,
        0xB3 => Symbol::AltitudeFeet,
        0xE2 => Symbol::Speed,
        0xE1 | 0xE3 | 0xE4 => Symbol::OtherSpeed,
        0xA1 => Symbol::Kilometres,
        0xB0 => Symbol::Miles,
        0xF0 => Symbol::Knots,
        0x9F => Symbol::MetresASecond,
        0xA6 => Symbol::Latitude,
        0xA7 => Symbol::Longitude,
        0x1F => Symbol::Satellites,
        0x60..=0x6F => Symbol::Arrow,
        0x7A | 0x7C | 0x7E => Symbol::Other,
        _ => return None,
    })
}
