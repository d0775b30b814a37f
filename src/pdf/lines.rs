//! Lines of a cell.

use super::font::{Face, printable};

/// Marks a text that goes on.
const CUT: &str = "…";

/// Breaks a text into at most `most` lines of a width, between words where that is possible. What doesn't fit is cut,
/// with a mark. An empty text has no line.
pub(crate) fn broken(text: &str, face: &Face, size: f32, width: f32, most: usize) -> Vec<String> {
    let text = printable(text);
    let mut lines = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        if face.width(rest, size) <= width {
            lines.push(rest.to_owned());
            break;
        }
        if lines.len() + 1 == most {
            let end = fitting(rest, face, size, width - face.width(CUT, size));
            lines.push(format!("{}{CUT}", rest[..end].trim_end_matches([' ', '.', ','])));
            break;
        }
        let end = fitting(rest, face, size, width);
        // A word longer than the line is broken.
        let end = match rest[..end].rfind(' ') {
            Some(space) if !rest[end..].starts_with(' ') => space,
            _ => end.max(rest.chars().next().map_or(0, char::len_utf8)),
        };
        lines.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    lines
}

/// Returns how many bytes of the beginning of a text fit.
fn fitting(text: &str, face: &Face, size: f32, width: f32) -> usize {
    let mut end = 0;
    let mut taken = 0.0;
    for (at, character) in text.char_indices() {
        taken += face.width(character.encode_utf8(&mut [0; 4]), size);
        if taken > width {
            break;
        }
        end = at + character.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::font::Faces;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_fit_and_nothing_is_cut_without_a_mark(
            text in "(\\PC| |\n|Ä|ß|🚁|long){0,200}",
            width in 8.0..200.0_f32,
        ) {
            let faces = Faces::new().unwrap();
            let lines = broken(&text, &faces.regular, 8.0, width, 2);
            prop_assert!(lines.len() <= 2);
            for line in &lines {
                let is_one = line.trim_end_matches(CUT).chars().count() <= 1;
                prop_assert!(is_one || faces.regular.width(line, 8.0) <= width + 0.01, "{line}");
            }
            let without_spaces = |text: &str| text.replace(' ', "");
            let (printed, whole) = (without_spaces(&lines.concat()), without_spaces(&printable(&text)));
            if printed != whole {
                prop_assert!(lines[1].ends_with(CUT));
                prop_assert!(whole.starts_with(printed.trim_end_matches(CUT)));
            }
        }
    }
}
