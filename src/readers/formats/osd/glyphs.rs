//! The glyphs of flight controllers' fonts, from their source code (Betaflight and INAV `osd_symbols.h`, ArduPilot
//! `AP_OSD_Backend.h`).

/// The font of a recording, by the flight controller's firmware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
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
pub enum Sign {
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
pub enum Mark {
    Blank,
    Letter(u8),
    Sign(Sign),
}

/// Returns the meaning of a glyph: a letter, a digit with half of a decimal point, or a symbol.
pub fn marks(font: Font, glyph: u16) -> [Option<Mark>; 2] {
    // Further pages of Betaflight and ArduPilot have the same glyphs in other colours.
    let code = match (font, u8::try_from(glyph)) {
        (Font::Inav, Err(_)) => return [Some(Mark::Sign(Sign::Other)), None],
        _ => glyph.to_le_bytes()[0],
    };
    let digit = |from: u8| Some(Mark::Letter(b'0' + (code - from)));
    match (font, code) {
        (_, 0 | b' ') => [Some(Mark::Blank), None],
        (Font::Inav, 0xA1..=0xAA) => [digit(0xA1), Some(Mark::Letter(b'.'))],
        (Font::Inav, 0xB1..=0xBA) => [Some(Mark::Letter(b'.')), digit(0xB1)],
        (Font::ArduPilot, 0xC0..=0xC9) => [digit(0xC0), Some(Mark::Letter(b'.'))],
        (Font::ArduPilot, 0xD0..=0xD9) => [Some(Mark::Letter(b'.')), digit(0xD0)],
        _ => [Some(mark(font, code)), None],
    }
}

fn mark(font: Font, code: u8) -> Mark {
    let sign = match font {
        Font::Betaflight => betaflight(code),
        Font::Inav => inav(code),
        Font::ArduPilot => ardupilot(code),
        Font::Other => None,
    };
    match (sign, code) {
        (Some(sign), _) => Mark::Sign(sign),
        (None, b'!'..=b'~') => Mark::Letter(code),
        _ => Mark::Sign(Sign::Other),
    }
}

fn betaflight(code: u8) -> Option<Sign> {
    Some(match code {
        0x90..=0x97 => Sign::Battery,
        0x06 => Sign::Volts,
        0x9A => Sign::Amperes,
        0x07 => Sign::Consumed,
        b'W' => Sign::Watts,
        0x7F => Sign::Altitude,
        0x0C => Sign::Metres,
        0x0F => Sign::Feet,
        0x70 => Sign::Speed,
        0x9E => Sign::Kilometres,
        0x9D => Sign::Miles,
        0x9F => Sign::MetresASecond,
        0x89 => Sign::Latitude,
        0x98 => Sign::Longitude,
        0x1F => Sign::Satellites,
        // Letters that the font shows as arrows and icons.
        0x60..=0x6F | 0x71..=0x7E => Sign::Other,
        _ => return None,
    })
}

fn inav(code: u8) -> Option<Sign> {
    Some(match code {
        0x63..=0x69 => Sign::Battery,
        0x1F => Sign::Volts,
        0x6A => Sign::Amperes,
        0x99 => Sign::Consumed,
        0x71 => Sign::Watts,
        0x76 => Sign::AltitudeMetres,
        0x78 => Sign::AltitudeFeet,
        0x8C | 0x86 | 0x87 => Sign::OtherSpeed,
        0x90 => Sign::Kilometres,
        0x91 => Sign::Miles,
        0x92 => Sign::Knots,
        0x03 => Sign::Latitude,
        0x04 => Sign::Longitude,
        0x09 => Sign::Satellites,
        0x17..=0x1E => Sign::Arrow,
        0x60..=0x62 | 0x6B..=0x70 | 0x72..=0x75 | 0x77 | 0x79 | 0x7A | 0x7E => Sign::Other,
        _ => return None,
    })
}

fn ardupilot(code: u8) -> Option<Sign> {
    Some(match code {
        0x90..=0x97 => Sign::Battery,
        0x06 => Sign::Volts,
        0x9A => Sign::Amperes,
        0x07 => Sign::Consumed,
        0xAE => Sign::Watts,
        0xB1 => Sign::AltitudeMetres,
        0xB3 => Sign::AltitudeFeet,
        0xE2 => Sign::Speed,
        0xE1 | 0xE3 | 0xE4 => Sign::OtherSpeed,
        0xA1 => Sign::Kilometres,
        0xB0 => Sign::Miles,
        0xF0 => Sign::Knots,
        0x9F => Sign::MetresASecond,
        0xA6 => Sign::Latitude,
        0xA7 => Sign::Longitude,
        0x1F => Sign::Satellites,
        0x60..=0x6F => Sign::Arrow,
        0x7A | 0x7C | 0x7E => Sign::Other,
        _ => return None,
    })
}
