//! The fonts of a book: which glyphs they have, and how wide a text is.

use std::collections::HashMap;
use std::ops::Range;

use krilla::Data;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

use fluglog_base::error::{Error, Result};
use fluglog_base::unicode::composed;

/// Drawn for a character that the fonts lack. The character itself stays in the text behind the picture.
const MISSING: char = '□';

/// A font with the glyph and the advance of each of its characters.
pub(crate) struct Face {
    pub font: Font,
    glyphs: HashMap<char, Glyph>,
    missing: Glyph,
}

#[derive(Clone, Copy)]
struct Glyph {
    id: u32,
    /// Part of the font's size.
    advance: f32,
}

/// The two fonts of a book.
pub(crate) struct Faces {
    pub regular: Face,
    pub bold: Face,
}

impl Faces {
    pub fn new() -> Result<Faces> {
        Ok(Faces {
            regular: Face::new(include_bytes!("fonts/Inter-Regular.otf"))?,
            bold: Face::new(include_bytes!("fonts/Inter-Bold.otf"))?,
        })
    }
}

impl Face {
    fn new(data: &'static [u8]) -> Result<Face> {
        let unusable = || Error::Internal("a font of the program is unusable".to_owned());
        let read = FontRef::new(data).map_err(|_| unusable())?;
        let metrics = read.glyph_metrics(Size::new(1.0), LocationRef::default());
        let glyphs: HashMap<_, _> = read
            .charmap()
            .mappings()
            .filter_map(|(code, id)| {
                let advance = metrics.advance_width(id)?;
                let id = id.to_u32();
                Some((char::from_u32(code)?, Glyph { id, advance }))
            })
            .collect();
        Ok(Face {
            font: Font::new(Data::from(data), 0).ok_or_else(unusable)?,
            missing: *glyphs.get(&MISSING).ok_or_else(unusable)?,
            glyphs,
        })
    }

    fn glyph(&self, character: char) -> Glyph {
        self.glyphs.get(&character).copied().unwrap_or(self.missing)
    }

    /// Returns the width of a text in points.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        text.chars().map(|character| self.glyph(character).advance).sum::<f32>() * size
    }

    /// Returns the glyphs of a text.
    pub fn shape(&self, text: &str) -> Vec<KrillaGlyph> {
        let glyph = |(at, character): (usize, char)| {
            let Glyph { id, advance } = self.glyph(character);
            let range: Range<usize> = at..at + character.len_utf8();
            KrillaGlyph::new(GlyphId::new(id), advance, 0.0, 0.0, 0.0, range, None)
        };
        text.char_indices().map(glyph).collect()
    }
}

/// Returns a text in one line as it is printed: with one character for each letter, without characters that have no
/// width or only steer others, and with a sign for those that no file for archives may contain.
pub(crate) fn printable(text: &str) -> String {
    let mut printed = String::with_capacity(text.len());
    for character in composed(text).chars() {
        match character {
            _ if character.is_whitespace() => {
                if !printed.ends_with(' ') {
                    printed.push(' ');
                }
            }
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => {}
            '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}' => {}
            '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => printed.push(MISSING),
            _ if character.is_control() || u32::from(character) & 0xFFFE == 0xFFFE => printed.push(MISSING),
            _ => printed.push(character),
        }
    }
    printed.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_has_the_same_width_and_german_letters_are_there() {
        let faces = Faces::new().unwrap();
        for face in [&faces.regular, &faces.bold] {
            let widths: Vec<_> = ('0'..='9').map(|digit| face.width(&digit.to_string(), 8.0)).collect();
            assert!(
                widths.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.05),
                "{widths:?}"
            );
            for letter in "äöüÄÖÜßẞ€–…„“′·×□".chars() {
                assert!(face.glyphs.contains_key(&letter), "{letter}");
            }
        }
    }

    #[test]
    fn what_has_no_width_is_left_out_and_what_no_archive_takes_becomes_a_sign() {
        assert_eq!(printable("  zwei\r\n\tZeilen \n"), "zwei Zeilen");
        assert_eq!(printable("\u{202E}rechts\u{200F} \u{FEFF}herum\u{AD}"), "rechts herum");
        assert_eq!(printable("a\u{E000}b\u{0}c\u{FFFE}d\u{10FFFD}"), "a□b□c□d□");
        assert_eq!(printable("🚁\u{FE0F} مرحبا"), "🚁 مرحبا");
        assert_eq!(printable("U\u{308}bungsgela\u{308}nde"), "Übungsgelände");
    }
}
